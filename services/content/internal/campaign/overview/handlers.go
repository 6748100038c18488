package overview

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/writing/changes"
)

// Handlers answers the calls about how a campaign is doing.
type Handlers struct {
	db   *gorm.DB
	now  func() time.Time
	zone *time.Location
}

// NewHandlers makes the handlers; days are those of the time zone.
func NewHandlers(db *gorm.DB, now func() time.Time, zone *time.Location) *Handlers {
	return &Handlers{db: db, now: now, zone: zone}
}

// CampaignOverview tells how a campaign is doing. Errors: those of campaigns.RequireEdit.
func (h *Handlers) CampaignOverview(ctx context.Context, r api.CampaignOverviewRequestObject) (
	api.CampaignOverviewResponseObject, error) {
	if _, err := campaigns.RequireEdit(ctx, h.db, r.CampaignID); err != nil {
		return nil, err
	}
	f, err := read(ctx, h.db, r.CampaignID, languages.OfQuery(ctx, r.Params.Language), h.now(), h.zone)
	if err != nil {
		return nil, err
	}
	answer, err := f.answer()
	if err != nil {
		return nil, err
	}
	return api.CampaignOverview200JSONResponse{Overview: answer}, nil
}

// BackersTable streams who has backed a campaign, and records in its history who downloaded the table. Errors: those of
// campaigns.RequireEdit.
func (h *Handlers) BackersTable(ctx context.Context, r api.BackersTableRequestObject) (
	api.BackersTableResponseObject, error) {
	language := languages.OfQuery(ctx, r.Params.Language)
	t, err := h.take(ctx, r.CampaignID, "take_backers_table", language, headings[language])
	if err != nil {
		return nil, err
	}
	return t, nil
}

// SupportersTable streams who supports a campaign monthly, as BackersTable its backers. Errors: those of
// campaigns.RequireEdit.
func (h *Handlers) SupportersTable(ctx context.Context, r api.SupportersTableRequestObject) (
	api.SupportersTableResponseObject, error) {
	language := languages.OfQuery(ctx, r.Params.Language)
	t, err := h.take(ctx, r.CampaignID, "take_supporters_table", language, supporterHeadings[language])
	if err != nil {
		return nil, err
	}
	return supportersTable{table: t, states: supporterStates[language], today: facts{now: h.now(), zone: h.zone}.today()}, nil
}

// take begins a table of a campaign's people, and records in its history who downloads it.
func (h *Handlers) take(ctx context.Context, campaignID int64, action, language string, words []string) (table, error) {
	who, err := campaigns.RequireEdit(ctx, h.db, campaignID)
	if err != nil {
		return table{}, err
	}
	err = dbx.InTx(ctx, h.db, func(tx *gorm.DB) error {
		// From here on addresses may be locked: a backer who is changing theirs meanwhile is in the table (pledges.ChangeOwn).
		if err := tx.WithContext(ctx).Exec(`SELECT FROM campaigns WHERE id = ? FOR UPDATE`, campaignID).Error; err != nil {
			return fmt.Errorf("lock campaign %d: %w", campaignID, err)
		}
		return changes.Record(ctx, tx, action, "campaign", campaignID, changes.User(who.UserID),
			map[string]any{}, map[string]any{}, h.now())
	})
	return table{ctx: ctx, db: h.db, campaign: campaignID, language: language, words: words, zone: h.zone}, err
}
