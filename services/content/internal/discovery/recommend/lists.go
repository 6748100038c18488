package recommend

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// Refresh makes recommendation_lists anew, and returns how many rows changed. Several processes may call it at once:
// while one works, the others return 0. Its cost grows with the number of tags, categories and places, not with that of
// campaigns.
func Refresh(ctx context.Context, db *gorm.DB, now time.Time) (changed int64, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		var isFree bool
		err := tx.WithContext(ctx).Raw(`SELECT pg_try_advisory_xact_lock(hashtext('recommend.Refresh'))`).Scan(&isFree).Error
		if err != nil {
			return fmt.Errorf("lock the lists: %w", err)
		}
		if !isFree {
			return nil
		}
		done := tx.WithContext(ctx).Exec(refreshSQL, map[string]any{"now": now})
		if changed = done.RowsAffected; done.Error != nil {
			return fmt.Errorf("refresh the lists: %w", done.Error)
		}
		return nil
	})
	return changed, err
}

// refreshSQL reads the beginning of an index for each list. Indexes: campaign_listings_popular and _ending,
// campaigns_open_place, experiment_tags_tag. open_place reads one row of campaigns_open_place for each name that is
// there. Of experiments a tag has the newest, which are those that live.
const refreshSQL = `
	WITH RECURSIVE open_place (name) AS (
		(SELECT searchable(place) FROM campaigns WHERE stage IN (2, 6) AND place <> '' ORDER BY searchable(place) LIMIT 1)
		UNION ALL
		SELECT (SELECT searchable(place) FROM campaigns
		        WHERE stage IN (2, 6) AND place <> '' AND searchable(place) > before.name ORDER BY searchable(place) LIMIT 1)
		FROM open_place before WHERE before.name IS NOT NULL),
	place AS MATERIALIZED (
		SELECT name AS key, name FROM open_place WHERE name IS NOT NULL
		UNION
		SELECT searchable(n.place), open_place.name FROM open_place JOIN place_names n ON searchable(n.name) = open_place.name),
	subject AS MATERIALIZED (
		SELECT 'tag' AS source, id AS tag_id, 0 AS category_id FROM tags
		UNION ALL SELECT 'category', 0, id FROM categories),
	list (source, key, weight, campaigns, popularity, deadlines, experiments) AS (
		SELECT s.source, CAST(s.tag_id + s.category_id AS text), few.weight, open.campaigns, open.popularity, open.deadlines,
		       live.experiments
		FROM subject s
		CROSS JOIN LATERAL (
			SELECT CAST(count(*) AS int) AS weight FROM (
				SELECT FROM campaign_listings
				WHERE tag_id = s.tag_id AND category_id = s.category_id AND stage = 2 LIMIT 40) f) few
		CROSS JOIN LATERAL (
			SELECT array_agg(campaign_id) AS campaigns, array_agg(popularity) AS popularity, array_agg(funding_deadline) AS deadlines
			FROM unnest(ARRAY[2, 6]) AS any_of (stage) CROSS JOIN LATERAL (
				SELECT campaign_id, popularity, funding_deadline FROM campaign_listings
				WHERE tag_id = s.tag_id AND category_id = s.category_id AND stage = any_of.stage
				ORDER BY popularity DESC, campaign_id DESC LIMIT 5) l) open
		CROSS JOIN LATERAL (
			SELECT array_agg(id) AS experiments FROM (
				SELECT e.id FROM (
					SELECT experiment_id FROM experiment_tags WHERE tag_id = s.tag_id ORDER BY experiment_id DESC LIMIT 24) g
				CROSS JOIN LATERAL (
					SELECT id FROM experiments WHERE id = g.experiment_id AND listed AND stage IN (1, 2) LIMIT 1) e
				ORDER BY e.id DESC LIMIT 3) newest) live
		UNION ALL
		SELECT 'near', p.key, 0, array_agg(c.id), array_agg(l.popularity), array_agg(l.funding_deadline), NULL
		FROM (SELECT DISTINCT key FROM place) p
		CROSS JOIN LATERAL (
			SELECT here.id FROM place one CROSS JOIN LATERAL (
				SELECT id FROM campaigns WHERE searchable(campaigns.place) = one.name AND stage IN (2, 6) AND place <> ''
				ORDER BY id DESC LIMIT 6) here
			WHERE one.key = p.key ORDER BY here.id DESC LIMIT 6) c
		CROSS JOIN LATERAL (
			SELECT popularity, funding_deadline FROM campaign_listings
			WHERE campaign_id = c.id AND tag_id = 0 AND category_id = 0 LIMIT 1) l
		GROUP BY p.key
		UNION ALL
		SELECT 'ending', '', 0, array_agg(campaign_id), array_agg(popularity), array_agg(funding_deadline), CAST(NULL AS bigint[]) FROM (
			SELECT campaign_id, popularity, funding_deadline FROM campaign_listings
			WHERE tag_id = 0 AND category_id = 0 AND stage = 2 AND funding_deadline > @now
			ORDER BY funding_deadline, campaign_id LIMIT 12) l
		UNION ALL
		SELECT 'popular', '', 0, array_agg(campaign_id), array_agg(popularity), array_agg(funding_deadline), NULL
		FROM unnest(ARRAY[2, 6]) AS any_of (stage) CROSS JOIN LATERAL (
			SELECT campaign_id, popularity, funding_deadline FROM campaign_listings
			WHERE tag_id = 0 AND category_id = 0 AND stage = any_of.stage ORDER BY popularity DESC, campaign_id DESC LIMIT 16) l),
	fresh AS MATERIALIZED (
		SELECT source, key, weight, coalesce(campaigns, '{}') AS campaigns, coalesce(popularity, '{}') AS popularity,
		       coalesce(deadlines, '{}') AS deadlines, coalesce(experiments, '{}') AS experiments
		FROM list WHERE campaigns IS NOT NULL OR experiments IS NOT NULL),
	gone AS (
		DELETE FROM recommendation_lists l WHERE NOT EXISTS (SELECT FROM fresh f WHERE (f.source, f.key) = (l.source, l.key)))
	INSERT INTO recommendation_lists AS l (source, key, weight, campaigns, popularity, deadlines, experiments)
	SELECT source, key, weight, campaigns, popularity, deadlines, experiments FROM fresh
	ON CONFLICT (source, key) DO UPDATE SET weight = excluded.weight, campaigns = excluded.campaigns,
		popularity = excluded.popularity, deadlines = excluded.deadlines, experiments = excluded.experiments
	WHERE (l.weight, l.campaigns, l.popularity, l.deadlines, l.experiments)
	IS DISTINCT FROM (excluded.weight, excluded.campaigns, excluded.popularity, excluded.deadlines, excluded.experiments)`
