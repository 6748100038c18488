//go:build unix

package campaigns_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/writing/changes"
)

func TestSetCategories_KeepsTheMainOneFirstAndListsFollow(t *testing.T) {
	c := newChanging(t, campaigns.StageFunding)
	a, b := c.Category("kirjat"), c.Category("musiikki")
	path := fmt.Sprintf("/campaigns/%d/categories/", c.id)
	var got api.CampaignCategoriesAnswer
	c.Post(path, fmt.Sprintf(`{"categories": [%d, %d, %d]}`, b, a, b), c.creator).JSON(&got)
	shown := page(c.World, c.id, "fi", 0).Campaign
	if !slices.Equal(got.Categories, []int64{b, a}) || *shown.Category != "musiikki fi" || len(shown.Categories) != 2 {
		t.Errorf("set %v, the page shows %v %v", got.Categories, *shown.Category, shown.Categories)
	}
	if c.Post(path, fmt.Sprintf(`{"categories": [%d, %d]}`, b, a), c.creator).JSON(&got); len(c.trace()) != 1 {
		t.Errorf("the same again: audit rows %q", c.trace())
	}
	const unprocessable = http.StatusUnprocessableEntity
	c.wants(c.Post(path, fmt.Sprintf(`{"categories": [%d, 4711]}`, a), c.creator), unprocessable, "invalid_fields", "categories[1] one_of")
	c.wants(c.Post(path, `{"categories": []}`, c.creator), unprocessable, "invalid_fields", "categories min_value")
	c.wants(c.Post(path, `{"categories": [1, 2, 3, 4]}`, c.creator), unprocessable, "invalid_fields", "categories max_value")
	c.stale()
}

func TestSetTags_CountsEachOnceAndNoMoreThanTen(t *testing.T) {
	c := newChanging(t, campaigns.StageFunding)
	path := fmt.Sprintf("/campaigns/%d/tags/", c.id)
	var ids []string
	for i := range 11 {
		ids = append(ids, fmt.Sprint(c.Tag(fmt.Sprintf("tag%02d", i))))
	}
	var got api.CampaignTagsAnswer
	c.Post(path, `{"tags": [`+strings.Join(append(ids[:10:10], ids[:10]...), ",")+`]}`, c.creator, "Accept-Language", "en").JSON(&got)
	if len(got.Tags) != 10 || got.Tags[0].Label != "tag00 en" || len(page(c.World, c.id, "fi", 0).Campaign.Tags) != 10 {
		t.Errorf("set %v", got.Tags)
	}
	const unprocessable = http.StatusUnprocessableEntity
	c.wants(c.Post(path, `{"tags": [`+strings.Join(ids, ",")+`]}`, c.creator), unprocessable, "invalid_fields", "tags max_value")
	c.wants(c.Post(path, `{"tags": [4711, `+ids[0]+`]}`, c.creator), unprocessable, "invalid_fields", "tags[0] one_of")
	c.stale()
	if c.Post(path, `{"tags": []}`, c.creator).JSON(&got); len(got.Tags) != 0 {
		t.Errorf("none: %v", got.Tags)
	}
	c.stale()
}

