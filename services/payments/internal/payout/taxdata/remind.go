package taxdata

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/contentclient"
)

// batch is how many accounts one sweep reminds at most.
const batch = 200

// openSQL is that an account of a row t is still there to be paid to.
const openSQL = `EXISTS (SELECT FROM payees p WHERE p.user_id = t.user_id AND p.ref <> '' AND p.state <> 'closed')`

// Sweep asks whoever has an account since the last time, and reminds whom it is time to remind.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.Now()
	err := s.DB.WithContext(ctx).Exec(`INSERT INTO tax_records (user_id, asked_at) SELECT DISTINCT user_id, CAST(? AS timestamptz) FROM payees p
		WHERE user_id IS NOT NULL AND ref <> '' AND state <> 'closed' AND NOT EXISTS (SELECT FROM tax_records t WHERE t.user_id = p.user_id) ON CONFLICT DO NOTHING`, now).Error
	if err != nil {
		return fmt.Errorf("ask for tax data: %w", err)
	}
	var due []int64
	err = s.DB.WithContext(ctx).Raw(`SELECT user_id FROM tax_records t WHERE given_at IS NULL AND erased_at IS NULL AND reminded_again_at IS NULL AND asked_at <= @asked
		AND (reminded_at IS NULL OR reminded_at <= @reminded) AND `+openSQL+` ORDER BY asked_at LIMIT @batch`,
		map[string]any{"asked": now.Add(-firstAfter), "reminded": now.Add(-secondAfter), "batch": batch}).Scan(&due).Error
	if err != nil {
		return fmt.Errorf("read whom to remind of tax data: %w", err)
	}
	isTold := false
	for _, id := range due {
		told, failed := s.remind(ctx, id)
		isTold, err = isTold || told, errors.Join(err, failed)
	}
	if isTold {
		s.WakeEvents()
	}
	return err
}

// remind tells one creator, if it is still time to.
func (s *Service) remind(ctx context.Context, userID int64) (told bool, err error) {
	err = dbx.InTx(ctx, s.DB, func(tx *gorm.DB) error {
		told = false
		r, isThere, err := one(ctx, tx, `WHERE user_id = ? AND erased_at IS NULL FOR UPDATE`, userID)
		now := s.Now()
		if err != nil || !isThere {
			return err
		}
		number := r.Reminder(now)
		column := "reminded_at"
		switch number {
		case 0:
			return nil
		case 1:
			r.RemindedAt = &now
		default:
			r.RemindedAgainAt, column = &now, "reminded_again_at"
		}
		if told, err = s.Remind(ctx, tx, userID, contentclient.PayeeTaxReminder{Number: number, HeldFrom: r.By()}); err != nil || !told {
			return err
		}
		return tx.WithContext(ctx).Exec(`UPDATE tax_records SET `+column+` = ? WHERE user_id = ?`, now, userID).Error
	})
	if err != nil {
		return false, fmt.Errorf("remind account %d of its tax data: %w", userID, err)
	}
	return told, nil
}

// IsHeld tells whether what is payable to an account at a provider waits for its owner's tax data. Who has erased themselves is asked nothing.
func (s *Service) IsHeld(ctx context.Context, db *gorm.DB, provider, ref string) (bool, error) {
	r, isThere, err := ofAccount(ctx, db, provider, ref)
	return isThere && r.IsHeld(s.Now()), err
}

// MissingBy is from when what is payable to an account at a provider waits, or has waited; nil when nothing is missing, and of who has erased themselves.
func (s *Service) MissingBy(ctx context.Context, db *gorm.DB, provider, ref string) (*time.Time, error) {
	r, isThere, err := ofAccount(ctx, db, provider, ref)
	if err != nil || !isThere || r.GivenAt != nil {
		return nil, err
	}
	by := r.By()
	return &by, nil
}

func ofAccount(ctx context.Context, db *gorm.DB, provider, ref string) (record, bool, error) {
	return one(ctx, db, `WHERE erased_at IS NULL AND user_id = (SELECT user_id FROM payees WHERE provider = ? AND ref = ? AND ref <> '')`, provider, ref)
}
