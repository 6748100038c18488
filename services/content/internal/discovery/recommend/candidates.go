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
	// candidates are what leads from the subject to others, and what ends soon and what is popular.
	candidates []candidate
	// onlyAbout leaves out what is suggested without regard to the subject.
	onlyAbout bool
	// without is what is never suggested.
	without map[key]bool
}

// candidate is one source that leads to a campaign or an experiment; the same one may be found by several.
type candidate struct {
	ID           int64
	IsExperiment bool
	Source       string // tag, category, ownTag, likedExperiment, backed, liked, near, ending, popular
	Seed         int64  // the subject's campaign that leads here, of likedExperiment the experiment, 0 for none
	Tag          int64  // of a tag, also of ownTag and likedExperiment, or of a category
	// Weight is, of a tag, how many campaigns in funding have it, counted up to 40; of pairs, how many people.
	Weight     int
	Popularity int
	Deadline   *time.Time
}

// row is a row of recommendation_lists, or a pair, that a subject leads to. Other sources are about the subject itself.
type row struct {
	Source      string
	Seed, Tag   int64
	Weight      int
	Campaigns   []int64
	Popularity  []int
	Deadlines   []*time.Time
	Experiments []int64
}

// The sources of rows about the subject itself: the page's campaign or experiment, a person's seeds, and what a person
// knows.
const (
	theSubject  = "subject"
	backedSeed  = "backed seed"
	likedSeed   = "liked seed"
	knownToThem = "known"
)

// The sources of rows that a person alone has: a tag that they have chosen, and one of an experiment that they like.
const (
	ownTag          = "own tag"
	likedExperiment = "liked experiment"
)

// Parts of the statements. Each reads rows by keys, and gives the columns of row. A statement begins with the seeds that
// lead to others by tags and pairs.
const (
	listColumns = `l.weight, l.campaigns, l.popularity, l.deadlines, l.experiments`

	// listOfTag is the list of the tag g.tag_id.
	listOfTag = `
	CROSS JOIN LATERAL (
		SELECT * FROM recommendation_lists WHERE source = 'tag' AND key = CAST(g.tag_id AS text) LIMIT 1) l`

	// tagRows are the lists of the seeds' tags. A tag of several seeds counts for the first of them.
	tagRows = `
	SELECT 'tag', g.seed, g.tag_id, ` + listColumns + ` FROM (
		SELECT DISTINCT ON (t.tag_id) seed.id AS seed, t.tag_id FROM seed CROSS JOIN LATERAL (
			SELECT tag_id FROM campaign_tags WHERE campaign_id = seed.id ORDER BY tag_id LIMIT 8) t
		ORDER BY t.tag_id, seed.number LIMIT 8) g` + listOfTag

	// pairRows are told of MinPeople or more, and not of campaigns that hide their backers. Index: recommendation_pairs_told.
	pairRows = `
	SELECT k.kind, seed.id, 0, p.people, ARRAY[p.other_id], ARRAY[0], ARRAY[other.funding_deadline], NULL
	FROM seed CROSS JOIN (VALUES ('backed'), ('liked')) AS k (kind) CROSS JOIN LATERAL (
		SELECT other_id, people FROM recommendation_pairs
		WHERE campaign_id = seed.id AND kind = k.kind AND people >= 5 ORDER BY people DESC, other_id LIMIT 6) p
	CROSS JOIN LATERAL (
		SELECT funding_deadline FROM campaigns
		WHERE id = p.other_id AND stage IN (2, 6)
		  AND (k.kind <> 'backed' OR NOT seed.hide_member_count AND NOT hide_member_count) LIMIT 1) other`

	placeRows = `
	SELECT 'near', 0, 0, ` + listColumns + ` FROM seed CROSS JOIN LATERAL (
		SELECT * FROM recommendation_lists WHERE source = 'near' AND key = searchable(seed.place) LIMIT 1) l
	WHERE seed.place <> ''`

	anyRows = `
	SELECT source, 0, 0, ` + listColumns + ` FROM recommendation_lists l WHERE source IN ('ending', 'popular') AND key = ''`
)

