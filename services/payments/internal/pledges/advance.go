package pledges

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/ledger"
	"talkoot.fi/payments/internal/providers/stripe"
)

// sighting is what the provider said about an attempt at a moment.
type sighting struct {
	attemptID int64
	askedAt   time.Time
	intent    *stripe.Intent  // the attempt's own, or the one inside its session; nil while a session has none
	session   *stripe.Session // of a session
	refunds   []stripe.Refund
	disputes  []stripe.Dispute
	// missing means that the provider has no such object.
	missing bool
}

// Advance brings a payment to what the provider says now. It is where every signal ends, and may be called at any
// time, any number of times, by many at once. Errors: NotFound, those of the provider.
func (s *Service) Advance(ctx context.Context, paymentID string, signal Signal) (Payment, error) {
	return s.AdvanceObject(ctx, paymentID, signal, "")
}

// AdvanceObject is Advance that also looks at the attempt with the given object of the provider, when we take that
// attempt for over: whoever says that money came to it may be right.
func (s *Service) AdvanceObject(ctx context.Context, paymentID string, signal Signal, objectID string) (Payment, error) {
	p, err := s.Payment(ctx, paymentID)
	if err != nil {
		return Payment{}, err
	}
	attempts, err := readAttempts(ctx, s.DB, paymentID)
	if err != nil {
		return Payment{}, err
	}
	var seen []sighting
	for _, a := range attempts {
		isDue := a.Status == AttemptOpen || a.Status.tookMoney() && signal.isAboutMoney() || !a.Status.tookMoney() && a.is(objectID)
		if a.ProviderID == nil || !isDue {
			continue
		}
		one, err := s.look(ctx, a)
		if err != nil {
			return Payment{}, err
		}
		if err := s.lookAtRefunds(ctx, &one, signal); err != nil {
			return Payment{}, err
		}
		if err := s.lookAtDisputes(ctx, &one, signal); err != nil {
			return Payment{}, err
		}
		seen = append(seen, one)
	}
	return s.apply(ctx, p, signal, seen)
}

// look asks the provider about one attempt.
func (s *Service) look(ctx context.Context, a attempt) (sighting, error) {
	seen := sighting{attemptID: a.ID, askedAt: s.clock()}
	if a.Kind == KindIntent {
		in, err := s.Stripe.Intent(ctx, *a.ProviderID)
		seen.intent = &in
		if errors.Is(err, stripe.ErrNotFound) {
			return sighting{attemptID: a.ID, askedAt: seen.askedAt, missing: true}, nil
		}
		return seen, err
	}
	session, err := s.Stripe.Session(ctx, *a.ProviderID)
	seen.session, seen.intent = &session, session.Intent
	if errors.Is(err, stripe.ErrNotFound) {
		return sighting{attemptID: a.ID, askedAt: seen.askedAt, missing: true}, nil
	}
	return seen, err
}

// lookAtRefunds adds the refunds of a success to its sighting, so that nobody takes in the success alone. Signals about
// money always ask: a refund that failed is no longer in the charge's sum.
func (s *Service) lookAtRefunds(ctx context.Context, one *sighting, signal Signal) (err error) {
	in := one.intent
	if in == nil || in.Status != stripe.IntentSucceeded || !signal.isAboutMoney() && (in.Charge == nil || in.Charge.RefundedMinor == 0) {
		return nil
	}
	one.refunds, err = s.Stripe.Refunds(ctx, in.ID)
	return err
}

// apply writes what was seen. What changes nothing opens no transaction.
func (s *Service) apply(ctx context.Context, p Payment, signal Signal, seen []sighting) (Payment, error) {
	news := false
	for _, one := range seen {
		news = news || one.isNews(p)
	}
	if !news {
		return p, nil
	}
	return s.change(ctx, p.ID, signal, func(c *change) error {
		for _, one := range seen {
			if err := c.see(ctx, one); err != nil {
				return err
			}
		}
		return nil
	})
}

