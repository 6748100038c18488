package campaigns

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/access"
	"talkoot.fi/content/internal/writing/links"
)

// pageSQL reads a page. The story falls back as the preview's texts do: the reader's language, the campaign's own,
// any. Every subquery uses an index that begins with the campaign's id.
var pageSQL = `
		SELECT v.preview, c.stage, c.opens_as, x.story_html, x.story_text, x.project_pic_alt, own.texts AS custom_texts, c.creator_pic, c.video_url, c.contact_email, c.legal_creator,
		       c.legal_creator_type, c.version, c.external_link_1 AS external_link, c.hide_funding_amount, c.hide_member_count, c.funding_rule,
		       CAST(c.first_day AS text) AS first_day, CAST(c.last_day AS text) AS last_day,
		       ARRAY(SELECT language FROM campaign_texts WHERE campaign_id = c.id ORDER BY language) AS languages,
		       EXISTS (SELECT 1 FROM campaign_team WHERE campaign_id = c.id AND user_id = @user) AS member,
		       EXISTS (SELECT 1 FROM campaign_likes WHERE campaign_id = c.id AND user_id = @user) AS liked,
		       ` + HeldForAllSQL + ` AS held,
		       EXISTS (SELECT 1 FROM unpayable_campaigns WHERE campaign_id = c.id) AS is_unpayable,
		       (SELECT count(*) FROM rewards WHERE campaign_id = c.id AND active = 1) AS rewards,
		       (SELECT count(*) FROM posts WHERE campaign_id = c.id AND status = 'published') AS posts,
		       (SELECT json_agg(json_strip_nulls(json_build_object('variation', id, 'field', field, 'language', nullif(language, ''), 'value', value)) ORDER BY id)
		        FROM content_variations WHERE campaign_id = c.id AND stopped_at IS NULL) AS variations,
		       t.backers, t.subscriptions
		FROM campaigns c
		JOIN campaign_totals t ON t.campaign_id = c.id
		JOIN campaign_previews v ON v.campaign_id = c.id AND v.language = @language
		JOIN LATERAL (
			SELECT story_html, story_text, project_pic_alt FROM campaign_texts x WHERE x.campaign_id = c.id
			ORDER BY x.title = '', x.language = @language DESC, x.language = c.language DESC, x.language LIMIT 1) x ON true
		CROSS JOIN LATERAL (
			SELECT CAST(json_object_agg(key, json_build_object('value', value, 'format', format, 'html', html)) AS text) AS texts FROM (
				SELECT DISTINCT ON (key) key, value, format, html FROM campaign_custom_texts WHERE campaign_id = c.id
				ORDER BY key, language = @language DESC, language = c.language DESC, language) o) own
		WHERE c.id = @id`

// pageRow is the result row of pageSQL.
type pageRow struct {
	Preview                        string
	Stage, OpensAs                 Stage
	StoryHTML, StoryText           string
	ProjectPicAlt                  string
	CustomTexts, Held              *string // Held is the contract's CampaignHold
	CreatorPic, VideoURL           string
	ContactEmail                   string
	LegalCreator, LegalCreatorType string
	ExternalLink                   string
	HideFundingAmount              bool
	HideMemberCount                bool
	FundingRule                    string
	FirstDay, LastDay              *string
	Languages                      []string
	Member, Liked, IsUnpayable     bool
	Rewards, Posts                 int
	Variations                     json.RawMessage // []api.PublicVariation, null for none
	Backers, Subscriptions         int
	Version                        int64
}

// pageExtra is the fields of the contract's Campaign that its preview does not have.
type pageExtra struct {
	ACL                  access.Rights    `json:"acl"`
	LongDescription      string           `json:"long_description"`
	HTMLDescription      string           `json:"html_description"`
	CreatorPic           string           `json:"creator_pic,omitempty"`
	ProjectPicAlt        string           `json:"project_pic_alt"`
	CustomLanguage       json.RawMessage  `json:"custom_language,omitempty"`
	OpensAs              Stage            `json:"opens_as"`
	Held                 json.RawMessage  `json:"held,omitempty"`
	IsUnpayable          bool             `json:"is_unpayable,omitempty"`
	VideoURL             string           `json:"video_url"`
	MyRelationships      []string         `json:"my_relationships"`
	FundingRule          string           `json:"funding_rule"`
	SubscriptionsReached *int             `json:"subscriptions_reached,omitempty"`
	Languages            []string         `json:"languages"`
	Meta                 api.CampaignMeta `json:"meta"`
	Settings             pageSettings     `json:"settings"`
	Counts               pageCounts       `json:"counts"`
	Variations           json.RawMessage  `json:"content_variations,omitempty"`
	Version              int64            `json:"version"`
}

