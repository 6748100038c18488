package sessions

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"golang.org/x/text/unicode/norm"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/outbox"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/person/capabilities"
	"talkoot.fi/content/internal/person/notices"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/person/secondstep"
	"talkoot.fi/content/internal/person/verifications"
)

// KindResetMail is the outbox's kind of the mail with a link that sets a new password; its payload is a ResetMail.
const KindResetMail = "mail.password_reset"

// ResetMail is the payload of KindResetMail: the address as it was typed, which may have no account.
type ResetMail struct {
	Email string `json:"email"`
}

// resetFor is how long a link is good.
const resetFor = time.Hour

// ErrResetLink: the link was used, has expired, is another address's or never existed.
var ErrResetLink = apperr.New(apperr.EmailLinkExpired)

var errOldPassword = apperr.New(apperr.InvalidFields).WithField("old_password", apperr.RulePasswordWrong)

// ChangePassword sets a new password of who is signed in, ends their other sessions and mails them. Errors: faults of
// the fields old_password and new_password; ErrUnconfirmed for an account with second steps, none of which was shown lately: whoever
// has learnt the password would have the account with it; TooManyRequests after too many wrong old ones; ErrEnded when the session
// has ended meanwhile; ErrBusy.
func (s *Service) ChangePassword(ctx context.Context, who session.Identity, old, wanted string, at Origin) error {
	var a account
	if err := s.db.WithContext(ctx).Raw(accountSQL+` WHERE id = ?`, who.UserID).Scan(&a).Error; err != nil {
		return fmt.Errorf("read user %d: %w", who.UserID, err)
	}
	if norm.NFC.String(old) == norm.NFC.String(wanted) {
		return apperr.New(apperr.InvalidFields).WithField("new_password", apperr.RulePasswordSame)
	}
	if err := a.checkNew(wanted); err != nil {
		return err
	}
	own, err := s.standing(ctx, who)
	if err != nil {
		return err
	}
	if own.lacksStep() {
		return ErrUnconfirmed
	}
	err = s.counted(ctx, ofPassword, a.Email, at, func() error {
		ok, err := s.matches(ctx, a.PasswordHash, old)
		if err == nil && !ok {
			return ErrSignInFailed
		}
		return err
	})
	if errors.Is(err, ErrSignInFailed) {
		return errOldPassword
	}
	if err != nil {
		return err
	}
	return s.writePassword(ctx, a.Email, wanted, func(tx *gorm.DB, hash string) error {
		if err := a.stillHas(ctx, tx, who); err != nil {
			return err
		}
		return s.setPassword(ctx, tx, a.ID, hash, who.SessionID, notices.PasswordChanged)
	})
}

// account is what a new password is compared with.
type account struct {
	ID                                       int64
	Email, FirstName, LastName, PasswordHash string
	Verified                                 bool
}

const accountSQL = `SELECT id, email, first_name, last_name, password_hash, verified FROM users`

// checkNew returns the fault of a new password.
func (a account) checkNew(password string) error {
	fault := apperr.New(apperr.InvalidFields)
	switch rule := checkPassword(password, a.Email, a.FirstName, a.LastName); rule {
	case "":
		return nil
	case apperr.RuleMinLength:
		return fault.WithField("new_password", rule, apperr.Params{"min": minPassword})
	default:
		return fault.WithField("new_password", rule)
	}
}

// stillHas keeps the account as it is until the transaction ends, after it had the password and the session when these
// were looked at: hashing takes a while, in which somebody may have set another one by mail, or ended the session.
// Errors: ErrEnded; errOldPassword.
func (a account) stillHas(ctx context.Context, tx *gorm.DB, who session.Identity) error {
	hash, err := lock(ctx, tx, a.ID)
	if err != nil {
		return err
	}
	if err := capabilities.LockSession(ctx, tx, who); err != nil {
		return err
	}
	if hash != a.PasswordHash {
		return errOldPassword
	}
	return nil
}

// lock locks an account's row, before its sessions and links as everywhere, and reads the password's hash.
func lock(ctx context.Context, tx *gorm.DB, userID int64) (hash string, err error) {
	err = tx.WithContext(ctx).Raw(`SELECT password_hash FROM users WHERE id = ? FOR NO KEY UPDATE`, userID).Scan(&hash).Error
	if err != nil {
		return "", fmt.Errorf("lock user %d: %w", userID, err)
	}
	return hash, nil
}

