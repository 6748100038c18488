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
	"talkoot.fi/content/internal/verifications"
)

// Errors of authentication.
var (
	ErrSignInFailed = apperr.New(apperr.SignInFailed)
	ErrEmailTaken   = apperr.New(apperr.EmailTaken)
	ErrBlocked      = apperr.New(apperr.AccountBlocked)
	ErrEnded        = apperr.New(apperr.TokenExpired)
)

// Service registers people and keeps their sessions.
type Service struct {
	db     *gorm.DB
	signer *session.Signer
	hasher *hasher
	now    func() time.Time
	// secret is the HMAC key of device cookies and of the keys of password_failures.
	secret []byte
	// dummyHash is a hash of no password, with which sign-ins to unknown accounts are compared, so that they take as long as
	// a wrong password.
	dummyHash string
}

// New makes the service.
func New(ctx context.Context, db *gorm.DB, signer *session.Signer, now func() time.Time) (*Service, error) {
	s := &Service{db: db, signer: signer, hasher: newHasher(), secret: signer.Secret("devices and failures"),
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
	Scope                      dbx.TextArray `gorm:"type:text[]"`
	Token                      string        `gorm:"-"`
	ExpiresAt                  time.Time     `gorm:"-"`
	Device                     string        `gorm:"-"` // new device cookie
}

// Registration is a new account.
type Registration struct {
	Email, Password, FirstName, LastName, Language string
}

// Register makes an account and a session, and queues the mail that confirms the address. Registering again with the
// right password signs in. Errors: faults of the input; ErrEmailTaken.
func (s *Service) Register(ctx context.Context, r Registration, at Origin) (Person, error) {
	r = r.normal()
	if err := r.validate(); err != nil {
		return Person{}, err
	}
	hash, err := s.hasher.hash(ctx, r.Password)
	if err != nil {
		return Person{}, err
	}
	var p Person
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
		return s.open(ctx, tx, &p)
	})
	if errors.Is(err, ErrEmailTaken) {
		again, err := s.SignIn(ctx, r.Email, r.Password, at)
		if errors.Is(err, ErrSignInFailed) {
			return Person{}, ErrEmailTaken
		}
		return again, err
	}
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

// SignIn begins a session. Errors: ErrSignInFailed for an unknown account and for a wrong password, after the same
// time; ErrBlocked; TooManyRequests after too many wrong passwords; ErrBusy.
func (s *Service) SignIn(ctx context.Context, email, password string, at Origin) (Person, error) {
	t, err := s.begin(ctx, email, at)
	if err != nil {
		return Person{}, err
	}
	p, err := s.signIn(ctx, email, password)
	if counted := s.end(context.WithoutCancel(ctx), t, errors.Is(err, ErrSignInFailed)); err == nil {
		err = counted
	}
	if err != nil {
		return Person{}, err
	}
	p.Device = s.deviceCookieFor(accountKey(p.Email), at.Device)
	return p, nil
}

func (s *Service) signIn(ctx context.Context, email, password string) (Person, error) {
	var row struct {
		Person
		PasswordHash string
		Blocked      bool
	}
	found := s.db.WithContext(ctx).Raw(`
		SELECT id, email, first_name, last_name, verified, scope, password_hash, blocked_at IS NOT NULL AS blocked
		FROM users WHERE lower(email) = lower(?)`,
		profiles.NormalEmail(email)).Scan(&row)
	if found.Error != nil {
		return Person{}, fmt.Errorf("look up account: %w", found.Error)
	}
	hash := row.PasswordHash // empty for an account that has no password yet
	if hash == "" {
		hash = s.dummyHash
	}
	ok, err := s.hasher.matches(ctx, hash, password)
	switch {
	case err != nil:
		return Person{}, fmt.Errorf("check password: %w", err)
	case !ok || row.PasswordHash == "":
		return Person{}, ErrSignInFailed
	}
	if row.Blocked {
		return Person{}, ErrBlocked // only after the right password
	}
	p := row.Person
	return p, s.open(ctx, s.db, &p)
}

// record is a row of sessions.
type record struct {
	ID                   string
	UserID               int64
	CreatedAt, ExpiresAt time.Time
}

// TableName is GORM's.
func (record) TableName() string { return "sessions" }

// open writes a session and signs its token.
func (s *Service) open(ctx context.Context, db *gorm.DB, p *Person) error {
	id := ids.New()
	var err error
	p.Token, p.ExpiresAt, err = s.signer.Sign(session.Identity{UserID: p.ID, SessionID: id})
	if err != nil {
		return err
	}
	row := record{ID: id, UserID: p.ID, CreatedAt: s.now(), ExpiresAt: p.ExpiresAt}
	if err := db.WithContext(ctx).Create(&row).Error; err != nil {
		return fmt.Errorf("begin session: %w", err)
	}
	return nil
}

// SignOut ends a session. A second call changes nothing.
func (s *Service) SignOut(ctx context.Context, sessionID string) error {
	if err := s.db.WithContext(ctx).Exec(`DELETE FROM sessions WHERE id = ?`, sessionID).Error; err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}

// Live is the identity with the account's current scope, read by primary keys. Error: ErrEnded when the session has
// ended or the account is blocked.
func (s *Service) Live(ctx context.Context, who session.Identity) (session.Identity, error) {
	var scopes []dbx.TextArray
	err := s.db.WithContext(ctx).Raw(`
		SELECT u.scope FROM sessions s JOIN users u ON u.id = s.user_id
		WHERE s.id = ? AND u.id = ? AND u.blocked_at IS NULL`, who.SessionID, who.UserID).Scan(&scopes).Error
	if err != nil {
		return session.Identity{}, fmt.Errorf("look up session: %w", err)
	}
	if len(scopes) == 0 {
		return session.Identity{}, ErrEnded
	}
	who.Scope = scopes[0]
	return who, nil
}

// Prune deletes sessions whose tokens have expired, with an hour's leeway for clocks, and old password failures.
func Prune(ctx context.Context, db *gorm.DB, now time.Time) error {
	if err := db.WithContext(ctx).Exec(`DELETE FROM sessions WHERE expires_at < ?`, now.Add(-time.Hour)).Error; err != nil {
		return fmt.Errorf("prune sessions: %w", err)
	}
	return pruneFailures(ctx, db, now)
}
