//go:build unix

package variations_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"talkoot.fi/content/internal/api"
)

// A title has one line: line breaks have a meaning in mails' templates, and lists show titles as they are.
func TestAdopt_KeepsATitleOnOneLine(t *testing.T) {
	e := newTrying(t)
	answer := e.Send(http.MethodPost, e.path("content_variations/"), `{"field": "title", "language": "fi", "value": "Lautta\n\nAvaa:\nhttps://evil.example/"}`, e.creator)
	var added api.ContentExperimentAnswer
	answer.JSON(&added)
	last := added.ContentExperiment.Variations[len(added.ContentExperiment.Variations)-1]
	e.Call(http.MethodPost, e.path(fmt.Sprintf("content_variations/%d/adopt/", last.Variation)), e.creator)
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
	answer := e.Send(http.MethodPost, e.path("content_variations/"), `{"field": "tagline", "language": "sv", "value": "Bastun till sjöss"}`, e.creator)
	if answer.Status == http.StatusUnprocessableEntity {
		return
	}
	answer.JSON(&added)
	id := added.ContentExperiment.Variations[1].Variation
	adopted := e.Call(http.MethodPost, e.path(fmt.Sprintf("content_variations/%d/adopt/", id)), e.creator)
	var kept int
	if err := e.DB.Raw(`SELECT count(*) FROM campaign_texts WHERE campaign_id = ? AND language = 'sv' AND tagline = 'Bastun till sjöss'`, e.campaign).Scan(&kept).Error; err != nil {
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
	e.Send(http.MethodPost, e.path("content_variations/"), `{"field": "title", "language": "en", "value": "Ferry"}`, e.creator).JSON(&added)
	if got := e.Patch(e.path("language/"), `{"en": {"title": ""}}`, e.creator); got.Status != http.StatusOK {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	adopted := e.Call(http.MethodPost, e.path(fmt.Sprintf("content_variations/%d/adopt/", added.ContentExperiment.Variations[1].Variation)), e.creator)
	var kept int
	if err := e.DB.Raw(`SELECT count(*) FROM campaign_texts WHERE campaign_id = ? AND language = 'en' AND title = 'Ferry'`, e.campaign).Scan(&kept).Error; err != nil {
		t.Fatal(err)
	}
	if adopted.Status == http.StatusOK && kept != 1 {
		t.Errorf("adopted with %d, and kept in %d rows", adopted.Status, kept)
	}
}
