package payments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/charging/vault"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
)

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
	name, err := p.taker, error(nil)
	if name == "" || method != provider.MethodCard {
		name, err = s.route(ctx, s.db, p, method)
	}
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
	Kind provider.InstrumentKind
	// Of a mandate: the payer's bank account, as the provider names it, the language of its page (fi, en or sv), and where that sends the
	// payer back to. Without the latter two those of the payment.
	Account, Language, ReturnURL string
	// Before is asked for the payment before the provider is; its error is Register's. Nil asks for nothing.
	Before func(context.Context, Payment) error
}

// Register begins the registration of an instrument that is to pay a subject; each call begins another, since one makes one instrument.
// Errors: those of Setup, PaymentMethodUnsupported.
func (s *Service) Register(ctx context.Context, sub Subject, network string, r Registration) (Payment, provider.Setup, error) {
	ctx, cancel := context.WithTimeout(ctx, s.callWait)
	defer cancel()
	p, prov, payer, err := s.newPayer(ctx, sub, network, r.Kind.Method(), r.Before)
	if err != nil {
		return Payment{}, provider.Setup{}, err
	}
	setup, err := prov.BeginSetup(ctx, provider.SetupOrder{Key: "register:" + ids.New(), Kind: r.Kind, Payer: payer, Account: r.Account,
		Subject: p.Subject.Kind + ":" + p.Subject.ID, Currency: p.Amount.Currency, Language: cmp.Or(r.Language, p.Language),
		ReturnURL: cmp.Or(r.ReturnURL, s.publicURL+p.ReturnPath)})
	if err != nil {
		return Payment{}, provider.Setup{}, refusedSetup(err)
	}
	s.registering.put("", setup.Ref, registering{sub, prov, setup.Payer == payer}, s.now())
	return p, setup, nil
}

// registering is a registration that was begun just now: for what, where, and whether it is of who was to have it.
type registering struct {
	subject Subject
	at      registrar
	isOurs  bool
}

// newPayer gives a payment that may be paid now with the payer who registers for it what pays by a method, and makes either that is not
// there. before is as in Registration. Errors: as Register.
func (s *Service) newPayer(ctx context.Context, sub Subject, network string, method Method, before func(context.Context, Payment) error) (
	p Payment, prov registrar, payer string, err error) {
	p, order, err := s.prepare(ctx, sub, network)
	if err != nil {
		return p, nil, "", err
	}
	if p.Status == StatusProcessing { // a bank has it in hand: nothing else pays it
		return p, nil, "", ErrNotPayable
	}
	if prov, err = s.registrar(ctx, p, method); err != nil {
		return p, nil, "", err
	}
	if before != nil {
		if err := before(ctx, p); err != nil {
			return p, nil, "", err
		}
	}
	if order.Email == "" { // a provider has to know who pays, and we keep nothing of it
		return p, nil, "", apperr.New(apperr.Unavailable).RetryAfter(2 * time.Second)
	}
	payer, err = s.makePayer(ctx, prov, p, order)
	return p, prov, payer, refusedSetup(err)
}

