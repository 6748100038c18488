package sessions

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"time"

	"github.com/lib/pq"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/profiles"
)

// Errors of proving who one is.
var (
	ErrSignInFailed = apperr.New(apperr.SignInFailed)
	ErrEmailTaken   = apperr.New(apperr.EmailTaken)
	ErrEnded        = apperr.New(apperr.TokenExpired)
)

// Service registers people and keeps their sessions.
type Service struct {
	db     *gorm.DB
	signer *session.Signer
	hasher *hasher
	now    func() time.Time
	// nobody is the hash that a sign-in to an unknown account is compared with, so that it takes as long as a wrong password.
	nobody string
}

// New makes the service.
func New(ctx context.Context, db *gorm.DB, signer *session.Signer, now func() time.Time) (*Service, error) {
	s := &Service{db: db, signer: signer, hasher: newHasher(), now: func() time.Time { return now().UTC().Truncate(time.Microsecond) }}
	var err error
	if s.nobody, err = s.hasher.hash(ctx, ids.New()); err != nil {
		return nil, fmt.Errorf("hash for unknown accounts: %w", err)
	}
	return s, nil
}

// Person is someone who has just proved who they are, and the token of their new session.
type Person struct {
	ID                         int64
	Email, FirstName, LastName string
	Verified                   bool
	Scope                      pq.StringArray `gorm:"type:text[]"`
	Token                      string         `gorm:"-"`
	ExpiresAt                  time.Time      `gorm:"-"`
}

// Registration is a new account.
type Registration struct {
	Email, Password, FirstName, LastName, Language string
}

// Register makes an account and a session. Someone who registers again with their own password is simply signed in.
// Errors: faults of the input; ErrEmailTaken.
func (s *Service) Register(ctx context.Context, r Registration) (Person, error) {
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
		// Not by the constraint's error: PostgreSQL would write the address into its log.
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
		return s.begin(ctx, tx, &p)
	})
	if errors.Is(err, ErrEmailTaken) {
		again, err := s.SignIn(ctx, r.Email, r.Password)
		if errors.Is(err, ErrSignInFailed) {
			return Person{}, ErrEmailTaken
		}
		return again, err
	}
	return p, err
}

// normal is the registration as it is kept.
func (r Registration) normal() Registration {
	r.Email, r.FirstName, r.LastName = profiles.NormalEmail(r.Email), strings.TrimSpace(r.FirstName), strings.TrimSpace(r.LastName)
	return r
}

func isEmail(text string) bool {
	address, err := mail.ParseAddress(text)
	return err == nil && address.Address == text && strings.Contains(text[strings.LastIndexByte(text, '@')+1:], ".")
}

func (r Registration) validate() error {
	faults := apperr.New(apperr.InvalidFields)
	if !isEmail(r.Email) {
		faults = faults.WithField("email", "email")
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

// SignIn begins a session. An unknown account and a wrong password are the same ErrSignInFailed, after the same time.
func (s *Service) SignIn(ctx context.Context, email, password string) (Person, error) {
	var row struct {
		Person
		PasswordHash string
	}
	found := s.db.WithContext(ctx).Raw(`
		SELECT id, email, first_name, last_name, verified, scope, password_hash FROM users WHERE lower(email) = lower(?)`,
		profiles.NormalEmail(email)).Scan(&row)
	if found.Error != nil {
		return Person{}, fmt.Errorf("look up account: %w", found.Error)
	}
	hash := row.PasswordHash // empty for an account that has no password yet
	if hash == "" {
		hash = s.nobody
	}
	ok, err := s.hasher.matches(ctx, hash, password)
	switch {
	case err != nil:
		return Person{}, fmt.Errorf("check password: %w", err)
	case !ok || row.PasswordHash == "":
		return Person{}, ErrSignInFailed
	}
	p := row.Person
	return p, s.begin(ctx, s.db, &p)
}

// begin writes a session and signs its token.
func (s *Service) begin(ctx context.Context, db *gorm.DB, p *Person) error {
	id := ids.New()
	var err error
	p.Token, p.ExpiresAt, err = s.signer.Sign(session.Identity{UserID: p.ID, SessionID: id, Scope: p.Scope})
	if err != nil {
		return err
	}
	err = db.WithContext(ctx).Exec(`INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES (?, ?, ?, ?)`,
		id, p.ID, s.now(), p.ExpiresAt).Error
	if err != nil {
		return fmt.Errorf("begin session: %w", err)
	}
	return nil
}

// SignOut ends a session and puts it into the feed, in one transaction. A second call changes nothing.
func (s *Service) SignOut(ctx context.Context, sessionID string) error {
	err := s.db.WithContext(ctx).Exec(`
		WITH ended AS (DELETE FROM sessions WHERE id = ? RETURNING id, expires_at)
		INSERT INTO session_revocations (session_id, expires_at, ended_at) SELECT id, expires_at, ? FROM ended
		ON CONFLICT (session_id) DO NOTHING`, sessionID, s.now()).Error
	if err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}

// Live returns nil while a session has not been ended, else ErrEnded. One look by primary key.
func (s *Service) Live(ctx context.Context, sessionID string) error {
	var n int
	err := s.db.WithContext(ctx).Raw(`SELECT count(*) FROM sessions WHERE id = ?`, sessionID).Scan(&n).Error
	if err != nil {
		return fmt.Errorf("look up session: %w", err)
	}
	if n == 0 {
		return ErrEnded
	}
	return nil
}

// Revocation is a session that ended before its token did.
type Revocation struct {
	Cursor    int64
	SessionID string
	ExpiresAt time.Time
}

// Revocations lists what came after a cursor, in order, at most 1,000, and the cursor to ask with next time.
func (s *Service) Revocations(ctx context.Context, after int64) ([]Revocation, int64, error) {
	var list []Revocation
	err := s.db.WithContext(ctx).Raw(`
		SELECT cursor, session_id, expires_at FROM session_revocations WHERE cursor > ? ORDER BY cursor LIMIT 1000`, after).Scan(&list).Error
	if err != nil {
		return nil, 0, fmt.Errorf("list ended sessions: %w", err)
	}
	if n := len(list); n > 0 {
		after = list[n-1].Cursor
	}
	return list, after, nil
}

// Prune forgets sessions and revocations whose tokens have ended long enough that no clock would take them.
func Prune(ctx context.Context, db *gorm.DB, now time.Time) error {
	before := now.Add(-time.Hour)
	for _, table := range []string{"sessions", "session_revocations"} {
		if err := db.WithContext(ctx).Exec(`DELETE FROM `+table+` WHERE expires_at < ?`, before).Error; err != nil {
			return fmt.Errorf("prune %s: %w", table, err)
		}
	}
	return nil
}
