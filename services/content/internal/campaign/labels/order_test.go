//go:build unix

package labels_test

import (
	"fmt"
	"strings"
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/contenttest"
)

func TestOrder_IsRefusedWhenItWasMadeFromAnotherThanThereIs(t *testing.T) {
	w := contenttest.New(t)
	boss, a, b, c := admin(w), w.Category("a"), w.Category("b"), w.Category("c")
	for _, step := range []struct{ wanted, seen, want string }{
		{"[3, 1, 2]", "[1, 2, 3]", "200 "},
		{"[2, 1, 3]", "[1, 2, 3]", "412 changed_meanwhile"}, // seen before that
		{"[3, 1, 2]", "[1, 2, 3]", "200 "},                  // the same again, such as when the answer was lost
		{"[2, 1, 3]", "[3, 1, 2]", "200 "},
		{"[2, 1]", "[2, 1]", "412 changed_meanwhile"}, // one has been added
		{"[2, 1, 3, 4]", "[2, 1, 3, 4]", "412 changed_meanwhile"},
		{"[2, 1]", "[2, 1, 3]", "422 one_of"},
		{"[2, 1, 1]", "[2, 1, 3]", "422 one_of"},
	} {
		ids := strings.NewReplacer("1", fmt.Sprint(a), "2", fmt.Sprint(b), "3", fmt.Sprint(c), "4", "999")
		answer := w.Post("/campaigns/categories/order/", ids.Replace(fmt.Sprintf(`{"categories": %s, "seen": %s}`, step.wanted, step.seen)), boss)
		status, word, _ := strings.Cut(step.want, " ")
		if fmt.Sprint(answer.Status) != status || !strings.Contains(string(answer.Body), word) {
			t.Errorf("%s from %s: %d %s, want %s", step.wanted, step.seen, answer.Status, answer.Body, step.want)
		}
	}
	var trail api.AuditAnswer
	w.Get("/audit/?entity=category", boss).JSON(&trail)
	if trail.Total != 2 {
		t.Errorf("%d orders are in the trail", trail.Total)
	}
}
