package sessions

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/person/secondstep"
	"talkoot.fi/content/internal/person/verifications"
)

// Errors of authentication.
var (
	ErrSignInFailed = apperr.New(apperr.SignInFailed)
	ErrBlocked      = apperr.New(apperr.AccountBlocked)
	ErrEnded        = apperr.New(apperr.TokenExpired)
	// ErrUnconfirmed: who is signed in has to show first that it is still them.
	ErrUnconfirmed = apperr.New(apperr.ConfirmationRequired)
)

// Service registers people and keeps their sessions.
type Service struct {
	db       *gorm.DB
	signer   *session.Signer
	verifier *session.Verifier
	hasher   *hasher
	steps    *secondstep.Service
	now      func() time.Time
	// emptyProfile is called for who takes over an account.
	emptyProfile EmptyProfile
	// secret is the HMAC key of device cookies, of the keys of password_failures and of salts.
	secret []byte
}

// SealsOf are the keys of secondstep.Options: of secrets of their own, if there are, then those that follow from the keys of sessions.
func SealsOf(signer *session.Signer, own ...[]byte) (keys [][]byte) {
	const purpose = "secrets of code apps"
	for _, secret := range own {
		keys = append(keys, session.Derive(secret, purpose))
	}
	return append(keys, signer.Secrets(purpose)...)
}

// EmptyProfile takes away what was written of a person whose address nobody has confirmed (people.Empty).
type EmptyProfile func(ctx context.Context, tx *gorm.DB, userID int64, now time.Time) error

// New makes the service.
func New(db *gorm.DB, signer *session.Signer, steps *secondstep.Service, emptyProfile EmptyProfile, now func() time.Time) *Service {
	return &Service{db: db, emptyProfile: emptyProfile, signer: signer, verifier: session.NewVerifier(signer.Keys(), now), hasher: newHasher(), steps: steps, secret: signer.Secret("devices and failures"),
		now: func() time.Time { return now().UTC().Truncate(time.Microsecond) }} // what PostgreSQL keeps
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

// Register makes an account and a session, and queues the mail by which the address is confirmed. It does the same
// whether the address has accounts or not: only the mail tells, and only who has confirmed an address has it to themself.
// Errors: faults of the input; ErrBusy.
func (s *Service) Register(ctx context.Context, r Registration, at Origin) (p Person, err error) {
	r = r.normal()
	if err := r.validate(); err != nil {
		return Person{}, err
	}
	mayMail, err := s.mayMail(ctx, s.db, toConfirm, r.Email)
	if err != nil {
		return Person{}, err
	}
	err = s.writePassword(ctx, r.Email, r.Password, func(tx *gorm.DB, hash string) error {
		p = Person{}
		err := tx.WithContext(ctx).Raw(`
			INSERT INTO users (email, password_hash, first_name, last_name, language, created_at) VALUES (?, ?, ?, ?, ?, ?)
			RETURNING id, email, first_name, last_name, verified, scope`,
			r.Email, hash, r.FirstName, r.LastName, r.Language, s.now()).Scan(&p).Error
		if err != nil {
			return fmt.Errorf("insert user: %w", err)
		}
		if mayMail {
			if err := verifications.Ask(ctx, tx, p.ID); err != nil {
				return err
			}
		}
		return s.open(ctx, tx, &p, opening{at: at})
	})
	if err != nil {
		return Person{}, err
	}
	return p, nil
}

// AskConfirmation queues another mail by which somebody confirms their address, if the address may have one.
func (s *Service) AskConfirmation(ctx context.Context, userID int64) error {
	var email string
	if err := s.db.WithContext(ctx).Raw(`SELECT email FROM users WHERE id = ?`, userID).Scan(&email).Error; err != nil {
		return fmt.Errorf("read user %d: %w", userID, err)
	}
	may, err := s.mayMail(ctx, s.db, toConfirm, email)
	if err != nil || !may {
		return err
	}
	return verifications.Ask(ctx, s.db, userID)
}

// normal is the registration with normalised address and trimmed names.
func (r Registration) normal() Registration {
	r.Email, r.FirstName, r.LastName = profiles.NormalEmail(r.Email), profiles.PastedName(r.FirstName), profiles.PastedName(r.LastName)
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
	if _, err := dbx.Prune(ctx, db, `sessions`, `expires_at < ?`, now.Add(-time.Hour)); err != nil {
		return fmt.Errorf("prune sessions: %w", err)
	}
	if _, err := dbx.Prune(ctx, db, `password_resets`, `expires_at < ?`, now); err != nil {
		return fmt.Errorf("prune password resets: %w", err)
	}
	return pruneFailures(ctx, db, now)
}
