package claims

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// Erase forgets, in the caller's transaction, what was written about claims of pledges whose backer erases their account, and whose account
// acted on claims of others. Claims that are not over are closed: nobody could be told any more. What goes back stays, for bookkeeping.
func Erase(ctx context.Context, tx *gorm.DB, userID int64, pledgeIDs []string, now time.Time) error {
	for _, statement := range []string{
		`WITH closed AS (UPDATE claims c SET state = 'closed', version = c.version + 1, due_at = NULL, offer_minor = NULL, offer_day = NULL, updated_at = @now
			FROM claims b WHERE b.id = c.id AND c.pledge_id IN @pledges AND c.state NOT IN ('agreed', 'decided', 'closed') RETURNING c.id, b.state)
		 INSERT INTO claim_messages (claim_id, at, role, act, from_state, to_state) SELECT id, @now, 'backer', 'withdraw', state, 'closed' FROM closed`,
		`UPDATE claim_messages SET text = '', tracking = '' WHERE claim_id IN (SELECT id FROM claims WHERE pledge_id IN @pledges)`,
		`UPDATE claims SET tracking = '' WHERE pledge_id IN @pledges`,
		`UPDATE agreed_refunds SET note = '' WHERE pledge_id IN @pledges`,
		`UPDATE claim_messages SET user_id = NULL WHERE user_id = @user`,
		`UPDATE agreed_refunds SET user_id = NULL WHERE user_id = @user`,
	} {
		if err := tx.WithContext(ctx).Exec(statement, map[string]any{"user": userID, "pledges": append([]string{""}, pledgeIDs...), "now": now}).Error; err != nil {
			return fmt.Errorf("erase the claims of user %d: %w", userID, err)
		}
	}
	return nil
}

// Merge gives what one account did about claims to another of the same person.
func Merge(ctx context.Context, tx *gorm.DB, from, to int64) error {
	for _, table := range []string{"claim_messages", "agreed_refunds"} {
		if err := tx.WithContext(ctx).Exec(`UPDATE `+table+` SET user_id = ? WHERE user_id = ?`, to, from).Error; err != nil {
			return fmt.Errorf("move the %s of user %d to user %d: %w", table, from, to, err)
		}
	}
	return nil
}
