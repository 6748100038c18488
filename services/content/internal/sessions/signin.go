package sessions

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/profiles"
	"talkoot.fi/content/internal/secondstep"
)

// SignIn begins a session, or the second step of an account that has one (Person.SecondStep). Errors: ErrSignInFailed
// for an unknown account and for a wrong password, after the same work; ErrBlocked; TooManyRequests after too many wrong
// passwords; ErrBusy.
func (s *Service) SignIn(ctx context.Context, email, password string, at Origin) (Person, error) {
	t, err := s.begin(ctx, ofPassword, email, at)
	if err != nil {
		return Person{}, err
	}
	p, err := s.byPassword(ctx, email, password)
	if counted := s.end(context.WithoutCancel(ctx), t, errors.Is(err, ErrSignInFailed)); err == nil {
		err = counted
	}
	if err != nil {
		return Person{}, err
	}
	asked, err := s.steps.Ask(ctx, p.ID)
	if err != nil {
		return Person{}, err
	}
	if asked != nil {
		return Person{SecondStep: asked}, nil
	}
	p.Device = s.deviceCookieFor(accountKey(p.Email), at.Device)
	return p, s.open(ctx, s.db, &p, opening{agent: at.Agent})
}

// TakeSecondStep finishes a sign-in that SignIn has begun. Wrong codes are counted as wrong passwords are, by
// themselves: whoever guesses the owner's password does not use up the owner's codes. Errors: secondstep.ErrChallenge,
// ErrCode, ErrBackupCode, ErrPasskey; ErrBlocked; TooManyRequests.
func (s *Service) TakeSecondStep(ctx context.Context, token string, proof secondstep.Proof, at Origin) (p Person, err error) {
	owner, err := s.steps.Owner(ctx, token)
	if err != nil {
		return Person{}, err
	}
	if p, err = s.person(ctx, s.db, owner); err != nil {
		return Person{}, err
	}
	err = s.counted(ctx, ofSecondStep, p.Email, at, func() error {
		return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
			if _, err := s.steps.Pass(ctx, tx, token, proof); err != nil {
				return err
			}
			return s.open(ctx, tx, &p, opening{agent: at.Agent, secondStep: true})
		})
	})
	if err != nil {
		return Person{}, err
	}
	p.Device = s.deviceCookieFor(accountKey(p.Email), at.Device)
	return p, nil
}

// counted runs an attempt on an account, and counts it if the proof was wrong. Error: TooManyRequests.
func (s *Service) counted(ctx context.Context, what guessed, email string, at Origin, attempt func() error) error {
	t, err := s.begin(ctx, what, email, at)
	if err != nil {
		return err
	}
	err = attempt()
	if counted := s.end(context.WithoutCancel(ctx), t, isWrong(err)); err == nil {
		err = counted
	}
	return err
}

// isWrong reports whether somebody has shown what does not match.
func isWrong(err error) bool {
	return errors.Is(err, ErrSignInFailed) || errors.Is(err, secondstep.ErrCode) || errors.Is(err, secondstep.ErrPasskey)
}

// SignInWithPasskey begins a session by a passkey alone. A challenge and a signature cannot be guessed, so that nothing is
// counted. Errors: secondstep.ErrChallenge, ErrPasskey; ErrBlocked.
func (s *Service) SignInWithPasskey(ctx context.Context, token string, passkey []byte, at Origin) (p Person, err error) {
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		id, err := s.steps.PassPasskey(ctx, tx, token, passkey)
		if err != nil {
			return err
		}
		if p, err = s.person(ctx, tx, id); err != nil {
			return err
		}
		return s.open(ctx, tx, &p, opening{agent: at.Agent, secondStep: true})
	})
	if err != nil {
		return Person{}, err
	}
	p.Device = s.deviceCookieFor(accountKey(p.Email), at.Device)
	return p, nil
}

// byPassword reads the person of an address and a password. Errors: ErrSignInFailed, ErrBlocked, ErrBusy.
func (s *Service) byPassword(ctx context.Context, email, password string) (Person, error) {
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
	ok, err := s.matches(ctx, row.PasswordHash, password)
	switch {
	case err != nil:
		return Person{}, err
	case !ok:
		return Person{}, ErrSignInFailed
	}
	if row.Blocked {
		return Person{}, ErrBlocked // only after the right password
	}
	return row.Person, nil
}

// matches compares a password with an account's hash, which is empty for an account without a password and for an
// unknown one: the work is the same, and nothing matches.
func (s *Service) matches(ctx context.Context, hash, password string) (bool, error) {
	compared := hash
	if compared == "" {
		compared = s.dummyHash
	}
	ok, err := s.hasher.matches(ctx, compared, password)
	if err != nil {
		return false, fmt.Errorf("check password: %w", err)
	}
	return ok && hash != "", nil
}

// person reads somebody who is about to be signed in. Errors: ErrBlocked; NotFound.
func (s *Service) person(ctx context.Context, db *gorm.DB, id int64) (Person, error) {
	var row struct {
		Person
		Blocked bool
	}
	found := db.WithContext(ctx).Raw(`
		SELECT id, email, first_name, last_name, verified, scope, blocked_at IS NOT NULL AS blocked FROM users WHERE id = ?`, id).Scan(&row)
	switch {
	case found.Error != nil:
		return Person{}, fmt.Errorf("read user %d: %w", id, found.Error)
	case found.RowsAffected == 0:
		return Person{}, apperr.New(apperr.NotFound)
	case row.Blocked:
		return Person{}, ErrBlocked
	}
	return row.Person, nil
}
