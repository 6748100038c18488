package drafts

import (
	"context"
	"strconv"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/idem"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/media/pictures"
	"talkoot.fi/content/internal/writing/changes"
)

// CopyCampaign begins a draft that says what one's own campaign says. Errors: those of campaigns.RequireEdit and
// campaigns.Edit.Copy; TooManyDrafts; idempotency_mismatch.
func (h *Handlers) CopyCampaign(ctx context.Context, r api.CopyCampaignRequestObject) (
	api.CopyCampaignResponseObject, error) {
	edit, err := h.edit(ctx, r.CampaignID)
	if err != nil {
		return nil, err
	}
	key := ""
	if r.Params.IdempotencyKey != nil {
		key = *r.Params.IdempotencyKey
	}
	hash := idem.Hash([]byte("copy"), strconv.AppendInt(nil, r.CampaignID, 10))
	made, err := once(ctx, h.db, *edit.By.UserID, key, hash, func(tx *gorm.DB) (Begun, error) {
		id, record, err := edit.Copy(ctx, tx)
		if err != nil {
			return Begun{}, err
		}
		by := rewards.Edit{By: edit.By, Now: edit.Now}
		return Begun{ID: id, Slug: record.Slug, Version: record.Version}, rewards.CopyAll(ctx, tx, r.CampaignID, id, by)
	})
	var answer api.CopyCampaign201JSONResponse
	answer.Campaign.CampaignID, answer.Campaign.Slug, answer.Campaign.Version = made.ID, made.Slug, made.Version
	return answer, err
}

// DiscardCampaign deletes a draft for good. Errors: those of campaigns.RequireEdit and campaigns.Edit.Discard.
func (h *Handlers) DiscardCampaign(ctx context.Context, r api.DiscardCampaignRequestObject) (
	api.DiscardCampaignResponseObject, error) {
	edit, err := h.edit(ctx, r.CampaignID)
	if err != nil {
		return nil, err
	}
	err = dbx.InTx(ctx, h.db, func(tx *gorm.DB) error {
		names, err := edit.Discard(ctx, tx)
		if err != nil {
			return err
		}
		return pictures.RemoveLater(ctx, tx, names)
	})
	return api.DiscardCampaign204Response{}, err
}

func (h *Handlers) edit(ctx context.Context, campaignID int64) (campaigns.Edit, error) {
	who, err := campaigns.RequireEdit(ctx, h.db, campaignID)
	return campaigns.Edit{CampaignID: campaignID, By: changes.User(who.UserID), Now: h.now()}, err
}