// isNews reports whether a sighting can change anything.
func (one sighting) isNews(p Payment) bool {
	quiet := !one.missing && len(one.refunds)+len(one.disputes) == 0 && (one.session == nil || one.session.Status == stripe.SessionOpen)
	if one.intent == nil {
		return !quiet
	}
	unchanged := one.intent.Status == stripe.IntentOpen && p.Status == StatusCreated && one.intent.FailureCode == p.FailureCode ||
		one.intent.Status == stripe.IntentRequiresAction && p.Status == StatusRequiresAction ||
		one.intent.Status == stripe.IntentProcessing && p.Status == StatusProcessing
	return !quiet || !unchanged || one.session != nil
}

// see applies one sighting to the locked payment.
func (c *change) see(ctx context.Context, one sighting) error {
	a := c.attempt(one.attemptID)
	if a == nil || a.Status == AttemptCreating && one.missing {
		return nil
	}
	in := one.intent
	if in != nil && in.Status == stripe.IntentSucceeded {
		return c.seeMoney(ctx, a, one)
	}
	if !a.Status.isLive() || one.askedAt.Before(a.ObservedAt) {
		return nil // over, or older than what we know
	}
	a.ObservedAt = one.askedAt
	if a.Kind == KindSession && in != nil && a.IntentID == nil {
		a.IntentID = &in.ID
	}
	switch {
	case one.missing, one.session != nil && one.session.Status == stripe.SessionExpired, one.session == nil && in.Status == stripe.IntentCanceled:
		a.Status, a.PageURL, a.ActionRequired = AttemptCanceled, "", false
		if err := c.seeDecline(ctx, a, ""); err != nil { // of what was processing
			return err
		}
	case in == nil:
	case in.Status == stripe.IntentProcessing:
		a.ActionRequired = false
		moved, err := c.move(ctx, StatusProcessing, a)
		if err != nil {
			return err
		}
		if moved {
			if err := c.emit(ctx, contentclient.PaymentProcessing, ""); err != nil {
				return err
			}
		}
	case in.Status == stripe.IntentRequiresAction:
		a.ActionRequired = true
	case in.Status == stripe.IntentOpen:
		a.ActionRequired = false
		if err := c.seeDecline(ctx, a, in.FailureCode); err != nil {
			return err
		}
	}
	return c.saveAttempt(ctx, a)
}

