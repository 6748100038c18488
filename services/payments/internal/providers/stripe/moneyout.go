package stripe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
)

// outTag is where a transfer or a payout has what we wrote on it.
const outTag = "settlement"

// CanPayOut reads an account again: its capabilities may have ended since it was looked at last, and its owner may have given another bank
// account.
func (c *Client) CanPayOut(ctx context.Context, payee, bank string) error {
	now, err := c.Payee(ctx, payee)
	switch {
	case err != nil:
		return err
	case now.State != provider.PayeeReady && len(now.Needs) > 0:
		return provider.NotReadyError{Need: now.Needs[0].Code}
	case now.State != provider.PayeeReady:
		return provider.NotReadyError{Need: provider.NeedReview}
	case now.Bank == nil || now.Bank.Ref != bank:
		return provider.NotReadyError{Need: provider.NeedBankAccount}
	}
	return nil
}

// Balance is what our balance has in euros, or a connected account's. docs.stripe.com/api/balance/balance_retrieve
func (c *Client) Balance(ctx context.Context, place string) (held provider.Held, err error) {
	var now *sdk.Balance
	err = c.call(ctx, "read the balance of "+place, func(ctx context.Context) (err error) {
		params := &sdk.BalanceParams{}
		params.Context = ctx
		if place != "" {
			params.SetStripeAccount(place)
		}
		now, err = c.balances.Get(params)
		return err
	})
	if err != nil {
		return held, err
	}
	sum := func(list []*sdk.Amount) (minor int64) {
		for _, one := range list {
			if one.Currency == euros {
				minor += one.Amount
			}
		}
		return minor
	}
	can := sum(now.Available)
	return provider.Held{All: money.New(can+sum(now.Pending)+sum(now.ConnectReserved), money.EUR), Available: money.New(can, money.EUR)}, nil
}

// EachPending walks the charges made from one time to another whose money cannot be sent on yet.
func (c *Client) EachPending(ctx context.Context, from, to time.Time, fn func(charge string, available time.Time) error) error {
	params := &sdk.BalanceTransactionListParams{CreatedRange: &sdk.RangeQueryParams{GreaterThanOrEqual: from.Add(-clockSlack).Unix(),
		LesserThanOrEqual: to.Add(clockSlack).Unix()}}
	params.Context, params.Limit = ctx, sdk.Int64(100)
	list := c.balance.List(params)
	return c.each(ctx, "list what is pending", list, func() error {
		bt := list.BalanceTransaction()
		if bt.Status != sdk.BalanceTransactionStatusPending || bt.Source == nil || lineKindOf(bt) != provider.LineCharge {
			return nil
		}
		return fn(bt.Source.ID, time.Unix(bt.AvailableOn, 0).UTC())
	})
}

// Transfer sends available money to a connected account, which is done by the answer. One transfer is of a whole run, so it names no charge, and
// our part stays where it is. docs.stripe.com/api/transfers/create
func (c *Client) Transfer(ctx context.Context, o provider.TransferOrder) (provider.Outgoing, error) {
	var made *sdk.Transfer
	err := c.call(ctx, "transfer "+o.Key, func(ctx context.Context) (err error) {
		params := &sdk.TransferParams{Amount: sdk.Int64(o.Amount.Minor), Currency: sdk.String(string(euros)), Destination: sdk.String(o.To),
			TransferGroup: sdk.String(o.Run), Metadata: map[string]string{outTag: o.Tag}}
		params.Context, params.IdempotencyKey = ctx, sdk.String(o.Key)
		made, err = c.transfers.New(params)
		return err
	})
	if err != nil {
		return provider.Outgoing{}, notSent(err)
	}
	return transferOf(made), nil
}

// FindTransfer looks for a transfer among those of its run to its account.
func (c *Client) FindTransfer(ctx context.Context, o provider.TransferOrder) (found *provider.Outgoing, err error) {
	params := &sdk.TransferListParams{TransferGroup: sdk.String(o.Run), Destination: sdk.String(o.To)}
	params.Context, params.Limit = ctx, sdk.Int64(100)
	list := c.transfers.List(params)
	err = c.each(ctx, "look for transfer "+o.Key, list, func() error {
		if t := list.Transfer(); t.Metadata[outTag] == o.Tag {
			one := transferOf(t)
			found = &one
		}
		return nil
	})
	return found, err
}

func transferOf(t *sdk.Transfer) provider.Outgoing {
	return provider.Outgoing{Ref: t.ID, State: provider.OutgoingDone, Amount: amountOf(t.Amount, t.Currency), Happened: time.Unix(t.Created, 0).UTC()}
}

