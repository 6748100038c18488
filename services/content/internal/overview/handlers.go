package overview

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaigns"
	"talkoot.fi/content/internal/changes"
	"talkoot.fi/content/internal/languages"
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
	return api.CampaignOverview200JSONResponse{Overview: f.answer()}, nil
}

// BackersTable streams who has backed a campaign, and records in its history who downloaded the table. Errors: those of
// campaigns.RequireEdit.
func (h *Handlers) BackersTable(ctx context.Context, r api.BackersTableRequestObject) (
	api.BackersTableResponseObject, error) {
	who, err := campaigns.RequireEdit(ctx, h.db, r.CampaignID)
	if err != nil {
		return nil, err
	}
	err = dbx.InTx(ctx, h.db, func(tx *gorm.DB) error {
		// From here on addresses may be locked: a backer who is changing theirs meanwhile is in the table (pledges.ChangeOwn).
		if err := tx.WithContext(ctx).Exec(`SELECT FROM campaigns WHERE id = ? FOR UPDATE`, r.CampaignID).Error; err != nil {
			return fmt.Errorf("lock campaign %d: %w", r.CampaignID, err)
		}
		return changes.Record(ctx, tx, "take_backers_table", "campaign", r.CampaignID, changes.User(who.UserID),
			map[string]any{}, map[string]any{}, h.now())
	})
	if err != nil {
		return nil, err
	}
	return table{ctx: ctx, db: h.db, campaign: r.CampaignID, words: headings[languages.OfQuery(ctx, r.Params.Language)],
		zone: h.zone}, nil
}