type pageSettings struct {
	ContactEmail string  `json:"contact_email"`
	FirstDay     *string `json:"first_day_of_funding,omitempty"`
	LastDay      *string `json:"last_day_of_funding,omitempty"`
	LegalCreator string  `json:"legal_creator,omitempty"`
}

type pageCounts struct {
	Rewards int `json:"rewards"`
	Posts   int `json:"posts"`
	Backers int `json:"backers"`
}

// readPage reads one campaign and what its reader may do with it. Error: ErrUnknown, also for drafts of others.
func readPage(ctx context.Context, db *gorm.DB, who session.Identity, campaignID int64, language string) (
	pageRow, access.Rights, error) {
	rows, err := dbx.Select[pageRow](ctx, db, pageSQL, pgx.NamedArgs{"id": campaignID, "language": language,
		"user": who.UserID})
	if err != nil {
		return pageRow{}, nil, fmt.Errorf("read campaign %d: %w", campaignID, err)
	}
	if len(rows) == 0 {
		return pageRow{}, nil, ErrUnknown
	}
	rights, err := rightsTo(rows[0].Stage, who, rows[0].Member)
	return rows[0], rights, err
}

// answer joins the stored preview and pageExtra into one JSON object.
func (row pageRow) answer(rights access.Rights) (pageAnswer, error) {
	extra := pageExtra{ACL: rights, LongDescription: row.StoryText, HTMLDescription: row.StoryHTML,
		CreatorPic: row.CreatorPic,
		VideoURL:   links.Safe(row.VideoURL), MyRelationships: []string{}, FundingRule: row.FundingRule,
		Languages: row.Languages,
		Meta:      metaOf(row.ExternalLink, row.LegalCreatorType, row.HideFundingAmount, row.HideMemberCount),
		Settings:  pageSettings{row.ContactEmail, row.FirstDay, row.LastDay, row.LegalCreator},
		Counts:    pageCounts{row.Rewards, row.Posts, row.Backers}, Variations: row.Variations, Version: row.Version,
		ProjectPicAlt: row.ProjectPicAlt, OpensAs: row.OpensAs, IsUnpayable: row.IsUnpayable}
	if row.CustomTexts != nil {
		extra.CustomLanguage = json.RawMessage(*row.CustomTexts)
	}
	if row.Held != nil {
		extra.Held = json.RawMessage(*row.Held)
	}
	if row.Liked {
		extra.MyRelationships = append(extra.MyRelationships, "like")
	}
	if row.Stage == StageRecurring {
		extra.SubscriptionsReached, extra.Counts.Backers = &row.Subscriptions, row.Subscriptions
	}
	if row.HideMemberCount {
		extra.Counts.Backers = 0
	}
	more, err := json.Marshal(extra)
	if err != nil {
		return nil, fmt.Errorf("encode campaign: %w", err)
	}
	acl, err := json.Marshal(rights)
	if err != nil {
		return nil, fmt.Errorf("encode campaign: %w", err)
	}
	var b bytes.Buffer
	b.WriteString(`{"campaign":`)
	b.WriteString(row.Preview[:len(row.Preview)-1]) // two objects become one: neither is ever empty
	b.WriteByte(',')
	b.Write(more[1:])
	b.WriteString(`,"acl":`)
	b.Write(acl)
	b.WriteString("}\n")
	return b.Bytes(), nil
}

// pageAnswer is the contract's CampaignAnswer, encoded.
type pageAnswer []byte

// VisitCampaignResponse writes the page.
func (a pageAnswer) VisitCampaignResponse(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(a)
	return err
}
