package experiments

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/campaign/access"
	"talkoot.fi/content/internal/person/profiles"
)

// page is an experiment as its page and its editors read it.
type page struct {
	Row                           `gorm:"embedded"`
	Version                       int64
	Open, Disabled, Member, Liked bool
	Listed                        bool // everybody may see it
	StoryHTML, ImageAlt           string
	WrittenPlace, Own             string // as its team wrote them: the place, the language
	Latitude, Longitude           *float64
	Links, Tags, Team             json.RawMessage
	Stages                        json.RawMessage // [{stage, since}]
	CustomTexts                   json.RawMessage
	Funds                         `gorm:"embedded"`
}

// Funds is where an experiment's money comes from. The crowd's part is the linked campaign's total, or what the team
// states while none is linked.
type Funds struct {
	Currency                           string
	GoalMinor, RaisedMinor, StateMinor money.Decimal
	OrganizationsMinor                 money.Decimal
	Organizations                      json.RawMessage
	CampaignID                         *int64
	CampaignStage                      *int
	CampaignSlug, CampaignTitle        string
	CampaignImage                      string
	CampaignHides                      bool
	CampaignMinor                      money.Decimal
}

// pageSQL reads an experiment whole, in one statement; every subquery uses an index that begins with its id.
const pageSQL = `
	SELECT ` + columns + `, e.version, e.open, e.disabled, e.listed, e.place AS written_place, e.language AS own, e.latitude, e.longitude,
	       x.story_html, x.image_alt, e.links, e.currency, e.goal_minor, e.raised_minor, e.state_minor, e.organizations_minor,
	       e.organizations, e.crowd_campaign_id AS campaign_id, k.stage AS campaign_stage, k.slug AS campaign_slug,
	       k.title AS campaign_title, k.picture AS campaign_image, k.hide_funding_amount AS campaign_hides,
	       k.funding_reached_minor AS campaign_minor,
	       EXISTS (SELECT FROM experiment_team WHERE experiment_id = e.id AND user_id = @user) AS member,
	       EXISTS (SELECT FROM experiment_likes WHERE experiment_id = e.id AND user_id = @user) AS liked,
	       (SELECT coalesce(jsonb_agg(jsonb_build_object('stage', stage, 'since', since) ORDER BY stage), '[]')
	        FROM experiment_stages WHERE experiment_id = e.id AND stage <= e.stage) AS stages,
	       (SELECT coalesce(jsonb_agg(jsonb_build_object('user_id', p.id, 'name', shown_name(p.first_name, p.last_name, p.erased_at, @language),
	                'image', p.image, 'short_description', p.short_description, 'is_former', nullif(p.erased_at IS NOT NULL, false)) ORDER BY t.position), '[]')
	        FROM experiment_team t JOIN users p ON p.id = t.user_id WHERE t.experiment_id = e.id) AS team,
	       (SELECT coalesce(jsonb_agg(jsonb_build_object('id', g.tag_id, 'label', n.label) ORDER BY n.label, g.tag_id), '[]')
	        FROM experiment_tags g JOIN LATERAL (
	            SELECT label FROM tag_texts n WHERE n.tag_id = g.tag_id
	            ORDER BY n.language = @language DESC, n.language LIMIT 1) n ON true
	        WHERE g.experiment_id = e.id) AS tags,
	       (SELECT coalesce(jsonb_object_agg(key, text), '{}') FROM (
	            SELECT DISTINCT ON (key) key, jsonb_build_object('value', value, 'format', format, 'html', html) AS text
	            FROM experiment_custom_texts WHERE experiment_id = e.id
	            ORDER BY key, language = @language DESC, language = e.language DESC, language) o) AS custom_texts
	FROM experiments e
	JOIN LATERAL (
	    SELECT language, title, short_description, story_html, image_alt FROM experiment_texts x WHERE x.experiment_id = e.id
	    ORDER BY x.title = '', x.language = @language DESC, x.language = e.language DESC, x.language LIMIT 1) x ON true
	JOIN LATERAL (SELECT user_id FROM experiment_team WHERE experiment_id = e.id ORDER BY position LIMIT 1) m ON true
	JOIN users u ON u.id = m.user_id
	LEFT JOIN LATERAL (
	    SELECT c.stage, c.slug, c.picture, c.hide_funding_amount, t.funding_reached_minor, n.title
	    FROM campaigns c JOIN campaign_totals t ON t.campaign_id = c.id
	    JOIN LATERAL (SELECT title FROM campaign_texts n WHERE n.campaign_id = c.id
	        ORDER BY n.title = '', n.language = @language DESC, n.language = c.language DESC, n.language LIMIT 1) n ON true
	    WHERE c.id = e.crowd_campaign_id) k ON true
	WHERE e.id = @id`

