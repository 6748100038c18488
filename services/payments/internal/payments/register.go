package payments

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/vault"
)

// answerWithin is by when a call that begins a payment has reached the provider, or never will: longer than any of its deadlines.
const answerWithin = 2 * time.Minute

// registrar is a provider at which an instrument is registered before a payment names it.
type registrar interface {
	Provider
	provider.Registrations
	vault.Provider
	BeginSetup(ctx context.Context, o provider.SetupOrder) (provider.Setup, error)
	LookSetup(ctx context.Context, ref string) (provider.Setup, error)
	Instrument(ctx context.Context, ref string) (provider.Instrument, error)
}

// registrar finds the provider that takes a payment's next attempt of a method. Error: PaymentMethodUnsupported when nothing is
// registered there, ConfigurationError.
func (s *Service) registrar(ctx context.Context, p Payment, method Method) (registrar, error) {
	name, err := s.route(ctx, s.db, p, method)
	if err != nil {
		return nil, err
	}
	prov, err := s.provider(name)
	if err != nil {
		return nil, err
	}
	r, is := prov.(registrar)
	if !is {
		return nil, apperr.New(apperr.PaymentMethodUnsupported)
	}
	return r, nil
}

// Registration is what is to be registered.
type Registration struct {
	Kind    provider.InstrumentKind
	Account string // of a mandate: the payer's bank account, as the provider names it
}

// Register begins the registration of an instrument that is to pay a subject; each call begins another, since one makes one instrument.
// Errors: those of Setup, PaymentMethodUnsupported.
func (s *Service) Register(ctx context.Context, sub Subject, network string, r Registration) (Payment, provider.Setup, error) {
	ctx, cancel := context.WithTimeout(ctx, s.callWait)
	defer cancel()
	p, order, err := s.prepare(ctx, sub, network)
	if err != nil {
		return Payment{}, provider.Setup{}, err
	}
	prov, err := s.registrar(ctx, p, r.Kind.Method())
	if err != nil {
		return Payment{}, provider.Setup{}, err
	}
	if order.Email == "" { // a provider has to know who pays, and we keep nothing of it
		return Payment{}, provider.Setup{}, apperr.New(apperr.Unavailable).RetryAfter(2 * time.Second)
	}
	payer, err := vault.Payer(ctx, s.db, prov, ownerOf(p), vault.Person{Name: order.Name, Email: order.Email}, s.now())
	if err != nil {
		return Payment{}, provider.Setup{}, refusedSetup(err)
	}
	setup, err := prov.BeginSetup(ctx, provider.SetupOrder{Key: "register:" + ids.New(), Kind: r.Kind, Payer: payer, Account: r.Account,
		Subject: p.Subject.Kind + ":" + p.Subject.ID, Currency: p.Amount.Currency, Language: p.Language, ReturnURL: s.publicURL + p.ReturnPath})
	if err != nil {
		return Payment{}, provider.Setup{}, refusedSetup(err)
	}
	return p, setup, nil
}

// ownerOf is whose payer pays a payment.
func ownerOf(p Payment) vault.Owner {
	return vault.OwnerOf(p.Subject.Kind, p.Subject.ID, p.BackerUserID)
}

func refusedSetup(err error) error {
	if errors.Is(err, provider.ErrRefused) || errors.Is(err, provider.ErrNotFound) {
		return errRefused(err)
	}
	return err
}

// Registered reads a registration that was begun for whoever pays a subject: with its instrument, or why there is none. Errors: NotFound
// (no such registration of theirs), PaymentMethodUnsupported, those of the provider.
func (s *Service) Registered(ctx context.Context, sub Subject, kind provider.InstrumentKind, setup string) (provider.Setup, error) {
	ctx, cancel := context.WithTimeout(ctx, s.callWait)
	defer cancel()
	seen, _, err := s.registered(ctx, sub, kind, setup)
	return seen, err
}

