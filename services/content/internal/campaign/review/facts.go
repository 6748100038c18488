package review

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/campaign/campaigns"
)

// facts is what checklist and review read of one campaign. Texts are those of its own language, counts of visible
// things.
type facts struct {
	ID, Version                 int64
	Slug, Language, Picture     string
	Stage, OpensAs              campaigns.Stage
	Review                      campaigns.ReviewState
	HasGoal                     bool
	FirstDay, LastDay           campaigns.Day
	FundingStart                *time.Time
	ContactEmail                string
	LegalCreator                string
	LegalCreatorType            string
	HasAccount                  bool // to be paid out to
	Title, Tagline              string
	ProjectPicAlt               string
	StoryLength                 int // characters
	Pictures, PicturesDescribed int // of the story and the rewards
	Rewards, Goals              int
	Begun                       int    // languages besides its own
	Missing, Late               int    // of these: without title or story; older than its own
	MissingLanguage             string // the first of each, or empty
	LateLanguage                string
	LateSeconds                 float64 // how much older
	Round                       int     // how many times a review was asked for
	AskedAt, DecidedAt          *time.Time
	AskedBy, DecidedBy          string
	Notes, NotesMended          int // of the last decision
	OpenNote, OpenNoteBy        string
	UpdatedAt                   time.Time
}

// lateAfter is by how much texts of another language may be older than those of the campaign's own before the checklist
// says so. It is a day, so that the checklist does not complain about a translation that is just being written.
const lateAfter = 24 * time.Hour

// factsSQL reads the facts of some campaigns. Every subquery uses an index that begins with the campaign's id. In a
// document pictures are nodes of type image or figure at any depth; strict mode keeps jsonpath from finding them twice.
const factsSQL = `
	SELECT c.id, c.version, c.slug, c.language, c.picture, c.stage, c.opens_as, c.review,
	       c.min_goal_minor > 0 OR c.target_goal_minor > 0 AS has_goal, c.first_day, c.last_day, c.funding_start,
	       c.contact_email, c.legal_creator, c.legal_creator_type, c.updated_at,
	       c.payment_account_id <> '' OR c.payment_wallet_id <> '' AS has_account,
	       x.title, x.tagline, x.project_pic_alt, char_length(btrim(x.story_text)) AS story_length,
	       story.pictures + offer.pictures AS pictures, story.described + offer.described AS pictures_described,
	       offer.rewards, (SELECT count(*) FROM subscription_goals WHERE campaign_id = c.id) AS goals,
	       other.begun, other.missing, other.late, coalesce(other.missing_languages[1], '') AS missing_language,
	       coalesce(other.late_languages[1], '') AS late_language, coalesce(other.late_seconds, 0) AS late_seconds,
	       coalesce(asked.round, 0) AS round, asked.at AS asked_at, coalesce(asked.by, '') AS asked_by,
	       decided.at AS decided_at, coalesce(decided.by, '') AS decided_by,
	       noted.notes, noted.mended AS notes_mended, coalesce(noted.texts[1], '') AS open_note, coalesce(noted.authors[1], '') AS open_note_by
	FROM campaigns c
	JOIN campaign_texts x ON x.campaign_id = c.id AND x.language = c.language
	CROSS JOIN LATERAL (
		SELECT count(*) AS pictures, count(*) FILTER (WHERE btrim(coalesce(node -> 'attrs' ->> 'alt', '')) <> '') AS described
		FROM jsonb_path_query(x.story, 'strict $.**') AS node WHERE node ->> 'type' IN ('image', 'figure')) story
	CROSS JOIN LATERAL (
		SELECT count(*) FILTER (WHERE r.amount_minor > 0 AND t.title <> '') AS rewards, count(*) FILTER (WHERE r.image <> '') AS pictures,
		       count(*) FILTER (WHERE r.image <> '' AND t.image_alt <> '') AS described
		FROM rewards r LEFT JOIN reward_texts t ON t.reward_id = r.id AND t.language = c.language
		WHERE r.campaign_id = c.id AND r.active = 1) offer
	CROSS JOIN LATERAL (
		SELECT count(*) AS begun, count(*) FILTER (WHERE gap) AS missing, count(*) FILTER (WHERE late AND NOT gap) AS late,
		       array_agg(language ORDER BY language) FILTER (WHERE gap) AS missing_languages,
		       array_agg(language ORDER BY updated_at, language) FILTER (WHERE late AND NOT gap) AS late_languages,
		       extract(epoch FROM max(behind) FILTER (WHERE late AND NOT gap)) AS late_seconds
		FROM (
			SELECT o.language, o.updated_at, x.updated_at - o.updated_at AS behind, o.title = '' OR btrim(o.story_text) = '' AS gap,
			       x.updated_at - o.updated_at >= make_interval(secs => @late) AS late
			FROM campaign_texts o WHERE o.campaign_id = c.id AND o.language <> c.language) o) other
	LEFT JOIN LATERAL (
		SELECT e.round, e.at, concat_ws(' ', u.first_name, u.last_name) AS by
		FROM review_events e JOIN users u ON u.id = e.user_id
		WHERE e.campaign_id = c.id AND e.event IN ('requested', 'changed') ORDER BY e.id DESC LIMIT 1) asked ON true
	LEFT JOIN LATERAL (
		SELECT e.round, e.at, concat_ws(' ', u.first_name, u.last_name) AS by
		FROM review_events e JOIN users u ON u.id = e.user_id
		WHERE e.campaign_id = c.id AND e.event IN ('approved', 'changes_requested') ORDER BY e.id DESC LIMIT 1) decided ON true
	CROSS JOIN LATERAL (
		SELECT count(*) AS notes, count(*) FILTER (WHERE n.mended) AS mended,
		       array_agg(n.text ORDER BY n.id) FILTER (WHERE NOT n.mended) AS texts,
		       array_agg(u.first_name ORDER BY n.id) FILTER (WHERE NOT n.mended) AS authors
		FROM review_notes n JOIN users u ON u.id = n.user_id WHERE n.campaign_id = c.id AND n.round = decided.round) noted
	WHERE c.id IN @ids`

// read reads the facts of campaigns by id, in one statement; campaigns that are not there are left out.
func read(ctx context.Context, db *gorm.DB, campaignIDs []int64) (map[int64]facts, error) {
	found := map[int64]facts{}
	if len(campaignIDs) == 0 {
		return found, nil
	}
	var rows []facts
	err := db.WithContext(ctx).Raw(factsSQL, map[string]any{"ids": campaignIDs, "late": lateAfter.Seconds()}).Scan(
		&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read what a review is about: %w", err)
	}
	for _, f := range rows {
		found[f.ID] = f
	}
	return found, nil
}

// readOne is read of one campaign. Error: campaigns.ErrUnknown.
func readOne(ctx context.Context, db *gorm.DB, campaignID int64) (facts, error) {
	found, err := read(ctx, db, []int64{campaignID})
	if err != nil {
		return facts{}, err
	}
	f, ok := found[campaignID]
	if !ok {
		return facts{}, campaigns.ErrUnknown
	}
	return f, nil
}