// read gives one experiment and what its reader may do with it. Error: ErrUnknown, also for one that is not shown and
// not the reader's to edit.
func read(ctx context.Context, db *gorm.DB, who session.Identity, id int64, language string) (
	page, access.Rights, error) {
	var pages []page
	err := db.WithContext(ctx).Raw(pageSQL,
		map[string]any{"id": id, "language": language, "user": who.UserID}).Scan(&pages).Error
	if err != nil {
		return page{}, nil, fmt.Errorf("read experiment %d: %w", id, err)
	}
	if len(pages) == 0 {
		return page{}, nil, ErrUnknown
	}
	rights := access.Of(who, pages[0].Member)
	if !pages[0].Listed && !rights.CanEdit() {
		return page{}, nil, ErrUnknown
	}
	return pages[0], rights, nil
}

// RequireEdit returns the signed-in person if they may change the experiment. Whatever is changed of one that is shown is public at
// once, so that its editors have confirmed their address. Errors: NotAuthenticated; Forbidden; ErrUnconfirmed; those of requireView.
func RequireEdit(ctx context.Context, db *gorm.DB, id int64) (session.Identity, error) {
	who, found, err := requireView(ctx, db, id)
	switch {
	case err != nil:
		return who, err
	case !found.rights.CanEdit():
		return who, apperr.New(apperr.Forbidden)
	case found.Listed && !found.Confirmed:
		return who, ErrUnconfirmed
	}
	return who, nil
}

// foundAccess is what decides about a reader's rights, and these.
type foundAccess struct {
	Listed, Member, Confirmed bool
	rights                    access.Rights
}

// requireView returns the signed-in person if they may see the experiment, and what they may do with it. Errors:
// NotAuthenticated; ErrUnknown.
func requireView(ctx context.Context, db *gorm.DB, id int64) (session.Identity, foundAccess, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return who, foundAccess{}, err
	}
	var found []foundAccess
	err = db.WithContext(ctx).Raw(`
		SELECT listed, EXISTS (SELECT FROM experiment_team WHERE experiment_id = e.id AND user_id = @user) AS member,
		       `+profiles.ConfirmedSQL+` AS confirmed
		FROM experiments e WHERE id = @id`, map[string]any{"user": who.UserID, "id": id}).Scan(&found).Error
	if err != nil {
		return who, foundAccess{}, fmt.Errorf("read access to experiment %d: %w", id, err)
	}
	if len(found) == 0 {
		return who, foundAccess{}, ErrUnknown
	}
	seen := found[0]
	seen.rights = access.Of(who, seen.Member)
	if !seen.Listed && !seen.rights.CanEdit() {
		return who, foundAccess{}, ErrUnknown
	}
	return who, seen, nil
}

// written is the texts of an experiment as they are written, by language, for its editors.
type written struct {
	Texts   []textRecord
	Customs []customRecord
	Needs   []string // for the next stage
	Invited []invitee
}

// invitee is somebody who has not agreed yet.
type invitee struct {
	UserID               int64
	Name, Image          string
	AsOwner              bool
	InvitedAt, ExpiresAt time.Time
}

func readWritten(ctx context.Context, db *gorm.DB, p page, now time.Time) (w written, err error) {
	db = db.WithContext(ctx)
	err = db.Omit("story_html").Find(&w.Texts, "experiment_id = ?", p.ID).Error
	if err == nil {
		err = db.Find(&w.Customs, "experiment_id = ?", p.ID).Error
	}
	if err == nil {
		err = db.Raw(`SELECT u.id AS user_id, concat_ws(' ', u.first_name, u.last_name) AS name, u.image, i.as_owner, i.invited_at, i.expires_at
			FROM experiment_invitations i JOIN users u ON u.id = i.user_id
			WHERE i.experiment_id = ? AND i.ended_at IS NULL AND i.expires_at > ? ORDER BY i.id`, p.ID, now).Scan(&w.Invited).Error
	}
	if err != nil {
		return w, fmt.Errorf("read texts of experiment %d: %w", p.ID, err)
	}
	w.Needs, err = (&Record{ID: p.ID, Language: p.Own, Place: p.WrittenPlace}).missingFor(ctx, db, p.Stage+1)
	return w, err
}

// stageDate is an item of page.Stages.
type stageDate struct {
	Stage int       `json:"stage"`
	Since time.Time `json:"since"`
}
