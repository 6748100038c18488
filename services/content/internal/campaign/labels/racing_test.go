//go:build unix

package labels_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/taxonomy"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/person/people"
	"talkoot.fi/content/internal/writing/changes"
)

// carrier is one of the three things that have tags.
type carrier struct {
	table, column string
	replace       func(ctx context.Context, tx *gorm.DB, from, into int64, limit int) (int, error)
	// add makes one with tags, whose owner is a person.
	add func(w *contenttest.World, owner int64, tags ...int64) (id int64)
	// save is the address of its own call.
	save func(id int64) string
}

var carriers = map[string]carrier{ //nolint:gochecknoglobals // a constant that Go cannot have
	"campaigns": {"campaign_tags", "campaign_id", campaigns.ReplaceTag,
		func(w *contenttest.World, owner int64, tags ...int64) int64 {
			return campaign(w, owner, w.Category(fmt.Sprint("c", owner)), tags...)
		},
		func(id int64) string { return fmt.Sprintf("/campaigns/%d/tags/", id) }},
	"experiments": {"experiment_tags", "experiment_id", experiments.ReplaceTag,
		func(w *contenttest.World, owner int64, tags ...int64) (id int64) {
			w.Tx(func(ctx context.Context, tx *gorm.DB) (err error) {
				id, err = experiments.Create(ctx, tx, experiments.New{Slug: "koe", Language: "fi", TeamUserIDs: []int64{owner},
					TagIDs: tags, Texts: map[string]experiments.Text{"fi": {Title: "Koe"}}}, w.Now())
				return err
			})
			return id
		},
		func(id int64) string { return fmt.Sprintf("/experiments/%d/tags/", id) }},
	"people": {"user_tags", "user_id", people.ReplaceTag,
		func(w *contenttest.World, owner int64, tags ...int64) int64 {
			w.Tx(func(ctx context.Context, tx *gorm.DB) error {
				return people.AddTags(ctx, tx, map[int64][]int64{owner: tags})
			})
			return owner
		},
		func(int64) string { return "/users/me/tags/" }},
}

// tagsOf are the tags that one has.
func (c carrier) tagsOf(t *testing.T, w *contenttest.World, id int64) (tags []int64) {
	t.Helper()
	if err := w.DB.Raw(`SELECT tag_id FROM `+c.table+` WHERE `+c.column+` = ? ORDER BY tag_id`, id).Scan(&tags).Error; err != nil {
		t.Fatal(err)
	}
	return tags
}

// merge puts a tag in another's place, as an admin.
func merge(w *contenttest.World, boss, from, into int64) contenttest.Answer {
	return w.Call(http.MethodDelete, fmt.Sprintf("/campaigns/tags/%d/?into=%d", from, into), boss)
}

// A batch of a merge in which somebody takes the tag off their own meanwhile is not full, and still not the last.
func TestMerge_WhileOneOfManyTakesTheTagOff_LosesItForNobodyElse(t *testing.T) {
	for name, c := range carriers {
		t.Run(name, func(t *testing.T) {
			w := contenttest.New(t)
			boss, from, into := admin(w), w.Tag("sauna"), w.Tag("löyly")
			var ids []int64
			for range 60 {
				ids = append(ids, c.add(w, w.Person("Aino"), from))
			}
			answers := w.Race(func(_ context.Context, tx *gorm.DB) error {
				return tx.Exec(`DELETE FROM `+c.table+` WHERE `+c.column+` = ?`, ids[0]).Error
			}, func() contenttest.Answer { return merge(w, boss, from, into) })
			if answers[0].Status != http.StatusNoContent {
				t.Fatalf("%d %s", answers[0].Status, answers[0].Body)
			}
			work(t, w)
			for i, id := range ids {
				want := []int64{into}
				if i == 0 {
					want = nil // what somebody has taken off does not come back as another
				}
				if got := c.tagsOf(t, w, id); !slices.Equal(got, want) {
					t.Errorf("number %d has %v, want %v", i, got, want)
				}
			}
		})
	}
}

// Who saves their tags beside a merge gets those that they chose: the other tag once, and not if they do not want it.
func TestMerge_WhileSomebodySavesTheirTags_LeavesThoseThatTheyChose(t *testing.T) {
	for name, c := range carriers {
		t.Run(name, func(t *testing.T) {
			w := contenttest.New(t)
			from, into, other := w.Tag("sauna"), w.Tag("löyly"), w.Tag("järvi")
			for _, chosen := range [][]int64{{into}, {into, other}, {other}} {
				owner := w.Person("Aino")
				id := c.add(w, owner, from)
				answers := w.Race(func(ctx context.Context, tx *gorm.DB) error {
					_, err := c.replace(ctx, tx, from, into, 50)
					return err
				}, func() contenttest.Answer {
					return w.Post(c.save(id), fmt.Sprintf(`{"tags": [%s]}`, strings.Trim(strings.ReplaceAll(fmt.Sprint(chosen), " ", ", "), "[]")), owner)
				})
				if got := c.tagsOf(t, w, id); answers[0].Status != http.StatusOK || !slices.Equal(got, chosen) {
					t.Errorf("%v were chosen: %d, has %v: %s", chosen, answers[0].Status, got, answers[0].Body)
				}
			}
			consistent(t, w)
		})
	}
}

