//go:build unix

// Package bulk fills a test's database with thousands of rows and examines query plans, so that a test can tell
// whether a query scans a growing table sequentially. It knows tables only, no domains. Only tests may import it.
package bulk

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"

	"talkoot.fi/content/migrations"
)

// Campaigns is how many campaigns New makes, with ids from 1. Id modulo 7 is the stage.
const Campaigns = 6000

// Building the trigram index after the insert takes a fraction of the time of updating it row by row.
const (
	setTrigramsAside = `
		CREATE TABLE aside AS SELECT replace(pg_get_indexdef(CAST(name AS regclass)), ' ON ONLY ', ' ON ') AS index
			FROM unnest(ARRAY['campaign_search_trigrams', 'campaign_staff_listings_trigrams',
			    'search_documents_stems', 'search_documents_title_stems', 'search_vocabulary_trigrams', 'search_vocabulary_suggested']) AS name;
		DROP INDEX campaign_search_trigrams, campaign_staff_listings_trigrams, search_documents_stems, search_documents_title_stems,
			search_vocabulary_trigrams, search_vocabulary_suggested`
	remakeTrigrams = `DO $$ DECLARE one record; BEGIN
		FOR one IN SELECT index FROM aside LOOP EXECUTE one.index; END LOOP; DROP TABLE aside; END $$`
)

