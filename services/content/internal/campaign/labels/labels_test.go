//go:build unix

package labels_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/labels"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/experiments"
)

func admin(w *contenttest.World) int64 { return w.Person("Boss", "view", "edit", "admin") }

// campaign makes one of a category with tags.
func campaign(w *contenttest.World, creator, category int64, tags ...int64) int64 {
	return w.Campaign(campaigns.New{Slug: "x", Language: "fi", CategoryID: category, TagIDs: tags, TeamUserIDs: []int64{creator},
		FirstDay: "2026-11-01", LastDay: "2026-12-20", TargetGoalMinor: 100_00,
		Texts: map[string]campaigns.Text{"fi": {Title: "Sauna"}}}, campaigns.StageFunding)
}

// work does what the worker has to do, and returns how many batches that were.
func work(t *testing.T, w *contenttest.World) (batches int) {
	t.Helper()
	relay, err := outbox.NewRelay(outbox.Config{DB: w.DB, Now: w.Now, Concurrency: 1, Log: slog.New(slog.DiscardHandler),
		Handlers: map[string]outbox.Handler{labels.KindBatch: func(ctx context.Context, m outbox.Message) error {
			batches++
			return labels.Work(w.DB)(ctx, m)
		}}})
	if err != nil {
		t.Fatal(err)
	}
	for {
		done, err := relay.RunOnce(t.Context(), 10)
		if err != nil {
			t.Fatal(err)
		}
		if done == 0 {
			return batches
		}
	}
}

// consistent fails the test when the read model differs from its sources.
func consistent(t *testing.T, w *contenttest.World) {
	t.Helper()
	stale, err := campaigns.RecomputePreviews(t.Context(), w.DB)
	if err != nil || len(stale) > 0 {
		t.Errorf("read model: %v %v", stale, err)
	}
}

func TestCategories_AreAddedRenamedOrderedAndRemoved_EachInTheTrail(t *testing.T) {
	w := contenttest.New(t)
	boss := admin(w)
	var made api.CategoryAdminAnswer
	for _, body := range []string{`{"labels": {"fi": " Käsi\u200b  työt ", "sv": "Hantverk"}}`, `{"labels": {"en": "Music"}}`} {
		answer := w.Post("/campaigns/categories/", body, boss)
		if answer.Status != http.StatusCreated || answer.Header.Get("ETag") != `"1"` || json.Unmarshal(answer.Body, &made) != nil {
			t.Fatalf("%d %s", answer.Status, answer.Body)
		}
	}
	first, second := made.Category.CategoryID-1, made.Category.CategoryID
	id := campaign(w, boss, first)
	made = api.CategoryAdminAnswer{}
	w.Patch(fmt.Sprintf("/campaigns/categories/%d/", first), `{"labels": {"fi": "Kädentaidot", "en": "Crafts", "sv": ""}}`, boss, "If-Match", `"1"`).JSON(&made)
	if c := made.Category; *c.Labels.Fi != "Kädentaidot" || *c.Labels.En != "Crafts" || c.Labels.Sv != nil || c.Campaigns != 1 || c.Version != 2 {
		t.Errorf("renamed: %+v", c)
	}
	for language, want := range map[string]string{"fi": "Kädentaidot", "en": "Crafts", "sv": "Crafts"} {
		if got := w.Get(fmt.Sprintf("/campaigns/preview/%s/?campaign_ids=%d", language, id), 0); !strings.Contains(string(got.Body), `"category": "`+want) {
			t.Errorf("%s shows %s", language, got.Body)
		}
	}
	consistent(t, w)
	var list api.CategoriesAdminAnswer
	w.Post("/campaigns/categories/order/", fmt.Sprintf(`{"categories": [%d, %d], "seen": [%[2]d, %[1]d]}`, second, first), boss).JSON(&list)
	if list.Categories[0].CategoryID != second {
		t.Errorf("order: %+v", list)
	}
	var public api.CategoriesAnswer
	w.Get("/campaigns/categories/?language=en", 0).JSON(&public)
	if public.Categories[0].Label != "Music" || public.Categories[1].Label != "Crafts" {
		t.Errorf("public order: %+v", public)
	}
	for path, want := range map[string]int{fmt.Sprintf("/campaigns/categories/%d/", first): http.StatusConflict,
		fmt.Sprintf("/campaigns/categories/%d/", second): http.StatusNoContent} {
		if got := w.Call(http.MethodDelete, path, boss); got.Status != want {
			t.Errorf("delete %s: %d %s", path, got.Status, got.Body)
		}
	}
	var trail api.AuditAnswer
	w.Get("/audit/?entity=category", boss).JSON(&trail)
	var actions []string
	for _, e := range trail.Entries {
		actions = append(actions, e.Action)
	}
	if got := strings.Join(actions, " "); got != "delete order rename create create" {
		t.Errorf("trail: %s", got)
	}
}

