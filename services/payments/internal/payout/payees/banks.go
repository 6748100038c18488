package payees

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/payments/internal/provider"
)

// Bank is a bank account that a creator has given us for payouts. Its number is at the provider alone.
type Bank struct {
	ID, PayeeID       string
	Ref               string // the provider's id; "" until it is known
	Country, LastFour string
	State             BankState
	NameCheck         provider.NameCheck
	ActiveAt          *time.Time // when its owner had confirmed it
	PaysFrom          *time.Time // nothing is paid out to it before
	CreatedAt         time.Time
	HasFailed         bool `gorm:"->"` // the last payout to it has failed or come back
}

// Label is an account as people tell it from others: FI ···· 0785.
func (b Bank) Label() string { return b.Country + " ···· " + b.LastFour }

// IsFirst tells that it is the first one that its creator had in use.
func (b Bank) IsFirst() bool {
	return b.ActiveAt != nil && b.PaysFrom != nil && b.PaysFrom.Equal(*b.ActiveAt)
}

const bankColumns = `b.id, b.payee_id, b.ref, b.country, b.last_four, b.state, b.name_check, b.active_at, b.pays_from, b.created_at`

func readBanks(ctx context.Context, db *gorm.DB, where string, args ...any) (list []Bank, err error) {
	if err := db.WithContext(ctx).Raw(`SELECT `+bankColumns+` FROM payee_banks b `+where, args...).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("read bank accounts: %w", err)
	}
	return list, nil
}

// BankOf is the bank account to which an account's money is paid out; none without one. In a transaction it stays so until the end.
func (s *Service) BankOf(ctx context.Context, db *gorm.DB, name, ref string) (Bank, error) {
	list, err := readBanks(ctx, db, `JOIN payees p ON p.id = b.payee_id WHERE p.provider = ? AND p.ref = ? AND p.ref <> '' AND b.state = 'active' FOR SHARE OF b`, name, ref)
	if err != nil || len(list) == 0 {
		return Bank{}, err
	}
	return list[0], nil
}

// ShownBanks are the bank accounts that the owner of an account sees: the one in use, and before it the newest if that is another.
func (s *Service) ShownBanks(ctx context.Context, payeeID string) (shown []Bank, err error) {
	var list []Bank
	err = s.db.WithContext(ctx).Raw(`SELECT `+bankColumns+`, coalesce((SELECT m.state IN ('refused', 'returned') FROM settlement_moves m
			WHERE m.kind = 'payout' AND m.destination = b.ref AND b.ref <> '' ORDER BY m.at DESC LIMIT 1), false) AS has_failed
		FROM payee_banks b WHERE b.payee_id = ? ORDER BY b.created_at DESC, b.id DESC`, payeeID).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read bank accounts: %w", err)
	}
	for i, b := range list {
		if i == 0 || b.State == BankActive {
			shown = append(shown, b)
		}
		if b.State == BankActive {
			break
		}
	}
	return shown, nil
}
