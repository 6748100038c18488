package editing

import (
	"context"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/review"
	"talkoot.fi/content/internal/pledging/accounts"
	"talkoot.fi/content/internal/request"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/presence"
)

// Handlers answers the calls of those who edit a campaign.
type Handlers struct {
	db   *gorm.DB
	now  func() time.Time
	zone *time.Location
}

// NewHandlers makes the handlers; funding days are days of the time zone.
func NewHandlers(db *gorm.DB, now func() time.Time, zone *time.Location) *Handlers {
	return &Handlers{db: db, now: now, zone: zone}
}

// CampaignAdmin is all that editing needs. Errors: those of RequireEdit.
func (h *Handlers) CampaignAdmin(ctx context.Context, r api.CampaignAdminRequestObject) (
	api.CampaignAdminResponseObject, error) {
	who, err := campaigns.RequireEdit(ctx, h.db, r.CampaignID)
	if err != nil {
		return nil, err
	}
	a, err := Read(ctx, h.db, r.CampaignID, h.now(), h.zone)
	if err != nil {
		return nil, err
	}
	editor := presence.Editor{Entity: presence.Campaign, EntityID: r.CampaignID, UserID: who.UserID}
	writers, err := presence.Note(ctx, h.db, editor, r.Params.Here, h.now())
	return api.CampaignAdmin200JSONResponse{Headers: api.CampaignAdmin200ResponseHeaders{ETag: changes.ETag(a.Version)},
		Body: api.CampaignAdminAnswer{Campaign: a, Writers: writers}}, err
}

// ChangeCampaignAdmin changes the team, invites to it, and closes a campaign. Errors: those of RequireEdit and Apply.
func (h *Handlers) ChangeCampaignAdmin(ctx context.Context, r api.ChangeCampaignAdminRequestObject) (
	api.ChangeCampaignAdminResponseObject, error) {
	who, edit, err := h.edit(ctx, r.CampaignID, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	wanted := Change{Invitations: r.Body.Invitations, Close: r.Body.Stage != nil, Reason: request.Value(r.Body.Reason)}
	if r.Body.Team != nil {
		team := make([]Place, len(*r.Body.Team))
		for i, place := range *r.Body.Team {
			team[i] = Place{UserID: request.Value(place.UserID), Email: request.Value(place.Email)}
		}
		wanted.Team = &team
	}
	if err := Apply(ctx, h.db, edit, who, wanted); err != nil {
		return nil, err
	}
	a, err := Read(ctx, h.db, r.CampaignID, h.now(), h.zone)
	if err != nil {
		return nil, err
	}
	return api.ChangeCampaignAdmin200JSONResponse{Headers: api.ChangeCampaignAdmin200ResponseHeaders{
		ETag: changes.ETag(a.Version)},
		Body: api.CampaignAdminAnswer{Campaign: a}}, nil
}

// SetPaymentAccount says where a campaign's money is paid out. Errors: those of RequireEdit and accounts.Set.
func (h *Handlers) SetPaymentAccount(ctx context.Context, r api.SetPaymentAccountRequestObject) (
	api.SetPaymentAccountResponseObject, error) {
	who, edit, err := h.edit(ctx, r.CampaignID, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	wanted := campaigns.PaymentAccount{AccountID: request.Value(r.Body.StripeAccountID),
		UserID:   request.Value(r.Body.MangopayUserID),
		WalletID: request.Value(r.Body.MangopayWalletID)}
	if err := accounts.Set(ctx, h.db, edit, who.UserID, wanted); err != nil {
		return nil, err
	}
	a, err := Read(ctx, h.db, r.CampaignID, h.now(), h.zone)
	if err != nil {
		return nil, err
	}
	return api.SetPaymentAccount200JSONResponse{Headers: api.SetPaymentAccount200ResponseHeaders{
		ETag: changes.ETag(a.Version)},
		Body: api.PaymentAccountAnswer{Settings: a.Settings, Version: a.Version}}, nil
}

// MyCampaigns lists the campaigns whose team the reader is in, drafts included, latest first, with what waits for the
// team. Error: NotAuthenticated.
func (h *Handlers) MyCampaigns(ctx context.Context, r api.MyCampaignsRequestObject) (
	api.MyCampaignsResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	list, err := campaigns.Own(ctx, h.db, r, who.UserID, h.now())
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(list.Previews))
	for i, preview := range list.Previews {
		ids[i] = preview.CampaignID
	}
	work, err := review.Work(ctx, h.db, ids, h.now(), h.zone)
	if err != nil {
		return nil, err
	}
	for i := range list.Previews {
		if w, ok := work[ids[i]]; ok {
			list.Previews[i].Work = &w
		}
	}
	return api.MyCampaigns200JSONResponse{Body: list}, nil
}

// edit checks that the reader may change the campaign. Errors: those of RequireEdit.
func (h *Handlers) edit(ctx context.Context, campaignID int64, ifMatch *string) (
	session.Identity, campaigns.Edit, error) {
	who, err := campaigns.RequireEdit(ctx, h.db, campaignID)
	return who, campaigns.Edit{CampaignID: campaignID, Known: changes.Known(ifMatch), By: changes.User(who.UserID),
		Now: h.now()}, err
}
