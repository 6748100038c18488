//go:build unix

package variations_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaigns"
)

// Adopting a title is an edit of the title: a draft's address follows it, and readers learn when the text changed.
func TestAdopt_OfADraftsTitleIsAnEditOfTheTitle(t *testing.T) {
	e := newTrying(t)
	e.campaign = e.Campaign(campaigns.New{Slug: "lautta", Language: "fi", CategoryID: e.Category("d"), TeamUserIDs: []int64{e.creator},
		Texts: map[string]campaigns.Text{"fi": {Title: "Lautta"}, "en": {Title: "Raft"}}}, campaigns.StageDraft)
	adopt := func(language, value string) {
		t.Helper()
		e.Advance(time.Minute)
		var added api.ContentExperimentAnswer
		e.Post(e.path("content_variations/"), `{"field": "title", "language": "`+language+`", "value": "`+value+`"}`, e.creator).JSON(&added)
		e.Advance(time.Minute)
		e.Call(http.MethodPost, e.path(fmt.Sprintf("content_variations/%d/adopt/", added.ContentExperiment.Variations[1].Variation)),
			e.creator).JSON(&added)
	}
	state := func() (slug, picture string, changed time.Time) {
		t.Helper()
		err := e.DB.Raw(`SELECT slug, picture, x.updated_at FROM campaigns c JOIN campaign_texts x ON x.campaign_id = c.id AND x.language = 'fi'
			WHERE c.id = ?`, e.campaign).Row().Scan(&slug, &picture, &changed)
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
