package editing

import (
	"context"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/request"
	"talkoot.fi/content/internal/writing/changes"
)

// HoldCampaign puts a campaign on hold, or stops it for good. Errors: those of RequireEdit; Forbidden for others than staff;
// InvalidFields for a day that is over; those of campaigns.PutOnHold and campaigns.Stop.
func (h *Handlers) HoldCampaign(ctx context.Context, r api.HoldCampaignRequestObject) (api.HoldCampaignResponseObject, error) {
	words := campaigns.HoldWords{Reason: campaigns.HoldReason(r.Body.Reason), Sentence: request.Value(r.Body.Sentence)}
	if r.Body.TellsOn != nil {
		words.TellsOn = campaigns.DayOf(r.Body.TellsOn.Time)
	}
	do := campaigns.PutOnHold
	if r.Body.Kind == api.Stopped {
		do = campaigns.Stop
	}
	version, body, err := h.byStaff(ctx, r.CampaignID, r.Params.IfMatch, func(tx *gorm.DB, e campaigns.Edit) error {
		if today := campaigns.DayOf(h.now().In(h.zone)); words.TellsOn != "" && words.TellsOn < today {
			return apperr.New(apperr.InvalidFields).WithField("tells_on", apperr.RuleDateFrom, apperr.Params{"min": string(today)})
		}
		return do(ctx, tx, e, words)
	})
	return api.HoldCampaign200JSONResponse{Headers: api.HoldCampaign200ResponseHeaders{ETag: version}, Body: body}, err
}

// LiftCampaignHold lets a campaign go on. Errors: those of RequireEdit; Forbidden for others than staff; those of campaigns.Lift.
func (h *Handlers) LiftCampaignHold(ctx context.Context, r api.LiftCampaignHoldRequestObject) (api.LiftCampaignHoldResponseObject, error) {
	version, body, err := h.byStaff(ctx, r.CampaignID, r.Params.IfMatch, func(tx *gorm.DB, e campaigns.Edit) error { return campaigns.Lift(ctx, tx, e) })
	return api.LiftCampaignHold200JSONResponse{Headers: api.LiftCampaignHold200ResponseHeaders{ETag: version}, Body: body}, err
}

// PayOutStoppedCampaign has what is its creator's of a stopped campaign be paid out, or wait again. Errors: those of RequireEdit; Forbidden
// for others than staff; those of campaigns.PayOutStopped.
func (h *Handlers) PayOutStoppedCampaign(ctx context.Context, r api.PayOutStoppedCampaignRequestObject) (api.PayOutStoppedCampaignResponseObject, error) {
	version, body, err := h.byStaff(ctx, r.CampaignID, r.Params.IfMatch, func(tx *gorm.DB, e campaigns.Edit) error {
		return campaigns.PayOutStopped(ctx, tx, e, r.Body.Payout == api.PayoutGoes)
	})
	return api.PayOutStoppedCampaign200JSONResponse{Headers: api.PayOutStoppedCampaign200ResponseHeaders{ETag: version}, Body: body}, err
}

// byStaff makes a change that is for staff only, and gives the campaign as it is then.
func (h *Handlers) byStaff(ctx context.Context, campaignID int64, ifMatch *string, do func(tx *gorm.DB, e campaigns.Edit) error) (
	version *string, answer api.CampaignAdminAnswer, err error) {
	var who session.Identity
	var e campaigns.Edit
	if who, e, err = h.edit(ctx, campaignID, ifMatch); err == nil && !campaigns.IsStaff(who) {
		err = apperr.New(apperr.Forbidden)
	}
	if err == nil {
		err = dbx.InTx(ctx, h.db, func(tx *gorm.DB) error { return do(tx, e) })
	}
	if err == nil {
		answer.Campaign, err = Read(ctx, h.db, campaignID, h.now(), h.zone)
	}
	return changes.ETag(answer.Campaign.Version), answer, err
}
