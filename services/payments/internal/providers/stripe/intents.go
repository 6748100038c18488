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
// now. With a kept card the intent is confirmed in the same call.
func (c *Client) Begin(ctx context.Context, o provider.Order) (provider.Snapshot, error) {
	if o.Method == provider.MethodPage {
		return c.beginPage(ctx, o)
	}
	intent, err := c.try(ctx, "begin form "+o.Key, func(ctx context.Context) (*sdk.PaymentIntent, error) {
		return c.intents.New(intentParams(ctx, o))
	})
	if err != nil {
		return provider.Snapshot{}, c.orCardGone(ctx, o.Instrument, err)
	}
	return c.afterTry(ctx, intent)
}

func (c *Client) beginPage(ctx context.Context, o provider.Order) (provider.Snapshot, error) {
	var made *sdk.CheckoutSession
	err := c.call(ctx, "begin page "+o.Key, func(ctx context.Context) (err error) {
		made, err = c.sessions.New(sessionParams(ctx, o))
		return err
	})
	switch {
	case err != nil:
		return provider.Snapshot{}, err
	case isReplayed(made.LastResponse):
		return c.Look(ctx, provider.Ref{Method: provider.MethodPage, Object: made.ID})
	}
	return sessionOf(made), nil
}

// isReplayed reports whether an answer is the first one of its key word for word, however much has happened since.
func isReplayed(answer *sdk.APIResponse) bool {
	return answer != nil && answer.Header.Get("Idempotent-Replayed") == "true"
}

// isSession reports whether we know the session of a page. Of one whose making was never answered we know the intent
// alone.
func isSession(ref provider.Ref) bool {
	return ref.Method == provider.MethodPage && ref.Object != ref.Money
}

// charged is what a success is read with: its charge with its fee, and the card, which tells whether it is kept.
func charged() []*string {
	return sdk.StringSlice([]string{"latest_charge.balance_transaction", "payment_method"})
}

// Look reads an intent, or a session with its intent, and the charge and its fee.
func (c *Client) Look(ctx context.Context, ref provider.Ref) (provider.Snapshot, error) {
	if isSession(ref) {
		return c.lookAtPage(ctx, ref.Object)
	}
	intent, err := c.readIntent(ctx, ref.Object)
	if err == nil {
		intent, err = c.keepNext(ctx, intent)
	}
	if err != nil {
		return provider.Snapshot{}, err
	}
	return intentOf(intent), nil
}

func (c *Client) readIntent(ctx context.Context, id string) (intent *sdk.PaymentIntent, err error) {
	err = c.call(ctx, "read "+id, func(ctx context.Context) (err error) {
		params := &sdk.PaymentIntentParams{}
		params.Context, params.Expand = ctx, charged()
		intent, err = c.intents.Get(id, params)
		return err
	})
	return intent, err
}

func (c *Client) lookAtPage(ctx context.Context, id string) (seen provider.Snapshot, err error) {
	err = c.call(ctx, "read "+id, func(ctx context.Context) error {
		params := &sdk.CheckoutSessionParams{}
		params.Context = ctx
		for _, field := range charged() {
			params.AddExpand("payment_intent." + *field)
		}
		session, err := c.sessions.Get(id, params)
		if err == nil {
			seen = sessionOf(session)
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
		Customer:           optional(o.Payer),
	}
	params.Context, params.IdempotencyKey = ctx, sdk.String(o.Key)
	switch {
	case o.Instrument != "":
		params.PaymentMethod, params.Confirm, params.OffSession = sdk.String(o.Instrument), sdk.Bool(true), sdk.Bool(true)
		params.Expand = charged()
	case o.Payer != "" && o.Present:
		params.SetupFutureUsage = sdk.String(onSession)
	case o.Payer != "":
		params.SetupFutureUsage = sdk.String(offSession)
	}
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

// EachPayment walks the intents made since a moment, newest first.
func (c *Client) EachPayment(ctx context.Context, since time.Time, fn func(provider.Snapshot) error) error {
	params := &sdk.PaymentIntentListParams{CreatedRange: &sdk.RangeQueryParams{GreaterThanOrEqual: since.Unix()}}
	params.Context, params.Limit = ctx, sdk.Int64(100)
	list := c.intents.List(params)
	return c.each(ctx, "list intents", list, func() error { return fn(intentOf(list.PaymentIntent())) })
}

func intentOf(p *sdk.PaymentIntent) provider.Snapshot {
	out := provider.Snapshot{
		Ref:   provider.Ref{Method: provider.MethodCard, Object: p.ID, Money: p.ID},
		State: provider.Open, Next: provider.NextSecret(p.ClientSecret), Amount: amountOf(p.Amount, p.Currency),
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
		} else {
			out.Charge.Instrument = keptCard(p.PaymentMethod)
		}
	case sdk.PaymentIntentStatusCanceled:
		out.State = provider.Ended
	case sdk.PaymentIntentStatusRequiresPaymentMethod, sdk.PaymentIntentStatusRequiresConfirmation:
	}
	if p.LastPaymentError != nil {
		out.FailureCode, out.LastDecline = failureCode(p.LastPaymentError), p.LastPaymentError.ChargeID
		out.Remedy = remedyOf(p.LastPaymentError)
		if m := p.LastPaymentError.PaymentMethod; m != nil && isSpent(p.LastPaymentError) {
			out.Result.IsSpent, out.Result.Instrument = true, m.ID
		}
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

func amountOf(minor int64, currency sdk.Currency) money.Amount {
	return money.New(minor, money.Currency(strings.ToUpper(string(currency))))
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
