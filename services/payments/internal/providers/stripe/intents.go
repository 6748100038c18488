package stripe

import (
	"context"
	"errors"
	"strings"
	"time"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
)

// metadata is what every object of ours carries; Stripe copies an intent's to its charge.
func metadata(t provider.Tag) map[string]string {
	return map[string]string{"payment_id": t.Payment, "attempt": t.Attempt, "subject": t.Subject,
		"campaign_id": t.Campaign}
}

func tagOf(m map[string]string) provider.Tag {
	return provider.Tag{Payment: m["payment_id"], Attempt: m["attempt"], Subject: m["subject"], Campaign: m["campaign_id"]}
}

// transferGroup joins what belongs to one campaign at Stripe.
func transferGroup(t provider.Tag) *string {
	if t.Campaign == "" {
		return nil
	}
	return sdk.String("campaign:" + t.Campaign)
}

// Begin makes an intent for the form, or a checkout session for a page, or gives what the key made before, as it is
// now.
func (c *Client) Begin(ctx context.Context, o provider.Order) (made provider.Snapshot, err error) {
	var answer *sdk.APIResponse
	err = c.call(ctx, "begin "+string(o.Method)+" "+o.Key, func(ctx context.Context) error {
		if o.Method == provider.Page {
			session, err := c.sessions.New(sessionParams(ctx, o))
			if err == nil {
				made, answer = sessionOf(session), session.LastResponse
			}
			return err
		}
		intent, err := c.intents.New(intentParams(ctx, o))
		if err == nil {
			made, answer = intentOf(intent), intent.LastResponse
		}
		return err
	})
	// A replay is the first answer word for word, however much has happened since.
	if err == nil && answer != nil && answer.Header.Get("Idempotent-Replayed") == "true" {
		return c.Look(ctx, made.Ref)
	}
	return made, err
}

// isSession reports whether we know the session of a page. Of one whose making was never answered we know the intent
// alone.
func isSession(ref provider.Ref) bool { return ref.Method == provider.Page && ref.Object != ref.Money }

// Look reads an intent, or a session with its intent, and the charge and its fee.
func (c *Client) Look(ctx context.Context, ref provider.Ref) (seen provider.Snapshot, err error) {
	const charge = "latest_charge.balance_transaction"
	err = c.call(ctx, "read "+ref.Object, func(ctx context.Context) error {
		if isSession(ref) {
			params := &sdk.CheckoutSessionParams{Expand: sdk.StringSlice([]string{"payment_intent." + charge})}
			params.Context = ctx
			session, err := c.sessions.Get(ref.Object, params)
			if err == nil {
				seen = sessionOf(session)
			}
			return err
		}
		params := &sdk.PaymentIntentParams{Expand: sdk.StringSlice([]string{charge})}
		params.Context = ctx
		intent, err := c.intents.Get(ref.Object, params)
		if err == nil {
			seen = intentOf(intent)
		}
		return err
	})
	return seen, err
}

// End cancels an intent or expires a session. Error: ErrState when it is paid or was ended before.
func (c *Client) End(ctx context.Context, ref provider.Ref) error {
	if !isSession(ref) {
		return c.cancelIntent(ctx, ref.Object)
	}
	err := c.expireSession(ctx, ref.Object)
	if errors.Is(err, provider.ErrState) && ref.Money != "" {
		// A page that was submitted is complete for ever, also when the bank refuses days later.
		return c.cancelIntent(ctx, ref.Money)
	}
	return err
}

func intentParams(ctx context.Context, o provider.Order) *sdk.PaymentIntentParams {
	params := &sdk.PaymentIntentParams{
		Amount:             sdk.Int64(o.Amount.Minor),
		Currency:           sdk.String(strings.ToLower(string(o.Amount.Currency))),
		PaymentMethodTypes: sdk.StringSlice([]string{"card"}),
		Description:        optional(o.Description),
		TransferGroup:      transferGroup(o.Tag),
		Metadata:           metadata(o.Tag),
	}
	params.Context, params.IdempotencyKey = ctx, sdk.String(o.Key)
	return params
}

func (c *Client) cancelIntent(ctx context.Context, id string) error {
	key := onceKey("cancel", id)
	return c.call(ctx, "cancel intent "+id, func(ctx context.Context) error {
		params := &sdk.PaymentIntentCancelParams{CancellationReason: sdk.String("abandoned")}
		params.Context, params.IdempotencyKey = ctx, sdk.String(key)
		_, err := c.intents.Cancel(id, params)
		return err
	})
}

