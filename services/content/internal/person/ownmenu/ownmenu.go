// Package ownmenu answers what the menu under a person's face says: how many of what they have, and what waits for them. It owns
// no table, and asks the packages that own what it counts.
package ownmenu

import (
	"context"
	"fmt"
	"time"

	"github.com/oapi-codegen/runtime/types"
	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/pledging/claims"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/pledging/subscriptions"
)

// Handlers answers the call.
type Handlers struct {
	db  *gorm.DB
	now func() time.Time
}

// NewHandlers makes the handlers.
func NewHandlers(db *gorm.DB, now func() time.Time) *Handlers { return &Handlers{db, now} }

// OwnMenu is the signed-in person's. Error: NotAuthenticated.
func (h *Handlers) OwnMenu(ctx context.Context, _ api.OwnMenuRequestObject) (api.OwnMenuResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	a, err := h.ofTeams(ctx, who.UserID)
	if err != nil {
		return nil, err
	}
	if a.Pledges, err = pledges.CountGoingOn(ctx, h.db, who.UserID); err != nil {
		return nil, err
	}
	monthly, err := subscriptions.SumUp(ctx, h.db, who.UserID)
	if err != nil {
		return nil, err
	}
	a.Monthly = []api.MonthlySum{}
	for _, m := range monthly {
		if m.AmountMinor > 0 {
			a.Monthly = append(a.Monthly, api.MonthlySum{Currency: string(m.Currency), Amount: money.Decimal(m.AmountMinor)})
		}
		if m.NextChargeOn != nil && (a.NextChargeOn == nil || m.NextChargeOn.Before(a.NextChargeOn.Time)) {
			a.NextChargeOn = &types.Date{Time: *m.NextChargeOn}
		}
		a.Waiting += m.Waiting
	}
	a.Waiting += a.CampaignsWaiting + a.ClaimsWaiting + a.Invitations
	return api.OwnMenu200JSONResponse(a), nil
}

// ofTeams reads the person's picture, the campaigns whose teams they are in, and the invitations.
func (h *Handlers) ofTeams(ctx context.Context, userID int64) (a api.OwnMenu, err error) {
	var row struct {
		Image                                    string
		Campaigns, CampaignsWaiting, Invitations int
		Claims, ClaimsWaiting                    int
	}
	err = h.db.WithContext(ctx).Raw(`
		SELECT u.image, t.campaigns, t.campaigns_waiting, d.claims, d.claims_waiting, (SELECT count(*) FROM experiment_invitations i JOIN experiments e ON e.id = i.experiment_id
			AND NOT e.disabled JOIN users b ON b.id = i.invited_by AND b.blocked_at IS NULL
			WHERE i.user_id = u.id AND i.ended_at IS NULL AND i.expires_at > @now) AS invitations
		FROM users u CROSS JOIN LATERAL (
			SELECT count(*) AS campaigns,
			       count(*) FILTER (WHERE c.stage = @draft AND c.review = @asked
				       OR c.stage IN @taking AND c.payment_account_id = '' AND c.payment_wallet_id = '') AS campaigns_waiting
			FROM campaign_team m JOIN campaigns c ON c.id = m.campaign_id WHERE m.user_id = u.id) t
		CROSS JOIN (`+claims.CountsSQL+`) d
		WHERE u.id = @user`, map[string]any{"user": userID, "now": h.now(), "draft": campaigns.StageDraft, "asked": campaigns.ReviewChangesRequested,
		"taking": []campaigns.Stage{campaigns.StageFunding, campaigns.StageRecurring}}).Scan(&row).Error
	if err != nil {
		return a, fmt.Errorf("count what user %d has: %w", userID, err)
	}
	a.ImageFilename = profiles.Image(row.Image, userID)
	a.Claims, a.ClaimsWaiting = row.Claims, row.ClaimsWaiting
	a.Campaigns, a.CampaignsWaiting, a.Invitations = row.Campaigns, row.CampaignsWaiting, row.Invitations
	return a, nil
}
