package stripe

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/payments/internal/provider"
)

// How kept cards are used: without the payer, or only while they are there.
const (
	offSession = "off_session"
	onSession  = "on_session"
)

// NewPayer makes a customer that Stripe knows by our id alone. A repeat is answered from the key.
func (c *Client) NewPayer(ctx context.Context, o provider.PayerOrder) (string, error) {
	var made *sdk.Customer
	err := c.call(ctx, "create a customer", func(ctx context.Context) (err error) {
		params := &sdk.CustomerParams{Metadata: map[string]string{"customer_id": o.ID}}
		params.Context, params.IdempotencyKey = ctx, sdk.String(o.Key)
		made, err = c.customers.New(params)
		return err
	})
	if err != nil {
		return "", err
	}
	return made.ID, nil
}

// HasPayer reads a customer. Stripe shows one that was deleted by its id for ever.
func (c *Client) HasPayer(ctx context.Context, customer string) (bool, error) {
	var seen *sdk.Customer
	err := c.call(ctx, "read "+customer, func(ctx context.Context) (err error) {
		params := &sdk.CustomerParams{}
		params.Context = ctx
		seen, err = c.customers.Get(customer, params)
		return err
	})
	if err != nil {
		return false, err
	}
	return !seen.Deleted, nil
}

// ChargeInstrument confirms an intent with a kept card, off session.
func (c *Client) ChargeInstrument(ctx context.Context, o provider.ChargeOrder) (provider.Snapshot, error) {
	intent, err := c.try(ctx, "charge "+o.Ref.Object, func(ctx context.Context) (*sdk.PaymentIntent, error) {
		params := &sdk.PaymentIntentConfirmParams{
			PaymentMethod: sdk.String(o.Instrument), OffSession: sdk.Bool(true),
			// Stripe confirms nothing off session that is also to keep its card (keepNext); this one is kept already.
			SetupFutureUsage: sdk.String(""),
		}
		params.Context, params.IdempotencyKey, params.Expand = ctx, sdk.String(o.Key), charged()
		return c.intents.Confirm(o.Ref.Object, params)
	})
	if err != nil {
		return provider.Snapshot{}, c.orCardGone(ctx, o.Instrument, err)
	}
	return c.afterTry(ctx, intent)
}

// try makes a call that may charge a card. Stripe answers a decline as an error that has the intent in it.
func (c *Client) try(ctx context.Context, act string, confirm func(ctx context.Context) (*sdk.PaymentIntent, error)) (
	intent *sdk.PaymentIntent, err error) {
	err = c.call(ctx, act, func(ctx context.Context) (err error) {
		intent, err = confirm(ctx)
		var declined *sdk.Error
		if errors.As(err, &declined) && declined.HTTPStatusCode == http.StatusPaymentRequired &&
			declined.PaymentIntent != nil {
			intent, err = declined.PaymentIntent, nil
			intent.LastResponse = declined.LastResponse
		}
		return err
	})
	return intent, err
}

// afterTry is the intent as it is now, with the decline that this try was answered with: Stripe forgets it with the next
// update of the intent, and of a try that is repeated there may have been others since.
func (c *Client) afterTry(ctx context.Context, intent *sdk.PaymentIntent) (now provider.Snapshot, err error) {
	answer := intentOf(intent)
	if isReplayed(intent.LastResponse) {
		now, err = c.Look(ctx, provider.Ref{Method: provider.MethodCard, Object: intent.ID, Money: intent.ID})
	} else if kept, err := c.keepNext(ctx, intent); err == nil { // else the next Look does it
		now = intentOf(kept)
	} else {
		now = answer
	}
	if answer.Remedy != provider.RemedyNone && (now.State == provider.Open || now.State == provider.NeedsPayer) {
		now.FailureCode, now.Remedy = answer.FailureCode, answer.Remedy
		now.LastDecline = cmp.Or(now.LastDecline, answer.LastDecline)
	}
	return now, err
}

