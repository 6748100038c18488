package refunds

import (
	"cmp"
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/anomalies"
	"talkoot.fi/payments/internal/ledger"
	"talkoot.fi/payments/internal/provider"
)

// See brings the refunds of a charge to what the provider says, each forward only. One that was made elsewhere (by hand,
// in the provider's own pages) is taken in. It reports the failures that are news.
func See(ctx context.Context, tx *gorm.DB, src Source, seen []provider.Refund, now time.Time) (failed []Refund, err error) {
	if len(seen) == 0 {
		return nil, nil
	}
	// Ours first: one that was made elsewhere may stand in the place of one of ours, but not of one that was made too.
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

// match finds our row of a refund, or takes it in.
func match(ctx context.Context, tx *gorm.DB, rows []Refund, src Source, one provider.Refund, now time.Time) (Refund, error) {
	if i := slices.IndexFunc(rows, func(r Refund) bool { return r.ProviderRef != nil && *r.ProviderRef == one.Ref }); i >= 0 {
		return rows[i], nil
	}
	isOf := slices.IndexFunc(rows, func(r Refund) bool { return r.ID == one.ID })
	if isOf >= 0 && rows[isOf].ProviderRef == nil {
		return standIn(rows, rows[isOf]), nil
	}
	r := Refund{
		ID: ids.New(), PaymentID: src.PaymentID, AttemptID: src.AttemptID, Provider: src.Provider, AmountMinor: one.Amount.Minor,
		Currency: one.Amount.Currency, Reason: Requested, Status: Creating, Try: 1, CreatedAt: now,
	}
	if isOf >= 0 { // another object has the row's name, and stands for the row
		r.Status, r.FailureCode, r.MadeTwice = Canceled, madeTwice, true
	}
	return r, insert(ctx, tx, r, "", "made at the provider", now)
}

// standIn is the row for what the provider made of one that we took for refused: the row itself, or, when it was repeated
// and the last that took its place has not been made, that one.
func standIn(rows []Refund, r Refund) Refund {
	last := r
	for last.Status == Repeated {
		i := slices.IndexFunc(rows, func(n Refund) bool { return n.Repeats != nil && *n.Repeats == last.ID })
		if i < 0 {
			return r
		}
		last = rows[i]
	}
	if last.ProviderRef == nil && last.AmountMinor == r.AmountMinor && (last.Status == Creating || last.Status == Failed) {
		return last
	}
	return r
}

// isOver reports whether the provider's word changes nothing any more. What a call of ours was refused, while an earlier
// one had made it, is not over.
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
	wasTrouble := r.Failures >= alarmAfter || r.Status == Failed || now.Sub(r.CreatedAt) > slowAfter
	if r.Failures >= alarmAfter {
		if err := anomalies.Mend(ctx, tx, anomalies.RefundStuck, r.Provider, r.ID, "the provider took it", now); err != nil {
			return err
		}
	}
	isNews := r.ProviderRef == nil
	r.ProviderRef, r.Failures = &one.Ref, 0
	// One that was made in the provider's own pages, and had failed before we heard of it, stands for nothing.
	isVoid := false
	if one.Taken {
		isNew, err := take(ctx, tx, src, r, one, now)
		if err != nil {
			return err
		}
		isVoid = isNew && isOver(one)
	} else if isNews && one.ID == "" && one.State == provider.RefundPending { // made elsewhere, and not taken yet: it is promised
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
			r.Owed = true
			if isVoid {
				return withdraw(ctx, tx, src, r, one.FailureCode, now)
			}
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

// seeTwice books a refund that the provider made although the backer had the money another way: a call that we took for
// refused had an effect all the same. It is our loss and no campaign's, and calls a person; what comes back of it is ours.
func seeTwice(ctx context.Context, tx *gorm.DB, src Source, r *Refund, one provider.Refund, now time.Time) error {
	r.ProviderRef, r.MadeTwice = &one.Ref, true
	taken, err := ledger.TransactionOf(ctx, tx, src.Provider, ledger.Refund, one.Ref)
	if err != nil {
		return err
	}
	if one.Taken && taken == nil {
		if err := promise(ctx, tx, src, r, r.AmountMinor, ledger.Loss, now); err != nil {
			return err
		}
		if err := post(ctx, tx, src, ledger.Refund, *r, one.Ref, one.Happened, now); err != nil {
			return err
		}
		if err := callTwice(ctx, tx, *r, r.AmountMinor, "the provider made it too, after it was "+string(r.Status), now); err != nil {
			return err
		}
	}
	if one.Returned == nil {
		next := now.Add(longestPending)
		if one.State == provider.RefundSucceeded {
			return save(ctx, tx, *r, nil, now)
		}
		return save(ctx, tx, *r, &next, now)
	}
	back, err := ledger.TransactionOf(ctx, tx, src.Provider, ledger.RefundFailed, one.Ref)
	if err != nil || back != nil {
		return err
	}
	if err := post(ctx, tx, src, ledger.RefundFailed, *r, one.Ref, *one.Returned, now); err != nil {
		return err
	}
	if err := unpromise(ctx, tx, src, *r, now); err != nil {
		return err
	}
	if err := anomalies.Mend(ctx, tx, anomalies.RefundFailed, r.Provider, r.ID, "what was made twice came back", now); err != nil {
		return err
	}
	return save(ctx, tx, *r, nil, now)
}

// isOver reports whether a refund was made elsewhere and has come back.
func isOver(one provider.Refund) bool {
	return one.ID == "" && one.State == provider.RefundFailed && one.Returned != nil
}

// withdraw ends a refund that somebody made in the provider's own pages and that had failed when we first heard of it: nobody
// was promised it by us, and who made it sees there what became of it. Its money goes where it was taken from.
func withdraw(ctx context.Context, tx *gorm.DB, src Source, r *Refund, code string, now time.Time) error {
	if err := unpromise(ctx, tx, src, *r, now); err != nil {
		return err
	}
	r.Status, r.Owed, r.FailureCode = Canceled, false, code
	return save(ctx, tx, *r, nil, now)
}

// unpromise takes the last promise of a refund back to where it came from.
func unpromise(ctx context.Context, tx *gorm.DB, src Source, r Refund, now time.Time) error {
	begun, err := ledger.TransactionOf(ctx, tx, src.Provider, ledger.RefundBegun, bookingRef(r))
	if err != nil || begun == nil {
		return err
	}
	amount, err := ledger.AmountOf(ctx, tx, *begun)
	if err != nil {
		return err
	}
	_, err = ledger.Post(ctx, tx, ledger.Movement{
		Kind: ledger.RefundWithdrawn, Provider: src.Provider, Reference: bookingRef(r), Of: &src.Money, Amount: amount,
		Opening: begun, Reason: string(ledger.RefundBegun), Happened: now, Booked: now,
	})
	return err
}

// take books that the provider took the sum from our balance, and reports whether that is news; told again it changes nothing.
func take(ctx context.Context, tx *gorm.DB, src Source, r *Refund, one provider.Refund, now time.Time) (bool, error) {
	posted, err := ledger.TransactionOf(ctx, tx, src.Provider, ledger.Refund, one.Ref)
	if err != nil || posted != nil {
		return false, err
	}
	if !r.Owed { // made elsewhere, or while we thought that a dispute had taken its place
		if err := bookTaken(ctx, tx, src, r, !isOver(one), now); err != nil {
			return false, err
		}
	}
	if err := post(ctx, tx, src, ledger.Refund, *r, one.Ref, one.Happened, now); err != nil {
		return false, err
	}
	r.Owed = false
	return true, nil
}

// bookTaken promises the sum of a refund that the provider has taken, whatever is left of the charge. When the backer waits
// for more than there is, it was made in the place of refunds of ours, if it counts.
func bookTaken(ctx context.Context, tx *gorm.DB, src Source, r *Refund, counts bool, now time.Time) error {
	p, err := src.Position(ctx, tx, src.Provider, r.Currency)
	if err != nil {
		return err
	}
	if counts {
		rows, err := OfAttempt(ctx, tx, src.AttemptID)
		if err != nil {
			return err
		}
		missing := max(-spare(p, rows, src.Counts)-p.Held, 0)
		rows = slices.DeleteFunc(rows, func(o Refund) bool { return o.ID == r.ID })
		over := overtaking{code: madeElsewhere, why: "it was made in the provider's own pages"}
		// A failed one of the same sum is what it was made for, however much is left.
		if i := slices.IndexFunc(rows, func(o Refund) bool { return o.Status == Failed && o.AmountMinor == r.AmountMinor }); i >= 0 {
			if _, err := over.take(ctx, tx, rows[i:i+1], r.AmountMinor, now); err != nil {
				return err
			}
			missing, rows = max(missing-r.AmountMinor, 0), slices.Delete(rows, i, i+1)
		}
		if _, err := over.take(ctx, tx, rows, missing, now); err != nil {
			return err
		}
	}
	free, err := unclaimed(ctx, tx, src, p)
	if err != nil {
		return err
	}
	free = min(free, r.AmountMinor)
	if lost := r.AmountMinor - free - p.Funds - p.Held - p.Disputed; lost > 0 {
		if err := callTwice(ctx, tx, *r, lost, "more went back than was left of the charge", now); err != nil {
			return err
		}
	}
	return book(ctx, tx, src, r, free, now)
}

// callTwice calls a person: the backer has money twice, at our loss.
func callTwice(ctx context.Context, tx *gorm.DB, r Refund, minor int64, detail string, now time.Time) error {
	_, err := anomalies.Open(ctx, tx, anomalies.Anomaly{
		Kind: anomalies.RefundFailed, Provider: r.Provider, Reference: r.ID, PaymentID: &r.PaymentID,
		Detail: map[string]string{"code": madeTwice, "detail": detail, "amount": money.New(minor, r.Currency).String()},
	}, now)
	return err
}

func post(ctx context.Context, tx *gorm.DB, src Source, kind ledger.Kind, r Refund, reference string, happened, now time.Time) error {
	_, err := ledger.Post(ctx, tx, ledger.Movement{
		Kind: kind, Provider: src.Provider, Reference: reference, Of: &src.Money, Amount: r.Amount(), Happened: happened, Booked: now,
	})
	return err
}

// Fail ends a refund that did not work and calls a person: the backer still waits for the money.
func Fail(ctx context.Context, tx *gorm.DB, r *Refund, code, detail string, now time.Time) error {
	r.Status, r.FailureCode = Failed, code
	if err := anomalies.Mend(ctx, tx, anomalies.RefundStuck, r.Provider, r.ID, "it has failed", now); err != nil {
		return err
	}
	_, err := anomalies.Open(ctx, tx, anomalies.Anomaly{
		Kind: anomalies.RefundFailed, Provider: r.Provider, Reference: r.ID, PaymentID: &r.PaymentID,
		Detail: map[string]string{"code": code, "detail": detail, "reason": string(r.Reason), "amount": r.Amount().String()},
	}, now)
	if err != nil {
		return err
	}
	return save(ctx, tx, *r, nil, now)
}
