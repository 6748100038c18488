// Package disputes books what backers' banks do to a charge.
//
// It owns the disputes: a row each, written from the provider's own object. Invariants:
//   - the newest look at a dispute decides its status; an older one only books movements of money that were not known;
//   - each movement of its money is posted once, by the provider's id of the movement;
//   - while a bank has the money, the money is on hold, and the disputed part can be neither settled nor refunded;
//   - a loss clears the hold; when a lost dispute is reopened or won on appeal, the loss is reversed first;
//   - a debit that came back for good is taken at once, without a hold;
//   - what a bank keeps that it took from elsewhere than the charge's place is moved there, as far as it is backers' money;
//   - evidence goes to a bank once each time that it asks, as a person has written it: what was not answered is sent again as it was;
//   - refunds of the charge that wait are withdrawn before a dispute is booked, and resumed or ended after its
//     decision.
//
// Its functions work in the transaction of whoever has the payment locked.
package disputes

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
)

// Status is how far a dispute is; the migration says what each means.
type Status string

// The states of a dispute.
const (
	Inquiry Status = "inquiry"
	Open    Status = "open"
	Won     Status = "won"
	Lost    Status = "lost"
	Closed  Status = "closed"
	// Returned: a direct debit that came back for good.
	Returned Status = "returned"
)

// next is where a dispute may go from a state; "" is before we have heard of it. A decision may be appealed by either
// side, or the bank may begin anew; a dispute never becomes a mere inquiry again.
func (s Status) next() []Status {
	switch s {
	case "":
		return []Status{Inquiry, Open, Won, Lost, Closed, Returned}
	case Inquiry:
		return []Status{Open, Won, Lost, Closed, Returned}
	case Open:
		return []Status{Won, Lost, Closed}
	case Won:
		return []Status{Open, Lost}
	case Lost:
		return []Status{Open, Won, Closed}
	case Closed:
		return []Status{Open, Won, Lost}
	case Returned:
	}
	return nil
}

func (s Status) mayBecome(to Status) bool { return slices.Contains(s.next(), to) }

// takesMoney reports whether the bank has the money, for now or for good.
func (s Status) takesMoney() bool { return s == Open || s.keepsMoney() }

// keepsMoney reports whether the bank has it for good.
func (s Status) keepsMoney() bool { return s == Lost || s == Returned }

// statusOf is our status for the provider's state of a dispute.
func statusOf(s provider.DisputeState) Status { return Status(s) }

// Dispute is one row.
type Dispute struct {
	ID             int64
	PaymentID      string
	AttemptID      int64
	Provider       string
	ProviderRef    string
	Status         Status
	Amount         money.Amount `gorm:"embedded"` // what the bank asks for
	WithdrawnMinor int64
	FeeMinor       int64
	Losses         int   // how often a loss was posted; all but the last were taken back
	Look           int64 // number of the newest look that decided the status
	DecidedAt      *time.Time
	// What is to be moved to where the bank took its money from, what has been, and how often that was refused.
	RepayMinor    int64
	RepaidMinor   int64
	RepayRefusals int
}

// isLost reports whether the bank keeps money of ours by its decision: exactly then a loss is posted and stands.
func (d Dispute) isLost() bool { return d.Status == Lost && d.WithdrawnMinor > 0 }

func (d Dispute) lossRef() string { return fmt.Sprintf("%s:%d", d.ProviderRef, d.Losses) }

// isSettled reports whether nothing more is expected: it is decided, and what we won is back.
func (d Dispute) isSettled() bool {
	return d.isLost() || d.Status == Returned && d.WithdrawnMinor > 0 || (d.Status == Won || d.Status == Closed) && d.WithdrawnMinor <= 0
}

const columns = `id, payment_id, attempt_id, provider, provider_ref, status, amount_minor AS minor, currency, withdrawn_minor, fee_minor, losses, look, decided_at, repay_minor, repaid_minor, repay_refusals`

func read(ctx context.Context, db *gorm.DB, where string, args ...any) ([]Dispute, error) {
	var list []Dispute
	if err := db.WithContext(ctx).Raw(`SELECT `+columns+` FROM disputes `+where, args...).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("read disputes: %w", err)
	}
	return list, nil
}

