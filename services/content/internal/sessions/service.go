package sessions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/profiles"
	"talkoot.fi/content/internal/secondstep"
	"talkoot.fi/content/internal/verifications"
)

// Errors of authentication.
var (
	ErrSignInFailed = apperr.New(apperr.SignInFailed)
	ErrEmailTaken   = apperr.New(apperr.EmailTaken)
	ErrBlocked      = apperr.New(apperr.AccountBlocked)
	ErrEnded        = apperr.New(apperr.TokenExpired)
	// ErrUnconfirmed: who is signed in has to show first that it is still them.
	ErrUnconfirmed = apperr.New(apperr.ConfirmationRequired)
)

// Service registers people and keeps their sessions.
type Service struct {
	db     *gorm.DB
	signer *session.Signer
	hasher *hasher
	steps  *secondstep.Service
	now    func() time.Time
	// secret is the HMAC key of device cookies and of the keys of password_failures.
	secret []byte
	// dummyHash is a hash of no password, with which sign-ins to unknown accounts are compared, so that they take as long as
	// a wrong password.
	dummyHash string
}

// SealOf is the key of secondstep.Options. It follows from the key of sessions.
func SealOf(signer *session.Signer) []byte { return signer.Secret("secrets of code apps") }

// New makes the service.
func New(ctx context.Context, db *gorm.DB, signer *session.Signer, steps *secondstep.Service, now func() time.Time) (*Service, error) {
	s := &Service{db: db, signer: signer, hasher: newHasher(), steps: steps, secret: signer.Secret("devices and failures"),
		now: func() time.Time { return now().UTC().Truncate(time.Microsecond) }} // what PostgreSQL keeps
	var err error
	if s.dummyHash, err = s.hasher.hash(ctx, ids.New()); err != nil {
		return nil, fmt.Errorf("hash for unknown accounts: %w", err)
	}
	return s, nil
}

// Person is somebody who has just signed in, with the token of the new session.
type Person struct {
	ID                         int64
	Email, FirstName, LastName string
	Verified                   bool
	// Scope is what the session gives, as in Live.
	Scope     dbx.TextArray `gorm:"type:text[]"`
	Token     string        `gorm:"-"`
	ExpiresAt time.Time     `gorm:"-"`
	Device    string        `gorm:"-"` // new device cookie
	// SecondStep is what the account wants besides the password. There is no session then, and nothing else is told.
	SecondStep *secondstep.Asked `gorm:"-"`
	// SecondStepMissing: the account has a scope of staff, which this session does not give.
	SecondStepMissing bool `gorm:"-"`
}

// Registration is a new account.
type Registration struct {
	Email, Password, FirstName, LastName, Language string
}

// Register makes an account and a session, and queues the mail that confirms the address. Registering again with the
// right password signs in. It is an attempt on the password, whether the address has an account or not, so that whoever
// has found many accounts by it is told nothing more during a pause. Errors: faults of the input; ErrEmailTaken;
// TooManyRequests; ErrBusy.
func (s *Service) Register(ctx context.Context, r Registration, at Origin) (p Person, err error) {
	r = r.normal()
	if err := r.validate(); err != nil {
		return Person{}, err
	}
	err = s.counted(ctx, ofPassword, r.Email, at, func() error {
		if p, err = s.create(ctx, r, at); errors.Is(err, ErrEmailTaken) {
			p, err = s.signIn(ctx, r.Email, r.Password, at)
		}
		return err
	})
	if errors.Is(err, ErrSignInFailed) || p.SecondStep != nil {
		return Person{}, ErrEmailTaken // with two steps they sign in, where the second is asked
	}
	return p, err
}

// create makes an account and a session. Errors: ErrEmailTaken; ErrBusy.
func (s *Service) create(ctx context.Context, r Registration, at Origin) (p Person, err error) {
	hash, err := s.hasher.hash(ctx, r.Password)
	if err != nil {
		return Person{}, err
	}
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		p = Person{}
		// ON CONFLICT rather than the constraint's error, with which PostgreSQL would log the address.
		inserted := tx.WithContext(ctx).Raw(`
			INSERT INTO users (email, password_hash, first_name, last_name, language, created_at) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (lower(email)) DO NOTHING
			RETURNING id, email, first_name, last_name, verified, scope`,
			r.Email, hash, r.FirstName, r.LastName, r.Language, s.now()).Scan(&p)
		if inserted.Error != nil {
			return fmt.Errorf("insert user: %w", inserted.Error)
		}
		if inserted.RowsAffected == 0 {
			return ErrEmailTaken
		}
		if err := verifications.Ask(ctx, tx, p.ID); err != nil {
			return err
		}
		return s.open(ctx, tx, &p, opening{agent: at.Agent})
	})
	p.Device = s.deviceCookieFor(accountKey(p.Email), at.Device)
	return p, err
}

// normal is the registration with normalised address and trimmed names.
func (r Registration) normal() Registration {
	r.Email, r.FirstName, r.LastName = profiles.NormalEmail(r.Email), strings.TrimSpace(r.FirstName), strings.TrimSpace(r.LastName)
	return r
}

func (r Registration) validate() error {
	faults := apperr.New(apperr.InvalidFields)
	if !profiles.IsEmail(r.Email) {
		faults = faults.WithField("email", "email")
	}
	switch rule := checkPassword(r.Password, r.Email, r.FirstName, r.LastName); rule {
	case "":
	case apperr.RuleMinLength:
		faults = faults.WithField("password", rule, apperr.Params{"min": minPassword})
	default:
		faults = faults.WithField("password", rule)
	}
	first, last := profiles.CheckNames(r.FirstName, r.LastName)
	for _, name := range []struct{ path, rule string }{{"first_name", first}, {"last_name", last}} {
		if name.rule != "" {
			faults = faults.WithField(name.path, name.rule)
		}
	}
	if len(faults.Fields) > 0 {
		return faults
	}
	return nil
}

// Prune deletes sessions whose tokens have expired, with an hour's leeway for clocks, and old password failures.
func Prune(ctx context.Context, db *gorm.DB, now time.Time) error {
	if err := db.WithContext(ctx).Exec(`DELETE FROM sessions WHERE expires_at < ?`, now.Add(-time.Hour)).Error; err != nil {
		return fmt.Errorf("prune sessions: %w", err)
	}
	if err := db.WithContext(ctx).Exec(`DELETE FROM password_resets WHERE expires_at < ?`, now).Error; err != nil {
		return fmt.Errorf("prune password resets: %w", err)
	}
	return pruneFailures(ctx, db, now)
}
