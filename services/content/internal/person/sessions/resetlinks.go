package sessions

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// maxOffered is how many accounts of one address a mail offers a new password for; the next mail has the next ones.
const maxOffered = 20

// ResetLink is a link by which one account of an address gets a new password.
type ResetLink struct {
	ID                         int64
	Email, FirstName, Language string    // no name of who has not confirmed the address: a stranger may have typed it
	CreatedAt                  time.Time // of the account
	HasPaid                    bool      // it has given money
	Accounts                   int       // that the address has in all, of which a mail offers maxOffered
	Token                      string    `gorm:"-"`
}

// IssueReset makes the tokens of links, and stores their hashes: one for the account that has confirmed the address; where
// none has, one for each account that is not blocked, those that have paid first, then by when they were made. Of more than
// maxOffered it takes those that no good link was made for before the mail was asked for, and then those whose link is oldest, so that
// nobody's is pushed out by strangers who register the address, whatever they do in theirs. Whoever reads the mail knows which is theirs;
// nothing in an account tells it, since a stranger can have put it there. None if there is no such account, or if the confirmed one is blocked.
func IssueReset(ctx context.Context, db *gorm.DB, email string, asked, now time.Time) (links []ResetLink, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		links = nil
		err := tx.Raw(`
			SELECT id, email, CASE WHEN verified THEN first_name ELSE '' END AS first_name, language, created_at, has_paid, accounts FROM (
				SELECT u.*, EXISTS (SELECT FROM pledges WHERE user_id = u.id AND paid_at IS NOT NULL)
				        OR EXISTS (SELECT FROM subscriptions WHERE user_id = u.id AND begun_on IS NOT NULL) AS has_paid,
				    count(*) OVER () AS accounts,
				    (SELECT max(created_at) FROM password_resets WHERE user_id = u.id AND expires_at > @now AND created_at < @asked) AS offered_at
				FROM users u WHERE lower(email) = lower(@email) AND blocked_at IS NULL
				    AND (verified OR NOT EXISTS (SELECT FROM users o WHERE lower(o.email) = lower(u.email) AND o.verified))) account
			ORDER BY offered_at NULLS FIRST, has_paid DESC, id LIMIT @most`,
			map[string]any{"email": email, "asked": asked, "now": now, "most": maxOffered}).Scan(&links).Error
		if err != nil {
			return fmt.Errorf("look up the accounts of an address: %w", err)
		}
		for i := range links {
			l := &links[i]
			l.Token = rand.Text()
			hash := sha256.Sum256([]byte(l.Token))
			err := tx.Exec(`INSERT INTO password_resets (token_hash, user_id, email, created_at, expires_at)
				SELECT @hash, @user, @email, @now, @expires`, map[string]any{"hash": hash[:], "user": l.ID, "email": l.Email, "now": now,
				"expires": now.Add(resetFor)}).Error
			if err != nil {
				return fmt.Errorf("issue a link for a new password: %w", err)
			}
		}
		return nil
	})
	return links, err
}
