package payments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/vault"
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
	Kind provider.InstrumentKind
	// Of a mandate: the payer's bank account, as the provider names it, the language of its page (fi, en or sv), and where that sends the
	// payer back to. Without the latter two those of the payment.
	Account, Language, ReturnURL string
}

// Register begins the registration of an instrument that is to pay a subject; each call begins another, since one makes one instrument.
// Errors: those of Setup, PaymentMethodUnsupported.
func (s *Service) Register(ctx context.Context, sub Subject, network string, r Registration) (Payment, provider.Setup, error) {
	ctx, cancel := context.WithTimeout(ctx, s.callWait)
	defer cancel()
	p, prov, payer, err := s.newPayer(ctx, sub, network, r.Kind.Method())
	if err != nil {
		return Payment{}, provider.Setup{}, err
	}
	setup, err := prov.BeginSetup(ctx, provider.SetupOrder{Key: "register:" + ids.New(), Kind: r.Kind, Payer: payer, Account: r.Account,
		Subject: p.Subject.Kind + ":" + p.Subject.ID, Currency: p.Amount.Currency, Language: cmp.Or(r.Language, p.Language),
		ReturnURL: cmp.Or(r.ReturnURL, s.publicURL+p.ReturnPath)})
	if err != nil {
		return Payment{}, provider.Setup{}, refusedSetup(err)
	}
	return p, setup, nil
}

// newPayer gives a payment that may be paid now with the payer who registers for it what pays by a method, and makes either that is not
// there. Errors: as Register.
func (s *Service) newPayer(ctx context.Context, sub Subject, network string, method Method) (p Payment, prov registrar, payer string, err error) {
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
	if order.Email == "" { // a provider has to know who pays, and we keep nothing of it
		return p, nil, "", apperr.New(apperr.Unavailable).RetryAfter(2 * time.Second)
	}
	payer, err = vault.Payer(ctx, s.db, prov, ownerOf(p), vault.Person{Name: order.Name, Email: order.Email}, s.now())
	return p, prov, payer, refusedSetup(err)
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
