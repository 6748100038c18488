//go:build unix

package people_test

import (
	"testing"

	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/contenttest/bulk"
)

func TestPeople_AreReadWithoutReadingAGrowingTableWhole(t *testing.T) {
	w := contenttest.NewBulk(t)
	boss := admin(w, "Boss")
	w.Exec(`UPDATE campaign_previews SET preview = '{"title": "T", "categories": [], "tags": []}' WHERE campaign_id % 5000 = 41`) // of person 42
	for _, path := range []string{"/users/preview/", "/users/preview/?sort=newest", "/users/preview/?keyword=neuloo+4242", "/users/preview/?ids=1,2,3",
		"/users/preview/?tags=7", "/users/preview/?tags=7&keyword=neuloo", "/users/tags/", "/users/42/profile", "/users/admin/", "/users/admin/?keyword=4242%40example",
		"/users/admin/?state=blocked", "/users/admin/?state=staff", "/users/admin/?state=verified", "/users/42/admin/", "/audit/", "/audit/?entity=campaign",
		"/audit/?entity=campaign&entity_id=42", "/audit/?actor=42", "/audit/?actor=scheduler", "/audit/?from=2026-11-01&to=2026-11-02", "/users/me/profile"} {
		answer := w.Get(path, boss)
		if answer.Status != 200 {
			t.Errorf("%s: %d %s", path, answer.Status, answer.Body)
		}
		bulk.MustNotReadWhole(t, w.DB, answer.Statements)
	}
}