// Declines lists the failed charges of an intent, newest first. A failed 3-D Secure makes no charge and tells nobody
// whether the card is good, so it is none.
func (c *Client) Declines(ctx context.Context, intentID string) ([]provider.Decline, error) {
	var out []provider.Decline
	err := c.call(ctx, "list charges of "+intentID, func(ctx context.Context) error {
		out = out[:0]
		params := &sdk.ChargeListParams{PaymentIntent: sdk.String(intentID)}
		params.Context, params.Limit, params.Single = ctx, sdk.Int64(100), true
		list := c.charges.List(params)
		for list.Next() {
			if ch := list.Charge(); ch.Status == sdk.ChargeStatusFailed {
				out = append(out, declineOf(ch))
			}
		}
		return list.Err()
	})
	return out, err
}

func declineOf(ch *sdk.Charge) provider.Decline {
	out := provider.Decline{Ref: ch.ID}
	if ch.PaymentMethodDetails != nil && ch.PaymentMethodDetails.Card != nil {
		out.Card = ch.PaymentMethodDetails.Card.Fingerprint
	}
	return out
}

// EachPayment walks the intents made since a moment, newest first.
func (c *Client) EachPayment(ctx context.Context, since time.Time, fn func(provider.Snapshot) error) error {
	params := &sdk.PaymentIntentListParams{CreatedRange: &sdk.RangeQueryParams{GreaterThanOrEqual: since.Unix()}}
	params.Context, params.Limit = ctx, sdk.Int64(100)
	list := c.intents.List(params)
	return c.each(ctx, "list intents", list, func() error { return fn(intentOf(list.PaymentIntent())) })
}

func intentOf(p *sdk.PaymentIntent) provider.Snapshot {
	out := provider.Snapshot{
		Ref:   provider.Ref{Method: provider.Form, Object: p.ID, Money: p.ID},
		State: provider.Open, ClientSecret: p.ClientSecret, Amount: amountOf(p.Amount, p.Currency),
		Received: amountOf(p.AmountReceived, p.Currency), Tag: tagOf(p.Metadata), Created: time.Unix(p.Created, 0).UTC(),
	}
	switch p.Status {
	case sdk.PaymentIntentStatusRequiresAction:
		out.State = provider.NeedsPayer
	case sdk.PaymentIntentStatusProcessing, sdk.PaymentIntentStatusRequiresCapture:
		out.State = provider.Processing
	case sdk.PaymentIntentStatusSucceeded:
		out.State, out.Charge = provider.Succeeded, chargeOf(p.LatestCharge)
		if out.Charge == nil { // not made yet, with asynchronous capture
			out.State = provider.Processing
		}
	case sdk.PaymentIntentStatusCanceled:
		out.State = provider.Ended
	case sdk.PaymentIntentStatusRequiresPaymentMethod, sdk.PaymentIntentStatusRequiresConfirmation:
	}
	if p.LastPaymentError != nil {
		out.FailureCode, out.LastDecline = failureCode(p.LastPaymentError), p.LastPaymentError.ChargeID
	}
	return out
}

func chargeOf(ch *sdk.Charge) *provider.Charge {
	if ch == nil {
		return nil
	}
	out := &provider.Charge{Ref: ch.ID, Disputed: ch.Disputed, Refunded: ch.AmountRefunded > 0,
		Happened: time.Unix(ch.Created, 0).UTC()}
	if ch.PaymentMethodDetails != nil && ch.PaymentMethodDetails.Card != nil {
		out.Label = cardLabel(string(ch.PaymentMethodDetails.Card.Brand), ch.PaymentMethodDetails.Card.Last4)
	}
	// An unexpanded one has its id only; with asynchronous capture it comes later.
	if bt := ch.BalanceTransaction; bt != nil && bt.Object != "" {
		fee := amountOf(bt.Fee, bt.Currency)
		out.Fee, out.Happened = &fee, time.Unix(bt.Created, 0).UTC()
	}
	return out
}

// failureCode maps a decline to the codes of payment_failed. Unknown ones are generic: new values come without notice.
func failureCode(e *sdk.Error) string {
	switch {
	case e.DeclineCode == "insufficient_funds":
		return "insufficient_funds"
	case e.Code == sdk.ErrorCodeExpiredCard, e.Code == sdk.ErrorCodeIncorrectCVC, e.Code == sdk.ErrorCodeProcessingError,
		e.Code == sdk.ErrorCodeCardDeclined:
		return string(e.Code)
	case e.Code == sdk.ErrorCodePaymentIntentAuthenticationFailure, e.Code == sdk.ErrorCodeAuthenticationRequired:
		return "authentication_failed"
	}
	return "generic"
}

func cardLabel(brand, last4 string) string {
	name := map[string]string{
		"visa": "Visa", "mastercard": "Mastercard", "amex": "American Express", "diners": "Diners Club",
		"discover": "Discover", "jcb": "JCB", "unionpay": "UnionPay",
	}[brand]
	if name == "" {
		name = "Card"
	}
	return name + " ···· " + last4
}

func amountOf(minor int64, currency sdk.Currency) money.Amount {
	return money.New(minor, money.Currency(strings.ToUpper(string(currency))))
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
