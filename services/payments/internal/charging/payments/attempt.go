package payments

import (
	"cmp"
	"context"
	"slices"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/provider"
)

// beginning is what an attempt is to begin with.
type beginning struct {
	method     Method
	prefill    bool   // a page is filled in
	instrument string // that was registered; "" when the payer brings one
	callerKey  string // Charge.Key
	keeps      bool   // as of an attempt
	taker      string // the provider; "" asks the router
}

// currentAttempt gives the live attempt of a method, whatever that began with, or begins the next one. It refreshes p.
// Errors: those of lookAtOthers, ErrNotPayable also while money of the payment is held: a person decides whether it is
// paid.
func (s *Service) currentAttempt(ctx context.Context, p *Payment, b beginning) (attempt, error) {
	attempts, err := s.lookAtOthers(ctx, p, b.method)
	if err != nil {
		return attempt{}, err
	}
	if live, err := liveAttempt(attempts, b.method); live != nil || err != nil {
		return *cmp.Or(live, &attempt{}), err
	}
	if b.method == provider.MethodCard {
		b.taker = cmp.Or(b.taker, p.taker)
	}
	var begun attempt
	after, err := s.change(ctx, p.ID, SignalSetup, func(c *change) (err error) {
		begun, err = c.beginAttempt(ctx, b)
		return err
	})
	if err != nil {
		return attempt{}, err
	}
	*p = after
	return begun, nil
}

// liveAttempt finds the attempt of a method that may still be paid; nil without one. Error: ErrNotPayable while money
// is held.
func liveAttempt(attempts []attempt, method Method) (*attempt, error) {
	var live *attempt
	for i, a := range attempts {
		if a.Status == AttemptHeld {
			return nil, ErrNotPayable
		}
		if a.Method == method && a.Status.isLive() {
			live = &attempts[i]
		}
	}
	return live, nil
}

// begunBy finds what a call of a key has begun at the provider; nil without one.
func begunBy(attempts []attempt, callerKey string) *attempt {
	at := slices.IndexFunc(attempts, func(a attempt) bool { return callerKey != "" && a.CallerKey == callerKey && a.ObjectRef != nil })
	if at < 0 {
		return nil
	}
	return &attempts[at]
}

// beginAttempt writes the next attempt of a method, or gives the live one. Errors: ErrPaid, ErrNotPayable also while another method's is
// processing, PaymentMethodUnsupported for a form where there is none, those of Router.
func (c *change) beginAttempt(ctx context.Context, b beginning) (attempt, error) {
	if err := c.payment.payable(c.now); err != nil {
		return attempt{}, err
	}
	if live, err := liveAttempt(c.attempts, b.method); live != nil || err != nil {
		return *cmp.Or(live, &attempt{}), err
	}
	if before := begunBy(c.attempts, b.callerKey); before != nil { // at the same time
		return *before, nil
	}
	if c.payment.Status == StatusProcessing { // a bank has it in hand, for days: a second payment would have to be given back
		return attempt{}, ErrNotPayable
	}
	taker := b.taker
	if taker == "" {
		var err error
		if taker, err = c.svc.route(ctx, c.tx, c.payment, b.method); err != nil {
			return attempt{}, err
		}
	}
	if b.method == provider.MethodCard && b.instrument == "" {
		if _, registers := c.svc.providers[taker].(registrar); registers { // there is no form there
			return attempt{}, apperr.New(apperr.PaymentMethodUnsupported)
		}
	}
	a := attempt{Method: b.method, Provider: taker, Status: AttemptCreating, InstrumentRef: b.instrument, CallerKey: b.callerKey, Keeps: b.keeps}
	var check *time.Time // of a form none: it is not ended before its payment is
	switch {
	case b.instrument != "": // unless its answer comes
		at := c.now.Add(AnswerWithin)
		check = &at
	case b.method == provider.MethodPage:
		prov, err := c.svc.provider(a.Provider)
		if err != nil {
			return attempt{}, err
		}
		expires, at := c.now.Add(prov.Traits().PageLife+pageSlack), c.now.Add(pageSweepAfter)
		a.Prefilled, a.PageExpiresAt, check = b.prefill, &expires, &at
	}
	made, err := c.addAttempt(ctx, a, check)
	if err != nil {
		return attempt{}, err
	}
	return *made, nil
}

// abandon gives an attempt up that nobody can pay: its secret or address was never handed out, or the provider has
// nothing of it. One that has moved since the caller saw it stays: another caller made it and may have handed it out, or is about to
// charge its instrument.
func (s *Service) abandon(ctx context.Context, a attempt) error {
	ctx, cancel := detached(ctx, saveTimeout)
	defer cancel()
	_, err := s.change(ctx, a.PaymentID, SignalSetup, func(c *change) error { return c.abandon(ctx, a) })
	return err
}

func (c *change) abandon(ctx context.Context, a attempt) error {
	now := c.attempt(a.ID)
	if now == nil || !now.Status.isLive() || now.Status != a.Status || a.InstrumentRef != "" && !now.UpdatedAt.Equal(a.UpdatedAt) {
		return nil
	}
	if c.payment.Status == StatusProcessing { // its bank is still deciding, whatever the provider says now
		if was, err := c.wasProcessing(ctx, now); err != nil || was {
			return err
		}
	}
	now.Status = AttemptAbandoned
	return c.saveAttempt(ctx, now)
}
