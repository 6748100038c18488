package claims

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/oapi-codegen/runtime/types"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api"
)

// shown is a claim as one of its sides sees it.
func (s *Service) shown(ctx context.Context, c row, role Role) (api.Claim, error) {
	p, err := readPledge(ctx, s.db, c.PledgeID)
	if err != nil {
		return api.Claim{}, err
	}
	var returned int64
	err = s.db.WithContext(ctx).Raw(`SELECT coalesce(sum(coalesce(begun_minor, amount_minor)), 0) FROM agreed_refunds WHERE claim_id = ?`, c.ID).Scan(&returned).Error
	if err != nil {
		return api.Claim{}, fmt.Errorf("add up what goes back of a claim: %w", err)
	}
	a := api.Claim{ClaimID: c.ID, Reference: c.Reference, Reader: api.ClaimReader(role), Kind: api.ClaimKind(c.Kind), State: api.ClaimState(c.State), Version: c.Version, MadeAt: c.CreatedAt,
		WaitsFrom: &c.WaitsFrom, DueAt: c.DueAt, Left: money.Decimal(max(p.leftMinor(), 0)), Returned: money.Decimal(returned), Currency: string(p.Currency),
		May: []string{}, Messages: []api.ClaimMessage{}, Offered: decimal(c.OfferMinor), Day: day(c.OfferDay), Tracking: text(c.Tracking)}
	for _, act := range mayOf(c.State, role) {
		if Act(act) == Object && (c.DueAt == nil || !s.now().Before(*c.DueAt)) {
			continue
		}
		a.May = append(a.May, act)
	}
	var list []struct {
		ID              int64
		At              time.Time
		Role, Act, Text string
		AmountMinor     *int64
		Day             *time.Time
		Tracking        string
	}
	err = s.db.WithContext(ctx).Raw(`SELECT id, at, role, act, text, amount_minor, day, tracking FROM claim_messages WHERE claim_id = ? ORDER BY id`, c.ID).Scan(&list).Error
	if err != nil {
		return api.Claim{}, fmt.Errorf("read what was said about a claim: %w", err)
	}
	for _, m := range list {
		a.Messages = append(a.Messages, api.ClaimMessage{ID: m.ID, At: m.At, By: api.ClaimMessageBy(m.Role), Act: api.ClaimMessageAct(m.Act), Text: m.Text,
			Amount: decimal(m.AmountMinor), Day: day(m.Day), Tracking: text(m.Tracking)})
	}
	return a, nil
}

func decimal(minor *int64) *money.Decimal {
	if minor == nil {
		return nil
	}
	return new(money.Decimal(*minor))
}

func day(t *time.Time) *types.Date {
	if t == nil {
		return nil
	}
	return &types.Date{Time: *t}
}

func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Own is the claim about a pledge as its backer sees it: the latest, and whether another may be made.
func (s *Service) Own(ctx context.Context, pledgeID string) (a api.OwnClaimAnswer, err error) {
	p, err := readPledge(ctx, s.db, pledgeID)
	if err != nil {
		return a, err
	}
	a.Kinds = []api.ClaimKind{}
	c, found, err := read(ctx, s.db, `WHERE pledge_id = ? ORDER BY created_at DESC, id DESC LIMIT 1`, pledgeID)
	if err != nil {
		return a, err
	}
	if found {
		shown, err := s.shown(ctx, c, Backer)
		if err != nil {
			return a, err
		}
		a.Claim = &shown
	}
	if !found || c.Decisions == 0 && (c.State == Agreed || c.State == Closed) {
		may := possible(p, s.now(), s.zone)
		for _, kind := range may.Kinds {
			a.Kinds = append(a.Kinds, api.ClaimKind(kind))
		}
		if len(may.Kinds) > 0 {
			a.Until = &may.Until
		}
		if !may.NotDeliveredFrom.IsZero() {
			a.NotDeliveredFrom = &may.NotDeliveredFrom
		}
	}
	return a, nil
}

// Page is a claim with its pledge, as the campaign's team and staff see it.
func (s *Service) Page(ctx context.Context, c row, role Role, language string) (a api.ClaimPageAnswer, err error) {
	if a.Claim, err = s.shown(ctx, c, role); err != nil {
		return a, err
	}
	var p struct {
		Title, Backer, RewardTitle, RewardLanguage, ReceiptNumber, Delivery, Currency string
		Quantity                                                                      int
		AmountMinor, RefundedMinor                                                    int64
		PaidAt                                                                        *time.Time
		NeedsAddress                                                                  bool
		Details                                                                       json.RawMessage
	}
	err = s.db.WithContext(ctx).Raw(`SELECT v.preview ->> 'title' AS title, trim(p.first_name || ' ' || p.last_name) AS backer, p.details,
			coalesce(p.bought ->> 'title', '') AS reward_title, coalesce(p.bought ->> 'language', '') AS reward_language, coalesce(p.receipt_number, '') AS receipt_number, coalesce(p.bought ->> 'delivery', '') AS delivery,
			coalesce(CAST(p.bought ->> 'needs_address' AS boolean), false) AS needs_address,
			p.quantity, p.amount_minor, p.amount_refunded_minor AS refunded_minor, p.paid_at, p.currency
		FROM pledges p JOIN campaign_previews v ON v.campaign_id = p.campaign_id AND v.language = ? WHERE p.id = ?`, language, c.PledgeID).Scan(&p).Error
	if err != nil {
		return a, fmt.Errorf("read the pledge of a claim: %w", err)
	}
	a.Pledge = api.ClaimedPledge{CampaignID: c.CampaignID, CampaignTitle: p.Title, Backer: p.Backer, RewardTitle: p.RewardTitle, Quantity: p.Quantity,
		Amount: money.Decimal(p.AmountMinor), Refunded: money.Decimal(p.RefundedMinor), Currency: p.Currency, PaidAt: p.PaidAt, ReceiptNumber: p.ReceiptNumber,
		Delivery: p.Delivery}
	if p.RewardLanguage != "" {
		a.Pledge.RewardLanguage = &p.RewardLanguage
	}
	var address api.Address
	if err := json.Unmarshal(p.Details, &address); err == nil && p.NeedsAddress && address.AddressStreet != "" {
		a.Pledge.Address = &address
	}
	return a, nil
}

