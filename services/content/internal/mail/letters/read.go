package letters

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"
)

// Letter is what a mail says: the text of the post in the receiver's language, else in the post's own, else in any; one
// that lacks its title or its text comes last.
type Letter struct {
	CampaignID                 int64
	Slug, CampaignTitle        string
	PostID                     int64
	Title, HTML, Author        string
	TextLanguage               string // of Title and HTML
	Language, FirstName, Email string // the receiver's
	AddressHash                []byte
	PublishedAt                *time.Time
	Status                     string
}

const letterSQL = `
	SELECT p.campaign_id, c.slug, v.preview ->> 'title' AS campaign_title, p.id AS post_id,
	       x.title, x.html, x.language AS text_language,
	       shown_name(a.first_name, a.last_name, a.erased_at, r.language) AS author, p.published_at,
	       CASE c.hold WHEN '' THEN p.status ELSE '` + held + `' END AS status,
	       r.language, r.first_name, r.email, sha256(convert_to(lower(r.email), 'UTF8')) AS address_hash
	FROM posts p
	JOIN campaigns c ON c.id = p.campaign_id
	JOIN users a ON a.id = p.author_id
	JOIN receiver r ON true
	JOIN campaign_previews v ON v.campaign_id = c.id AND v.language = r.language
	JOIN LATERAL (
		SELECT title, html, language FROM post_texts x WHERE x.post_id = p.id
		ORDER BY x.title = '' OR x.html = '', x.language = r.language DESC, x.language = p.language DESC, x.language
		LIMIT 1) x ON true
	WHERE p.id = @post AND p.deleted_at IS NULL`

// Read reads a letter to be sent now: to the address of the pledge or of the monthly support, by what it has given now, which
// may have changed since the letter was written, as may the post's level. Ok is false if it must not be sent: the post has been
// taken back or its campaign is on hold (Status is draft or held then), its level does not let the address in any more, or the backer has refused letters.
func (m Mail) Read(ctx context.Context, db *gorm.DB, now time.Time) (l Letter, ok bool, err error) {
	of, id := m.of()
	err = db.WithContext(ctx).Raw(`
		WITH backed AS (`+withMoney+`(
			SELECT `+backer+` FROM `+gifts+` g WHERE address = (SELECT lower(email) FROM `+of+` WHERE id = @gift) GROUP BY address) b
		), receiver AS (
			SELECT coalesce(g.language, s.language) AS language, coalesce(g.first_name, s.first_name) AS first_name, coalesce(g.email, s.email) AS email
			FROM backed b LEFT JOIN pledges g ON g.id = b.pledge_id LEFT JOIN subscriptions s ON s.id = b.subscription_id
			JOIN posts p ON p.id = @post AND (p.level <= 1 OR b.money >= 100 * CAST(p.level AS bigint))
			WHERE NOT `+refused+`)`+letterSQL,
		map[string]any{"post": m.PostID, "gift": id, "at": now,
			"campaign": gorm.Expr(`(SELECT campaign_id FROM `+of+` WHERE id = ?)`, id)}).Scan(&l).Error
	if err != nil {
		return l, false, fmt.Errorf("read a letter of post %d: %w", m.PostID, err)
	}
	return l, l.Status == "published", nil
}

// of is the table of what the letter is for, and its key there.
func (m Mail) of() (table, id string) {
	if m.SubscriptionID != "" {
		return "subscriptions", m.SubscriptionID
	}
	return "pledges", m.PledgeID
}

// Withhold deletes a letter that Read did not find sendable. If its post has been taken back, or its campaign is on hold, the round is
// opened again, so that the letter is written anew when the post is published again or the campaign goes on, for whoever may read it then.
// Error: errPublished when that is so already; then the letter l can be sent after all.
func (m Mail) Withhold(ctx context.Context, db *gorm.DB, l Letter) error {
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		post, _, err := status(ctx, tx, m.PostID) // before the round's row, as write locks them
		if err != nil {
			return fmt.Errorf("hold post %d: %w", m.PostID, err)
		}
		if post.Status == "published" && (l.Status == "draft" || l.Status == held) {
			return errPublished
		}
		err = tx.Exec(`
			WITH withheld AS (DELETE FROM letters WHERE post_id = @post AND (pledge_id = @pledge OR subscription_id = @subscription) RETURNING post_id)
			UPDATE letter_rounds SET sent_at = NULL WHERE @status IN ('draft', 'held') AND post_id IN (SELECT post_id FROM withheld)`,
			map[string]any{"post": m.PostID, "pledge": m.PledgeID, "subscription": m.SubscriptionID, "status": post.Status}).Error
		if err != nil {
			return fmt.Errorf("withhold a letter of post %d: %w", m.PostID, err)
		}
		return nil
	})
}

// errPublished makes the outbox try the letter again later; then it can be sent.
var errPublished = errors.New("the post has been published again, or its campaign goes on")

// Read reads a test letter. Ok is false if the post is gone, or its author's address is not confirmed.
func (t Test) Read(ctx context.Context, db *gorm.DB) (l Letter, ok bool, err error) {
	err = db.WithContext(ctx).Raw(`
		WITH receiver AS (
			SELECT CAST(@language AS text) AS language, first_name, email FROM users WHERE id = @user AND verified)`+letterSQL,
		map[string]any{"post": t.PostID, "user": t.UserID, "language": t.Language}).Scan(&l).Error
	if err != nil {
		return l, false, fmt.Errorf("read a test letter of post %d: %w", t.PostID, err)
	}
	return l, l.PostID != 0, nil
}

// Send queues the test letter. Error: ErrUnconfirmed.
func (t Test) Send(ctx context.Context, db *gorm.DB) error {
	var confirmed bool
	read := db.WithContext(ctx).Raw(`SELECT verified FROM users WHERE id = ?`, t.UserID)
	if err := read.Scan(&confirmed).Error; err != nil {
		return fmt.Errorf("read whether the address of account %d is confirmed: %w", t.UserID, err)
	}
	if !confirmed {
		return ErrUnconfirmed
	}
	payload, err := json.Marshal(t)
	if err != nil {
		return fmt.Errorf("encode a test letter: %w", err)
	}
	_, err = outbox.Add(ctx, db, outbox.Message{Kind: KindTest, Payload: payload})
	return err
}