const campaignSQL = `
	WITH seed AS MATERIALIZED (
		SELECT id, 1 AS number, stage, place, hide_member_count FROM campaigns WHERE id = @id)
	SELECT '` + theSubject + `' AS source, id AS seed, 0 AS tag, CAST(stage AS int) AS weight, CAST(NULL AS bigint[]) AS campaigns,
	       CAST(NULL AS int[]) AS popularity, CAST(NULL AS timestamptz[]) AS deadlines, CAST(NULL AS bigint[]) AS experiments
	FROM seed
	UNION ALL` + tagRows + `
	UNION ALL` + pairRows + `
	UNION ALL` + placeRows + `
	UNION ALL` + anyRows

const experimentSQL = `
	WITH seed AS MATERIALIZED (SELECT id, place FROM experiments WHERE id = @id AND listed)
	SELECT '` + theSubject + `' AS source, id AS seed, 0 AS tag, 0 AS weight, CAST(NULL AS bigint[]) AS campaigns,
	       CAST(NULL AS int[]) AS popularity, CAST(NULL AS timestamptz[]) AS deadlines, CAST(NULL AS bigint[]) AS experiments
	FROM seed
	UNION ALL
	SELECT 'tag', 0, g.tag_id, ` + listColumns + ` FROM seed CROSS JOIN LATERAL (
		SELECT tag_id FROM experiment_tags WHERE experiment_id = seed.id ORDER BY tag_id LIMIT 8) g` + listOfTag + `
	UNION ALL` + placeRows + `
	UNION ALL` + anyRows

// topicSQL's topic is labels of tags and categories. Indexes: tag_texts_label, category_texts_label.
const topicSQL = `
	WITH seed AS MATERIALIZED (SELECT CAST(@place AS text) AS place),
	label AS MATERIALIZED (SELECT searchable(text) AS name FROM unnest(CAST(@labels AS text[])) AS text)
	SELECT 'tag' AS source, CAST(0 AS bigint) AS seed, n.tag_id AS tag, ` + listColumns + ` FROM (
		SELECT DISTINCT t.tag_id FROM label CROSS JOIN LATERAL (
			SELECT tag_id FROM tag_texts WHERE searchable(tag_texts.label) = label.name LIMIT 3) t) n
	CROSS JOIN LATERAL (
		SELECT * FROM recommendation_lists WHERE source = 'tag' AND key = CAST(n.tag_id AS text) LIMIT 1) l
	UNION ALL
	SELECT 'category', 0, n.category_id, ` + listColumns + ` FROM (
		SELECT DISTINCT t.category_id FROM label CROSS JOIN LATERAL (
			SELECT category_id FROM category_texts WHERE searchable(category_texts.label) = label.name LIMIT 3) t) n
	CROSS JOIN LATERAL (
		SELECT * FROM recommendation_lists WHERE source = 'category' AND key = CAST(n.category_id AS text) LIMIT 1) l
	UNION ALL` + placeRows + `
	UNION ALL` + anyRows

