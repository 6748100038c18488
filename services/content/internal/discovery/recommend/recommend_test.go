//go:build unix

package recommend_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/discovery/recommend"
	"talkoot.fi/content/internal/writing/changes"
)

func TestCampaignSuggestions_SayWhy(t *testing.T) {
	f := newFixture(t)
	rare, common := f.Tag("jarvi"), f.Tag("kyla")
	subject := f.campaignOf(campaigns.New{TagIDs: []int64{rare, common}, Place: "Turku",
		Texts: map[string]campaigns.Text{"fi": {Title: "Sauna"}}}, campaigns.StageFunding)
	for range 20 {
		f.campaign("Kyläjuhla", common)
	}
	alike := f.campaign("Laituri", rare, common)
	neighbour := f.campaignOf(campaigns.New{Place: "Åbo", Texts: map[string]campaigns.Text{"fi": {Title: "Leipomo"}}}, campaigns.StageRecurring)
	liked := f.campaign("Kuoro")
	for range 5 {
		person := f.Person("Liisa")
		for _, id := range []int64{subject, liked} {
			if answer := f.Post(fmt.Sprintf("/campaigns/%d/likes/", id), "", person); answer.Status != http.StatusOK {
				t.Fatalf("like: %d %s", answer.Status, answer.Body)
			}
		}
	}
	f.recount()
	f.matchesSources()
	got := f.of(subject)
	for id, want := range map[int64]api.Reason{
		alike:     {Kind: api.ReasonKindSameTags, Text: "Sama aihe: jarvi fi, kyla fi"},
		neighbour: {Kind: api.ReasonKindNear, Text: "Lähellä: Turku"},
		liked:     {Kind: api.ReasonKindLikedTogether, Text: "Moni tykkää molemmista"},
	} {
		if got[id] != want {
			t.Errorf("%d: %v, want %v", id, got[id], want)
		}
	}
	if _, itself := got[subject]; itself {
		t.Error("the campaign is suggested on its own page")
	}
}

func TestReasons_AreInTheReadersLanguage(t *testing.T) {
	f := newFixture(t)
	tag := f.Tag("sauna")
	a := f.campaign("Sauna", tag)
	f.campaign("Kiuas", tag)
	f.refresh()
	for language, want := range map[string]string{"fi": "Sama aihe: sauna fi", "en": "Same topic: sauna en", "SV": "Samma ämne: sauna en"} {
		var got api.RecommendationsAnswer
		f.Get(fmt.Sprintf("/campaigns/%d/recommendations/%s/", a, language), 0).JSON(&got)
		prefix := map[string]string{"en": "/en/", "SV": "/sv/"}[language]
		if len(got.Suggestions) != 1 || got.Suggestions[0].Reason.Text != want || !strings.HasPrefix(got.Suggestions[0].Path, prefix) {
			t.Errorf("%s: %v", language, got)
		}
	}
}

