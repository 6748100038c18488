package payments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/provider"
)

// AnswerWithin is by when a call that begins a payment has reached the provider, or never will: longer than any of its deadlines.
const AnswerWithin = 2 * time.Minute

// Charge is what pays.
type Charge struct {
	Kind       provider.InstrumentKind
	Instrument string
	Browser    provider.Browser // of a card's payer
	ReturnURL  string           // where their bank's page sends them back to; "" for the payment's own
	// Check, which may be nil, compares what the caller says with the payment and who the provider knows as its payer, and gives the wallet
	// that it has found the money to go into.
	Check func(p Payment, payer string) (provider.Wallet, error)
	// Key names the call: one with the same begins no other charge. "" is a call of its own.
	Key string
}

// Try is what one charge of a registered instrument has come to.
type Try struct {
	Object string // the provider's id of it
	State  provider.State
	Next   provider.Next
	Result provider.Result
}

func tryOf(seen snapshot) Try {
	return Try{Object: seen.snap.Ref.Object, State: seen.snap.State, Next: seen.snap.Next, Result: seen.snap.Result}
}

// Pay charges a registered instrument of whoever pays a subject, who sits before the browser, and gives the payment as it is then with
// what the charge has come to: a next step is their bank's page. A payment that was begun before and is not decided is looked at first: while it waits
// for its payer, that page is the answer, whatever it is paid with. Errors: those of Setup, NotFound (no such instrument of theirs), those of Check,
// PaymentFailed (the provider does not take such a payment), PaymentMethodUnsupported, Unavailable (another instrument may just be
// charged).
func (s *Service) Pay(ctx context.Context, sub Subject, network string, c Charge) (Payment, Try, error) {
	ctx, cancel := context.WithTimeout(ctx, s.callWait)
	defer cancel()
	p, _, err := s.prepare(ctx, sub, network)
	if errors.Is(err, ErrPaid) {
		return s.triedBy(ctx, sub, c.Key, err)
	}
	if err != nil {
		return Payment{}, Try{}, err
	}
	prov, payer, err := s.payerFor(ctx, p, c.Kind.Method())
	var into provider.Wallet
	if err == nil && c.Check != nil {
		into, err = c.Check(p, payer)
	}
	if err != nil {
		return Payment{}, Try{}, err
	}
	kept, err := s.instrument(ctx, prov, c.Instrument)
	if errors.Is(err, provider.ErrNotFound) { // it may have been kept: it is not offered again
		return Payment{}, Try{}, errors.Join(s.dropGone(ctx, p, prov.Name(), c.Instrument), notFound(false))
	}
	if err == nil && (kept.Payer != payer || kept.Kind != c.Kind) {
		return Payment{}, Try{}, apperr.New(apperr.NotFound)
	}
	if err != nil {
		return Payment{}, Try{}, err
	}
	for range maxRounds {
		a, err := s.currentAttempt(ctx, &p, beginning{method: c.Kind.Method(), instrument: c.Instrument, callerKey: c.Key, taker: prov.Name()})
		if errors.Is(err, ErrPaid) {
			return s.triedBy(ctx, sub, c.Key, err)
		}
		if err != nil {
			return Payment{}, Try{}, err
		}
		if a.Provider != prov.Name() { // cards were taken by another one until now
			if err := s.leave(ctx, &p, a); err != nil {
				return Payment{}, Try{}, err
			}
			continue
		}
		isOurs := a.ObjectRef == nil && a.InstrumentRef == c.Instrument || c.Key != "" && a.CallerKey == c.Key
		seen, err := s.lookOrCharge(ctx, &p, &a, func(o *provider.Order) {
			o.Payer, o.Instrument, o.Kept, o.Into = payer, c.Instrument, &kept, into
			o.Browser, o.ReturnURL = &c.Browser, cmp.Or(c.ReturnURL, o.ReturnURL)
		})
		switch {
		case errors.Is(err, errGivenUp):
			continue
		case errors.Is(err, provider.ErrRefused):
			return Payment{}, Try{}, errors.Join(errRefused(err), s.abandon(ctx, a))
		case errors.Is(err, provider.ErrBurned), errors.Is(err, provider.ErrNotFound):
			if err := s.abandon(ctx, a); err != nil {
				return Payment{}, Try{}, err
			}
			continue
		case err != nil:
			return Payment{}, Try{}, err
		}
		if p, err = s.apply(ctx, p, SignalSetup, seen); err != nil {
			return Payment{}, Try{}, err
		}
		if seen.snap.State == provider.Ended && !isOurs && p.payable(s.now()) == nil {
			continue // one that was begun before has come to nothing
		}
		return p, tryOf(seen), nil
	}
	return Payment{}, Try{}, apperr.New(apperr.ProviderUnavailable).Wrap(
		fmt.Errorf("payment %s: %d attempts in a row came to nothing", p.ID, maxRounds))
}

