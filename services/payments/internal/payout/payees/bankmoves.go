package payees

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
)

// stepBank takes a bank account a step on, and tells its person when money goes to it from now on, or does no more. was is how it was when what
// is said of it was asked; that the provider has it nowhere counts only while it is so.
func (s *Service) stepBank(ctx context.Context, was Bank, e BankEvent, seen provider.PayeeBank) (b Bank, err error) {
	isTold := false
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		isTold = false
		tx = tx.WithContext(ctx)
		var owner Payee
		if owner, b, err = lockBank(ctx, tx, was); err != nil {
			return err
		}
		before, now := b.State, s.now()
		if e == SeenNowhere && before != was.State {
			return nil
		}
		b.learn(e, seen, owner)
		change := contentclient.PayeeBankChangeChange("")
		switch {
		case b.State == BankActive && before != BankActive:
			if change, err = s.activate(ctx, tx, &b, now); err != nil {
				return err
			}
		case before == BankActive && b.State != BankActive:
			change = contentclient.BankRemoved
		}
		if err := b.save(tx, now); err != nil || change == "" || owner.UserID == nil {
			return err
		}
		isTold = true
		told := contentclient.PayeeBankChange{Change: change, Country: b.Country, LastFour: b.LastFour}
		if b.State == BankActive {
			told.PaysFrom = b.PaysFrom
		}
		return tellMore(ctx, tx, owner, func(e *contentclient.PayeeEvent) { e.Bank = &told })
	})
	if err != nil {
		return was, fmt.Errorf("take bank account %s on: %w", was.ID, err)
	}
	if isTold {
		s.wakeEvents()
	}
	return b, nil
}

// lockBank locks a bank account's owner, then the bank account.
func lockBank(ctx context.Context, tx *gorm.DB, was Bank) (owner Payee, b Bank, err error) {
	owners, err := read(ctx, tx, `WHERE id = ? FOR UPDATE`, was.PayeeID)
	if err != nil || len(owners) == 0 {
		return owner, b, errors.Join(err, gorm.ErrRecordNotFound)
	}
	list, err := readBanks(ctx, tx, `WHERE id = ? FOR UPDATE`, was.ID)
	if err != nil || len(list) == 0 {
		return owner, b, errors.Join(err, gorm.ErrRecordNotFound)
	}
	return owners[0], list[0], nil
}

// learn takes a bank account where an event leads, with what its provider says of it.
func (b *Bank) learn(e BankEvent, seen provider.PayeeBank, owner Payee) {
	if b.State = nextBank(b.State, e); owner.UserID == nil && (b.State == BankPending || b.State == BankActive) {
		b.State = BankEnding // whose it was has erased themselves
	}
	if b.Ref == "" {
		b.Ref = seen.Ref
	}
	if seen.Name != "" {
		b.NameCheck = seen.Name
	}
}

func (b *Bank) save(tx *gorm.DB, now time.Time) error {
	return tx.Exec(`
		UPDATE payee_banks SET ref = @ref, state = @state, name_check = @name, active_at = @active, pays_from = @pays,
			updated_at = @now
		WHERE id = @id`,
		map[string]any{"ref": b.Ref, "state": b.State, "name": b.NameCheck, "active": b.ActiveAt, "pays": b.PaysFrom,
			"now": now, "id": b.ID}).Error
}

// activate puts a bank account into use, in the place of the one before: also of one that its person had by an earlier account at the provider, since who
// replaces the account replaces where the money goes.
func (s *Service) activate(ctx context.Context, tx *gorm.DB, b *Bank, now time.Time) (change contentclient.PayeeBankChangeChange, err error) {
	earlier, err := readBanks(ctx, tx, `JOIN payees p ON p.id = b.payee_id JOIN payees n ON n.id = ? AND n.provider = p.provider AND (n.id = p.id OR n.user_id = p.user_id)
		WHERE b.active_at IS NOT NULL AND b.id <> ?`, b.PayeeID, b.ID)
	if err != nil {
		return "", err
	}
	from := paysFrom(now, len(earlier) == 0)
	b.ActiveAt, b.PaysFrom, change = &now, &from, contentclient.BankAdded
	for _, one := range earlier {
		if one.State != BankActive || one.PayeeID != b.PayeeID { // which another account of theirs goes on to be paid by
			continue
		}
		change = contentclient.BankReplaced
		if err := tx.Exec(`UPDATE payee_banks SET state = ?, updated_at = ? WHERE id = ?`, nextBank(one.State, Dropped), now, one.ID).Error; err != nil {
			return "", err
		}
	}
	return change, nil
}

