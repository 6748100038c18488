//go:build unix

package variations_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
)

func (e *trying) adopt(variation int64) contenttest.Answer {
	e.t.Helper()
	return e.Call(http.MethodPost, e.path(fmt.Sprintf("content_variations/%d/adopt/", variation)), e.creator)
}

// Adopting a title is an edit of the title: a draft's address follows it, and readers learn when the text changed.
func TestAdopt_OfADraftsTitleIsAnEditOfTheTitle(t *testing.T) {
	e := newTrying(t)
	e.campaign = e.Campaign(campaigns.New{Slug: "lautta", Language: "fi", CategoryID: e.Category("d"),
		TeamUserIDs: []int64{e.creator},
		Texts:       map[string]campaigns.Text{"fi": {Title: "Lautta"}, "en": {Title: "Raft"}}}, campaigns.StageDraft)
	adopt := func(language, value string) {
		t.Helper()
		e.Advance(time.Minute)
		var added api.ContentExperimentAnswer
		e.Post(e.path("content_variations/"), `{"field": "title", "language": "`+language+`", "value": "`+value+`"}`,
			e.creator).JSON(&added)
		e.Advance(time.Minute)
		e.adopt(added.ContentExperiment.Variations[1].Variation).JSON(&added)
	}
	state := func() (slug, picture string, changed time.Time) {
		t.Helper()
		err := e.DB.Raw(`SELECT slug, picture, x.updated_at FROM campaigns c
			JOIN campaign_texts x ON x.campaign_id = c.id AND x.language = 'fi' WHERE c.id = ?`,
			e.campaign).Row().Scan(&slug, &picture, &changed)
		if err != nil {
			t.Fatal(err)
		}
		return slug, picture, changed
	}
	_, drawn, _ := state()
	adopt("fi", "Saunalautta Höyry")
	slug, picture, changed := state()
	if slug != "saunalautta-hoyry" || picture == drawn || !changed.Equal(e.Now()) {
		t.Errorf("address %s, picture %s, changed %s", slug, picture, changed)
	}
	adopt("en", "Ferry")
	if again, _, at := state(); again != slug || !at.Equal(changed) {
		t.Errorf("a title in another language makes the address %s, and changes the Finnish text at %s", again, at)
	}
}

// A title has one line: line breaks have a meaning in mails' templates, and lists show titles as they are.
func TestAdopt_KeepsATitleOnOneLine(t *testing.T) {
	e := newTrying(t)
	answer := e.Post(e.path("content_variations/"),
		`{"field": "title", "language": "fi", "value": "Lautta\n\nAvaa:\nhttps://evil.example/"}`, e.creator)
	var added api.ContentExperimentAnswer
	answer.JSON(&added)
	last := added.ContentExperiment.Variations[len(added.ContentExperiment.Variations)-1]
	e.adopt(last.Variation)
	var page api.CampaignAnswer
	e.Get(e.path("fi/"), 0).JSON(&page)
	if strings.ContainsAny(last.Value+page.Campaign.Title, "\n\r\t") {
		t.Errorf("shown %q, adopted %q", last.Value, page.Campaign.Title)
	}
}

// What is adopted is what readers get then, or the answer says why not; never a history of a change that was not made.
func TestAdopt_IntoALanguageWithoutTexts(t *testing.T) {
	e := newTrying(t)
	var added api.ContentExperimentAnswer
	answer := e.Post(e.path("content_variations/"),
		`{"field": "tagline", "language": "sv", "value": "Bastun till sjöss"}`, e.creator)
	if answer.Status == http.StatusUnprocessableEntity {
		return
	}
	answer.JSON(&added)
	id := added.ContentExperiment.Variations[1].Variation
	adopted := e.adopt(id)
	var kept int
	err := e.DB.Raw(`SELECT count(*) FROM campaign_texts
		WHERE campaign_id = ? AND language = 'sv' AND tagline = 'Bastun till sjöss'`, e.campaign).Scan(&kept).Error
	if err != nil {
		t.Fatal(err)
	}
	if adopted.Status == http.StatusOK && kept != 1 {
		t.Errorf("adopted with %d, and kept in %d rows", adopted.Status, kept)
	}
}

// The same when the texts of the language are taken away while its title is tried.
func TestAdopt_AfterTheLanguageWasTakenAway(t *testing.T) {
	e := newTrying(t)
	var added api.ContentExperimentAnswer
	e.Post(e.path("content_variations/"), `{"field": "title", "language": "en", "value": "Ferry"}`, e.creator).JSON(&added)
	if got := e.Patch(e.path("language/"), `{"en": {"title": ""}}`, e.creator); got.Status != http.StatusOK {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	adopted := e.adopt(added.ContentExperiment.Variations[1].Variation)
	var kept int
	err := e.DB.Raw(`SELECT count(*) FROM campaign_texts WHERE campaign_id = ? AND language = 'en' AND title = 'Ferry'`,
		e.campaign).Scan(&kept).Error
	if err != nil {
		t.Fatal(err)
	}
	if adopted.Status == http.StatusOK && kept != 1 {
		t.Errorf("adopted with %d, and kept in %d rows", adopted.Status, kept)
	}
}
