package secondstep

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/person/capabilities"
	"talkoot.fi/content/internal/person/notices"
)

// maxPasskeys is how many an account may have.
const maxPasskeys = 10

// withUserVerified asks the device for a finger, a face or its code, so that a passkey alone is two steps: something that
// the person has, and something that they are or know.
var withUserVerified = webauthn.WithUserVerification(protocol.VerificationRequired) //nolint:gochecknoglobals // a constant that Go cannot have

// Passkey is a row of passkeys.
type Passkey struct {
	ID         int64
	Name       string
	AddedAt    time.Time
	UsedAt     *time.Time
	Credential []byte
}

// account is a person for the WebAuthn library.
type account struct {
	id          int64
	email, name string
	credentials []webauthn.Credential
}

// WebAuthnID is the user handle: the person's id, which tells nothing about them.
func (a *account) WebAuthnID() []byte { return binary.BigEndian.AppendUint64(nil, uint64(a.id)) } //nolint:gosec // ids are positive
// WebAuthnName is what a device shows to tell accounts apart.
func (a *account) WebAuthnName() string { return a.email }

// WebAuthnDisplayName is what a device shows.
func (a *account) WebAuthnDisplayName() string { return a.name }

// WebAuthnCredentials are the account's passkeys.
func (a *account) WebAuthnCredentials() []webauthn.Credential { return a.credentials }

// passkeysOf reads a person's passkeys; locking is FOR UPDATE where their counters will be written.
func passkeysOf(ctx context.Context, db *gorm.DB, userID int64, locking string) (keys []Passkey, err error) {
	err = db.WithContext(ctx).Raw(`SELECT id, name, added_at, used_at, credential FROM passkeys WHERE user_id = ? ORDER BY id `+locking,
		userID).Scan(&keys).Error
	if err != nil {
		return nil, fmt.Errorf("read passkeys of user %d: %w", userID, err)
	}
	return keys, nil
}

func accountOf(userID int64, keys []Passkey) (*account, error) {
	a := &account{id: userID}
	for _, key := range keys {
		var c webauthn.Credential
		if err := json.Unmarshal(key.Credential, &c); err != nil {
			return nil, fmt.Errorf("decode passkey %d: %w", key.ID, err)
		}
		a.credentials = append(a.credentials, c)
	}
	return a, nil
}

// asking stores a challenge with its ceremony, and encodes what the browser is asked.
func (s *Service) asking(ctx context.Context, db *gorm.DB, c challenge, ceremony *webauthn.SessionData, ask any) (token string, options []byte, err error) {
	if options, err = json.Marshal(ask); err != nil {
		return "", nil, fmt.Errorf("encode what a passkey is asked: %w", err)
	}
	token, _, err = s.open(ctx, db, c, ceremony)
	return token, options, err
}

// askPasskeys begins a ceremony with the passkeys of a known person.
func (s *Service) askPasskeys(ctx context.Context, db *gorm.DB, c challenge, keys []Passkey) (token string, expires time.Time, options []byte, err error) {
	a, err := accountOf(*c.UserID, keys)
	if err != nil {
		return "", time.Time{}, nil, err
	}
	assertion, ceremony, err := s.web.BeginLogin(a, withUserVerified)
	if err != nil {
		return "", time.Time{}, nil, fmt.Errorf("ask for a passkey: %w", err)
	}
	token, options, err = s.asking(ctx, db, c, ceremony, assertion.Response)
	return token, s.now().Add(challengeFor), options, err
}

// takePasskey checks the answer of a known person's passkey. Error: ErrPasskey.
func (s *Service) takePasskey(ctx context.Context, tx *gorm.DB, userID int64, ceremony webauthn.SessionData, answer []byte) error {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return ErrPasskey.Wrap(err)
	}
	if len(ceremony.AllowedCredentialIDs) == 0 { // the account had no passkey when it was asked
		return ErrPasskey
	}
	keys, err := passkeysOf(ctx, tx, userID, "FOR UPDATE")
	if err != nil {
		return err
	}
	a, err := accountOf(userID, keys)
	if err != nil {
		return err
	}
	used, err := s.web.ValidateLogin(a, ceremony, parsed)
	if err != nil {
		return ErrPasskey.Wrap(err)
	}
	return s.noteUse(ctx, tx, used)
}

// takeAnyPasskey checks the answer of a passkey that says whose it is. Error: ErrPasskey.
func (s *Service) takeAnyPasskey(ctx context.Context, tx *gorm.DB, ceremony webauthn.SessionData, answer []byte) (userID int64, err error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return 0, ErrPasskey.Wrap(err)
	}
	var broken error // of ours, not of the answer
	_, used, err := s.web.ValidatePasskeyLogin(func(_, handle []byte) (webauthn.User, error) {
		if len(handle) != 8 {
			return nil, ErrPasskey
		}
		userID = int64(binary.BigEndian.Uint64(handle)) //nolint:gosec // one that is too large is nobody's
		// The person before their passkeys, as everybody does who changes them: two who wait for each other would deadlock.
		if broken = lock(ctx, tx, userID); broken != nil {
			return nil, broken
		}
		var keys []Passkey
		if keys, broken = passkeysOf(ctx, tx, userID, "FOR UPDATE"); broken != nil {
			return nil, broken
		}
		var a *account
		a, broken = accountOf(userID, keys)
		return a, broken
	}, ceremony, parsed)
	switch {
	case broken != nil:
		return 0, broken
	case err != nil:
		return 0, ErrPasskey.Wrap(err)
	}
	return userID, s.noteUse(ctx, tx, used)
}

