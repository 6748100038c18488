//go:build unix

package variations_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/variations"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/contenttest/bulk"
)

// trying is an open campaign whose creator tries variations.
type trying struct {
	*contenttest.World
	t                 *testing.T
	campaign, creator int64
}

func newTrying(t *testing.T) *trying {
	t.Helper()
	w := contenttest.New(t)
	e := &trying{World: w, t: t, creator: w.Person("Reijo")}
	e.campaign = w.Campaign(campaigns.New{Slug: "x", Language: "fi", CategoryID: w.Category("c"),
		TeamUserIDs: []int64{e.creator}, LastDay: "2026-12-01",
		Texts: map[string]campaigns.Text{"fi": {Title: "Lautta", Tagline: "Sauna vesille"},
			"en": {Title: "Raft"}}}, campaigns.StageFunding)
	return e
}

func (e *trying) path(rest string) string { return fmt.Sprintf("/campaigns/%d/%s", e.campaign, rest) }

// add shows a tagline as the creator and returns its id; it must succeed.
func (e *trying) add(value string) int64 {
	e.t.Helper()
	var answer api.ContentExperimentAnswer
	e.Post(e.path("content_variations/"), `{"field": "tagline", "language": "fi", "value": "`+value+`"}`, e.creator).JSON(&answer)
	return answer.ContentExperiment.Variations[len(answer.ContentExperiment.Variations)-1].Variation
}

func visitor(n int) string { return fmt.Sprintf("visitor%019d", n) }

// visit counts the n-th visitor, who is not signed in and at home.
func (e *trying) visit(n int) contenttest.Answer {
	e.t.Helper()
	return e.Post(e.path("visits/"), `{"visitor": "`+visitor(n)+`", "source": "social:facebook"}`, 0,
		"X-Forwarded-For", fmt.Sprintf("198.18.%d.%d", n/250, n%250))
}

// sees is what the row of a visitor says that they saw.
func (e *trying) sees(n int) (variation int64) {
	e.t.Helper()
	found := e.DB.Raw(`SELECT variation FROM campaign_visits WHERE visitor = ?`, e.VisitorHasher.Hash(visitor(n), e.campaign)).Scan(&variation)
	if found.Error != nil || found.RowsAffected != 1 {
		e.t.Fatalf("visitor %d: %d rows, %v", n, found.RowsAffected, found.Error)
	}
	return variation
}

// assigned is proto-docs/flows/variations.md in Go: what the app computes.
func assigned(visitor string, campaign int64, shown []int64) (chosen int64) {
	greatest := int64(-1)
	for _, id := range shown {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s:%d:%d", visitor, campaign, id))
		if weight := int64(binary.BigEndian.Uint32(sum[:4])); weight > greatest {
			greatest, chosen = weight, id
		}
	}
	return chosen
}

// vectors are those of proto-docs/flows/variations.md.
var vectors = []struct {
	visitor    string
	campaign   int64
	variations []int64
	want       int64
}{
	{"0123456789abcdefghijklmnop", 1, []int64{0, 1}, 1},
	{"zzzzzzzzzzzzzzzzzzzzzzzzzz", 1, []int64{0, 1}, 1},
	{"5n3v0w7k2d9q8x1c4b6m0r2t8y", 42, []int64{0, 7, 8, 9}, 0},
	{"5n3v0w7k2d9q8x1c4b6m0r2t8y", 42, []int64{0, 7}, 0},
	{"aaaaaaaaaaaaaaaaaaaaaaaaaa", 1234567, []int64{0, 11, 12, 13, 14}, 14},
	{"aaaaaaaaaaaaaaaaaaaaaaaaaa", 1234567, []int64{0}, 0},
}

func TestAssignment_IsThatOfTheVectors(t *testing.T) {
	for _, tt := range vectors {
		if got := assigned(tt.visitor, tt.campaign, tt.variations); got != tt.want {
			t.Errorf("%+v: %d", tt, got)
		}
	}
}