// keepNext has an unpaid intent keep the card that its payer confirms it with in the form. One that was tried off
// session does not: Stripe takes the two at once from nobody. It gives the intent as it is then.
func (c *Client) keepNext(ctx context.Context, intent *sdk.PaymentIntent) (*sdk.PaymentIntent, error) {
	isOpen := intent.Status == sdk.PaymentIntentStatusRequiresPaymentMethod ||
		intent.Status == sdk.PaymentIntentStatusRequiresConfirmation
	if !isOpen || intent.Customer == nil || intent.SetupFutureUsage != "" || !tagOf(intent.Metadata).IsOurs() {
		return intent, nil
	}
	var kept *sdk.PaymentIntent
	key := onceKey("keep", intent.ID)
	err := c.call(ctx, "keep the next card of "+intent.ID, func(ctx context.Context) (err error) {
		params := &sdk.PaymentIntentParams{SetupFutureUsage: sdk.String(offSession)}
		params.Context, params.IdempotencyKey = ctx, sdk.String(key)
		kept, err = c.intents.Update(intent.ID, params)
		return err
	})
	switch {
	case errors.Is(err, provider.ErrState): // paid or ended meanwhile
		return c.readIntent(ctx, intent.ID)
	case errors.Is(err, provider.ErrRefused): // it can be paid all the same
		c.config.Log.WarnContext(ctx, "a payment will not keep its card", "intent", intent.ID, "error", err)
		return intent, nil
	case err != nil:
		return nil, err
	}
	return kept, nil
}

// orCardGone tells a refusal because of the card from others: Stripe has no code for a method that was detached.
func (c *Client) orCardGone(ctx context.Context, card string, err error) error {
	if card == "" || !errors.Is(err, provider.ErrRefused) && !errors.Is(err, provider.ErrNotFound) {
		return err
	}
	if _, gone := c.Instrument(ctx, card); errors.Is(gone, provider.ErrNotFound) {
		return errors.Join(provider.ErrInstrumentGone, err)
	}
	return err
}

// Instrument reads a payment method that is attached to a customer. Error: ErrNotFound when it is not.
func (c *Client) Instrument(ctx context.Context, card string) (provider.Instrument, error) {
	var method *sdk.PaymentMethod
	err := c.call(ctx, "read "+card, func(ctx context.Context) (err error) {
		params := &sdk.PaymentMethodParams{}
		params.Context = ctx
		method, err = c.methods.Get(card, params)
		return err
	})
	if err != nil {
		return provider.Instrument{}, err
	}
	kept := keptCard(method)
	if kept == nil {
		return provider.Instrument{}, provider.ErrNotFound
	}
	return *kept, nil
}

// ForgetInstrument detaches a payment method, which can never be attached again.
func (c *Client) ForgetInstrument(ctx context.Context, card string) error {
	key := onceKey("detach", card)
	err := c.call(ctx, "detach "+card, func(ctx context.Context) error {
		params := &sdk.PaymentMethodDetachParams{}
		params.Context, params.IdempotencyKey = ctx, sdk.String(key)
		_, err := c.methods.Detach(card, params)
		return err
	})
	if errors.Is(c.orCardGone(ctx, card, err), provider.ErrInstrumentGone) {
		return nil
	}
	return err
}

// ForgetPayer deletes a customer, with which Stripe removes their cards. It shows a deleted customer for ever, by its id.
func (c *Client) ForgetPayer(ctx context.Context, customer string) error {
	err := c.call(ctx, "delete "+customer, func(ctx context.Context) error {
		params := &sdk.CustomerParams{} // Stripe has no keys for deleting: a repeat finds none
		params.Context = ctx
		_, err := c.customers.Del(customer, params)
		return err
	})
	if errors.Is(err, provider.ErrNotFound) {
		return nil
	}
	return err
}

// keptCard is a card that can be charged later: nil when it was used once, or forgotten.
func keptCard(m *sdk.PaymentMethod) *provider.Instrument {
	if m == nil || m.Customer == nil || m.Card == nil {
		return nil
	}
	return &provider.Instrument{
		Kind: provider.KindCard, Ref: m.ID, Payer: m.Customer.ID, Label: cardLabel(string(m.Card.Brand), m.Card.Last4),
		ExpYear: int(m.Card.ExpYear), ExpMonth: int(m.Card.ExpMonth), Fingerprint: m.Card.Fingerprint,
	}
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
