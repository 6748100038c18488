//go:build unix

package bulk

import (
	"fmt"
	"testing"

	"gorm.io/gorm"
)

// NewLists makes a test's database with campaigns in three languages in the read model of lists: 30 % seek funds, the word
// "kampanja" is in all, "sauna" in one of 20, the number in one alone; tag 1 is the most common of 200, tag 200 the rarest.
func NewLists(t testing.TB, campaigns int) *gorm.DB {
	t.Helper()
	return filled(t, []string{
		`SELECT setseed(0.5)`,
		`INSERT INTO categories (key, position) SELECT 'c' || i, i FROM generate_series(1, 12) i`,
		fmt.Sprintf(`INSERT INTO campaigns (slug, stage, language, category_id, picture, funding_deadline, created_at, updated_at)
			SELECT 'x' || i, (ARRAY[0, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 6])[1 + i %% 20], 'fi', 1 + i %% 12, 'x.svg', now(), now(), now()
			FROM generate_series(1, %d) i ORDER BY random()`, campaigns),
		`INSERT INTO tags (key) SELECT 't' || i FROM generate_series(1, 200) i`,
		`INSERT INTO campaign_tags (campaign_id, tag_id)
			SELECT id, 1 + (199 * power(random(), 4))::bigint FROM campaigns, generate_series(1, 1 + (id % 4)::int) ON CONFLICT DO NOTHING`,
		`INSERT INTO campaign_listings (campaign_id, tag_id, category_id, stage, popularity, funding_reached_minor, funding_start, funding_deadline)
			SELECT c.id, tag, category, stage, (money * 500)::int, (money * 1000000)::int, start, start + interval '40 days'
			FROM (SELECT *, now() + (random() * 80 - 60) * interval '1 day' AS start, random() * random() AS money FROM campaigns) c
			CROSS JOIN LATERAL (SELECT 0 UNION ALL SELECT tag_id FROM campaign_tags g WHERE g.campaign_id = c.id) tags (tag)
			CROSS JOIN unnest(ARRAY[0, c.category_id]) category`,
		setTrigramsAside,
		`INSERT INTO campaign_search (campaign_id, language, search)
			SELECT c.id, lang, ' kampanja numero ' || c.id || CASE WHEN c.id % 20 = 7 THEN ' sauna ' ELSE ' ' END || w.text
			FROM campaigns c
			CROSS JOIN LATERAL (SELECT string_agg((ARRAY['kylan', 'yhteinen', 'talo', 'jarvi', 'levy', 'kirja', 'peli', 'naytelma', 'ruoka', 'leipa', 'metsa',
			         'polku', 'konsertti', 'lasten', 'nuorten', 'valo', 'silta', 'vene', 'verstas', 'puutarha'])[1 + (random() * 19)::int], ' ') AS text
			    FROM generate_series(c.id, c.id + 19)) w
			CROSS JOIN unnest(ARRAY['fi', 'en', 'sv']) lang`,
		remakeTrigrams,
		`INSERT INTO campaign_previews (campaign_id, language, preview)
			SELECT c.id, lang, json_build_object('campaign_id', c.id, 'text', repeat(md5(c.id::text), 12),
			    'other', (SELECT string_agg(md5(c.id::text || i), '') FROM generate_series(1, 24) i))
			FROM campaigns c, unnest(ARRAY['fi', 'en', 'sv']) lang`,
		`VACUUM ANALYZE`,
	})
}
