//go:build unix

package campaigns_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/png"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/writing/changes"
)

var (
	walkEdits = flag.Int("walk", 200, "how many edits the random walk makes")
	walkSeed  = flag.Uint64("walkseed", 1, "what the random walk is made from")
)

// walk is a random walk over all calls that change what lists and pages show.
type walk struct {
	*contenttest.World
	t                *testing.T
	rnd              *rand.Rand
	people           []int64
	categories, tags []int64
	pictures         []string
	ids              []int64
	made             map[string]int // calls that were answered with a success, by name
}

// After any sequence of edits the read model equals one that is computed anew from its sources.
func TestReadModel_FollowsEveryEdit(t *testing.T) {
	w := newWalk(t)
	for n := range *walkEdits {
		w.step()
		if n%100 == 99 || n == *walkEdits-1 {
			w.check(n + 1)
		}
	}
	t.Logf("%d edits: %v", *walkEdits, w.made)
	for _, name := range []string{"begin", "language", "custom_language", "settings", "meta", "categories", "tags", "like",
		"stage", "goals", "team"} {
		if w.made[name] == 0 {
			t.Errorf("no %s among the edits: %v", name, w.made)
		}
	}
}

func newWalk(t *testing.T) *walk {
	w := &walk{World: contenttest.New(t), t: t, rnd: rand.New(rand.NewPCG(*walkSeed, 8)), made: map[string]int{}}
	for i := range 4 {
		w.people = append(w.people, w.Person(fmt.Sprintf("Person%d", i), "view", "edit"))
		w.categories = append(w.categories, w.Category(fmt.Sprintf("category%d", i)))
	}
	for i := range 12 {
		w.tags = append(w.tags, w.Tag(fmt.Sprintf("tag%d", i)))
	}
	for i := range 3 {
		var file bytes.Buffer
		if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 3, i+1))); err != nil {
			t.Fatal(err)
		}
		stored, err := w.Files.PutImage(t.Context(), "campaign", bytes.NewReader(file.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		w.pictures = append(w.pictures, stored.Name)
	}
	w.begin()
	return w
}

func (w *walk) step() {
	calls := []func(){w.language, w.language, w.language, w.custom, w.settings, w.settings, w.meta, w.chooseCategories,
		w.chooseTags, w.like, w.begin, w.move, w.goals, w.team}
	calls[w.rnd.IntN(len(calls))]()
}

func (w *walk) check(edits int) {
	w.t.Helper()
	rows, err := campaigns.RecomputePreviews(w.t.Context(), w.DB)
	if err != nil || len(rows) != 0 {
		w.t.Fatalf("after %d edits (seed %d): %v, %v", edits, *walkSeed, rows, err)
	}
	drift, err := campaigns.Recompute(w.t.Context(), w.DB)
	if err != nil || len(drift) != 0 {
		w.t.Fatalf("after %d edits (seed %d): %v, %v", edits, *walkSeed, drift, err)
	}
}

// send makes a call about a campaign; a refusal by a rule is an edit, too, but a fault of the service is none.
func (w *walk) send(name, method, path string, body map[string]any) {
	w.t.Helper()
	encoded, err := json.Marshal(body)
	if err != nil {
		w.t.Fatal(err)
	}
	answer := w.Send(method, path, bytes.NewReader(encoded), pick(w.rnd, w.people), "Content-Type", "application/json",
		"Accept-Language", "fi")
	switch {
	case answer.Status >= http.StatusInternalServerError:
		w.t.Fatalf("%s %s %s: %d %s", method, path, encoded, answer.Status, answer.Body)
	case answer.Status < http.StatusBadRequest:
		w.made[name]++
	}
}

func pick[T any](rnd *rand.Rand, list []T) T { return list[rnd.IntN(len(list))] }

// some is a few of a list, also none, also one twice.
func some[T any](rnd *rand.Rand, list []T, most int) []T {
	chosen := []T{}
	for range rnd.IntN(most + 1) {
		chosen = append(chosen, pick(rnd, list))
	}
	return chosen
}

func (w *walk) of(part string) string {
	return fmt.Sprintf("/campaigns/%d/%s/", pick(w.rnd, w.ids), part)
}

func (w *walk) words() string {
	return pick(w.rnd, []string{"", "Sauna", "Höyry järvellä", "Kylän talo", "Äänet & <b>sävelet</b>", "Winter",
		"Båt i \"hamn\""})
}

