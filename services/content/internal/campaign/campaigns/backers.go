package campaigns

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"
	"talkoot.fi/kit/session"
	"talkoot.fi/kit/typed"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/media/scenes"
	"talkoot.fi/content/internal/person/profiles"
)

// backer is somebody whose pledge is paid, or who supports a campaign monthly.
type backer struct {
	ID, FirstName, LastName string // ID is the pledge's or the subscription's
	Anonymous               bool
	LastNameInitial         bool   // of the last name others see the first letter alone
	AmountMinor             *int64 // less what was refunded; of a supporter, a month; nil when they hide it
	PaidAt                  time.Time
	UserID                  *int64  // nil for a pledge made without signing in
	Image                   *string // of the person's profile, if they have confirmed their address
	AccountName             string  // as on that profile
}

// listBackers is a page of a campaign's backers, the latest first, how many there are in all, and whether the campaign
// hides their amounts. A campaign that hides its backers shows them to its team only. Error: ErrUnknown.
func listBackers(ctx context.Context, db *gorm.DB, who session.Identity, campaignID int64, limit, offset int,
) (list []backer, total int, hideAmounts bool, err error) {
	type row struct {
		Stage                                      Stage
		Member, HideFundingAmount, HideMemberCount bool
		Backers, Subscriptions                     int
	}
	found, err := dbx.Select[row](ctx, db, `
		SELECT c.stage, c.hide_funding_amount, c.hide_member_count, t.backers, t.subscriptions,
		       EXISTS (SELECT 1 FROM campaign_team WHERE campaign_id = c.id AND user_id = @user) AS member
		FROM campaigns c JOIN campaign_totals t ON t.campaign_id = c.id WHERE c.id = @id`,
		pgx.NamedArgs{"user": who.UserID, "id": campaignID})
	if err != nil {
		return nil, 0, false, fmt.Errorf("read campaign %d: %w", campaignID, err)
	}
	if len(found) == 0 {
		return nil, 0, false, ErrUnknown
	}
	campaign := found[0]
	rights, err := rightsTo(campaign.Stage, who, campaign.Member)
	if err != nil || campaign.HideMemberCount && !rights.CanEdit() {
		return nil, 0, false, err
	}
	statement, total := backersSQL, campaign.Backers
	if campaign.Stage == StageRecurring {
		statement, total = supportersSQL, campaign.Subscriptions
	}
	list, err = dbx.Select[backer](ctx, db, statement, pgx.NamedArgs{"id": campaignID, "limit": limit, "offset": offset})
	if err != nil {
		return nil, 0, false, fmt.Errorf("list backers of campaign %d: %w", campaignID, err)
	}
	return list, total, campaign.HideFundingAmount, nil
}

// A person stands once in the list, with the choices of each thing that they gave: named by the latest that has their name, if any has,
// with the sum of those that are named (of the anonymous ones, if none is) and whose sum they show. So nothing that was given
// anonymously is seen in what stands under a name.

// backersSQL reads a page along the index pledges_backers, and each person's pledges along pledges_of_person. A subquery and no
// join, so that no more of the campaign is read than the page needs.
var backersSQL = `
		SELECT p.id, p.first_name, p.last_name, p.anonymous, p.last_name_initial, p.paid_at, p.user_id, u.image, concat_ws(' ', u.first_name, u.last_name) AS account_name, (
		       SELECT CAST(sum(q.amount_minor - q.amount_refunded_minor) AS bigint) FROM pledges q
		       WHERE q.campaign_id = @id AND ` + PersonOf("q") + ` = p.person AND q.paid_at IS NOT NULL AND q.` + countsBacker + `
		         AND q.anonymous = p.anonymous AND NOT q.hide_amount) AS amount_minor
		FROM (
			SELECT id, first_name, last_name, anonymous, last_name_initial, paid_at, user_id, ` + PersonOf("g") + ` AS person
			FROM pledges g WHERE campaign_id = @id AND ` + countsBacker + ` AND id = (
				SELECT q.id FROM pledges q
				WHERE q.campaign_id = g.campaign_id AND ` + PersonOf("q") + ` = ` + PersonOf("g") + ` AND q.paid_at IS NOT NULL AND q.` + countsBacker + `
				ORDER BY q.anonymous, q.paid_at DESC, q.id LIMIT 1)
			ORDER BY paid_at DESC, id LIMIT @limit OFFSET @offset) p
		LEFT JOIN users u ON u.id = p.user_id AND u.verified
		ORDER BY p.paid_at DESC, p.id`

// supportersSQL reads a page of those who support monthly now in the same way, along the indexes subscriptions_supporters and
// subscriptions_of_person.
var supportersSQL = `
		SELECT s.id, s.first_name, s.last_name, s.anonymous, false AS last_name_initial, s.paid_at, s.user_id, u.image, concat_ws(' ', u.first_name, u.last_name) AS account_name, (
		       SELECT CAST(sum(q.amount_minor) AS bigint) FROM subscriptions q
		       WHERE q.campaign_id = @id AND ` + PersonOf("q") + ` = s.person AND q.status = 'active' AND q.anonymous = s.anonymous
		         AND NOT q.hide_amount) AS amount_minor
		FROM (
			SELECT id, first_name, last_name, anonymous, begun_on, CAST(begun_on AS timestamptz) AS paid_at, user_id, ` + PersonOf("g") + ` AS person
			FROM subscriptions g WHERE campaign_id = @id AND status = 'active' AND id = (
				SELECT q.id FROM subscriptions q
				WHERE q.campaign_id = g.campaign_id AND ` + PersonOf("q") + ` = ` + PersonOf("g") + ` AND q.status = 'active'
				ORDER BY q.anonymous, q.begun_on DESC, q.id LIMIT 1)
			ORDER BY begun_on DESC, id LIMIT @limit OFFSET @offset) s
		LEFT JOIN users u ON u.id = s.user_id AND u.verified
		ORDER BY s.begun_on DESC, s.id`

// answer is the backer as others see them: an anonymous one has no name, and who is not shown by the name of their account a picture
// drawn for this pledge alone, since that of the account leads to its page.
func (b backer) answer(hideAmount bool) api.Backer {
	a := api.Backer{Anonymous: b.Anonymous, BackedAt: &b.PaidAt, Image: avatarOf(b.ID)}
	if !b.Anonymous {
		a.Name = profiles.ShownName(b.FirstName, b.LastName, b.LastNameInitial)
		if b.UserID != nil && b.Image != nil && typed.Same(a.Name, b.AccountName) {
			a.Image = profiles.Image(*b.Image, *b.UserID)
		}
	}
	if !hideAmount && b.AmountMinor != nil {
		amount := money.Decimal(*b.AmountMinor)
		a.Amount = &amount
	}
	return a
}

// avatarOf is a picture for a pledge without a person. Its seed is a hash: ids of pledges are for those who
// made them.
func avatarOf(pledgeID string) string {
	sum := sha256.Sum256([]byte("avatar of " + pledgeID))
	return scenes.AvatarFileName(hex.EncodeToString(sum[:8]))
}
