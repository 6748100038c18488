//go:build unix

package frontpage_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/contenttest/bulk"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/writing/changes"
)

// The home page's lists.
const (
	homeCampaigns   = "/campaigns/preview/fi/?limit=10&sort=front_page"
	homeMonthly     = "/campaigns/preview/subscriptions/fi/?limit=3&sort=front_page"
	homeExperiments = "/experiments/preview/fi/?limit=4&show_in=front_page&sort=front_page"
)

type fixture struct {
	*contenttest.World
	boss, category int64
}

func setup(t *testing.T) fixture {
	t.Helper()
	return on(contenttest.New(t))
}

func on(w *contenttest.World) fixture {
	return fixture{w, w.Person("Boss", "view", "edit", "admin"), w.Category("c")}
}

// campaign makes one with so many likes, its popularity.
func (f fixture) campaign(title string, likes int, stage campaigns.Stage) int64 {
	opensAs := campaigns.StageFunding
	if stage == campaigns.StageRecurring {
		opensAs = stage
	}
	id := f.Campaign(campaigns.New{Slug: title, Language: "fi", CategoryID: f.category, TeamUserIDs: []int64{f.boss},
		FirstDay: "2026-11-01", LastDay: "2026-12-20", TargetGoalMinor: 100_00, OpensAs: opensAs,
		Texts: map[string]campaigns.Text{"fi": {Title: title}}}, stage)
	f.Tx(func(ctx context.Context, tx *gorm.DB) error {
		_, err := campaigns.AddToTotals(ctx, tx, id, campaigns.Backing{}, campaigns.TotalsChange{Likes: likes})
		return err
	})
	return id
}

func (f fixture) experiment(title string, stage int, isFlagged bool) (id int64) {
	f.Tx(func(ctx context.Context, tx *gorm.DB) (err error) {
		id, err = experiments.Create(ctx, tx, experiments.New{Slug: title, Language: "fi", Stage: stage, TeamUserIDs: []int64{f.boss},
			ShowIn: map[string]bool{"front_page": isFlagged, "index": true}, Texts: map[string]experiments.Text{"fi": {Title: title}}}, f.Now())
		return err
	})
	return id
}

// titles are those of a list, and its total.
func (f fixture) titles(t *testing.T, path string) string {
	t.Helper()
	var answer struct {
		Previews []struct{ Title string }
		Total    int
	}
	f.Get(path, 0).JSON(&answer)
	var list []string
	for _, p := range answer.Previews {
		list = append(list, p.Title)
	}
	return fmt.Sprintf("%s of %d", strings.Join(list, " "), answer.Total)
}

func (f fixture) choose(t *testing.T, body string, headers ...string) api.FrontPageAnswer {
	t.Helper()
	var answer api.FrontPageAnswer
	f.Post("/front_page/fi/", body, f.boss, headers...).JSON(&answer)
	return answer
}