func (w *walk) begin() {
	switch w.rnd.IntN(3) {
	case 0:
		w.send("begin", http.MethodPost, "/campaigns/", map[string]any{"stage": pick(w.rnd, []int{0, 2, 6})})
	case 1:
		w.send("begin", http.MethodPost, "/v2/campaigns/", map[string]any{"title": "Uusi " + w.words(),
			"place": pick(w.rnd, []string{"Turku", "Inari"})})
	default:
		w.send("begin", http.MethodPost, "/v3/campaigns/", map[string]any{"title": "Uusi " + w.words(),
			"target_goal": w.rnd.IntN(90), "first_day_of_funding": "2026-12-01",
			"last_day_of_funding": "2026-12-24", "subscriptions_goals": []any{map[string]any{"target": 1 + w.rnd.IntN(9),
				"title": "Kiuas"}}})
	}
	if err := w.DB.Raw(`SELECT id FROM campaigns ORDER BY id`).Scan(&w.ids).Error; err != nil || len(w.ids) == 0 {
		w.t.Fatalf("%d campaigns, %v", len(w.ids), err)
	}
	w.Exec(`INSERT INTO campaign_team (campaign_id, user_id, position) SELECT ?, id, id FROM users ON CONFLICT DO NOTHING`, w.ids[len(w.ids)-1])
}

func (w *walk) language() {
	texts := map[string]any{}
	for _, field := range []string{"title", "tagline", "short_description", "about_creator", "project_pic_alt"} {
		if w.rnd.IntN(2) == 0 {
			texts[field] = w.words()
		}
	}
	if w.rnd.IntN(3) == 0 {
		texts["json_description"] = json.RawMessage(story(fmt.Sprint(w.rnd.IntN(9))))
	}
	w.send("language", http.MethodPatch, w.of("language"), map[string]any{pick(w.rnd, []string{"fi", "en", "sv"}): texts})
}

func (w *walk) custom() {
	w.send("custom_language", http.MethodPatch, w.of("custom_language/"+pick(w.rnd, []string{"fi", "en", "sv"})),
		map[string]any{"match_funding": map[string]any{"value": w.words()}})
}

func (w *walk) settings() {
	change := map[string]any{}
	values := map[string][]any{
		"place": {"", "Turku", "Åbo", "Rauma"}, "project_pic": {"", w.pictures[0], w.pictures[1]},
		"creator_pic": {"", w.pictures[2]},
		"video_url":   {"", "https://vimeo.com/7"}, "legal_creator": {"", "Sauna ry"}, "min_goal": {0, 10.5},
		"target_goal":          {0, 20, 5},
		"first_day_of_funding": {"", "2026-11-25"}, "last_day_of_funding": {"", "2026-12-25"},
		"funding_rule": {"all_or_nothing", "keep_what_is_raised"},
	}
	for _, field := range slices.Sorted(maps.Keys(values)) { // the same walk from the same seed
		if w.rnd.IntN(3) == 0 {
			change[field] = pick(w.rnd, values[field])
		}
	}
	w.send("settings", http.MethodPatch, w.of("settings"), change)
}

func (w *walk) meta() {
	w.send("meta", http.MethodPatch, w.of("meta"), map[string]any{"hideFundingAmount": w.rnd.IntN(2) == 0,
		"hideMemberCount": w.rnd.IntN(2) == 0})
}

func (w *walk) chooseCategories() {
	w.send("categories", http.MethodPost, w.of("categories"), map[string]any{"categories": some(w.rnd, w.categories, 3)})
}

func (w *walk) chooseTags() {
	w.send("tags", http.MethodPost, w.of("tags"), map[string]any{"tags": some(w.rnd, w.tags, 14)})
}

func (w *walk) goals() {
	list := []any{}
	for target := 1 + w.rnd.IntN(3); target < 9; target += 1 + w.rnd.IntN(6) {
		list = append(list, map[string]any{"target": target, "title": "Kiuas " + w.words()})
	}
	w.send("goals", http.MethodPost, w.of("subscriptions_goals"), map[string]any{"subscriptions_goals": list})
}

// team changes who is in a campaign's team, and with it the creator that lists show.
func (w *walk) team() {
	members := []any{}
	for _, i := range w.rnd.Perm(len(w.people))[:1+w.rnd.IntN(3)] {
		members = append(members, map[string]any{"user_id": w.people[i]})
	}
	w.send("team", http.MethodPatch, w.of("admin"), map[string]any{"team": members})
}

func (w *walk) like() {
	w.send("like", pick(w.rnd, []string{http.MethodPost, http.MethodDelete}), w.of("likes"), nil)
}

// move takes a campaign to another stage, as reviews and days do; what is not allowed is no step.
func (w *walk) move() {
	id, to := pick(w.rnd, w.ids), pick(w.rnd, []campaigns.Stage{campaigns.StagePreparing, campaigns.StageFunding,
		campaigns.StageRecurring})
	var ready bool
	if err := w.DB.Raw(`SELECT funding_deadline IS NOT NULL AND stage < 2 AND stage <> ? FROM campaigns WHERE id = ?`, to, id).Scan(&ready).Error; err != nil {
		w.t.Fatal(err)
	}
	if ready {
		w.Tx(func(ctx context.Context, tx *gorm.DB) error {
			return campaigns.MoveStage(ctx, tx, id, to, changes.Actor{Name: "scheduler"}, w.Now())
		})
		w.made["stage"]++
	}
}
