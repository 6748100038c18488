package sessions

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/person/profiles"
)

// Pauses after wrong passwords: none for the first few, then one that doubles with each failure, up to an hour. An
// attacker has about ten attempts in the first hour and one in each later hour.
const (
	firstPause     = 30 * time.Second
	longestPause   = time.Hour
	forgottenAfter = 24 * time.Hour // after the last failure

	failuresOfAccount = 5  // from unknown devices, anywhere
	failuresOfDevice  = 10 // from one known device; strangers cannot use these up
	failuresOfAddress = 20 // from one address, for any accounts; many people may share it

	// mailsOfAddress is how many mails of one kind an address gets, whoever asks for them, before pauses begin.
	mailsOfAddress = 4
)

// mailed is a kind of mail that anybody can have sent to an address.
type mailed string

const (
	toReset   mailed = "reset:"
	toConfirm mailed = "confirm:"
	toOrders  mailed = "orders:"
	toTell    mailed = "told:" // of sign-ins on devices that are not known
)

// mayMail counts a mail that somebody asks for, and reports whether the address gets it. The answer must not tell.
func (s *Service) mayMail(ctx context.Context, db *gorm.DB, kind mailed, email string) (bool, error) {
	_, err := s.count(ctx, db, s.hmacOf(string(kind)+accountKey(email)), mailsOfAddress)
	if errors.Is(err, apperr.New(apperr.TooManyRequests)) {
		return false, nil
	}
	return err == nil, err
}

// MayMailOrders counts a mail with links to what an address has paid for, and reports whether the address gets it. The answer
// must not tell.
func (s *Service) MayMailOrders(ctx context.Context, email string) (bool, error) {
	return s.mayMail(ctx, s.db, toOrders, email)
}

// guessed is what an attempt is on; each is counted by itself.
type guessed string

const ofPassword guessed = ""

// ofSecondStep is one account's: others with its address have their own.
func ofSecondStep(userID int64) guessed { return guessed(fmt.Sprintf("second step %d ", userID)) }

// Origin is where a sign-in comes from.
type Origin struct {
	Address string // as ratelimit.Address has it
	Device  string // the device cookie, empty if there is none
	Agent   string // User-Agent, cut
}

// attempt is one that was allowed. For its account or device it counts as a failure until it succeeds, so that
// concurrent attempts are counted too. For its address it counts only once it has failed, because many people may
// share the address.
type attempt struct {
	key, address string
	until        time.Time
}

// begin allows an attempt on an account's password or second step, or refuses it during a pause. A device that has signed
// in to the account before is counted by itself, so that strangers cannot lock the owner out; so is, for passwords, one on
// which the account's password was set by a mailed link. All others are counted together by account, and by address.
// Accounts that do not exist are counted in the same way. Error: TooManyRequests, with the time to wait.
func (s *Service) begin(ctx context.Context, what guessed, email string, at Origin) (attempt, error) {
	account := accountKey(email)
	if device := s.knownFor(what, email, at); device != "" {
		return s.count(ctx, s.db, s.hmacOf(string(what)+"device:"+device), failuresOfDevice)
	}
	address := s.hmacOf("address:" + at.Address)
	if err := s.paused(ctx, s.db, address); err != nil {
		return attempt{}, err
	}
	t, err := s.count(ctx, s.db, s.hmacOf(string(what)+"account:"+account), failuresOfAccount)
	t.address = address
	return t, err
}

// knownFor is the number by which a device is known for an attempt on an account, empty if it is not.
func (s *Service) knownFor(what guessed, email string, at Origin) string {
	account := accountKey(email)
	device := s.deviceOf(account, at.Device)
	if device == "" && what == ofPassword {
		device = s.deviceOf(provenKey(account), at.Device)
	}
	return device
}

// countChoice counts that somebody signs in, from an unknown device, with a password that was chosen for an account whose address
// nobody has confirmed: it may be a guess at another account of the address, which a sign-in would show without a failure. Each
// password counts once, until it was not used for a day. It has a counter of its own, so that it neither keeps anybody from
// registering nor shortens what a wrong password has left. Error: TooManyRequests.
func (s *Service) countChoice(ctx context.Context, email, hash string) error {
	now, mark := s.now(), s.hmacOf("chosen:"+accountKey(email)+" "+hash)
	known := s.db.WithContext(ctx).Exec(`UPDATE password_failures SET last_at = ? WHERE key = ? AND last_at > ?`, now, mark, now.Add(-forgottenAfter))
	if known.Error != nil {
		return fmt.Errorf("look for a chosen password: %w", known.Error)
	}
	if known.RowsAffected > 0 {
		return nil
	}
	if _, err := s.count(ctx, s.db, s.hmacOf("choices:"+accountKey(email)), failuresOfAccount); err != nil {
		return err
	}
	err := s.db.WithContext(ctx).Exec(`
		INSERT INTO password_failures (key, failures, paused_until, last_at) SELECT @key, 0, @now, @now
		ON CONFLICT (key) DO UPDATE SET last_at = excluded.last_at`, map[string]any{"key": mark, "now": now}).Error
	if err != nil {
		return fmt.Errorf("note a chosen password: %w", err)
	}
	return nil
}

