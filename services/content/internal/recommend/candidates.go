package recommend

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// subject is what suggestions are looked for.
type subject struct {
	seeds      []int64 // campaigns whose tags and pairs lead to others
	tags       []int64 // further tags
	categories []int64
	place      string // as people write it, empty for none
	// isPage says that the seed is a campaign's page: suggestions may be near it.
	isPage bool
	// onlyAbout leaves out what is suggested without regard to the subject: what ends soon and what is popular.
	onlyAbout bool
	// without are the campaigns that are never suggested; experiment is the experiment that is not.
	without    []int64
	experiment int64
}

// candidate is one source that leads to a campaign or an experiment; the same one may be found by several.
type candidate struct {
	ID           int64
	IsExperiment bool
	Source       string // tag, category, backed, liked, near, ending, popular; seed for a seed itself
	Seed         int64  // the subject's campaign that leads here, 0 for none
	Tag          int64  // of the source tag or category
	// Weight is, of a tag, how many campaigns in funding have it, counted up to 40; of pairs, how many people; of a seed,
	// its stage.
	Weight     int
	Popularity int
	Deadline   *time.Time
}

// candidatesSQL reads the beginning of an index for each source. Indexes: campaign_listings_popular and _ending,
// recommendation_pairs_told, campaigns_open_place, experiment_tags_tag.
//
// Parameters are read from one row, which the planner does not look into: so its plan fits all of them, and is kept.
// Planning this anew for each reader would take ten times as long as running it.
const candidatesSQL = `
	WITH asked AS MATERIALIZED (
		SELECT CAST(@seeds AS bigint[]) AS seeds, CAST(@tags AS bigint[]) AS tags,
		       CAST(@categories AS bigint[]) AS categories, CAST(@place AS text) AS place, CAST(@page AS boolean) AS is_page),
	seed AS MATERIALIZED (
		SELECT c.id, c.stage, c.place, c.hide_member_count FROM asked CROSS JOIN LATERAL unnest(asked.seeds) AS wanted (id)
		CROSS JOIN LATERAL (SELECT id, stage, place, hide_member_count FROM campaigns WHERE id = wanted.id LIMIT 1) c),
	tags AS MATERIALIZED (
		SELECT t.seed, t.tag_id, t.category_id, (SELECT count(*) FROM (
			SELECT FROM campaign_listings
			WHERE tag_id = t.tag_id AND category_id = t.category_id AND stage = 2 LIMIT 40) AS few) AS weight
		FROM (
			SELECT 0 AS seed, tag_id, 0 AS category_id FROM asked CROSS JOIN LATERAL unnest(asked.tags) AS tag_id
			UNION ALL
			SELECT 0, 0, category_id FROM asked CROSS JOIN LATERAL unnest(asked.categories) AS category_id
			UNION ALL
			SELECT seed.id, g.tag_id, 0 FROM seed CROSS JOIN LATERAL (
				SELECT tag_id FROM campaign_tags WHERE campaign_id = seed.id ORDER BY tag_id LIMIT 8) g) t),
	written AS MATERIALIZED (
		SELECT place FROM asked WHERE place <> ''
		UNION ALL SELECT seed.place FROM seed, asked WHERE asked.is_page AND seed.place <> ''),
	names AS MATERIALIZED (
		SELECT searchable(place) AS name FROM written
		UNION SELECT searchable(n.name) FROM written JOIN place_names n ON n.place = written.place)
	SELECT id, false AS is_experiment, 'seed' AS source, 0 AS seed, 0 AS tag, stage AS weight, 0 AS popularity,
	       CAST(NULL AS timestamptz) AS deadline
	FROM seed
	UNION ALL
	SELECT l.campaign_id, false, CASE WHEN t.tag_id = 0 THEN 'category' ELSE 'tag' END, t.seed, t.tag_id + t.category_id,
	       t.weight, l.popularity, l.funding_deadline
	FROM tags t CROSS JOIN unnest(ARRAY[2, 6]) AS s (stage) CROSS JOIN LATERAL (
		SELECT campaign_id, popularity, funding_deadline FROM campaign_listings
		WHERE tag_id = t.tag_id AND category_id = t.category_id AND stage = s.stage
		ORDER BY popularity DESC, campaign_id DESC LIMIT 5) l
	UNION ALL
	SELECT live.id, true, 'tag', t.seed, t.tag_id, t.weight, 0, NULL
	FROM tags t CROSS JOIN LATERAL (
		SELECT e.id FROM (
			SELECT experiment_id FROM experiment_tags WHERE tag_id = t.tag_id ORDER BY experiment_id DESC LIMIT 24) g
		JOIN experiments e ON e.id = g.experiment_id AND e.listed AND e.stage IN (1, 2)
		ORDER BY e.id DESC LIMIT 3) live
	WHERE t.tag_id <> 0
	UNION ALL
	SELECT p.other_id, false, k.kind, seed.id, 0, p.people, l.popularity, l.funding_deadline
	FROM seed CROSS JOIN unnest(ARRAY['backed', 'liked']) AS k (kind) CROSS JOIN LATERAL (
		SELECT other_id, people FROM recommendation_pairs
		WHERE campaign_id = seed.id AND kind = k.kind AND people >= 5 ORDER BY people DESC, other_id LIMIT 12) p
	CROSS JOIN LATERAL (
		SELECT popularity, funding_deadline FROM campaign_listings
		WHERE campaign_id = p.other_id AND tag_id = 0 AND category_id = 0 AND stage IN (2, 6) LIMIT 1) l
	WHERE k.kind <> 'backed'
	   OR NOT seed.hide_member_count AND NOT (SELECT hide_member_count FROM campaigns WHERE id = p.other_id)
	UNION ALL
	SELECT c.id, false, 'near', 0, 0, 0, l.popularity, l.funding_deadline
	FROM names CROSS JOIN LATERAL (
		SELECT id FROM campaigns WHERE searchable(place) = names.name AND stage IN (2, 6) AND place <> ''
		ORDER BY id DESC LIMIT 6) c
	CROSS JOIN LATERAL (
		SELECT popularity, funding_deadline FROM campaign_listings
		WHERE campaign_id = c.id AND tag_id = 0 AND category_id = 0 LIMIT 1) l`

