package payments

import (
	"context"
	"fmt"
	"slices"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/vault"
)

// errUnconfirmed means that a bank account cannot be debited, or not yet.
var errUnconfirmed = apperr.New(apperr.MandateNotConfirmed)

// debitor is the provider that debits bank accounts for a payment's next attempt. Error: as registrar.
func (s *Service) debitor(ctx context.Context, p Payment) (registrar, provider.BankAccounts, error) {
	prov, err := s.registrar(ctx, p, provider.MethodDebit)
	if err != nil {
		return nil, nil, err
	}
	accounts, is := prov.(provider.BankAccounts)
	if !is {
		return nil, nil, apperr.New(apperr.PaymentMethodUnsupported)
	}
	return prov, accounts, nil
}

// Accounts are the bank accounts of whoever pays a subject, and the mandates by which they can be debited. Who has not registered
// anything has none. Errors: those of Setup, PaymentMethodUnsupported.
func (s *Service) Accounts(ctx context.Context, sub Subject, network string) ([]provider.BankAccount, []provider.Mandate, error) {
	ctx, cancel := context.WithTimeout(ctx, s.callWait)
	defer cancel()
	p, _, err := s.prepare(ctx, sub, network)
	if err != nil {
		return nil, nil, err
	}
	prov, at, err := s.debitor(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	payer, err := vault.Find(ctx, s.db, prov.Name(), ownerOf(p))
	if err != nil || payer == "" {
		return nil, nil, err
	}
	accounts, err := at.BankAccounts(ctx, payer)
	if err != nil {
		return nil, nil, lost(err)
	}
	mandates, err := at.Mandates(ctx, payer)
	return accounts, mandates, lost(err)
}

// AddAccount adds a bank account of whoever pays a subject, or gives the one that has its number. Errors: those of Setup,
// PaymentMethodUnsupported, provider.ErrFinal when the provider does not take the number.
func (s *Service) AddAccount(ctx context.Context, sub Subject, network string, o provider.BankAccountOrder) (provider.BankAccount, error) {
	ctx, cancel := context.WithTimeout(ctx, s.callWait)
	defer cancel()
	p, prov, payer, err := s.newPayer(ctx, sub, network, provider.MethodDebit, nil)
	if err != nil {
		return provider.BankAccount{}, err
	}
	_, at, err := s.debitor(ctx, p)
	if err != nil {
		return provider.BankAccount{}, err
	}
	o.Payer = payer
	made, err := at.NewBankAccount(ctx, o)
	if err != nil {
		return provider.BankAccount{}, fmt.Errorf("add an account at %s: %w", prov.Name(), refusedSetup(lost(err)))
	}
	return made, nil
}

// UsableMandate finds by which mandate of whoever pays a subject their bank account can be debited: the one that is named, "" for the
// newest. Errors: NotFound (none of theirs), MandateNotConfirmed, PaymentMethodUnsupported, those of the provider.
func (s *Service) UsableMandate(ctx context.Context, sub Subject, ref string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.callWait)
	defer cancel()
	p, _, payer, err := s.payerOf(ctx, sub, provider.MethodDebit)
	if err != nil {
		return "", err
	}
	_, at, err := s.debitor(ctx, p)
	if err != nil {
		return "", err
	}
	mandates, err := at.Mandates(ctx, payer)
	switch {
	case err != nil:
		return "", lost(err)
	case ref == "" && len(mandates) > 0:
		return mandates[0].Ref, nil
	case ref == "":
		return "", errUnconfirmed
	case slices.ContainsFunc(mandates, func(m provider.Mandate) bool { return m.Ref == ref }):
		return ref, nil
	}
	if _, _, err := s.registered(ctx, sub, provider.KindMandate, ref); err != nil {
		return "", err
	}
	return "", errUnconfirmed
}