func TestLabels_AreUniqueInTheirLanguageInWhateverCase_AndSomeLanguageHasOne(t *testing.T) {
	w := contenttest.New(t)
	boss := admin(w)
	tag := w.Tag("sauna") // "sauna fi", "sauna en"
	other := w.Tag("järvi")
	path := fmt.Sprintf("/campaigns/tags/%d/", tag)
	for _, c := range []struct{ method, path, body, want string }{
		{"POST", "/campaigns/tags/", `{"labels": {"fi": "SAUNA  FI"}}`, "422 label_taken"},
		{"POST", "/campaigns/tags/", `{"labels": {"sv": "sauna fi"}}`, "201 "}, // another language
		{"POST", "/campaigns/tags/", `{"labels": {}}`, "422 required"},
		{"POST", "/campaigns/tags/", `{"labels": {"fi": " \u202e "}}`, "422 required"},
		{"POST", "/campaigns/tags/", `{"labels": {"fi": "` + strings.Repeat("x", 41) + `"}}`, "422 max_length"},
		{"POST", "/campaigns/tags/", `{"labels": {"de": "Sauna"}}`, "400 unknown_field"},
		{"PATCH", path, `{"labels": {"fi": "Järvi FI"}}`, "422 label_taken"},
		{"PATCH", path, `{"labels": {"fi": "ja\u0308rvi fi"}}`, "422 label_taken"}, // looks the same
		{"PATCH", path, `{"labels": {"fi": "Sauna FI"}}`, "200 "},                  // its own, in another case
		{"PATCH", path, `{"labels": {"fi": "", "en": ""}}`, "422 required"},
		{"PATCH", "/campaigns/tags/99999/", `{"labels": {"fi": "x"}}`, "404 not_found"},
		{"DELETE", path + "?into=99999", ``, "422 one_of"},
		{"DELETE", fmt.Sprintf("%s?into=%d", path, tag), ``, "422 one_of"},
		{"DELETE", fmt.Sprintf("/campaigns/tags/%d/", other), ``, "204 "},
		{"DELETE", fmt.Sprintf("/campaigns/tags/%d/", other), ``, "404 "},
	} {
		answer := w.Send(c.method, c.path, strings.NewReader(c.body), boss)
		status, word, _ := strings.Cut(c.want, " ")
		if fmt.Sprint(answer.Status) != status || !strings.Contains(string(answer.Body), word) {
			t.Errorf("%s %s %.50s: %d %s, want %s", c.method, c.path, c.body, answer.Status, answer.Body, c.want)
		}
	}
	if got := w.Patch(path, `{"labels": {"fi": "Löyly"}}`, boss, "If-Match", `"1"`).Status; got != http.StatusPreconditionFailed {
		t.Errorf("of an older version: %d", got)
	}
}

