//go:build unix

package dataset_test

import (
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/content/migrations"
	"talkoot.fi/kit/dbtest"
	"talkoot.fi/scripts/dataset"
)

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(t.Context()) })
	return conn
}

func list[T any](t *testing.T, conn *pgx.Conn, sql string) []T {
	t.Helper()
	rows, err := conn.Query(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[T])
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestFilledDatabaseHasWhatBenchmarksCountOn(t *testing.T) {
	const size = 400
	url := dbtest.New(t, migrations.FS).URL
	conn := connect(t, url)
	indexes := list[string](t, conn, `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexdef`)
	if err := dataset.Own().Fill(t.Context(), url, size); err != nil {
		t.Fatal(err)
	}
	for what, want := range map[string]int64{
		"campaigns": size, "campaign_totals": size, "campaign_texts": 3 * size, "campaign_previews": 3 * size,
		"campaign_search": 3 * size, "rewards": 3 * size, "pledges": 10 * size, "posts": size, "tags": 200, "categories": 12,
	} {
		if got := list[int64](t, conn, `SELECT count(*) FROM `+what)[0]; got != want {
			t.Errorf("%d %s, want %d", got, what, want)
		}
	}
	for what, sql := range map[string]string{
		"campaigns whose totals are not their pledges'": `SELECT count(*) FROM campaign_totals t WHERE t.backers <>
			(SELECT count(*) FROM pledges p WHERE p.campaign_id = t.campaign_id AND p.status = 'paid')`,
		"campaigns that are not listed by their tags and categories": `SELECT count(*) FROM campaigns c
			WHERE (SELECT count(*) FROM campaign_listings l WHERE l.campaign_id = c.id) <>
			(1 + (SELECT count(*) FROM campaign_tags g WHERE g.campaign_id = c.id)) * (1 + (SELECT count(*) FROM campaign_categories g WHERE g.campaign_id = c.id))`,
		"documents of the search that are not as the service makes them": `SELECT count(*) FROM search_made m FULL JOIN search_documents d USING (grp, subject_id)
			WHERE (m.search, m.title, m.places, m.regions) IS DISTINCT FROM (d.search, d.title, d.places, d.regions)
			OR NOT d.stems @> (search_stems_of(m.plain) || search_marked(m.places)) OR NOT d.title_stems @> search_stems_of(m.plain_title)`,
		"words of documents that are not in the vocabulary": `SELECT count(*) FROM search_made, unnest(string_to_array(btrim(plain), ' ')) AS unnested (word)
			WHERE length(unnested.word) BETWEEN 3 AND 40 AND NOT EXISTS (SELECT FROM search_vocabulary v WHERE v.word = unnested.word)`,
		"experiments that only their teams see": `SELECT count(*) FROM experiments WHERE NOT listed`,
		"rewards of another campaign":           `SELECT count(*) FROM pledges p JOIN rewards r ON r.id = p.reward_id WHERE r.campaign_id <> p.campaign_id`,
		"rows without their campaign":           `SELECT count(*) FROM rewards r LEFT JOIN campaigns c ON c.id = r.campaign_id WHERE c.id IS NULL`,
		"stock that is held wrongly": `SELECT count(*) FROM rewards r WHERE r.stock_reserved <>
			(SELECT count(*) FROM pledges p WHERE p.reward_id = r.id AND p.stock_held)`,
	} {
		if got := list[int64](t, conn, sql)[0]; got != 0 {
			t.Errorf("%d %s", got, what)
		}
	}
	top := list[int64](t, conn, `SELECT count(*) FROM campaign_tags GROUP BY tag_id ORDER BY 1 DESC LIMIT 1`)[0]
	if top < 3*size/20 { // evenly spread it would be 3 of 200
		t.Errorf("the most popular tag has %d campaigns: not Zipf-like", top)
	}
	if after := list[string](t, conn, `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexdef`); !slices.Equal(after, indexes) {
		t.Errorf("the %d indexes are not the %d from before", len(after), len(indexes))
	}
}

func TestAddedCampaignIsOpenAndListedInEachLanguage(t *testing.T) {
	conn := connect(t, dbtest.New(t, migrations.FS).URL)
	for range 2 { // the second finds the category and the creator there
		made, err := dataset.Add(t.Context(), conn, dataset.Campaign{Title: "Sauna",
			Rewards: []dataset.Reward{{Title: "Löyly", Euros: 10, Stock: 2}, {Title: "Vihta", Euros: 5}}})
		if err != nil {
			t.Fatal(err)
		}
		if len(made.Rewards) != 2 || made.ID == 0 {
			t.Errorf("made %+v", made)
		}
	}
	if got := list[string](t, conn, `SELECT language || ' ' || (preview ->> 'title') FROM campaign_previews JOIN campaign_listings USING (campaign_id)
		WHERE campaign_id = 1 AND stage = 2 AND tag_id = 0 AND category_id = 0 ORDER BY 1`); !slices.Equal(got, []string{"en Sauna en", "fi Sauna fi", "sv Sauna sv"}) {
		t.Errorf("previews %q", got)
	}
}
