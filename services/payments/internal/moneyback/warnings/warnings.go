// Package warnings keeps what card networks tell of charges that a cardholder has reported as fraud.
//
// It owns the warnings: a row each, written from the provider's own object. Most such charges are disputed later, which costs a fee beside the money;
// who refunds one in time avoids that. Invariants:
//   - a warning moves no money and begins no refund: a person refunds the charge, or dismisses the warning;
//   - how one stands follows from the refunds and disputes of its charge, and from the provider's word, by one table, in whatever order they come;
//   - what has ended is never open again, but what a person has dismissed and another act of a person opens, while the charge is not paid out.
//
// Its functions work in the transaction of whoever has the payment locked.
package warnings

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/payments/internal/moneyback/disputes"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/provider"
)

// Holds is how long the money of a charge stays out of its creator's payout because of an open warning: a refund of what was paid out is a debt.
const Holds = 7 * 24 * time.Hour

// Errors of acts; test with errors.Is.
var (
	// ErrNone means that there is no such warning.
	ErrNone = errors.New("there is no such warning")
	// ErrOwnMoney means that the operator has paid the charge, or is paid by it: somebody else decides about it.
	ErrOwnMoney = errors.New("whose money it is does not decide about it")
	// ErrEnded means that the warning is not open any more.
	ErrEnded = errors.New("the warning is not open any more")
	// ErrPaidOut means that what a dismissal has let go has left for its creator.
	ErrPaidOut = errors.New("the charge has been paid out")
)

// Status is how a warning stands; the migration says what each means.
type Status string

// The states of a warning.
const (
	Open      Status = "open"
	Refunded  Status = "refunded"
	Disputed  Status = "disputed"
	Dismissed Status = "dismissed"
	Lapsed    Status = "lapsed"
)

// next is where a warning may go from a state; "" is before we have heard of it. A bank may dispute what was refunded, too.
func (s Status) next() []Status {
	switch s {
	case "":
		return []Status{Open, Refunded, Disputed, Lapsed}
	case Open:
		return []Status{Refunded, Disputed, Dismissed, Lapsed}
	case Dismissed, Lapsed:
		return []Status{Refunded, Disputed}
	case Refunded:
		return []Status{Disputed}
	case Disputed:
	}
	return nil
}

// facts are what a warning's state follows from.
type facts struct {
	isDisputed, isRefunded bool // its charge, wholly
	isAsked                bool // a bank asks about its charge and has taken nothing: a refund still avoids the dispute
	isOver                 bool // the provider's word: a refund avoids nothing any more
}

// after is the state that follows from what is known of the charge.
func (s Status) after(f facts) Status {
	to := Open
	switch {
	case f.isDisputed:
		to = Disputed
	case f.isRefunded:
		to = Refunded
	case f.isOver && !f.isAsked:
		to = Lapsed
	}
	if slices.Contains(s.next(), to) {
		return to
	}
	return s
}

// Warning is one row.
type Warning struct {
	ID          int64
	PaymentID   string
	AttemptID   int64
	Provider    string
	ProviderRef string
	Status      Status
	Reason      string
	OpenedAt    time.Time
}

func read(ctx context.Context, db *gorm.DB, where string, args ...any) ([]Warning, error) {
	var list []Warning
	err := db.WithContext(ctx).Raw(`SELECT id, payment_id, attempt_id, provider, provider_ref, status, reason, opened_at FROM fraud_warnings `+where, args...).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read warnings: %w", err)
	}
	return list, nil
}

// ByID reads one. Error: ErrNone.
func ByID(ctx context.Context, db *gorm.DB, id int64) (Warning, error) {
	list, err := read(ctx, db, `WHERE id = ?`, id)
	if err == nil && len(list) == 0 {
		err = ErrNone
	}
	if err != nil {
		return Warning{}, err
	}
	return list[0], nil
}

// Statuses tells how our rows of a provider's warnings stand; one that none of them names is left out.
func Statuses(ctx context.Context, db *gorm.DB, provider string, refs []string) (map[string]Status, error) {
	out := map[string]Status{}
	if len(refs) == 0 {
		return out, nil
	}
	list, err := read(ctx, db, `WHERE provider = ? AND provider_ref IN ?`, provider, refs)
	for _, w := range list {
		out[w.ProviderRef] = w.Status
	}
	return out, err
}

// Unsettled lists the payments that have an open warning at a provider.
func Unsettled(ctx context.Context, db *gorm.DB, provider string) ([]string, error) {
	var ids []string
	err := db.WithContext(ctx).Raw(`SELECT DISTINCT payment_id FROM fraud_warnings WHERE status = 'open' AND provider = ? ORDER BY 1`, provider).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("find open warnings: %w", err)
	}
	return ids, nil
}

// See takes in the warnings of a charge that the provider has told of, none when it was not asked, and brings all that are known to what follows from the
// refunds and disputes of the charge as they are now. It gives those that we had not heard of.
func See(ctx context.Context, tx *gorm.DB, src refunds.Source, told []provider.Warning, now time.Time) (fresh []provider.Warning, err error) {
	known, err := read(ctx, tx, `WHERE attempt_id = ? ORDER BY id`, src.AttemptID)
	if err != nil || len(known)+len(told) == 0 {
		return nil, err
	}
	f, err := factsOf(ctx, tx, src)
	if err != nil {
		return nil, err
	}
	for _, one := range told {
		if slices.ContainsFunc(known, func(w Warning) bool { return w.ProviderRef == one.Ref }) {
			continue
		}
		f.isOver = !one.IsActionable
		if err := insert(ctx, tx, src, one, Status("").after(f), now); err != nil {
			return nil, err
		}
		fresh = append(fresh, one)
	}
	for _, w := range known {
		i := slices.IndexFunc(told, func(one provider.Warning) bool { return one.Ref == w.ProviderRef })
		f.isOver = i >= 0 && !told[i].IsActionable
		if to := w.Status.after(f); to != w.Status {
			if err := end(ctx, tx, w.ID, to, now); err != nil {
				return nil, err
			}
		}
	}
	return fresh, nil
}

