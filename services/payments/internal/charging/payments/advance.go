package payments

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/tracing"
	"talkoot.fi/payments/internal/charging/vault"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
)

// snapshot is what the provider said about an attempt when it was looked at.
type snapshot struct {
	attemptID int64
	// look is its number: the higher, the later the provider was asked, by whichever host.
	look     int64
	snap     *provider.Snapshot // nil when the provider has no such object
	declines []provider.Decline // all declines of the attempt, newest first; only read when there is a new one
	refunds  []provider.Refund
	disputes []provider.Dispute
	warnings []provider.Warning
}

// Advance brings a payment to what the provider says now. It is where every signal ends, and may be called at any
// time, any number of times, by many at once. Errors: NotFound, those of the provider.
func (s *Service) Advance(ctx context.Context, paymentID string, signal Signal) (Payment, error) {
	p, err := s.Payment(ctx, paymentID)
	if err != nil {
		return Payment{}, err
	}
	return s.AdvanceFound(ctx, p, signal, "")
}

// AdvanceFound is Advance of a payment that the caller has just read. It also looks at the attempt with the given
// object of the provider ("" for none) when our records say that the attempt has ended: whoever says that money came to
// it may be right. Each attempt is looked at and applied on its own, so that one that cannot be read keeps no other's
// money from being booked; the errors come back together. It is traced as the payment's, whatever the signal came with.
func (s *Service) AdvanceFound(ctx context.Context, p Payment, signal Signal, object string) (Payment, error) {
	ctx, end := tracing.About(ctx, "advance payment by "+string(signal), p.Subject.Trace())
	p, err := s.advanceFound(ctx, p, signal, object)
	end(err)
	return p, err
}

func (s *Service) advanceFound(ctx context.Context, p Payment, signal Signal, object string) (Payment, error) {
	attempts, err := readAttempts(ctx, s.db, ofPayment, p.ID)
	if err != nil {
		return Payment{}, err
	}
	var faults []error
	for _, a := range attempts {
		isDue := a.Status == AttemptOpen || a.Status.tookMoney() && signal.isAboutMoney() ||
			!a.Status.tookMoney() && a.is(object)
		if a.ObjectRef == nil || !isDue {
			continue
		}
		after, err := s.lookAndApply(ctx, p, a, signal)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		p = after
	}
	return p, errors.Join(faults...)
}

func (s *Service) lookAndApply(ctx context.Context, p Payment, a attempt, signal Signal) (Payment, error) {
	seen, err := s.look(ctx, a, signal)
	if err != nil {
		return p, err
	}
	after, err := s.apply(ctx, p, signal, seen)
	if err != nil || a.Status.isLive() || a.Status.tookMoney() || seen.snap == nil ||
		seen.snap.State != provider.Open && seen.snap.State != provider.NeedsPayer {
		return after, err
	}
	// Our records say that it has ended, because the provider once answered so; but it can still be paid.
	prov, err := s.provider(a.Provider)
	if err == nil {
		err = prov.End(ctx, seen.snap.Ref)
	}
	if errors.Is(err, provider.ErrState) {
		err = nil
	}
	return after, err
}

// nextLook gives the number of a look that is about to be made. The database counts, because hosts' clocks differ.
func (s *Service) nextLook(ctx context.Context) (n int64, err error) {
	if err = s.db.WithContext(ctx).Raw(`SELECT nextval('looks')`).Scan(&n).Error; err != nil {
		err = fmt.Errorf("number a look: %w", err)
	}
	return n, err
}

// look asks the provider about one attempt, with the refunds and disputes of its money, so that a success is never
// booked without them. Signals about money always ask for refunds: one that failed is no longer in the charge's sum.
func (s *Service) look(ctx context.Context, a attempt, signal Signal) (snapshot, error) {
	p, err := s.provider(a.Provider)
	if err != nil {
		return snapshot{}, err
	}
	n, err := s.nextLook(ctx)
	if err != nil {
		return snapshot{}, err
	}
	ref := a.ref()
	snap, err := p.Look(ctx, ref)
	if errors.Is(err, provider.ErrNotFound) && ref.Money != "" && ref.Money != ref.Object {
		// The page is gone, but we know its payment.
		snap, err = p.Look(ctx, provider.Ref{Method: provider.MethodCard, Object: ref.Money, Money: ref.Money})
	}
	if errors.Is(err, provider.ErrNotFound) {
		return snapshot{attemptID: a.ID, look: n}, nil
	}
	if err != nil {
		return snapshot{}, lost(err)
	}
	one := snapshot{attemptID: a.ID, look: n, snap: &snap}
	if snap.State != provider.Succeeded {
		if snap.LastDecline != "" && snap.LastDecline != a.LastDecline {
			one.declines, err = p.Declines(ctx, snap.Ref.Money)
		}
		return one, err
	}
	if signal.isAboutMoney() || snap.Charge.Refunded {
		one.refunds, err = p.Refunds(ctx, snap.Ref.Money)
	}
	if err == nil && (signal == SignalDispute || signal == SignalOperator || snap.Charge.Disputed) {
		one.disputes, err = p.Disputes(ctx, snap.Ref.Money)
	}
	if w, has := p.(provider.Warnings); err == nil && has && signal == SignalWarning {
		one.warnings, err = w.Warnings(ctx, snap.Ref.Money)
	}
	return one, lost(err)
}

// lost turns what a provider may not answer to a look at our own payment into an outage: that it does not have the refunds of one that it has
// just shown, or that we may not read it.
func lost(err error) error {
	if errors.Is(err, provider.ErrNotFound) || errors.Is(err, provider.ErrRefused) {
		return apperr.New(apperr.ProviderUnavailable).Wrap(errors.New(err.Error()))
	}
	return err
}

