package mangopay

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
)

// Begin makes a pay-in: a hosted page, or one try of a registered card or mandate.
func (c *Client) Begin(ctx context.Context, o provider.Order) (provider.Snapshot, error) {
	if !isID(o.Payer) {
		return provider.Snapshot{}, fmt.Errorf("begin %s: a payer is needed: %w", o.Key, provider.ErrFinal)
	}
	wallet := o.Into
	if wallet == (provider.Wallet{}) {
		var err error
		if wallet, err = c.config.Wallet(ctx, o.Tag.Campaign); err != nil {
			return provider.Snapshot{}, fmt.Errorf("find the wallet of campaign %s: %w", o.Tag.Campaign, err)
		}
	}
	body := map[string]any{
		"AuthorId": o.Payer, "CreditedWalletId": wallet.ID, "DebitedFunds": fundsOf(o.Amount), "Fees": fundsOf(money.New(0, o.Amount.Currency)),
		"Tag": tagText(o.Tag), "FlowDescriptor": map[string]any{"Beneficiaries": []any{map[string]any{"UserId": wallet.Owner}}},
	}
	path := ""
	switch o.Method {
	case provider.MethodPage:
		path = "/payins/card/web"
		body["ReturnURL"], body["CardType"], body["Culture"], body["SecureMode"] = o.ReturnURL, CardType, culture(o.Language), "DEFAULT"
	case provider.MethodCard:
		card := idAt(cardsAt, o.Instrument)
		if card == "" || o.Browser == nil {
			return provider.Snapshot{}, fmt.Errorf("begin %s: a registered card and a browser are needed: %w", o.Key, provider.ErrFinal)
		}
		path = "/payins/card/direct"
		body["CardId"], body["SecureModeReturnURL"], body["SecureMode"] = card, o.ReturnURL, "DEFAULT"
		body["BrowserInfo"], body["IpAddress"], body["Culture"] = browserInfo(*o.Browser), o.Browser.IP, culture(o.Language)
	case provider.MethodDebit:
		mandate := idAt(mandatesAt, o.Instrument)
		if mandate == "" {
			return provider.Snapshot{}, fmt.Errorf("begin %s: a mandate is needed: %w", o.Key, provider.ErrFinal)
		}
		path = "/payins/directdebit/direct"
		body["MandateId"] = mandate
	}
	var made payIn
	before, err := c.post(ctx, "begin "+o.Key, path, o.Key, body, &made)
	if err != nil {
		return provider.Snapshot{}, err
	}
	if before {
		return c.Look(ctx, provider.Ref{Object: made.Id, Money: made.Id})
	}
	snap, err := c.snapshotBy(ctx, made, o.Kept)
	if snap.IsNew = true; snap.Charge != nil {
		snap.Charge.Refunded, snap.Charge.Disputed = false, false
	}
	return snap, err
}

// Begun is what a key has begun, as it is now.
func (c *Client) Begun(ctx context.Context, key string) (provider.Snapshot, error) {
	var made payIn
	if err := c.response(ctx, "look for "+key, key, &made); err != nil {
		return provider.Snapshot{}, err
	}
	return c.Look(ctx, provider.Ref{Object: made.Id, Money: made.Id})
}

// Look reads a pay-in.
func (c *Client) Look(ctx context.Context, ref provider.Ref) (provider.Snapshot, error) {
	p, err := c.payIn(ctx, ref.Object)
	if err != nil {
		return provider.Snapshot{}, err
	}
	return c.snapshot(ctx, p)
}

func (c *Client) payIn(ctx context.Context, id string) (p payIn, err error) {
	if !isID(id) {
		return p, fmt.Errorf("a pay-in: %w", provider.ErrNotFound)
	}
	err = c.get(ctx, "read "+id, "/payins/"+id, &p)
	return p, err
}

// End ends nothing: what a payer has before them ends by itself within a quarter of an hour, and a debit is its bank's.
func (c *Client) End(ctx context.Context, ref provider.Ref) error {
	if _, err := c.payIn(ctx, ref.Object); err != nil {
		return err
	}
	return provider.ErrState
}

