package campaigns

import (
	"context"
	"fmt"

	"gorm.io/gorm"
)

// RefreshPreviews writes the read model of one campaign from its sources, in the caller's transaction. It locks the
// campaign's totals, so that a concurrent AddToTotals writes after it.
func RefreshPreviews(ctx context.Context, tx *gorm.DB, campaignID int64) error {
	for _, statement := range []string{
		`SELECT FROM campaign_totals WHERE campaign_id = @id FOR UPDATE`,
		`DELETE FROM campaign_listings WHERE campaign_id = @id`,
		listSQL,
		previewSQL,
	} {
		if err := tx.WithContext(ctx).Exec(statement, map[string]any{"id": campaignID}).Error; err != nil {
			return fmt.Errorf("refresh previews of campaign %d: %w", campaignID, err)
		}
	}
	return nil
}

// listSQL writes a campaign's listings: one for each tag, each category, each pair of them, and one for lists without
// filters (0, 0).
const listSQL = `
	INSERT INTO campaign_listings (campaign_id, tag_id, category_id, stage, popularity, funding_reached_minor, funding_start, funding_deadline)
	SELECT c.id, tag.id, category.id, c.stage, ` + popularitySQL + `, ` + reachedSQL + `, c.funding_start, c.funding_deadline
	FROM campaigns c
	JOIN campaign_totals t ON t.campaign_id = c.id
	CROSS JOIN LATERAL (SELECT 0 AS id UNION SELECT tag_id FROM campaign_tags WHERE campaign_id = c.id) tag
	CROSS JOIN LATERAL (SELECT 0 AS id UNION SELECT category_id FROM campaign_categories WHERE campaign_id = c.id) category
	WHERE c.id = @id`

// previewSQL writes a campaign's preview as JSON, and the text that keywords are searched in, for each language. Texts
// fall back: the reader's language, the campaign's own, any; one without a title (of a draft) comes last.
const previewSQL = `
	WITH made AS (
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
		           'has_video', c.video_url <> '',
		           'creator', jsonb_build_object('user_id', u.id, 'name', coalesce(nullif(c.legal_creator, ''), concat_ws(' ', u.first_name, u.last_name)), 'verified', u.verified,
		               'short_description', coalesce(nullif(x.about_creator, ''), u.short_description),
		               'language', CASE WHEN x.about_creator = '' THEN u.language ELSE x.language END,
		               'image', coalesce(nullif(c.creator_pic, ''), nullif(u.image, ''), 'avatar-' || u.id || '.svg')),
		           'subscriptions', CASE WHEN c.stage = 6 THEN jsonb_build_object(
		               'subscriptions_amount_total', trim_scale(t.subscriptions_amount_minor::numeric / 100),
		               'subscriptions_subscribers_count', t.subscriptions, 'subscriptions_goals', goals.list) END)
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
			WHERE g.campaign_id = c.id) goals
		WHERE c.id = @id),
	searched AS (
		INSERT INTO campaign_search (campaign_id, language, search) SELECT id, language, search FROM made
		ON CONFLICT (campaign_id, language) DO UPDATE SET search = excluded.search WHERE campaign_search.search <> excluded.search)
	INSERT INTO campaign_previews (campaign_id, language, preview) SELECT id, language, CAST(preview AS json) FROM made
	ON CONFLICT (campaign_id, language) DO UPDATE SET preview = excluded.preview`
