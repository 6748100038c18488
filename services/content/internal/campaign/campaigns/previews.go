package campaigns

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/discovery/searchdocs"
)

// RefreshPreviews writes the read model of campaigns from its sources, in the caller's transaction. It locks the
// campaigns' totals, so that a concurrent AddToTotals writes after it; so they have to be few.
func RefreshPreviews(ctx context.Context, tx *gorm.DB, campaignIDs ...int64) error {
	if len(campaignIDs) == 0 {
		return nil
	}
	for _, statement := range []string{
		// A campaign is locked before its totals, as everywhere, and one campaign after the other, so that no two
		// transactions deadlock. The inserts below would lock it by their foreign keys, but only after the totals.
		`SELECT FROM campaigns c JOIN campaign_totals t ON t.campaign_id = c.id WHERE c.id IN @ids ORDER BY c.id
			FOR KEY SHARE OF c FOR UPDATE OF t`,
		`DELETE FROM campaign_listings WHERE campaign_id IN @ids`,
		listSQL,
		previewSQL,
	} {
		if err := tx.WithContext(ctx).Exec(statement, map[string]any{"ids": campaignIDs}).Error; err != nil {
			return fmt.Errorf("refresh previews of campaigns %v: %w", campaignIDs, err)
		}
	}
	return searchdocs.Refresh(ctx, tx, searchdocs.Changed{Campaigns: campaignIDs})
}

// listSQL writes the listings of campaigns.
var listSQL = `
	INSERT INTO campaign_listings (campaign_id, tag_id, category_id, stage, popularity, funding_reached_minor, funding_start, funding_deadline)
	` + listedSQL + `
	WHERE c.id IN @ids`

// heldStages is added to the stage of the listings of a campaign on hold, so that lists of open ones pass it over.
const heldStages = 10

// listedStageSQL is the stage of a campaign's listings.
var listedStageSQL = fmt.Sprintf(`CASE c.hold WHEN 'on_hold' THEN c.stage + %d ELSE c.stage END`, heldStages)

// listedSQL is the listings of campaigns: one for each tag, each category, each pair of them, and one for lists without
// filters (0, 0).
var listedSQL = `SELECT c.id AS campaign_id, tag.id AS tag_id, category.id AS category_id, ` + listedStageSQL + ` AS stage, ` + popularitySQL + ` AS popularity, ` +
	reachedSQL + ` AS funding_reached_minor, c.funding_start, c.funding_deadline
	FROM campaigns c
	JOIN campaign_totals t ON t.campaign_id = c.id
	CROSS JOIN LATERAL (SELECT 0 AS id UNION SELECT tag_id FROM campaign_tags WHERE campaign_id = c.id) tag
	CROSS JOIN LATERAL (SELECT 0 AS id UNION SELECT category_id FROM campaign_categories WHERE campaign_id = c.id) category`

// previewSQL writes the previews of campaigns, the text that keywords are searched in, and the rows of the staff's table,
// for each language.
const previewSQL = `
	WITH made AS (` + madeSQL + `
		WHERE c.id IN @ids),
	staffed AS (
		INSERT INTO campaign_staff_listings (campaign_id, language, stage, title_order, creator_order, search)
		` + staffedSQL + `
		ON CONFLICT (campaign_id, language) DO UPDATE SET stage = excluded.stage, title_order = excluded.title_order,
		    creator_order = excluded.creator_order, search = excluded.search
		WHERE (campaign_staff_listings.stage, campaign_staff_listings.title_order, campaign_staff_listings.creator_order, campaign_staff_listings.search)
		    <> (excluded.stage, excluded.title_order, excluded.creator_order, excluded.search)),
	searched AS (
		INSERT INTO campaign_search (campaign_id, language, search) SELECT id, language, search FROM made
		ON CONFLICT (campaign_id, language) DO UPDATE SET search = excluded.search WHERE campaign_search.search <> excluded.search)
	INSERT INTO campaign_previews (campaign_id, language, preview) SELECT id, language, CAST(preview AS json) FROM made
	ON CONFLICT (campaign_id, language) DO UPDATE SET preview = excluded.preview`

// staffedSQL is the rows of the staff's table, from the previews that are made.
const staffedSQL = `SELECT id AS campaign_id, language, CAST(preview->>'stage' AS smallint) AS stage, sortable(coalesce(preview->>'title', '')) AS title_order,
	       sortable(coalesce(preview#>>'{creator,name}', '')) AS creator_order,
	       searchable(concat_ws(' ', '', preview->>'title', preview#>>'{creator,name}', id)) AS search
	FROM made`

