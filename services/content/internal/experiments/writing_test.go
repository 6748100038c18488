//go:build unix

package experiments_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/experiments"
)

// team is an experiment that its team writes.
type team struct {
	*contenttest.World
	t                             *testing.T
	owner, member, stranger, boss int64 // boss is an admin of the platform
	id                            int64
}

func newTeam(t *testing.T) team {
	t.Helper()
	w := contenttest.New(t)
	w.KeepsSessions = true
	e := team{World: w, t: t, owner: w.Person("Noora"), member: w.Person("Ville"), stranger: w.Person("Outi"),
		boss: w.Person("Admin", "view", "admin")}
	e.id = create(w, experiments.New{TeamUserIDs: []int64{e.owner, e.member}})
	return e
}

// introduce lists people in the index of people.
func (e team) introduce(people ...int64) {
	e.Exec(`UPDATE users SET short_description = 'Korjaa pyöriä.' WHERE id IN ?`, people)
}

func (e team) path(part string) string { return fmt.Sprintf("/experiments/%d/%s/", e.id, part) }

// do makes a call that has to have a status, and returns the experiment after it.
func (e team) do(as int64, method, part, body string, want int, headers ...string) api.ExperimentAdmin {
	e.t.Helper()
	got := e.Send(method, e.path(part), strings.NewReader(body), as, headers...)
	if got.Status != want {
		e.t.Fatalf("%s %s %s: %d, want %d: %s", method, part, body, got.Status, want, got.Body)
	}
	var answer api.ExperimentAdminAnswer
	if want == http.StatusOK {
		got.JSON(&answer)
	}
	return answer.Experiment
}

func (e team) patch(as int64, part, body string, want int) api.ExperimentAdmin {
	e.t.Helper()
	return e.do(as, http.MethodPatch, part, body, want)
}

// refused makes a call that has to be refused with a status whose answer contains all texts.
func (e team) refused(as int64, method, part, body string, want int, texts ...string) {
	e.t.Helper()
	got := e.Send(method, e.path(part), strings.NewReader(body), as)
	for _, text := range texts {
		if !strings.Contains(string(got.Body), text) {
			want = -want // told below
		}
	}
	if got.Status != want {
		e.t.Errorf("%s %s %s: %d %s, want %d with %q", method, part, body, got.Status, got.Body, want, texts)
	}
}

// answers accepts an invitation.
func (e team) answers(as int64, want int) {
	e.t.Helper()
	if got := e.Post(e.path("invitation"), "", as); got.Status != want {
		e.t.Errorf("%d answers: %d %s, want %d", as, got.Status, got.Body, want)
	}
}

func (e team) seenBy(as int64) api.Experiment {
	e.t.Helper()
	var answer api.ExperimentAnswer
	e.Get(e.path("fi"), as).JSON(&answer)
	return answer.Experiment
}

func TestBegin_NobodyElseSeesAnExperimentBeforeItHasATitle(t *testing.T) {
	e := newTeam(t)
	made := e.Post("/experiments/", `{"stage": 0}`, e.owner, "Accept-Language", "sv")
	if made.Status != http.StatusCreated {
		t.Fatalf("%d %s", made.Status, made.Body)
	}
	e.id = created(t, made)
	if e.Get(e.path("fi"), 0).Status != 404 || e.Get(e.path("fi"), e.stranger).Status != 404 ||
		e.Post(e.path("likes"), "", e.stranger).Status != 404 {
		t.Error("strangers see an experiment without a title")
	}
	before := e.do(e.owner, http.MethodGet, "admin/fi", "", 200)
	if before.Open || before.Slug != "utkast" || before.Language != "sv" || before.Version != 1 || before.ShowIn["index"] {
		t.Errorf("%+v", before)
	}
	e.patch(e.owner, "language/fi", `{"title": "Kirjasto lainaa työkaluja"}`, 200)
	if e.Get(e.path("fi"), 0).Status != 404 {
		t.Error("a title in another language opens it")
	}
	after := e.patch(e.owner, "language/sv", `{"title": "  Biblioteket lånar ut  verktyg "}`, 200)
	if !after.Open || after.Slug != "biblioteket-lanar-ut-verktyg" || !strings.Contains(after.Image, after.Slug) {
		t.Errorf("%+v", after)
	}
	e.patch(e.owner, "settings", `{"show_in": {"index": true}}`, 200)
	if got := e.seenBy(0); got.Title != "Kirjasto lainaa työkaluja" {
		t.Errorf("visitors see %q", got.Title)
	}
	// The title may change, the address is in people's links.
	later := e.patch(e.owner, "language/sv", `{"title": "Verktygsväggen"}`, 200)
	if later.Slug != after.Slug {
		t.Errorf("slug %s", later.Slug)
	}
	e.refused(e.owner, http.MethodPatch, "language/sv", `{"title": " "}`, 422, `"path":"title"`, "required")
}