func TestSuggestions_AreWhatCanBeJoined(t *testing.T) {
	f := newFixture(t)
	tag := f.Tag("sauna")
	subject := f.campaign("Sauna", tag)
	want := map[int64]bool{}
	for stage := campaigns.StageDraft; stage <= campaigns.StageRecurring; stage++ {
		id := f.campaignOf(campaigns.New{TagIDs: []int64{tag}, Texts: map[string]campaigns.Text{"fi": {Title: "Kiuas"}}}, stage)
		if stage == campaigns.StageFunding || stage == campaigns.StageRecurring {
			want[id] = true
		}
	}
	over := f.campaignOf(campaigns.New{TagIDs: []int64{tag}, FirstDay: "2026-11-01", LastDay: "2026-11-20",
		Texts: map[string]campaigns.Text{"fi": {Title: "Päättyy"}}}, campaigns.StageFunding)
	if _, ok := f.of(subject)[over]; !ok {
		t.Error("a campaign on its last day is left out")
	}
	f.Advance(day)
	got := f.of(subject)
	for id := range got {
		if !want[id] {
			t.Errorf("campaign %d is suggested: %v", id, got[id])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d suggestions, want %d", len(got), len(want))
	}
}

func TestSuggestions_AreAtMostTwoOfOneCreator(t *testing.T) {
	f := newFixture(t)
	tag, busy := f.Tag("sauna"), f.Person("Ahkera")
	subject := f.campaign("Sauna", tag)
	for range 4 {
		f.campaignOf(campaigns.New{TagIDs: []int64{tag}, TeamUserIDs: []int64{busy}, Texts: map[string]campaigns.Text{"fi": {Title: "Kiuas"}}}, campaigns.StageFunding)
	}
	other := f.campaign("Vasta")
	f.refresh()
	got := f.reasons(fmt.Sprintf("/campaigns/%d/recommendations/fi/", subject), 0)
	if _, ok := got[other]; len(got) != 3 || !ok {
		t.Errorf("%v", got)
	}
}

func TestExperiments_AreSuggestedWhileTheyLive(t *testing.T) {
	f := newFixture(t)
	tag := f.Tag("sauna")
	subject := f.campaign("Sauna", tag)
	running, disabled := f.experiment(2, tag), f.experiment(2, tag)
	f.disable(disabled)
	for _, stage := range []int{0, 3, 4, 5, 6} {
		f.experiment(stage, tag)
	}
	f.refresh()
	var got api.RecommendationsAnswer
	f.Get(fmt.Sprintf("/campaigns/%d/recommendations/fi/?limit=12", subject), 0).JSON(&got)
	if len(got.Suggestions) != 1 || got.Suggestions[0].ID != running || got.Suggestions[0].Kind != api.SuggestionKindExperiment ||
		got.Suggestions[0].Path != fmt.Sprintf("/experiments/%d/koe/", running) || got.Suggestions[0].Reason.Text != "Sama aihe: sauna fi" {
		t.Errorf("%v", got)
	}
	f.Get(fmt.Sprintf("/experiments/%d/recommendations/fi/", running), 0).JSON(&got)
	if len(got.Suggestions) != 1 || got.Suggestions[0].ID != subject {
		t.Errorf("from the experiment: %v", got)
	}
	for _, id := range []int64{disabled, 99_999} {
		if answer := f.Get(fmt.Sprintf("/experiments/%d/recommendations/fi/", id), 0); answer.Status != http.StatusNotFound {
			t.Errorf("experiment %d: %d", id, answer.Status)
		}
	}
}

func TestWidget_IsAboutItsPageOrEmpty(t *testing.T) {
	f := newFixture(t)
	tag := f.Tag("Järvi")
	about := f.campaign("Sauna", tag)
	here := f.campaignOf(campaigns.New{Place: "Pielavesi", LastDay: "2026-11-21", FirstDay: "2026-11-01",
		Texts: map[string]campaigns.Text{"fi": {Title: "Kurkipelto"}}}, campaigns.StageFunding)
	ask := func(query string) (got api.WidgetAnswer) {
		t.Helper()
		f.refresh()
		f.Get("/recommendations/fi/?"+query, 0).JSON(&got)
		return got
	}
	if got := ask("topic=" + url.QueryEscape("leivät, JARVI fi")); len(got.Suggestions) != 1 || got.Suggestions[0].ID != about ||
		got.Suggestions[0].Reason.Text != "Aiheesta Järvi fi" || got.Texts.Reasons[0].Text != "Sivun aihe: leivät, JARVI fi" {
		t.Errorf("topic: %v", got)
	}
	if got := ask("topic=" + url.QueryEscape("muut fi")); len(got.Suggestions) != 2 || got.Suggestions[0].Reason.Text != "Aiheesta muut fi" {
		t.Errorf("category: %v", got)
	}
	if got := ask("place=pielavesi"); len(got.Suggestions) != 1 || got.Suggestions[0].ID != here || got.Suggestions[0].Reason.Text != "Lähellä: Pielavesi" {
		t.Errorf("place: %v", got)
	}
	if got := ask("topic=avaruus"); len(got.Suggestions) != 0 || got.Texts.Nothing == "" {
		t.Errorf("a topic of nothing: %v", got)
	}
	got := ask("")
	if len(got.Suggestions) != 2 || got.Suggestions[0].Reason != (api.Reason{Kind: api.ReasonKindEndsSoon, Text: "Päättyy huomenna"}) {
		t.Errorf("without a topic: %v", got)
	}
	// Two days on, the reason names the day: a number of days would be another one than that of the time left.
	f.Exec(`UPDATE campaigns SET funding_deadline = funding_deadline + interval '2 days' WHERE id = ?`, got.Suggestions[0].ID)
	if got := ask(""); got.Suggestions[0].Reason.Kind != api.ReasonKindEndsSoon || strings.Contains(got.Suggestions[0].Reason.Text, "päivän päästä") {
		t.Errorf("two days on: %v", got.Suggestions[0].Reason)
	}
}

func TestWidgetsCall_IsForEveryOriginWithoutCookies(t *testing.T) {
	f := newFixture(t)
	h := f.Get("/recommendations/fi/", 0).Header
	if h.Get("Access-Control-Allow-Origin") != "*" || h.Get("Access-Control-Allow-Credentials") != "" ||
		h.Get("Cache-Control") != "public, max-age=300" || h.Get("Set-Cookie") != "" {
		t.Errorf("%v", h)
	}
	id := f.campaign("Sauna")
	if h := f.Get(fmt.Sprintf("/campaigns/%d/recommendations/fi/", id), 0).Header; h.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("another call: %v", h)
	}
}

