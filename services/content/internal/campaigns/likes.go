package campaigns

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
)

// LikeCampaign likes; liking twice is liking once. Errors: NotAuthenticated, ErrUnknown.
func (h *Handlers) LikeCampaign(ctx context.Context, r api.LikeCampaignRequestObject) (api.LikeCampaignResponseObject, error) {
	likes, err := h.setLike(ctx, r.CampaignID, true)
	if err != nil {
		return nil, err
	}
	return api.LikeCampaign200JSONResponse{Likes: likes, Liked: true}, nil
}

// UnlikeCampaign takes a like back; there need not be one. Errors: NotAuthenticated, ErrUnknown.
func (h *Handlers) UnlikeCampaign(ctx context.Context, r api.UnlikeCampaignRequestObject) (api.UnlikeCampaignResponseObject, error) {
	likes, err := h.setLike(ctx, r.CampaignID, false)
	if err != nil {
		return nil, err
	}
	return api.UnlikeCampaign200JSONResponse{Likes: likes}, nil
}

// setLike makes the reader's like be there or not, and the totals follow in the same transaction. It returns the count.
func (h *Handlers) setLike(ctx context.Context, campaignID int64, wanted bool) (likes int, err error) {
	who, err := session.Require(ctx)
	if err != nil {
		return 0, err
	}
	if _, err := Access(ctx, h.db, campaignID); err != nil {
		return 0, err
	}
	err = dbx.InTx(ctx, h.db, func(tx *gorm.DB) error {
		change, done := -1, (*gorm.DB)(nil)
		if wanted {
			change = 1
			done = tx.Exec(`INSERT INTO campaign_likes (campaign_id, user_id, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
				campaignID, who.UserID, h.now())
		} else {
			done = tx.Exec(`DELETE FROM campaign_likes WHERE campaign_id = ? AND user_id = ?`, campaignID, who.UserID)
		}
		if done.Error != nil {
			return fmt.Errorf("like campaign %d: %w", campaignID, done.Error)
		}
		if done.RowsAffected == 1 {
			if _, err := AddToTotals(ctx, tx, campaignID, TotalsChange{Likes: change}); err != nil {
				return err
			}
		}
		if err := tx.Raw(`SELECT likes FROM campaign_totals WHERE campaign_id = ?`, campaignID).Scan(&likes).Error; err != nil {
			return fmt.Errorf("read likes of campaign %d: %w", campaignID, err)
		}
		return nil
	})
	return likes, err
}