func TestVisit_SeesWhatTheAppComputesAndStaysWhenAnotherStops(t *testing.T) {
	e := newTrying(t)
	b, c := e.add("Toinen"), e.add("Kolmas")
	seen := map[int64]int{}
	for n := range 300 {
		if answer := e.visit(n); answer.Status != http.StatusNoContent || len(answer.Statements) != 2 {
			t.Fatalf("%d %s, %d statements", answer.Status, answer.Body, len(answer.Statements))
		}
		got := e.sees(n)
		if want := assigned(visitor(n), e.campaign, []int64{0, b, c}); got != want {
			t.Fatalf("visitor %d sees %d, the app shows %d", n, got, want)
		}
		seen[got]++
	}
	for id, n := range seen {
		if n < 70 || n > 130 {
			t.Errorf("variation %d is seen by %d of 300", id, n)
		}
	}
	for n := range 300 { // the app, after c has stopped
		if before, after := e.sees(n), assigned(visitor(n), e.campaign, []int64{0, b}); before != c && before != after {
			t.Fatalf("visitor %d moves from %d to %d because %d stops", n, before, after, c)
		}
	}
}

func TestVisit_CountsOnceAndNotOfADraft(t *testing.T) {
	e := newTrying(t)
	for range 3 {
		e.visit(1)
	}
	e.visit(2)
	var rows, counted int
	if err := e.DB.Raw(`SELECT (SELECT count(*) FROM campaign_visits), (SELECT sum(visitors) FROM campaign_visit_counts)`).Row().Scan(&rows, &counted); err != nil || rows != 2 || counted != 2 {
		t.Errorf("%d rows, %d counted, %v", rows, counted, err)
	}
	var kept string
	if err := e.DB.Raw(`SELECT row_to_json(v)::text FROM campaign_visits v LIMIT 1`).Scan(&kept).Error; err != nil || strings.Contains(kept, visitor(1)) {
		t.Errorf("a visitor is kept unsealed: %s, %v", kept, err)
	}
	e.campaign = e.Campaign(campaigns.New{Slug: "d", Language: "fi", CategoryID: e.Category("d"),
		TeamUserIDs: []int64{e.creator},
		Texts:       map[string]campaigns.Text{"fi": {Title: "D"}}}, campaigns.StageDraft)
	if answer := e.visit(1); answer.Status != http.StatusNotFound {
		t.Errorf("a draft: %d", answer.Status)
	}
	for name, body := range map[string]string{"no visitor": `{}`, "another form": `{"visitor": "A"}`, "an unknown source": `{"visitor": "` + visitor(1) + `", "source": "javascript:1"}`} {
		if answer := e.Post(e.path("visits/"), body, 0); answer.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", name, answer.Status, answer.Body)
		}
	}
}

// pay makes a paid pledge of a visitor, n distinguishes several.
func (e *trying) pay(visitorNumber, n int, status string) {
	e.Exec(`INSERT INTO pledges (id, campaign_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name, language, reserved_until,
		created_at, updated_at, paid_at, receipt_number, visitor) VALUES (?, ?, ?, 1000, 'EUR', 1, '[]', 'a@b.fi', 'A', 'B', 'fi', now(), now(), now(), ?, ?, ?)`,
		fmt.Sprintf("%013d%013d", visitorNumber, n), e.campaign, status, e.Now(), fmt.Sprintf("TK-%d-%d", visitorNumber, n),
		e.VisitorHasher.Hash(visitor(visitorNumber), e.campaign))
}

func (e *trying) experiment() *api.ContentExperiment {
	e.t.Helper()
	experiment, err := variations.Read(e.t.Context(), e.DB, e.campaign)
	if err != nil {
		e.t.Fatal(err)
	}
	return experiment.Answer()
}