// makePayer gives the payer of a payment, and makes them when there is none. One who was made while their account was erased, or brought into
// another one, is nobody's and is forgotten. Errors: those of the provider, Unavailable then.
func (s *Service) makePayer(ctx context.Context, prov vault.Provider, p Payment, order contentclient.Order) (string, error) {
	payer, err := vault.Payer(ctx, s.db, prov, ownerOf(p), vault.Person{Name: order.Name, Email: order.Email}, s.now())
	if err != nil || p.BackerUserID == nil {
		return payer, err
	}
	isNobodys := false
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		isErased, err := LockBacker(ctx, tx, p.BackerUserID, time.Time{}) // whenever: a number is nobody else's later
		var left []vault.Kept
		if err == nil && isErased { // which could not find them
			left, err = vault.Erase(ctx, tx, *p.BackerUserID)
		}
		isKnown := false
		if err == nil {
			isKnown, err = vault.Knows(ctx, tx, prov.Name(), payer)
		}
		if isNobodys = !isKnown; err != nil || isKnown {
			return err
		}
		if mine := (vault.Kept{Provider: prov.Name(), Ref: payer}); !slices.Contains(left, mine) {
			left = append(left, mine)
		}
		for _, l := range left {
			if err := vault.ForgetLater(ctx, tx, vault.Leftover{Provider: l.Provider, Kind: vault.LeftCustomer, Ref: l.Ref}); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && isNobodys {
		s.wakeEvents()
		err = errErased
	}
	return payer, err
}

// ownerOf is whose payer pays a payment.
func ownerOf(p Payment) vault.Owner {
	return vault.OwnerOf(p.Subject.Kind, p.Subject.ID, p.BackerUserID)
}

// refusedSetup is PaymentFailed for what the provider does not take, and an outage for a failure of its own that it has stored: the next call
// has another key.
func refusedSetup(err error) error {
	if errors.Is(err, provider.ErrBurned) {
		return apperr.New(apperr.ProviderUnavailable).Wrap(err)
	}
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
	_, prov, payer, err := s.payerOf(ctx, sub, kind.Method())
	if err != nil {
		return provider.Setup{}, err
	}
	return s.lookSetup(ctx, prov, setup, payer)
}

// lookSetup reads a payer's registration. Error: NotFound, also of another's.
func (s *Service) lookSetup(ctx context.Context, prov registrar, setup, payer string) (provider.Setup, error) {
	seen, err := prov.LookSetup(ctx, setup)
	if errors.Is(err, provider.ErrNotFound) || err == nil && seen.Payer != payer {
		err = apperr.New(apperr.NotFound)
	}
	return seen, err
}

// FinishCard hands in what the provider has answered the browser of whoever pays a subject, and gives the registration as it is then.
// Errors: those of Registered, PaymentFailed.
func (s *Service) FinishCard(ctx context.Context, sub Subject, setup, answer string) (provider.Setup, error) {
	ctx, cancel := context.WithTimeout(ctx, s.callWait)
	defer cancel()
	begun, isKnown := s.registering.take("", setup, s.now())
	prov := begun.at
	if !isKnown || !begun.isOurs || begun.subject != sub {
		var payer string
		var err error
		if _, prov, payer, err = s.payerOf(ctx, sub, provider.KindCard.Method()); err == nil {
			_, err = s.lookSetup(ctx, prov, setup, payer)
		}
		if err != nil {
			return provider.Setup{}, err
		}
	}
	after, err := prov.FinishSetup(ctx, setup, answer)
	if err != nil {
		return provider.Setup{}, fmt.Errorf("finish the registration of a card: %w", refusedSetup(err))
	}
	if after.Instrument != nil {
		s.registered.put(prov.Name(), after.Instrument.Ref, *after.Instrument, s.now())
	}
	return after, nil
}

// instrument reads what is to pay; of what was registered here just now nothing else can have become of it that its charge would not be
// refused for. Errors: those of the provider.
func (s *Service) instrument(ctx context.Context, prov registrar, ref string) (provider.Instrument, error) {
	if kept, isKnown := s.registered.take(prov.Name(), ref, s.now()); isKnown {
		return kept, nil
	}
	return prov.Instrument(ctx, ref)
}

// payerOf reads a subject's payment with the payer who registers for it what pays by a method. Errors: NotFound, as registrar.
func (s *Service) payerOf(ctx context.Context, sub Subject, method Method) (p Payment, prov registrar, payer string, err error) {
	p, found, err := s.PaymentOf(ctx, sub)
	if err == nil && !found {
		err = apperr.New(apperr.NotFound)
	}
	if err == nil {
		prov, payer, err = s.payerFor(ctx, p, method)
	}
	return p, prov, payer, err
}

// payerFor is payerOf of a payment that was just read.
func (s *Service) payerFor(ctx context.Context, p Payment, method Method) (prov registrar, payer string, err error) {
	if prov, err = s.registrar(ctx, p, method); err == nil {
		payer, err = vault.Find(ctx, s.db, prov.Name(), ownerOf(p))
	}
	if err == nil && payer == "" {
		err = apperr.New(apperr.NotFound)
	}
	return prov, payer, err
}
