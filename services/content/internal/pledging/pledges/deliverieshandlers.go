package pledges

import (
	"context"
	"time"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/writing/changes"
)

// CampaignDeliveries is who waits for a campaign's rewards. Errors: those of campaigns.RequireEdit.
func (h *Handlers) CampaignDeliveries(ctx context.Context, r api.CampaignDeliveriesRequestObject) (
	api.CampaignDeliveriesResponseObject, error) {
	if _, err := campaigns.RequireEdit(ctx, h.pledges.db, r.CampaignID); err != nil {
		return nil, err
	}
	answer, err := h.deliveries(ctx, r.CampaignID, languages.OfQuery(ctx, r.Params.Language))
	return api.CampaignDeliveries200JSONResponse(answer), err
}

// MarkDelivered says on which day a reward was sent. Errors: those of campaigns.RequireEdit and MarkSent.
func (h *Handlers) MarkDelivered(ctx context.Context, r api.MarkDeliveredRequestObject) (api.MarkDeliveredResponseObject, error) {
	who, err := campaigns.RequireEdit(ctx, h.pledges.db, r.CampaignID)
	if err != nil {
		return nil, err
	}
	sent := Sent{CampaignID: r.CampaignID, RewardID: r.Body.RewardID, On: campaigns.DayOf(r.Body.Day.Time), Receipt: r.Body.ReceiptNumber}
	if err := h.pledges.MarkSent(ctx, sent, changes.User(who.UserID)); err != nil {
		return nil, err
	}
	answer, err := h.deliveries(ctx, r.CampaignID, languages.OfQuery(ctx, r.Params.Language))
	return api.MarkDelivered200JSONResponse(answer), err
}

func (h *Handlers) deliveries(ctx context.Context, campaignID int64, language string) (api.DeliveriesAnswer, error) {
	list, endedOn, err := h.pledges.Deliveries(ctx, campaignID, language)
	if err != nil {
		return api.DeliveriesAnswer{}, err
	}
	answer := api.DeliveriesAnswer{Rewards: make([]api.RewardDelivery, len(list))}
	if day, err := time.Parse(time.DateOnly, string(endedOn)); err == nil {
		answer.EndedOn = &api.Day{Time: day}
	}
	for i, d := range list {
		answer.Rewards[i] = api.RewardDelivery{RewardID: d.RewardID, Title: d.Title, Kind: api.RewardKind(d.Kind), Waiting: d.Waiting, Sent: d.Sent}
		if d.LastSentOn != nil {
			answer.Rewards[i].LastSentOn = &api.Day{Time: *d.LastSentOn}
		}
	}
	return answer, nil
}
