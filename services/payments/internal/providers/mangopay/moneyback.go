package mangopay

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
)

// refundsOfDebitsAfter is how old a debit has to be before it can be given back. docs.mangopay.com/guides/refunds
const refundsOfDebitsAfter = 7 * 24 * time.Hour

// Names of the wire. docs.mangopay.com/api-reference/refunds/refund-object
//
//nolint:revive // the wire's
type refund struct {
	Id                   string
	Tag                  string
	CreationDate         int64
	ExecutionDate        *int64
	DebitedFunds         funds
	Status               string
	ResultCode           string
	InitialTransactionId string
}

// Refund gives money of a pay-in back, once per key. What is refused is an object of Mangopay's as well, which the key repeats.
func (c *Client) Refund(ctx context.Context, o provider.RefundOrder) (provider.Refund, error) {
	p, err := c.payIn(ctx, o.Money)
	if err != nil {
		return provider.Refund{}, err
	}
	var made refund
	before, err := c.post(ctx, "create refund "+o.Key, "/payins/"+p.Id+"/refunds", o.Key, map[string]any{
		"AuthorId": p.AuthorId, "DebitedFunds": fundsOf(o.Amount), "Fees": fundsOf(money.New(0, o.Amount.Currency)),
		"Tag": url.Values{"refund": {o.ID}, "payment": {o.Payment}}.Encode()}, &made)
	if err == nil && before && made.outcome() != failed {
		var now refund
		err = c.get(ctx, "read refund "+made.Id, "/refunds/"+made.Id, &now)
		made = now
	}
	if err == nil && made.wasRefused() {
		err = c.refused(ctx, p, made)
	}
	if err != nil {
		return provider.Refund{}, err
	}
	return made.of(), nil
}

// refused says why a refund was, as far as it decides what comes next.
func (c *Client) refused(ctx context.Context, p payIn, r refund) error {
	said := fmt.Errorf("refund %s: result %s", r.Id, r.ResultCode)
	switch r.ResultCode {
	case resultRefunded, resultAboveAmount:
		return fmt.Errorf("%w: %w", provider.ErrFinal, said)
	case resultTooYoung:
		ripe := at(p.CreationDate)
		if p.ExecutionDate != nil {
			ripe = at(*p.ExecutionDate)
		}
		return &provider.NotYetError{After: ripe.Add(refundsOfDebitsAfter), Err: said}
	case resultSameDay: // days are theirs, in UTC
		return &provider.NotYetError{After: at(r.CreationDate).Truncate(24*time.Hour).AddDate(0, 0, 1).Add(time.Hour), Err: said}
	case resultBalanceShort:
		return fmt.Errorf("%w: %w", provider.ErrRefused, said)
	}
	disputes, err := c.Disputes(ctx, p.Id)
	if err != nil {
		return errors.Join(said, err)
	}
	for _, d := range disputes {
		if d.State != provider.DisputeClosed && d.State != provider.DisputeWon { // its bank is done with it
			return fmt.Errorf("%w: %w", provider.ErrDisputed, said)
		}
	}
	return fmt.Errorf("%w: %w", provider.ErrRefused, said)
}

// Refunds lists those of a pay-in that were taken or are on their way: what was refused is none.
func (c *Client) Refunds(ctx context.Context, id string) (out []provider.Refund, err error) {
	if !isID(id) {
		return nil, provider.ErrNotFound
	}
	err = each(ctx, c, "list refunds of "+id, "/payins/"+id+"/refunds", url.Values{}, func(r refund) error {
		if !r.wasRefused() {
			out = append(out, r.of())
		}
		return nil
	})
	return out, err
}

// wasRefused tells that nothing was ever taken for it.
func (r refund) wasRefused() bool { return r.outcome() == failed && r.ExecutionDate == nil }

func (r refund) of() provider.Refund {
	tag, _ := url.ParseQuery(r.Tag)
	out := provider.Refund{Ref: r.Id, Money: r.InitialTransactionId, ID: tag.Get("refund"), State: provider.RefundPending, Amount: r.DebitedFunds.amount(),
		Happened: at(r.CreationDate)}
	if r.ExecutionDate != nil {
		out.Happened = at(*r.ExecutionDate)
	}
	switch r.outcome() {
	case succeeded:
		out.State, out.Taken = provider.RefundSucceeded, true
	case failed:
		out.State, out.FailureCode = provider.RefundFailed, r.ResultCode
	}
	return out
}
