package mangopay

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
)

// docs.mangopay.com/api-reference/disputes/dispute-object
//
//nolint:revive // the wire's
type dispute struct {
	Id                   string
	CreationDate         int64
	ClosedDate           *int64
	ContestDeadlineDate  *int64
	InitialTransactionId string
	DisputeType          string
	DisputedFunds        funds
	Status               string
	StatusMessage        string
	ResultCode           string
	RepudiationId        string
	DisputeReason        struct{ DisputeReasonType string }
}

const (
	disputeClosed  = "CLOSED"
	retrieval      = "RETRIEVAL"
	notContestable = "NOT_CONTESTABLE"

	resultLost = "LOST"
	resultVoid = "VOID"
	resultWon  = "WON"

	// reasonOfDebits begins the reasons of direct debits that failed after their success.
	reasonOfDebits = "LATE_FAILURE_"
)

// Disputes lists those of a pay-in, with all that they have moved.
func (c *Client) Disputes(ctx context.Context, id string) (out []provider.Dispute, err error) {
	if !isID(id) {
		return nil, provider.ErrNotFound
	}
	err = each(ctx, c, "list disputes of "+id, "/payins/"+id+"/disputes", url.Values{}, func(d dispute) error {
		one := d.of()
		if err := c.sinceClosed(ctx, d, &one); err != nil {
			return err
		}
		out = append(out, one)
		return nil
	})
	return out, err
}

// of is a dispute in the core's words, as far as it says itself: a retrieval is a question, and what cannot be contested is lost from the
// start, or a direct debit that came back.
func (d dispute) of() provider.Dispute {
	out := provider.Dispute{Ref: d.Id, Money: d.InitialTransactionId, State: d.state(), Reason: strings.ToLower(d.DisputeReason.DisputeReasonType),
		Amount: d.DisputedFunds.amount(), Opened: at(d.CreationDate)}
	if d.Status == disputeReopened {
		out.Reopened, out.Wants = true, d.StatusMessage
	}
	if d.ContestDeadlineDate != nil && d.Status != disputeClosed {
		by := at(*d.ContestDeadlineDate)
		out.RespondBy = &by
	}
	if d.RepudiationId != "" {
		out.Movements = append(out.Movements, movement(d.RepudiationId, -d.DisputedFunds.Amount, d.DisputedFunds.Currency, d.CreationDate))
	}
	return out
}

func (d dispute) state() provider.DisputeState {
	switch {
	case d.DisputeType == retrieval && d.Status != disputeClosed:
		return provider.DisputeInquiry
	case d.DisputeType == retrieval, d.Status == disputeClosed && d.ResultCode == resultVoid:
		return provider.DisputeClosed
	case d.isReturned():
		return provider.DisputeReturned
	case d.DisputeType == notContestable, d.Status == disputeClosed && d.ResultCode == resultLost:
		return provider.DisputeLost
	case d.Status == disputeClosed && d.ResultCode == resultWon:
		return provider.DisputeWon
	}
	return provider.DisputeOpen // also what is closed and does not say how
}

func (d dispute) isReturned() bool {
	return d.DisputeType == notContestable && strings.HasPrefix(d.DisputeReason.DisputeReasonType, reasonOfDebits)
}

// movement is what a bank did to the wallet that banks take from.
func movement(id string, minor int64, currency string, executed int64) provider.Movement {
	in := money.Currency(currency)
	return provider.Movement{Ref: id, Place: placeRepudiation, Amount: money.New(minor, in), Fee: money.New(0, in), Happened: at(executed)}
}

// sinceClosed reads what was moved after a bank's decision: back to us, or by us to where the bank had taken it.
func (c *Client) sinceClosed(ctx context.Context, d dispute, one *provider.Dispute) error {
	if d.RepudiationId == "" || d.Status != disputeClosed {
		return nil
	}
	path := "/repudiations/" + d.RepudiationId + "/refunds"
	if one.State == provider.DisputeLost || one.State == provider.DisputeReturned {
		path = "/disputes/" + d.Id + "/transactions"
	}
	return each(ctx, c, "list what was moved for dispute "+d.Id, path, url.Values{}, func(t transaction) error {
		switch {
		case t.outcome() != succeeded:
		case t.Nature == refunded:
			one.Movements = append(one.Movements, movement(t.Id, t.CreditedFunds.Amount, t.CreditedFunds.Currency, *t.ExecutionDate))
		case t.Nature == settlement:
			one.Repayments = append(one.Repayments, provider.Repayment{Ref: t.Id, From: t.DebitedWalletId, To: placeRepudiation,
				Amount: t.CreditedFunds.amount(), Happened: at(*t.ExecutionDate)})
		}
		return nil
	})
}

// Repay moves money from the wallet that had the pay-in to the one that the bank took it from.
// docs.mangopay.com/api-reference/disputes/create-settlement-transfer
func (c *Client) Repay(ctx context.Context, o provider.RepayOrder) error {
	d, err := c.dispute(ctx, o.Dispute)
	if err != nil {
		return err
	}
	if d.RepudiationId == "" || d.Status != disputeClosed {
		return fmt.Errorf("repay dispute %s, which is %s: %w", d.Id, d.Status, provider.ErrRefused)
	}
	p, err := c.payIn(ctx, d.InitialTransactionId)
	if err != nil {
		return err
	}
	var made transaction
	_, err = c.post(ctx, "repay dispute "+d.Id, "/repudiations/"+d.RepudiationId+"/settlementtransfer", o.Key, map[string]any{
		"AuthorId": p.CreditedUserId, "DebitedFunds": fundsOf(o.Amount), "Fees": fundsOf(money.New(0, o.Amount.Currency)), "Tag": p.Tag},
		&made)
	switch {
	case err != nil:
		return err
	case made.outcome() == failed:
		return fmt.Errorf("repay dispute %s: result %s: %w", d.Id, made.ResultCode, provider.ErrRefused)
	case made.outcome() != succeeded:
		return translate("repay dispute "+d.Id, errBody)
	}
	return nil
}
