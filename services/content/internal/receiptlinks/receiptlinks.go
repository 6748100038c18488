// Package receiptlinks makes and reads the links in mails that show the receipt of one pledge. It owns the table
// receipt_links.
//
// Invariants: a link shows one receipt, without who has paid, and allows nothing else; the database holds a token's hash, never
// the token, which is made when the mail is sent. Mails that were sent before there were tokens have the pledge's id in their
// place: the migration has made it the token of a link for as long as any other, counted from its own day.
package receiptlinks

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
)

// lifetime of a link, as of those to monthly support.
const lifetime = 45 * 24 * time.Hour

// ErrLink: the link has expired or never existed.
var ErrLink = apperr.New(apperr.EmailLinkExpired)

// Issue makes the token of a link to a pledge's receipt, and stores its hash.
func Issue(ctx context.Context, db *gorm.DB, pledgeID string, now time.Time) (token string, err error) {
	token = rand.Text()
	hash := sha256.Sum256([]byte(token))
	err = db.WithContext(ctx).Exec(`
		INSERT INTO receipt_links (token_hash, pledge_id, created_at, expires_at) SELECT @hash, @id, @now, @expires`,
		map[string]any{"hash": hash[:], "id": pledgeID, "now": now, "expires": now.Add(lifetime)}).Error
	if err != nil {
		return "", fmt.Errorf("issue a link to a receipt: %w", err)
	}
	return token, nil
}

// Read is the pledge whose receipt a token shows; reading does not use it up. Error: ErrLink.
func Read(ctx context.Context, db *gorm.DB, token string, now time.Time) (pledgeID string, err error) {
	hash := sha256.Sum256([]byte(token))
	found := db.WithContext(ctx).Raw(`SELECT pledge_id FROM receipt_links WHERE token_hash = ? AND expires_at > ?`, hash[:], now).Scan(&pledgeID)
	if found.Error != nil {
		return "", fmt.Errorf("read a link: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return "", ErrLink
	}
	return pledgeID, nil
}

// Erase deletes the links to receipts of pledges, in the caller's transaction.
func Erase(ctx context.Context, tx *gorm.DB, pledgeIDs []string) error {
	if err := tx.WithContext(ctx).Exec(`DELETE FROM receipt_links WHERE pledge_id IN ?`, pledgeIDs).Error; err != nil {
		return fmt.Errorf("end links to receipts: %w", err)
	}
	return nil
}

// Prune deletes expired links.
func Prune(ctx context.Context, db *gorm.DB, now time.Time) error {
	if err := db.WithContext(ctx).Exec(`DELETE FROM receipt_links WHERE expires_at < ?`, now).Error; err != nil {
		return fmt.Errorf("prune links: %w", err)
	}
	return nil
}
