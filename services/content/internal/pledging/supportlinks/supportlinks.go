// Package supportlinks makes and reads the links in mails about monthly support. It owns the table subscription_links.
//
// Invariants: a link allows one act on one subscription, of a month where the act has one; the database holds a token's
// hash, never the token, which is made when the mail is sent. Whether the act can still be done is no state of the link: the
// subscription itself tells, so that a link that is used twice, or late, does no harm.
package supportlinks

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
)

// Act is what a link allows. The constraint subscription_links_act lists the same values.
type Act string

// The acts. Receipt is shown by this service, the others are done by the payment service.
const (
	Skip    Act = "skip"
	Pause   Act = "pause"
	Resume  Act = "resume"
	Cancel  Act = "cancel"
	Pay     Act = "pay"
	Card    Act = "card"
	Receipt Act = "receipt"
)

// lifetime of a link: longer than a month, and than a month that has failed waits for its backer.
const lifetime = 45 * 24 * time.Hour

// ErrLink: the link has expired or never existed.
var ErrLink = apperr.New(apperr.EmailLinkExpired)

// Link is what a token stands for.
type Link struct {
	SubscriptionID string
	Act            Act
	Period         int   // 0 where the act needs none
	Sequence       int64 // of the event that its mail tells of; 0 where the act needs none
}

// Issue makes the token of a link, and stores its hash.
func Issue(ctx context.Context, db *gorm.DB, l Link, now time.Time) (token string, err error) {
	token = rand.Text()
	hash := sha256.Sum256([]byte(token))
	err = db.WithContext(ctx).Exec(`
		INSERT INTO subscription_links (token_hash, subscription_id, act, period, sequence, created_at, expires_at)
		SELECT @hash, @id, @act, @period, @sequence, @now, @expires`,
		map[string]any{"hash": hash[:], "id": l.SubscriptionID, "act": string(l.Act), "period": l.Period, "sequence": l.Sequence, "now": now,
			"expires": now.Add(lifetime)}).Error
	if err != nil {
		return "", fmt.Errorf("issue a link to %s: %w", l.Act, err)
	}
	return token, nil
}

// Read is what a token allows; reading does not use it up. Error: ErrLink.
func Read(ctx context.Context, db *gorm.DB, token string, now time.Time) (Link, error) {
	hash := sha256.Sum256([]byte(token))
	var l Link
	found := db.WithContext(ctx).Raw(`SELECT subscription_id, act, period, sequence FROM subscription_links WHERE token_hash = ? AND expires_at > ?`,
		hash[:], now).Scan(&l)
	if found.Error != nil {
		return Link{}, fmt.Errorf("read a link: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return Link{}, ErrLink
	}
	return l, nil
}

// Erase deletes the links of subscriptions, in the caller's transaction.
func Erase(ctx context.Context, tx *gorm.DB, subscriptionIDs []string) error {
	if err := tx.WithContext(ctx).Exec(`DELETE FROM subscription_links WHERE subscription_id IN ?`, subscriptionIDs).Error; err != nil {
		return fmt.Errorf("end links of subscriptions: %w", err)
	}
	return nil
}

// Prune deletes expired links.
func Prune(ctx context.Context, db *gorm.DB, now time.Time) error {
	if _, err := dbx.Prune(ctx, db, `subscription_links`, `expires_at < ?`, now); err != nil {
		return fmt.Errorf("prune links: %w", err)
	}
	return nil
}
