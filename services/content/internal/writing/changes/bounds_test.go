package changes_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/contenttest"
)

// story is a story of about the given length that does not compress well.
func story(length int) string {
	letters := make([]byte, length)
	for i := range letters {
		letters[i] = "abcdefghijklmnopqrstuvwxyz "[rand.IntN(27)]
	}
	return `{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"` + string(letters) + `"}]}]}`
}

// saveStories saves a story of about the length in each language.
func (w *writer) saveStories(length int) contenttest.Answer {
	w.t.Helper()
	body := fmt.Sprintf(`{"fi": {"json_description": %s}, "en": {"title": "S", "json_description": %s},
		"sv": {"title": "B", "json_description": %s}}`,
		story(length), story(length), story(length))
	return w.Patch(fmt.Sprintf("/campaigns/%d/language/", w.campaign), body, w.creator)
}

func (w *writer) number(query string) (n int) {
	w.t.Helper()
	if err := w.DB.Raw(query).Scan(&n).Error; err != nil {
		w.t.Fatal(err)
	}
	return n
}

// kept is the size of the values that the history keeps, in bytes.
const kept = `SELECT coalesce(sum(octet_length(before::text) + octet_length(after::text)), 0) FROM audit_log`

// Saves of a story that follow each other are merged into one row; a change of a setting between them prevents that. So
// these are the edits that need the most space.
func TestSave_KeepsLongTextsOnce(t *testing.T) {
	w := newWriter(t)
	for i := range 6 {
		if got := w.saveStories(90_000); got.Status != 200 {
			t.Fatalf("%d %.300s", got.Status, got.Body)
		}
		w.set(fmt.Sprintf(`{"place": "Inari %d"}`, i))
	}
	size := w.number(kept)
	t.Logf("%d bytes an edit, on disk %d", size/6, w.number(`SELECT pg_total_relation_size('audit_log')`)/6)
	if size > 6*3*95_000 {
		t.Errorf("6 edits of 3 × 90 kB are kept with %d bytes", size)
	}
	// What a story said before it was changed is there.
	if n := w.number(`SELECT count(*) FROM audit_log WHERE length(before ->> 'fi.json_description') > 90000`); n != 5 {
		t.Errorf("%d earlier stories are kept", n)
	}
}

func TestSave_OfShortTextsKeepsBothValues(t *testing.T) {
	w := newWriter(t)
	w.types("Löyly", w.creator)
	var got api.HistoryAnswer
	w.Get(fmt.Sprintf("/campaigns/%d/history/", w.campaign), w.creator).JSON(&got)
	if f := got.Changes[0].Fields[0]; f.Before != "" || f.After != "Löyly" {
		t.Errorf("%+v", f)
	}
}

// A page of the history leaves out long values such as stories, which are what people most want to restore.
func TestHistory_GivesALongValueWhenAskedForIt(t *testing.T) {
	w := newWriter(t)
	w.saveStories(90_000)
	w.set(`{"place": "Inari"}`)
	w.saveStories(5_000)
	var got api.HistoryAnswer
	w.Get(fmt.Sprintf("/campaigns/%d/history/", w.campaign), w.creator).JSON(&got)
	latest := got.Changes[0]
	for _, f := range latest.Fields {
		if long := strings.HasSuffix(f.Path, "json_description"); f.Long != long || long && f.Before != nil {
			t.Errorf("%s: long %t, before %.40v", f.Path, f.Long, f.Before)
		}
	}
	value := func(campaign, change int64, path string, who int64) contenttest.Answer {
		return w.Get(fmt.Sprintf("/campaigns/%d/history/%d/%s/", campaign, change, path), who)
	}
	if whole := value(w.campaign, latest.ID, "sv.json_description", w.creator); whole.Status != 200 ||
		len(whole.Body) < 90_000 || !strings.HasPrefix(string(whole.Body), `{"before":{"type":"doc"`) {
		t.Errorf("%d, %d bytes: %.80s", whole.Status, len(whole.Body), whole.Body)
	}
	var values struct{ Before, After json.RawMessage }
	w.Get(fmt.Sprintf("/campaigns/%d/history/%d/sv.json_description/", w.campaign, latest.ID), w.creator).JSON(&values)
	if values.After != nil {
		t.Errorf("the value of now is repeated: %.80s", values.After)
	}
	w.set(`{"place": "Utsjoki"}`) // saves that follow each other are one row
	w.saveStories(6_000)
	w.Get(fmt.Sprintf("/campaigns/%d/history/%d/sv.json_description/", w.campaign, latest.ID), w.creator).JSON(&values)
	if n := len(values.After); n < 5_000 || n > 6_000 || len(values.Before) < 90_000 {
		t.Errorf("%d bytes before and %d after", len(values.Before), n)
	}
	other := w.ReadyDraft("toinen", w.creator)
	w.Exec(`INSERT INTO audit_log (at, actor, action, entity, entity_id, campaign_id, version, before, after)
		VALUES (now(), 'user', 'invite', 'campaign', '1', ?, 1, '{"invitations": ["aino@example.fi"]}', '{}')`, w.campaign)
	invited := int64(w.number(`SELECT max(id) FROM audit_log`))
	for name, refused := range map[string]contenttest.Answer{
		"another campaign's":      value(other, latest.ID, "sv.json_description", w.creator),
		"an unknown field":        value(w.campaign, latest.ID, "sv.nothing", w.creator),
		"a value not for showing": value(w.campaign, invited, "invitations", w.creator),
		"a stranger":              value(w.campaign, latest.ID, "sv.json_description", w.Person("Aino")),
	} {
		if refused.Status != 404 {
			t.Errorf("%s: %d %.80s", name, refused.Status, refused.Body)
		}
	}
}

// Without a bound one account could fill the disk with what its edits leave in the history.
func TestSave_IsRefusedBeyondADaysHistory(t *testing.T) {
	w := newWriter(t)
	w.saveStories(90_000)
	w.Exec(`UPDATE history_totals SET bytes = ?`, 20<<20-100_000)
	before := w.history()
	w.set(`{"place": "Inari"}`)
	refused := w.saveStories(90_000)
	if refused.Status != 429 || !strings.Contains(string(refused.Body), "history_limit") ||
		refused.Header.Get("Retry-After") != "43200" {
		t.Errorf("%d %s, Retry-After %s", refused.Status, refused.Body, refused.Header.Get("Retry-After"))
	}
	if len(w.history()) != len(before)+1 {
		t.Errorf("a refused change is in the history")
	}
	w.set(`{"place": "Utsjoki"}`)
	w.Advance(12 * time.Hour)
	if got := w.saveStories(90_000); got.Status != 200 {
		t.Errorf("the next day: %d %.300s", got.Status, got.Body)
	}
}