func TestBegin_WithItsTexts(t *testing.T) {
	e := newTeam(t)
	made := e.Post("/experiments/", `{"title": "Lumipallo", "short_description": "Lyhyt", "language": "en",
		"geographic_location": {"place": "Oulu", "latitude": 65.01, "longitude": 25.47}}`, e.stranger)
	e.id = created(t, made)
	got := e.do(e.stranger, http.MethodGet, "admin/fi", "", 200)
	if !got.Open || got.Texts.En.Title != "Lumipallo" || *got.GeographicLocation.Latitude != 65.01 || got.Team[0].UserID != e.stranger {
		t.Errorf("%+v", got)
	}
	for body, want := range map[string]int{
		`{"stage": 2}`: 422, `{"stage": "0"}`: 422, `{"titel": "x"}`: 400, `{"language": "de"}`: 422, `{"title": null}`: 422,
		`{"geographic_location": {"place": "x", "latitude": 60}}`: 422, `{"title": "` + strings.Repeat("x", 81) + `"}`: 422,
		`{"geographic_location": {"place": "x", "latitude": 91, "longitude": 0}}`: 422, `[]`: 400, `{`: 400, ``: 201,
	} {
		if got := e.Post("/experiments/", body, e.owner).Status; got != want {
			t.Errorf("%s: %d, want %d", body, got, want)
		}
	}
	if got := e.Post("/experiments/", `{}`, 0).Status; got != 401 {
		t.Errorf("anonymous: %d", got)
	}
}

// A second press, or a request that is sent again because its answer was lost.
func TestBegin_WithTheSameKeyBeginsOne(t *testing.T) {
	e := newTeam(t)
	begin := func(as int64, body, key string) contenttest.Answer {
		return e.Post("/experiments/", body, as, "Idempotency-Key", key)
	}
	const body = `{"title": "Kerran", "language": "fi"}`
	var wait sync.WaitGroup
	made := make([]int64, 6)
	for i := range made {
		wait.Go(func() {
			var answer api.CreatedExperimentAnswer
			got := begin(e.owner, body, "avain-123")
			if err := json.Unmarshal(got.Body, &answer); err != nil || got.Status != http.StatusCreated {
				t.Errorf("%d %s %v", got.Status, got.Body, err)
			}
			made[i] = answer.Experiment.ExperimentID
		})
	}
	wait.Wait()
	if slices.Max(made) != slices.Min(made) {
		t.Errorf("one press made %v", made)
	}
	e.id = made[0]
	e.patch(e.owner, "language/fi", `{"title": "Toinen nimi"}`, 200)
	if again := begin(e.owner, body, "avain-123"); again.Status != 201 || !strings.Contains(string(again.Body), `"version":2`) {
		t.Errorf("later: %d %s", again.Status, again.Body)
	}
	if got := begin(e.owner, `{"title": "Toinen", "language": "fi"}`, "avain-123"); got.Status != 409 || !strings.Contains(string(got.Body), "idempotency_mismatch") {
		t.Errorf("another body: %d %s", got.Status, got.Body)
	}
	if got := created(t, begin(e.stranger, body, "avain-123")); got == made[0] {
		t.Error("another person gets what the first one has made")
	}
	if got := created(t, begin(e.owner, body, "avain-456")); got == made[0] {
		t.Error("another key makes no other experiment")
	}
}

func TestHistory_SaysWhoChangedWhat(t *testing.T) {
	e := newTeam(t)
	long := strings.Repeat("pitkä ", 666) + "oppu"
	e.patch(e.owner, "custom_language/fi", `{"results": {"value": "`+long+`"}}`, 200)
	e.patch(e.member, "settings", `{"geographic_location": {"place": "Tampere"}}`, 200)
	e.patch(e.owner, "custom_language/fi", `{"results": {"value": "Lyhyt"}}`, 200)
	var page api.HistoryAnswer
	got := e.Get(e.path("admin/history"), e.member)
	if err := json.Unmarshal(got.Body, &page); err != nil || got.Status != 200 {
		t.Fatalf("%d %s %v", got.Status, got.Body, err)
	}
	if page.Total != 3 || len(page.Changes) != 3 {
		t.Fatalf("%+v", page)
	}
	last, place := page.Changes[0], page.Changes[1]
	if !last.Fields[0].Long || last.Fields[0].Path != "fi.custom_language.results" || last.Fields[0].After != "Lyhyt" {
		t.Errorf("%+v", last)
	}
	if *place.By.UserID != e.member || place.Fields[0].After != "Tampere" || place.Entity != "experiment" {
		t.Errorf("%+v", place)
	}
	value := e.Get(fmt.Sprintf("%s%d/fi.custom_language.results/", e.path("admin/history"), last.ID), e.owner)
	if value.Status != 200 || !strings.Contains(string(value.Body), strings.TrimSpace(long)) {
		t.Errorf("%d %.80s", value.Status, value.Body)
	}
	// A change of something else is not this experiment's.
	e.id = created(t, e.Post("/experiments/", `{"title": "Muu"}`, e.owner))
	if got := e.Get(fmt.Sprintf("%s%d/fi.custom_language.results/", e.path("admin/history"), last.ID), e.owner); got.Status != 404 {
		t.Errorf("another's change: %d %s", got.Status, got.Body)
	}
}

