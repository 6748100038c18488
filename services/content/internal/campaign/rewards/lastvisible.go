package rewards

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/campaign/campaigns"
)

// ErrLast refuses to take the last visible reward of a campaign that needs one out of sight.
var ErrLast = apperr.New(apperr.LastReward)

// keepLast refuses to hide or delete a reward that is the last visible one of a campaign that was approved with it and
// is not over. It locks the campaign, and so comes before the reward's row: of two that would go at once the second
// one sees that the first has gone, and an approval comes before both or after. Monthly campaigns are approved with
// goals and need no reward. Error: ErrLast.
func (e Edit) keepLast(ctx context.Context, tx *gorm.DB) error {
	tx = tx.WithContext(ctx)
	var campaign struct {
		ID             int64
		Stage, OpensAs campaigns.Stage
	}
	err := tx.Raw(`
		SELECT id, stage, opens_as FROM campaigns WHERE id = (SELECT campaign_id FROM rewards WHERE id = ?)
		FOR NO KEY UPDATE`, e.RewardID).Scan(&campaign).Error
	if err != nil {
		return fmt.Errorf("lock the campaign of reward %d: %w", e.RewardID, err)
	}
	needsOne := campaign.Stage == campaigns.StagePreparing || campaign.Stage == campaigns.StageFunding
	if !needsOne || campaign.OpensAs == campaigns.StageRecurring {
		return nil
	}
	var isLast bool
	err = tx.Raw(`
		SELECT r.active = 1 AND NOT EXISTS (
			SELECT FROM rewards WHERE campaign_id = r.campaign_id AND id <> r.id AND active = 1)
		FROM rewards r WHERE r.id = ?`, e.RewardID).Scan(&isLast).Error
	if err != nil {
		return fmt.Errorf("look for another reward than %d: %w", e.RewardID, err)
	}
	if isLast {
		return ErrLast
	}
	return nil
}
