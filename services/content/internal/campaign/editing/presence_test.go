//go:build unix

package editing_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/writing/presence"
)

// A campaign, a post and an experiment each tell those who write them who else does.
func TestWriters_SeeWhoElseHasTheSameEditorOpen(t *testing.T) {
	e := newEditing(t)
	var experiment int64
	e.Tx(func(ctx context.Context, tx *gorm.DB) (err error) {
		experiment, err = experiments.Create(ctx, tx, experiments.New{Slug: "koe", Language: "fi", TeamUserIDs: []int64{e.creator, e.second},
			Texts: map[string]experiments.Text{"fi": {Title: "Koe"}}}, e.Now())
		return err
	})
	var made api.PostAdminAnswer
	if err := json.Unmarshal(e.Post(fmt.Sprintf("/campaigns/%d/posts/", e.id), `{}`, e.creator).Body, &made); err != nil {
		t.Fatal(err)
	}
	for _, editor := range []struct{ path, place string }{
		{e.admin, "fi.json_description"},
		{fmt.Sprintf("/campaigns/%d/posts/%d/admin/", e.id, made.Post.ID), "sv"},
		{fmt.Sprintf("/experiments/%d/admin/fi/", experiment), "cover"},
	} {
		t.Run(editor.path, func(t *testing.T) {
			look := func(as int64, query string) []api.Writer {
				t.Helper()
				var answer struct {
					Writers []api.Writer `json:"writers"`
				}
				e.Get(editor.path+query, as).JSON(&answer)
				return answer.Writers
			}
			is := func(when string, got []api.Writer, want ...api.Writer) {
				t.Helper()
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s: %v, want %v", when, got, want)
				}
			}
			pekka := api.Writer{UserID: e.creator, Name: "Pekka Testinen", Image: fmt.Sprintf("avatar-%d.svg", e.creator)}
			is("alone", look(e.creator, "?here="))
			is("the second", look(e.second, "?here="), pekka)
			is("who only reads", look(e.second, ""))
			is("the first goes on", look(e.creator, "?here="+editor.place), api.Writer{UserID: e.second, Name: "Maija Testinen", Image: fmt.Sprintf("avatar-%d.svg", e.second)})
			pekka.Place = editor.place
			is("where", look(e.second, "?here="), pekka)
			e.Advance(30 * time.Second)
			is("after one look of his was lost", look(e.second, "?here="), pekka)
			e.Advance(20 * time.Second)
			is("after he has left", look(e.second, "?here="))
		})
	}
}

func TestWriters_AreToldToThoseWhoMayEditOnly(t *testing.T) {
	e := newEditing(t)
	stranger := e.Person("Outi")
	if answer := e.Get(e.admin+"?here=", stranger); answer.Status != http.StatusForbidden && answer.Status != http.StatusNotFound {
		t.Errorf("a stranger: %d %s", answer.Status, answer.Body)
	}
	var noted int
	if err := e.DB.Raw(`SELECT count(*) FROM open_editors`).Scan(&noted).Error; err != nil || noted > 0 {
		t.Errorf("%d noted, %v", noted, err)
	}
	for _, place := range []string{"%3Cb%3E", "fi.title%0A", "a23456789012345678901234567890123456789012345678901234567890z"} {
		if answer := e.Get(e.admin+"?here="+place, e.creator); answer.Status != http.StatusUnprocessableEntity && answer.Status != http.StatusBadRequest {
			t.Errorf("%s: %d", place, answer.Status)
		}
	}
}

func TestWriters_AreKeptForLessThanAMinute(t *testing.T) {
	e := newEditing(t)
	e.Get(e.admin+"?here=", e.creator)
	e.Advance(30 * time.Second)
	e.Get(e.admin+"?here=", e.second)
	e.Advance(20 * time.Second)
	if err := presence.Prune(t.Context(), e.DB, e.Now()); err != nil {
		t.Fatal(err)
	}
	var left []int64
	if err := e.DB.Raw(`SELECT user_id FROM open_editors`).Scan(&left).Error; err != nil || len(left) != 1 || left[0] != e.second {
		t.Errorf("left: %v, %v", left, err)
	}
}
