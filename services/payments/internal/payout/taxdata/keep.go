package taxdata

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/charging/calendar"
)

// keepYears is how many calendar years a record is kept after the last one of which something was reported: platforms keep what they have asked
// for at least five and at most ten (Directive 2011/16/EU, Annex V, section IV B 2).
const keepYears = 10

// numbersSQL are the numbers by which the book knows the creator of an account: its own, and those by which they were paid before they joined two
// accounts of theirs here.
const numbersSQL = `(SELECT CAST(@user AS bigint) UNION SELECT r.payee_id FROM settlement_runs r JOIN payees p ON p.provider = r.provider AND p.ref = r.payee_ref
	WHERE p.user_id = @user AND p.ref <> '' AND r.payee_id > 0)`

// lastSQL is when something was last reported of numbers.
const lastSQL = `(SELECT max(t.booked_at) FROM ledger_accounts a JOIN ledger_entries e ON e.account_id = a.id JOIN ledger_transactions t ON t.id = e.transaction_id
	WHERE a.class IN ` + creatorsClasses + ` AND t.kind NOT IN ` + unreported + ` AND ` + payeeOf + ` = ANY (%s))`

// Erase forgets an account's record with it, or keeps it for the law when something was, or is still to be, reported of it. A repeat changes nothing.
// It has to run before whose the accounts at the providers are is forgotten.
func (s *Service) Erase(ctx context.Context, userID int64) error {
	err := dbx.InTx(ctx, s.DB, func(tx *gorm.DB) error {
		r, isThere, err := one(ctx, tx, `WHERE user_id = ? AND erased_at IS NULL FOR UPDATE`, userID)
		if err != nil || !isThere {
			return err
		}
		var last sql.NullTime // invalid when nothing was
		isDue, now := false, s.Now()
		args := map[string]any{"user": userID}
		err = tx.WithContext(ctx).Raw(`SELECT `+fmt.Sprintf(lastSQL, numbersSQL), args).Scan(&last).Error
		if err == nil {
			err = tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM settlement_runs r JOIN payees p ON p.provider = r.provider AND p.ref = r.payee_ref
				WHERE p.user_id = @user AND p.ref <> '' AND r.state IN ('counting', 'proposed', 'approved'))`, args).Scan(&isDue).Error
		}
		if err != nil {
			return err
		}
		if r.Version == 0 || !isDue && (!last.Valid || isOver(last.Time, now)) {
			return tx.WithContext(ctx).Exec(`DELETE FROM tax_records WHERE user_id = ?`, userID).Error
		}
		return tx.WithContext(ctx).Exec(`UPDATE tax_records SET erased_at = @now, payee_numbers = ARRAY`+numbersSQL+` WHERE user_id = @user`,
			map[string]any{"user": userID, "now": now}).Error
	})
	if err != nil {
		return fmt.Errorf("forget a tax record: %w", err)
	}
	return nil
}

// isOver tells whether what was last reported then need not be kept any more.
func isOver(last, now time.Time) bool {
	return calendar.DayOf(now).Year() > calendar.DayOf(last).Year()+keepYears
}

// Prune deletes the records of erased accounts that need not be kept any more, and what only says that somebody was asked who has no account now.
func (s *Service) Prune(ctx context.Context) error {
	err := s.DB.WithContext(ctx).Exec(`DELETE FROM tax_records t WHERE version = 0 AND NOT EXISTS (SELECT FROM payees p WHERE p.user_id = t.user_id)`).Error
	if err != nil {
		return fmt.Errorf("delete who was asked for tax data: %w", err)
	}
	var kept []struct {
		UserID   int64
		ErasedAt time.Time
		Last     sql.NullTime // invalid when nothing was reported
	}
	err = s.DB.WithContext(ctx).Raw(`SELECT r.user_id, r.erased_at, ` + fmt.Sprintf(lastSQL, "r.payee_numbers") + ` AS last
		FROM tax_records r WHERE r.erased_at IS NOT NULL ORDER BY r.user_id`).Scan(&kept).Error
	if err != nil {
		return fmt.Errorf("read which tax records are kept: %w", err)
	}
	for _, one := range kept {
		if one.Last.Valid && !isOver(one.Last.Time, s.Now()) || !one.Last.Valid && s.Now().Before(one.ErasedAt.AddDate(1, 0, 0)) {
			continue // of what was being settled then and came to nothing a year is enough
		}
		if err := s.DB.WithContext(ctx).Exec(`DELETE FROM tax_records WHERE user_id = ? AND erased_at IS NOT NULL`, one.UserID).Error; err != nil {
			return fmt.Errorf("delete a tax record: %w", err)
		}
	}
	return nil
}
