package vault

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/payments/internal/provider"
)

// Card is one that its person wants to be offered again.
type Card struct {
	Provider, Ref string
	Label         string // 'Visa ···· 4242'
	// The last month of its life; 0 when the provider does not say.
	ExpYear, ExpMonth int
	UsedAt            *time.Time // when it paid last; nil before
}

// Keep has a card offered to an account's person again. The same card that they kept before, which was registered another time, makes
// room for it.
func Keep(ctx context.Context, tx *gorm.DB, user int64, providerName string, card provider.Instrument, now time.Time) error {
	tx = tx.WithContext(ctx)
	isRetired, err := Use(ctx, tx, providerName, card.Ref)
	if err != nil || isRetired {
		return err
	}
	if card.Fingerprint != "" {
		if err := drop(ctx, tx, `provider = ? AND user_id = ? AND fingerprint = ? AND ref <> ?`, providerName, user, card.Fingerprint, card.Ref); err != nil {
			return err
		}
	}
	err = tx.Exec(`INSERT INTO kept_cards (provider, ref, user_id, label, exp_year, exp_month, fingerprint, kept_at)
		VALUES (@provider, @ref, @user, @label, @year, @month, @fingerprint, @now) ON CONFLICT (provider, ref) DO NOTHING`, map[string]any{
		"provider": providerName, "ref": card.Ref, "user": user, "label": card.Label, "year": card.ExpYear, "month": card.ExpMonth,
		"fingerprint": card.Fingerprint, "now": now,
	}).Error
	if err != nil {
		return fmt.Errorf("keep a card: %w", err)
	}
	return nil
}

// unprovenLife is how long a card is offered that has not paid yet: a provider ends it when nothing was paid with it within a day.
const unprovenLife = 24 * time.Hour

// Cards are those that an account's person has kept at a provider and can pay with now, the one used last first.
func Cards(ctx context.Context, db *gorm.DB, user int64, providerName string, now time.Time) (list []Card, err error) {
	err = db.WithContext(ctx).Raw(`SELECT provider, ref, label, exp_year, exp_month, used_at FROM kept_cards
		WHERE user_id = @user AND provider = @provider AND (used_at IS NOT NULL OR kept_at > @proven)
			AND (exp_year = 0 OR exp_year * 12 + exp_month >= @month)
		ORDER BY coalesce(used_at, kept_at) DESC, ref`, map[string]any{"user": user, "provider": providerName, "proven": now.Add(-unprovenLife),
		"month": now.Year()*12 + int(now.Month())}).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read kept cards: %w", err)
	}
	return list, nil
}

// CardPaid keeps when a card was used last; of one that is not kept nothing.
func CardPaid(ctx context.Context, tx *gorm.DB, providerName, ref string, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`UPDATE kept_cards SET used_at = greatest(used_at, CAST(@now AS timestamptz)) WHERE provider = @provider AND ref = @ref`,
		map[string]any{"now": now, "provider": providerName, "ref": ref}).Error
	if err != nil {
		return fmt.Errorf("keep that a card paid: %w", err)
	}
	return nil
}

