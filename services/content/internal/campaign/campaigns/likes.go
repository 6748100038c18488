package campaigns

import (
	"context"

	"gorm.io/gorm"

	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/discovery/likes"
)

// LikeRules limit liking and unliking together: each writes a campaign's totals and its rows in lists.
func LikeRules(limit ratelimit.Limit) ratelimit.Rules {
	rules := []ratelimit.Rule{{Name: "like", Limit: limit}}
	return ratelimit.Rules{"POST /campaigns/:campaign_id/likes": rules, "DELETE /campaigns/:campaign_id/likes": rules}
}

// Likes are the likes of campaigns. Liking gives ErrUnknown for a campaign that is not there.
func Likes() likes.Of {
	return likes.Of{
		Thing: "campaign",
		Add: `
			INSERT INTO campaign_likes (campaign_id, user_id, created_at, counted)
			SELECT @id, id, @now, verified FROM (SELECT id, verified FROM users WHERE id = @user FOR SHARE) AS person
			ON CONFLICT DO NOTHING RETURNING counted`,
		Remove: `DELETE FROM campaign_likes WHERE campaign_id = @id AND user_id = @user RETURNING counted`,
		Count: `UPDATE campaign_likes SET counted = true
			WHERE campaign_id = @id AND user_id = @user AND NOT counted RETURNING counted`,
		Read: `
			SELECT t.likes, EXISTS (SELECT FROM campaign_likes WHERE campaign_id = @id AND user_id = @user AND NOT counted) AS waits
			FROM campaign_totals t WHERE t.campaign_id = @id`,
		Waiting: `SELECT campaign_id FROM campaign_likes WHERE user_id = @user AND NOT counted ORDER BY campaign_id`,
		All:     `SELECT campaign_id FROM campaign_likes WHERE user_id = @user ORDER BY campaign_id`,
		Total: func(ctx context.Context, tx *gorm.DB, id int64, gain int) error {
			_, err := AddToTotals(ctx, tx, id, Backing{}, TotalsChange{Likes: gain})
			return err
		},
	}
}
