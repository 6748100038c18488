package payees

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/provider"
)

// banker is the provider of a name that pays out to bank accounts of ours. Error: ConfigurationError (provider_off) when there is none.
func (s *Service) banker(name string) (provider.PayeeBanks, error) {
	if p, has := s.providers[name].(provider.PayeeBanks); has {
		return p, nil
	}
	return nil, apperr.New(apperr.ConfigurationError).WithCode("provider_off")
}

// ofBanks is a person's own account, which can have a bank account. Error: PayoutBankNotReady.
func (s *Service) ofBanks(ctx context.Context, userID int64, name string) (Payee, provider.PayeeBanks, error) {
	prov, err := s.banker(name)
	if err != nil {
		return Payee{}, nil, err
	}
	p, err := s.Own(ctx, userID, name, "")
	if errors.Is(err, apperr.New(apperr.NotFound)) {
		return p, nil, apperr.New(apperr.PayoutBankNotReady)
	}
	if p, err = s.fresh(ctx, p, err); err == nil && p.State != Ready && p.State != Restricted {
		err = apperr.New(apperr.PayoutBankNotReady)
	}
	return p, prov, err
}

// BankFields is what is asked of a bank account of a person's in a country. Errors: PayoutBankNotReady, PayeeRefused of a country where
// something is asked that we do not ask for, those of the provider.
func (s *Service) BankFields(ctx context.Context, userID int64, name, country string) ([]provider.BankField, error) {
	p, prov, err := s.ofBanks(ctx, userID, name)
	if err != nil {
		return nil, err
	}
	list, err := prov.BankFields(ctx, p.Kind, country)
	if errors.Is(err, provider.ErrRefused) {
		err = apperr.New(apperr.PayeeRefused).Wrap(err)
	}
	return list, err
}

// AddBank registers a bank account of a person's at a provider. The one in use stays so until its owner has confirmed the new one; one that
// waits for that is given up. Errors: PayoutBankNotReady, PayeeRefused when the provider does not take it, ProviderUnavailable while it is not
// known what came of a call.
func (s *Service) AddBank(ctx context.Context, userID int64, name string, o provider.BankOrder) (Bank, error) {
	p, prov, err := s.ofBanks(ctx, userID, name)
	if err != nil {
		return Bank{}, err
	}
	open, err := readBanks(ctx, s.db, `WHERE payee_id = ? AND state = 'asking'`, p.ID)
	if err == nil && len(open) > 0 {
		err = s.lookBanks(ctx, p)
	}
	if err != nil {
		return Bank{}, err
	}
	b := Bank{ID: ids.New(), PayeeID: p.ID, Country: o.IBAN[:2], LastFour: o.IBAN[len(o.IBAN)-4:], State: BankAsking, CreatedAt: s.now()}
	if err := s.writeBank(ctx, b); err != nil {
		return Bank{}, err
	}
	o.Key, o.ID, o.Payee, o.Kind = "bank:"+b.ID, b.ID, p.Ref, p.Kind
	made, err := prov.NewBank(ctx, o)
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookTimeout)
	defer cancel()
	switch {
	case errors.Is(err, provider.ErrBurned): // it hides what came of it
		return b, apperr.New(apperr.ProviderUnavailable).Wrap(err)
	case errors.Is(err, provider.ErrRefused), errors.Is(err, provider.ErrNotFound):
		_, failed := s.stepBank(saving, b, NotTaken, provider.PayeeBank{})
		return b, errors.Join(apperr.New(apperr.PayeeRefused).Wrap(err), failed)
	case err != nil:
		return b, err
	}
	b, err = s.stepBank(saving, b, BankEvent(made.State), made)
	s.endDropped(saving, prov, p)
	return b, err
}

// writeBank writes the row of a bank account before it is asked for; one that waits for its owner is given up. Error: ProviderUnavailable
// while it is not known what came of another one.
func (s *Service) writeBank(ctx context.Context, b Bank) error {
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		tx = tx.WithContext(ctx)
		if err := tx.Exec(`SELECT FROM payees WHERE id = ? FOR UPDATE`, b.PayeeID).Error; err != nil {
			return err
		}
		open, err := readBanks(ctx, tx, `WHERE payee_id = ? AND state IN ('asking', 'pending')`, b.PayeeID)
		if err != nil {
			return err
		}
		for _, one := range open {
			to := nextBank(one.State, Dropped)
			if to == one.State {
				return apperr.New(apperr.ProviderUnavailable).RetryAfter(max(callLife-b.CreatedAt.Sub(one.CreatedAt), time.Second))
			}
			if err := tx.Exec(`UPDATE payee_banks SET state = ?, updated_at = ? WHERE id = ?`, to, b.CreatedAt, one.ID).Error; err != nil {
				return err
			}
		}
		return tx.Exec(`INSERT INTO payee_banks (id, payee_id, country, last_four, state, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			b.ID, b.PayeeID, b.Country, b.LastFour, b.State, b.CreatedAt, b.CreatedAt).Error
	})
	if err != nil {
		return fmt.Errorf("write a bank account: %w", err)
	}
	return nil
}

// OwnBank is a person's bank account at a provider. Error: NotFound also of one that is somebody else's.
func (s *Service) OwnBank(ctx context.Context, userID int64, name, id string) (Bank, Payee, error) {
	list, err := readBanks(ctx, s.db, `JOIN payees p ON p.id = b.payee_id WHERE b.id = ? AND p.user_id = ? AND p.provider = ?`, id, userID, name)
	if err == nil && len(list) == 0 {
		err = apperr.New(apperr.NotFound)
	}
	if err != nil {
		return Bank{}, Payee{}, err
	}
	owners, err := read(ctx, s.db, `WHERE id = ?`, list[0].PayeeID)
	return list[0], first(owners), err
}

// BankStep is where a person confirms their bank account; "" when there is nothing to confirm. It gives the account as it is then. Errors:
// NotFound, those of the provider.
func (s *Service) BankStep(ctx context.Context, userID int64, name, id, returnURL string) (Bank, string, error) {
	prov, err := s.banker(name)
	if err != nil {
		return Bank{}, "", err
	}
	b, p, err := s.OwnBank(ctx, userID, name, id)
	if err != nil || b.State != BankPending {
		return b, "", err
	}
	address, err := prov.BankStep(ctx, b.Ref, returnURL)
	if err == nil && address == "" || errors.Is(err, provider.ErrNotFound) {
		if err = s.lookBanks(ctx, p); err == nil {
			b, _, err = s.OwnBank(ctx, userID, name, id)
		}
	}
	return b, address, err
}

// EndBank has nothing more paid out to a person's bank account. A repeat changes nothing. Errors: NotFound, ProviderUnavailable while it is
// not known whether the provider has it.
func (s *Service) EndBank(ctx context.Context, userID int64, name, id string) error {
	b, p, err := s.OwnBank(ctx, userID, name, id)
	if err != nil {
		return err
	}
	prov, err := s.banker(name)
	if err == nil {
		b, err = s.stepBank(ctx, b, Dropped, provider.PayeeBank{})
	}
	if err != nil {
		return err
	}
	if b.State == BankAsking {
		return apperr.New(apperr.ProviderUnavailable).RetryAfter(max(callLife-s.now().Sub(b.CreatedAt), time.Second))
	}
	s.endDropped(ctx, prov, p)
	return nil
}
