package secondstep

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// Asked is a second step that a sign-in waits for.
type Asked struct {
	Token     string
	Methods   []string // passkey, totp, backup_code
	Options   []byte   // for the browser, if the account has passkeys: PublicKeyCredentialRequestOptionsJSON
	ExpiresAt time.Time
}

// Ask begins the second step of a sign-in; nil for an account that has none.
func (s *Service) Ask(ctx context.Context, tx *gorm.DB, userID int64) (*Asked, error) {
	state, err := s.Read(ctx, tx, userID)
	if err != nil || !state.HasAny() {
		return nil, err
	}
	var a Asked
	c := challenge{Purpose: forSecondStep, UserID: &userID}
	if len(state.Passkeys) == 0 {
		a.Token, a.ExpiresAt, err = s.open(ctx, tx, c, nil)
	} else {
		a.Methods = append(a.Methods, "passkey")
		a.Token, a.ExpiresAt, a.Options, err = s.askPasskeys(ctx, tx, c, state.Passkeys)
	}
	if err != nil {
		return nil, err
	}
	if state.App != nil {
		a.Methods = append(a.Methods, "totp")
	}
	if state.BackupCodes > 0 {
		a.Methods = append(a.Methods, "backup_code")
	}
	return &a, nil
}

// Owner is whose sign-in waits for a second step. Error: ErrChallenge.
func (s *Service) Owner(ctx context.Context, token string) (userID int64, email string, err error) {
	var row struct {
		ID    int64
		Email string
	}
	found := s.db.WithContext(ctx).Raw(`
		SELECT u.id, u.email FROM second_step_challenges c JOIN users u ON u.id = c.user_id
		WHERE c.token_hash = ? AND c.purpose = ? AND c.expires_at > ?`,
		hashOf(token), forSecondStep, s.now()).Scan(&row)
	if found.Error != nil {
		return 0, "", fmt.Errorf("look up a challenge: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return 0, "", ErrChallenge
	}
	return row.ID, row.Email, nil
}

// Pass takes the second step of a sign-in, in the transaction that begins the session and has locked the person. Errors:
// ErrChallenge, ErrCode, ErrBackupCode, ErrPasskey.
func (s *Service) Pass(ctx context.Context, tx *gorm.DB, token string, p Proof) error {
	c, ceremony, err := s.take(ctx, tx, forSecondStep, token)
	if err != nil {
		return err
	}
	if p.Passkey != nil {
		return s.takePasskey(ctx, tx, *c.UserID, ceremony, p.Passkey)
	}
	return s.takeTyped(ctx, tx, *c.UserID, p)
}

// takeTyped takes a code or a backup code.
func (s *Service) takeTyped(ctx context.Context, tx *gorm.DB, userID int64, p Proof) error {
	if p.Code != "" {
		return s.takeCode(ctx, tx, userID, p.Code)
	}
	return s.takeBackupCode(ctx, tx, userID, p.BackupCode)
}

// AskPasskey begins a sign-in with a passkey alone.
func (s *Service) AskPasskey(ctx context.Context) (token string, options []byte, err error) {
	assertion, ceremony, err := s.web.BeginDiscoverableLogin(withUserVerified)
	if err != nil {
		return "", nil, fmt.Errorf("ask for a passkey: %w", err)
	}
	return s.asking(ctx, s.db, challenge{Purpose: forSignIn}, ceremony, assertion.Response)
}

// PassPasskey takes a sign-in with a passkey alone, in the transaction that begins the session. Errors: ErrChallenge,
// ErrPasskey.
func (s *Service) PassPasskey(ctx context.Context, tx *gorm.DB, token string, passkey []byte) (userID int64, err error) {
	_, ceremony, err := s.take(ctx, tx, forSignIn, token)
	if err != nil {
		return 0, err
	}
	return s.takeAnyPasskey(ctx, tx, ceremony, passkey)
}

// AskToConfirm begins a confirmation by passkey of somebody who is signed in. Error: ErrNone.
func (s *Service) AskToConfirm(ctx context.Context, userID int64, sessionID string) (token string, options []byte, err error) {
	keys, err := passkeysOf(ctx, s.db, userID, "")
	if err != nil {
		return "", nil, err
	}
	if len(keys) == 0 {
		return "", nil, ErrNone
	}
	token, _, options, err = s.askPasskeys(ctx, s.db, challenge{Purpose: forConfirm, UserID: &userID, SessionID: &sessionID}, keys)
	return token, options, err
}

// Confirm takes a second step of somebody who is signed in, in the transaction that notes it; token is that of a
// passkey. Errors: ErrChallenge, ErrCode, ErrBackupCode, ErrPasskey.
func (s *Service) Confirm(ctx context.Context, tx *gorm.DB, userID int64, sessionID, token string, p Proof) error {
	if p.Passkey == nil {
		return s.takeTyped(ctx, tx, userID, p)
	}
	c, ceremony, err := s.take(ctx, tx, forConfirm, token)
	if err != nil {
		return err
	}
	if *c.UserID != userID || *c.SessionID != sessionID {
		return ErrChallenge
	}
	return s.takePasskey(ctx, tx, userID, ceremony, p.Passkey)
}
