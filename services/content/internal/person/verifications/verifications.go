// Package verifications confirms e-mail addresses by a mailed link that works once, within two days. It owns the table
// email_verifications and the column users.verified.
//
// An address may have several accounts, because registering does not tell whether it has one. A link shows whose the
// mailbox is, a session which of the accounts is theirs.
//
// Invariants: the database holds a token's hash, never the token, which is made when the mail is sent; an account that
// registered becomes verified only by a mailed link and by who is signed in to it (Confirm) or gets its password by the
// link (Prove), which also counts the likes that waited for it; one account of an address is verified.
package verifications

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/discovery/likes"
	"talkoot.fi/content/internal/mail/undeliverable"
	"talkoot.fi/content/internal/person/profiles"
)

// KindMail is the outbox's kind of the mail with the link; its payload is a Mail.
const KindMail = "mail.verification"

// Mail is the payload of KindMail.
type Mail struct {
	UserID int64 `json:"user_id"`
}

// lifetime of a link.
const lifetime = 48 * time.Hour

// Errors of using a link.
var (
	// ErrLink: the link was used, has expired or never existed.
	ErrLink = apperr.New(apperr.EmailLinkExpired)
	// ErrTaken: another account has confirmed the address.
	ErrTaken = apperr.New(apperr.EmailTaken)
	// ErrOtherAddress: the link was mailed to another address than that of who is signed in.
	ErrOtherAddress = apperr.New(apperr.EmailLinkOther)
	// ErrOtherAccount: who is signed in has confirmed the address; the link is that of another account with it.
	ErrOtherAccount = apperr.New(apperr.EmailLinkAccount)
)

// Ask queues the mail with a link, in the caller's transaction.
func Ask(ctx context.Context, tx *gorm.DB, userID int64) error {
	payload, err := json.Marshal(Mail{UserID: userID})
	if err != nil {
		return fmt.Errorf("encode the mail of user %d: %w", userID, err)
	}
	_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindMail, Payload: payload})
	return err
}

// Recipient is whom a link is mailed to. It has no name of who has not confirmed the address: a stranger may have typed it.
type Recipient struct {
	Email, FirstName, Language string
	// HasOther: another account has confirmed the address.
	HasOther bool
	// IsConfirmed: they have confirmed it, and its mail server has refused mail since. The mail tells that it arrives, without a link.
	IsConfirmed bool
}

// Issue makes the token of a link for a person's current address, and stores its hash. Ok is false if the person is
// verified already, unless mail to them was refused: then a mail is a trial.
func Issue(ctx context.Context, db *gorm.DB, userID int64, now time.Time) (to Recipient, token string, ok bool, err error) {
	token = rand.Text()
	hash := sha256.Sum256([]byte(token))
	issued := db.WithContext(ctx).Raw(`
		WITH person AS (
			SELECT id, email, CASE WHEN verified THEN first_name ELSE '' END AS first_name, language, verified AS is_confirmed, NOT verified AND EXISTS (
				SELECT FROM users o WHERE lower(o.email) = lower(u.email) AND o.verified) AS has_other
			FROM users u WHERE id = @user AND erased_at IS NULL AND (NOT verified OR `+undeliverable.RefusedAtSQL+` IS NOT NULL)),
		link AS (
			INSERT INTO email_verifications (token_hash, user_id, email, created_at, expires_at)
			SELECT @hash, id, email, @now, @expires FROM person WHERE NOT is_confirmed)
		SELECT email, first_name, language, has_other, is_confirmed FROM person`,
		map[string]any{"user": userID, "hash": hash[:], "now": now, "expires": now.Add(lifetime)}).Scan(&to)
	if issued.Error != nil {
		return Recipient{}, "", false, fmt.Errorf("issue a link to user %d: %w", userID, issued.Error)
	}
	return to, token, issued.RowsAffected == 1, nil
}

// Merge moves what a person has in one account to another one of theirs; they are signed in to one of the two.
type Merge func(ctx context.Context, tx *gorm.DB, from, to, signedIn int64) error

// Outcome is what using a link has done.
type Outcome string

// The outcomes.
const (
	Confirmed Outcome = "confirmed" // who is signed in has confirmed their address
	Merged    Outcome = "merged"    // what they had is in the account that has confirmed it
)