// LeaveUnkept has a card that has paid forgotten at its provider, when nobody wants it offered again and nothing else is just paid with it.
func LeaveUnkept(ctx context.Context, tx *gorm.DB, providerName, ref string) error {
	isNeeded := false
	err := tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM kept_cards WHERE provider = @provider AND ref = @ref)
		OR EXISTS (SELECT FROM attempts WHERE provider = @provider AND instrument_ref = @ref AND status IN ('creating', 'open'))`,
		map[string]any{"provider": providerName, "ref": ref}).Scan(&isNeeded).Error
	if err != nil {
		return fmt.Errorf("look whether a card is needed: %w", err)
	}
	if isNeeded {
		return nil
	}
	return ForgetLater(ctx, tx, Leftover{providerName, LeftCard, ref})
}

// DropCard offers a card to nobody any more, and has it forgotten at the provider. One that is not kept stays as it is there.
func DropCard(ctx context.Context, tx *gorm.DB, providerName, ref string) error {
	return drop(ctx, tx, `provider = ? AND ref = ?`, providerName, ref)
}

// DropOwnCard is DropCard of an account's person; another's stays.
func DropOwnCard(ctx context.Context, tx *gorm.DB, user int64, providerName, ref string) error {
	return drop(ctx, tx, `provider = ? AND ref = ? AND user_id = ?`, providerName, ref, user)
}

func drop(ctx context.Context, tx *gorm.DB, where string, args ...any) error {
	var list []Kept
	err := tx.WithContext(ctx).Raw(`DELETE FROM kept_cards WHERE `+where+` RETURNING provider, ref`, args...).Scan(&list).Error
	if err != nil {
		return fmt.Errorf("drop kept cards: %w", err)
	}
	for _, c := range list {
		if err := ForgetLater(ctx, tx, Leftover{c.Provider, LeftCard, c.Ref}); err != nil {
			return err
		}
	}
	return nil
}

// KeepAccount has a bank account offered to an account's person again, or, without isKept, no more.
func KeepAccount(ctx context.Context, tx *gorm.DB, user int64, providerName, ref string, isKept bool, now time.Time) error {
	tx = tx.WithContext(ctx)
	var err error
	if isKept {
		err = tx.Exec(`INSERT INTO kept_accounts (provider, ref, user_id, kept_at) VALUES (?, ?, ?, ?) ON CONFLICT (provider, ref) DO NOTHING`,
			providerName, ref, user, now).Error
	} else {
		err = tx.Exec(`DELETE FROM kept_accounts WHERE provider = ? AND ref = ? AND user_id = ?`, providerName, ref, user).Error
	}
	if err != nil {
		return fmt.Errorf("keep an account: %w", err)
	}
	return nil
}

// Accounts are the provider's ids of the bank accounts that an account's person has kept.
func Accounts(ctx context.Context, db *gorm.DB, user int64, providerName string) (refs []string, err error) {
	err = db.WithContext(ctx).Raw(`SELECT ref FROM kept_accounts WHERE user_id = ? AND provider = ?`, user, providerName).Scan(&refs).Error
	if err != nil {
		return nil, fmt.Errorf("read kept accounts: %w", err)
	}
	return refs, nil
}

// mergeCards makes the kept cards and bank accounts of one account another one's where their payer became that one's, and drops the others: a card is
// charged for its own payer only. It follows the merge of the payers.
func mergeCards(ctx context.Context, tx *gorm.DB, from, into int64) error {
	err := drop(ctx, tx, `user_id = ? AND EXISTS (SELECT FROM payers p WHERE p.owner = ? AND p.provider = kept_cards.provider)`, from, ofUser(from))
	if err == nil {
		err = drop(ctx, tx, `user_id = ? AND fingerprint <> '' AND EXISTS (SELECT FROM kept_cards o WHERE o.user_id = ?
			AND o.provider = kept_cards.provider AND o.fingerprint = kept_cards.fingerprint)`, from, into)
	}
	if err == nil {
		err = tx.WithContext(ctx).Exec(`UPDATE kept_cards SET user_id = ? WHERE user_id = ?`, into, from).Error
	}
	if err == nil {
		err = tx.WithContext(ctx).Exec(`DELETE FROM kept_accounts k WHERE user_id = ? AND EXISTS (SELECT FROM payers p WHERE p.owner = ?
			AND p.provider = k.provider)`, from, ofUser(from)).Error
	}
	if err == nil {
		err = tx.WithContext(ctx).Exec(`UPDATE kept_accounts SET user_id = ? WHERE user_id = ?`, into, from).Error
	}
	if err != nil {
		return fmt.Errorf("merge kept cards: %w", err)
	}
	return nil
}

// eraseCards forgets what an account has kept, its bank accounts included. The cards go with their payers at the provider.
func eraseCards(ctx context.Context, tx *gorm.DB, user int64) error {
	err := drop(ctx, tx, `user_id = ?`, user)
	if err == nil {
		err = tx.WithContext(ctx).Exec(`DELETE FROM kept_accounts WHERE user_id = ?`, user).Error
	}
	if err != nil {
		return fmt.Errorf("erase kept cards: %w", err)
	}
	return nil
}
