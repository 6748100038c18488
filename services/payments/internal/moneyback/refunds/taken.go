package refunds

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// What the provider has taken from our balance for a refund, whoever asked for it.

// seeTwice books a refund that the provider made although the backer had the money another way: a call that we had
// recorded as refused had an effect all the same. It is our loss, not the campaign's, and opens an anomaly; what comes
// back of it is ours.
func seeTwice(ctx context.Context, tx *gorm.DB, src Source, r *Refund, one provider.Refund, now time.Time) error {
	r.ProviderRef, r.MadeTwice = &one.Ref, true
	taken, err := ledger.TransactionOf(ctx, tx, src.Provider, ledger.Refund, one.Ref)
	if err != nil {
		return err
	}
	if one.Taken && taken == nil {
		if err := promise(ctx, tx, src, r, r.Amount.Minor, ledger.Loss, now); err != nil {
			return err
		}
		if err := post(ctx, tx, src, ledger.Refund, *r, one.Ref, one.Happened, now); err != nil {
			return err
		}
		if err := callTwice(ctx, tx, *r, r.Amount.Minor, "the provider made it too, after it was "+string(r.Status),
			now); err != nil {
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
	if err := anomalies.Mend(ctx, tx, anomalies.RefundFailed, r.Provider, r.ID, "what was made twice came back",
		now); err != nil {
		return err
	}
	return save(ctx, tx, *r, nil, now)
}

// take books that the provider took the sum from our balance, and reports whether that is news; told again it changes
// nothing.
func take(ctx context.Context, tx *gorm.DB, src Source, r *Refund, one provider.Refund, now time.Time) (bool, error) {
	posted, err := ledger.TransactionOf(ctx, tx, src.Provider, ledger.Refund, one.Ref)
	if err != nil || posted != nil {
		return false, err
	}
	if !r.Owed { // made elsewhere, or by a row that a dispute had ended
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

// bookTaken books the sum of a refund that the provider has taken as owed, whatever is left of the charge. When open
// refunds want more than there is, and the charge is its payment's success, it is set off against them.
func bookTaken(ctx context.Context, tx *gorm.DB, src Source, r *Refund, counts bool, now time.Time) error {
	p, err := src.Position(ctx, tx, src.Provider, r.Amount.Currency)
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
		// It replaces a failed one of the same sum, however much is left.
		if i := slices.IndexFunc(rows, func(o Refund) bool {
			return o.Status == Failed && o.Amount.Minor == r.Amount.Minor
		}); i >= 0 {
			if _, err := over.take(ctx, tx, src, rows[i:i+1], r.Amount.Minor, now); err != nil {
				return err
			}
			missing, rows = max(missing-r.Amount.Minor, 0), slices.Delete(rows, i, i+1)
		}
		if _, err := over.take(ctx, tx, src, rows, missing, now); err != nil {
			return err
		}
	}
	if p, err = src.Position(ctx, tx, src.Provider, r.Amount.Currency); err != nil {
		return err
	}
	free, err := unclaimed(ctx, tx, src, p)
	if err != nil {
		return err
	}
	free = min(free, r.Amount.Minor)
	if lost := r.Amount.Minor - free - p.Funds - p.Held - p.Disputed; lost > 0 {
		if err := callTwice(ctx, tx, *r, lost, "more went back than was left of the charge", now); err != nil {
			return err
		}
	}
	return book(ctx, tx, src, r, free, now)
}

// callTwice opens an anomaly: the backer has money twice, at our loss.
func callTwice(ctx context.Context, tx *gorm.DB, r Refund, minor int64, detail string, now time.Time) error {
	_, err := anomalies.Open(ctx, tx, anomalies.Anomaly{
		Kind: anomalies.RefundFailed, Provider: r.Provider, Reference: r.ID, PaymentID: &r.PaymentID,
		Detail: map[string]string{"code": madeTwice, "detail": detail,
			"amount": money.New(minor, r.Amount.Currency).String()},
	}, now)
	return err
}

func post(ctx context.Context, tx *gorm.DB, src Source, kind ledger.Kind, r Refund, reference string,
	happened, now time.Time) error {
	_, err := ledger.Post(ctx, tx, ledger.Movement{
		Kind: kind, Provider: src.Provider, Reference: reference, Of: &src.Money, Amount: r.Amount, Happened: happened,
		Booked: now,
	})
	return err
}
