package campaigns

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"
	"talkoot.fi/kit/ratelimit"
)

// KindCountLikes is the outbox message that counts a person's likes once they have confirmed their address.
const KindCountLikes = "likes.count"

// LikeRules limit liking and unliking together: each writes a campaign's totals and its rows in lists.
func LikeRules(limit ratelimit.Limit) ratelimit.Rules {
	likes := []ratelimit.Rule{{Name: "like", Limit: limit}}
	return ratelimit.Rules{"POST /campaigns/:campaign_id/likes": likes, "DELETE /campaigns/:campaign_id/likes": likes}
}

// likes is the outcome of liking.
type likes struct {
	Likes int  // of the campaign
	Waits bool // this one does not count until its person has confirmed their address
}

// like adds a person's like in a transaction, with the totals; liking twice is liking once. Error: ErrUnknown.
func like(ctx context.Context, db *gorm.DB, campaignID, userID int64, now time.Time) (likes, error) {
	return setLike(ctx, db, campaignID, userID, func(tx *gorm.DB) (int, error) {
		// The person's row is locked, so that a confirmation is committed before this like, or after it and counts it.
		return oneIfCounted(tx.Raw(`
			INSERT INTO campaign_likes (campaign_id, user_id, created_at, counted)
			SELECT ?, id, ?, verified FROM (SELECT id, verified FROM users WHERE id = ? FOR SHARE) AS person
			ON CONFLICT DO NOTHING RETURNING counted`, campaignID, now, userID))
	})
}

// unlike removes a person's like in a transaction, with the totals; there need not be one. Error: ErrUnknown.
func unlike(ctx context.Context, db *gorm.DB, campaignID, userID int64) (likes, error) {
	return setLike(ctx, db, campaignID, userID, func(tx *gorm.DB) (int, error) {
		removed, err := oneIfCounted(tx.Raw(`DELETE FROM campaign_likes WHERE campaign_id = ? AND user_id = ? RETURNING counted`, campaignID, userID))
		return -removed, err
	})
}

// setLike runs a change of one like and adds its gain to the campaign's total.
func setLike(ctx context.Context, db *gorm.DB, campaignID, userID int64, change func(tx *gorm.DB) (gain int, err error)) (after likes, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		gain, err := change(tx)
		if err != nil {
			return fmt.Errorf("like campaign %d: %w", campaignID, err)
		}
		if _, err := AddToTotals(ctx, tx, campaignID, TotalsChange{Likes: gain}); err != nil {
			return err
		}
		err = tx.Raw(`
			SELECT t.likes, EXISTS (SELECT FROM campaign_likes WHERE campaign_id = @id AND user_id = @user AND NOT counted) AS waits
			FROM campaign_totals t WHERE t.campaign_id = @id`, map[string]any{"id": campaignID, "user": userID}).Scan(&after).Error
		if err != nil {
			return fmt.Errorf("read likes of campaign %d: %w", campaignID, err)
		}
		return nil
	})
	return after, err
}

func oneIfCounted(changed *gorm.DB) (int, error) {
	var counted []bool
	err := changed.Scan(&counted).Error
	if err != nil || len(counted) == 0 || !counted[0] {
		return 0, err
	}
	return 1, nil
}

// personsLikes is the payload of KindCountLikes.
type personsLikes struct {
	UserID int64 `json:"user_id"`
}

// CountLater queues the counting of a newly verified person's likes, in the caller's transaction.
func CountLater(ctx context.Context, tx *gorm.DB, userID int64) error {
	payload, err := json.Marshal(personsLikes{UserID: userID})
	if err != nil {
		return fmt.Errorf("encode likes of user %d: %w", userID, err)
	}
	_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindCountLikes, Payload: payload})
	return err
}

// CountLikes is the outbox handler of KindCountLikes. Each like is counted in its own transaction, because it locks
// its campaign's totals; a repeat continues where the last one stopped.
func CountLikes(db *gorm.DB) outbox.Handler {
	return func(ctx context.Context, m outbox.Message) error {
		var p personsLikes
		if err := json.Unmarshal(m.Payload, &p); err != nil {
			return fmt.Errorf("decode message %d: %w", m.ID, err)
		}
		var waiting []int64
		err := db.WithContext(ctx).Raw(`
			SELECT campaign_id FROM campaign_likes WHERE user_id = ? AND NOT counted ORDER BY campaign_id`, p.UserID).Scan(&waiting).Error
		if err != nil {
			return fmt.Errorf("look for likes of user %d: %w", p.UserID, err)
		}
		for _, campaignID := range waiting {
			err := dbx.InTx(ctx, db, func(tx *gorm.DB) error {
				gain, err := oneIfCounted(tx.Raw(`
					UPDATE campaign_likes SET counted = true WHERE campaign_id = ? AND user_id = ? AND NOT counted RETURNING counted`, campaignID, p.UserID))
				if err != nil {
					return fmt.Errorf("count a like of campaign %d: %w", campaignID, err)
				}
				_, err = AddToTotals(ctx, tx, campaignID, TotalsChange{Likes: gain})
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
}