// held keeps a campaign's save from ending: it has read the names that it chose, and waits to write its previews.
func held(campaignID int64) func(context.Context, *gorm.DB) error {
	return func(_ context.Context, tx *gorm.DB) error {
		return tx.Exec(`SELECT FROM campaign_previews WHERE campaign_id = ? FOR UPDATE`, campaignID).Error
	}
}

func TestRename_WhileACampaignChoosesTheName_ReachesItsPreview(t *testing.T) {
	for kind, labels := range map[string]string{"categories": "uusi luokka", "tags": "uusi tunniste"} {
		t.Run(kind, func(t *testing.T) {
			w := contenttest.New(t)
			boss, creator := admin(w), w.Person("Aino")
			id := campaign(w, creator, w.Category("old"))
			chosen := map[string]int64{"categories": w.Category("new"), "tags": w.Tag("new")}[kind]
			answers := w.Race(held(id),
				func() contenttest.Answer {
					return w.Post(fmt.Sprintf("/campaigns/%d/%s/", id, kind), fmt.Sprintf(`{%q: [%d]}`, kind, chosen), creator)
				},
				func() contenttest.Answer {
					return w.Patch(fmt.Sprintf("/campaigns/%s/%d/", kind, chosen), fmt.Sprintf(`{"labels": {"fi": %q}}`, labels), boss)
				})
			preview := w.Get(fmt.Sprintf("/campaigns/preview/fi/?campaign_ids=%d", id), 0)
			if answers[0].Status != http.StatusOK || answers[1].Status != http.StatusOK || !strings.Contains(string(preview.Body), labels) {
				t.Errorf("saved %d, renamed %d, shown %s", answers[0].Status, answers[1].Status, preview.Body)
			}
			consistent(t, w)
		})
	}
}

func TestCategory_ThatIsDeletedWhileSomebodyChoosesIt(t *testing.T) {
	begin := func(t *testing.T) (w *contenttest.World, boss, creator, old, chosen, campaignID int64) {
		t.Helper()
		w = contenttest.New(t)
		boss, creator, old, chosen = admin(w), w.Person("Aino"), w.Category("old"), w.Category("chosen")
		return w, boss, creator, old, chosen, campaign(w, creator, old)
	}
	// has fails the test unless a campaign has one category, which is there.
	has := func(t *testing.T, w *contenttest.World, id, want int64) {
		t.Helper()
		var found []int64
		err := w.DB.Raw(`SELECT x.category_id FROM campaign_categories x JOIN categories c ON c.id = x.category_id JOIN campaigns p ON p.id = x.campaign_id
			WHERE x.campaign_id = ? AND p.category_id = x.category_id`, id).Scan(&found).Error
		if err != nil || !slices.Equal(found, []int64{want}) {
			t.Errorf("the campaign has %v, want %d: %v", found, want, err)
		}
		consistent(t, w)
	}
	remove := func(boss, id int64, w *contenttest.World) func(context.Context, *gorm.DB) error {
		return func(ctx context.Context, tx *gorm.DB) error {
			return taxonomy.DeleteCategory(ctx, tx, taxonomy.Edit{ID: id, By: changes.User(boss), Now: w.Now()})
		}
	}
	choose := func(w *contenttest.World, creator, campaignID, category int64) func() contenttest.Answer {
		return func() contenttest.Answer {
			return w.Post(fmt.Sprintf("/campaigns/%d/categories/", campaignID), fmt.Sprintf(`{"categories": [%d]}`, category), creator)
		}
	}
	t.Run("the deletion was faster: the choice is refused, and the campaign keeps what it had", func(t *testing.T) {
		w, boss, creator, old, chosen, id := begin(t)
		got := w.Race(remove(boss, chosen, w), choose(w, creator, id, chosen))[0]
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(string(got.Body), `categories[0]`) {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		has(t, w, id, old)
	})
	t.Run("the choice was faster: the deletion is refused, and the campaign keeps what it chose", func(t *testing.T) {
		w, boss, creator, _, chosen, id := begin(t)
		answers := w.Race(held(id), choose(w, creator, id, chosen), func() contenttest.Answer {
			return w.Call(http.MethodDelete, fmt.Sprintf("/campaigns/categories/%d/", chosen), boss)
		})
		if answers[0].Status != http.StatusOK || answers[1].Status != http.StatusConflict || !strings.Contains(string(answers[1].Body), "category_in_use") {
			t.Errorf("chosen %d, deleted %d %s", answers[0].Status, answers[1].Status, answers[1].Body)
		}
		has(t, w, id, chosen)
	})
	t.Run("a draft that names none gets the next", func(t *testing.T) {
		w := contenttest.New(t)
		boss, creator, first, next := admin(w), w.Person("Aino"), w.Category("first"), w.Category("next")
		got := w.Race(remove(boss, first, w), func() contenttest.Answer { return w.Post("/campaigns/", `{}`, creator) })[0]
		if got.Status != http.StatusCreated {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		var id int64
		if err := w.DB.Raw(`SELECT max(id) FROM campaigns`).Scan(&id).Error; err != nil {
			t.Fatal(err)
		}
		has(t, w, id, next)
	})
}