func TestBadInput_IsRefused(t *testing.T) {
	f := newFixture(t)
	draft := f.campaignOf(campaigns.New{Texts: map[string]campaigns.Text{"fi": {Title: "Luonnos"}}}, campaigns.StageDraft)
	id, stranger := f.campaign("Sauna"), f.Person("Vieras")
	for path, status := range map[string]int{
		"/recommendations/fi/?topic=" + strings.Repeat("x", 10_000): http.StatusBadRequest,
		"/recommendations/fi/?topic=" + strings.Repeat("x", 201):    http.StatusUnprocessableEntity,
		"/recommendations/fi/?topic=" + strings.Repeat(",", 200):    http.StatusOK,
		"/recommendations/fi/?topic=%27%3B+DROP+TABLE+campaigns":    http.StatusOK,
		"/recommendations/fi/?place=" + strings.Repeat("x", 101):    http.StatusUnprocessableEntity,
		"/recommendations/de/":                                                 http.StatusNotFound,
		"/recommendations/fi/?limit=13":                                        http.StatusUnprocessableEntity,
		"/recommendations/fi/?limit=all":                                       http.StatusUnprocessableEntity,
		"/campaigns/999999/recommendations/fi/":                                http.StatusNotFound,
		fmt.Sprintf("/campaigns/%d/recommendations/fi/", draft):                http.StatusNotFound,
		"/campaigns/x/recommendations/fi/":                                     http.StatusNotFound,
		fmt.Sprintf("/campaigns/%d/recommendations/fi/?limit=0", id):           http.StatusUnprocessableEntity,
		"/users/me/recommendations/fi/?limit=99999999999999999999999999999999": http.StatusUnprocessableEntity,
	} {
		if answer := f.Get(path, stranger); answer.Status != status {
			t.Errorf("%.80s: %d, want %d: %s", path, answer.Status, status, answer.Body)
		}
	}
}

func TestSuggestions_TakeFewStatements(t *testing.T) {
	f := newFixture(t)
	tag := f.Tag("sauna")
	id, person := f.campaign("Sauna", tag), f.Person("Aino")
	for range 9 {
		f.backs(person, f.campaign("Kiuas", tag), false)
	}
	experiment := f.experiment(2, tag)
	f.recount()
	f.refresh()
	for _, path := range []string{
		fmt.Sprintf("/campaigns/%d/recommendations/fi/?limit=12", id), fmt.Sprintf("/experiments/%d/recommendations/fi/?limit=12", experiment),
		"/users/me/recommendations/fi/?limit=12", "/recommendations/fi/?topic=sauna+fi&place=Turku&limit=12"} {
		answer := f.Get(path, person)
		if answer.Status != http.StatusOK || len(answer.Statements) > 2 || !bytes.Contains(answer.Body, []byte(`"reason"`)) {
			t.Errorf("%s: %d, %d statements", path, answer.Status, len(answer.Statements))
		}
	}
}

// After any pledges, refunds and likes, counted by several workers at once, the pairs are what a plain count gives.
func TestRecount_EqualsAPlainCount(t *testing.T) {
	f := newFixture(t)
	rnd := rand.New(rand.NewPCG(1, 9))
	var people, open []int64
	for range 12 {
		people, open = append(people, f.Person("Tukija")), append(open, f.campaign("Sauna"))
	}
	pick := func(of []int64) int64 { return of[rnd.IntN(len(of))] }
	for round := range 6 {
		for range 40 {
			switch rnd.IntN(5) {
			case 0, 1:
				f.backs(pick(people), pick(open), rnd.IntN(4) == 0)
			case 2:
				f.Exec(`UPDATE pledges SET status = 'refunded' WHERE id = (SELECT id FROM pledges WHERE status = 'paid' AND user_id = ? LIMIT 1)`, pick(people))
			case 3:
				f.Post(fmt.Sprintf("/campaigns/%d/likes/", pick(open)), "", pick(people))
			case 4:
				f.Call(http.MethodDelete, fmt.Sprintf("/campaigns/%d/likes/", pick(open)), pick(people))
			}
		}
		var workers sync.WaitGroup
		for range 3 {
			workers.Go(func() {
				if _, err := recommend.Recount(t.Context(), f.DB); err != nil {
					t.Error(err)
				}
			})
		}
		workers.Wait()
		f.recount()
		f.matchesSources()
		if round == 3 {
			f.Exec(`DELETE FROM campaign_likes WHERE campaign_id = ?`, open[0])
		}
	}
}