func (s *Service) registered(ctx context.Context, sub Subject, kind provider.InstrumentKind, setup string) (provider.Setup, registrar, error) {
	_, prov, payer, err := s.payerOf(ctx, sub, kind.Method())
	if err != nil {
		return provider.Setup{}, nil, err
	}
	seen, err := prov.LookSetup(ctx, setup)
	if errors.Is(err, provider.ErrNotFound) || err == nil && seen.Payer != payer {
		err = apperr.New(apperr.NotFound)
	}
	return seen, prov, err
}

// FinishCard hands in what the provider has answered the browser of whoever pays a subject, and gives the registration as it is then.
// Errors: those of Registered, PaymentFailed.
func (s *Service) FinishCard(ctx context.Context, sub Subject, setup, answer string) (provider.Setup, error) {
	ctx, cancel := context.WithTimeout(ctx, s.callWait)
	defer cancel()
	_, prov, err := s.registered(ctx, sub, provider.KindCard, setup)
	if err != nil {
		return provider.Setup{}, err
	}
	after, err := prov.FinishSetup(ctx, setup, answer)
	if err != nil {
		return provider.Setup{}, fmt.Errorf("finish the registration of a card: %w", refusedSetup(err))
	}
	return after, nil
}

// payerOf reads a subject's payment with the payer who registers for it what pays by a method. Errors: NotFound, as registrar.
func (s *Service) payerOf(ctx context.Context, sub Subject, method Method) (p Payment, prov registrar, payer string, err error) {
	p, found, err := s.PaymentOf(ctx, sub)
	if err == nil && !found {
		err = apperr.New(apperr.NotFound)
	}
	if err == nil {
		prov, err = s.registrar(ctx, p, method)
	}
	if err == nil {
		payer, err = vault.Find(ctx, s.db, prov.Name(), ownerOf(p))
	}
	if err == nil && payer == "" {
		err = apperr.New(apperr.NotFound)
	}
	return p, prov, payer, err
}

// Charge is what pays.
type Charge struct {
	Kind       provider.InstrumentKind
	Instrument string
	Browser    provider.Browser // of a card's payer
}

// Pay charges a registered instrument of whoever pays a subject, who sits before the browser, and gives the payment as it is then with
// the payer's next step: their bank's page, or nil. A payment that was begun before and is not decided is looked at first: while it waits
// for its payer, that page is the answer, whatever it is paid with. Errors: those of Setup, NotFound (no such instrument of theirs),
// PaymentFailed (the provider does not take such a payment), PaymentMethodUnsupported, Unavailable (another instrument may just be
// charged).
func (s *Service) Pay(ctx context.Context, sub Subject, network string, c Charge) (Payment, provider.Next, error) {
	ctx, cancel := context.WithTimeout(ctx, s.callWait)
	defer cancel()
	p, _, err := s.prepare(ctx, sub, network)
	if err != nil {
		return Payment{}, nil, err
	}
	_, prov, payer, err := s.payerOf(ctx, sub, c.Kind.Method())
	if err != nil {
		return Payment{}, nil, err
	}
	kept, err := prov.Instrument(ctx, c.Instrument)
	if errors.Is(err, provider.ErrNotFound) || err == nil && (kept.Payer != payer || kept.Kind != c.Kind) {
		return Payment{}, nil, apperr.New(apperr.NotFound)
	}
	if err != nil {
		return Payment{}, nil, err
	}
	for range maxRounds {
		a, err := s.currentAttempt(ctx, &p, beginning{method: c.Kind.Method(), instrument: c.Instrument})
		if err != nil {
			return Payment{}, nil, err
		}
		if a.Provider != prov.Name() { // cards were taken by another one until now
			if err := s.end(ctx, p, a); err != nil {
				return Payment{}, nil, err
			}
			if p, err = s.Payment(ctx, p.ID); err != nil {
				return Payment{}, nil, err
			}
			continue
		}
		isOurs := a.ObjectRef == nil && a.InstrumentRef == c.Instrument
		seen, err := s.lookOrCharge(ctx, &p, a, func(o *provider.Order) { o.Payer, o.Instrument, o.Browser = payer, c.Instrument, &c.Browser })
		switch {
		case errors.Is(err, errGivenUp):
			continue
		case errors.Is(err, provider.ErrRefused):
			return Payment{}, nil, errors.Join(errRefused(err), s.abandon(ctx, a))
		case errors.Is(err, provider.ErrBurned), errors.Is(err, provider.ErrNotFound):
			if err := s.abandon(ctx, a); err != nil {
				return Payment{}, nil, err
			}
			continue
		case err != nil:
			return Payment{}, nil, err
		}
		if p, err = s.apply(ctx, p, SignalSetup, seen); err != nil {
			return Payment{}, nil, err
		}
		if seen.snap.State == provider.Ended && !isOurs && p.payable(s.now()) == nil {
			continue // one that was begun before has come to nothing
		}
		return p, seen.snap.Next, nil
	}
	return Payment{}, nil, apperr.New(apperr.ProviderUnavailable).Wrap(
		fmt.Errorf("payment %s: %d attempts in a row came to nothing", p.ID, maxRounds))
}

