package editing

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/oapi-codegen/runtime/types"
	"gorm.io/gorm"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/review"
	"talkoot.fi/content/internal/campaign/team"
	"talkoot.fi/content/internal/campaign/variations"
	"talkoot.fi/content/internal/media/scenes"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/writing/links"
)

// adminSQL reads a campaign as it is written: one row, its languages, goals and members as JSON in the contract's
// shape. Every subquery uses an index that begins with the campaign's id. The main category comes first. Tags are
// labelled in the campaign's own language.
var adminSQL = `
	SELECT c.id, c.slug, c.version, c.stage, c.opens_as, c.language, c.place, c.currency, c.min_goal_minor, c.target_goal_minor,
	       c.funding_rule, c.video_url, c.picture, c.creator_pic, c.external_link_1 AS external_link, c.hide_funding_amount,
	       c.hide_member_count, c.legal_creator, c.legal_creator_type, c.contact_email, c.first_day, c.last_day,
	       c.payment_account_id, c.payment_wallet_id, ` + campaigns.HeldForTeamSQL + ` AS held,
	       (SELECT jsonb_object_agg(language, jsonb_build_object('title', title, 'tagline', tagline, 'short_description', short_description,
	           'about_creator', about_creator, 'json_description', story, 'project_pic_alt', project_pic_alt, 'updated_at', updated_at))
	        FROM campaign_texts WHERE campaign_id = c.id) AS texts,
	       (SELECT jsonb_object_agg(language, list) FROM (
	           SELECT language, jsonb_object_agg(key, jsonb_build_object('value', value, 'format', format, 'html', html)) AS list
	           FROM campaign_custom_texts WHERE campaign_id = c.id GROUP BY language) own) AS custom,
	       (SELECT coalesce(jsonb_agg(category_id ORDER BY category_id = c.category_id DESC, category_id), '[]') FROM campaign_categories WHERE campaign_id = c.id) AS categories,
	       (SELECT coalesce(jsonb_agg(jsonb_build_object('id', g.tag_id, 'label', n.label) ORDER BY n.label, g.tag_id), '[]')
	        FROM campaign_tags g JOIN LATERAL (SELECT label FROM tag_texts n WHERE n.tag_id = g.tag_id
	           ORDER BY n.language = c.language DESC, n.language LIMIT 1) n ON true
	        WHERE g.campaign_id = c.id) AS tags,
	       (SELECT coalesce(jsonb_agg(jsonb_build_object('goal_id', g.id, 'target', g.target, 'texts',
	           coalesce((SELECT jsonb_object_agg(language, jsonb_build_object('title', title, 'description', description))
	                     FROM subscription_goal_texts WHERE goal_id = g.id), '{}')) ORDER BY g.target), '[]')
	        FROM subscription_goals g WHERE g.campaign_id = c.id) AS goals,
	       (SELECT coalesce(jsonb_agg(jsonb_build_object('user_id', u.id,
	           'email', CASE WHEN u.erased_at IS NULL THEN u.email ELSE '' END, 'name', concat_ws(' ', u.first_name, u.last_name),
	           'image', u.image, 'is_former', u.erased_at IS NOT NULL, 'meta', jsonb_strip_nulls(jsonb_build_object(
	               'stripe_account_id', (SELECT min(account_id) FROM payout_accounts a WHERE a.user_id = u.id AND provider = 'stripe'),
	               'mangopay_user_id', m.account_id, 'mangopay_wallet_id', m.wallet_id))) ORDER BY t.position), '[]')
	        FROM campaign_team t JOIN users u ON u.id = t.user_id
	        LEFT JOIN LATERAL (SELECT account_id, wallet_id FROM payout_accounts a WHERE a.user_id = u.id AND provider = 'mangopay'
	            ORDER BY created_at, wallet_id LIMIT 1) m ON true
	        WHERE t.campaign_id = c.id) AS team
	FROM campaigns c WHERE c.id = ?`

// adminRow is the result row of adminSQL.
type adminRow struct {
	ID, Version                                  int64
	Slug, Language, Place, Currency              string
	Stage, OpensAs                               int
	MinGoalMinor, TargetGoalMinor                money.Decimal
	FundingRule                                  string
	VideoURL, Picture, CreatorPic                string
	ExternalLink                                 string
	HideFundingAmount, HideMemberCount           bool
	LegalCreator, LegalCreatorType, ContactEmail string
	FirstDay, LastDay                            campaigns.Day
	PaymentAccountID, PaymentWalletID            string
	Texts, Custom, Categories, Tags, Goals, Team []byte
	Held                                         []byte // the contract's CampaignHold
}

