package payments

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/provider"
)

// Payments of months: their subscription begins them, has them charged with a kept card and follows what becomes of
// them (package subscriptions). They have forms only, no hosted page.

// Follower is told what becomes of the payments of a subject kind.
type Follower interface {
	// Lock locks what is paid for, before the change of its payment writes anything: what both tell is in one stream, in the order of
	// their commits.
	Lock(ctx context.Context, tx *gorm.DB, subjectID string) error
	// Moved is called in the transaction that moves a payment, which holds the payment's row. It may take the locks that
	// come after the payment's. wanted false has the money of a success go back.
	Moved(ctx context.Context, tx *gorm.DB, m Move) (wanted bool, err error)
}

// Move is one step of a payment.
type Move struct {
	Payment Payment
	From    Status
	Card    *provider.Instrument // that a success has kept
}

// Follow makes f the follower of a subject kind; it belongs before the first use.
func (s *Service) Follow(kind contentclient.SubjectKind, f Follower) { s.followers[string(kind)] = f }

// follow tells the follower, and begins the refund of money that it does not want.
func (c *change) follow(ctx context.Context) error {
	f := c.svc.followers[c.payment.Subject.Kind]
	if f == nil || c.payment.Status == c.before.Status {
		return nil
	}
	c.events++ // it may write events of its own
	wanted, err := f.Moved(ctx, c.tx, Move{Payment: c.payment, From: c.before.Status, Card: c.card})
	if err != nil {
		return fmt.Errorf("follow payment %s: %w", c.payment.ID, err)
	}
	if wanted || !c.payment.Status.IsPaid() || c.before.Status.IsPaid() {
		return nil
	}
	c.payment.Refused, c.workDue = true, true
	_, _, err = refunds.Begin(ctx, c.tx, c.source(c.attempt(*c.payment.PaidAttemptID)),
		refunds.Wish{Reason: refunds.PledgeClosed}, c.now)
	if errors.Is(err, refunds.ErrNothingLeft) {
		err = nil // it went back before we heard of it; what a bank returns later is refunded by seeLeft
	}
	return err
}

// Month is a payment that a subscription begins.
type Month struct {
	Subject      Subject
	Provider     string
	Customer     string
	Day          *time.Time // nil for the first, whose day is that of its success
	Amount       money.Amount
	Network      string // where it is begun, of the first
	CampaignID   int64
	PayeeUserID  *int64
	BackerUserID *int64
	Description  string
	Title        string
	Language     string
	PayableUntil time.Time
}

// BeginMonth writes the payment of a month with its first event, in the transaction that writes the month. Error:
// ErrNotPayable when the subscription was closed before it began.
func (s *Service) BeginMonth(ctx context.Context, tx *gorm.DB, m Month) (Payment, error) {
	now := s.now()
	c := change{svc: s, tx: tx.WithContext(ctx), signal: SignalSetup, now: now, payment: Payment{
		ID: ids.New(), Subject: m.Subject, Provider: m.Provider, Amount: m.Amount,
		Refunded: money.New(0, m.Amount.Currency), Network: m.Network, CampaignID: m.CampaignID,
		Description: m.Description, Title: m.Title, Language: KnownLanguage(m.Language), PayableUntil: m.PayableUntil,
		ClosesAt: m.PayableUntil.Add(Grace), CreatedAt: now, UpdatedAt: now, PeriodDay: m.Day, Customer: m.Customer,
		BackerUserID: m.BackerUserID,
	}}
	if err := c.emit(ctx, contentclient.PaymentStarted, now, nil); err != nil {
		return Payment{}, err
	}
	if err := c.insert(ctx, m.PayeeUserID, nil); err != nil {
		return Payment{}, err
	}
	if _, err := c.move(ctx, StatusCreated, nil); err != nil {
		return Payment{}, err
	}
	return c.payment, nil
}

// OrderToPay asks the content service for the order of a subject whose payment has not begun. Errors: NotFound, ErrPaid,
// ErrNotPayable, TooManyRequests (too many cards were refused where it is asked from), Unavailable.
func (s *Service) OrderToPay(ctx context.Context, sub Subject, network string) (contentclient.Order, error) {
	order, err := s.fetchOrder(ctx, sub, orderTimeout)
	if err == nil {
		err = wanted(order)
	}
	if err == nil {
		err = s.mayTry(ctx, network, order.CampaignID)
	}
	return order, err
}

// MakeIntent makes the form's object of a payment that may be paid now, unless it is there. Errors as Setup.
func (s *Service) MakeIntent(ctx context.Context, paymentID string) error {
	attempts, err := readAttempts(ctx, s.db, ofPayment, paymentID)
	if err != nil {
		return err
	}
	if live, err := liveAttempt(attempts, provider.MethodCard); err != nil || live != nil && live.ObjectRef != nil {
		return err
	}
	p, err := s.Payment(ctx, paymentID)
	if err == nil {
		err = p.payable(s.now())
	}
	if err == nil {
		_, _, err = s.form(ctx, p, false)
	}
	return err
}

