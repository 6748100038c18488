package campaigns

import (
	"context"
	"fmt"
	"time"

	"github.com/oapi-codegen/runtime/types"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/links"
)

// ChangeCampaignMeta changes what a campaign shows and hides. Errors: those of RequireEdit and ChangeMeta.
func (h *Handlers) ChangeCampaignMeta(ctx context.Context, r api.ChangeCampaignMetaRequestObject) (
	api.ChangeCampaignMetaResponseObject, error) {
	edit, err := h.edit(ctx, r.CampaignID, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	wanted := MetaChange{ExternalLink: r.Body.ExternalLink1, HideFundingAmount: r.Body.HideFundingAmount,
		HideMemberCount: r.Body.HideMemberCount, LegalCreatorType: (*string)(r.Body.LegalCreatorType)}
	changed, err := ChangeMeta(ctx, h.db, edit, wanted)
	if err != nil {
		return nil, err
	}
	return api.ChangeCampaignMeta200JSONResponse{
		Headers: api.ChangeCampaignMeta200ResponseHeaders{ETag: changes.ETag(changed.Version)},
		Body: api.CampaignMetaAnswer{Version: changed.Version, Meta: metaOf(changed.ExternalLink, changed.LegalCreatorType,
			changed.HideFundingAmount, changed.HideMemberCount)},
	}, nil
}

// ChangeCampaignSettings changes a campaign's video, goals, contact and days. Errors: those of RequireEdit and
// ChangeSettings.
func (h *Handlers) ChangeCampaignSettings(ctx context.Context, r api.ChangeCampaignSettingsRequestObject) (
	api.ChangeCampaignSettingsResponseObject, error) {
	edit, err := h.edit(ctx, r.CampaignID, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	b := r.Body
	wanted := SettingsChange{VideoURL: b.VideoURL, ContactEmail: b.ContactEmail, LegalCreator: b.LegalCreator,
		MinGoal:    b.MinGoal,
		TargetGoal: b.TargetGoal, FirstDay: (*Day)(b.FirstDayOfFunding), LastDay: (*Day)(b.LastDayOfFunding), Zone: h.zone,
		FundingRule: (*FundingRule)(b.FundingRule), Place: b.Place, Picture: b.ProjectPic, CreatorPic: b.CreatorPic,
		Language: (*string)(b.Language), OpensAs: (*Stage)(b.OpensAs)}
	if err := h.refuseUnknownPictures(ctx, wanted); err != nil {
		return nil, err
	}
	changed, err := ChangeSettings(ctx, h.db, edit, wanted)
	if err != nil {
		return nil, err
	}
	settings := api.ChangedCampaignSettings{ContactEmail: changed.ContactEmail, LegalCreator: &changed.LegalCreator,
		VideoURL: links.Safe(changed.VideoURL), MinGoal: changed.MinGoalMinor, TargetGoal: changed.TargetGoalMinor,
		FundingRule: api.FundingRule(changed.FundingRule), Place: changed.Place, ProjectPic: changed.ownPicture(),
		CreatorPic: changed.CreatorPic}
	if settings.FirstDayOfFunding, err = dateOf(changed.FirstDay); err != nil {
		return nil, err
	}
	if settings.LastDayOfFunding, err = dateOf(changed.LastDay); err != nil {
		return nil, err
	}
	return api.ChangeCampaignSettings200JSONResponse{
		Headers: api.ChangeCampaignSettings200ResponseHeaders{ETag: changes.ETag(changed.Version)},
		Body:    api.CampaignSettingsAnswer{Version: changed.Version, Settings: settings},
	}, nil
}

// edit checks that the reader may change the campaign. Errors: those of RequireEdit.
func (h *Handlers) edit(ctx context.Context, campaignID int64, ifMatch *string) (Edit, error) {
	who, err := RequireEdit(ctx, h.db, campaignID)
	return Edit{CampaignID: campaignID, Known: changes.Known(ifMatch), By: changes.User(who.UserID), Now: h.now()}, err
}

// metaOf is what a campaign shows and hides, under the contract's names. Empty texts are left out.
func metaOf(externalLink, legalCreatorType string, hideFundingAmount, hideMemberCount bool) api.CampaignMeta {
	m := api.CampaignMeta{HideFundingAmount: hideFundingAmount, HideMemberCount: hideMemberCount}
	if link := links.Safe(externalLink); link != "" {
		m.ExternalLink1 = &link
	}
	if legalCreatorType != "" {
		m.LegalCreatorType = &legalCreatorType
	}
	return m
}

func dateOf(d Day) (*api.Day, error) {
	if d == "" {
		return nil, nil //nolint:nilnil // no day is left out of an answer
	}
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return nil, fmt.Errorf("read day %q: %w", d, err)
	}
	return &types.Date{Time: t}, nil
}
