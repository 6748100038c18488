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
		`CREATE TABLE words AS SELECT word, search_stems(word) AS stems FROM unnest(ARRAY['kampanja', 'numero', 'sauna', 'kylan', 'yhteinen', 'talo', 'jarvi',
			'levy', 'kirja', 'peli', 'naytelma', 'ruoka', 'leipa', 'metsa', 'polku', 'konsertti', 'lasten', 'nuorten', 'valo', 'silta', 'vene', 'verstas',
			'puutarha']) AS word`,
		`INSERT INTO search_documents (grp, subject_id, place, places, title, search, title_stems, stems)
			SELECT search_group(c), c.id, 'Paikka ' || c.id % 300, ARRAY['paikka ' || c.id % 300], t.title, s.search,
			       ARRAY(SELECT DISTINCT unnest(stems) FROM words WHERE t.title LIKE '% ' || word || ' %'),
			       c.id::text || ARRAY(SELECT DISTINCT unnest(stems) FROM words WHERE s.search LIKE '% ' || word || ' %')
			FROM campaigns c JOIN campaign_search s ON s.campaign_id = c.id AND s.language = 'fi'
			CROSS JOIN LATERAL (SELECT left(s.search, 40) || ' ') t (title)
			WHERE search_group(c) IS NOT NULL`,
		`INSERT INTO search_documents (grp, subject_id, place, places, title, search, title_stems, stems)
			SELECT g, i, '', '{}', t.name, t.name, string_to_array(btrim(t.name), ' '), string_to_array(btrim(t.name), ' ')
			FROM unnest(ARRAY[4, 5]) g, generate_series(1, 20000) i CROSS JOIN LATERAL (SELECT ' ' || left(md5(i::text), 9) || ' ' || left(md5((i % 500)::text), 9) || ' ') t (name)`,
		`INSERT INTO search_vocabulary SELECT word, word FROM words`,
		`INSERT INTO search_vocabulary SELECT DISTINCT w, w FROM (SELECT translate(left(md5(i::text), 9), '0123456789', 'ghijklmnop') AS w FROM generate_series(1, 60000) i) r`,
		`INSERT INTO search_vocabulary (word, shown, suggested) SELECT DISTINCT w, w, false FROM (SELECT unnest(stems) AS w FROM search_documents) s
			WHERE length(w) BETWEEN 3 AND 40 AND w NOT IN (SELECT word FROM words)`,
		`DROP TABLE words`,
		remakeTrigrams,
		`INSERT INTO campaign_previews (campaign_id, language, preview)
			SELECT c.id, lang, json_build_object('campaign_id', c.id, 'text', repeat(md5(c.id::text), 12),
			    'other', (SELECT string_agg(md5(c.id::text || i), '') FROM generate_series(1, 24) i))
			FROM campaigns c, unnest(ARRAY['fi', 'en', 'sv']) lang`,
		`VACUUM ANALYZE`,
	})
}
