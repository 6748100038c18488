package letters

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/zone"
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

// GoOn queues the letters that waited for a campaign that was on hold, in the transaction that lets it go on, which holds the campaign's row.
func GoOn(ctx context.Context, tx *gorm.DB, campaignID int64) error {
	var posts []int64
	err := tx.WithContext(ctx).Raw(`
		SELECT p.id FROM letter_rounds r JOIN posts p ON p.id = r.post_id
		WHERE p.campaign_id = ? AND p.status = 'published' AND r.sent_at IS NULL ORDER BY p.id`, campaignID).Scan(&posts).Error
	if err != nil {
		return fmt.Errorf("look for the letters of campaign %d that wait: %w", campaignID, err)
	}
	for _, id := range posts {
		if err := Begin(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

// status is that of a post, held while its campaign is not to write to its backers. The campaign's row is kept from being put on hold or
// let go on until the transaction ends; it comes before the post's.
func status(ctx context.Context, tx *gorm.DB, postID int64) (r round, ok bool, err error) {
	var holds []string
	err = tx.WithContext(ctx).Raw(`SELECT c.hold FROM campaigns c JOIN posts p ON p.campaign_id = c.id WHERE p.id = ? FOR KEY SHARE OF c`,
		postID).Scan(&holds).Error
	if err != nil || len(holds) == 0 {
		return r, false, err
	}
	if err := tx.WithContext(ctx).Raw(`SELECT campaign_id, level, status FROM posts WHERE id = ? FOR SHARE`, postID).Scan(&r).Error; err != nil {
		return r, false, err
	}
	if holds[0] != "" {
		r.Status = held
	}
	return r, true, nil
}

// held is the status of a post whose campaign is on hold, or was stopped.
const held = "held"

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

// write looks at the next addresses of a round and queues their letters and the next batch. It locks campaign and post against being put
// on hold and taken back meanwhile, then the round's row.
func write(ctx context.Context, tx *gorm.DB, b batch, now time.Time) error {
	post, ok, err := status(ctx, tx, b.PostID)
	if err != nil {
		return fmt.Errorf("hold post %d: %w", b.PostID, err)
	}
	var rounds []round
	err = tx.Raw(`SELECT batch, after, sent_at FROM letter_rounds WHERE post_id = ? FOR UPDATE`,
		b.PostID).Scan(&rounds).Error
	if err != nil {
		return fmt.Errorf("hold the letters of post %d: %w", b.PostID, err)
	}
	if !ok || len(rounds) == 0 || rounds[0].SentAt != nil || rounds[0].Batch != b.Number {
		return nil
	}
	r := rounds[0]
	r.CampaignID, r.Level, r.Status = post.CampaignID, post.Level, post.Status
	if r.Status != "published" { // Begin and GoOn go on under the next number, because this one's message is done
		return r.save(ctx, tx, b.PostID, nil)
	}
	w, err := r.writeLetters(ctx, tx, b.PostID, now)
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
	Looked        int
	Last          string
	Pledges       dbx.TextArray `gorm:"type:text[]"`
	Subscriptions dbx.TextArray `gorm:"type:text[]"`
}

// writeLetters writes the letters of the addresses after the last one, and their mails. The indexes
// pledges_backers_by_address and subscriptions_by_address give the addresses in order, so the statement reads one batch
// and stops.
func (r round) writeLetters(ctx context.Context, tx *gorm.DB, postID int64, now time.Time) (written, error) {
	var w written
	err := tx.WithContext(ctx).Raw(`
		WITH looked AS (
			SELECT `+backer+` FROM `+gifts+` g WHERE address > @after GROUP BY address ORDER BY address LIMIT @limit
		), new AS (
			INSERT INTO letters (post_id, address_hash, pledge_id, subscription_id, language)
			SELECT @post, b.address_hash, b.pledge_id, b.subscription_id, b.language FROM (`+withMoney+`looked b) b
			WHERE `+mayRead+` AND NOT `+refused+`
			ON CONFLICT (post_id, address_hash) DO NOTHING RETURNING pledge_id, subscription_id
		)
		SELECT (SELECT count(*) FROM looked) AS looked, coalesce((SELECT max(address) FROM looked), '') AS last,
			ARRAY(SELECT CAST(pledge_id AS text) FROM new WHERE pledge_id IS NOT NULL ORDER BY 1) AS pledges,
			ARRAY(SELECT CAST(subscription_id AS text) FROM new WHERE subscription_id IS NOT NULL ORDER BY 1) AS subscriptions`,
		map[string]any{"campaign": r.CampaignID, "post": postID, "level": r.Level, "after": r.After,
			"limit": perBatch, "at": now}).Scan(&w).Error
	if err != nil {
		return w, fmt.Errorf("write letters of post %d: %w", postID, err)
	}
	var letters []Mail
	for _, id := range w.Pledges {
		letters = append(letters, Mail{PostID: postID, PledgeID: id})
	}
	for _, id := range w.Subscriptions {
		letters = append(letters, Mail{PostID: postID, SubscriptionID: id})
	}
	messages := make([]outbox.Message, len(letters))
	for i, letter := range letters {
		payload, err := json.Marshal(letter)
		if err != nil {
			return w, fmt.Errorf("encode a letter of post %d: %w", postID, err)
		}
		messages[i] = outbox.Message{Kind: KindMail, Payload: payload}
	}
	return w, outbox.AddAll(ctx, tx, messages)
}

// Parts of statements about a campaign's backers by address. Gifts are what lets an address read: paid pledges, and monthly
// support as package posts counts it, with what it is a month. A backer b is an address with the latest of its gifts (one of
// pledge_id and subscription_id), and the most money that lets it read: what was given with the address, or by an account
// that has given with it or has confirmed it, whose other gifts may have other addresses. An account's gifts are those by
// which package posts decides who may read. Erased backers have no address. The indexes pledges_backers_by_address,
// subscriptions_by_address, pledges_user, subscriptions_user and users_confirmed_address serve it.
const (
	hasMoney = `p.campaign_id = @campaign AND p.status IN ('paid', 'partly_refunded', 'disputed') AND p.email <> ''`
	supports = `s.campaign_id = @campaign AND s.status NOT IN ('created', 'expired')
		AND (s.status = 'active' OR s.paid_until >= ` + zone.Day + `) AND s.email <> ''`
	gifts = `(SELECT p.id, p.id AS pledge_id, CAST(NULL AS char(26)) AS subscription_id, lower(p.email) AS address, p.language,
			p.paid_at AS at, p.user_id, p.amount_minor - p.amount_refunded_minor AS money FROM pledges p WHERE ` + hasMoney + `
		UNION ALL
		SELECT s.id, CAST(NULL AS char(26)), s.id, lower(s.email), s.language, s.created_at, s.user_id, s.amount_minor
		FROM subscriptions s WHERE ` + supports + `)`
	backer = `address, sha256(convert_to(address, 'UTF8')) AS address_hash,
		(array_agg(pledge_id ORDER BY at DESC, id))[1] AS pledge_id,
		(array_agg(subscription_id ORDER BY at DESC, id))[1] AS subscription_id,
		(array_agg(language ORDER BY at DESC, id))[1] AS language,
		sum(money) AS own_money, array_agg(DISTINCT user_id) AS accounts`
	withMoney = `SELECT b.*, greatest(b.own_money, (
			SELECT max((SELECT coalesce(sum(money), 0) FROM (
				SELECT p.amount_minor - p.amount_refunded_minor AS money FROM pledges p
				WHERE p.user_id = account.id AND ` + hasMoney + `
				UNION ALL
				SELECT p.amount_minor - p.amount_refunded_minor FROM users u JOIN pledges p ON lower(p.email) = lower(u.email)
				WHERE u.id = account.id AND u.verified AND p.user_id IS NULL AND ` + hasMoney + `
				UNION ALL
				SELECT s.amount_minor FROM subscriptions s WHERE s.user_id = account.id AND ` + supports + `
				UNION ALL
				SELECT s.amount_minor FROM users u JOIN subscriptions s ON lower(s.email) = lower(u.email)
				WHERE u.id = account.id AND u.verified AND s.user_id IS NULL AND ` + supports + `) its))
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