// Charge tries the open form of a payment with a kept card and applies what came of it, which it also gives. The same try
// (from 1) of the same form is made once, however often it is called. Errors: those of the provider's ChargeInstrument,
// ErrNotPayable without an open form.
func (s *Service) Charge(ctx context.Context, paymentID string, try int, card string) (provider.Snapshot, error) {
	p, err := s.Payment(ctx, paymentID)
	if err != nil {
		return provider.Snapshot{}, err
	}
	attempts, err := readAttempts(ctx, s.db, ofPayment, paymentID)
	if err != nil {
		return provider.Snapshot{}, err
	}
	live, err := liveAttempt(attempts, provider.MethodCard)
	if err == nil && (live == nil || live.ObjectRef == nil) {
		err = ErrNotPayable
	}
	if err != nil {
		return provider.Snapshot{}, err
	}
	prov, err := s.provider(live.Provider)
	if err != nil {
		return provider.Snapshot{}, err
	}
	n, err := s.nextLook(ctx)
	if err != nil {
		return provider.Snapshot{}, err
	}
	key := fmt.Sprintf("%s:try:%d", live.IdempotencyKey, try)
	snap, err := prov.ChargeInstrument(ctx, provider.ChargeOrder{Key: key, Ref: live.ref(), Instrument: card})
	if err != nil {
		return provider.Snapshot{}, err
	}
	seen := snapshot{attemptID: live.ID, look: n, snap: &snap}
	if snap.State == provider.Succeeded && (snap.Charge == nil || snap.Charge.Refunded || snap.Charge.Disputed) {
		if seen, err = s.look(ctx, *live, SignalCharge); err != nil { // it was paid before, and money has moved since
			return provider.Snapshot{}, err
		}
	}
	_, err = s.apply(ctx, p, SignalCharge, seen)
	return snap, err
}

// GiveCustomer gives an open payment another payer at the provider, because the one that it was begun for was deleted there. A form that was
// made for that one is ended first; the next one is for the new payer. Of a payment that is not open it changes nothing. Errors: NotFound,
// Unavailable (another caller makes a form), those of the provider.
func (s *Service) GiveCustomer(ctx context.Context, paymentID, customer string) error {
	isOpen := func(p Payment) bool {
		return p.Customer != customer && p.Status.IsOpen() && p.Status != StatusProcessing && p.ClosingAt == nil
	}
	p, err := s.Payment(ctx, paymentID)
	if err != nil || !isOpen(p) {
		return err
	}
	attempts, err := readAttempts(ctx, s.db, ofPayment, paymentID)
	if err != nil {
		return err
	}
	for _, a := range attempts {
		if a.Status.isLive() {
			if err := s.end(ctx, p, a); err != nil {
				return err
			}
		}
	}
	_, err = s.change(ctx, paymentID, SignalSetup, func(c *change) error {
		if !isOpen(c.payment) {
			return nil
		}
		if slices.ContainsFunc(c.attempts, func(a attempt) bool { return a.Status.isLive() }) {
			return apperr.New(apperr.Unavailable).RetryAfter(time.Second)
		}
		c.payment.Customer = customer
		return nil
	})
	return err
}

// CloseUnbegun keeps that a subject is closed whose payment has not begun; the caller holds its lock.
func (s *Service) CloseUnbegun(tx *gorm.DB, sub Subject) error {
	err := tx.Exec(`INSERT INTO closed_subjects (subject_kind, subject_id, closed_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
		sub.Kind, sub.ID, s.now()).Error
	if err != nil {
		return fmt.Errorf("keep that a %s is closed: %w", sub.Kind, err)
	}
	return nil
}

// OnWire translates errors about paying a subscription's month, or about its card, into those of the contract.
func OnWire(err error) error {
	switch {
	case errors.Is(err, ErrTooManyDeclines):
		return apperr.New(apperr.TooManyDeclines)
	case errors.Is(err, ErrPaid), errors.Is(err, ErrNotPayable):
		return apperr.New(apperr.SubscriptionNotPayable)
	case errors.Is(err, provider.ErrRefused), errors.Is(err, provider.ErrNotFound):
		return errRefused(err)
	}
	return err
}

// MoveToBacker makes the payments of pledges, with what was charged further of them, and of subscriptions of one account another one's of the same person.
func (s *Service) MoveToBacker(ctx context.Context, from, to int64, subjects []string) error {
	return s.setBacker(ctx, &to, `backer_user_id = ? AND (subject_id = ANY(?) OR further_of = ANY(?))`, from, dbx.TextArray(subjects), dbx.TextArray(subjects))
}

// ForgetBacker takes an account's number off all its payments.
func (s *Service) ForgetBacker(ctx context.Context, user int64) error {
	return s.setBacker(ctx, nil, `backer_user_id = ?`, user)
}

func (s *Service) setBacker(ctx context.Context, to *int64, where string, args ...any) error {
	err := s.db.WithContext(ctx).Exec(`UPDATE payments SET backer_user_id = ? WHERE id IN (SELECT id FROM payments WHERE `+where+`
		ORDER BY id FOR UPDATE)`, append([]any{to}, args...)...).Error
	if err != nil {
		return fmt.Errorf("give payments another backer: %w", err)
	}
	return nil
}
