package secondstep

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// challengeFor is how long a challenge waits for its answer.
const challengeFor = 10 * time.Minute

// purpose is what a challenge was made for; an answer to it serves nothing else.
type purpose string

const (
	forSecondStep purpose = "second_step" // the password was right
	forSignIn     purpose = "sign_in"     // with a passkey alone
	forConfirm    purpose = "confirm"     // somebody who is signed in
	forAdd        purpose = "add"         // a passkey
)

// challenge is a row of second_step_challenges.
type challenge struct {
	TokenHash []byte
	Purpose   purpose
	UserID    *int64
	SessionID *string
	Ceremony  []byte
	ExpiresAt time.Time
}

// TableName is GORM's.
func (challenge) TableName() string { return "second_step_challenges" }

// open stores a challenge and returns its token.
func (s *Service) open(ctx context.Context, db *gorm.DB, c challenge, ceremony *webauthn.SessionData) (token string, expires time.Time, err error) {
	token = rand.Text()
	c.TokenHash, c.ExpiresAt = hashOf(token), s.now().Add(challengeFor)
	if ceremony != nil {
		if c.Ceremony, err = json.Marshal(ceremony); err != nil {
			return "", time.Time{}, fmt.Errorf("encode a ceremony: %w", err)
		}
	}
	if err := db.WithContext(ctx).Create(&c).Error; err != nil {
		return "", time.Time{}, fmt.Errorf("keep a challenge: %w", err)
	}
	return token, c.ExpiresAt, nil
}

// take uses up a challenge. Of two who send it at once the second waits for the first. Error: ErrChallenge.
func (s *Service) take(ctx context.Context, tx *gorm.DB, p purpose, token string) (c challenge, ceremony webauthn.SessionData, err error) {
	taken := tx.WithContext(ctx).Raw(`DELETE FROM second_step_challenges WHERE token_hash = ? AND purpose = ? AND expires_at > ? RETURNING *`,
		hashOf(token), p, s.now()).Scan(&c)
	if taken.Error != nil {
		return c, ceremony, fmt.Errorf("take a challenge: %w", taken.Error)
	}
	if taken.RowsAffected == 0 {
		return c, ceremony, ErrChallenge
	}
	if c.Ceremony != nil {
		if err := json.Unmarshal(c.Ceremony, &ceremony); err != nil {
			return c, ceremony, fmt.Errorf("decode a ceremony: %w", err)
		}
	}
	return c, ceremony, nil
}

// EndChallenges ends sign-ins of a person that are under way.
func EndChallenges(ctx context.Context, tx *gorm.DB, userID int64) error {
	if err := tx.WithContext(ctx).Exec(`DELETE FROM second_step_challenges WHERE user_id = ?`, userID).Error; err != nil {
		return fmt.Errorf("end challenges of user %d: %w", userID, err)
	}
	return nil
}

// Prune deletes challenges that have expired.
func Prune(ctx context.Context, db *gorm.DB, now time.Time) error {
	if _, err := dbx.Prune(ctx, db, `second_step_challenges`, `expires_at < ?`, now); err != nil {
		return fmt.Errorf("prune challenges: %w", err)
	}
	return nil
}