// noteUse stores a passkey's counter. One that has gone back is that of a copy, and is refused.
func (s *Service) noteUse(ctx context.Context, tx *gorm.DB, used *webauthn.Credential) error {
	if used.Authenticator.CloneWarning {
		return ErrPasskey
	}
	encoded, err := json.Marshal(used)
	if err != nil {
		return fmt.Errorf("encode a passkey: %w", err)
	}
	err = tx.WithContext(ctx).Exec(`UPDATE passkeys SET credential = ?, used_at = ? WHERE credential_id = ?`, string(encoded), s.now(), used.ID).Error
	if err != nil {
		return fmt.Errorf("note the use of a passkey: %w", err)
	}
	return nil
}

// BeginPasskey begins to add a passkey; options is PublicKeyCredentialCreationOptionsJSON. Error: ErrTooMany.
func (s *Service) BeginPasskey(ctx context.Context, userID int64, sessionID string) (token string, options []byte, err error) {
	keys, err := passkeysOf(ctx, s.db, userID, "")
	if err != nil {
		return "", nil, err
	}
	if len(keys) >= maxPasskeys {
		return "", nil, ErrTooMany
	}
	a, err := accountOf(userID, keys)
	if err != nil {
		return "", nil, err
	}
	err = s.db.WithContext(ctx).Raw(`SELECT email, concat_ws(' ', first_name, last_name) FROM users WHERE id = ?`, userID).Row().Scan(&a.email, &a.name)
	if err != nil {
		return "", nil, fmt.Errorf("read the name of user %d: %w", userID, err)
	}
	creation, ceremony, err := s.web.BeginRegistration(a,
		webauthn.WithExclusions(webauthn.Credentials(a.credentials).CredentialDescriptors()),
		webauthn.WithAuthenticatorSelection(protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationRequired,
		}))
	if err != nil {
		return "", nil, fmt.Errorf("begin a passkey: %w", err)
	}
	return s.asking(ctx, s.db, challenge{Purpose: forAdd, UserID: &userID, SessionID: &sessionID}, ceremony, creation.Response)
}

// AddPasskey adds the passkey that a device has made. With an account's first second step it makes backup codes.
// Other sessions that began with the password alone end.
// Errors: ErrChallenge, ErrPasskey, ErrTooMany.
func (s *Service) AddPasskey(ctx context.Context, userID int64, sessionID, token, name string, made []byte) (backupCodes []string, err error) {
	parsed, err := protocol.ParseCredentialCreationResponseBytes(made)
	if err != nil {
		return nil, ErrPasskey.Wrap(err)
	}
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		if err := lock(ctx, tx, userID); err != nil {
			return err
		}
		c, ceremony, err := s.take(ctx, tx, forAdd, token)
		if err != nil {
			return err
		}
		if *c.UserID != userID || *c.SessionID != sessionID {
			return ErrChallenge
		}
		before, err := s.Read(ctx, tx, userID)
		if err != nil {
			return err
		}
		if len(before.Passkeys) >= maxPasskeys {
			return ErrTooMany
		}
		credential, err := s.web.CreateCredential(&account{id: userID}, ceremony, parsed)
		if err != nil {
			return ErrPasskey.Wrap(err)
		}
		if err := s.insert(ctx, tx, userID, name, credential); err != nil {
			return err
		}
		if backupCodes, err = s.codesOfFirst(ctx, tx, userID, before); err != nil {
			return err
		}
		if err := capabilities.StepAdded(ctx, tx, userID, sessionID, s.now()); err != nil {
			return err
		}
		return notices.Record(ctx, tx, userID, notices.PasskeyAdded, notices.Person, s.now())
	})
	return backupCodes, err
}

func (s *Service) insert(ctx context.Context, tx *gorm.DB, userID int64, name string, credential *webauthn.Credential) error {
	credential.Attestation = webauthn.CredentialAttestation{} // none was asked for, and it is not checked again
	encoded, err := json.Marshal(credential)
	if err != nil {
		return fmt.Errorf("encode a passkey: %w", err)
	}
	added := tx.WithContext(ctx).Exec(`
		INSERT INTO passkeys (user_id, credential_id, credential, name, added_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (credential_id) DO NOTHING`, userID, credential.ID, string(encoded), strings.TrimSpace(name), s.now())
	if added.Error != nil {
		return fmt.Errorf("add a passkey of user %d: %w", userID, added.Error)
	}
	if added.RowsAffected == 0 {
		return ErrPasskey.Wrap(errors.New("it is known already"))
	}
	return nil
}

// RenamePasskey names a passkey. Error: ErrUnknown.
func (s *Service) RenamePasskey(ctx context.Context, userID, passkeyID int64, name string) error {
	renamed := s.db.WithContext(ctx).Exec(`UPDATE passkeys SET name = ? WHERE id = ? AND user_id = ?`, strings.TrimSpace(name), passkeyID, userID)
	if renamed.Error != nil {
		return fmt.Errorf("rename passkey %d: %w", passkeyID, renamed.Error)
	}
	if renamed.RowsAffected == 0 {
		return ErrUnknown
	}
	return nil
}

// RemovePasskey removes a passkey. Error: ErrUnknown.
func (s *Service) RemovePasskey(ctx context.Context, userID, passkeyID int64) error {
	return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		if err := lock(ctx, tx, userID); err != nil {
			return err
		}
		removed := tx.Exec(`DELETE FROM passkeys WHERE id = ? AND user_id = ?`, passkeyID, userID)
		if removed.Error != nil {
			return fmt.Errorf("remove passkey %d: %w", passkeyID, removed.Error)
		}
		if removed.RowsAffected == 0 {
			return ErrUnknown
		}
		if err := s.dropCodesOfNone(ctx, tx, userID); err != nil {
			return err
		}
		return notices.Record(ctx, tx, userID, notices.PasskeyRemoved, notices.Person, s.now())
	})
}