func TestExperiment_IsMeasuredToThePaidPledgeAndTellsNothingBefore100(t *testing.T) {
	e := newTrying(t)
	e.visit(1_000)
	e.pay(1_000, 0, "paid") // before it began
	e.Advance(1)
	b := e.add("Toinen")
	visitors, paid := map[int64]int{}, map[int64]int{}
	payments := 0
	for n := range 260 {
		e.visit(n)
		saw := e.sees(n)
		visitors[saw]++
		if pays := saw == b || n%4 == 0; pays && payments < 99 {
			e.pay(n, 0, "paid")
			e.pay(n, 1, "disputed") // the same backer again
			payments++
			paid[saw]++
		} else {
			e.pay(n, 2, "refunded")
		}
	}
	got := e.experiment()
	if got.Visitors != 260 || got.Paid != 99 || got.Missing != 1 || got.Conclusive || got.Variations[0].Rate != nil ||
		got.Variations[1].Best != nil {
		t.Errorf("after 99 payments: %+v", got)
	}
	e.visit(2_000)
	e.pay(2_000, 0, "paid")
	visitors[e.sees(2_000)]++
	paid[e.sees(2_000)]++
	got = e.experiment()
	for _, v := range got.Variations {
		if v.Visitors != visitors[v.Variation] || v.Paid != paid[v.Variation] {
			t.Errorf("%s: %d of %d, want %d of %d", v.Letter, v.Paid, v.Visitors, paid[v.Variation], visitors[v.Variation])
		}
	}
	if got.Missing != 0 || !got.Conclusive || *got.Variations[1].Best < 0.99 ||
		*got.Variations[1].Low >= *got.Variations[1].Rate || got.Variations[0].Letter != "A" {
		t.Errorf("after 100: %+v", got)
	}
}

