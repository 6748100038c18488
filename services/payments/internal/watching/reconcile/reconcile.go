// Package reconcile compares what we have with the providers' own lists, and finds what webhooks lost.
//
// Two passes: Recent walks the payments, refunds and disputes of the last hours and lets package payments take up every
// one that stands differently there; Ledger walks each line of our balance at the provider over days, takes up what a
// line tells that the book has not, books what is no backer's money (payouts to our bank, top-ups), and compares every
// sum. What differs then is an anomaly, and mended by itself when a later pass finds it equal. What another system
// moves on a shared account carries neither our tag nor our ids: it is counted apart. The passes only look at what is
// there and may run at any time, any number of times.
package reconcile

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/jobs"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/moneyback/disputes"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/moneyback/warnings"
	"talkoot.fi/payments/internal/provider"
)

// lookup is how many rows are looked up in one statement.
const lookup = 100

// Recent is the pass over what is new, every few minutes.
func Recent() jobs.Task[Pass] {
	return jobs.Define[Pass]("reconcile:recent", jobs.Options{Queue: jobs.Low, MaxRetry: jobs.NoRetry,
		Timeout: 10 * time.Minute})
}

// Ledger is the comparison of the book with the provider's balance, daily.
func Ledger() jobs.Task[Pass] {
	return jobs.Define[Pass]("reconcile:ledger", jobs.Options{Queue: jobs.Low, MaxRetry: 3, Timeout: 30 * time.Minute})
}

// Provider is what is asked of a payment provider here.
type Provider interface {
	Name() string
	provider.Statement
	MoneyOf(ctx context.Context, about provider.About, object string) (string, error)
}

// Service runs the passes.
type Service struct {
	db        *gorm.DB
	payments  *payments.Service
	providers map[string]Provider
	reversed  func(ctx context.Context, provider, transfer string) error
	now       func() time.Time // as PostgreSQL keeps it
	log       *slog.Logger
}

// Options are the parts of a Service; all are needed.
type Options struct {
	DB        *gorm.DB
	Payments  *payments.Service
	Providers map[string]Provider // by their names
	// Reversed books what was taken back of a transfer, if it is one of ours.
	Reversed func(ctx context.Context, provider, transfer string) error
	Now      func() time.Time
	Log      *slog.Logger
}

// New makes the service.
func New(o Options) *Service {
	now := func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) }
	return &Service{db: o.DB, payments: o.Payments, providers: o.Providers, reversed: o.Reversed, now: now, log: o.Log}
}

// Found is what a pass found.
type Found struct {
	Differ  int // stood differently, and was taken up or kept as an anomaly
	Foreign int // belongs to another system
}

func (f *Found) add(other Found) {
	f.Differ, f.Foreign = f.Differ+other.Differ, f.Foreign+other.Foreign
}

// inBatches walks a list and hands it on in pieces, each looked up in one statement.
func inBatches[T any](each func(fn func(T) error) error, do func(batch []T) error) error {
	var batch []T
	err := each(func(one T) error {
		if batch = append(batch, one); len(batch) < lookup {
			return nil
		}
		full := batch
		batch = nil
		return do(full)
	})
	if err != nil || len(batch) == 0 {
		return err
	}
	return do(batch)
}

// Since takes up what was made since a moment and stands differently at a provider: payments, refunds, disputes.
func (s *Service) Since(ctx context.Context, p Provider, since time.Time) (found Found, err error) {
	err = inBatches(func(fn func(provider.Snapshot) error) error { return p.EachPayment(ctx, since, fn) },
		func(batch []provider.Snapshot) error {
			n, err := s.takeUpPayments(ctx, p, batch)
			found.add(n)
			return err
		})
	if err != nil {
		return found, err
	}
	moved, err := s.moneySince(ctx, p, since)
	found.add(moved)
	return found, err
}

// moneySince takes up refunds and disputes, of payments of any age.
func (s *Service) moneySince(ctx context.Context, p Provider, since time.Time) (found Found, err error) {
	err = inBatches(func(fn func(provider.Refund) error) error { return p.EachRefund(ctx, since, fn) },
		func(batch []provider.Refund) error {
			refs := make([]string, len(batch))
			for i, r := range batch {
				refs[i] = r.Ref
			}
			ours, err := refunds.Statuses(ctx, s.db, p.Name(), refs)
			for _, r := range batch {
				if err == nil && !refundAgrees(r.State, ours[r.Ref]) {
					n, err := s.takeUpRefund(ctx, p, r)
					if found.add(n); err != nil {
						return err
					}
				}
			}
			return err
		})
	if err != nil {
		return found, err
	}
	err = inBatches(func(fn func(provider.Dispute) error) error { return p.EachDispute(ctx, since, fn) },
		func(batch []provider.Dispute) error {
			refs := make([]string, len(batch))
			for i, d := range batch {
				refs[i] = d.Ref
			}
			ours, err := disputes.Statuses(ctx, s.db, p.Name(), refs)
			for _, d := range batch {
				if err == nil && string(d.State) != string(ours[d.Ref]) { // both sides use the same words
					found.add(s.takeUp(ctx, p, d.Money, payments.SignalDispute, d.Ref))
				}
			}
			return err
		})
	if w, has := p.(provider.Warnings); has && err == nil {
		err = s.warningsSince(ctx, p, w, since, &found)
	}
	return found, err
}

