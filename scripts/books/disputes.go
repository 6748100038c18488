package books

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// dispute is the provider's object, as far as the audit reads it.
type dispute struct {
	ID                  string `json:"id"`
	PaymentIntent       string `json:"payment_intent"`
	Status              string `json:"status"`
	BalanceTransactions []struct {
		Amount int64 `json:"amount"`
		Fee    int64 `json:"fee"`
	} `json:"balance_transactions"`
}

// withdrawn is what it has taken from our balance and not given back.
func (d dispute) withdrawn() (sum int64) {
	for _, t := range d.BalanceTransactions {
		sum -= t.Amount
	}
	return sum
}

func (d dispute) fee() (sum int64) {
	for _, t := range d.BalanceTransactions {
		sum += t.Fee
	}
	return sum
}

// standing is its status in our words.
func (d dispute) standing() string {
	switch d.Status {
	case "warning_needs_response", "warning_under_review":
		return "inquiry"
	case "needs_response", "under_review":
		return "open"
	case "won", "lost":
		return d.Status
	}
	return "closed"
}

// compareDisputes holds each dispute at the provider against ours.
func (r *Report) compareDisputes(ctx context.Context, payments *pgx.Conn, theirs []dispute) error {
	type row struct {
		ID, Status     string
		Withdrawn, Fee int64
	}
	rows, err := payments.Query(ctx, `SELECT provider_id, status, withdrawn_minor, fee_minor FROM disputes`)
	if err != nil {
		return fmt.Errorf("list disputes: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
	if err != nil {
		return fmt.Errorf("list disputes: %w", err)
	}
	r.Checks++
	const name = "the provider's disputes are ours"
	ours := make(map[string]row, len(list))
	for _, d := range list {
		ours[d.ID] = d
	}
	for _, d := range theirs {
		want := row{d.ID, d.standing(), d.withdrawn(), d.fee()}
		if got, known := ours[d.ID]; !known {
			r.add(name, "dispute %s is not known", d.ID)
		} else if got != want {
			r.add(name, "dispute %s is %s (%d taken, %d paid), at the provider %s (%d taken, %d paid)",
				d.ID, got.Status, got.Withdrawn, got.Fee, want.Status, want.Withdrawn, want.Fee)
		}
		delete(ours, d.ID)
	}
	for id := range ours {
		r.add(name, "dispute %s is not at the provider", id)
	}
	return nil
}