// seeDecline keeps the reason of a decline. The payment stays open for another card, unless the provider had it in
// processing: then the content service counts on an answer, and gets one.
func (c *change) seeDecline(ctx context.Context, a *attempt, code string) error {
	if code != "" {
		c.payment.FailureCode = code
	}
	if c.payment.Status != StatusProcessing {
		return nil
	}
	if was, err := c.wasProcessing(ctx, a); err != nil || !was {
		return err
	}
	if _, err := c.move(ctx, StatusFailed, a); err != nil {
		return err
	}
	return c.emit(ctx, contentclient.PaymentFailed, "")
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

// seeMoney books a succeeded intent once, and afterwards what became of its money.
func (c *change) seeMoney(ctx context.Context, a *attempt, one sighting) error {
	in := one.intent
	if in.Charge == nil {
		return fmt.Errorf("intent %s succeeded without a charge", in.ID)
	}
	if !a.Status.tookMoney() {
		if err := c.bookMoney(ctx, a, in); err != nil {
			return err
		}
	} else if a.FeeMinor == nil {
		if err := c.bookFee(ctx, a, in.Charge); err != nil {
			return err
		}
	}
	if err := c.seeRefunds(ctx, a, one.refunds); err != nil {
		return err
	}
	if err := c.seeDisputes(ctx, a, one.disputes); err != nil {
		return err
	}
	if len(one.refunds)+len(one.disputes) == 0 {
		return nil
	}
	return c.stand(ctx, a)
}

func (c *change) isPaidBy(a *attempt) bool {
	return c.payment.PaidAttemptID != nil && *c.payment.PaidAttemptID == a.ID
}

// bookMoney enters a new charge: as the payment's success, as a duplicate that goes back, or as money that does not
// fit and is held.
func (c *change) bookMoney(ctx context.Context, a *attempt, in *stripe.Intent) error {
	if a.Kind == KindSession && a.IntentID == nil {
		a.IntentID = &in.ID
	}
	if a.Kind == KindIntent && a.ProviderID == nil {
		a.ProviderID = &in.ID
	}
	received := money.New(in.ReceivedMinor, in.Amount.Currency)
	a.ChargeID, a.AmountMinor, a.PageURL, a.ActionRequired = in.Charge.ID, received.Minor, "", false
	fits := received == c.payment.Amount() && in.PaymentID == c.payment.ID
	counts := fits && c.payment.PaidAttemptID == nil
	a.Status = AttemptSucceeded
	if !fits {
		a.Status = AttemptHeld
	}
	account := ledger.UnallocatedFunds()
	if counts {
		account = ledger.BackerFunds(c.payment.CampaignID)
	}
	if _, err := ledger.Post(ctx, c.tx, ledger.Movement{
		Kind: ledger.Charge, Reference: in.Charge.ID, PaymentID: c.payment.ID, At: in.Charge.CreatedAt, Amount: received,
		Debit: ledger.ProviderClearing(stripe.Name), Credit: account,
	}); err != nil {
		return err
	}
	if err := c.bookFee(ctx, a, in.Charge); err != nil { // saves the attempt
		return err
	}
	switch {
	case counts:
		c.payment.PaidAttemptID, c.payment.Method, c.payment.FailureCode = &a.ID, in.Charge.Method, ""
		moved, err := c.move(ctx, StatusSucceeded, a)
		if err == nil && !moved {
			err = fmt.Errorf("payment %s is %s and cannot succeed", c.payment.ID, c.payment.Status)
		}
		if err != nil {
			return err
		}
		return c.emit(ctx, contentclient.PaymentSucceeded, "")
	case fits:
		_, err := c.beginRefund(ctx, a, a.AmountMinor, ReasonDuplicate)
		return err
	}
	return c.hold(ctx, in)
}

// hold raises the alarm about money that does not fit its payment.
func (c *change) hold(ctx context.Context, in *stripe.Intent) error {
	c.payment.Alert = string(AnomalyAmountMismatch)
	id := c.payment.ID
	c.svc.Log.ErrorContext(ctx, "money does not fit its payment", "payment_id", id, "intent_id", in.ID)
	_, err := NoteAnomaly(ctx, c.tx, Anomaly{Kind: AnomalyAmountMismatch, Reference: in.ID, PaymentID: &id, At: c.now, Detail: map[string]string{
		"expected": fmt.Sprintf("%d %s", c.payment.AmountMinor, c.payment.Currency),
		"received": fmt.Sprintf("%d %s", in.ReceivedMinor, in.Amount.Currency), "says_payment": in.PaymentID,
	}})
	return err
}

// bookFee enters the provider's fee once it is known, and saves the attempt. A fee in another currency than the charge
// belongs to a conversion, which the comparison with the provider's list brings up.
func (c *change) bookFee(ctx context.Context, a *attempt, ch *stripe.Charge) error {
	if ch.FeeKnown && a.FeeMinor == nil {
		fee := ch.FeeMinor
		a.FeeMinor = &fee
		if fee > 0 && ch.FeeCurrency == c.payment.Currency {
			if _, err := ledger.Post(ctx, c.tx, ledger.Movement{
				Kind: ledger.ProviderFee, Reference: ch.ID, PaymentID: c.payment.ID, At: ch.CreatedAt, Amount: money.New(fee, ch.FeeCurrency),
				Debit: ledger.ProviderFees(stripe.Name), Credit: ledger.ProviderClearing(stripe.Name),
			}); err != nil {
				return err
			}
		}
	}
	return c.saveAttempt(ctx, a)
}
