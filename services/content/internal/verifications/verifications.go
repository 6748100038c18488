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
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/likes"
	"talkoot.fi/content/internal/profiles"
)

// KindMail is the outbox's kind of the mail with the link; its payload is a Mail.
const KindMail = "mail.verification"

// Mail is the payload of KindMail.
type Mail struct {
	UserID int64 `json:"user_id"`
}

// lifetime of a link.
const lifetime = 48 * time.Hour

// mailsOfAddress is how many links are mailed to one address in a day, whoever asks for them: anyone may register with it.
// More are not needed, since each confirms any account of the address.
const mailsOfAddress = 10

// Errors of using a link.
var (
	// ErrLink: the link was used, has expired or never existed.
	ErrLink = apperr.New(apperr.EmailLinkExpired)
	// ErrTaken: another account has confirmed the address.
	ErrTaken = apperr.New(apperr.EmailTaken)
	// ErrOtherAddress: the link was mailed to another address than that of who is signed in.
	ErrOtherAddress = apperr.New(apperr.EmailLinkOther)
	// ErrTakesIn: the link is that of another account with the address, which the person has not agreed to take in.
	ErrTakesIn = apperr.New(apperr.EmailLinkTakesIn)
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

// Recipient is whom a link is mailed to.
type Recipient struct {
	Email, FirstName, Language string
	// HasOther: another account has confirmed the address.
	HasOther bool
}

// Issue makes the token of a link for a person's current address, and stores its hash. Ok is false if the person is
// verified already, and after mailsOfAddress.
func Issue(ctx context.Context, db *gorm.DB, userID int64, now time.Time) (to Recipient, token string, ok bool, err error) {
	token = rand.Text()
	hash := sha256.Sum256([]byte(token))
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		own, err := ownOf(ctx, tx, userID)
		if err != nil {
			return err
		}
		issued := tx.Raw(`
			WITH person AS (
				SELECT id, email, first_name, language, EXISTS (
					SELECT FROM users o WHERE lower(o.email) = lower(u.email) AND o.verified) AS has_other
				FROM users u WHERE id = @user AND NOT verified AND erased_at IS NULL AND @most > (
					SELECT count(*) FROM email_verifications v WHERE lower(v.email) = lower(@email) AND v.created_at > @yesterday)),
			link AS (
				INSERT INTO email_verifications (token_hash, user_id, email, created_at, expires_at)
				SELECT @hash, id, email, @now, @expires FROM person)
			SELECT email, first_name, language, has_other FROM person`,
			map[string]any{"user": userID, "email": own.Email, "hash": hash[:], "now": now, "expires": now.Add(lifetime),
				"most": mailsOfAddress, "yesterday": now.Add(-24 * time.Hour)}).Scan(&to)
		ok = issued.RowsAffected == 1
		return issued.Error
	})
	if err != nil {
		return Recipient{}, "", false, fmt.Errorf("issue a link to user %d: %w", userID, err)
	}
	return to, token, ok, nil
}

// own is the account of who is signed in, or gets a mail.
type own struct {
	Email    string
	Verified bool
}

// ownOf reads an account and locks its address.
func ownOf(ctx context.Context, tx *gorm.DB, userID int64) (o own, err error) {
	read := func() error {
		return tx.WithContext(ctx).Raw(`SELECT email, verified FROM users WHERE id = ?`, userID).Scan(&o).Error
	}
	if err = read(); err == nil {
		err = profiles.LockAddress(ctx, tx, o.Email)
	}
	if err == nil {
		err = read() // while it waited, somebody may have confirmed it
	}
	if err != nil {
		return own{}, fmt.Errorf("read user %d: %w", userID, err)
	}
	return o, nil
}

// TakeIn moves what one account has to another one of the same person, and closes the first.
type TakeIn func(ctx context.Context, tx *gorm.DB, from, to int64) error

// Outcome is what using a link has done.
type Outcome string

// The outcomes.
const (
	Confirmed Outcome = "confirmed" // who is signed in has confirmed their address
	TakenIn   Outcome = "taken_in"  // what the link's account had is theirs now
)

// Confirm uses a link, in one transaction: whoever is signed in to an account of its address confirms the address. If
// they have already, they take the link's account in, which they registered again, or somebody else did; takeIn is nil
// if they have not agreed to that. Errors: ErrLink, ErrTaken, ErrOtherAddress, ErrTakesIn, which leave the link as it is.
func Confirm(ctx context.Context, db *gorm.DB, userID int64, token string, now time.Time, takeIn TakeIn) (outcome Outcome, err error) {
	hash := sha256.Sum256([]byte(token))
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		own, err := ownOf(ctx, tx, userID)
		if err != nil {
			return err
		}
		var link struct {
			UserID   int64
			IsOwners bool // its address is that of who is signed in
		}
		used := tx.Raw(`
			WITH used AS (DELETE FROM email_verifications WHERE token_hash = @hash AND expires_at > @now RETURNING user_id, email)
			SELECT used.user_id, lower(used.email) = lower(@email) AS is_owners FROM used JOIN users u ON u.id = used.user_id AND u.email = used.email`,
			map[string]any{"hash": hash[:], "now": now, "email": own.Email}).Scan(&link)
		switch {
		case used.Error != nil:
			return fmt.Errorf("use a link: %w", used.Error)
		case used.RowsAffected == 0:
			return ErrLink
		case !link.IsOwners:
			return ErrOtherAddress
		case !own.Verified:
			outcome = Confirmed
			return Prove(ctx, tx, userID)
		case link.UserID == userID:
			return ErrLink // mailed before they confirmed
		}
		if takeIn == nil {
			return ErrTakesIn
		}
		outcome = TakenIn
		return takeIn(ctx, tx, link.UserID, userID)
	})
	return outcome, err
}

// Prove verifies somebody who has shown that their account's mailbox is theirs, in the caller's transaction, which has
// locked the address. Error: ErrTaken.
func Prove(ctx context.Context, tx *gorm.DB, userID int64) error {
	proven := tx.WithContext(ctx).Exec(`
		UPDATE users u SET verified = true WHERE id = ?
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
	if err := db.WithContext(ctx).Exec(`DELETE FROM email_verifications WHERE expires_at < ?`, now).Error; err != nil {
		return fmt.Errorf("prune links: %w", err)
	}
	return nil
}
