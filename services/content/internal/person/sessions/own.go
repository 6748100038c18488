package sessions

import (
	"context"
	"fmt"
	"time"

	"github.com/mileusna/useragent"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/person/capabilities"
	"talkoot.fi/content/internal/person/secondstep"
)

// ErrUnknownSession: the person has no such session.
var ErrUnknownSession = apperr.New(apperr.NotFound)

// Own is one of a person's sessions.
type Own struct {
	ID                string
	UserAgent         string
	CreatedAt, SeenAt time.Time
}

// List is where a person is signed in, the latest first.
func (s *Service) List(ctx context.Context, userID int64) (list []Own, err error) {
	err = s.db.WithContext(ctx).Raw(`
		SELECT id, user_agent, created_at, coalesce(seen_at, created_at) AS seen_at FROM sessions
		WHERE user_id = ? AND expires_at > ? ORDER BY 4 DESC, id`, userID, s.now()).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list sessions of user %d: %w", userID, err)
	}
	return list, nil
}

// Device is what a browser says of itself: its name, its system, and the kind of machine (phone, tablet, computer,
// unknown). It is a help to the person's memory, not a proof.
func (o Own) Device() (kind, browser, system string) {
	agent := useragent.Parse(o.UserAgent)
	switch {
	case agent.Tablet:
		kind = "tablet"
	case agent.Mobile:
		kind = "phone"
	case agent.Desktop:
		kind = "computer"
	default:
		kind = "unknown"
	}
	return kind, agent.Name, agent.OS
}

// End ends one of a person's sessions. Error: ErrUnknownSession.
func (s *Service) End(ctx context.Context, userID int64, sessionID string) error {
	ended := s.db.WithContext(ctx).Exec(`DELETE FROM sessions WHERE id = ? AND user_id = ?`, sessionID, userID)
	if ended.Error != nil {
		return fmt.Errorf("end a session of user %d: %w", userID, ended.Error)
	}
	if ended.RowsAffected == 0 {
		return ErrUnknownSession
	}
	return nil
}

// EndOthers ends all of a person's sessions but the one, and all else by which somebody acts for their account.
func (s *Service) EndOthers(ctx context.Context, who session.Identity) error {
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		if _, err := lock(ctx, tx, who.UserID); err != nil {
			return err
		}
		return capabilities.End(ctx, tx, who.UserID, who.SessionID, s.now())
	})
}

// Confirmation is what somebody who is signed in shows: a password or a second step; Challenge is that of a passkey.
type Confirmation struct {
	Password, Challenge string
	secondstep.Proof
}

// Confirm notes that who is signed in has shown that it is still them. Wrong ones are counted as at sign-in. Errors:
// InvalidFields with the field that does not match; secondstep.ErrChallenge; TooManyRequests; ErrBusy.
func (s *Service) Confirm(ctx context.Context, who session.Identity, c Confirmation, at Origin) error {
	var account struct{ Email, PasswordHash string }
	err := s.db.WithContext(ctx).Raw(`SELECT email, password_hash FROM users WHERE id = ?`, who.UserID).Scan(&account).Error
	if err != nil {
		return fmt.Errorf("read user %d: %w", who.UserID, err)
	}
	what := ofSecondStep(who.UserID)
	if c.Password != "" {
		what = ofPassword
	}
	err = s.counted(ctx, what, account.Email, at, func() error {
		if c.Password != "" {
			ok, err := s.matches(ctx, account.PasswordHash, c.Password)
			if err == nil && !ok {
				err = ErrSignInFailed
			}
			if err != nil {
				return err
			}
		}
		return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
			if c.Password == "" {
				if err := s.steps.Confirm(ctx, tx, who.UserID, who.SessionID, c.Challenge, c.Proof); err != nil {
					return err
				}
			}
			return tx.Exec(`
				UPDATE sessions SET confirmed_at = @now, step_confirmed_at = CASE WHEN @step THEN @now ELSE step_confirmed_at END
				WHERE id = @id`, map[string]any{"now": s.now(), "id": who.SessionID, "step": c.Password == ""}).Error
		})
	})
	if isWrong(err) {
		return c.fault().Wrap(err)
	}
	return err
}

// fault is that of the field that does not match. It is no 401, with which an app would take the session for ended.
func (c Confirmation) fault() *apperr.Error {
	fault := apperr.New(apperr.InvalidFields)
	switch {
	case c.Password != "":
		return fault.WithField("password", apperr.RulePasswordWrong)
	case c.Code != "":
		return fault.WithField("code", apperr.RuleCodeWrong)
	case c.BackupCode != "":
		return fault.WithField("backup_code", apperr.RuleBackupCodeWrong)
	}
	return fault.WithField("passkey", apperr.RulePasskeyWrong)
}

// Confirmed allows what wants more than a session, such as a change of second steps: of an account that has a second step to who has
// shown it within confirmedFor, because others may know the password. Error: ErrUnconfirmed.
func (s *Service) Confirmed(ctx context.Context, who session.Identity) error {
	own, err := s.standing(ctx, who)
	if err == nil && own.ConfirmedUntil == nil {
		err = ErrUnconfirmed
	}
	return err
}

// Standing is what a session and its account allow.
type Standing struct {
	HasPassword, IsStaff, HasSecondStep bool
	HasSteps                            bool       // of the account
	ConfirmedUntil                      *time.Time // nil if that is past
}

// lacksStep says that the account has a second step, and that none was shown lately: the password alone is not enough.
func (own Standing) lacksStep() bool { return own.HasSteps && own.ConfirmedUntil == nil }

func (s *Service) standing(ctx context.Context, who session.Identity) (Standing, error) {
	var row struct {
		HasPassword, HasSecondStep, HasSteps bool
		Scope                                dbx.TextArray `gorm:"type:text[]"`
		ConfirmedAt                          *time.Time
	}
	found := s.db.WithContext(ctx).Raw(`
		SELECT u.password_hash <> '' AS has_password, u.scope, s.second_step_at IS NOT NULL AS has_second_step, has.steps AS has_steps,
		       CASE WHEN has.steps THEN s.step_confirmed_at ELSE s.confirmed_at END AS confirmed_at
		FROM sessions s JOIN users u ON u.id = s.user_id
		CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM totp_apps WHERE user_id = u.id AND secret IS NOT NULL)
		    OR EXISTS (SELECT FROM passkeys WHERE user_id = u.id) AS steps) has
		WHERE s.id = ? AND u.id = ?`, who.SessionID, who.UserID).Scan(&row)
	switch {
	case found.Error != nil:
		return Standing{}, fmt.Errorf("read a session: %w", found.Error)
	case found.RowsAffected == 0:
		return Standing{}, ErrEnded
	}
	own := Standing{HasPassword: row.HasPassword, IsStaff: isStaff(row.Scope), HasSecondStep: row.HasSecondStep,
		HasSteps: row.HasSteps}
	if row.ConfirmedAt != nil {
		if until := row.ConfirmedAt.Add(confirmedFor); until.After(s.now()) {
			own.ConfirmedUntil = &until
		}
	}
	return own, nil
}
