package campaigns

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
)

// Discard deletes a draft that was never public, with all that belongs to it, in the caller's transaction, and returns the
// pictures that were sent for it; the caller has those removed that nothing else shows. Its history keeps that it was
// deleted, without the words. Errors: ErrUnknown; Forbidden for others than its creator; CampaignWasPublic.
func (e Edit) Discard(ctx context.Context, tx *gorm.DB) (pictures []string, err error) {
	r, _, err := hold(ctx, tx, e.CampaignID, "UPDATE")
	if err != nil {
		return nil, err
	}
	if err := e.requireCreator(ctx, tx); err != nil {
		return nil, err
	}
	var approved bool
	err = tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT 1 FROM review_events WHERE campaign_id = ? AND event = 'approved')`,
		e.CampaignID).Scan(&approved).Error
	if err != nil {
		return nil, fmt.Errorf("read whether campaign %d was approved: %w", e.CampaignID, err)
	}
	if r.Stage != StageDraft || approved {
		return nil, apperr.New(apperr.CampaignWasPublic)
	}
	if pictures, err = e.pictures(ctx, tx); err != nil {
		return nil, err
	}
	return pictures, e.deleteWhole(ctx, tx)
}

// requireCreator refuses others than the campaign's creator, who is first in its team. Error: Forbidden.
func (e Edit) requireCreator(ctx context.Context, tx *gorm.DB) error {
	team, err := readTeam(ctx, tx, e.CampaignID)
	if err != nil {
		return err
	}
	if len(team) == 0 || e.By.UserID == nil || team[0] != *e.By.UserID {
		return apperr.New(apperr.Forbidden)
	}
	return nil
}
