package recommend

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

const (
	// MinPeople is how many have to back or like two campaigns before anybody is told that many do. The index
	// recommendation_pairs_told has the same number.
	MinPeople = 5
	// mostInterests is how many campaigns of a person are counted, the latest of each kind: a pair costs two rows, so
	// nobody makes more than 2,450 of them by liking everything.
	mostInterests = 50
	// recountBatch is how many notes of changes one transaction takes. It changes 98,000 pairs at most, which only recounts
	// lock; readers never wait for it.
	recountBatch = 20
)

// Recount counts those people anew whose pledges, monthly support or likes have changed, and returns how many changes that were. Several
// processes may call it at once: while one counts, the others return 0.
func Recount(ctx context.Context, db *gorm.DB) (changes int, err error) {
	for {
		batch := 0
		err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
			batch, err = recountBatchOf(ctx, tx, recountBatch)
			return err
		})
		if err != nil || batch == 0 {
			return changes, err
		}
		changes += batch
	}
}

func recountBatchOf(ctx context.Context, tx *gorm.DB, limit int) (int, error) {
	var isFree bool
	// Two recounts at once could lock the same pairs in different orders, and count a person's old interests twice.
	err := tx.WithContext(ctx).Raw(`SELECT pg_try_advisory_xact_lock(hashtext('recommend.Recount'))`).Scan(&isFree).Error
	if err != nil {
		return 0, fmt.Errorf("lock the recount: %w", err)
	}
	if !isFree {
		return 0, nil
	}
	var people []int64
	err = tx.WithContext(ctx).Raw(`
		DELETE FROM recommendation_changes WHERE id IN (SELECT id FROM recommendation_changes ORDER BY id LIMIT ?)
		RETURNING user_id`, limit).Scan(&people).Error
	if err != nil {
		return 0, fmt.Errorf("take changes: %w", err)
	}
	if len(people) == 0 {
		return 0, nil
	}
	err = tx.WithContext(ctx).Exec(recountSQL, map[string]any{"people": people, "most": mostInterests}).Error
	if err == nil {
		err = tx.WithContext(ctx).Exec(`DELETE FROM recommendation_pairs WHERE people <= 0`).Error
	}
	if err != nil {
		return 0, fmt.Errorf("recount people: %w", err)
	}
	return len(people), nil
}

// countedSQL is what people are counted with: the latest campaigns that they have backed, or support monthly, openly, and those
// that they like. Indexes: pledges_user, subscriptions_user, campaign_likes_user.
const countedSQL = `
	SELECT person.id AS user_id, i.kind, i.campaign_id
	FROM users person CROSS JOIN LATERAL (
		(SELECT 'backed' AS kind, campaign_id FROM (
			SELECT campaign_id, paid_at AS at FROM pledges
			WHERE user_id = person.id AND status IN ('paid', 'partly_refunded', 'disputed') AND NOT anonymous
			UNION ALL
			SELECT campaign_id, created_at FROM subscriptions WHERE user_id = person.id AND status = 'active' AND NOT anonymous) b
		 GROUP BY campaign_id ORDER BY max(at) DESC, campaign_id DESC LIMIT @most)
		UNION ALL
		(SELECT 'liked', campaign_id FROM campaign_likes WHERE user_id = person.id AND counted
		 ORDER BY created_at DESC, campaign_id DESC LIMIT @most)) i
	WHERE person.blocked_at IS NULL AND person.verified`

// recountSQL changes the pairs of some people by the difference between what they were counted with and what they are
// counted with now. It is one statement, so that all of it sees the same pledges, monthly support and likes.
const recountSQL = `
	WITH after AS MATERIALIZED (` + countedSQL + ` AND person.id IN @people),
	before AS MATERIALIZED (SELECT user_id, kind, campaign_id FROM recommendation_interests WHERE user_id IN @people),
	pairs AS (
		SELECT a.kind, a.campaign_id, b.campaign_id AS other_id, 1 AS people
		FROM after a JOIN after b ON b.user_id = a.user_id AND b.kind = a.kind AND b.campaign_id <> a.campaign_id
		UNION ALL
		SELECT a.kind, a.campaign_id, b.campaign_id, -1
		FROM before a JOIN before b ON b.user_id = a.user_id AND b.kind = a.kind AND b.campaign_id <> a.campaign_id),
	counted AS (
		INSERT INTO recommendation_pairs (campaign_id, kind, other_id, people)
		SELECT campaign_id, kind, other_id, sum(people) FROM pairs GROUP BY 1, 2, 3 HAVING sum(people) <> 0
		ON CONFLICT (campaign_id, kind, other_id) DO UPDATE SET people = recommendation_pairs.people + excluded.people),
	forgotten AS (
		DELETE FROM recommendation_interests i USING before
		WHERE (i.user_id, i.kind, i.campaign_id) = (before.user_id, before.kind, before.campaign_id)
		AND NOT EXISTS (
			SELECT FROM after WHERE (after.user_id, after.kind, after.campaign_id) = (i.user_id, i.kind, i.campaign_id)))
	INSERT INTO recommendation_interests (user_id, kind, campaign_id) SELECT user_id, kind, campaign_id FROM after
	ON CONFLICT DO NOTHING`
