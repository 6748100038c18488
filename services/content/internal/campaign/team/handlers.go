package team

import (
	"context"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
)

// Handlers answers the calls of an invitation's link.
type Handlers struct {
	db  *gorm.DB
	now func() time.Time
}

// NewHandlers makes the handlers; Rules belong before them.
func NewHandlers(db *gorm.DB, now func() time.Time) *Handlers { return &Handlers{db: db, now: now} }

// Rules are the rate limits by address, of those who try tokens.
func Rules(limit ratelimit.Limit) ratelimit.Rules {
	return ratelimit.Rules{
		"GET /campaigns/invitations/:token":  {{Name: "invitation", Limit: limit}},
		"POST /campaigns/invitations/:token": {{Name: "invitation", Limit: limit}},
	}
}

// CampaignInvitation is what a link invites to, for whoever holds it. Error: ErrLink.
func (h *Handlers) CampaignInvitation(ctx context.Context, r api.CampaignInvitationRequestObject) (
	api.CampaignInvitationResponseObject, error) {
	o, err := Look(ctx, h.db, r.Token, languages.OfQuery(ctx, nil), h.now())
	if err != nil {
		return nil, err
	}
	var answer api.CampaignInvitation200JSONResponse
	i := &answer.Invitation
	i.CampaignID, i.Slug, i.Title, i.InvitedBy = o.CampaignID, o.Slug, o.Title, o.InvitedBy
	i.Email, i.ExpiresAt = Masked(o.Email), o.ExpiresAt.UTC()
	i.AsCreator = o.AsCreator
	return answer, nil
}

// AcceptCampaignInvitation adds the signed-in person to the team, or makes them the creator. Errors: NotAuthenticated; those of Accept.
func (h *Handlers) AcceptCampaignInvitation(ctx context.Context, r api.AcceptCampaignInvitationRequestObject) (
	api.AcceptCampaignInvitationResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	joined, err := Accept(ctx, h.db, r.Token, who.UserID, h.now())
	if err != nil {
		return nil, err
	}
	var answer api.AcceptCampaignInvitation200JSONResponse
	c := &answer.Campaign
	c.CampaignID, c.Slug, c.Version = joined.CampaignID, joined.Slug, joined.Version
	return answer, nil
}
