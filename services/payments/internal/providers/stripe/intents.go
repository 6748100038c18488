package stripe

import (
	"context"
	"strings"
	"time"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/kit/money"
)

// IntentStatus is how far an intent is, in the steps that matter to us.
type IntentStatus string

// The steps of an intent.
const (
	IntentOpen           IntentStatus = "open" // waits for a card, or for the next one after a decline
	IntentRequiresAction IntentStatus = "requires_action"
	IntentProcessing     IntentStatus = "processing"
	IntentSucceeded      IntentStatus = "succeeded"
	IntentCanceled       IntentStatus = "canceled"
)

// Intent is a payment intent as Stripe has it now.
type Intent struct {
	ID           string
	ClientSecret string
	Status       IntentStatus
	Amount       money.Amount
	// Received is what was really charged; 0 before success.
	ReceivedMinor int64
	// FailureCode is a code of payment_failed, from the last decline; empty without one.
	FailureCode string
	// Charge is that of the success; nil before.
	Charge    *Charge
	PaymentID string // from the metadata
	PledgeID  string
	// AttemptKey is the idempotency key of the attempt that made it, from the metadata.
	AttemptKey string
	CreatedAt  time.Time
}

// Charge is the money of an intent.
type Charge struct {
	ID        string
	Method    string // 'Visa ···· 4242'
	Disputed  bool
	CreatedAt time.Time
	// RefundedMinor is what has gone back or is on its way; not what came back to us because its refund failed.
	RefundedMinor int64
	// FeeMinor is what Stripe keeps, in FeeCurrency; valid when FeeKnown.
	FeeMinor    int64
	FeeCurrency money.Currency
	FeeKnown    bool
}

// Metadata is what every object of ours carries; ids only.
type Metadata struct {
	PledgeID   string
	PaymentID  string
	CampaignID string
	// AttemptKey is the idempotency key of the attempt.
	AttemptKey string
}

func (m Metadata) values() map[string]string {
	return map[string]string{"pledge_id": m.PledgeID, "payment_id": m.PaymentID, "campaign_id": m.CampaignID, "attempt": m.AttemptKey}
}

// NewIntent is what CreateIntent needs; the same key must always come with the same values.
type NewIntent struct {
	Key           string
	Amount        money.Amount
	Description   string
	TransferGroup string
	Metadata      Metadata
}

// CreateIntent makes a card intent, or gives the one that the key made before, as it is now.
func (c *Client) CreateIntent(ctx context.Context, n NewIntent) (Intent, error) {
	var made *sdk.PaymentIntent
	err := c.call(ctx, "create intent "+n.Key, func(ctx context.Context) (err error) {
		params := &sdk.PaymentIntentParams{
			Amount:             sdk.Int64(n.Amount.Minor),
			Currency:           sdk.String(strings.ToLower(string(n.Amount.Currency))),
			PaymentMethodTypes: sdk.StringSlice([]string{"card"}),
			Description:        optional(n.Description),
			TransferGroup:      optional(n.TransferGroup),
			Metadata:           n.Metadata.values(),
		}
		params.Context, params.IdempotencyKey = ctx, sdk.String(n.Key)
		made, err = c.intents.New(params)
		return scrub(err)
	})
	if err != nil {
		return Intent{}, err
	}
	// A replay is the first answer word for word, however much has happened since.
	if made.LastResponse != nil && made.LastResponse.Header.Get("Idempotent-Replayed") == "true" {
		return c.Intent(ctx, made.ID)
	}
	return intentOf(made), nil
}

// Intent reads an intent with its charge and fee.
func (c *Client) Intent(ctx context.Context, id string) (Intent, error) {
	var got *sdk.PaymentIntent
	err := c.call(ctx, "read intent "+id, func(ctx context.Context) (err error) {
		params := &sdk.PaymentIntentParams{Expand: sdk.StringSlice([]string{"latest_charge.balance_transaction"})}
		params.Context = ctx
		got, err = c.intents.Get(id, params)
		return scrub(err)
	})
	if err != nil {
		return Intent{}, err
	}
	return intentOf(got), nil
}

