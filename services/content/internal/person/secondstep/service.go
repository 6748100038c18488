package secondstep

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
)

// Errors of second steps.
var (
	// ErrCode: the code does not match, or it or a later one was taken before.
	ErrCode = apperr.New(apperr.SecondStepFailed)
	// ErrBackupCode: there is no such backup code, or it was used.
	ErrBackupCode = apperr.New(apperr.SecondStepFailed)
	// ErrPasskey: the passkey is unknown, or its answer does not fit what was asked.
	ErrPasskey = apperr.New(apperr.PasskeyFailed)
	// ErrChallenge: the challenge was used, has expired or never existed.
	ErrChallenge = apperr.New(apperr.ChallengeExpired)
	// ErrNotBegun: no secret waits for its first code.
	ErrNotBegun = apperr.New(apperr.TotpNotBegun)
	// ErrNone: the account has no second step that backup codes could stand in for.
	ErrNone = apperr.New(apperr.NoSecondStep)
	// ErrTooMany: the account has maxPasskeys.
	ErrTooMany = apperr.New(apperr.TooManyPasskeys)
	// ErrUnknown: the person has no such passkey.
	ErrUnknown = apperr.New(apperr.NotFound)
)

// issuer is how code apps and passkeys name the platform.
const issuer = "Talkoot"

// Options are the parts of a Service.
type Options struct {
	DB  *gorm.DB
	Now func() time.Time
	// Keys of 32 bytes: the first seals the secrets of code apps, all open them. An app whose key is not among them has to be set up anew.
	Keys [][]byte
	// PublicURL is the origin that passkeys are bound to; browsers make none for hosts that are IP addresses.
	PublicURL string
}

// Service keeps second steps.
type Service struct {
	db    *gorm.DB
	now   func() time.Time
	seals seals
	web   *webauthn.WebAuthn
}

// New makes the service. Errors: a key of another length, a PublicURL without a host.
func New(o Options) (*Service, error) {
	keys, err := newSeals(o.Keys)
	if err != nil {
		return nil, err
	}
	origin, err := url.Parse(o.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("origin of passkeys: %w", err)
	}
	web, err := webauthn.New(&webauthn.Config{RPID: origin.Hostname(), RPDisplayName: issuer,
		RPOrigins: []string{origin.Scheme + "://" + origin.Host}, AttestationPreference: protocol.PreferNoAttestation})
	if err != nil {
		return nil, fmt.Errorf("set up passkeys: %w", err)
	}
	return &Service{db: o.DB, seals: keys, web: web,
		now: func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) }}, nil
}

// Proof is what somebody shows: one of its fields.
type Proof struct {
	Code, BackupCode string
	// Passkey is the AuthenticationResponseJSON of a browser.
	Passkey []byte
}

// State is the second steps of an account.
type State struct {
	App         *App // nil without one
	Passkeys    []Passkey
	BackupCodes int // left
}

// App is a code app in use.
type App struct {
	AddedAt time.Time
	UsedAt  *time.Time
}

// HasAny reports whether the account has two steps.
func (s State) HasAny() bool { return s.App != nil || len(s.Passkeys) > 0 }

// Read reads the second steps of an account.
func (s *Service) Read(ctx context.Context, db *gorm.DB, userID int64) (State, error) {
	var row struct {
		AddedAt, UsedAt *time.Time
		BackupCodes     int
	}
	err := db.WithContext(ctx).Raw(`
		SELECT t.added_at, t.used_at, (SELECT count(*) FROM backup_codes WHERE user_id = u.id) AS backup_codes
		FROM users u LEFT JOIN totp_apps t ON t.user_id = u.id AND t.secret IS NOT NULL WHERE u.id = ?`, userID).Scan(&row).Error
	if err != nil {
		return State{}, fmt.Errorf("read second steps of user %d: %w", userID, err)
	}
	state := State{BackupCodes: row.BackupCodes}
	if row.AddedAt != nil {
		state.App = &App{AddedAt: *row.AddedAt, UsedAt: row.UsedAt}
	}
	state.Passkeys, err = passkeysOf(ctx, db, userID, "")
	return state, err
}

// lock makes changes of a person's second steps come one after the other.
func lock(ctx context.Context, tx *gorm.DB, userID int64) error {
	if err := tx.WithContext(ctx).Exec(`SELECT FROM users WHERE id = ? FOR NO KEY UPDATE`, userID).Error; err != nil {
		return fmt.Errorf("lock user %d: %w", userID, err)
	}
	return nil
}

// RemoveAll removes all second steps of an account, and reports whether there were any. It needs a transaction.
func RemoveAll(ctx context.Context, tx *gorm.DB, userID int64) (removed bool, err error) {
	if err := lock(ctx, tx, userID); err != nil {
		return false, err
	}
	for _, statement := range []string{`DELETE FROM totp_apps WHERE user_id = ?`, `DELETE FROM passkeys WHERE user_id = ?`,
		`DELETE FROM backup_codes WHERE user_id = ?`} {
		deleted := tx.WithContext(ctx).Exec(statement, userID)
		if deleted.Error != nil {
			return false, fmt.Errorf("remove second steps of user %d: %w", userID, deleted.Error)
		}
		removed = removed || deleted.RowsAffected > 0
	}
	return removed, EndChallenges(ctx, tx, userID)
}

// dropCodesOfNone removes the backup codes of an account whose last second step is gone. The caller has locked it.
func (s *Service) dropCodesOfNone(ctx context.Context, tx *gorm.DB, userID int64) error {
	state, err := s.Read(ctx, tx, userID)
	if err != nil || state.HasAny() {
		return err
	}
	if err := tx.WithContext(ctx).Exec(`DELETE FROM backup_codes WHERE user_id = ?`, userID).Error; err != nil {
		return fmt.Errorf("remove backup codes of user %d: %w", userID, err)
	}
	return nil
}