// PayOut sends money of a connected account to its bank account. docs.stripe.com/api/payouts/create
func (c *Client) PayOut(ctx context.Context, o provider.PayOutOrder) (provider.Outgoing, error) {
	var made *sdk.Payout
	err := c.call(ctx, "pay out "+o.Key, func(ctx context.Context) (err error) {
		params := &sdk.PayoutParams{Amount: sdk.Int64(o.Amount.Minor), Currency: sdk.String(string(euros)), Destination: sdk.String(o.Destination),
			Metadata: map[string]string{outTag: o.Tag}}
		params.Context, params.IdempotencyKey = ctx, sdk.String(o.Key)
		params.SetStripeAccount(o.Payee)
		made, err = c.payouts.New(params)
		return err
	})
	var f *fault
	if errors.As(err, &f) && f.param == "destination" { // which is their bank account; a transfer's is the account itself
		err = fmt.Errorf("%w: %w", provider.NotReadyError{Need: provider.NeedBankAccount}, err)
	}
	if err != nil {
		return provider.Outgoing{}, notSent(err)
	}
	return payoutOf(made), nil
}

// FindPayOut looks for a payout among those of its account.
func (c *Client) FindPayOut(ctx context.Context, o provider.PayOutOrder) (found *provider.Outgoing, err error) {
	params := &sdk.PayoutListParams{CreatedRange: &sdk.RangeQueryParams{GreaterThanOrEqual: o.Since.Add(-clockSlack).Unix()}}
	params.Context, params.Limit = ctx, sdk.Int64(100)
	params.SetStripeAccount(o.Payee)
	params.AddExpand("data.failure_balance_transaction")
	list := c.payouts.List(params)
	err = c.each(ctx, "look for payout "+o.Key, list, func() error {
		if p := list.Payout(); p.Metadata[outTag] == o.Tag {
			one := payoutOf(p)
			found = &one
		}
		return nil
	})
	return found, err
}

// PaidOut reads a payout of a connected account.
func (c *Client) PaidOut(ctx context.Context, payee, ref string) (provider.Outgoing, error) {
	var now *sdk.Payout
	err := c.call(ctx, "read payout "+ref, func(ctx context.Context) (err error) {
		params := &sdk.PayoutParams{}
		params.Context = ctx
		params.SetStripeAccount(payee)
		params.AddExpand("failure_balance_transaction")
		now, err = c.payouts.Get(ref, params)
		return err
	})
	if err != nil {
		return provider.Outgoing{}, err
	}
	return payoutOf(now), nil
}

// payoutOf reads a payout. One that failed says the same before it was paid and after: who knows that it was paid reads what was returned.
func payoutOf(p *sdk.Payout) provider.Outgoing {
	out := provider.Outgoing{Ref: p.ID, State: provider.OutgoingPending, Amount: amountOf(p.Amount, p.Currency), Happened: time.Unix(p.Created, 0).UTC()}
	switch p.Status {
	case sdk.PayoutStatusPaid:
		out.State, out.Happened = provider.OutgoingDone, time.Unix(p.ArrivalDate, 0).UTC()
	case sdk.PayoutStatusFailed, sdk.PayoutStatusCanceled:
		out.State, out.Code = provider.OutgoingRefused, string(p.FailureCode)
		if out.Code == "" {
			out.Code = string(p.Status)
		}
		back := provider.Returned{Ref: p.ID, Code: out.Code, Amount: out.Amount, Happened: out.Happened}
		if bt := p.FailureBalanceTransaction; bt != nil && bt.Created > 0 {
			back.Happened = time.Unix(bt.Created, 0).UTC()
		}
		out.Returned = []provider.Returned{back}
	case sdk.PayoutStatusPending, sdk.PayoutStatusInTransit:
	}
	return out
}

// notSent says of a refusal what a run has to wait for. Any other is for a person.
func notSent(err error) error {
	var f *fault
	var isSaid provider.NotReadyError
	if !errors.As(err, &f) || errors.As(err, &isSaid) || !errors.Is(err, provider.ErrRefused) && !errors.Is(err, provider.ErrNotFound) {
		return err
	}
	is := func(codes ...string) bool { return slices.Contains(codes, f.code) }
	switch {
	case is(string(sdk.ErrorCodeBalanceInsufficient)):
		return fmt.Errorf("%w: %w", provider.ErrShort, err)
	case is("insufficient_capabilities_for_transfer"):
		return fmt.Errorf("%w: %w", provider.NotReadyError{Need: provider.NeedDetails}, err)
	case is("transfers_not_allowed", "payouts_not_allowed", "payouts_limit_exceeded"), is(string(sdk.ErrorCodeAccountInvalid)):
		return fmt.Errorf("%w: %w", provider.NotReadyError{Need: provider.NeedSupport}, err)
	case is("bank_account_unusable", "bank_account_restricted", "bank_account_declined"):
		return fmt.Errorf("%w: %w", provider.NotReadyError{Need: provider.NeedBankAccount}, err)
	}
	return err
}

var (
	_ provider.MoneyOut = (*Client)(nil)
	_ provider.Pooled   = (*Client)(nil)
)
