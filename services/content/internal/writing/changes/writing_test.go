package changes_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/contenttest/bulk"
	"talkoot.fi/content/internal/writing/changes"
)

// writer writes the story of a draft.
type writer struct {
	*contenttest.World
	t                *testing.T
	creator, another int64
	campaign         int64
}

func newWriter(t *testing.T) *writer {
	w := &writer{World: contenttest.New(t), t: t}
	w.creator, w.another = w.Person("Reijo"), w.Person("Elli")
	w.campaign = w.Campaign(campaigns.New{
		Slug: "sauna", Language: "fi", CategoryID: w.Category("yhteiso"), TeamUserIDs: []int64{w.creator, w.another},
		Texts: map[string]campaigns.Text{"fi": {Title: "Sauna"}},
	}, campaigns.StageDraft)
	w.Exec(`DELETE FROM audit_log`)
	return w
}

// types saves a tagline a few seconds after what was saved before.
func (w *writer) types(tagline string, as int64) (version int64) {
	w.t.Helper()
	w.Advance(5 * time.Second)
	var answer struct{ Version int64 }
	w.Patch(fmt.Sprintf("/campaigns/%d/language/", w.campaign), `{"fi": {"tagline": "`+tagline+`"}}`, as).JSON(&answer)
	return answer.Version
}

// history is the changes, the earliest first: the fields with their values.
func (w *writer) history() (rows []string) {
	w.t.Helper()
	err := w.DB.Raw(`SELECT concat_ws(' ', version, before, after) FROM audit_log ORDER BY id`).Scan(&rows).Error
	if err != nil {
		w.t.Fatal(err)
	}
	return rows
}

func TestSave_TellsWhatOnePersonWritesInASittingAsOneChange(t *testing.T) {
	w := newWriter(t)
	for i, tagline := range []string{"L", "Lö", "Löyly"} {
		if version := w.types(tagline, w.creator); version != int64(i+2) {
			t.Errorf("version %d after save %d", version, i)
		}
	}
	w.Patch(fmt.Sprintf("/campaigns/%d/language/", w.campaign), `{"fi": {"short_description": "Rannalla"}}`, w.creator)
	want := []string{`5 {"fi.tagline": "", "fi.short_description": ""} {"fi.tagline": "Löyly", "fi.short_description": "Rannalla"}`}
	if got := w.history(); !slices.Equal(got, want) {
		t.Errorf("the history is %q", got)
	}
	// A save that is based on an earlier version is refused with the names of what has changed since.
	path := fmt.Sprintf("/campaigns/%d/language/", w.campaign)
	if got := w.Patch(path, `{"fi": {"tagline": "Muu"}}`, w.another, "If-Match", `"3"`); got.Status != 412 {
		t.Errorf("an older version: %d %s", got.Status, got.Body)
	}
}

func TestSave_BeginsAnotherChange(t *testing.T) {
	for name, between := range map[string]func(*writer){
		"after ten minutes":           func(w *writer) { w.Advance(10 * time.Minute) },
		"when another person writes":  func(w *writer) { w.types("Toisen", w.another) },
		"when a setting is changed":   func(w *writer) { w.set(`{"place": "Inari"}`) },
		"when something else happens": func(w *writer) { w.record("reward") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWriter(t)
			w.types("Löyly", w.creator)
			between(w)
			before := w.history()
			w.types("Uusi löyly", w.creator)
			if got := w.history(); len(got) != len(before)+1 || !slices.Equal(got[:len(before)], before) {
				t.Errorf("the history was %q and is %q", before, got)
			}
		})
	}
}

// Saves are merged for ten minutes from the first one, not from the last.
func TestSave_EndsASittingTenMinutesAfterItsBeginning(t *testing.T) {
	w := newWriter(t)
	for i := range 4 {
		w.types(fmt.Sprint(i), w.creator)
		w.Advance(4 * time.Minute)
	}
	if got := w.history(); len(got) != 2 {
		t.Errorf("the history is %q", got)
	}
}

func (w *writer) set(body string) {
	w.Patch(fmt.Sprintf("/campaigns/%d/settings/", w.campaign), body, w.creator).JSON(&struct{}{})
}

// record writes a row of something of the campaign.
func (w *writer) record(entity string) {
	w.Exec(`INSERT INTO audit_log (at, actor, action, entity, entity_id, version, before, after, campaign_id)
		VALUES (?, 'operator', 'x', ?, 7, 0, '{}', '{}', ?)`, w.Now(), entity, w.campaign)
}

// A row without values, such as one that an operator has written, is in the history with its action alone.
func TestHistory_TellsRowsWithoutValues(t *testing.T) {
	w := newWriter(t)
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		return changes.Record(ctx, tx, "look", "campaign", w.campaign, changes.Actor{Name: "operator"}, nil, nil, w.Now())
	})
	w.Exec(`UPDATE audit_log SET before = 'null', after = 'null'`)
	w.types("Löyly", w.creator)
	w.Exec(`UPDATE audit_log SET before = 'null' WHERE action = 'change_language'`)
	var got api.HistoryAnswer
	w.Get(fmt.Sprintf("/campaigns/%d/history/", w.campaign), w.creator).JSON(&got)
	if len(got.Changes) != 2 || len(got.Changes[1].Fields) != 0 || got.Changes[0].Fields[0].After != "Löyly" {
		t.Errorf("the history is %+v", got)
	}
}

func TestHistory_ReadsNoGrowingTableWhole(t *testing.T) {
	w := contenttest.NewBulk(t)
	editor := w.Person("Editor", "view", "edit")
	bulk.MustNotReadWhole(t, w.DB, w.Get("/campaigns/9/history/", editor).Statements)
	saved := w.Patch("/campaigns/9/language/", `{"fi": {"tagline": "Uusi"}}`, editor)
	merges := slices.DeleteFunc(saved.Statements, func(s string) bool { return !strings.Contains(s, "UPDATE audit_log") })
	bulk.MustNotReadWhole(t, w.DB, merges)
}
