package sessions

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/httpx"

	"talkoot.fi/content/internal/person/notices"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/person/secondstep"
)

// SignIn begins a session, or the second step of an account that has one (Person.SecondStep). Errors: ErrSignInFailed
// for an unknown account and for a wrong password, after the same work; ErrBlocked; TooManyRequests after too many wrong
// passwords; ErrBusy.
func (s *Service) SignIn(ctx context.Context, email, password string, at Origin) (p Person, err error) {
	err = s.counted(ctx, ofPassword, email, at, func() error {
		p, err = s.signIn(ctx, email, password, at)
		return err
	})
	if errors.Is(err, ErrSignInFailed) || errors.Is(err, apperr.New(apperr.TooManyRequests)) {
		s.noteTried(ctx, email)
	}
	return p, err
}

// noteTried has the log of security events tell whose account was tried. The answer is the same whether there is one.
func (s *Service) noteTried(ctx context.Context, email string) {
	var id int64
	err := s.db.WithContext(ctx).Raw(`SELECT coalesce(min(id), 0) FROM users WHERE lower(email) = lower(?)`, profiles.NormalEmail(email)).Scan(&id).Error
	if err == nil { // else the line says that nobody is known
		httpx.NoteSubject(ctx, id)
	}
}

// signIn is SignIn without counting failures.
func (s *Service) signIn(ctx context.Context, email, password string, at Origin) (p Person, err error) {
	compared, err := s.byPassword(ctx, email, password)
	if err != nil {
		return Person{}, err
	}
	httpx.NoteSubject(ctx, compared.ID)
	if compared.IsChosen && s.knownFor(ofPassword, email, at) == "" {
		if err := s.countChoice(ctx, email, compared.PasswordHash); err != nil {
			return Person{}, err
		}
	}
	if compared.Blocked {
		return Person{}, ErrBlocked // only after the right password
	}
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		now, err := s.locked(ctx, tx, compared.ID)
		if err != nil {
			return err
		}
		if now.PasswordHash != compared.PasswordHash {
			return ErrSignInFailed // changed since
		}
		p = now.Person
		if p.SecondStep, err = s.steps.Ask(ctx, tx, p.ID); err != nil {
			return err
		}
		if p.SecondStep != nil {
			p = Person{SecondStep: p.SecondStep}
			return nil
		}
		p.Device = s.knownDevice(p, at)
		return s.open(ctx, tx, &p, opening{at: at})
	})
	if err != nil {
		return Person{}, err
	}
	return p, nil
}

// TakeSecondStep finishes a sign-in that SignIn has begun. Wrong codes are counted as wrong passwords are, by
// themselves: whoever guesses the owner's password does not use up the owner's codes. Errors: secondstep.ErrChallenge,
// ErrCode, ErrBackupCode, ErrPasskey; ErrBlocked; TooManyRequests.
func (s *Service) TakeSecondStep(ctx context.Context, token string, proof secondstep.Proof, at Origin) (p Person, err error) {
	owner, email, err := s.steps.Owner(ctx, token)
	if err != nil {
		return Person{}, err
	}
	httpx.NoteSubject(ctx, owner)
	err = s.counted(ctx, ofSecondStep(owner), email, at, func() error {
		return dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
			now, err := s.locked(ctx, tx, owner)
			if err != nil {
				return err
			}
			if err := s.steps.Pass(ctx, tx, token, proof); err != nil {
				return err
			}
			p = now.Person
			return s.open(ctx, tx, &p, opening{at: at, secondStep: true})
		})
	})
	if err != nil {
		return Person{}, err
	}
	p.Device = s.knownDevice(p, at)
	return p, nil
}

// tellNewDevice mails who has signed in on a device that has no mark of the account, and notes it in the audit log; a mailbox is not
// filled by it. Who has not confirmed the address is not told: its mail may be a stranger's.
func (s *Service) tellNewDevice(ctx context.Context, tx *gorm.DB, p *Person, at Origin) error {
	if !p.Verified || s.knownFor(ofPassword, p.Email, at) != "" {
		return nil
	}
	may, err := s.mayMail(ctx, tx, toTell, p.Email)
	if err != nil || !may {
		return err
	}
	return notices.Record(ctx, tx, p.ID, notices.NewDevice, notices.Person, s.now())
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
		now, err := s.locked(ctx, tx, id)
		if err != nil {
			return err
		}
		p = now.Person
		return s.open(ctx, tx, &p, opening{at: at, secondStep: true})
	})
	if err != nil {
		return Person{}, err
	}
	p.Device = s.knownDevice(p, at)
	return p, nil
}

// known is an account that somebody signs in to.
type known struct {
	Person
	PasswordHash string
	Blocked      bool
	IsChosen     bool // an account of the address that has not confirmed it has the same password
}

const knownSQL = `SELECT id, email, first_name, last_name, verified, scope, password_hash, blocked_at IS NOT NULL AS blocked FROM users u`

// byPassword reads the account of an address and a password; of several with the same one, which has confirmed the
// address, else the latest. It hashes once, whatever accounts there are. That PostgreSQL compares the hashes, not in
// constant time, tells nothing: without the salt nobody knows the hash of what they try. Errors: ErrSignInFailed,
// ErrBusy.
func (s *Service) byPassword(ctx context.Context, email, password string) (k known, err error) {
	with, err := settingFor(ctx, s.db, email)
	if err != nil {
		return known{}, err
	}
	if with == "" {
		with = s.firstSetting(email)
	}
	hash, err := s.hasher.hash(ctx, with, password)
	if err != nil {
		return known{}, err
	}
	found := s.db.WithContext(ctx).Raw(`
		SELECT u.*, bool_or(NOT verified) OVER () AS is_chosen
		FROM (`+knownSQL+`) u WHERE lower(email) = lower(?) AND password_hash = ? ORDER BY verified DESC, blocked, id DESC LIMIT 1`,
		profiles.NormalEmail(email), hash).Scan(&k)
	switch {
	case found.Error != nil:
		return known{}, fmt.Errorf("look up account: %w", found.Error)
	case found.RowsAffected == 0:
		return known{}, ErrSignInFailed
	}
	return k, nil
}

// matches compares a password with an account's hash. An account without a password has an empty one, which none matches.
func (s *Service) matches(ctx context.Context, hash, password string) (bool, error) {
	if hash == "" {
		return false, nil
	}
	ok, err := s.hasher.matches(ctx, hash, password)
	if err != nil {
		return false, fmt.Errorf("check password: %w", err)
	}
	return ok, nil
}

// locked reads the account that a session is about to be begun for, and keeps it as it is until the transaction ends. Who
// changes a password or blocks somebody ends their sessions: one that is being begun at the same time is either seen
// by them, or sees what they have changed. Errors: ErrBlocked; ErrSignInFailed for an account that is gone.
func (s *Service) locked(ctx context.Context, tx *gorm.DB, id int64) (k known, err error) {
	found := tx.WithContext(ctx).Raw(knownSQL+` WHERE id = ? FOR SHARE`, id).Scan(&k)
	switch {
	case found.Error != nil:
		return known{}, fmt.Errorf("read user %d: %w", id, found.Error)
	case found.RowsAffected == 0:
		return known{}, ErrSignInFailed
	case k.Blocked:
		return known{}, ErrBlocked
	}
	return k, nil
}