// Read reads all that editing a campaign needs, in six statements, and three more while it tries variations. The caller
// has checked who may (RequireEdit). Error: campaigns.ErrUnknown.
func Read(ctx context.Context, db *gorm.DB, campaignID int64, now time.Time, zone *time.Location) (
	api.CampaignAdmin, error) {
	var row adminRow
	found := db.WithContext(ctx).Raw(adminSQL, campaignID).Scan(&row)
	if found.Error != nil {
		return api.CampaignAdmin{}, fmt.Errorf("read campaign %d to edit it: %w", campaignID, found.Error)
	}
	if found.RowsAffected == 0 {
		return api.CampaignAdmin{}, campaigns.ErrUnknown
	}
	a, err := row.answer()
	if err != nil {
		return a, fmt.Errorf("read campaign %d to edit it: %w", campaignID, err)
	}
	open, err := team.Open(ctx, db, campaignID, now)
	if err != nil {
		return a, err
	}
	a.Invitations = make([]api.TeamInvitation, len(open))
	for i, o := range open {
		a.Invitations[i] = api.TeamInvitation{Email: o.Email, InvitedAt: o.InvitedAt.UTC(), ExpiresAt: o.ExpiresAt.UTC(), AsCreator: o.AsCreator}
	}
	reviewed, err := review.Read(ctx, db, campaignID, now, zone)
	if err != nil {
		return a, err
	}
	a.Review = reviewed.Review
	for _, part := range campaigns.Parts {
		a.Parts = append(a.Parts, api.CampaignPart{Part: api.PartName(part.Name), Kind: api.PartKind(part.In(campaigns.Stage(a.Stage))),
			Fields: part.Fields})
	}
	experiment, err := variations.Read(ctx, db, campaignID)
	a.ContentExperiment = experiment.Answer()
	return a, err
}

// answer is the row in the contract's shape, without invitations and review.
func (row adminRow) answer() (a api.CampaignAdmin, err error) {
	a = api.CampaignAdmin{CampaignID: row.ID, Version: row.Version, Slug: row.Slug, Language: row.Language,
		Place:    row.Place,
		Currency: row.Currency, Stage: row.Stage, OpensAs: api.OpensAs(row.OpensAs), MinGoal: row.MinGoalMinor,
		TargetGoal:  row.TargetGoalMinor,
		FundingRule: api.FundingRule(row.FundingRule), VideoURL: links.Safe(row.VideoURL), CreatorPic: row.CreatorPic}
	if !scenes.IsFileName(row.Picture) {
		a.ProjectPic = row.Picture
	}
	a.Meta = api.CampaignMeta{ExternalLink1: given(links.Safe(row.ExternalLink)),
		LegalCreatorType:  given(row.LegalCreatorType),
		HideFundingAmount: row.HideFundingAmount, HideMemberCount: row.HideMemberCount}
	a.Settings = api.CampaignAdminSettings{ContactEmail: row.ContactEmail, LegalCreator: given(row.LegalCreator),
		PaymentAccountID: given(row.PaymentAccountID), PaymentWalletID: given(row.PaymentWalletID)}
	if a.Settings.FirstDayOfFunding, err = date(row.FirstDay); err != nil {
		return a, err
	}
	if a.Settings.LastDayOfFunding, err = date(row.LastDay); err != nil {
		return a, err
	}
	for _, part := range []struct {
		json []byte
		into any
	}{
		{row.Texts, &a.Texts}, {row.Custom, &a.CustomLanguage}, {row.Categories, &a.Categories}, {row.Tags, &a.Tags},
		{row.Goals, &a.SubscriptionsGoals}, {row.Team, &a.Team}, {row.Held, &a.Held},
	} {
		if part.json == nil { // no texts of its own
			continue
		}
		if err := json.Unmarshal(part.json, part.into); err != nil {
			return a, err
		}
	}
	for i, member := range a.Team {
		a.Team[i].Image = profiles.Image(member.Image, member.UserID)
	}
	return a, nil
}

// given is a text that is left out of an answer when it is empty.
func given(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func date(d campaigns.Day) (*types.Date, error) {
	if d == "" {
		return nil, nil //nolint:nilnil // no day is left out of an answer
	}
	t, err := time.Parse(time.DateOnly, string(d))
	return &types.Date{Time: t}, err
}