func TestTag_TakenBy250CampaignsIsRenamedFiftyInATransaction(t *testing.T) {
	w := contenttest.New(t)
	boss, category, tag := admin(w), w.Category("c"), w.Tag("sauna")
	for range 250 {
		campaign(w, boss, category, tag)
	}
	answer := w.Patch(fmt.Sprintf("/campaigns/tags/%d/", tag), `{"labels": {"fi": "Löyly"}}`, boss)
	if answer.Status != http.StatusOK {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	shown := func(label string) (count int) {
		w.DB.Raw(`SELECT count(*) FROM campaign_previews WHERE language = 'fi' AND preview::text LIKE ?`, `%"label": "`+label+`"%`).Scan(&count)
		return count
	}
	if got := shown("Löyly"); got != 50 {
		t.Errorf("the renaming itself has changed %d", got)
	}
	if batches := work(t, w); batches != 5 || shown("Löyly") != 250 {
		t.Errorf("%d batches, %d renamed", batches, shown("Löyly"))
	}
	consistent(t, w)
}

func TestTag_ThatIsMergedGivesItsCampaignsExperimentsAndPeopleTheOther(t *testing.T) {
	w := contenttest.New(t)
	boss, category, from, into := admin(w), w.Category("c"), w.Tag("sauna"), w.Tag("löyly")
	for i := range 130 {
		tags := []int64{from}
		if i == 0 {
			tags = []int64{from, into} // has both
		}
		campaign(w, boss, category, tags...)
	}
	var experiment int64
	w.Tx(func(ctx context.Context, tx *gorm.DB) (err error) {
		experiment, err = experiments.Create(ctx, tx, experiments.New{Slug: "koe", Language: "fi", TeamUserIDs: []int64{boss}, ShowIn: map[string]bool{"index": true},
			Texts: map[string]experiments.Text{"fi": {Title: "Koe"}}}, w.Now())
		return err
	})
	w.Exec(`INSERT INTO experiment_tags VALUES (?, ?)`, experiment, from)
	w.Exec(`INSERT INTO user_tags VALUES (?, ?)`, boss, from)
	var before api.TagsAdminAnswer
	w.Get("/campaigns/tags/admin/", boss).JSON(&before)
	if g := before.Tags[0]; g.Campaigns != 130 || g.Experiments != 1 || g.People != 1 {
		t.Errorf("before: %+v", g)
	}
	if got := w.Call(http.MethodDelete, fmt.Sprintf("/campaigns/tags/%d/?into=%d", from, into), boss); got.Status != http.StatusNoContent {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	var public api.TagsAnswer
	w.Get("/campaigns/tags/?language=fi", 0).JSON(&public)
	if len(public.Tags) != 1 || public.Tags[0].ID != into {
		t.Errorf("at once only the other is offered: %+v", public)
	}
	if got := w.Post(fmt.Sprintf("/campaigns/%d/tags/", 1), fmt.Sprintf(`{"tags": [%d]}`, from), boss).Status; got != http.StatusUnprocessableEntity {
		t.Errorf("a retired tag is chosen: %d", got)
	}
	work(t, w)
	var after api.TagsAdminAnswer
	w.Get("/campaigns/tags/admin/", boss).JSON(&after)
	if len(after.Tags) != 1 || after.Tags[0].Campaigns != 130 || after.Tags[0].Experiments != 1 || after.Tags[0].People != 1 {
		t.Errorf("after: %+v", after)
	}
	var left int
	w.DB.Raw(`SELECT count(*) FROM tags`).Scan(&left)
	if left != 1 {
		t.Errorf("%d tags are left", left)
	}
	consistent(t, w)
}

func TestTag_MergedIntoOneThatIsMergedItself_EndsAtTheLast(t *testing.T) {
	w := contenttest.New(t)
	boss, category, a, b, c := admin(w), w.Category("c"), w.Tag("a"), w.Tag("b"), w.Tag("c")
	for range 101 {
		campaign(w, boss, category, a)
	}
	for _, path := range []string{fmt.Sprintf("/campaigns/tags/%d/?into=%d", a, b), fmt.Sprintf("/campaigns/tags/%d/?into=%d", b, c)} {
		if got := w.Call(http.MethodDelete, path, boss); got.Status != http.StatusNoContent {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
	}
	work(t, w)
	var at []int64
	w.DB.Raw(`SELECT DISTINCT tag_id FROM campaign_tags`).Scan(&at)
	if len(at) != 1 || at[0] != c {
		t.Errorf("campaigns have %v, want %d", at, c)
	}
	consistent(t, w)
}

// The lists for staff are one statement each, and a batch of a change takes the time of a moment.
func TestLists_ForStaffAreOneStatement(t *testing.T) {
	w := contenttest.New(t)
	boss := admin(w)
	w.Category("c")
	w.Tag("t")
	for _, path := range []string{"/campaigns/categories/admin/", "/campaigns/tags/admin/"} {
		if answer := w.Get(path, boss); answer.Status != http.StatusOK || len(answer.Statements) != 1 {
			t.Errorf("%s: %d in %d statements", path, answer.Status, len(answer.Statements))
		}
	}
}

// BenchmarkRename renames a tag that ten thousand campaigns have; the longest transaction is what a payment may wait for.
func BenchmarkRename(b *testing.B) {
	w := contenttest.New(b)
	boss, category, tag := admin(w), w.Category("c"), w.Tag("sauna")
	id := campaign(w, boss, category, tag)
	for _, statement := range []string{
		`INSERT INTO campaigns (slug, stage, language, category_id, picture, target_goal_minor, funding_deadline, created_at, updated_at)
			SELECT slug || i, stage, language, category_id, picture, target_goal_minor, funding_deadline, created_at, updated_at FROM campaigns, generate_series(1, 9999) i`,
		`INSERT INTO campaign_totals (campaign_id) SELECT id FROM campaigns ON CONFLICT DO NOTHING`,
		fmt.Sprintf(`INSERT INTO campaign_team SELECT id, %d, 0 FROM campaigns ON CONFLICT DO NOTHING`, boss),
		fmt.Sprintf(`INSERT INTO campaign_texts (campaign_id, language, title) SELECT id, 'fi', 'Sauna ' || id FROM campaigns WHERE id <> %d`, id),
		`INSERT INTO campaign_categories SELECT id, category_id FROM campaigns ON CONFLICT DO NOTHING`,
		fmt.Sprintf(`INSERT INTO campaign_tags SELECT id, %d FROM campaigns ON CONFLICT DO NOTHING`, tag),
		`VACUUM ANALYZE`,
	} {
		w.Exec(statement)
	}
	n := 0
	for b.Loop() {
		n++
		began := time.Now()
		if got := w.Patch(fmt.Sprintf("/campaigns/tags/%d/", tag), fmt.Sprintf(`{"labels": {"fi": "Löyly %d"}}`, n), boss); got.Status != http.StatusOK {
			b.Fatalf("%d %s", got.Status, got.Body)
		}
		worst := time.Since(began)
		b.ReportMetric(float64(worst.Milliseconds()), "ms-answer")
		relay, err := outbox.NewRelay(outbox.Config{DB: w.DB, Now: w.Now, Concurrency: 1, Log: slog.New(slog.DiscardHandler),
			Handlers: map[string]outbox.Handler{labels.KindBatch: func(ctx context.Context, m outbox.Message) error {
				began := time.Now()
				defer func() { worst = max(worst, time.Since(began)) }()
				return labels.Work(w.DB)(ctx, m)
			}}})
		if err != nil {
			b.Fatal(err)
		}
		for done := 1; done > 0; {
			if done, err = relay.RunOnce(b.Context(), 10); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(worst.Milliseconds()), "ms-longest")
	}
}