// setPassword writes a password, ends all by which somebody acts for the account but the one session, and mails it.
func (s *Service) setPassword(ctx context.Context, tx *gorm.DB, userID int64, hash, keptSession string, event notices.Event) error {
	if err := tx.WithContext(ctx).Exec(`UPDATE users SET password_hash = ? WHERE id = ?`, hash, userID).Error; err != nil {
		return fmt.Errorf("set the password of user %d: %w", userID, err)
	}
	if err := capabilities.End(ctx, tx, userID, keptSession, s.now()); err != nil {
		return err
	}
	return notices.Record(ctx, tx, userID, event, notices.Person, s.now())
}

// AskReset queues the mail with a link, whether the address has an account or not: only the worker that sends it looks,
// so that neither answer nor work here tells. After too many for one address it queues nothing, and does not say so.
func (s *Service) AskReset(ctx context.Context, email string) error {
	email = profiles.NormalEmail(email)
	if may, err := s.mayMail(ctx, s.db, toReset, email); err != nil || !may {
		return err
	}
	payload, err := json.Marshal(ResetMail{Email: email})
	if err != nil {
		return fmt.Errorf("encode a reset: %w", err)
	}
	_, err = outbox.Add(ctx, s.db, outbox.Message{Kind: KindResetMail, Payload: payload})
	return err
}

// ResetPassword sets a new password by a mailed link, uses it up and ends all by which somebody acts for the account. A
// link of an address that was not confirmed confirms it, unless another account has meanwhile, empties the profile and removes second
// steps: whoever made them had not shown that the address is theirs, and a profile becomes public with the address.
// The device cookie that it returns lets who has the mailbox sign in while others guess (provenKey). Errors:
// ErrResetLink; the fault of new_password, which leaves the link as it is; ErrBusy.
func (s *Service) ResetPassword(ctx context.Context, email, token, wanted string, at Origin) (device string, err error) {
	sum := sha256.Sum256([]byte(token))
	var a account
	found := s.db.WithContext(ctx).Raw(accountSQL+` u WHERE lower(email) = lower(@email) AND blocked_at IS NULL AND EXISTS (
		SELECT FROM password_resets r WHERE r.token_hash = @hash AND r.user_id = u.id AND r.email = u.email AND r.expires_at > @now)`,
		map[string]any{"email": profiles.NormalEmail(email), "hash": sum[:], "now": s.now()}).Scan(&a)
	if found.Error != nil {
		return "", fmt.Errorf("look up a link: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return "", ErrResetLink
	}
	if err := a.checkNew(wanted); err != nil {
		return "", err
	}
	err = s.writePassword(ctx, a.Email, wanted, func(tx *gorm.DB, hash string) error {
		if !a.Verified { // before the account is locked: its campaigns are locked first
			if err := s.emptyProfile(ctx, tx, a.ID, s.now()); err != nil {
				return err
			}
		}
		if _, err := lock(ctx, tx, a.ID); err != nil {
			return err
		}
		used := tx.Exec(`DELETE FROM password_resets WHERE token_hash = ? AND expires_at > ?`, sum[:], s.now())
		if used.Error != nil {
			return fmt.Errorf("use a link: %w", used.Error)
		}
		if used.RowsAffected == 0 {
			return ErrResetLink // somebody was faster
		}
		if !a.Verified {
			if _, err := secondstep.RemoveAll(ctx, tx, a.ID); err != nil {
				return err
			}
			switch err := verifications.Prove(ctx, tx, a.ID); {
			case errors.Is(err, verifications.ErrTaken):
				return ErrResetLink
			case err != nil:
				return err
			}
		}
		if err := s.forget(ctx, tx, a.Email); err != nil {
			return err
		}
		return s.setPassword(ctx, tx, a.ID, hash, "", notices.PasswordReset)
	})
	if err != nil {
		return "", err
	}
	return s.deviceCookieFor(provenKey(accountKey(a.Email)), at.Device), nil
}