// mostListed is how many claims a list has.
const mostListed = 200

// teamWaitsSQL is whether a claim c waits for its campaign's team, staffWaitsSQL for staff.
const (
	teamWaitsSQL  = `c.state = 'open'`
	staffWaitsSQL = `c.state = 'with_staff'`
)

// OfTeams lists the claims about the campaigns in whose teams a person is; those that wait come first.
func (s *Service) OfTeams(ctx context.Context, userID int64, language string) (a api.ClaimsAnswer, err error) {
	return s.list(ctx, teamWaitsSQL, `c.campaign_id IN (SELECT campaign_id FROM campaign_team WHERE user_id = @user)`, userID, language)
}

// OfStaff lists the claims that wait for a decision, but for those of who asks.
func (s *Service) OfStaff(ctx context.Context, userID int64, language string) (api.ClaimsAnswer, error) {
	return s.list(ctx, staffWaitsSQL, staffWaitsSQL+` AND NOT `+ownSQL, userID, language)
}

func (s *Service) list(ctx context.Context, waits, which string, userID int64, language string) (a api.ClaimsAnswer, err error) {
	args := map[string]any{"user": userID, "language": language, "most": mostListed}
	var rows []struct {
		ID, Reference, Kind, State, Title, Backer, Currency string
		CampaignID, AmountMinor                             int64
		CreatedAt                                           time.Time
		DueAt                                               *time.Time
		Waits                                               bool
	}
	err = s.db.WithContext(ctx).Raw(`SELECT c.id, c.reference, c.kind, c.state, c.campaign_id, c.created_at, c.due_at, `+waits+` AS waits, p.amount_minor, p.currency,
			v.preview ->> 'title' AS title, trim(p.first_name || ' ' || p.last_name) AS backer
		FROM claims c JOIN pledges p ON p.id = c.pledge_id JOIN campaign_previews v ON v.campaign_id = c.campaign_id AND v.language = @language
		WHERE `+which+` ORDER BY `+waits+` DESC, c.state IN ('agreed', 'decided', 'closed'), CASE WHEN `+waits+` THEN c.due_at END, c.created_at DESC, c.id LIMIT @most`, args).Scan(&rows).Error
	if err != nil {
		return a, fmt.Errorf("list claims: %w", err)
	}
	a.Claims = make([]api.ClaimRow, len(rows))
	for i, r := range rows {
		a.Claims[i] = api.ClaimRow{ClaimID: r.ID, Reference: r.Reference, Kind: api.ClaimKind(r.Kind), State: api.ClaimState(r.State), CampaignID: r.CampaignID,
			CampaignTitle: r.Title, Backer: r.Backer, Amount: money.Decimal(r.AmountMinor), Currency: r.Currency, MadeAt: r.CreatedAt, DueAt: r.DueAt}
		if r.Waits {
			a.Waiting++
		}
	}
	var campaigns []struct {
		ID    int64
		Title string
	}
	if waits == teamWaitsSQL {
		err = s.db.WithContext(ctx).Raw(`SELECT e.campaign_id AS id, v.preview ->> 'title' AS title FROM campaign_team m
			JOIN campaign_endings e ON e.campaign_id = m.campaign_id AND e.goes_to = 'creator'
			JOIN campaign_previews v ON v.campaign_id = e.campaign_id AND v.language = @language
			WHERE m.user_id = @user ORDER BY e.ended_at DESC, e.campaign_id LIMIT @most`, args).Scan(&campaigns).Error
	}
	if err != nil {
		return a, fmt.Errorf("list campaigns whose backers can be refunded: %w", err)
	}
	a.Campaigns = make([]struct {
		CampaignID int64  `json:"campaign_id"`
		Title      string `json:"title"`
	}, len(campaigns))
	for i, c := range campaigns {
		a.Campaigns[i].CampaignID, a.Campaigns[i].Title = c.ID, c.Title
	}
	return a, nil
}

// CountsSQL counts the claims about the campaigns in whose teams @user is, and how many of them wait for an answer.
const CountsSQL = `SELECT count(*) AS claims, count(*) FILTER (WHERE ` + teamWaitsSQL + `) AS claims_waiting
	FROM campaign_team m JOIN claims c ON c.campaign_id = m.campaign_id WHERE m.user_id = @user`
