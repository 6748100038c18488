// Package verifications confirms e-mail addresses by a mailed link that works once, within two days. It owns the table
// email_verifications and the column users.verified.
//
// Invariants: the database holds a token's hash, never the token, which is made when the mail is sent; an account that
// registered becomes verified only by a mailed link (Confirm, Prove), which also counts the likes that waited for it.
package verifications

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/likes"
)

// KindMail is the outbox's kind of the mail with the link; its payload is a Mail.
const KindMail = "mail.verification"

// Mail is the payload of KindMail.
type Mail struct {
	UserID int64 `json:"user_id"`
}

// lifetime of a link.
const lifetime = 48 * time.Hour

// ErrLink: the link was used, has expired or never existed.
var ErrLink = apperr.New(apperr.EmailLinkExpired)

// Ask queues the mail with a link, in the caller's transaction.
func Ask(ctx context.Context, tx *gorm.DB, userID int64) error {
	payload, err := json.Marshal(Mail{UserID: userID})
	if err != nil {
		return fmt.Errorf("encode the mail of user %d: %w", userID, err)
	}
	_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindMail, Payload: payload})
	return err
}

// Recipient is whom a link is mailed to.
type Recipient struct{ Email, FirstName, Language string }

// Issue makes the token of a link for a person's current address, and stores its hash. Ok is false if the person is
// verified already.
func Issue(ctx context.Context, db *gorm.DB, userID int64, now time.Time) (to Recipient, token string, ok bool, err error) {
	token = rand.Text()
	hash := sha256.Sum256([]byte(token))
	issued := db.WithContext(ctx).Raw(`
		WITH person AS (SELECT id, email, first_name, language FROM users WHERE id = @user AND NOT verified AND erased_at IS NULL),
		link AS (
			INSERT INTO email_verifications (token_hash, user_id, email, created_at, expires_at)
			SELECT @hash, id, email, @now, @expires FROM person)
		SELECT email, first_name, language FROM person`,
		map[string]any{"user": userID, "hash": hash[:], "now": now, "expires": now.Add(lifetime)}).Scan(&to)
	if issued.Error != nil {
		return Recipient{}, "", false, fmt.Errorf("issue a link to user %d: %w", userID, issued.Error)
	}
	return to, token, issued.RowsAffected == 1, nil
}

// Confirm verifies the person of a token and deletes all their tokens, in one transaction. Error: ErrLink.
func Confirm(ctx context.Context, db *gorm.DB, token string, now time.Time) error {
	hash := sha256.Sum256([]byte(token))
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		var users []int64
		err := tx.Raw(`
			WITH used AS (DELETE FROM email_verifications WHERE token_hash = ? AND expires_at > ? RETURNING user_id, email)
			UPDATE users u SET verified = true FROM used WHERE u.id = used.user_id AND u.email = used.email RETURNING u.id`,
			hash[:], now).Scan(&users).Error
		if err != nil {
			return fmt.Errorf("confirm an address: %w", err)
		}
		if len(users) == 0 {
			return ErrLink
		}
		return confirmed(ctx, tx, users[0])
	})
}

// Prove verifies somebody who has used another link that was mailed to their address, in the caller's transaction.
func Prove(ctx context.Context, tx *gorm.DB, userID int64) error {
	if err := tx.WithContext(ctx).Exec(`UPDATE users SET verified = true WHERE id = ?`, userID).Error; err != nil {
		return fmt.Errorf("verify user %d: %w", userID, err)
	}
	return confirmed(ctx, tx, userID)
}

// confirmed deletes the tokens of who is verified now, and counts their likes.
func confirmed(ctx context.Context, tx *gorm.DB, userID int64) error {
	if err := tx.WithContext(ctx).Exec(`DELETE FROM email_verifications WHERE user_id = ?`, userID).Error; err != nil {
		return fmt.Errorf("end other links of user %d: %w", userID, err)
	}
	return likes.CountLater(ctx, tx, userID)
}

// Erase deletes a person's tokens, in the caller's transaction.
func Erase(ctx context.Context, tx *gorm.DB, userID int64) error {
	if err := tx.WithContext(ctx).Exec(`DELETE FROM email_verifications WHERE user_id = ?`, userID).Error; err != nil {
		return fmt.Errorf("end links of user %d: %w", userID, err)
	}
	return nil
}

// Prune deletes expired tokens.
func Prune(ctx context.Context, db *gorm.DB, now time.Time) error {
	if err := db.WithContext(ctx).Exec(`DELETE FROM email_verifications WHERE expires_at < ?`, now).Error; err != nil {
		return fmt.Errorf("prune links: %w", err)
	}
	return nil
}
