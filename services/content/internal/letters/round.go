package letters

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"
)

// perBatch is how many addresses a batch looks at, and so the most letters that a receipt waits for.
const perBatch = 200

// Begin queues the letters of a post that is being published, in the transaction that publishes it, which holds the
// post's row. A round that has ended is not begun again; one that stopped because the post was taken back goes on.
func Begin(ctx context.Context, tx *gorm.DB, postID int64) error {
	var rounds []round
	err := tx.WithContext(ctx).Raw(`
		INSERT INTO letter_rounds AS r (post_id) VALUES (?)
		ON CONFLICT (post_id) DO UPDATE SET after = '' WHERE r.sent_at IS NULL RETURNING batch`, postID).Scan(&rounds).Error
	if err != nil {
		return fmt.Errorf("begin the letters of post %d: %w", postID, err)
	}
	if len(rounds) == 0 {
		return nil
	}
	return add(ctx, tx, batch{postID, rounds[0].Batch})
}

func add(ctx context.Context, tx *gorm.DB, b batch) error {
	payload, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("encode batch %d of post %d: %w", b.Number, b.PostID, err)
	}
	_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindBatch, Payload: payload,
		DedupeKey: fmt.Sprintf("letters %d %d", b.PostID, b.Number)})
	return err
}

// round is what a batch needs to know.
type round struct {
	CampaignID int64
	Level      int
	Status     string
	Batch      int
	After      string
	SentAt     *time.Time
}

// WriteBatch makes the outbox's handler of KindBatch. Each call is one transaction. A message that comes twice, or
// late, changes nothing.
func WriteBatch(db *gorm.DB, now func() time.Time) outbox.Handler {
	return func(ctx context.Context, m outbox.Message) error {
		var b batch
		if err := json.Unmarshal(m.Payload, &b); err != nil {
			return fmt.Errorf("decode message %d: %w", m.ID, err)
		}
		return dbx.InTx(ctx, db, func(tx *gorm.DB) error { return write(ctx, tx, b, now()) })
	}
}

// write looks at the next addresses of a round and queues their letters and the next batch. It locks the post's row
// against being taken back meanwhile, then the round's.
func write(ctx context.Context, tx *gorm.DB, b batch, now time.Time) error {
	var posts []round
	err := tx.Raw(`SELECT campaign_id, level, status FROM posts WHERE id = ? FOR SHARE`, b.PostID).Scan(&posts).Error
	if err != nil {
		return fmt.Errorf("hold post %d: %w", b.PostID, err)
	}
	var rounds []round
	err = tx.Raw(`SELECT batch, after, sent_at FROM letter_rounds WHERE post_id = ? FOR UPDATE`,
		b.PostID).Scan(&rounds).Error
	if err != nil {
		return fmt.Errorf("hold the letters of post %d: %w", b.PostID, err)
	}
	if len(posts) == 0 || len(rounds) == 0 || rounds[0].SentAt != nil || rounds[0].Batch != b.Number {
		return nil
	}
	r := rounds[0]
	r.CampaignID, r.Level, r.Status = posts[0].CampaignID, posts[0].Level, posts[0].Status
	if r.Status != "published" { // Begin goes on under the next number, because this one's message is done
		return r.save(ctx, tx, b.PostID, nil)
	}
	w, err := r.writeLetters(ctx, tx, b.PostID)
	if err != nil {
		return err
	}
	if w.Looked < perBatch {
		r.After = ""
		return r.save(ctx, tx, b.PostID, &now)
	}
	r.After = w.Last
	if err := r.save(ctx, tx, b.PostID, nil); err != nil {
		return err
	}
	return add(ctx, tx, batch{b.PostID, b.Number + 1})
}

func (r round) save(ctx context.Context, tx *gorm.DB, postID int64, sentAt *time.Time) error {
	err := tx.WithContext(ctx).Exec(`UPDATE letter_rounds SET batch = batch + 1, after = ?, sent_at = ? WHERE post_id = ?`,
		r.After, sentAt, postID).Error
	if err != nil {
		return fmt.Errorf("end batch %d of post %d: %w", r.Batch, postID, err)
	}
	return nil
}

// written is what a batch has done.
type written struct {
	Looked  int
	Last    string
	Pledges dbx.TextArray `gorm:"type:text[]"`
}