// factsOf reads how a charge stands. A refund that has failed is its own matter: it is sent again, or a person pays it.
func factsOf(ctx context.Context, tx *gorm.DB, src refunds.Source) (f facts, err error) {
	if f.isDisputed, f.isAsked, err = disputes.Were(ctx, tx, src.AttemptID); err != nil {
		return f, err
	}
	rows, err := refunds.OfAttempt(ctx, tx, src.AttemptID)
	if err != nil {
		return f, err
	}
	back := int64(0)
	for _, r := range rows {
		if r.Status != refunds.Canceled && r.Status != refunds.Repeated {
			back += r.Amount.Minor
		}
	}
	f.isRefunded = back > 0 && back >= src.Amount.Minor
	return f, nil
}

func insert(ctx context.Context, tx *gorm.DB, src refunds.Source, one provider.Warning, status Status, now time.Time) error {
	var ended *time.Time
	if status != Open {
		ended = &now
	}
	err := tx.WithContext(ctx).Exec(`INSERT INTO fraud_warnings (payment_id, attempt_id, provider, provider_ref, status, reason, opened_at, ended_at, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, src.PaymentID, src.AttemptID, src.Provider, one.Ref, status, one.Reason, one.Opened, ended, now).Error
	if err != nil {
		return fmt.Errorf("take in warning %s: %w", one.Ref, err)
	}
	return nil
}

func end(ctx context.Context, tx *gorm.DB, id int64, to Status, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`UPDATE fraud_warnings SET status = ?, ended_at = coalesce(ended_at, ?) WHERE id = ?`, to, now, id).Error
	if err != nil {
		return fmt.Errorf("end warning %d: %w", id, err)
	}
	return nil
}

// Dismiss ends a warning at a person's word, and reports whether that is news. Error: ErrEnded.
func Dismiss(ctx context.Context, tx *gorm.DB, w Warning, now time.Time) (bool, error) {
	switch w.Status {
	case Dismissed:
		return false, nil
	case Open:
		return true, end(ctx, tx, w.ID, Dismissed, now)
	case Refunded, Disputed, Lapsed:
	}
	return false, ErrEnded
}

// Reopen opens a warning that a person has dismissed, and reports whether that is news: until the charge is on its way to its creator. Errors: ErrEnded,
// ErrPaidOut.
func Reopen(ctx context.Context, tx *gorm.DB, w Warning) (bool, error) {
	switch w.Status {
	case Open:
		return false, nil
	case Dismissed:
	case Refunded, Disputed, Lapsed:
		return false, ErrEnded
	}
	hasLeft, err := HasLeft(ctx, tx, w.AttemptID)
	if err == nil && hasLeft {
		err = ErrPaidOut
	}
	if err != nil {
		return false, err
	}
	if err := tx.WithContext(ctx).Exec(`UPDATE fraud_warnings SET status = 'open', ended_at = NULL WHERE id = ?`, w.ID).Error; err != nil {
		return false, fmt.Errorf("open warning %d again: %w", w.ID, err)
	}
	return true, nil
}

// HasLeft reports whether the money of a charge is on its way to its creator, or there.
func HasLeft(ctx context.Context, db *gorm.DB, attemptID int64) (has bool, err error) {
	err = db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM attempts a JOIN settlement_lines l ON l.charge_ref = a.charge_ref AND l.booked_at IS NOT NULL
		JOIN settlement_runs r ON r.id = l.run_id AND r.version = l.version AND r.provider = a.provider
		WHERE a.id = ? AND a.charge_ref <> '' AND r.state IN ('sending', 'sent', 'paying', 'paid'))`, attemptID).Scan(&has).Error
	if err != nil {
		return false, fmt.Errorf("ask whether a charge was paid out: %w", err)
	}
	return has, nil
}

// NotTheirs keeps an operator from deciding about a charge that they have paid with their account, or whose campaign's money is theirs, or will be once they
// have an account at the provider. Error: ErrOwnMoney.
func NotTheirs(ctx context.Context, db *gorm.DB, paymentID, actor string) error {
	isTheirs := false
	err := db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM operators o JOIN payments p ON p.id = @payment WHERE lower(btrim(o.name)) = lower(btrim(@actor))
		AND (o.user_id = p.backer_user_id OR o.user_id = p.payee_user_id OR EXISTS (SELECT FROM campaign_accounts a JOIN payees c ON c.provider = a.provider AND c.ref = a.account_ref
			WHERE a.campaign_id = p.campaign_id AND a.account_ref <> '' AND c.user_id = o.user_id)))`,
		map[string]any{"payment": paymentID, "actor": actor}).Scan(&isTheirs).Error
	if err != nil {
		return fmt.Errorf("ask whether payment %s is an operator's own money: %w", paymentID, err)
	}
	if isTheirs {
		return ErrOwnMoney
	}
	return nil
}