// madeSQL is the previews of campaigns as JSON, and the texts that keywords are searched in, for each language. Texts
// fall back: the reader's language, the campaign's own, any; one without a title (of a draft) comes last.
const madeSQL = `
		SELECT c.id, lang.language, searchable(concat_ws(' ', '', x.title, x.tagline, x.short_description)) AS search,
		       jsonb_strip_nulls(jsonb_build_object(
		           'campaign_id', c.id, 'slug', c.slug, 'stage', c.stage, 'title', x.title, 'tagline', x.tagline,
		           'short_description', x.short_description, 'language', x.language, 'project_pic', c.picture,
		           'category_id', c.category_id, 'category', cat.label, 'categories', to_jsonb(cats.ids), 'tags', tagged.list,
		           'place', place_in(c.place, lang.language), 'currency', c.currency,
		           'min_goal', trim_scale(c.min_goal_minor::numeric / 100), 'target_goal', trim_scale(c.target_goal_minor::numeric / 100),
		           'hide_funding_amount', c.hide_funding_amount, 'hide_member_count', c.hide_member_count,
		           'first_day_of_funding', c.first_day, 'last_day_of_funding', c.last_day,
		           'funding_start', to_char(c.funding_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
		           'funding_deadline', to_char(c.funding_deadline AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
		           'has_video', c.video_url <> '', 'hold', nullif(c.hold, ''),
		           'creator', jsonb_build_object('user_id', u.id, 'name', coalesce(nullif(c.legal_creator, ''), shown_name(u.first_name, u.last_name, u.erased_at, lang.language)), 'verified', u.profile_verified,
		               'short_description', coalesce(nullif(x.about_creator, ''), u.short_description),
		               'language', CASE WHEN x.about_creator = '' THEN u.language ELSE x.language END,
		               'image', coalesce(nullif(c.creator_pic, ''), nullif(u.image, ''), 'avatar-' || u.id || '.svg')),
		           'subscriptions', CASE WHEN c.stage = 6 THEN ` + monthlyJSON + ` || jsonb_build_object('subscriptions_goals', goals.list) END)
		       ) || ` + numbersJSON + ` AS preview
		FROM campaigns c
		JOIN campaign_totals t ON t.campaign_id = c.id
		JOIN campaign_team m ON m.campaign_id = c.id AND m.position = 0
		JOIN users u ON u.id = m.user_id
		CROSS JOIN unnest(ARRAY['fi', 'en', 'sv']) AS lang (language)
		JOIN LATERAL (
			SELECT title, tagline, short_description, about_creator, language FROM campaign_texts x WHERE x.campaign_id = c.id
			ORDER BY x.title = '', x.language = lang.language DESC, x.language = c.language DESC, x.language LIMIT 1) x ON true
		LEFT JOIN LATERAL (
			SELECT label FROM category_texts n WHERE n.category_id = c.category_id
			ORDER BY n.language = lang.language DESC, n.language LIMIT 1) cat ON true
		CROSS JOIN LATERAL (
			SELECT coalesce(array_agg(category_id ORDER BY category_id), '{}') AS ids FROM campaign_categories WHERE campaign_id = c.id) cats
		CROSS JOIN LATERAL (
			SELECT coalesce(jsonb_agg(jsonb_build_object('id', g.tag_id, 'label', n.label) ORDER BY n.label, g.tag_id), '[]') AS list
			FROM campaign_tags g JOIN LATERAL (
				SELECT label FROM tag_texts n WHERE n.tag_id = g.tag_id
				ORDER BY n.language = lang.language DESC, n.language LIMIT 1) n ON true
			WHERE g.campaign_id = c.id) tagged
		CROSS JOIN LATERAL (
			SELECT coalesce(jsonb_agg(jsonb_build_object('goal_id', g.id, 'target', g.target, 'title', n.title, 'description', n.description)
			       ORDER BY g.target), '[]') AS list
			FROM subscription_goals g JOIN LATERAL (
				SELECT title, description FROM subscription_goal_texts n WHERE n.goal_id = g.id
				ORDER BY n.language = lang.language DESC, n.language = c.language DESC, n.language LIMIT 1) n ON true
			WHERE g.campaign_id = c.id) goals`

// Stale is a row of the read model that differs from what is computed from its sources.
type Stale struct {
	CampaignID int64
	Row        string // which: "preview fi", "search sv", "staff en", "listing 3 1" (tag and category)
}

// RecomputePreviews makes the read model of all campaigns anew, without writing it, and lists the rows that differ. The
// list must be empty.
func RecomputePreviews(ctx context.Context, db *gorm.DB) (stale []Stale, err error) {
	err = db.WithContext(ctx).Raw(`
		WITH made AS (` + madeSQL + `),
		listed AS (` + listedSQL + `),
		staffed AS (` + staffedSQL + `)
		SELECT coalesce(m.id, v.campaign_id) AS campaign_id, 'preview ' || coalesce(m.language, v.language) AS row
		FROM made m FULL JOIN campaign_previews v ON v.campaign_id = m.id AND v.language = m.language
		WHERE m.preview IS DISTINCT FROM CAST(v.preview AS jsonb)
		UNION ALL
		SELECT coalesce(m.id, v.campaign_id), 'search ' || coalesce(m.language, v.language)
		FROM made m FULL JOIN campaign_search v ON v.campaign_id = m.id AND v.language = m.language
		WHERE m.search IS DISTINCT FROM v.search
		UNION ALL
		SELECT coalesce(m.campaign_id, v.campaign_id), 'staff ' || coalesce(m.language, v.language)
		FROM staffed m FULL JOIN campaign_staff_listings v ON v.campaign_id = m.campaign_id AND v.language = m.language
		WHERE (m.stage, m.title_order, m.creator_order, m.search) IS DISTINCT FROM (v.stage, v.title_order, v.creator_order, v.search)
		UNION ALL
		SELECT coalesce(m.campaign_id, v.campaign_id), concat_ws(' ', 'listing', coalesce(m.tag_id, v.tag_id), coalesce(m.category_id, v.category_id))
		FROM listed m FULL JOIN campaign_listings v
		    ON v.campaign_id = m.campaign_id AND v.tag_id = m.tag_id AND v.category_id = m.category_id
		WHERE (m.stage, m.popularity, m.funding_reached_minor, m.funding_start, m.funding_deadline)
		    IS DISTINCT FROM (v.stage, v.popularity, v.funding_reached_minor, v.funding_start, v.funding_deadline)
		ORDER BY 1, 2`).Scan(&stale).Error
	if err != nil {
		return nil, fmt.Errorf("recompute previews: %w", err)
	}
	return stale, nil
}