// personSQL's parameter is read from a row, which the planner does not look into: so its plan fits everybody, and is kept.
// Planning this anew for each reader would take longer than running it. The seeds are the campaigns that the person has
// backed last or supports monthly, then those that they have liked last; of experiments the two that they have liked last.
// A campaign whose support they have ended is known to them, and leads nowhere. Indexes: subscriptions_user,
// experiment_likes_user, experiment_team_user.
const personSQL = `
	WITH asked AS MATERIALIZED (SELECT CAST(@user AS bigint) AS person),
	mine AS MATERIALIZED (
		SELECT m.* FROM asked CROSS JOIN LATERAL (
			(SELECT campaign_id, 2 AS how, created_at AS at FROM pledges
			 WHERE user_id = asked.person AND status IN ('processing', 'paid', 'partly_refunded', 'disputed')
			 ORDER BY created_at DESC LIMIT 1000)
			UNION ALL
			(SELECT campaign_id, CASE status WHEN 'canceled' THEN 0 ELSE 2 END, created_at FROM subscriptions
			 WHERE user_id = asked.person AND status NOT IN ('created', 'expired') ORDER BY created_at DESC LIMIT 1000)
			UNION ALL
			(SELECT campaign_id, 1, created_at FROM campaign_likes WHERE user_id = asked.person ORDER BY created_at DESC LIMIT 1000)
			UNION ALL
			(SELECT campaign_id, 0, NULL FROM campaign_team WHERE user_id = asked.person LIMIT 1000)) m),
	seed AS MATERIALIZED (
		SELECT c.id, row_number() OVER () AS number, chosen.how, c.hide_member_count FROM (
			SELECT campaign_id, max(how) AS how FROM mine
			GROUP BY campaign_id HAVING max(how) > 0 ORDER BY max(how) DESC, max(at) DESC LIMIT 4) chosen
		CROSS JOIN LATERAL (SELECT id, hide_member_count FROM campaigns WHERE id = chosen.campaign_id LIMIT 1) c),
	my_experiment AS MATERIALIZED (
		SELECT m.* FROM asked CROSS JOIN LATERAL (
			(SELECT experiment_id, created_at AS liked_at FROM experiment_likes
			 WHERE user_id = asked.person ORDER BY created_at DESC LIMIT 1000)
			UNION ALL
			(SELECT experiment_id, NULL FROM experiment_team WHERE user_id = asked.person LIMIT 1000)) m),
	liked AS MATERIALIZED (
		SELECT e.id, newest.liked_at FROM (
			SELECT experiment_id, liked_at FROM my_experiment WHERE liked_at IS NOT NULL ORDER BY liked_at DESC LIMIT 2) newest
		CROSS JOIN LATERAL (SELECT id FROM experiments WHERE id = newest.experiment_id AND listed LIMIT 1) e)
	SELECT '` + knownToThem + `' AS source, CAST(0 AS bigint) AS seed, CAST(0 AS bigint) AS tag, 0 AS weight,
	       ARRAY(SELECT campaign_id FROM mine) AS campaigns,
	       CAST(NULL AS int[]) AS popularity, CAST(NULL AS timestamptz[]) AS deadlines,
	       ARRAY(SELECT experiment_id FROM my_experiment) AS experiments
	UNION ALL
	SELECT CASE how WHEN 2 THEN '` + backedSeed + `' ELSE '` + likedSeed + `' END, id, 0, 0, NULL, NULL, NULL, NULL FROM seed
	UNION ALL` + tagRows + `
	UNION ALL
	SELECT '` + likedExperiment + `', g.experiment, g.tag_id, ` + listColumns + ` FROM (
		SELECT DISTINCT ON (t.tag_id) liked.id AS experiment, t.tag_id FROM liked CROSS JOIN LATERAL (
			SELECT tag_id FROM experiment_tags WHERE experiment_id = liked.id ORDER BY tag_id LIMIT 8) t
		ORDER BY t.tag_id, liked.liked_at DESC LIMIT 8) g` + listOfTag + `
	UNION ALL
	SELECT '` + ownTag + `', 0, g.tag_id, ` + listColumns + ` FROM asked CROSS JOIN LATERAL (
		SELECT tag_id FROM user_tags WHERE user_id = asked.person ORDER BY tag_id LIMIT 10) g` + listOfTag + `
	UNION ALL` + pairRows + `
	UNION ALL` + anyRows

// readRows reads the rows of a subject in one statement.
func readRows(ctx context.Context, db *gorm.DB, statement string, params pgx.NamedArgs) ([]row, error) {
	rows, err := dbx.Select[row](ctx, db, statement, params)
	if err != nil {
		return nil, fmt.Errorf("find suggestions: %w", err)
	}
	return rows, nil
}

// candidates are those of the row.
func (r row) candidates() (all []candidate) {
	for i, id := range r.Campaigns {
		all = append(all, candidate{ID: id, Source: r.Source, Seed: r.Seed, Tag: r.Tag, Weight: r.Weight,
			Popularity: r.Popularity[i], Deadline: r.Deadlines[i]})
	}
	for _, id := range r.Experiments {
		all = append(all, candidate{ID: id, IsExperiment: true, Source: r.Source, Seed: r.Seed, Tag: r.Tag, Weight: r.Weight})
	}
	return all
}

// keys are what the row names.
func (r row) keys() map[key]bool {
	all := map[key]bool{}
	for _, id := range r.Campaigns {
		all[key{id: id}] = true
	}
	for _, id := range r.Experiments {
		all[key{id: id, isExperiment: true}] = true
	}
	return all
}