// TakesMoney reports whether a bank has the money of a charge, for now or for good.
func TakesMoney(ctx context.Context, db *gorm.DB, attemptID int64) (bool, error) {
	list, err := read(ctx, db, `WHERE attempt_id = ?`, attemptID)
	return slices.ContainsFunc(list, func(d Dispute) bool { return d.Status.takesMoney() }), err
}

// Were reports whether a bank has taken the money of a charge, whatever came of it, and whether one asks about it and has taken nothing yet.
func Were(ctx context.Context, db *gorm.DB, attemptID int64) (isTaken, isAsked bool, err error) {
	list, err := read(ctx, db, `WHERE attempt_id = ?`, attemptID)
	for _, d := range list {
		isAsked = isAsked || d.Status == Inquiry
		isTaken = isTaken || d.Status != Inquiry && d.Status != Closed
	}
	return isTaken, isAsked, err
}

// IsUndecided reports whether a bank has the money of a charge and has not decided yet.
func IsUndecided(ctx context.Context, db *gorm.DB, attemptID int64) (bool, error) {
	list, err := read(ctx, db, `WHERE attempt_id = ?`, attemptID)
	return slices.ContainsFunc(list, func(d Dispute) bool { return d.Status == Open }), err
}

// DecidedOf gives those of some payments whose money banks keep by their decisions, while none of them is still deciding about it.
func DecidedOf(ctx context.Context, db *gorm.DB, paymentIDs []string) ([]string, error) {
	list := []string{}
	err := db.WithContext(ctx).Raw(`SELECT payment_id FROM disputes WHERE payment_id = ANY(?) GROUP BY payment_id
		HAVING bool_or(status IN ?) AND NOT bool_or(status = ?) ORDER BY payment_id`, dbx.TextArray(paymentIDs), []Status{Lost, Returned}, Open).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read of which payments disputes are decided: %w", err)
	}
	return list, nil
}

// Statuses tells how our rows of a provider's disputes stand; one that none of them names is left out.
func Statuses(ctx context.Context, db *gorm.DB, provider string, refs []string) (map[string]Status, error) {
	out := map[string]Status{}
	if len(refs) == 0 {
		return out, nil
	}
	list, err := read(ctx, db, `WHERE provider = ? AND provider_ref IN ?`, provider, refs)
	for _, d := range list {
		out[d.ProviderRef] = d.Status
	}
	return out, err
}

const (
	// firstLook is when an open dispute is asked about at first, later after half its age, at most after longestLook.
	firstLook   = time.Minute
	longestLook = 6 * time.Hour
	// slowAfter is how long after a won dispute an anomaly is opened when the money is not back.
	slowAfter = 15 * 24 * time.Hour
)

// Due leases disputes that are to be asked about. Index disputes_due serves it; rows that another worker has locked are
// passed over.
func Due(ctx context.Context, db *gorm.DB, now time.Time, limit int) ([]Dispute, error) {
	var rows []Dispute
	err := db.WithContext(ctx).Raw(`
		WITH due AS MATERIALIZED (SELECT id FROM disputes WHERE next_check_at <= @now ORDER BY next_check_at, id LIMIT @limit FOR UPDATE SKIP LOCKED)
		UPDATE disputes SET next_check_at = CAST(@now AS timestamptz)
			+ least(greatest((CAST(@now AS timestamptz) - created_at) / 2, @first * interval '1 second'), @longest * interval '1 second')
		WHERE id IN (SELECT id FROM due)
		RETURNING `+columns, map[string]any{
		"now": now, "limit": limit, "first": firstLook.Seconds(), "longest": longestLook.Seconds(),
	}).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("claim disputes: %w", err)
	}
	return rows, nil
}

// Unsettled lists the payments that have a dispute of which more is expected, due or not.
func Unsettled(ctx context.Context, db *gorm.DB, provider string) ([]string, error) {
	var ids []string
	err := db.WithContext(ctx).Raw(`SELECT DISTINCT payment_id FROM disputes WHERE next_check_at IS NOT NULL AND provider = ? ORDER BY 1`, provider).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("find disputes that are not settled: %w", err)
	}
	return ids, nil
}
