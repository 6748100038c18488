package sessions

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/session"
)

const (
	// seenEvery is how exactly it is known when a session was last used: each request would write else.
	seenEvery = 5 * time.Minute
	// confirmedFor is how long who has shown that it is them may do what wants more than a session.
	confirmedFor = 10 * time.Minute
)

// opening is how a session is begun.
type opening struct {
	at         Origin
	secondStep bool // besides the password, or a passkey alone
}

// record is a row of sessions.
type record struct {
	ID                        string
	UserID                    int64
	CreatedAt, ExpiresAt      time.Time
	UserAgent                 string
	SecondStepAt, ConfirmedAt *time.Time
	StepConfirmedAt           *time.Time
}

// TableName is GORM's.
func (record) TableName() string { return "sessions" }

// open writes a session, with the mail about it if the device is not known, and signs its token. Who has just passed a second step has
// confirmed that it is them.
func (s *Service) open(ctx context.Context, tx *gorm.DB, p *Person, o opening) error {
	id := ids.New()
	httpx.NoteSubject(ctx, p.ID)
	var err error
	p.Token, p.ExpiresAt, err = s.signer.Sign(session.Identity{UserID: p.ID, SessionID: id})
	if err != nil {
		return err
	}
	now := s.now()
	row := record{ID: id, UserID: p.ID, CreatedAt: now, ExpiresAt: p.ExpiresAt, UserAgent: o.at.Agent}
	if o.secondStep {
		row.SecondStepAt, row.ConfirmedAt, row.StepConfirmedAt = &now, &now, &now
	}
	if err := tx.WithContext(ctx).Create(&row).Error; err != nil {
		return fmt.Errorf("begin session: %w", err)
	}
	if err := s.tellNewDevice(ctx, tx, p, o.at); err != nil {
		return err
	}
	p.SecondStepMissing = isStaff(p.Scope) && !o.secondStep
	p.Scope = given(p.Scope, o.secondStep)
	return nil
}

// isStaff reports whether an account has more than the scope that everybody has.
func isStaff(scope []string) bool {
	return slices.Contains(scope, session.ScopeEdit) || slices.Contains(scope, session.ScopeAdmin)
}

// given is the scope that a session gives: staff that signed in with a password alone have no more than everybody.
func given(scope []string, hasSecondStep bool) []string {
	if hasSecondStep || !isStaff(scope) {
		return scope
	}
	return []string{session.ScopeView}
}

// Live is the identity with the scope that the account has now and the session gives, read by primary keys. Error:
// ErrEnded when the session has ended or the account is blocked.
func (s *Service) Live(ctx context.Context, who session.Identity) (session.Identity, error) {
	var row struct {
		Scope         dbx.TextArray `gorm:"type:text[]"`
		HasSecondStep bool
		SeenAt        time.Time
	}
	found := s.db.WithContext(ctx).Raw(`
		SELECT u.scope, s.second_step_at IS NOT NULL AS has_second_step, coalesce(s.seen_at, s.created_at) AS seen_at
		FROM sessions s JOIN users u ON u.id = s.user_id
		WHERE s.id = ? AND u.id = ? AND u.blocked_at IS NULL`, who.SessionID, who.UserID).Scan(&row)
	if found.Error != nil {
		return session.Identity{}, fmt.Errorf("look up session: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return session.Identity{}, ErrEnded
	}
	who.Scope = given(row.Scope, row.HasSecondStep)
	if now := s.now(); now.Sub(row.SeenAt) > seenEvery {
		if err := s.db.WithContext(ctx).Exec(`UPDATE sessions SET seen_at = ? WHERE id = ?`, now, who.SessionID).Error; err != nil {
			return session.Identity{}, fmt.Errorf("note that a session is used: %w", err)
		}
	}
	return who, nil
}

// ByHeader is the identity that a browser's Authorization header gives, for calls that another service passes on. Errors: those
// of session.Verifier, ErrEnded.
func (s *Service) ByHeader(ctx context.Context, header string) (session.Identity, error) {
	who, err := s.verifier.VerifyHeader(header)
	if err != nil {
		return session.Identity{}, err
	}
	return s.Live(ctx, who)
}

// SignOut ends a session. A second call changes nothing.
func (s *Service) SignOut(ctx context.Context, sessionID string) error {
	if err := s.db.WithContext(ctx).Exec(`DELETE FROM sessions WHERE id = ?`, sessionID).Error; err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}
