package accounts

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"
)

// UnreadySQL is whether a campaign c cannot be paid out to: it names no account, or one that is not ready.
const UnreadySQL = `(c.payment_account_id = '' AND c.payment_user_id = '' OR EXISTS (
	SELECT FROM (VALUES ('stripe', c.payment_account_id), ('mangopay', c.payment_user_id)) AS named(provider, id) WHERE named.id <> ''
		AND NOT EXISTS (SELECT FROM payout_accounts a WHERE a.provider = named.provider AND a.account_id = named.id AND a.state = 'ready')))`

// waitsSQL is whether money waits for an account: a campaign takes some, or has ended with some for its creator less than two months ago.
const waitsSQL = `((c.stage IN (2, 6) AND c.hold = '' OR c.stage = 3 AND EXISTS (SELECT FROM campaign_endings e
	WHERE e.campaign_id = c.id AND e.goes_to = 'creator' AND e.ended_at > CAST(@now AS timestamptz) - interval '60 days')) AND ` + UnreadySQL + `)`

const (
	stateMissing = "missing"
	remindBatch  = 100
)

// Remind has the creators of campaigns mailed whose money cannot be paid out: a day after that was seen first, three days later, and every
// week from then on, until it can. It gives how many were.
func Remind(ctx context.Context, db *gorm.DB, now time.Time) (told int, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		tx = tx.WithContext(ctx)
		args := map[string]any{"now": now, "batch": remindBatch}
		for _, sql := range []string{
			`DELETE FROM payout_reminders r USING campaigns c WHERE c.id = r.campaign_id AND NOT ` + waitsSQL,
			`INSERT INTO payout_reminders (campaign_id, at) SELECT c.id, @now FROM campaigns c WHERE ` + waitsSQL + ` ON CONFLICT DO NOTHING`,
		} {
			if err := tx.Exec(sql, args).Error; err != nil {
				return err
			}
		}
		var due []struct {
			CampaignID, UserID int64
			Told               int
		}
		err := tx.Raw(`
			WITH due AS (SELECT campaign_id FROM payout_reminders
				WHERE at <= CAST(@now AS timestamptz) - CASE told WHEN 0 THEN interval '1 day' WHEN 1 THEN interval '3 days' ELSE interval '7 days' END
				ORDER BY at LIMIT @batch FOR UPDATE SKIP LOCKED)
			UPDATE payout_reminders r SET told = told + 1, at = @now FROM due JOIN campaign_team m ON m.campaign_id = due.campaign_id AND m.position = 0
			WHERE r.campaign_id = due.campaign_id RETURNING r.campaign_id, m.user_id, r.told`, args).Scan(&due).Error
		if err != nil {
			return err
		}
		for _, d := range due {
			payload, err := json.Marshal(Mail{UserID: d.UserID, State: stateMissing, CampaignID: d.CampaignID})
			if err != nil {
				return err
			}
			_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindMail, Payload: payload, DedupeKey: fmt.Sprintf("%s:%d:%d", KindMail, d.CampaignID, now.UnixMicro())})
			if err != nil {
				return err
			}
		}
		told = len(due)
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("remind creators of their accounts: %w", err)
	}
	return told, nil
}