// anySQL reads what ends soon and what is popular. Indexes: campaign_listings_ending and _popular.
const anySQL = `
	WITH asked AS MATERIALIZED (SELECT CAST(@now AS timestamptz) AS now)
	SELECT l.campaign_id AS id, false AS is_experiment, 'ending' AS source, 0 AS seed, 0 AS tag, 0 AS weight, l.popularity,
	       l.funding_deadline AS deadline
	FROM asked CROSS JOIN LATERAL (
		SELECT campaign_id, popularity, funding_deadline FROM campaign_listings
		WHERE tag_id = 0 AND category_id = 0 AND stage = 2 AND funding_deadline > asked.now
		ORDER BY funding_deadline, campaign_id LIMIT 12) l
	UNION ALL
	SELECT l.campaign_id, false, 'popular', 0, 0, 0, l.popularity, l.funding_deadline
	FROM unnest(ARRAY[2, 6]) AS s (stage) CROSS JOIN LATERAL (
		SELECT campaign_id, popularity, funding_deadline FROM campaign_listings
		WHERE tag_id = 0 AND category_id = 0 AND stage = s.stage ORDER BY popularity DESC, campaign_id DESC LIMIT 16) l`

// find reads the candidates of a subject, and its seeds, in one statement.
func find(ctx context.Context, db *gorm.DB, s subject) ([]candidate, error) {
	found, err := dbx.Select[candidate](ctx, db, candidatesSQL, pgx.NamedArgs{"seeds": orNone(s.seeds),
		"tags": orNone(s.tags), "categories": orNone(s.categories), "place": s.place, "page": s.isPage})
	if err != nil {
		return nil, fmt.Errorf("find suggestions: %w", err)
	}
	return found, nil
}

// findAny reads candidates without regard to the subject.
func findAny(ctx context.Context, db *gorm.DB, now time.Time) ([]candidate, error) {
	found, err := dbx.Select[candidate](ctx, db, anySQL, pgx.NamedArgs{"now": now})
	if err != nil {
		return nil, fmt.Errorf("find what is popular: %w", err)
	}
	return found, nil
}

// orNone makes an empty list of none, because SQL's NULL is something else.
func orNone(ids []int64) []int64 {
	if ids == nil {
		return []int64{}
	}
	return ids
}