func TestHome_ShowsWhatIsChosenFirst_AndThenTheMostPopular(t *testing.T) {
	f := setup(t)
	f.campaign("a", 9, campaigns.StageFunding)
	b, c := f.campaign("b", 5, campaigns.StageFunding), f.campaign("c", 1, campaigns.StageFunding)
	f.campaign("m", 9, campaigns.StageRecurring)
	n := f.campaign("n", 1, campaigns.StageRecurring)
	if got := f.titles(t, homeCampaigns); got != "a b c of 3" {
		t.Errorf("nothing is chosen: %s", got)
	}
	f.choose(t, fmt.Sprintf(`{"campaigns": [{"id": %d}, {"id": %d}, {"id": %d}]}`, c, n, b))
	for path, want := range map[string]string{homeCampaigns: "c b a of 3", homeMonthly: "n m of 2",
		homeCampaigns + "&offset=1": "b a of 3", homeCampaigns + "&keyword=b": "b of 1", homeCampaigns + "&categories=1": "a b c of 3",
		"/campaigns/preview/fi/?sort=popular": "a b c of 3"} {
		if got := f.titles(t, path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if got := len(f.Get(homeCampaigns, 0).Statements); got != 1 {
		t.Errorf("%d statements", got)
	}
}

func TestHome_LeavesOutByItselfWhatTakesNoSupportAnyMore(t *testing.T) {
	f := setup(t)
	f.campaign("a", 9, campaigns.StageFunding)
	b := f.campaign("b", 1, campaigns.StageFunding)
	f.choose(t, fmt.Sprintf(`{"campaigns": [{"id": %d}]}`, b))
	closed := func(shown api.FrontPagePickShown) {
		t.Helper()
		var now api.FrontPageAnswer
		f.Get("/front_page/fi/", f.boss).JSON(&now)
		if now.Campaigns[0].Shown != shown {
			t.Errorf("staff are told %s, want %s", now.Campaigns[0].Shown, shown)
		}
	}
	closed(api.FrontPagePickShownNow)
	if got := f.titles(t, homeCampaigns); got != "b a of 2" {
		t.Errorf("chosen: %s", got)
	}
	f.Exec(`UPDATE campaigns SET funding_deadline = ? WHERE id = ?`, f.Now().Add(-time.Second), b)
	f.Tx(func(ctx context.Context, tx *gorm.DB) error { return campaigns.RefreshPreviews(ctx, tx, b) })
	closed(api.FrontPagePickShownNotOpen)
	if got := f.titles(t, homeCampaigns); !strings.HasPrefix(got, "a ") {
		t.Errorf("after its deadline: %s", got)
	}
}

func TestHome_HasAPickFromItsFirstDayToItsLast(t *testing.T) {
	f := setup(t) // 20 November, 14:00 in Helsinki
	f.campaign("a", 9, campaigns.StageFunding)
	b := f.campaign("b", 1, campaigns.StageFunding)
	answer := f.choose(t, fmt.Sprintf(`{"campaigns": [{"id": %d, "first_day": "2026-11-21", "last_day": "2026-11-22"}]}`, b))
	if p := answer.Campaigns[0]; p.FirstDay.String() != "2026-11-21" || p.LastDay.String() != "2026-11-22" {
		t.Errorf("days: %v to %v", p.FirstDay, p.LastDay)
	}
	for _, step := range []struct {
		wait  time.Duration
		first string
		shown api.FrontPagePickShown
	}{{0, "a", "later"}, {10*time.Hour - time.Second, "a", "later"}, {time.Second, "b", "now"},
		{48*time.Hour - time.Second, "b", "now"}, {time.Second, "a", "over"}} {
		f.Advance(step.wait)
		var now api.FrontPageAnswer
		f.Get("/front_page/fi/", f.boss).JSON(&now)
		if got := f.titles(t, homeCampaigns); !strings.HasPrefix(got, step.first) || now.Campaigns[0].Shown != step.shown {
			t.Errorf("%s: %s, told %s", f.Now(), got, now.Campaigns[0].Shown)
		}
	}
}

func TestHome_ShowsChosenExperimentsBeforeTheLiveliest_EvenWithoutTheirFlag(t *testing.T) {
	f := setup(t)
	f.experiment("runs", 2, true)
	f.experiment("idea", 0, true)
	hidden, chosen := f.experiment("hidden", 5, false), f.experiment("ended", 5, true)
	if got := f.titles(t, homeExperiments); got != "runs idea ended of 3" {
		t.Errorf("nothing is chosen: %s", got)
	}
	f.choose(t, fmt.Sprintf(`{"experiments": [{"id": %d}, {"id": %d}]}`, chosen, hidden))
	for path, want := range map[string]string{homeExperiments: "ended hidden runs idea of 4",
		homeExperiments + "&stage=5":                  "ended hidden of 2",
		homeExperiments + "&keyword=runs":             "runs of 1",
		strings.Replace(homeExperiments, "4", "1", 1): "ended of 4",
		homeExperiments + "&offset=2":                 "runs idea of 4",
		"/experiments/preview/fi/?show_in=front_page": "idea runs ended of 3"} {
		if got := f.titles(t, path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	f.Exec(`UPDATE experiments SET disabled = true WHERE id = ?`, chosen)
	if got := f.titles(t, homeExperiments); got != "hidden runs idea of 3" {
		t.Errorf("one is disabled: %s", got)
	}
}

func TestSet_RefusesWhatIsNotThereADraftOrNamedTwice_AndAnOlderVersion(t *testing.T) {
	f := setup(t)
	open, draft := f.campaign("a", 1, campaigns.StageFunding), f.campaign("b", 1, campaigns.StageDraft)
	for body, want := range map[string]string{
		`{"campaigns": [{"id": 999}]}`:                                                                        "campaigns[0].id",
		fmt.Sprintf(`{"campaigns": [{"id": %d}]}`, draft):                                                     "campaigns[0].id",
		fmt.Sprintf(`{"campaigns": [{"id": %d}, {"id": %[1]d}]}`, open):                                       "campaigns[1].id",
		`{"experiments": [{"id": 999}]}`:                                                                      "experiments[0].id",
		fmt.Sprintf(`{"campaigns": [{"id": %d, "first_day": "2026-11-22", "last_day": "2026-11-21"}]}`, open): "campaigns[0].last_day",
		fmt.Sprintf(`{"campaigns": [{"id": %d, "first_day": "0000-01-01"}]}`, open):                           "campaigns[0].first_day",
		fmt.Sprintf(`{"campaigns": [{"id": %d, "first_day": "1999-12-31"}]}`, open):                           "campaigns[0].first_day",
		fmt.Sprintf(`{"campaigns": [{"id": %d, "last_day": "0026-11-21"}]}`, open):                            "campaigns[0].last_day",
		fmt.Sprintf(`{"campaigns": [{"id": %d, "last_day": "2100-01-01"}]}`, open):                            "campaigns[0].last_day",
		fmt.Sprintf(`{"campaigns": [{"id": %d, "last_day": "9999-12-31"}]}`, open):                            "campaigns[0].last_day",
	} {
		answer := f.Post("/front_page/fi/", body, f.boss)
		if answer.Status != http.StatusUnprocessableEntity || !strings.Contains(string(answer.Body), want) {
			t.Errorf("%s: %d %s", body, answer.Status, answer.Body)
		}
	}
	body := fmt.Sprintf(`{"campaigns": [{"id": %d}]}`, open)
	if answer := f.choose(t, body, "If-Match", `"1"`); answer.Version != 2 {
		t.Errorf("version %d", answer.Version)
	}
	if answer := f.choose(t, body); answer.Version != 2 {
		t.Errorf("the same again: version %d", answer.Version)
	}
	if got := f.Post("/front_page/fi/", `{"campaigns": []}`, f.boss, "If-Match", `"1"`).Status; got != http.StatusPreconditionFailed {
		t.Errorf("of an older version: %d", got)
	}
	var trail api.AuditAnswer
	f.Get("/audit/?entity=front_page", f.boss).JSON(&trail)
	if trail.Total != 1 || trail.Entries[0].Action != "set_front_page" {
		t.Errorf("trail: %+v", trail)
	}
}

func TestSet_TakesTheFirstAndTheLastDayThatItMay(t *testing.T) {
	f := setup(t)
	answer := f.choose(t, fmt.Sprintf(`{"campaigns": [{"id": %d, "first_day": "2000-01-01", "last_day": "2099-12-31"}]}`,
		f.campaign("a", 1, campaigns.StageFunding)))
	if p := answer.Campaigns[0]; p.FirstDay.String() != "2000-01-01" || p.LastDay.String() != "2099-12-31" || p.Shown != "now" {
		t.Errorf("%+v", p)
	}
}

func TestHome_LeavesOutAPickThatIsADraftAgain_WhichStandsInTheWayOfNoOther(t *testing.T) {
	f := setup(t)
	a, b := f.campaign("a", 9, campaigns.StageFunding), f.campaign("b", 1, campaigns.StagePreparing)
	hidden := f.experiment("hidden", 2, true)
	f.choose(t, fmt.Sprintf(`{"campaigns": [{"id": %d}], "experiments": [{"id": %d}]}`, b, hidden))
	f.Tx(func(ctx context.Context, tx *gorm.DB) error {
		return campaigns.MoveStage(ctx, tx, b, campaigns.StageDraft, changes.User(f.boss), f.Now())
	})
	f.Exec(`UPDATE experiments SET open = false WHERE id = ?`, hidden)
	answer := f.choose(t, fmt.Sprintf(`{"campaigns": [{"id": %d}, {"id": %d}], "experiments": [{"id": %d}]}`, b, a, hidden))
	if p := answer.Campaigns; len(p) != 2 || p[0].Shown != "not_open" || p[0].Stage != 0 || p[1].Shown != "now" ||
		answer.Experiments[0].Shown != "not_open" {
		t.Errorf("staff are told %+v", answer)
	}
	for path, want := range map[string]string{homeCampaigns: "a of 1", homeCampaigns + "&stages=0,1,2": "a of 1", homeExperiments: " of 0"} {
		if got := f.titles(t, path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	f.choose(t, fmt.Sprintf(`{"campaigns": [{"id": %d}], "experiments": []}`, a))
	for body, want := range map[string]string{fmt.Sprintf(`{"campaigns": [{"id": %d}]}`, b): "campaigns[0].id",
		fmt.Sprintf(`{"experiments": [{"id": %d}]}`, hidden): "experiments[0].id"} {
		if got := f.Post("/front_page/fi/", body, f.boss); got.Status != http.StatusUnprocessableEntity || !strings.Contains(string(got.Body), want) {
			t.Errorf("chosen anew, %s: %d %s", body, got.Status, got.Body)
		}
	}
}

func TestSet_RefusesWhatIsDeletedMeanwhile(t *testing.T) {
	f := setup(t)
	id := f.campaign("a", 1, campaigns.StagePreparing)
	experiment := f.experiment("b", 1, true)
	for kind, gone := range map[string]int64{"campaigns": id, "experiments": experiment} {
		answer := f.Race(func(_ context.Context, tx *gorm.DB) error {
			return tx.Exec(`DELETE FROM `+kind+` WHERE id = ?`, gone).Error
		}, func() contenttest.Answer {
			return f.Post("/front_page/fi/", fmt.Sprintf(`{%q: [{"id": %d}]}`, kind, gone), f.boss)
		})[0]
		if answer.Status != http.StatusUnprocessableEntity || !strings.Contains(string(answer.Body), kind+"[0].id") {
			t.Errorf("%s: %d %s", kind, answer.Status, answer.Body)
		}
	}
}

// Lists of campaigns: TestLists_ReadNoGrowingTableWhole in package campaigns.
func TestHome_ReadsExperimentsWithoutReadingThemAll(t *testing.T) {
	f := on(contenttest.NewBulk(t))
	f.Exec(`INSERT INTO front_page_picks (experiment_id, position) SELECT id, id FROM experiments ORDER BY id LIMIT 5`)
	bulk.MustNotReadWhole(t, f.DB, f.Get(homeExperiments, 0).Statements)
}