func TestEditing_IsForTheTeamAndStaff(t *testing.T) {
	e := newTeam(t)
	editor := e.Person("Editor", "view", "edit")
	for _, c := range []struct{ method, part, body string }{
		{"GET", "admin/en", ""}, {"GET", "admin/history", ""}, {"PATCH", "settings", `{}`}, {"PATCH", "language/en", `{}`}, {"PATCH", "custom_language/fi", `{}`},
		{"PATCH", "image_collection", `{"image_collection": {"cover": {"filename": ""}}}`}, {"PATCH", "funding", `{}`},
		{"POST", "tags", `{"tags": []}`}, {"POST", "links", `{"links": []}`},
	} {
		for as, want := range map[int64]int{0: 401, e.stranger: 403, e.member: 200, e.owner: 200, editor: 200, e.boss: 200} {
			if got := e.Send(c.method, e.path(c.part), strings.NewReader(c.body), as).Status; got != want {
				t.Errorf("%s %s by %d: %d, want %d", c.method, c.part, as, got, want)
			}
		}
	}
	e.id = 4711
	e.refused(e.owner, "PATCH", "settings", `{}`, 404, "not_found")
	e.refused(e.owner, "POST", "stagemoves", ``, 404, "not_found")
}

func TestChange_OnAnOlderVersionNamesWhatHasChanged(t *testing.T) {
	e := newTeam(t)
	first := e.patch(e.owner, "language/fi", `{"title": "Toinen nimi"}`, 200)
	if first.Version != 2 {
		t.Fatalf("version %d", first.Version)
	}
	e.patch(e.member, "settings", `{"geographic_location": {"place": "Tampere"}}`, 200)
	refused := e.Patch(e.path("language/fi"), `{"title": "Kolmas"}`, e.owner, "If-Match", `"2"`)
	if refused.Status != 412 || !strings.Contains(string(refused.Body), "geographic_location.place") ||
		!strings.Contains(string(refused.Body), `"version":3`) {
		t.Errorf("%d %s", refused.Status, refused.Body)
	}
	// What is so already is no change.
	if same := e.patch(e.owner, "language/fi", `{"title": "Toinen nimi"}`, 200); same.Version != 3 {
		t.Errorf("version %d", same.Version)
	}
	var rows []string
	err := e.DB.Raw(`SELECT action || ' ' || (before ->> 'fi.title') || ' → ' || (after ->> 'fi.title') FROM audit_log
		WHERE entity = 'experiment' AND entity_id = ? AND before ->> 'fi.title' IS NOT NULL`, fmt.Sprint(e.id)).Scan(&rows).Error
	if err != nil || fmt.Sprint(rows) != "[change_language Koe → Toinen nimi]" {
		t.Errorf("%v %v", rows, err)
	}
}

func TestTexts_BadInputIsRefusedAndSavesNothing(t *testing.T) {
	e := newTeam(t)
	story := func(content string) string {
		return `{"json_description": {"type": "doc", "content": [` + content + `]}}`
	}
	for body, want := range map[string]int{
		`{"title": 7}`: 400, `{"titel": "x"}`: 400, `{"title": null}`: 422, `{"title": "` + strings.Repeat("ä", 81) + `"}`: 422,
		story(`{"type": "script"}`): 422, story(`{"type": "paragraph", "attrs": {"onclick": "x"}}`): 422,
		story(`{"type": "image", "attrs": {"src": "https://evil.example/x.png"}}`): 422,
	} {
		if got := e.Patch(e.path("language/en"), body, e.owner); got.Status != want {
			t.Errorf("%s: %d %s, want %d", body, got.Status, got.Body, want)
		}
	}
	if got := e.Patch(e.path("language/de"), `{}`, e.owner).Status; got != 422 && got != 404 && got != 400 {
		t.Errorf("another language: %d", got)
	}
	saved := e.patch(e.owner, "language/en", story(`{"type": "paragraph", "content": [{"type": "text", "text": "A drill"}]}`), 200)
	if saved.Version != 2 || saved.Texts.En == nil || len(saved.Texts.En.JSONDescription.Content) != 1 {
		t.Errorf("%+v", saved)
	}
	// A language whose texts are all empty goes.
	if gone := e.patch(e.owner, "language/en", story(``), 200); gone.Texts.En != nil {
		t.Errorf("%+v", gone.Texts.En)
	}
}

func created(t *testing.T, a contenttest.Answer) int64 {
	t.Helper()
	if a.Status != http.StatusCreated {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	var answer api.CreatedExperimentAnswer
	if err := json.Unmarshal(a.Body, &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Experiment.ExperimentID
}
