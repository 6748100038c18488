//go:build unix

package people_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
)

// names lists whom the index shows for a query.
func names(t *testing.T, w *contenttest.World, query string) string {
	t.Helper()
	var answer api.UserPreviewsAnswer
	w.Get("/users/preview/"+query, 0).JSON(&answer)
	found := make([]string, len(answer.Previews))
	for i, p := range answer.Previews {
		found[i] = p.FirstName
	}
	return strings.Join(found, " ")
}

// introduce gives a person of the world a name and an introduction.
func introduce(w *contenttest.World, id int64, last, about string) int64 {
	w.Exec(`UPDATE users SET last_name = ?, short_description = ? WHERE id = ?`, last, about, id)
	return id
}

func TestIndex_ListsWhoHasIntroducedThemself_ConfirmedAndNotBlocked(t *testing.T) {
	w := contenttest.New(t)
	introduce(w, w.Person("Aino"), "Virta", "Neuloo ahvenia.")
	introduce(w, w.Person("Silent"), "Virta", "")
	introduce(w, w.Person("Blocked"), "Virta", "Neuloo.")
	introduce(w, w.Person("Unconfirmed"), "Virta", "Neuloo.")
	skilled := introduce(w, w.Person("Skilled"), "Virta", "")
	w.Exec(`UPDATE users SET blocked_at = now(), block_reason = 'x' WHERE first_name = 'Blocked'`)
	w.Exec(`UPDATE users SET verified = false WHERE first_name = 'Unconfirmed'`)
	w.Exec(`UPDATE users SET skills = '{Hitsaus}' WHERE id = ?`, skilled)
	if got := names(t, w, ""); got != "Aino Skilled" {
		t.Errorf("listed: %s", got)
	}
	ids := "?ids="
	for id := int64(1); id <= skilled; id++ {
		ids += fmt.Sprintf("%d,", id)
	}
	if got := names(t, w, strings.TrimSuffix(ids, ",")); got != "Aino Skilled" {
		t.Errorf("by id: %s", got)
	}
}

func TestIndex_IsSearchedByWhatItShows_NotByEmailOrPhone(t *testing.T) {
	w := contenttest.New(t)
	aino := introduce(w, w.Person("Áile"), "Näkkäläjärvi", "I write down songs.")
	introduce(w, w.Person("Bo"), "Åström", "Sjunger.")
	w.Exec(`UPDATE users SET email = 'secret@hidden.example', phone = '+358 40 5551234', long_description = 'kaamos' WHERE id = ?`, aino)
	for keyword, want := range map[string]string{
		"aile": "Áile", "NAKKA": "Áile", "songs+aile": "Áile", "son": "Áile", "bo": "Bo", "ongs": "Áile", "songs+bo": "",
		"secret": "", "hidden.example": "", "5551234": "", "kaamos": "", "%25": "Áile Bo", "s_n": "", "%5C": "Áile Bo",
	} {
		if got := names(t, w, "?sort=newest&keyword="+keyword); !sameWords(got, want) {
			t.Errorf("%s finds %q, want %q", keyword, got, want)
		}
	}
}