// New makes a test's database whose tables are filled by SQL, without the domains' rules, and analysed.
func New(t testing.TB) *gorm.DB {
	t.Helper()
	return filled(t, []string{
		`INSERT INTO users (email, password_hash, first_name, last_name, created_at, verified, short_description)
			SELECT i || '@example.com', '', 'A', 'B' || i, now(), true, CASE WHEN i % 2 = 0 THEN 'Neuloo ' || i ELSE '' END FROM generate_series(1, 5000) i`,
		`INSERT INTO categories (key, position) SELECT 'c' || i, i FROM generate_series(1, 12) i`,
		`INSERT INTO tags (key) SELECT 't' || i FROM generate_series(1, 200) i`,
		`SET session_replication_role = replica`, // no search documents for each
		`INSERT INTO user_tags (user_id, tag_id) SELECT id, 1 + id % 200 FROM users`,
		`RESET session_replication_role`,
		`INSERT INTO campaigns (slug, stage, language, category_id, picture, funding_deadline, created_at, updated_at)
			SELECT 'x' || i, i % 7, 'fi', 1 + i % 12, 'x.svg', now(), now(), now() FROM generate_series(1, 6000) i`,
		`INSERT INTO campaign_totals (campaign_id) SELECT id FROM campaigns`,
		`INSERT INTO campaign_team (campaign_id, user_id, position) SELECT id, 1 + id % 5000, 0 FROM campaigns`,
		`INSERT INTO campaign_texts (campaign_id, language, title, story_html) SELECT id, lang, 'T', repeat('x', 2000) FROM campaigns, unnest(ARRAY['fi', 'en', 'sv']) lang`,
		`INSERT INTO campaign_tags (campaign_id, tag_id) SELECT id, 1 + id % 200 FROM campaigns`,
		`INSERT INTO campaign_listings (campaign_id, tag_id, category_id, stage, popularity, funding_reached_minor, funding_start, funding_deadline)
			SELECT c.id, tag, category, stage, c.id % 300, c.id % 1000, now() - c.id * interval '1 hour', now() + (c.id % 90 - 30) * interval '1 day'
			FROM campaigns c, unnest(ARRAY[0, 1 + c.id % 200]) tag, unnest(ARRAY[0, category_id]) category`,
		setTrigramsAside,
		`INSERT INTO campaign_search (campaign_id, language, search)
			SELECT id, lang, ' kampanja numero ' || id || ' ' || md5(id::text) FROM campaigns, unnest(ARRAY['fi', 'en', 'sv']) lang`,
		`INSERT INTO campaign_staff_listings (campaign_id, language, stage, title_order, creator_order, search)
			SELECT id, lang, stage, md5(id::text), md5(id::text || 'c'), ' numero ' || id || ' aino ' || md5(id::text)
			FROM campaigns, unnest(ARRAY['fi', 'en', 'sv']) lang`,
		`INSERT INTO search_documents (grp, subject_id, place, places, title, search, title_stems, stems)
			SELECT grp, id, 'Oulu', '{oulu}', ' kampanja ' || id || ' ', ' kampanja ' || id || ' ' || md5(id::text) || ' ', ARRAY['kampanja', id::text], ARRAY['kampanja', id::text]
			FROM generate_series(0, 5) grp, generate_series(1, 6000) id`,
		`INSERT INTO search_vocabulary SELECT md5(i::text), md5(i::text) FROM generate_series(1, 6000) i`,
		remakeTrigrams,
		`INSERT INTO campaign_previews (campaign_id, language, preview)
			SELECT id, lang, json_build_object('text', repeat(md5(id::text), 40)) FROM campaigns, unnest(ARRAY['fi', 'en', 'sv']) lang`,
		`INSERT INTO campaign_categories SELECT id, category_id FROM campaigns`,
		`INSERT INTO campaign_likes SELECT c.id, 2500 * n - c.id % 2500, now(), true FROM campaigns c, generate_series(1, 2) n`,
		`INSERT INTO rewards (campaign_id, amount_minor, created_at) SELECT id, 1000, now() FROM campaigns, generate_series(1, 2)`,
		`INSERT INTO reward_texts (reward_id, language, title) SELECT id, 'fi', 'T' FROM rewards`,
		`INSERT INTO posts (campaign_id, author_id, language, status, published_at, created_at) SELECT id, 1 + id % 5000, 'fi', 'published', now(), now() FROM campaigns, generate_series(1, 2)`,
		`INSERT INTO post_texts (post_id, language, title, story, html) SELECT id, 'fi', 'T', '{}', '' FROM posts`,
		`INSERT INTO experiments (slug, stage, language, image, place, open, like_count, show_in, links, created_at)
			SELECT 'e' || i, i % 7, 'fi', 'scene-e' || i || '.svg', 'Oulu', true, i % 300, jsonb_build_object('index', i % 3 > 0), jsonb_build_array(jsonb_build_object('title', repeat('x', 200))), now() FROM generate_series(1, 6000) i`,
		`INSERT INTO experiment_team (experiment_id, user_id, position) SELECT id, 1 + id % 5000, 0 FROM experiments`,
		`INSERT INTO experiment_texts (experiment_id, language, title, short_description)
			SELECT id, 'fi', 'Kokeilu ' || md5(id::text), 'Lyhyesti ' || id FROM experiments`,
		`ANALYZE`, // without it the next statement takes ten times as long
		`INSERT INTO experiment_listings SELECT * FROM experiment_listing_sources`,
		`INSERT INTO experiment_stages SELECT id, stage, now() FROM experiments`,
		`INSERT INTO experiment_tags SELECT id, 1 + id % 200 FROM experiments`,
		`INSERT INTO experiment_custom_texts SELECT id, 'fi', 'results', 'T', 'text', 'T' FROM experiments`,
		`INSERT INTO experiment_likes SELECT e.id, 1 + e.id % 5000, now(), true FROM experiments e`,
		`INSERT INTO pledges (id, campaign_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name, language, reserved_until,
			    paid_at, receipt_number, created_at, updated_at)
			SELECT lpad(i::text, 26, '0'), 1 + i % 6000, 'paid', 100, 'EUR', 1, '[]', 'x@example.com', 'A', 'B', 'fi', now(),
			       now(), 'R' || i, now(), now() FROM generate_series(1, 12000) i`,
		`INSERT INTO content_variations (campaign_id, field, language, value, letter, created_at) SELECT id, 'title', 'fi', 'T2', 'B', now() FROM campaigns`,
		`INSERT INTO campaign_visits (campaign_id, visitor, source, variation, round, at)
			SELECT 1 + i % 6000, decode(md5(i::text), 'hex'), '', 0, 1 + i % 6000, now() FROM generate_series(1, 12000) i`,
		`INSERT INTO campaign_visit_counts (campaign_id, round, variation, visitors) SELECT id, id, 0, 2 FROM campaigns`,
		`INSERT INTO audit_log (at, actor, actor_user_id, action, entity, entity_id, version, before, after, campaign_id)
			SELECT now(), 'user', 1 + i % 5000, 'change_language', 'campaign', 1 + i % 6000, 1 + i / 6000, '{}', '{}', 1 + i % 6000
			FROM generate_series(1, 12000) i`,
		`INSERT INTO review_events (campaign_id, event, round, user_id, at) SELECT id, 'requested', 1, 1 + id % 5000, now() FROM campaigns`,
		`INSERT INTO letter_rounds (post_id) SELECT id FROM posts`,
		`INSERT INTO letters (post_id, address_hash, pledge_id, language)
			SELECT 1 + i % 12000, decode(md5(i::text), 'hex'), lpad(i::text, 26, '0'), 'fi' FROM generate_series(1, 12000) i`,
		`INSERT INTO letter_refusals (campaign_id, address_hash, created_at) SELECT id, decode(md5(id::text), 'hex'), now() FROM campaigns`,
		`INSERT INTO tag_texts (tag_id, language, label) SELECT id, lang, 't' || id FROM tags, unnest(ARRAY['fi', 'en', 'sv']) lang`,
		`INSERT INTO recommendation_interests (user_id, kind, campaign_id) SELECT 1 + i % 5000, 'backed', 1 + i % 6000 FROM generate_series(1, 12000) i ON CONFLICT DO NOTHING`,
		`SET session_replication_role = replica`, // no look-ups of the campaigns of 240,000 rows
		`INSERT INTO recommendation_pairs (campaign_id, kind, other_id, people)
			SELECT id, kind, 1 + (id + n) % 6000, 1 + n % 9 FROM campaigns, generate_series(1, 20) n, unnest(ARRAY['backed', 'liked']) kind`,
		`RESET session_replication_role`,
		`TRUNCATE recommendation_changes`,
		`VACUUM ANALYZE`,
	})
}