// lookOrCharge reads an attempt that has begun, or begins the one that its row promises, with what fill adds to the order. What another
// instrument was to pay is never begun here: it is looked for. Errors: those of the provider, ErrNotFound of one that came to nothing,
// errGivenUp, as lookForBegun.
func (s *Service) lookOrCharge(ctx context.Context, p *Payment, a attempt, fill func(o *provider.Order)) (seen snapshot, err error) {
	var order provider.Order
	switch fill(&order); {
	case a.ObjectRef != nil:
		seen, err = s.look(ctx, a, SignalSetup)
	case a.InstrumentRef != order.Instrument:
		seen, err = s.lookForBegun(ctx, p, a)
	default:
		if a, err = s.tryAgain(ctx, a); err != nil {
			return snapshot{}, err
		}
		seen, err = s.makeBy(ctx, p, a, func(prov Provider, o provider.Order) (provider.Snapshot, error) {
			fill(&o)
			return prov.Begin(ctx, o)
		})
	}
	if err == nil && seen.snap == nil {
		err = fmt.Errorf("attempt %d: %w", a.ID, provider.ErrNotFound)
	}
	return seen, err
}

// tryAgain keeps that an attempt's call is about to be made, for those who would give it up meanwhile. Error: errGivenUp.
func (s *Service) tryAgain(ctx context.Context, a attempt) (attempt, error) {
	now := s.now()
	result := s.db.WithContext(ctx).Exec(`UPDATE attempts SET updated_at = ?, next_check_at = ? WHERE id = ? AND status = 'creating'`,
		now, now.Add(answerWithin), a.ID)
	if result.Error != nil {
		return a, fmt.Errorf("keep that attempt %d is made: %w", a.ID, result.Error)
	}
	if result.RowsAffected == 0 {
		return a, fmt.Errorf("attempt %d: %w", a.ID, errGivenUp)
	}
	a.UpdatedAt = now
	return a, nil
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
	if errors.Is(err, provider.ErrNotFound) && s.now().Before(a.UpdatedAt.Add(answerWithin)) {
		err = apperr.New(apperr.Unavailable).RetryAfter(answerWithin / 8).Wrap(fmt.Errorf("attempt %d may be on its way", a.ID))
	}
	return seen, err
}

// settleUnanswered applies what an attempt of a registered instrument has begun, or gives it up.
func (s *Service) settleUnanswered(ctx context.Context, p Payment, a attempt) error {
	seen, err := s.lookForBegun(ctx, &p, a)
	if errors.Is(err, provider.ErrNotFound) {
		return s.abandon(ctx, a)
	}
	if err == nil {
		_, err = s.apply(ctx, p, SignalSweep, seen)
	}
	return err
}
