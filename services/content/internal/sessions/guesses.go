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

	"talkoot.fi/content/internal/profiles"
)

// Pauses after wrong passwords: none for the first few, then one that doubles with each, up to an hour. So whoever guesses
// has about ten tries in the first hour and one in each that follows.
const (
	firstPause     = 30 * time.Second
	longestPause   = time.Hour
	forgottenAfter = 24 * time.Hour // without a failure

	failuresOfAccount = 5  // by strangers, wherever they are
	failuresOfDevice  = 10 // of who has signed in before, which nobody else can use up
	failuresOfAddress = 20 // whatever the accounts; many people may share one
)

// Place is where a password is typed.
type Place struct {
	Address string // as ratelimit.Address has it
	Device  string // what known gave it, empty when it has nothing
}

// try is one that was let through. It counts as a failure of its account or device until it has succeeded, so that tries at
// the same moment count one after the other; of its address when it has failed, because many people may share one.
type try struct {
	key, address string
	until        time.Time
}

// begin lets a try of an account's password go on, or tells how long to wait. A device that has signed in to the account
// is counted by itself, so that strangers cannot keep its owner out; everybody else together by account, and by address.
// Whether there is such an account makes no difference. Error: TooManyRequests, with the time to wait.
func (s *Service) begin(ctx context.Context, email string, at Place) (try, error) {
	account := accountKey(email)
	if device := s.deviceOf(account, at.Device); device != "" {
		return s.count(ctx, s.sealed("device:"+device), failuresOfDevice)
	}
	address := s.sealed("address:" + at.Address)
	if err := s.paused(ctx, address); err != nil {
		return try{}, err
	}
	t, err := s.count(ctx, s.sealed("account:"+account), failuresOfAccount)
	t.address = address
	return t, err
}

// end says what came of a try: a wrong password, or nothing that counts.
func (s *Service) end(ctx context.Context, t try, wrong bool) error {
	if wrong && t.address == "" {
		return nil
	}
	if wrong {
		_, err := s.count(ctx, t.address, failuresOfAddress)
		if errors.Is(err, apperr.New(apperr.TooManyRequests)) {
			return nil // another one has just begun the pause
		}
		return err
	}
	err := s.db.WithContext(ctx).Exec(`
		UPDATE password_failures SET failures = greatest(failures - 1, 0),
		    paused_until = CASE WHEN paused_until = @until THEN @now ELSE paused_until END
		WHERE key = @key`, map[string]any{"key": t.key, "until": t.until, "now": s.now()}).Error
	if err != nil {
		return fmt.Errorf("take a try back: %w", err)
	}
	return nil
}

// count adds a failure, with the pause that follows from it, unless a pause goes on. One statement. Error: TooManyRequests.
func (s *Service) count(ctx context.Context, key string, free int) (try, error) {
	var paused []time.Time
	now := s.now()
	const failures = `(1 + CASE WHEN f.last_at < @forgotten THEN 0 ELSE f.failures END)`
	err := s.db.WithContext(ctx).Raw(`
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
		return try{}, fmt.Errorf("count a try: %w", err)
	case len(paused) == 1:
		return try{key: key, until: paused[0]}, nil
	}
	if err := s.paused(ctx, key); err != nil {
		return try{}, err
	}
	return try{}, apperr.New(apperr.TooManyRequests).RetryAfter(time.Second) // the pause has ended this moment
}

// paused returns TooManyRequests while a pause goes on.
func (s *Service) paused(ctx context.Context, key string) error {
	var until []time.Time
	now := s.now()
	err := s.db.WithContext(ctx).Raw(`SELECT paused_until FROM password_failures WHERE key = ? AND paused_until > ?`, key, now).Scan(&until).Error
	if err != nil {
		return fmt.Errorf("look for a pause: %w", err)
	}
	if len(until) > 0 {
		return apperr.New(apperr.TooManyRequests).RetryAfter(until[0].Sub(now))
	}
	return nil
}

// sealed names something in the database without telling it.
func (s *Service) sealed(text string) string {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:18])
}

// accountKey names an account, in whichever way its address is written.
func accountKey(email string) string { return strings.ToLower(profiles.NormalEmail(email)) }

// pruneFailures forgets what counts no more.
func pruneFailures(ctx context.Context, db *gorm.DB, now time.Time) error {
	if err := db.WithContext(ctx).Exec(`DELETE FROM password_failures WHERE last_at < ?`, now.Add(-forgottenAfter)).Error; err != nil {
		return fmt.Errorf("prune failures: %w", err)
	}
	return nil
}
