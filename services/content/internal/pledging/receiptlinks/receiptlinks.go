// Package receiptlinks makes and reads the links in mails that open one pledge without an account. It owns the table receipt_links.
//
// Invariants: a link is for one pledge and says what it opens: the pledge's page, where it can be changed and taken back, or, of mails
// that were sent before there was such a page, its receipt alone, without who has paid. The database holds a token's hash, never the
// token, which is made when the mail is sent. A link that has ended opens nothing, but is known for a while: who has it may ask for a
// new one, which goes to the pledge's own address. Mails that were sent before there were tokens have the pledge's id in their place:
// the migration has made it the token of a link for as long as any other, counted from its own day.
package receiptlinks

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

const (
	// lifetime of a link, as of those to monthly support.
	lifetime = 45 * 24 * time.Hour
	// afterEnd is how long a link lives at least after the last day of its campaign: until then the pledge can be taken back.
	afterEnd = 30 * 24 * time.Hour
	// known is how long an ended link can still be used to ask for another one.
	known = 2 * 365 * 24 * time.Hour
)

// ErrLink: the link has expired, was closed or replaced, or never existed.
var ErrLink = apperr.New(apperr.EmailLinkExpired)

// Link is one that opens a pledge's page.
type Link struct {
	PledgeID  string
	ExpiresAt time.Time
}

// Issue makes the token of a link to a pledge's page, and stores its hash.
func Issue(ctx context.Context, db *gorm.DB, pledgeID string, now time.Time) (token string, err error) {
	token = rand.Text()
	err = db.WithContext(ctx).Exec(`
		INSERT INTO receipt_links (token_hash, pledge_id, opens, created_at, expires_at)
		SELECT @hash, @id, 'pledge', @now, greatest(@expires, c.funding_deadline + @after * interval '1 second')
		FROM pledges p JOIN campaigns c ON c.id = p.campaign_id WHERE p.id = @id`,
		map[string]any{"hash": hashOf(token), "id": pledgeID, "now": now, "expires": now.Add(lifetime), "after": afterEnd.Seconds()}).Error
	if err != nil {
		return "", fmt.Errorf("issue a link to a pledge: %w", err)
	}
	return token, nil
}

func hashOf(token string) []byte {
	hash := sha256.Sum256([]byte(token))
	return hash[:]
}

// Read is the pledge whose receipt a token shows, whatever else it opens; reading does not use it up. Error: ErrLink.
func Read(ctx context.Context, db *gorm.DB, token string, now time.Time) (pledgeID string, err error) {
	link, err := read(ctx, db, token, now, "receipt", "pledge")
	return link.PledgeID, err
}

// Open is the link by which a token opens a pledge's page. Error: ErrLink.
func Open(ctx context.Context, db *gorm.DB, token string, now time.Time) (Link, error) {
	return read(ctx, db, token, now, "pledge")
}

func read(ctx context.Context, db *gorm.DB, token string, now time.Time, opens ...string) (l Link, err error) {
	found := db.WithContext(ctx).Raw(`SELECT pledge_id, expires_at FROM receipt_links WHERE token_hash = ? AND expires_at > ? AND opens IN ?`,
		hashOf(token), now, opens).Scan(&l)
	if found.Error != nil {
		return Link{}, fmt.Errorf("read a link: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return Link{}, ErrLink
	}
	return l, nil
}

// Known is the pledge of a token, also when its link has ended; "" when there never was one.
func Known(ctx context.Context, db *gorm.DB, token string) (pledgeID string, err error) {
	err = db.WithContext(ctx).Raw(`SELECT pledge_id FROM receipt_links WHERE token_hash = ?`, hashOf(token)).Scan(&pledgeID).Error
	if err != nil {
		return "", fmt.Errorf("look for a link: %w", err)
	}
	return pledgeID, nil
}

// Close ends the link of a token.
func Close(ctx context.Context, db *gorm.DB, token string, now time.Time) error {
	return end(ctx, db, `token_hash = ?`, hashOf(token), now)
}

// CloseAll ends the links that a pledge has.
func CloseAll(ctx context.Context, db *gorm.DB, pledgeID string, now time.Time) error {
	return end(ctx, db, `pledge_id = ?`, pledgeID, now)
}

func end(ctx context.Context, db *gorm.DB, which string, of any, now time.Time) error {
	err := db.WithContext(ctx).Exec(`UPDATE receipt_links SET expires_at = ? WHERE expires_at > ? AND `+which, now, now, of).Error
	if err != nil {
		return fmt.Errorf("end links to a pledge: %w", err)
	}
	return nil
}

// Erase deletes the links to pledges, in the caller's transaction.
func Erase(ctx context.Context, tx *gorm.DB, pledgeIDs []string) error {
	if err := tx.WithContext(ctx).Exec(`DELETE FROM receipt_links WHERE pledge_id IN ?`, pledgeIDs).Error; err != nil {
		return fmt.Errorf("end links to receipts: %w", err)
	}
	return nil
}

// Prune deletes links that ended long ago.
func Prune(ctx context.Context, db *gorm.DB, now time.Time) error {
	if _, err := dbx.Prune(ctx, db, `receipt_links`, `expires_at < ?`, now.Add(-known)); err != nil {
		return fmt.Errorf("prune links: %w", err)
	}
	return nil
}