// end completes an attempt; wrong says that the password was wrong.
func (s *Service) end(ctx context.Context, t attempt, wrong bool) error {
	if wrong && t.address == "" {
		return nil
	}
	if wrong {
		_, err := s.count(ctx, s.db, t.address, failuresOfAddress)
		if errors.Is(err, apperr.New(apperr.TooManyRequests)) {
			return nil // a concurrent failure has begun the pause
		}
		return err
	}
	err := s.db.WithContext(ctx).Exec(`
		UPDATE password_failures SET failures = greatest(failures - 1, 0),
		    paused_until = CASE WHEN paused_until = @until THEN @now ELSE paused_until END
		WHERE key = @key`, map[string]any{"key": t.key, "until": t.until, "now": s.now()}).Error
	if err != nil {
		return fmt.Errorf("take an attempt back: %w", err)
	}
	return nil
}

// forget deletes the failures on an account's password, whose owner has set a new one.
func (s *Service) forget(ctx context.Context, tx *gorm.DB, email string) error {
	err := tx.WithContext(ctx).Exec(`DELETE FROM password_failures WHERE key = ?`, s.hmacOf("account:"+accountKey(email))).Error
	if err != nil {
		return fmt.Errorf("forget failures: %w", err)
	}
	return nil
}

// count adds a failure and sets the pause that follows from it, unless it is in a pause already. It is one statement.
// Error: TooManyRequests.
func (s *Service) count(ctx context.Context, db *gorm.DB, key string, free int) (attempt, error) {
	var paused []time.Time
	now := s.now()
	const failures = `(1 + CASE WHEN f.last_at < @forgotten THEN 0 ELSE f.failures END)`
	err := db.WithContext(ctx).Raw(`
		INSERT INTO password_failures AS f (key, failures, paused_until, last_at) VALUES (@key, 1, @now, @now)
		ON CONFLICT (key) DO UPDATE SET failures = `+failures+`, last_at = @now, paused_until = CAST(@now AS timestamptz) +
			CASE WHEN `+failures+` < @free THEN interval '0' ELSE
				make_interval(secs => least(@longest, @first * power(2, least(`+failures+` - @free, 20)))) END
		WHERE f.paused_until <= @now
		RETURNING paused_until`,
		map[string]any{"key": key, "now": now, "forgotten": now.Add(-forgottenAfter), "free": free,
			"first": firstPause.Seconds(), "longest": longestPause.Seconds()}).Scan(&paused).Error
	switch {
	case err != nil:
		return attempt{}, fmt.Errorf("count an attempt: %w", err)
	case len(paused) == 1:
		return attempt{key: key, until: paused[0]}, nil
	}
	if err := s.paused(ctx, db, key); err != nil {
		return attempt{}, err
	}
	return attempt{}, apperr.New(apperr.TooManyRequests).RetryAfter(time.Second) // the pause has just ended
}

// paused returns TooManyRequests during a pause.
func (s *Service) paused(ctx context.Context, db *gorm.DB, key string) error {
	var until []time.Time
	now := s.now()
	err := db.WithContext(ctx).Raw(`SELECT paused_until FROM password_failures WHERE key = ? AND paused_until > ?`, key, now).Scan(&until).Error
	if err != nil {
		return fmt.Errorf("look for a pause: %w", err)
	}
	if len(until) > 0 {
		return apperr.New(apperr.TooManyRequests).RetryAfter(until[0].Sub(now))
	}
	return nil
}

// hmacOf is the HMAC under which something is stored, so that the database does not reveal it.
func (s *Service) hmacOf(text string) string {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:18])
}

// accountKey is the normalised address of an account.
func accountKey(email string) string { return strings.ToLower(profiles.NormalEmail(email)) }

// pruneFailures deletes failures that no longer count.
func pruneFailures(ctx context.Context, db *gorm.DB, now time.Time) error {
	if _, err := dbx.Prune(ctx, db, `password_failures`, `last_at < ?`, now.Add(-forgottenAfter)); err != nil {
		return fmt.Errorf("prune failures: %w", err)
	}
	return nil
}