// Declines is the one that a pay-in can have.
func (c *Client) Declines(ctx context.Context, id string) ([]provider.Decline, error) {
	p, err := c.payIn(ctx, id)
	if err != nil || p.outcome() != failed || !verdictOf(p.ResultCode).isDecline {
		return nil, err
	}
	out := provider.Decline{Ref: p.Id}
	if p.CardId != "" {
		card, err := c.card(ctx, p.CardId)
		if err != nil && !errors.Is(err, provider.ErrNotFound) {
			return nil, err
		}
		out.Card = card.Fingerprint
	}
	return []provider.Decline{out}, nil
}

// snapshot is a pay-in in the core's words. Of a success it also reads what paid it.
func (c *Client) snapshot(ctx context.Context, p payIn) (provider.Snapshot, error) {
	return c.snapshotBy(ctx, p, nil)
}

// snapshotBy is snapshot of what kept has paid, nil when that is to be read.
func (c *Client) snapshotBy(ctx context.Context, p payIn, kept *provider.Instrument) (provider.Snapshot, error) {
	out := provider.Snapshot{
		Ref: provider.Ref{Method: p.method(), Object: p.Id, Money: p.Id}, Amount: p.DebitedFunds.amount(),
		Received: money.New(0, money.Currency(p.DebitedFunds.Currency)), Tag: tagOf(p.Tag), Created: at(p.CreationDate),
	}
	switch p.outcome() {
	case created:
		switch {
		case p.Status != created: // new to us, or not whole: it is somebody's until they say so
			out.State = provider.Processing
		case p.method() == provider.MethodPage:
			out.State, out.Next = provider.Open, provider.Redirect(p.RedirectURL)
		case p.SecureModeNeeded:
			out.State, out.Next = provider.NeedsPayer, provider.Redirect(p.SecureModeRedirectURL)
		default:
			out.State = provider.Processing
		}
	case succeeded:
		out.State, out.Received, out.Result = provider.Succeeded, p.DebitedFunds.amount(), resultOf(p.ResultCode, p.ResultMessage)
		charge, err := c.charge(ctx, p, kept)
		out.Charge = &charge
		return out, err
	case failed:
		v := verdictOf(p.ResultCode)
		out.State, out.FailureCode, out.Remedy, out.Result = provider.Ended, v.code, v.remedy, resultOf(p.ResultCode, p.ResultMessage)
		if v.isDecline {
			out.LastDecline = p.Id
		}
	}
	return out, nil
}

// charge is the money of a success. What Mangopay keeps it bills by the month: the fee is none, and known at once.
func (c *Client) charge(ctx context.Context, p payIn, kept *provider.Instrument) (provider.Charge, error) {
	fee := money.New(0, money.Currency(p.DebitedFunds.Currency))
	out := provider.Charge{Ref: p.Id, Place: p.CreditedWalletId, Fee: &fee, Happened: at(p.CreationDate)}
	if p.ExecutionDate != nil {
		out.Happened = at(*p.ExecutionDate)
	}
	// A pay-in does not say whether something has gone back of it: that is asked.
	out.Refunded, out.Disputed = true, true
	ref := ""
	switch {
	case p.CardId != "":
		ref = cardsAt + p.CardId
	case p.MandateId != "":
		ref = mandatesAt + p.MandateId
	}
	if kept != nil && kept.Ref == ref {
		out.Label, out.Instrument = kept.Label, kept
		return out, nil
	}
	read, err := c.Instrument(ctx, ref)
	switch {
	case err == nil:
		out.Label, out.Instrument = read.Label, &read
	case errors.Is(err, provider.ErrNotFound): // it is kept no longer
		out.Label = strings.ToLower(p.PaymentType)
	default:
		return out, err
	}
	return out, nil
}

// culture is a language of Mangopay's pages.
func culture(language string) string { return strings.ToUpper(language) }

// browserInfo is what the payer's bank is told. docs.mangopay.com/api-reference/card/create-direct-card-payin
func browserInfo(b provider.Browser) map[string]any {
	return map[string]any{
		"AcceptHeader": b.Accept, "JavaEnabled": b.Java, "Language": b.Language, "ColorDepth": b.ColorDepth, "ScreenHeight": b.ScreenHeight,
		"ScreenWidth": b.ScreenWidth, "TimeZoneOffset": strconv.Itoa(b.TimeZoneOffset), "UserAgent": b.UserAgent, "JavascriptEnabled": b.JavaScript,
	}
}