// keepBank keeps the bank account that a provider pays out to which its owner has told the provider and not us, in the place of the one before; nil
// when there is none. The account's row is locked. It gives what its person is told, if anything.
func (s *Service) keepBank(ctx context.Context, tx *gorm.DB, p Payee, seen *provider.OwnBank, now time.Time) (told *contentclient.PayeeBankChange, err error) {
	if _, isOurs := s.providers[p.Provider].(provider.PayeeBanks); isOurs {
		return nil, nil
	}
	rows, err := readBanks(ctx, tx, `WHERE payee_id = ? ORDER BY created_at FOR UPDATE`, p.ID)
	if err != nil {
		return nil, err
	}
	if p.UserID == nil || p.State == Closed || seen != nil && (len(seen.Country) != 2 || len(seen.LastFour) != 4) {
		seen = nil
	}
	var b Bank
	for _, one := range rows {
		if seen != nil && one.Ref == seen.Ref {
			b = one
		} else if one.State == BankActive && seen == nil {
			told = &contentclient.PayeeBankChange{Change: contentclient.BankRemoved, Country: one.Country, LastFour: one.LastFour}
		}
	}
	if seen != nil && b.State != BankActive {
		if b.ID == "" {
			b = Bank{ID: ids.New(), PayeeID: p.ID, Ref: seen.Ref, Country: seen.Country, LastFour: seen.LastFour, CreatedAt: now}
		}
		b.State = BankActive
		change, err := s.activate(ctx, tx, &b, now)
		if err != nil {
			return nil, err
		}
		told = &contentclient.PayeeBankChange{Change: change, Country: b.Country, LastFour: b.LastFour, PaysFrom: b.PaysFrom}
		if err := b.insert(tx, now); err != nil {
			return nil, err
		}
	}
	// There is nothing to end at the provider: its owner has done that.
	return told, tx.Exec(`UPDATE payee_banks SET state = ?, updated_at = ? WHERE payee_id = ? AND state IN ('active', 'ending') AND id <> ?`,
		BankEnded, now, p.ID, b.ID).Error
}

// insert writes a bank account that is in use, or that one of before is in use again.
func (b *Bank) insert(tx *gorm.DB, now time.Time) error {
	return tx.Exec(`
		INSERT INTO payee_banks (id, payee_id, ref, country, last_four, state, active_at, pays_from, created_at, updated_at)
		VALUES (@id, @payee, @ref, @country, @four, @state, @active, @pays, @now, @now)
		ON CONFLICT (id) DO UPDATE SET state = excluded.state, active_at = excluded.active_at,
			pays_from = excluded.pays_from, updated_at = excluded.updated_at`,
		map[string]any{"id": b.ID, "payee": b.PayeeID, "ref": b.Ref, "country": b.Country, "four": b.LastFour,
			"state": b.State, "active": b.ActiveAt, "pays": b.PaysFrom, "now": now}).Error
}

// forgetBanks forgets which bank accounts a person's are, and has them end at the provider.
func forgetBanks(ctx context.Context, tx *gorm.DB, userID int64, now time.Time) error {
	return tx.WithContext(ctx).Exec(`UPDATE payee_banks SET country = '', last_four = '', updated_at = ?,
			state = CASE WHEN state IN ('pending', 'active') THEN 'ending' ELSE state END
		WHERE payee_id IN (SELECT id FROM payees WHERE user_id = ?)`, now, userID).Error
}
