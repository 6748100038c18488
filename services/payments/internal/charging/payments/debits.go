package payments

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/charging/vault"
	"talkoot.fi/payments/internal/provider"
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

// OfferedAccounts are those of Accounts that whoever pays a subject is offered: of an account's person the ones that they keep. Others
// have a payer for this subject alone. Errors: as Accounts.
func (s *Service) OfferedAccounts(ctx context.Context, sub Subject, network string) ([]provider.BankAccount, []provider.Mandate, error) {
	accounts, mandates, err := s.Accounts(ctx, sub, network)
	if err != nil || len(accounts) == 0 {
		return nil, nil, err
	}
	p, _, err := s.PaymentOf(ctx, sub)
	if err != nil || p.BackerUserID == nil {
		return accounts, mandates, err
	}
	name, err := s.route(ctx, s.db, p, provider.MethodDebit)
	if err != nil {
		return nil, nil, err
	}
	kept, err := vault.Accounts(ctx, s.db, *p.BackerUserID, name)
	return slices.DeleteFunc(accounts, func(a provider.BankAccount) bool { return !slices.Contains(kept, a.Ref) }), mandates, err
}

// KeepAccount has a bank account that was added for a subject offered to its person again, or no more. A guest's is not kept, nor that of
// an account that is erased meanwhile.
func (s *Service) KeepAccount(ctx context.Context, sub Subject, account provider.BankAccount, isKept bool) error {
	return s.ofPerson(ctx, sub, provider.MethodDebit, func(tx *gorm.DB, user int64, name string) error {
		return vault.KeepAccount(ctx, tx, user, name, account.Ref, isKept, s.now())
	})
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
	if _, err := s.Registered(ctx, sub, provider.KindMandate, ref); err != nil {
		return "", err
	}
	return "", errUnconfirmed
}