// CancelIntent ends an intent that is not paid. Error: ErrState when it is paid or was ended before.
func (c *Client) CancelIntent(ctx context.Context, id string) error {
	key := onceKey("cancel", id)
	return c.call(ctx, "cancel intent "+id, func(ctx context.Context) error {
		params := &sdk.PaymentIntentCancelParams{CancellationReason: sdk.String("abandoned")}
		params.Context, params.IdempotencyKey = ctx, sdk.String(key)
		_, err := c.intents.Cancel(id, params)
		return scrub(err)
	})
}

// EachIntent walks the intents made since a moment, newest first. Charges have no fee here.
func (c *Client) EachIntent(ctx context.Context, since time.Time, fn func(Intent) error) error {
	if !c.Enabled() {
		return nil
	}
	params := &sdk.PaymentIntentListParams{CreatedRange: &sdk.RangeQueryParams{GreaterThanOrEqual: since.Unix()}}
	params.Context, params.Limit = ctx, sdk.Int64(100)
	list := c.intents.List(params)
	return c.each(ctx, "list intents", scrubbed{list}, func() error { return fn(intentOf(list.PaymentIntent())) })
}

func intentOf(p *sdk.PaymentIntent) Intent {
	in := Intent{
		ID: p.ID, ClientSecret: p.ClientSecret, Status: IntentOpen, Amount: amountOf(p.Amount, p.Currency), ReceivedMinor: p.AmountReceived,
		PaymentID: p.Metadata["payment_id"], PledgeID: p.Metadata["pledge_id"], AttemptKey: p.Metadata["attempt"], CreatedAt: time.Unix(p.Created, 0).UTC(),
	}
	switch p.Status {
	case sdk.PaymentIntentStatusRequiresAction:
		in.Status = IntentRequiresAction
	case sdk.PaymentIntentStatusProcessing, sdk.PaymentIntentStatusRequiresCapture:
		in.Status = IntentProcessing
	case sdk.PaymentIntentStatusSucceeded:
		in.Status = IntentSucceeded
		in.Charge = chargeOf(p.LatestCharge)
	case sdk.PaymentIntentStatusCanceled:
		in.Status = IntentCanceled
	case sdk.PaymentIntentStatusRequiresPaymentMethod, sdk.PaymentIntentStatusRequiresConfirmation:
	}
	if p.LastPaymentError != nil {
		in.FailureCode = failureCode(p.LastPaymentError)
	}
	return in
}

func chargeOf(ch *sdk.Charge) *Charge {
	if ch == nil {
		return nil
	}
	out := &Charge{ID: ch.ID, Disputed: ch.Disputed, RefundedMinor: ch.AmountRefunded, CreatedAt: time.Unix(ch.Created, 0).UTC()}
	if ch.PaymentMethodDetails != nil && ch.PaymentMethodDetails.Card != nil {
		out.Method = cardLabel(string(ch.PaymentMethodDetails.Card.Brand), ch.PaymentMethodDetails.Card.Last4)
	}
	// An unexpanded one has its id only; with asynchronous capture it comes later.
	if bt := ch.BalanceTransaction; bt != nil && bt.Object != "" {
		out.FeeKnown, out.FeeMinor, out.FeeCurrency = true, bt.Fee, currencyOf(bt.Currency)
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
	return money.New(minor, currencyOf(currency))
}

func currencyOf(c sdk.Currency) money.Currency { return money.Currency(strings.ToUpper(string(c))) }

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// scrubbed is an iterator of the official client with errors that may be logged.
type scrubbed struct {
	iter interface {
		Next() bool
		Err() error
	}
}

func (s scrubbed) Next() bool { return s.iter.Next() }
func (s scrubbed) Err() error { return scrub(s.iter.Err()) }