func TestChangeSettings_TakesPicturesThatAreStored(t *testing.T) {
	c := newChanging(t, campaigns.StageDraft)
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	stored, err := c.Files.PutImage(t.Context(), "campaign", bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	var got api.CampaignSettingsAnswer
	c.Patch(c.settings, fmt.Sprintf(`{"project_pic": %q, "creator_pic": %q, "place": " Inari ", "funding_rule": "keep_what_is_raised"}`, stored.Name, stored.Name), c.creator).JSON(&got)
	shown := page(c.World, c.id, "fi", c.creator).Campaign
	if got.Settings.ProjectPic != stored.Name || shown.ProjectPic != stored.Name || *shown.CreatorPic != stored.Name ||
		shown.Place != "Inari" || shown.FundingRule != "keep_what_is_raised" {
		t.Errorf("set %+v, the page shows %s", got.Settings, shown.ProjectPic)
	}
	for _, name := range []string{"campaign-0a.jpg", "../../etc/passwd", "https://evil.example/a.jpg", "a b"} {
		c.wants(c.Patch(c.settings, fmt.Sprintf(`{"project_pic": %q, "creator_pic": %q}`, name, stored.Name), c.creator),
			http.StatusUnprocessableEntity, "invalid_fields", "project_pic unknown_picture")
	}
	c.Patch(c.settings, `{"project_pic": ""}`, c.creator).JSON(&got)
	if drawn := page(c.World, c.id, "fi", c.creator).Campaign.ProjectPic; got.Settings.ProjectPic != "" ||
		drawn == stored.Name {
		t.Errorf("without a cover it has %q", drawn)
	}
}

func TestHistory_TellsWhoChangedWhatAndHidesWhatIsNotForShowing(t *testing.T) {
	c := newChanging(t, campaigns.StageFunding)
	editor := c.Person("Elli", "view", "edit")
	c.Patch(c.settings, `{"place": "Inari"}`, c.creator)
	c.Patch(c.language(), `{"fi": {"tagline": "Uusi", "json_description": `+story(strings.Repeat("x", 9000))+`}}`, editor)
	var reward, post int64
	c.Tx(func(ctx context.Context, tx *gorm.DB) error {
		if err := tx.Raw(`INSERT INTO rewards (campaign_id, amount_minor, created_at) VALUES (?, 100, now()) RETURNING id`, c.id).Scan(&reward).Error; err != nil {
			return err
		}
		if err := tx.Raw(`INSERT INTO posts (campaign_id, author_id, language, created_at) VALUES (?, ?, 'fi', now()) RETURNING id`, c.id, c.creator).Scan(&post).Error; err != nil {
			return err
		}
		for entity, id := range map[string]int64{"reward": reward, "post": post} {
			if err := changes.Record(ctx, tx, "delete_"+entity, entity, id, changes.User(c.creator), nil,
				map[string]any{"stock": 4}, c.Now()); err != nil {
				return err
			}
		}
		before := map[string]any{"team": []string{"salainen@example.fi"}, "payment_account_id": "acct_1"}
		return changes.Record(ctx, tx, "change_team", "campaign", c.id, changes.Actor{Name: "scheduler"}, before, before,
			c.Now())
	})
	c.Exec(`DELETE FROM rewards WHERE id = ?`, reward)
	path := fmt.Sprintf("/campaigns/%d/history/", c.id)
	answer := c.Get(path, c.creator)
	var got api.HistoryAnswer
	answer.JSON(&got)
	if got.Total != 5 || len(got.Changes) != 5 || len(answer.Statements) > 3 {
		t.Fatalf("%d changes in %d statements: %s", got.Total, len(answer.Statements), answer.Body)
	}
	if first := got.Changes[0]; first.By.Actor != "scheduler" || first.By.Name != "" || first.Fields[1].Path != "team" ||
		first.Fields[1].Before != nil {
		t.Errorf("the latest is %+v", first)
	}
	if strings.Contains(string(answer.Body), "salainen") || strings.Contains(string(answer.Body), "acct_1") {
		t.Errorf("it tells too much: %s", answer.Body)
	}
	if got.Changes[1].EntityID+got.Changes[2].EntityID != reward+post {
		t.Errorf("of reward and post: %+v", got.Changes[1:3])
	}
	texts := got.Changes[3]
	if texts.By.Name != "Elli Testinen" || *texts.By.UserID != editor || texts.Fields[0].Path != "fi.json_description" ||
		texts.Fields[0].After != nil ||
		texts.Fields[1].After != "Uusi" || got.Changes[4].Fields[0].After != "Inari" {
		t.Errorf("of texts and settings: %+v", got.Changes[3:])
	}
	c.Get(path+"?limit=2&offset=4", c.creator).JSON(&got)
	if len(got.Changes) != 1 || got.Total != 5 || got.Changes[0].Action != "change_settings" {
		t.Errorf("the last page %+v", got)
	}
	c.wants(c.Get(path, c.Person("Stranger")), http.StatusForbidden, "forbidden")
}

// stale fails the test when the read model differs from one that is computed anew from its sources.
func (c *changing) stale() {
	c.t.Helper()
	rows, err := campaigns.RecomputePreviews(c.t.Context(), c.DB)
	if err != nil || len(rows) != 0 {
		c.t.Fatalf("stale rows %v, %v", rows, err)
	}
}

func TestRecomputePreviews_NamesEachKindOfStaleRow(t *testing.T) {
	c := newChanging(t, campaigns.StageFunding)
	c.stale()
	for change, want := range map[string]string{
		`UPDATE campaign_previews SET preview = jsonb_set(CAST(preview AS jsonb), '{title}', '"x"')::json WHERE language = 'en'`: "preview en",
		`DELETE FROM campaign_previews WHERE language = 'fi'`:                                                                    "preview fi",
		`UPDATE campaign_search SET search = 'x' WHERE language = 'sv'`:                                                          "search sv",
		`UPDATE campaign_listings SET popularity = 99 WHERE category_id = 0`:                                                     "listing 0 0",
		`UPDATE campaign_listings SET funding_deadline = NULL WHERE tag_id = 0 AND category_id = 0`:                              "listing 0 0",
	} {
		c.Exec(change)
		rows, err := campaigns.RecomputePreviews(t.Context(), c.DB)
		if err != nil || !slices.Contains(rows, campaigns.Stale{CampaignID: c.id, Row: want}) {
			t.Errorf("%s: %v, %v", change, rows, err)
		}
		c.Tx(func(ctx context.Context, tx *gorm.DB) error { return campaigns.RefreshPreviews(ctx, tx, c.id) })
		c.stale()
	}
}