// Who likes a hundred campaigns is counted with the latest fifty.
func TestRecount_IsBoundedForAPerson(t *testing.T) {
	f := newFixture(t)
	person := f.Person("Tykkääjä")
	f.Exec(`INSERT INTO campaigns (slug, stage, language, category_id, picture, created_at, updated_at)
		SELECT 'x' || i, 1, 'fi', ?, 'x.svg', now(), now() FROM generate_series(1, 100) i`, f.category)
	f.Exec(`INSERT INTO campaign_likes (campaign_id, user_id, created_at, counted) SELECT id, ?, now() + id * interval '1 second', true FROM campaigns`, person)
	f.recount()
	var kept []int64
	if err := f.DB.Raw(`SELECT campaign_id FROM recommendation_interests ORDER BY campaign_id`).Scan(&kept).Error; err != nil {
		t.Fatal(err)
	}
	if len(kept) != 50 || kept[0] != 51 {
		t.Errorf("%d interests from %d on", len(kept), slices.Min(kept))
	}
}

// What ends or is disabled is suggested to nobody from that moment on, whatever the lists and pairs still say.
func TestWhatCannotBeJoinedAnyMore_LeavesAtOnce(t *testing.T) {
	f := newFixture(t)
	tag := f.Tag("sauna")
	a, b, rest := f.campaign("Sauna", tag), f.campaign("Laituri", tag), f.campaign("Kuoro", tag)
	experiment := f.experiment(2, tag)
	f.crowd(5, a, b)
	f.recount()
	if got := f.of(a); len(got) != 3 {
		t.Fatalf("before: %v", got)
	}
	f.Tx(func(ctx context.Context, tx *gorm.DB) error {
		return campaigns.MoveStage(ctx, tx, b, campaigns.StageClosed, changes.Actor{Name: "scheduler"}, f.Now())
	})
	f.disable(experiment)
	if got := f.now(a); len(got) != 1 || got[rest].Kind != api.ReasonKindSameTags {
		t.Errorf("after: %v", got)
	}
	f.recount()
	if got := f.of(a); len(got) != 1 {
		t.Errorf("after a recount: %v", got)
	}
}

// An experiment without a title in the reader's language is shown by another one.
func TestExperiment_HasATitleInEachLanguage(t *testing.T) {
	f := newFixture(t)
	tag := f.Tag("sauna")
	subject, experiment := f.campaign("Sauna", tag), f.experiment(1, tag)
	f.Exec(`INSERT INTO experiment_texts (experiment_id, language, short_description) VALUES (?, 'en', 'Heat from ice')`, experiment)
	f.refresh()
	var got api.RecommendationsAnswer
	f.Get(fmt.Sprintf("/campaigns/%d/recommendations/en/", subject), 0).JSON(&got)
	if len(got.Suggestions) != 1 || got.Suggestions[0].Title != "Lämpöä jäästä" || got.Suggestions[0].Language != "fi" {
		t.Errorf("%+v", got)
	}
}

// Made twice, by several workers at once, the lists are the same; a tag that nothing has any more has none.
func TestRefresh_KeepsTheListsAsTheyAre(t *testing.T) {
	f := newFixture(t)
	tag := f.Tag("sauna")
	id := f.campaignOf(campaigns.New{TagIDs: []int64{tag}, Place: "Turku", Texts: map[string]campaigns.Text{"fi": {Title: "Sauna"}}},
		campaigns.StageFunding)
	f.refresh()
	var workers sync.WaitGroup
	for range 3 {
		workers.Go(func() {
			if changed, err := recommend.Refresh(t.Context(), f.DB, f.Now()); err != nil || changed != 0 {
				t.Errorf("%d rows changed, %v", changed, err)
			}
		})
	}
	workers.Wait()
	f.Tx(func(ctx context.Context, tx *gorm.DB) error {
		return campaigns.MoveStage(ctx, tx, id, campaigns.StageClosed, changes.Actor{Name: "scheduler"}, f.Now())
	})
	f.refresh()
	var left int
	if err := f.DB.Raw(`SELECT count(*) FROM recommendation_lists`).Scan(&left).Error; err != nil || left != 0 {
		t.Errorf("%d lists of nothing, %v", left, err)
	}
}
