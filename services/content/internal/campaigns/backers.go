package campaigns

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/profiles"
	"talkoot.fi/content/internal/request"
	"talkoot.fi/content/internal/scenes"
)

// CampaignBackers is those whose pledge is paid, latest first. Anonymous ones have no name and a picture of their own
// making; amounts are left out when the campaign hides them, and a campaign that hides its members shows them to its
// team only. Error: ErrUnknown.
func (h *Handlers) CampaignBackers(ctx context.Context, r api.CampaignBackersRequestObject) (api.CampaignBackersResponseObject, error) {
	limit, offset := request.Page(r.Params.Limit, r.Params.Offset)
	who, _ := session.From(ctx)
	type row struct {
		Stage                                      Stage
		Member, HideFundingAmount, HideMemberCount bool
		Backers                                    int
	}
	campaign, err := dbx.Select[row](ctx, h.db, `
		SELECT c.stage, c.hide_funding_amount, c.hide_member_count, t.backers,
		       EXISTS (SELECT 1 FROM campaign_team WHERE campaign_id = c.id AND user_id = @user) AS member
		FROM campaigns c JOIN campaign_totals t ON t.campaign_id = c.id WHERE c.id = @id`,
		pgx.NamedArgs{"user": who.UserID, "id": r.CampaignID})
	if err != nil {
		return nil, fmt.Errorf("read campaign %d: %w", r.CampaignID, err)
	}
	if len(campaign) == 0 {
		return nil, ErrUnknown
	}
	c := campaign[0]
	edits := aclOf(who, c.Member).CanEdit()
	if !c.Stage.Public() && !edits {
		return nil, ErrUnknown
	}
	answer := api.CampaignBackers200JSONResponse{Previews: []api.Backer{}}
	if c.HideMemberCount && !edits {
		return answer, nil
	}
	answer.Total = c.Backers
	answer.Previews, err = h.backers(ctx, r.CampaignID, limit, offset, c.HideFundingAmount)
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// backersSQL reads a page along the index pledges_backers.
const backersSQL = `
		SELECT p.id, p.first_name, p.last_name, p.anonymous, p.amount_minor, p.paid_at, p.user_id, u.image
		FROM (
			SELECT id, first_name, last_name, anonymous, amount_minor - amount_refunded_minor AS amount_minor, paid_at, user_id
			FROM pledges WHERE campaign_id = @id AND ` + countsBacker + `
			ORDER BY paid_at DESC, id LIMIT @limit OFFSET @offset) p
		LEFT JOIN users u ON u.id = p.user_id
		ORDER BY p.paid_at DESC, p.id`

func (h *Handlers) backers(ctx context.Context, campaignID int64, limit, offset int, hideAmounts bool) ([]api.Backer, error) {
	type backer struct {
		ID, FirstName, LastName string
		Anonymous               bool
		AmountMinor             int64
		PaidAt                  time.Time
		UserID                  *int64
		Image                   *string
	}
	rows, err := dbx.Select[backer](ctx, h.db, backersSQL, pgx.NamedArgs{"id": campaignID, "limit": limit, "offset": offset})
	if err != nil {
		return nil, fmt.Errorf("list backers of campaign %d: %w", campaignID, err)
	}
	list := make([]api.Backer, len(rows))
	for i, row := range rows {
		b := api.Backer{Anonymous: row.Anonymous, BackedAt: &row.PaidAt, Image: avatarOf(row.ID)}
		if !row.Anonymous {
			b.Name = row.FirstName + " " + row.LastName
			if row.UserID != nil && row.Image != nil {
				b.Image = profiles.Image(*row.Image, *row.UserID)
			}
		}
		if !hideAmounts {
			amount := money.Decimal(row.AmountMinor)
			b.Amount = &amount
		}
		list[i] = b
	}
	return list, nil
}

// avatarOf is a picture for a pledge without a person. Its seed says nothing of the pledge's id, which is a permission.
func avatarOf(pledgeID string) string {
	sum := sha256.Sum256([]byte("avatar of " + pledgeID))
	return scenes.AvatarFileName(hex.EncodeToString(sum[:8]))
}