// apply writes what was seen. What changes nothing opens no transaction.
func (s *Service) apply(ctx context.Context, p Payment, signal Signal, seen snapshot) (Payment, error) {
	if !seen.isNews(p) {
		return p, nil
	}
	var fresh []provider.Decline
	after, err := s.change(ctx, p.ID, signal, func(c *change) error {
		err := c.see(ctx, seen)
		fresh = c.fresh
		return err
	})
	if err != nil || len(fresh) == 0 {
		return after, err
	}
	return s.noteDeclines(ctx, after, p.Network, fresh)
}

// isNews reports whether a snapshot can change anything.
func (one snapshot) isNews(p Payment) bool {
	if one.snap == nil || len(one.refunds)+len(one.disputes)+len(one.declines) > 0 ||
		one.snap.Ref.Method == provider.MethodPage && one.snap.Ref.Money != "" {
		return true
	}
	switch one.snap.State {
	case provider.Open:
		return p.Status != StatusCreated || one.snap.FailureCode != p.FailureCode
	case provider.NeedsPayer:
		return p.Status != StatusRequiresAction
	case provider.Processing:
		return p.Status != StatusProcessing
	case provider.Succeeded, provider.Ended:
	}
	return true
}

// see applies one snapshot to the locked payment.
func (c *change) see(ctx context.Context, one snapshot) error {
	a := c.attempt(one.attemptID)
	if a == nil || a.Status == AttemptCreating && one.snap == nil {
		return nil
	}
	if one.snap != nil && one.snap.State == provider.Succeeded {
		return c.seeMoney(ctx, a, one)
	}
	if !a.Status.isLive() || one.look < a.Look {
		return nil // it has ended, or a later look was applied before
	}
	known := *a
	a.Look = one.look
	if one.snap == nil {
		return c.seeEnd(ctx, a, "")
	}
	a.learn(one.snap.Ref)
	c.countDeclines(a, one)
	switch one.snap.State {
	case provider.Ended:
		if err := c.seeSpent(ctx, a, one.snap.Result); err != nil {
			return err
		}
		return c.seeEnd(ctx, a, one.snap.FailureCode)
	case provider.Processing:
		a.ActionRequired = false
		moved, err := c.move(ctx, StatusProcessing, a)
		if err != nil {
			return err
		}
		if moved {
			if err := c.emit(ctx, contentclient.PaymentProcessing, c.now, nil); err != nil {
				return err
			}
		}
	case provider.NeedsPayer:
		a.ActionRequired = true
		if err := c.seeDecline(ctx, a, ""); err != nil { // was it processing, its bank has refused
			return err
		}
	case provider.Open:
		a.ActionRequired = false
		if err := c.seeSpent(ctx, a, one.snap.Result); err != nil {
			return err
		}
		if err := c.seeDecline(ctx, a, one.snap.FailureCode); err != nil {
			return err
		}
	case provider.Succeeded:
	}
	// updated_at stays: the pauses between looks grow with the time since the last change
	if known.Look = a.Look; known == *a {
		return c.saveLook(ctx, a)
	}
	return c.saveAttempt(ctx, a)
}

// seeSpent offers a card no more that was refused for good.
func (c *change) seeSpent(ctx context.Context, a *attempt, result provider.Result) error {
	ref := cmp.Or(a.InstrumentRef, result.Instrument)
	if !result.IsSpent || ref == "" {
		return nil
	}
	return vault.DropCard(ctx, c.tx, a.Provider, ref)
}

// learn keeps the ids that the provider has given since.
func (a *attempt) learn(ref provider.Ref) {
	if a.ObjectRef == nil && ref.Object != "" {
		a.ObjectRef = &ref.Object
	}
	if a.MoneyRef == nil && ref.Money != "" {
		a.MoneyRef = &ref.Money
	}
}

// seeEnd ends an attempt that nobody can pay any more. Where a decline is final, code says why.
func (c *change) seeEnd(ctx context.Context, a *attempt, code string) error {
	a.Status, a.PageURL, a.ActionRequired = AttemptCanceled, "", false
	if !c.payment.Status.IsOpen() || c.payment.ClosingAt != nil { // we have ended it
		code = ""
	}
	if err := c.seeDecline(ctx, a, code); err != nil {
		return err
	}
	return c.saveAttempt(ctx, a)
}

// seeDecline keeps the reason of a decline. The payment stays open for another card, unless it was processing: then it
// fails, because the content service was told that the bank has it in hand and waits for the outcome.
func (c *change) seeDecline(ctx context.Context, a *attempt, code string) error {
	if code != "" && c.payment.FailureCode != TooManyDeclines {
		c.payment.FailureCode = code
	}
	if c.payment.Status != StatusProcessing {
		return nil
	}
	if was, err := c.wasProcessing(ctx, a); err != nil || !was {
		return err
	}
	if c.payment.Subject.Period > 0 { // it may be paid with another card, and tried again
		if _, err := c.move(ctx, StatusCreated, a); err != nil {
			return err
		}
	} else if _, err := c.move(ctx, StatusFailed, a); err != nil {
		return err
	}
	return c.emit(ctx, contentclient.PaymentFailed, c.now, nil)
}

// wasProcessing reports whether it is this attempt that the provider has had in processing.
func (c *change) wasProcessing(ctx context.Context, a *attempt) (bool, error) {
	var ids []int64
	err := c.tx.WithContext(ctx).Raw(`SELECT attempt_id FROM payment_transitions WHERE payment_id = ? AND to_status = 'processing'
		ORDER BY id DESC LIMIT 1`, c.payment.ID).Scan(&ids).Error
	if err != nil {
		return false, fmt.Errorf("read what was processing of payment %s: %w", c.payment.ID, err)
	}
	return len(ids) == 0 || ids[0] == a.ID, nil
}
