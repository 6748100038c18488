package refunds

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// What becomes of a refund that the provider had taken from our balance, and that has come back.

// isOver reports whether a refund was made elsewhere and has come back.
func isOver(one provider.Refund) bool {
	return one.ID == "" && one.State == provider.RefundFailed && one.Returned != nil
}

// withdraw ends a refund that somebody made in the provider's own pages and that had failed when we first heard of it:
// we owe nobody that sum, and who made it sees the failure there. Its money returns to the accounts it was taken from.
func withdraw(ctx context.Context, tx *gorm.DB, src Source, r *Refund, code string, now time.Time) error {
	if err := unpromise(ctx, tx, src, *r, now); err != nil {
		return err
	}
	r.Status, r.Owed, r.FailureCode = Canceled, false, code
	return save(ctx, tx, *r, nil, now)
}

// unpromise reverses the last posting that booked a refund's sum as owed.
func unpromise(ctx context.Context, tx *gorm.DB, src Source, r Refund, now time.Time) error {
	begun, err := ledger.TransactionOf(ctx, tx, src.Provider, ledger.RefundBegun, bookingRef(r))
	if err != nil || begun == nil {
		return err
	}
	amount, err := ledger.AmountOf(ctx, tx, *begun)
	if err != nil {
		return err
	}
	return reverse(ctx, tx, src, r, *begun, amount.Minor, now)
}

// reverse takes back a sum of the posting that booked a refund as owed.
func reverse(ctx context.Context, tx *gorm.DB, src Source, r Refund, begun, minor int64, now time.Time) error {
	_, err := ledger.Post(ctx, tx, ledger.Movement{
		Kind: ledger.RefundWithdrawn, Provider: src.Provider, Reference: bookingRef(r), Of: &src.Money,
		Amount:  money.New(minor, r.Amount.Currency),
		Opening: &begun, Reason: string(ledger.RefundBegun), Happened: now, Booked: now,
	})
	return err
}

// failTaken ends a refund that has come back after it had counted. It is owed still, and a person decides how to send
// it; but of one that the backer had another way (it was made in the provider's own pages, or a lost dispute had ended
// it) they were never owed what was booked as our loss: that is taken back.
func failTaken(ctx context.Context, tx *gorm.DB, src Source, r *Refund, one provider.Refund, now time.Time) error {
	const why = "the provider gave the money back to us"
	lost := int64(0)
	if one.ID == "" || r.CoveredBy != "" {
		var begun int64
		var err error
		if begun, lost, err = standingLoss(ctx, tx, src, *r); err != nil {
			return err
		}
		if lost > 0 {
			r.Bookings++
			if err := reverse(ctx, tx, src, *r, begun, lost, now); err != nil {
				return err
			}
		}
	}
	if lost == 0 {
		r.Owed = true
		return Fail(ctx, tx, r, one.FailureCode, why, now)
	}
	rest := r.Amount.Minor - lost
	r.Status, r.Owed = Canceled, false
	if r.CoveredBy == "" { // else it stays ended by that dispute, until the bank gives the money back
		r.FailureCode = one.FailureCode
	}
	if rest > 0 {
		r.Status, r.FailureCode = Repeated, madeTwice
	}
	if err := save(ctx, tx, *r, nil, now); err != nil {
		return err
	}
	if err := anomalies.Mend(ctx, tx, anomalies.RefundFailed, r.Provider, r.ID, "what had gone out twice came back",
		now); err != nil || rest == 0 {
		return err
	}
	return remain(ctx, tx, src, *r, rest, Failed, now)
}

// standingLoss is what is booked of a refund as our loss, in minor units, and the posting that booked it. A part may
// have been taken back.
func standingLoss(ctx context.Context, tx *gorm.DB, src Source, r Refund) (begun, minor int64, err error) {
	for n := 1; n <= r.Bookings; n++ {
		for _, kind := range []ledger.Kind{ledger.RefundBegun, ledger.RefundWithdrawn} {
			posted, err := ledger.TransactionOf(ctx, tx, src.Provider, kind, fmt.Sprintf("%s:%d", r.ID, n))
			if err != nil {
				return 0, 0, err
			}
			if posted == nil {
				continue
			}
			lost, err := ledger.LossOf(ctx, tx, *posted)
			if err != nil {
				return 0, 0, err
			}
			if lost > 0 {
				begun = *posted
			}
			minor += lost
		}
	}
	return begun, minor, nil
}

// coverLosses takes back the losses of refunds that the provider had made although a lost dispute had ended them: the
// bank has returned the charge's money, which pays for them as it would have without the dispute.
func coverLosses(ctx context.Context, tx *gorm.DB, src Source, now time.Time) error {
	rows, err := OfAttempt(ctx, tx, src.AttemptID)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.CoveredBy == "" || r.Status != Pending && r.Status != Succeeded {
			continue
		}
		begun, lost, err := standingLoss(ctx, tx, src, r)
		if err != nil {
			return err
		}
		p, err := src.Position(ctx, tx, src.Provider, src.Amount.Currency)
		if err != nil {
			return err
		}
		free, err := unclaimed(ctx, tx, src, p)
		if err != nil {
			return err
		}
		covered := min(lost, free+p.Funds+p.Settled())
		if covered <= 0 {
			continue
		}
		if fromFunds := covered - free; fromFunds > 0 {
			if err := promise(ctx, tx, src, &r, fromFunds, "", now); err != nil {
				return err
			}
		} else {
			r.Bookings++
		}
		if err := reverse(ctx, tx, src, r, begun, covered, now); err != nil {
			return err
		}
		var next *time.Time
		if r.Status == Pending {
			later := now.Add(longestPending)
			next = &later
		}
		if err := save(ctx, tx, r, next, now); err != nil {
			return err
		}
		if covered == lost {
			if err := anomalies.Mend(ctx, tx, anomalies.RefundFailed, r.Provider, r.ID,
				"the bank has returned the money that paid it", now); err != nil {
				return err
			}
		}
	}
	return nil
}