func TestVariations_AreOneFieldOfOneLanguageAndFourAtMost(t *testing.T) {
	e := newTrying(t)
	refused := func(body, want string) {
		t.Helper()
		answer := e.Post(e.path("content_variations/"), body, e.creator)
		var fault api.APIError
		_ = json.Unmarshal(answer.Body, &fault)
		got := fmt.Sprint(answer.Status, " ", fault.Status)
		if fault.Fields != nil {
			got += " " + (*fault.Fields)[0].Path + " " + (*fault.Fields)[0].Rule
		}
		if got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	refused(`{"field": "tagline", "language": "fi", "value": "  "}`, "422 invalid_fields value required")
	refused(`{"field": "tagline", "language": "fi", "value": "Sauna vesille"}`, "422 invalid_fields value once")
	refused(`{"field": "title", "language": "fi", "value": "`+strings.Repeat("ä", 61)+`"}`, "422 invalid_fields value max_length")
	refused(`{"field": "title", "language": "sv", "value": "Flotte"}`, "422 invalid_fields language one_of")
	refused(`{"field": "project_pic", "value": "missing.jpg"}`, "422 invalid_fields value unknown_picture")
	refused(`{"field": "story", "value": "a"}`, "422 invalid_fields field one_of")
	e.add("Toinen")
	refused(`{"field": "tagline", "language": "fi", "value": "Toinen"}`, "422 invalid_fields value once")
	refused(`{"field": "tagline", "language": "en", "value": "Other"}`, "409 experiment_running")
	refused(`{"field": "title", "language": "fi", "value": "Other"}`, "409 experiment_running")
	for _, value := range []string{"Kolmas", "Neljäs", "Viides"} {
		e.add(value)
	}
	refused(`{"field": "tagline", "language": "fi", "value": "Kuudes"}`, "409 too_many_variations")
}

func TestVariations_OfAnOlderVersionAreRefusedAndChangeNothing(t *testing.T) {
	e := newTrying(t)
	body := `{"field": "tagline", "language": "fi", "value": "Toinen"}`
	var first api.ContentExperimentAnswer
	e.Post(e.path("content_variations/"), `{"field": "tagline", "language": "fi", "value": "Kiuas"}`, e.creator).JSON(&first)
	shown := first.ContentExperiment.Variations[1].Variation
	one := e.path(fmt.Sprintf("content_variations/%d/", shown))
	for name, answer := range map[string]contenttest.Answer{
		"add":   e.Post(e.path("content_variations/"), body, e.creator, "If-Match", `"1"`),
		"stop":  e.Send(http.MethodDelete, one, nil, e.creator, "If-Match", `"1"`),
		"adopt": e.Post(one+"adopt/", "", e.creator, "If-Match", `"1"`),
	} {
		if answer.Status != http.StatusPreconditionFailed {
			t.Errorf("%s upon version 1 of %d: %d %s", name, first.Version, answer.Status, answer.Body)
		}
	}
	var last api.ContentExperimentAnswer
	e.Post(e.path("content_variations/"), body, e.creator, "If-Match", fmt.Sprintf(`"%d"`, first.Version)).JSON(&last)
	if n := len(last.ContentExperiment.Variations); n != 3 {
		t.Errorf("%d variations after one was added upon the newest version, want 3", n)
	}
}

func TestVariations_ArePublicWhileTheyAreShownAndAdoptedWithHistory(t *testing.T) {
	e := newTrying(t)
	b, c := e.add("Toinen"), e.add("Kolmas")
	public := func() (values []string) {
		var answer api.CampaignAnswer
		got := e.Get(e.path("fi/"), 0)
		if got.JSON(&answer); len(got.Statements) != 1 {
			t.Errorf("%d statements for the page", len(got.Statements))
		}
		if answer.Campaign.ContentVariations != nil {
			for _, v := range *answer.Campaign.ContentVariations {
				values = append(values, fmt.Sprint(v.Variation, v.Field, *v.Language, v.Value))
			}
		}
		return append(values, answer.Campaign.Tagline)
	}
	if got, want := public(), []string{fmt.Sprint(b, "taglinefiToinen"), fmt.Sprint(c, "taglinefiKolmas"),
		"Sauna vesille"}; !slices.Equal(got, want) {
		t.Errorf("readers get %q, want %q", got, want)
	}
	var answer api.ContentExperimentAnswer
	e.Call(http.MethodDelete, e.path(fmt.Sprintf("content_variations/%d/", c)), e.creator).JSON(&answer)
	if got := answer.ContentExperiment.Variations; len(got) != 2 || got[1].Letter != "B" {
		t.Errorf("after one stops: %+v", got)
	}
	if again := e.Call(http.MethodDelete, e.path(fmt.Sprintf("content_variations/%d/", c)),
		e.creator); again.Status != http.StatusNotFound {
		t.Errorf("stopped again: %d", again.Status)
	}
	before := answer.Version
	answer = api.ContentExperimentAnswer{}
	e.Call(http.MethodPost, e.path(fmt.Sprintf("content_variations/%d/adopt/", b)), e.creator).JSON(&answer)
	if answer.ContentExperiment != nil || answer.Version != before+1 || !slices.Equal(public(), []string{"Toinen"}) {
		t.Errorf("adopted: %+v, readers get %q", answer, public())
	}
	var after string
	if err := e.DB.Raw(`SELECT after::text FROM audit_log WHERE action = 'adopt_variation'`).Scan(&after).Error; err != nil || after != `{"fi.tagline": "Toinen", "content_variations": []}` {
		t.Errorf("history %s, %v", after, err)
	}
}

func TestVisit_ReadsNoGrowingTableWhole(t *testing.T) {
	w := contenttest.NewBulk(t)
	answer := w.Post("/campaigns/9/visits/", `{"visitor": "`+visitor(1)+`"}`, 0)
	if answer.Status != http.StatusNoContent || len(answer.Statements) != 2 {
		t.Fatalf("%d, %d statements", answer.Status, len(answer.Statements))
	}
	bulk.MustNotReadWhole(t, w.DB, answer.Statements)
}