func sameWords(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

func TestIndex_IsInTheOrderOfSurnamesAsFinnishHasIt_AndPagesNeverOverlap(t *testing.T) {
	w := contenttest.New(t)
	for _, n := range [][2]string{{"Ö", "Öberg"}, {"Z", "Zetterberg"}, {"Å", "Åström"}, {"A2", "Aalto"}, {"Ä", "Äijälä"}, {"A1", "Aalto"}, {"É", "Élan"}, {"V", "Virtanen"}} {
		introduce(w, w.Person(n[0]), n[1], "x")
	}
	const want = "A1 A2 É V Z Å Ä Ö"
	if got := names(t, w, ""); got != want {
		t.Errorf("order %s, want %s", got, want)
	}
	var pages []string
	for offset := 0; offset < 9; offset += 3 {
		pages = append(pages, names(t, w, fmt.Sprintf("?limit=3&offset=%d", offset)))
	}
	if got := strings.Join(pages, " "); got != want {
		t.Errorf("page by page %s", got)
	}
	if got := names(t, w, "?sort=newest&limit=2"); got != "V É" {
		t.Errorf("newest: %s", got)
	}
	var answer api.UserPreviewsAnswer
	w.Get("/users/preview/?limit=3", 0).JSON(&answer)
	if answer.Total != 8 || answer.TotalIsMore != nil {
		t.Errorf("total %d", answer.Total)
	}
}

func TestIndex_IsFilteredByTags_WhichAreToldMostCommonFirst(t *testing.T) {
	w := contenttest.New(t)
	wood, wool, unused := w.Tag("wood"), w.Tag("wool"), w.Tag("unused")
	aino, bo := introduce(w, w.Person("Aino"), "A", "x"), introduce(w, w.Person("Bo"), "B", "x")
	w.Post("/users/me/tags/", fmt.Sprintf(`{"tags": [%d, %d, %d]}`, wool, wood, wood), aino)
	w.Post("/users/me/tags/", fmt.Sprintf(`{"tags": [%d]}`, wool), bo)
	hidden := w.Person("Hidden")
	w.Post("/users/me/tags/", fmt.Sprintf(`{"tags": [%d]}`, unused), hidden)
	if got := names(t, w, fmt.Sprintf("?tags=%d", wood)); got != "Aino" {
		t.Errorf("with the tag: %s", got)
	}
	if got := names(t, w, fmt.Sprintf("?tags=%d,%d", wood, wool)); got != "Aino Bo" {
		t.Errorf("with any of the tags: %s", got)
	}
	var tags api.TagsAnswer
	w.Get("/users/tags/?language=en", 0).JSON(&tags)
	if got := fmt.Sprint(tags.Tags); got != fmt.Sprintf("[{<nil> %d wool en} {<nil> %d wood en}]", wool, wood) {
		t.Errorf("tags %s", got)
	}
}

func TestIndex_BadParametersAreRefused(t *testing.T) {
	w := contenttest.New(t)
	for query, want := range map[string]int{
		"?limit=0": 422, "?limit=301": 422, "?offset=-1": 422, "?ids=a": 422, "?ids=0": 422, "?sort=email": 422, "?language=xx": 422,
		"?ids=" + strings.Repeat("1,", 300) + "1": 422, "?keyword=" + strings.Repeat("a", 101): 422, "?limit=300": 200, "?keyword=%00": 200,
		"?ids=" + strings.Repeat("1,", 299) + "1": 200, "?ids=9223372036854775807": 200,
	} {
		if got := w.Get("/users/preview/"+query, 0); got.Status != want {
			t.Errorf("%.40s: %d, want %d: %s", query, got.Status, want, got.Body)
		}
	}
}

func publicPage(w *contenttest.World, id, as int64) contenttest.Answer {
	return w.Get(fmt.Sprintf("/users/%d/profile/?language=en", id), as)
}

func TestPublicPage_LeavesOutWhatIsPrivate(t *testing.T) {
	w := contenttest.New(t)
	id := introduce(w, w.Person("Aino"), "Virta", "Neuloo ahvenia.")
	w.Exec(`UPDATE users SET email = 'secret@hidden.example', phone = '+358405551234' WHERE id = ?`, id)
	for _, reader := range []int64{0, id, w.Person("Other"), w.Person("Admin", "view", "edit", "admin")} {
		answer := publicPage(w, id, reader)
		if answer.Status != http.StatusOK {
			t.Fatalf("%d %s", answer.Status, answer.Body)
		}
		for _, private := range []string{"hidden.example", "5551234", `"email`, `"phone`, `"scope`, `"meta`, `"mail`, `"version`, `_created`, `"backed`} {
			if strings.Contains(string(answer.Body), private) {
				t.Errorf("read by %d: %s is in %s", reader, private, answer.Body)
			}
		}
	}
}

func TestPublicPage_IsForWhoIsListedOrInTheTeamOfSomethingPublic(t *testing.T) {
	w := contenttest.New(t)
	category := w.Category("art")
	silent, creator, drafter, blocked := w.Person("Silent"), w.Person("Creator"), w.Person("Drafter"), introduce(w, w.Person("Blocked"), "B", "x")
	campaignOf(w, creator, category, "Yksi", campaigns.StagePreparing)
	campaignOf(w, drafter, category, "Kaksi", campaigns.StageDraft)
	w.Exec(`UPDATE users SET blocked_at = now() WHERE id = ?`, blocked)
	reader := w.Person("Reader")
	for _, c := range []struct {
		who    string
		id, by int64
		want   int
	}{
		{"who has only an account", silent, 0, 404}, {"who has only an account", silent, reader, 404}, {"oneself", silent, silent, 200},
		{"who has a public campaign", creator, 0, 200}, {"who has a draft", drafter, reader, 404},
		{"who is blocked", blocked, reader, 404}, {"nobody", 999999, 0, 404}, {"nobody", 9223372036854775807, 0, 404},
	} {
		if got := publicPage(w, c.id, c.by); got.Status != c.want {
			t.Errorf("%s, read by %d: %d, want %d", c.who, c.by, got.Status, c.want)
		}
	}
	if got := w.Get("/users/0/profile", 0).Status; got != 404 {
		t.Errorf("person 0: %d", got)
	}
	if got := w.Get(fmt.Sprintf("/users/%d/profile", creator), 0).Status; got != 200 {
		t.Errorf("without the slash: %d", got)
	}
}

func TestPublicPage_ShowsPublicCampaignsExperimentsAndTheirPosts_InFewStatements(t *testing.T) {
	w := contenttest.New(t)
	category := w.Category("art")
	id := w.Person("Creator")
	shown := map[campaigns.Stage]int64{}
	for _, stage := range []campaigns.Stage{campaigns.StageFunding, campaigns.StageDraft, campaigns.StageSucceeded, campaigns.StageClosed} {
		shown[stage] = campaignOf(w, id, category, fmt.Sprint("Kampanja ", stage), stage)
	}
	w.Exec(`INSERT INTO experiments (slug, stage, language, image, disabled, open, show_in, created_at)
		SELECT 'e' || i, 2, 'fi', 'scene-e.svg', i = 2, i <> 3, '{"index": true}', now() FROM generate_series(1, 3) i`)
	w.Exec(`INSERT INTO experiment_texts (experiment_id, language, title) SELECT id, 'fi', 'Koe' FROM experiments`)
	w.Exec(`INSERT INTO experiment_team (experiment_id, user_id, position) SELECT id, ?, 0 FROM experiments`, id)
	w.Exec(`INSERT INTO posts (campaign_id, author_id, language, created_at, status, published_at, level) SELECT c, ?, 'fi', now(), status, now() - i * interval '1 day', i
		FROM unnest(ARRAY[?::bigint, ?::bigint]) c, generate_series(1, 3) i, unnest(ARRAY['draft', 'published']) status`, id, shown[campaigns.StageFunding], shown[campaigns.StageDraft])
	w.Exec(`INSERT INTO post_texts (post_id, language, title, story, html) SELECT id, 'fi', status || level, '{}', '<p>x</p>' FROM posts`)
	answer := publicPage(w, id, 0)
	var page api.PublicProfileAnswer
	answer.JSON(&page)
	p := page.Profile
	if len(p.Campaigns) != 2 || p.Campaigns[0].CampaignID != shown[campaigns.StageFunding] || p.Counts.Campaigns != 2 {
		t.Errorf("campaigns %+v, counts %+v", p.Campaigns, p.Counts)
	}
	if len(p.Experiments) != 1 || !p.Experiments[0].Owner || p.Counts.Experiments != 1 {
		t.Errorf("experiments %+v", p.Experiments)
	}
	if len(p.Posts) != 3 || p.Posts[0].Title != "published1" || p.Posts[0].CampaignTitle != "Kampanja 2" {
		t.Errorf("posts %+v", p.Posts)
	}
	if len(answer.Statements) > 4 {
		t.Errorf("%d statements: %v", len(answer.Statements), answer.Statements)
	}
}

// A language that is half written has no title to read, or to press.
func TestPublicPage_ReadsExperimentsInALanguageThatHasTheirTitle(t *testing.T) {
	w := contenttest.New(t)
	id := w.Person("Owner")
	w.Exec(`INSERT INTO experiments (slug, stage, language, image, open, show_in, created_at) VALUES ('e', 2, 'sv', 'scene-e.svg', true, '{"index": true}', now())`)
	w.Exec(`INSERT INTO experiment_texts (experiment_id, language, title, short_description)
		SELECT e.id, written, CASE written WHEN 'sv' THEN 'Försök' ELSE '' END, 'Lyhyt' FROM experiments e, unnest(ARRAY['en', 'sv']) AS written`)
	w.Exec(`INSERT INTO experiment_team (experiment_id, user_id, position) SELECT id, ?, 0 FROM experiments`, id)
	var page api.PublicProfileAnswer
	publicPage(w, id, 0).JSON(&page)
	if got := page.Profile.Experiments; len(got) != 1 || got[0].Title != "Försök" || got[0].Language != "sv" {
		t.Errorf("%+v", got)
	}
}

func TestPublicPage_CountsBackedCampaignsOnlyIfItsPersonShowsThem_AndNeverNamelessOnes(t *testing.T) {
	w := contenttest.New(t)
	category := w.Category("art")
	id := introduce(w, w.Person("Backer"), "B", "x")
	for i, pledge := range []string{"'paid', false", "'paid', false", "'paid', true", "'created', false", "'refunded', false", "'disputed', false"} {
		campaign := campaignOf(w, w.Person("Creator"), category, "K", campaigns.StagePreparing)
		if i == 1 {
			campaign-- // a second pledge to the same campaign
		}
		w.Exec(`INSERT INTO pledges (id, campaign_id, user_id, status, anonymous, amount_minor, currency, quantity, lines, email, first_name, last_name, language,
			reserved_until, paid_at, receipt_number, created_at, updated_at)
			VALUES (lpad(?, 26, '0'), ?, ?, `+pledge+`, 100, 'EUR', 1, '[]', 'b@x.fi', 'B', 'B', 'fi', now(), now(), ?, now(), now())`, fmt.Sprint(i), campaign, id, fmt.Sprint("R", i))
	}
	var page api.PublicProfileAnswer
	publicPage(w, id, 0).JSON(&page)
	if page.Profile.Counts.Backed != nil {
		t.Error("told without their leave")
	}
	w.Patch("/users/me/settings/", `{"show_backed": true}`, id)
	publicPage(w, id, 0).JSON(&page)
	if got := page.Profile.Counts.Backed; got == nil || *got != 2 {
		t.Errorf("backed %v", got)
	}
}
