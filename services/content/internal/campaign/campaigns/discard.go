package campaigns

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/writing/changes"
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
	r, _, err := lock(ctx, tx, e.CampaignID, changes.ForUpdate)
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

// MayCancel refuses the closing of a campaign by others than its creator, of one whose money is decided about, and of one that staff look
// into. The caller has locked the campaign. Errors: ErrUnknown; Forbidden; campaign_not_open; ErrOnHold.
func (e Edit) MayCancel(ctx context.Context, tx *gorm.DB) error {
	if err := e.requireCreator(ctx, tx); err != nil {
		return err
	}
	r, _, err := lock(ctx, tx, e.CampaignID, changes.ForUpdate)
	switch {
	case err != nil:
		return err
	case r.Hold != NotHeld:
		return ErrOnHold
	case r.Stage == StageSucceeded || r.Stage == StageNotReached:
		return apperr.New(apperr.CampaignNotOpen).Wrap(fmt.Errorf("campaign %d has ended", e.CampaignID))
	}
	return nil
}
