// Package capabilities ends what lets somebody act or read as an account without signing in to it anew: sessions, links in
// mails, secret addresses. It owns no table; the test of the package holds its list against every column of the schema that
// keeps a token, a secret or the hash of one.
//
// Invariant: what somebody made while they were in an account does not outlive their being in it. Whoever sets a new password,
// signs out everywhere, is blocked or erased has all of it ended, in the same transaction.
package capabilities

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/session"
)

// kind is one kind of capability: the column that makes it one, and the statement that ends those of an account.
type kind struct{ column, end string }

var kinds = []kind{ //nolint:gochecknoglobals // a constant that Go cannot have
	{"sessions.id", `DELETE FROM sessions WHERE user_id = @user AND id <> @kept`},
	{"second_step_challenges.token_hash", `DELETE FROM second_step_challenges WHERE user_id = @user`},
	{"totp_apps.pending", `
		WITH begun AS (DELETE FROM totp_apps WHERE user_id = @user AND secret IS NULL)
		UPDATE totp_apps SET pending = NULL, pending_at = NULL WHERE user_id = @user AND secret IS NOT NULL`},
	{"password_resets.token_hash", `DELETE FROM password_resets WHERE user_id = @user`},
	// The row stays, so that no former address comes back.
	{"calendar_feeds.number", `UPDATE calendar_feeds SET is_on = false WHERE user_id = @user`},
	// To an address of their own, somebody could invite themself to the team of whose account they were in.
	{"team_invitation_links.token_hash", `
		WITH ended AS (UPDATE team_invitations SET ended_at = @now WHERE invited_by = @user AND ended_at IS NULL RETURNING id)
		DELETE FROM team_invitation_links WHERE invitation_id IN (SELECT id FROM ended)`},
	{"experiment_invitations.user_id", `UPDATE experiment_invitations SET ended_at = @now WHERE invited_by = @user AND ended_at IS NULL`},
	{"receipt_links.token_hash", `DELETE FROM receipt_links WHERE pledge_id IN (SELECT id FROM pledges WHERE user_id = @user)`},
	{"subscription_links.token_hash", `
		DELETE FROM subscription_links WHERE subscription_id IN (SELECT id FROM subscriptions WHERE user_id = @user)`},
}

// End ends all capabilities of an account but the kept session, which is empty for none, in the caller's transaction.
func End(ctx context.Context, tx *gorm.DB, userID int64, keptSession string, now time.Time) error {
	for _, k := range kinds {
		err := tx.WithContext(ctx).Exec(k.end, map[string]any{"user": userID, "kept": keptSession, "now": now.UTC()}).Error
		if err != nil {
			return fmt.Errorf("end %s of user %d: %w", k.column, userID, err)
		}
	}
	return nil
}

// StepAdded ends the sessions of an account that began with its password alone, in the transaction that has added a second step: from
// now on the password alone begins none. The one in which it was added has just shown it.
func StepAdded(ctx context.Context, tx *gorm.DB, userID int64, sessionID string, now time.Time) error {
	for _, statement := range []string{
		`DELETE FROM sessions WHERE user_id = @user AND second_step_at IS NULL AND id <> @session`,
		`UPDATE sessions SET confirmed_at = @now, step_confirmed_at = @now WHERE user_id = @user AND id = @session`,
	} {
		err := tx.WithContext(ctx).Exec(statement, map[string]any{"user": userID, "session": sessionID, "now": now.UTC()}).Error
		if err != nil {
			return fmt.Errorf("change sessions of user %d, who has added a second step: %w", userID, err)
		}
	}
	return nil
}

// LockSession keeps a session from ending until the caller's transaction does, so that what is made in it is seen by whoever
// ends all of the account's, or is not made. Error: TokenExpired when the session has ended.
func LockSession(ctx context.Context, tx *gorm.DB, who session.Identity) error {
	var held []string
	err := tx.WithContext(ctx).Raw(`SELECT id FROM sessions WHERE id = ? AND user_id = ? FOR KEY SHARE`, who.SessionID, who.UserID).Scan(&held).Error
	if err != nil {
		return fmt.Errorf("hold a session: %w", err)
	}
	if len(held) == 0 {
		return apperr.New(apperr.TokenExpired)
	}
	return nil
}