// writeLetters writes the letters of the addresses after the last one, and their mails. The index
// pledges_backers_by_address gives the addresses in order, so the statement reads one batch and stops.
func (r round) writeLetters(ctx context.Context, tx *gorm.DB, postID int64) (written, error) {
	var w written
	err := tx.WithContext(ctx).Raw(`
		WITH looked AS (
			SELECT `+backer+` FROM pledges p
			WHERE `+hasMoney+` AND lower(p.email) > @after
			GROUP BY lower(p.email) ORDER BY lower(p.email) LIMIT @limit
		), new AS (
			INSERT INTO letters (post_id, address_hash, pledge_id, language)
			SELECT @post, b.address_hash, b.pledge_id, b.language FROM (`+withMoney+`looked b) b
			WHERE `+mayRead+` AND NOT `+refused+`
			ON CONFLICT (post_id, address_hash) DO NOTHING RETURNING pledge_id
		)
		SELECT (SELECT count(*) FROM looked) AS looked, coalesce((SELECT max(address) FROM looked), '') AS last,
			ARRAY(SELECT CAST(pledge_id AS text) FROM new ORDER BY pledge_id) AS pledges`,
		map[string]any{"campaign": r.CampaignID, "post": postID, "level": r.Level, "after": r.After,
			"limit": perBatch}).Scan(&w).Error
	if err != nil {
		return w, fmt.Errorf("write letters of post %d: %w", postID, err)
	}
	messages := make([]outbox.Message, len(w.Pledges))
	for i, pledge := range w.Pledges {
		payload, err := json.Marshal(Mail{postID, pledge})
		if err != nil {
			return w, fmt.Errorf("encode a letter of post %d: %w", postID, err)
		}
		messages[i] = outbox.Message{Kind: KindMail, Payload: payload}
	}
	return w, outbox.AddAll(ctx, tx, messages)
}

// Parts of statements about a campaign's backers by address. A backer b is an address with the latest of its paid
// pledges, and the most money that lets it read: what the address has backed with, or an account that has backed with
// it or has confirmed it, whose other pledges may have other addresses. An account's pledges are those by which package
// posts decides who may read. Erased backers have no address. The indexes pledges_backers_by_address, pledges_user and users_confirmed_address serve it.
const (
	hasMoney = `p.campaign_id = @campaign AND p.status IN ('paid', 'partly_refunded', 'disputed') AND p.email <> ''`
	backer   = `lower(p.email) AS address, sha256(convert_to(lower(p.email), 'UTF8')) AS address_hash,
		(array_agg(p.id ORDER BY p.paid_at DESC, p.id))[1] AS pledge_id,
		(array_agg(p.language ORDER BY p.paid_at DESC, p.id))[1] AS language,
		sum(p.amount_minor - p.amount_refunded_minor) AS own_money, array_agg(DISTINCT p.user_id) AS accounts`
	withMoney = `SELECT b.*, greatest(b.own_money, (
			SELECT max((SELECT coalesce(sum(money), 0) FROM (
				SELECT p.amount_minor - p.amount_refunded_minor AS money FROM pledges p
				WHERE p.user_id = account.id AND ` + hasMoney + `
				UNION ALL
				SELECT p.amount_minor - p.amount_refunded_minor FROM users u JOIN pledges p ON lower(p.email) = lower(u.email)
				WHERE u.id = account.id AND u.verified AND p.user_id IS NULL AND ` + hasMoney + `) its))
			FROM (SELECT unnest(b.accounts) AS id
			    UNION SELECT u.id FROM users u WHERE lower(u.email) = b.address AND u.verified) account
			WHERE account.id IS NOT NULL)) AS money
		FROM `
	mayRead = `(@level <= 1 OR b.money >= 100 * CAST(@level AS bigint))`
	// refused: by the link in a letter, by the settings of the account that has confirmed the address, or by those of every
	// account that has backed with it. One of several accounts does not decide: it may be a stranger's.
	refused = `(EXISTS (
			SELECT 1 FROM letter_refusals f WHERE f.campaign_id = @campaign AND f.address_hash = b.address_hash)
		OR EXISTS (SELECT 1 FROM users u WHERE lower(u.email) = b.address AND u.verified AND NOT u.wants_letters)
		OR NOT EXISTS (SELECT 1 FROM unnest(b.accounts) AS account (id) LEFT JOIN users u ON u.id = account.id
			WHERE u.id IS NULL OR u.wants_letters))`
)
