package experiments

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/discovery/likes"
)

// LikeRules limit liking and unliking together.
func LikeRules(limit ratelimit.Limit) ratelimit.Rules {
	rules := []ratelimit.Rule{{Name: "like", Limit: limit}}
	return ratelimit.Rules{"POST /experiments/:experiment_id/likes": rules,
		"DELETE /experiments/:experiment_id/likes": rules}
}

// Likes are the likes of experiments. Liking gives ErrUnknown for an experiment that is not there.
func Likes() likes.Of {
	return likes.Of{
		Thing: entity,
		Add: `
			INSERT INTO experiment_likes (experiment_id, user_id, created_at, counted)
			SELECT @id, id, @now, verified FROM (SELECT id, verified FROM users WHERE id = @user FOR SHARE) AS person
			ON CONFLICT DO NOTHING RETURNING counted`,
		Remove: `DELETE FROM experiment_likes WHERE experiment_id = @id AND user_id = @user RETURNING counted`,
		Count: `UPDATE experiment_likes SET counted = true
			WHERE experiment_id = @id AND user_id = @user AND NOT counted RETURNING counted`,
		Read: `
			SELECT e.like_count AS likes, EXISTS (SELECT FROM experiment_likes
				WHERE experiment_id = @id AND user_id = @user AND NOT counted) AS waits
			FROM experiments e WHERE e.id = @id`,
		Waiting: `SELECT experiment_id FROM experiment_likes WHERE user_id = @user AND NOT counted ORDER BY experiment_id`,
		All:     `SELECT experiment_id FROM experiment_likes WHERE user_id = @user ORDER BY experiment_id`,
		Total:   addLikes,
	}
}

func addLikes(ctx context.Context, tx *gorm.DB, id int64, gain int) error {
	if gain == 0 {
		return nil
	}
	changed := tx.WithContext(ctx).Exec(`UPDATE experiments SET like_count = like_count + ? WHERE id = ?`, gain, id)
	if changed.Error != nil {
		return fmt.Errorf("add to likes of experiment %d: %w", id, changed.Error)
	}
	if changed.RowsAffected == 0 {
		return ErrUnknown
	}
	return nil
}

// AddLikes adds people's likes of an experiment, in the caller's transaction; for those who like it already nothing
// changes.
func AddLikes(ctx context.Context, tx *gorm.DB, id int64, userIDs []int64, now time.Time) error {
	if len(userIDs) == 0 {
		return nil
	}
	var counted int
	err := tx.WithContext(ctx).Raw(`
		WITH added AS (
			INSERT INTO experiment_likes (experiment_id, user_id, created_at, counted) SELECT ?, id, ?, verified FROM users WHERE id IN ?
			ON CONFLICT DO NOTHING RETURNING counted)
		SELECT count(*) FROM added WHERE counted`, id, now, userIDs).Scan(&counted).Error
	if err != nil {
		return fmt.Errorf("like experiment %d: %w", id, err)
	}
	return addLikes(ctx, tx, id, counted)
}
