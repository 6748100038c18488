package campaigns

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
)

// knownSQL asks whether draft @id has been public, or there is a pledge or monthly support of it, paid or not: bookkeeping and
// payments refer to these. The campaign's row is locked, so that none can come meanwhile.
const knownSQL = `
	SELECT EXISTS (SELECT 1 FROM review_events WHERE campaign_id = @id AND event = 'approved')
	    OR EXISTS (SELECT 1 FROM pledges WHERE campaign_id = @id)
	    OR EXISTS (SELECT 1 FROM subscriptions WHERE campaign_id = @id)
	    OR EXISTS (SELECT 1 FROM subscription_charges WHERE campaign_id = @id)`

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
	var known bool
	if err := tx.WithContext(ctx).Raw(knownSQL, map[string]any{"id": e.CampaignID}).Scan(&known).Error; err != nil {
		return nil, fmt.Errorf("read whether others know campaign %d: %w", e.CampaignID, err)
	}
	if r.Stage != StageDraft || known {
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