// triedBy is Tried of the charge that a call of the same key has begun meanwhile; without one there is an error.
func (s *Service) triedBy(ctx context.Context, sub Subject, key string, otherwise error) (Payment, Try, error) {
	p, found, err := s.PaymentOf(ctx, sub)
	if err != nil || !found {
		return Payment{}, Try{}, errors.Join(err, otherwise)
	}
	attempts, err := readAttempts(ctx, s.db, ofPayment, p.ID)
	if err != nil {
		return Payment{}, Try{}, err
	}
	before := begunBy(attempts, key)
	if before == nil {
		return Payment{}, Try{}, otherwise
	}
	return s.Tried(ctx, sub, *before.ObjectRef)
}

// Tried gives what a charge of a subject has come to by now. Error: NotFound when it is none of the subject's, those of the provider.
func (s *Service) Tried(ctx context.Context, sub Subject, object string) (Payment, Try, error) {
	ctx, cancel := context.WithTimeout(ctx, s.callWait)
	defer cancel()
	p, found, err := s.PaymentOf(ctx, sub)
	if err != nil || !found {
		return Payment{}, Try{}, errors.Join(err, notFound(found))
	}
	list, err := readAttempts(ctx, s.db, `WHERE payment_id = ? AND object_ref = ?`, p.ID, object)
	if err != nil || len(list) == 0 {
		return Payment{}, Try{}, errors.Join(err, notFound(len(list) > 0))
	}
	seen, err := s.look(ctx, list[0], SignalBrowser)
	if err != nil || seen.snap == nil {
		return Payment{}, Try{}, errors.Join(err, notFound(seen.snap != nil || err != nil))
	}
	p, err = s.apply(ctx, p, SignalBrowser, seen)
	return p, tryOf(seen), err
}

func notFound(isFound bool) error {
	if isFound {
		return nil
	}
	return apperr.New(apperr.NotFound)
}

// lookOrCharge reads an attempt that has begun, or begins the one that its row promises, with what fill adds to the order. What another
// instrument was to pay is never begun here: it is looked for. It refreshes p and a, which is given up only as the caller knows it.
// Errors: those of the provider, ErrNotFound of one that came to nothing, errGivenUp, as lookForBegun.
func (s *Service) lookOrCharge(ctx context.Context, p *Payment, a *attempt, fill func(o *provider.Order)) (seen snapshot, err error) {
	var order provider.Order
	switch fill(&order); {
	case a.ObjectRef != nil:
		seen, err = s.look(ctx, *a, SignalSetup)
	case a.InstrumentRef != order.Instrument:
		seen, err = s.lookForBegun(ctx, p, *a)
	default:
		var look int64
		if *a, look, err = s.tryAgain(ctx, *a); err != nil {
			return snapshot{}, err
		}
		seen, err = s.makeAt(ctx, look, p, *a, func(prov Provider, o provider.Order) (provider.Snapshot, error) {
			fill(&o)
			return prov.Begin(ctx, o)
		})
	}
	if err == nil && seen.snap == nil {
		err = fmt.Errorf("attempt %d: %w", a.ID, provider.ErrNotFound)
	}
	return seen, err
}

// tryAgain keeps that an attempt's call is about to be made, for those who would give it up meanwhile, and numbers the look that the call is.
// Error: errGivenUp.
func (s *Service) tryAgain(ctx context.Context, a attempt) (_ attempt, look int64, err error) {
	now := s.now()
	var looks []int64
	err = s.db.WithContext(ctx).Raw(`UPDATE attempts SET updated_at = ?, next_check_at = ? WHERE id = ? AND status = 'creating' RETURNING nextval('looks')`,
		now, now.Add(AnswerWithin), a.ID).Scan(&looks).Error
	if err != nil {
		return a, 0, fmt.Errorf("keep that attempt %d is made: %w", a.ID, err)
	}
	if len(looks) == 0 {
		return a, 0, fmt.Errorf("attempt %d: %w", a.ID, errGivenUp)
	}
	a.UpdatedAt = now
	return a, looks[0], nil
}

// lookForBegun finds what an attempt of a registered instrument has begun whose answer we do not have, and begins nothing: the payer may
// have gone. Errors: ErrNotFound when it has begun nothing and cannot any more, Unavailable while it still could.
func (s *Service) lookForBegun(ctx context.Context, p *Payment, a attempt) (snapshot, error) {
	seen, err := s.makeBy(ctx, p, a, func(prov Provider, o provider.Order) (provider.Snapshot, error) {
		r, is := prov.(provider.Registrations)
		if !is {
			return provider.Snapshot{}, apperr.New(apperr.PaymentMethodUnsupported)
		}
		return r.Begun(ctx, o.Key)
	})
	if errors.Is(err, provider.ErrNotFound) && s.now().Before(a.UpdatedAt.Add(AnswerWithin)) {
		err = apperr.New(apperr.Unavailable).RetryAfter(AnswerWithin / 8).Wrap(fmt.Errorf("attempt %d may be on its way", a.ID))
	}
	return seen, err
}

// settleUnanswered applies what an attempt of a registered instrument has begun, or gives it up.
func (s *Service) settleUnanswered(ctx context.Context, p Payment, a attempt) error {
	seen, err := s.lookForBegun(ctx, &p, a)
	if errors.Is(err, provider.ErrNotFound) || errors.Is(err, provider.ErrBurned) {
		return s.abandon(ctx, a)
	}
	if err == nil {
		_, err = s.apply(ctx, p, SignalSweep, seen)
	}
	return err
}