// warningsSince takes up charges that were reported as fraud.
func (s *Service) warningsSince(ctx context.Context, p Provider, w provider.Warnings, since time.Time, found *Found) error {
	return inBatches(func(fn func(provider.Warning) error) error { return w.EachWarning(ctx, since, fn) },
		func(batch []provider.Warning) error {
			refs := make([]string, len(batch))
			for i, one := range batch {
				refs[i] = one.Ref
			}
			ours, err := warnings.Statuses(ctx, s.db, p.Name(), refs)
			for _, one := range batch {
				status := ours[one.Ref]
				switch isNews := status == "" || status == warnings.Open && !one.IsActionable; {
				case err != nil || !isNews:
				case one.Money == "":
					found.Foreign++
				default:
					found.add(s.takeUp(ctx, p, one.Money, payments.SignalWarning, one.Ref))
				}
			}
			return err
		})
}

func refundAgrees(theirs provider.RefundState, ours refunds.Status) bool {
	switch ours {
	case refunds.Repeated, refunds.ByHand, refunds.Canceled:
		return theirs == provider.RefundFailed
	default:
		return string(theirs) == string(ours)
	}
}

func (s *Service) takeUpPayments(ctx context.Context, p Provider, batch []provider.Snapshot) (
	found Found, err error) {
	money := make([]string, len(batch))
	for i, snap := range batch {
		money[i] = snap.Ref.Money
	}
	ours, err := s.payments.AttemptStatuses(ctx, p.Name(), money)
	if err != nil {
		return found, err
	}
	for _, snap := range batch {
		if agrees(snap.State, ours[snap.Ref.Money]) {
			continue
		}
		foreign, err := false, error(nil)
		if snap.IsBrief {
			foreign, err = s.payments.ReconcileByRef(ctx, p.Name(), snap.Ref.Money, payments.SignalSweep)
		} else {
			foreign, err = s.payments.Reconcile(ctx, p.Name(), snap, payments.SignalSweep)
		}
		switch {
		case foreign:
			found.Foreign++
			continue
		case err != nil:
			s.log.WarnContext(ctx, "payment at the provider not taken up", "money_ref", snap.Ref.Money, "error", err)
		}
		found.Differ++
	}
	return found, nil
}

func agrees(theirs provider.State, ours payments.AttemptStatus) bool {
	switch theirs {
	case provider.Succeeded:
		return ours == payments.AttemptSucceeded || ours == payments.AttemptHeld
	case provider.Ended:
		return ours == payments.AttemptCanceled || ours == payments.AttemptAbandoned
	case provider.Open, provider.NeedsPayer, provider.Processing:
	}
	return ours == payments.AttemptOpen
}

// takeUpRefund takes up the payment of a refund, whose list need not say which it is.
func (s *Service) takeUpRefund(ctx context.Context, p Provider, r provider.Refund) (Found, error) {
	money, err := r.Money, error(nil)
	if money == "" {
		money, err = p.MoneyOf(ctx, provider.AboutRefund, r.Ref)
	}
	if errors.Is(err, provider.ErrNotFound) { // it is kept no longer
		return Found{}, nil
	}
	if err != nil {
		return Found{}, fmt.Errorf("find the payment of refund %s: %w", r.Ref, err)
	}
	return s.takeUp(ctx, p, money, payments.SignalMoneySweep, r.Ref), nil
}

// takeUp advances the payment that an object of the provider belongs to. What belongs to none is foreign.
func (s *Service) takeUp(ctx context.Context, p Provider, money string, signal payments.Signal,
	what string) Found {
	payment, found, err := s.payments.FindByRef(ctx, p.Name(), money)
	if err == nil && !found {
		return Found{Foreign: 1} // ours would be known by the pass over payments
	}
	if err == nil {
		_, err = s.payments.AdvanceFound(ctx, payment, signal, money)
	}
	if err != nil {
		s.log.WarnContext(ctx, "not taken up", "ref", what, "payment_id", payment.ID, "error", err)
	}
	return Found{Differ: 1}
}