// Confirm uses a link, in one transaction: whoever is signed in to an account of its address confirms the address. If
// another account has already, what they have is moved into that one; merge is nil if they have not agreed to that. Into the
// account that has confirmed it goes what the link's account has, if that has the same password.
// Errors: ErrLink, ErrTaken, ErrOtherAddress, ErrOtherAccount, which leave the link as it is.
func Confirm(ctx context.Context, db *gorm.DB, userID int64, token string, now time.Time, merge Merge) (outcome Outcome, err error) {
	hash := sha256.Sum256([]byte(token))
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		var email string
		if err := tx.Raw(`SELECT email FROM users WHERE id = ?`, userID).Scan(&email).Error; err != nil {
			return fmt.Errorf("read user %d: %w", userID, err)
		}
		if err := profiles.LockAddress(ctx, tx, email); err != nil {
			return err
		}
		var link struct {
			UserID       int64
			IsOwners     bool // its address is that of who is signed in
			IsConfirmed  bool // by who is signed in
			SamePassword bool // as who is signed in has
		}
		used := tx.Raw(`
			WITH used AS (DELETE FROM email_verifications WHERE token_hash = @hash AND expires_at > @now RETURNING user_id, email)
			SELECT used.user_id, lower(used.email) = lower(me.email) AS is_owners, me.verified AS is_confirmed,
			       me.password_hash <> '' AND me.password_hash = u.password_hash AND u.blocked_at IS NULL AND u.id <> me.id AS same_password
			FROM used JOIN users u ON u.id = used.user_id CROSS JOIN users me WHERE me.id = @user`,
			map[string]any{"hash": hash[:], "now": now, "user": userID}).Scan(&link)
		switch {
		case used.Error != nil:
			return fmt.Errorf("use a link: %w", used.Error)
		case used.RowsAffected == 0:
			return ErrLink
		case !link.IsOwners:
			return ErrOtherAddress
		case link.IsConfirmed && link.SamePassword && merge == nil:
			return ErrTaken
		case link.IsConfirmed && link.SamePassword: // which signs in to this account, so nobody comes into the other one
			outcome = Merged
			return merge(ctx, tx, link.UserID, userID, userID)
		case link.IsConfirmed && link.UserID != userID:
			return ErrOtherAccount
		case link.IsConfirmed:
			return ErrLink
		}
		outcome = Confirmed
		err := Prove(ctx, tx, userID)
		if merge == nil || !errors.Is(err, ErrTaken) {
			return err
		}
		outcome = Merged
		return intoConfirmed(ctx, tx, email, userID, merge)
	})
	return outcome, err
}

// intoConfirmed merges an account, the one that is signed in, into the one that has confirmed the address. Error: ErrTaken
// if that one is blocked.
func intoConfirmed(ctx context.Context, tx *gorm.DB, email string, from int64, merge Merge) error {
	var to []int64
	err := tx.WithContext(ctx).Raw(`SELECT id FROM users WHERE lower(email) = lower(?) AND verified AND blocked_at IS NULL FOR NO KEY UPDATE`,
		email).Scan(&to).Error
	if err != nil {
		return fmt.Errorf("look up who has confirmed an address: %w", err)
	}
	if len(to) == 0 {
		return ErrTaken
	}
	return merge(ctx, tx, from, to[0], from)
}

// Prove verifies somebody who has shown that their account's mailbox is theirs, in the caller's transaction, which has
// locked the address. Error: ErrTaken.
func Prove(ctx context.Context, tx *gorm.DB, userID int64) error {
	proven := tx.WithContext(ctx).Exec(`
		UPDATE users u SET verified = true WHERE id = ? AND erased_at IS NULL
		AND NOT EXISTS (SELECT FROM users o WHERE lower(o.email) = lower(u.email) AND o.verified AND o.id <> u.id)`, userID)
	if proven.Error != nil {
		return fmt.Errorf("verify user %d: %w", userID, proven.Error)
	}
	if proven.RowsAffected == 0 {
		return ErrTaken
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
	if _, err := dbx.Prune(ctx, db, `email_verifications`, `expires_at < ?`, now); err != nil {
		return fmt.Errorf("prune links: %w", err)
	}
	return nil
}
