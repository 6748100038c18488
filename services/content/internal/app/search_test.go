package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/zone"
)

// ownCampaigns are found beside the demo's: what has ended, titles with signs, and a draft.
var ownCampaigns = []struct {
	title, tagline, place string
	stage                 campaigns.Stage
}{
	{"Kynttilöitä saunan portaille", "Valo Kärsämäelle ennen joulua", "Kajaani", campaigns.StageSucceeded},
	{"Hilla-keittiö kiertää", "Keittiö perävaunussa", "Rovaniemi", campaigns.StageNotReached},
	{"100 % villaa", "Neuleita 50_50-langasta", "Kuhmo", campaigns.StageSucceeded},
	{"C++-kerho nuorille", "Ohjelmointia iltaisin", "Nilsiä", campaigns.StageFunding},
	{"Rødgrød og æbleskiver", "Tanskalainen keittiö satamaan", "Eckerö", campaigns.StageFunding},
	{"Elokuvakontti: 🎬 kiertää kyliä", "Kino", "Kuhmo", campaigns.StageFunding},
	{"Сауна на берегу", "Баня для всех", "Lappeenranta", campaigns.StagePreparing},
	{"ساونا الحي", "حمام", "Turku", campaigns.StagePreparing},
	{"Salainen saunaluonnos", "Luonnos", "Tampere", campaigns.StageDraft},
}

func (p *platform) addOwnCampaigns(t *testing.T) {
	t.Helper()
	location, err := zone.Load()
	if err != nil {
		t.Fatal(err)
	}
	category := p.number(t, `SELECT id FROM categories ORDER BY position LIMIT 1`)
	creator := p.number(t, `SELECT user_id FROM campaign_team ORDER BY campaign_id LIMIT 1`)
	now := time.Now()
	for _, own := range ownCampaigns {
		err := dbx.InTx(t.Context(), p.db, func(tx *gorm.DB) error {
			ctx := t.Context()
			id, err := campaigns.Create(ctx, tx, campaigns.New{Slug: "x", Language: "fi", CategoryID: category, TeamUserIDs: []int64{creator}, Place: own.place,
				LegalCreator: "Kokeilijat", FirstDay: campaigns.DayOf(now), LastDay: campaigns.DayOf(now.AddDate(0, 0, 9)), Zone: location,
				Texts: map[string]campaigns.Text{"fi": {Title: own.title, Tagline: own.tagline}}}, now)
			if err != nil {
				return err
			}
			return moveThrough(ctx, tx, id, own.stage, now)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func moveThrough(ctx context.Context, tx *gorm.DB, id int64, stage campaigns.Stage, now time.Time) error {
	path := []campaigns.Stage{stage}
	switch stage {
	case campaigns.StageDraft:
		return nil
	case campaigns.StageSucceeded, campaigns.StageNotReached:
		path = []campaigns.Stage{campaigns.StageFunding, stage}
	case campaigns.StagePreparing, campaigns.StageFunding, campaigns.StageClosed, campaigns.StageRecurring:
	}
	for _, to := range path {
		if err := campaigns.MoveStage(ctx, tx, id, to, changes.Actor{Name: "seed"}, now); err != nil {
			return err
		}
	}
	return nil
}

// firstHits is an answer as testdata/search.tsv tells it: what was searched instead of what was typed, and the first hit of each
// group. Creators are told where the query names one.
func firstHits(a api.SearchAnswer, withCreators bool) string {
	if a.Total == 0 {
		return "-"
	}
	var parts []string
	if a.IsCorrected {
		parts = append(parts, "["+a.Searched+"]")
	}
	for _, g := range a.Groups {
		first := ""
		switch {
		case g.Campaigns != nil:
			first = (*g.Campaigns)[0].Title
		case g.Experiments != nil:
			first = (*g.Experiments)[0].Title
		case g.Creators != nil && withCreators:
			first = (*g.Creators)[0].FirstName + " " + (*g.Creators)[0].LastName
		case g.Creators != nil:
			continue
		}
		parts = append(parts, fmt.Sprintf("%s: %s", g.Name, first))
	}
	if len(parts) == 0 {
		return "creators"
	}
	return strings.Join(parts, " | ")
}

// The file has queries in three languages, one a line: the reader's language, what is typed, and the first hits.
func TestSearch_FindsWhatPeopleMean(t *testing.T) {
	p := setupDemo(t)
	p.addOwnCampaigns(t)
	file, err := os.ReadFile("testdata/search.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(file)), "\n")
	if len(lines) < 120 {
		t.Errorf("%d queries", len(lines))
	}
	handler, got := p.checked(t), make([]string, len(lines))
	for i, line := range lines {
		parts := strings.SplitN(line, "\t", 3)
		address := "/v6/search/" + parts[0] + "/?q=" + url.QueryEscape(parts[1])
		answer := call(t.Context(), handler, http.MethodGet, address, "")
		if answer.Code != http.StatusOK {
			t.Errorf("%s: %d %s", parts[1], answer.Code, answer.Body)
			continue
		}
		var found api.SearchAnswer
		if err := json.Unmarshal(answer.Body.Bytes(), &found); err != nil {
			t.Fatal(err)
		}
		want := ""
		if len(parts) == 3 {
			want = parts[2]
		}
		hits := firstHits(found, strings.Contains(want, "creators: "))
		got[i] = parts[0] + "\t" + parts[1] + "\t" + hits
		if hits != want {
			t.Errorf("%s %q: %s\nwant %s", parts[0], parts[1], hits, want)
		}
		if strings.Contains(answer.Body.String(), "Salainen saunaluonnos") {
			t.Errorf("%q finds a draft", parts[1])
		}
	}
	if path := os.Getenv("SEARCH_TSV"); path != "" { // writes what is found, for whoever adds queries and reads it through
		if err := os.WriteFile(path, []byte(strings.Join(got, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSearch_RefusesWhatIsTooLong(t *testing.T) {
	p := setupDemo(t)
	for q, want := range map[string]int{strings.Repeat("a", 101): http.StatusUnprocessableEntity, strings.Repeat("ä", 100): http.StatusOK,
		strings.Repeat("a b c d e f ", 8): http.StatusOK, "": http.StatusOK} {
		answer := call(t.Context(), p.handler, http.MethodGet, "/v6/search/fi/?q="+url.QueryEscape(q), "")
		if answer.Code != want {
			t.Errorf("%d letters: %d %s", len([]rune(q)), answer.Code, answer.Body)
		}
	}
	for _, query := range []string{"", "q=a&place=" + strings.Repeat("x", 101), "q=a&group=drafts", "q=a&limit=49", "q=a&offset=1001"} {
		if answer := call(t.Context(), p.handler, http.MethodGet, "/v6/search/fi/?"+query, ""); answer.Code < 400 {
			t.Errorf("%s: %d", query, answer.Code)
		}
	}
}

func TestSearch_NamesOfGroupsAreInTheirOrder(t *testing.T) {
	p := setupDemo(t)
	p.addOwnCampaigns(t)
	var found api.SearchAnswer
	if err := json.Unmarshal(call(t.Context(), p.handler, http.MethodGet, "/v6/search/fi/?q=a", "").Body.Bytes(), &found); err != nil {
		t.Fatal(err)
	}
	order := []api.SearchGroupName{api.SearchOpen, api.SearchMonthly, api.SearchComing, api.SearchEnded, api.SearchCreators, api.SearchExperiments}
	if !slices.IsSortedFunc(found.Groups, func(a, b api.SearchGroup) int { return slices.Index(order, a.Name) - slices.Index(order, b.Name) }) {
		t.Errorf("%+v", found.Groups)
	}
}
