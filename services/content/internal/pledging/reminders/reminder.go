package reminders

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// Reminder is who is mailed about which campaign.
type Reminder struct {
	Email, Language     string
	AddressHash         []byte
	CampaignID          int64
	CampaignTitle, Slug string
	IsMonthly           bool
	Deadline            *time.Time
}

// Read reads the reminder of a mail; false when it was withdrawn, or its campaign takes nothing any more.
func (m Mail) Read(ctx context.Context, db *gorm.DB, now time.Time) (r Reminder, isDue bool, err error) {
	found := db.WithContext(ctx).Raw(`
		SELECT r.email, r.language, sha256(convert_to(lower(r.email), 'UTF8')) AS address_hash, c.id AS campaign_id, c.slug,
		       v.preview ->> 'title' AS campaign_title, c.stage = 6 AS is_monthly, c.funding_deadline AS deadline
		FROM payment_reminders r JOIN campaigns c ON c.id = r.campaign_id AND `+openSQL+`
		JOIN campaign_previews v ON v.campaign_id = c.id AND v.language = r.language
		WHERE r.id = @id`, map[string]any{"id": m.ReminderID, "now": now}).Scan(&r)
	if found.Error != nil {
		return r, false, fmt.Errorf("read reminder %d: %w", m.ReminderID, found.Error)
	}
	return r, found.RowsAffected > 0, nil
}

// Forget forgets the address, once its mail has left or never will.
func (m Mail) Forget(ctx context.Context, db *gorm.DB) error {
	if err := db.WithContext(ctx).Exec(`DELETE FROM payment_reminders WHERE id = ?`, m.ReminderID).Error; err != nil {
		return fmt.Errorf("forget reminder %d: %w", m.ReminderID, err)
	}
	return nil
}

// Erase forgets what an address, confirmed by whoever erases their account, waits for and has refused, in the caller's transaction.
func Erase(ctx context.Context, tx *gorm.DB, address string) error {
	for _, statement := range []string{
		`DELETE FROM payment_reminders WHERE lower(email) = lower(@email)`,
		`DELETE FROM reminder_refusals WHERE address_hash = ` + hashed,
	} {
		if err := tx.WithContext(ctx).Exec(statement, map[string]any{"email": address}).Error; err != nil {
			return fmt.Errorf("forget reminders: %w", err)
		}
	}
	return nil
}
