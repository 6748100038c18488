package refunds

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// See updates the refunds of a charge from what the provider says; none goes back to an earlier status. One that was
// made elsewhere (by hand, in the provider's own pages) gets a row. It returns those that have failed since. Error:
// ledger.ErrDiffers when one is of another sum than its row.
func See(ctx context.Context, tx *gorm.DB, src Source, seen []provider.Refund, now time.Time) (
	failed []Refund, err error) {
	if len(seen) == 0 {
		return nil, nil
	}
	// Ours first: a refund that was made elsewhere may replace one of ours, but not one that the provider has made as
	// well.
	seen = slices.Clone(seen)
	slices.SortStableFunc(seen, func(a, b provider.Refund) int { return cmp.Compare(len(b.ID), len(a.ID)) })
	for _, one := range seen {
		rows, err := OfAttempt(ctx, tx, src.AttemptID)
		if err != nil {
			return nil, err
		}
		r, err := match(ctx, tx, rows, src, one, now)
		if err != nil {
			return nil, err
		}
		if one.Amount != r.Amount {
			return nil, fmt.Errorf("refund %s (%s) of %s, begun as %s: %w", r.ID, one.Ref, one.Amount, r.Amount,
				ledger.ErrDiffers)
		}
		before := r.Status
		if err := see(ctx, tx, src, &r, one, now); err != nil {
			return nil, err
		}
		if r.Status == Failed && before != Failed {
			failed = append(failed, r)
		}
	}
	return failed, nil
}

// match finds our row of a refund, or writes one.
func match(ctx context.Context, tx *gorm.DB, rows []Refund, src Source, one provider.Refund, now time.Time) (
	Refund, error) {
	if i := slices.IndexFunc(rows, func(r Refund) bool {
		return r.ProviderRef != nil && *r.ProviderRef == one.Ref
	}); i >= 0 {
		return rows[i], nil
	}
	isOf := slices.IndexFunc(rows, func(r Refund) bool { return r.ID == one.ID })
	if isOf >= 0 && rows[isOf].ProviderRef == nil {
		return standIn(rows, rows[isOf]), nil
	}
	r := Refund{
		ID: ids.New(), PaymentID: src.PaymentID, AttemptID: src.AttemptID, Provider: src.Provider, Amount: one.Amount,
		Reason: Requested, Status: Creating, Try: 1, CreatedAt: now,
	}
	if isOf >= 0 { // another object has the row's name, and stands for the row
		r.Status, r.FailureCode, r.MadeTwice = Canceled, madeTwice, true
	}
	return r, insert(ctx, tx, r, "", "made at the provider", now)
}

// standIn is the row for a refund that the provider has made although we had recorded it as refused: the row itself,
// or, when it was repeated and the last repetition has not been made, that one.
func standIn(rows []Refund, r Refund) Refund {
	last := r
	for last.Status == Repeated {
		i := slices.IndexFunc(rows, func(n Refund) bool { return n.Repeats != nil && *n.Repeats == last.ID })
		if i < 0 {
			return r
		}
		last = rows[i]
	}
	if last.ProviderRef == nil && last.Amount.Minor == r.Amount.Minor && (last.Status == Creating ||
		last.Status == Failed) {
		return last
	}
	return r
}

// isOver reports whether nothing that the provider says of a refund changes its row any more. One that we recorded as
// refused, but that an earlier call had made, is not over.
func (r Refund) isOver(one provider.Refund) bool {
	switch r.Status {
	case Failed, Repeated, Canceled, ByHand:
		return r.ProviderRef != nil && !r.MadeTwice
	case Succeeded:
		return one.State != provider.RefundFailed
	case Creating, Pending:
	}
	return false
}

// see moves one refund forward: creating → pending → succeeded, and from each to failed.
func see(ctx context.Context, tx *gorm.DB, src Source, r *Refund, one provider.Refund, now time.Time) error {
	if r.isOver(one) {
		return nil
	}
	if r.MadeTwice || r.Status == ByHand || r.Status == Repeated {
		return seeTwice(ctx, tx, src, r, one, now)
	}
	wasTrouble := r.Status == Failed || now.Sub(r.CreatedAt) > slowAfter
	if r.Failures >= alarmAfter {
		if err := anomalies.Mend(ctx, tx, anomalies.RefundStuck, r.Provider, r.ID, "the provider took it", now); err != nil {
			return err
		}
	}
	isNews := r.ProviderRef == nil
	r.ProviderRef, r.Failures = &one.Ref, 0
	// One that was made in the provider's own pages, and had failed before we heard of it, changes nothing.
	isVoid := false
	if one.Taken {
		isNew, err := take(ctx, tx, src, r, one, now)
		if err != nil {
			return err
		}
		isVoid = isNew && isOver(one)
	} else if isNews && one.ID == "" && one.State == provider.RefundPending {
		// made elsewhere, and not taken yet: it is promised
		if err := bookTaken(ctx, tx, src, r, true, now); err != nil {
			return err
		}
	}
	next := now.Add(min(max(now.Sub(r.CreatedAt)/2, firstRetry), longestPending))
	switch {
	case one.State == provider.RefundFailed && one.Taken && one.Returned == nil:
		r.Status = Pending // the money is not back yet: asked again until the provider says since when it is
	case one.State == provider.RefundFailed:
		if one.Taken {
			if err := post(ctx, tx, src, ledger.RefundFailed, *r, one.Ref, *one.Returned, now); err != nil {
				return err
			}
			if isVoid {
				return withdraw(ctx, tx, src, r, one.FailureCode, now)
			}
			return failTaken(ctx, tx, src, r, one, now)
		}
		return Fail(ctx, tx, r, one.FailureCode, "the provider gave the money back to us", now)
	case one.State == provider.RefundSucceeded:
		r.Status = Succeeded
		if wasTrouble {
			for _, kind := range []anomalies.Kind{anomalies.RefundStuck, anomalies.RefundFailed} {
				if err := anomalies.Mend(ctx, tx, kind, r.Provider, r.ID, "the provider took it", now); err != nil {
					return err
				}
			}
		}
		return save(ctx, tx, *r, nil, now)
	default:
		r.Status = Pending
	}
	return save(ctx, tx, *r, &next, now)
}

// Fail ends a refund that did not work and opens an anomaly: the backer still waits for the money.
func Fail(ctx context.Context, tx *gorm.DB, r *Refund, code, detail string, now time.Time) error {
	r.Status, r.FailureCode = Failed, code
	if err := anomalies.Mend(ctx, tx, anomalies.RefundStuck, r.Provider, r.ID, "it has failed", now); err != nil {
		return err
	}
	_, err := anomalies.Open(ctx, tx, anomalies.Anomaly{
		Kind: anomalies.RefundFailed, Provider: r.Provider, Reference: r.ID, PaymentID: &r.PaymentID,
		Detail: map[string]string{"code": code, "detail": detail, "reason": string(r.Reason), "amount": r.Amount.String()},
	}, now)
	if err != nil {
		return err
	}
	return save(ctx, tx, *r, nil, now)
}
