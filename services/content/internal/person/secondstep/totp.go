package secondstep

import (
	"context"
	"crypto/subtle"
	"fmt"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/person/capabilities"
	"talkoot.fi/content/internal/person/notices"
)

// Parameters that every code app knows: RFC 6238 with SHA-1, six digits and half a minute.
const (
	step = 30 // seconds
	// skew is how many steps a phone's clock may be off.
	skew = 1
	// pendingFor is how long a secret waits for its first code.
	pendingFor = time.Hour
)

// BeginTOTP makes a secret for a code app, which holds once ConfirmTOTP has a code of it. An app in use stays in use
// until then. The key has the secret in base32 and as an otpauth:// address.
func (s *Service) BeginTOTP(ctx context.Context, userID int64) (*otp.Key, error) {
	var email string
	if err := s.db.WithContext(ctx).Raw(`SELECT email FROM users WHERE id = ?`, userID).Scan(&email).Error; err != nil {
		return nil, fmt.Errorf("read the address of user %d: %w", userID, err)
	}
	key, err := totp.Generate(totp.GenerateOpts{Issuer: issuer, AccountName: email, Period: step})
	if err != nil {
		return nil, fmt.Errorf("make a secret: %w", err)
	}
	sealed, err := s.seals.sealed(userID, key.Secret())
	if err != nil {
		return nil, err
	}
	err = s.db.WithContext(ctx).Exec(`
		INSERT INTO totp_apps (user_id, pending, pending_at) VALUES (@user, @pending, @now)
		ON CONFLICT (user_id) DO UPDATE SET pending = @pending, pending_at = @now`,
		map[string]any{"user": userID, "pending": sealed, "now": s.now()}).Error
	if err != nil {
		return nil, fmt.Errorf("keep the secret of user %d: %w", userID, err)
	}
	return key, nil
}

// ConfirmTOTP takes the first code of a new app into use. With an account's first second step it makes backup codes. Other sessions
// that began with the password alone end.
// Errors: ErrNotBegun, ErrCode.
func (s *Service) ConfirmTOTP(ctx context.Context, userID int64, sessionID, code string) (backupCodes []string, err error) {
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		if err := lock(ctx, tx, userID); err != nil {
			return err
		}
		var pending [][]byte
		err := tx.Raw(`SELECT pending FROM totp_apps WHERE user_id = ? AND pending_at > ?`, userID, s.now().Add(-pendingFor)).Scan(&pending).Error
		if err != nil {
			return fmt.Errorf("read the new app of user %d: %w", userID, err)
		}
		if len(pending) == 0 {
			return ErrNotBegun
		}
		secret, _, err := s.seals.opened(userID, pending[0])
		if err != nil {
			return err
		}
		at, err := s.stepOf(userID, secret, code, 0)
		if err != nil {
			return err
		}
		before, err := s.Read(ctx, tx, userID)
		if err != nil {
			return err
		}
		err = tx.Exec(`
			UPDATE totp_apps SET secret = pending, added_at = @now, used_at = NULL, last_step = @step, pending = NULL, pending_at = NULL
			WHERE user_id = @user`, map[string]any{"user": userID, "now": s.now(), "step": at}).Error
		if err != nil {
			return fmt.Errorf("take the app of user %d into use: %w", userID, err)
		}
		if backupCodes, err = s.codesOfFirst(ctx, tx, userID, before); err != nil {
			return err
		}
		if err := capabilities.StepAdded(ctx, tx, userID, sessionID, s.now()); err != nil {
			return err
		}
		return notices.Record(ctx, tx, userID, notices.TOTPAdded, notices.Person, s.now())
	})
	return backupCodes, err
}

// Enrol gives an account a code app with a known secret (base32), for demo content. A second call changes nothing.
func (s *Service) Enrol(ctx context.Context, tx *gorm.DB, userID int64, secret string) error {
	sealed, err := s.seals.sealed(userID, secret)
	if err != nil {
		return err
	}
	err = tx.WithContext(ctx).Exec(`INSERT INTO totp_apps (user_id, secret, added_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
		userID, sealed, s.now()).Error
	if err != nil {
		return fmt.Errorf("enrol user %d: %w", userID, err)
	}
	return nil
}

// RemoveTOTP removes the code app. A second call changes nothing.
func (s *Service) RemoveTOTP(ctx context.Context, userID int64) error {
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		if err := lock(ctx, tx, userID); err != nil {
			return err
		}
		var removed []bool
		err := tx.Raw(`DELETE FROM totp_apps WHERE user_id = ? RETURNING secret IS NOT NULL`, userID).Scan(&removed).Error
		if err != nil {
			return fmt.Errorf("remove the app of user %d: %w", userID, err)
		}
		if len(removed) == 0 || !removed[0] {
			return nil
		}
		if err := s.dropCodesOfNone(ctx, tx, userID); err != nil {
			return err
		}
		return notices.Record(ctx, tx, userID, notices.TOTPRemoved, notices.Person, s.now())
	})
}

// takeCode takes a code of the app in use. Of two who send the same one at once one is refused. Error: ErrCode.
func (s *Service) takeCode(ctx context.Context, tx *gorm.DB, userID int64, code string) error {
	var app struct {
		Secret   []byte
		LastStep int64
	}
	found := tx.WithContext(ctx).Raw(`SELECT secret, last_step FROM totp_apps WHERE user_id = ? AND secret IS NOT NULL`, userID).Scan(&app)
	if found.Error != nil {
		return fmt.Errorf("read the app of user %d: %w", userID, found.Error)
	}
	if found.RowsAffected == 0 {
		return ErrCode
	}
	secret, isOld, err := s.seals.opened(userID, app.Secret)
	if err != nil {
		return err
	}
	at, err := s.stepOf(userID, secret, code, app.LastStep)
	if err != nil {
		return err
	}
	sealed := app.Secret
	if isOld { // by the key in use from now on, so that the one of before can go
		if sealed, err = s.seals.sealed(userID, secret); err != nil {
			return err
		}
	}
	taken := tx.WithContext(ctx).Exec(`UPDATE totp_apps SET last_step = @step, used_at = @now, secret = @sealed
		WHERE user_id = @user AND last_step < @step AND secret = @was`,
		map[string]any{"user": userID, "step": at, "now": s.now(), "sealed": sealed, "was": app.Secret})
	if taken.Error != nil {
		return fmt.Errorf("take a code of user %d: %w", userID, taken.Error)
	}
	if taken.RowsAffected == 0 {
		return ErrCode
	}
	return nil
}

// stepOf is the time step whose code it is, among those around now and after the last one taken. Error: ErrCode.
func (s *Service) stepOf(userID int64, secret, code string, last int64) (int64, error) {
	code = strings.Join(strings.Fields(code), "")
	now := s.now().Unix() / step
	for at := max(now-skew, last+1); at <= now+skew; at++ {
		want, err := hotp.GenerateCode(secret, uint64(at)) //nolint:gosec // a time step after 1970
		if err != nil {
			return 0, fmt.Errorf("make the code of user %d: %w", userID, err)
		}
		if subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			return at, nil
		}
	}
	return 0, ErrCode
}
