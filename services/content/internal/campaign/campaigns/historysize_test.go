//go:build unix

package campaigns_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/content/internal/contenttest"
)

// A page of a history of the largest texts stays small, and is read soon.
func TestHistory_OfTheLargestTextsIsSmall(t *testing.T) {
	w := contenttest.New(t)
	creator := w.Person("Reijo")
	id := w.ReadyDraft("katto", creator)
	letters := make([]byte, 90_000)
	for range 6 {
		for i := range letters {
			letters[i] = "abcdefghijklmnopqrstuvwxyz "[rand.IntN(27)]
		}
		story := `{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"` + string(letters) + `"}]}]}`
		body := `{"fi": {"json_description": ` + story + `}, "en": {"title": "x", "json_description": ` + story + `},
			"sv": {"title": "x", "json_description": ` + story + `}}`
		if got := w.Patch(fmt.Sprintf("/campaigns/%d/language/", id), body, creator); got.Status != http.StatusOK {
			t.Fatalf("%d %.300s", got.Status, got.Body)
		}
	}
	began := time.Now()
	got := w.Get(fmt.Sprintf("/campaigns/%d/history/?limit=100", id), creator)
	took := time.Since(began)
	var kept int
	if err := w.DB.Raw(`SELECT pg_total_relation_size('audit_log')`).Scan(&kept).Error; err != nil {
		t.Fatal(err)
	}
	t.Logf("history of %d bytes in %s; the audit log takes %d kB for 6 edits", len(got.Body), took, kept>>10)
	if got.Status != http.StatusOK || len(got.Body) > 100_000 ||
		strings.Contains(string(got.Body), string(letters[:50])) || took > 5*time.Second {
		t.Errorf("%d, %d bytes, %s", got.Status, len(got.Body), took)
	}
}