// filled makes a database with what statements write. They are one migration more than the service's, so that they run once
// for all tests of all packages: in the template that a test's database is cloned from.
func filled(t testing.TB, statements []string) *gorm.DB {
	t.Helper()
	all := fstest.MapFS{"99999_bulk.sql": {Data: []byte("-- +goose NO TRANSACTION\n-- +goose Up\n-- +goose StatementBegin\n" +
		strings.Join(statements, ";\n-- +goose StatementEnd\n-- +goose StatementBegin\n") + ";\n-- +goose StatementEnd\n")}}
	own, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range own {
		content, err := fs.ReadFile(migrations.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = &fstest.MapFile{Data: content}
	}
	return dbtest.New(t, all).Gorm
}

// growing are the tables that grow with use.
func growing() []string {
	return []string{"campaigns", "campaign_listings", "campaign_search", "campaign_staff_listings", "campaign_previews", "campaign_texts",
		"campaign_tags", "campaign_categories", "campaign_team", "campaign_likes", "campaign_totals", "pledges",
		"rewards", "reward_texts", "posts", "post_texts", "experiments", "experiment_texts", "experiment_team", "users", "user_tags",
		"experiment_listings", "experiment_stages", "experiment_tags", "experiment_custom_texts", "experiment_likes",
		"content_variations", "campaign_visits", "campaign_visit_counts", "audit_log", "review_events", "letter_rounds",
		"letters",
		"letter_refusals", "recommendation_interests", "recommendation_pairs", "search_documents", "search_vocabulary"}
}

// ReadWhole lists the growing tables that a plan scans sequentially.
func ReadWhole(plan string) (tables []string) {
	for _, table := range growing() {
		// A partition counts as its table.
		if regexp.MustCompile("Seq Scan on " + table + "(_fi|_en|_sv|_open|_monthly|_coming|_ended|_creators|_experiments)? ").MatchString(plan) {
			tables = append(tables, table)
		}
	}
	return tables
}

// MustNotReadWhole fails the test for each statement (with parameters as $1, $2) whose generic plan, for a page of 24,
// scans a growing table sequentially.
func MustNotReadWhole(t testing.TB, db *gorm.DB, statements []string) {
	t.Helper()
	if len(statements) == 0 {
		t.Error("no statement ran")
	}
	for _, statement := range statements {
		err := db.Connection(func(one *gorm.DB) error {
			statement, nulls := withPageOf24(statement)
			for _, s := range []string{"SET plan_cache_mode = force_generic_plan", "PREPARE explained AS " + statement} {
				if err := one.Exec(s).Error; err != nil {
					return fmt.Errorf("%s: %w", s, err)
				}
			}
			var lines []string
			if err := one.Raw("EXPLAIN EXECUTE explained" + nulls).Scan(&lines).Error; err != nil {
				return fmt.Errorf("explain: %w", err)
			}
			plan := strings.Join(lines, "\n")
			if tables := ReadWhole(plan); len(tables) > 0 {
				t.Errorf("reads %v whole:\n%s\n%s", tables, statement, plan)
			}
			return one.Exec("DEALLOCATE explained; RESET plan_cache_mode").Error
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// withPageOf24 replaces the parameters of LIMIT and OFFSET by 24 and 0, because for parameters the planner assumes a
// tenth of all rows. It renumbers the other parameters and returns as many NULLs.
func withPageOf24(statement string) (bounded, nulls string) {
	bounded = regexp.MustCompile(`LIMIT \$[0-9]+`).ReplaceAllString(statement, "LIMIT 24")
	bounded = regexp.MustCompile(`OFFSET \$[0-9]+`).ReplaceAllString(bounded, "OFFSET 0")
	numbers := map[string]string{}
	var values []string
	bounded = regexp.MustCompile(`\$[0-9]+`).ReplaceAllStringFunc(bounded, func(old string) string {
		if numbers[old] == "" {
			values = append(values, "NULL")
			numbers[old] = fmt.Sprintf("$%d", len(values))
		}
		return numbers[old]
	})
	if len(values) > 0 {
		nulls = "(" + strings.Join(values, ",") + ")"
	}
	return bounded, nulls
}
