//go:build unix

package campaigns_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
)

func (c *changing) language() string { return fmt.Sprintf("/campaigns/%d/language/", c.id) }

func story(words string) string {
	return `{"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "` + words + `"}]}]}`
}

func TestChangeTexts_WritesTheLanguageThatDiffersAndRendersItsStory(t *testing.T) {
	c := newChanging(t, campaigns.StageFunding)
	first := c.version()
	var got api.CampaignLanguageAnswer
	c.Patch(c.language(), `{"en": {"title": " Sauna\n raft ", "json_description": `+story("Steam & <b>water</b>")+`, "project_pic_alt": "A raft"}, "fi": {}}`, c.creator).JSON(&got)
	if got.Version != first+1 || got.Language.En.Title != "Sauna raft" || got.Language.Fi == nil ||
		got.Language.Sv != nil || !got.Language.En.UpdatedAt.Equal(c.Now()) {
		t.Errorf("answer %+v", got)
	}
	shown := page(c.World, c.id, "en", 0).Campaign
	if shown.Title != "Sauna raft" || shown.HTMLDescription != "<p>Steam &amp; &lt;b&gt;water&lt;/b&gt;</p>" ||
		shown.LongDescription != "Steam & <b>water</b>" || *shown.ProjectPicAlt != "A raft" {
		t.Errorf("the page shows %q %q %q", shown.Title, shown.HTMLDescription, shown.LongDescription)
	}
	trace := c.trace()
	if len(trace) != 1 || !strings.Contains(trace[0], "change_language") || !strings.Contains(trace[0], `"en.project_pic_alt": "A raft"`) {
		t.Errorf("audit rows %q", trace)
	}
	var found int
	if err := c.DB.Raw(`SELECT count(*) FROM campaign_search WHERE campaign_id = ? AND language = 'en' AND search LIKE '%sauna raft%'`, c.id).Scan(&found).Error; err != nil || found != 1 {
		t.Errorf("the search finds %d, %v", found, err)
	}
	c.Patch(c.language(), `{"en": {"title": "Sauna raft", "json_description": `+story("Steam & <b>water</b>")+`}}`, c.creator).JSON(&got)
	if got.Version != first+1 || len(c.trace()) != 1 {
		t.Errorf("the same again is version %d", got.Version)
	}
}

func TestTexts_HoldNoInvisibleOrBidirectionalControlCharacters(t *testing.T) {
	c := newChanging(t, campaigns.StageRecurring)
	const hostile = `"\u202e Sau\u200bna\u2066\u2060 👨‍👩‍👧 "`
	c.Patch(c.language(), `{"fi": {"title": `+hostile+`, "tagline": `+hostile+`, "short_description": `+hostile+`, "about_creator": `+
		hostile+`, "project_pic_alt": `+hostile+`}}`, c.creator)
	c.Patch(fmt.Sprintf("/campaigns/%d/settings/", c.id), `{"place": `+hostile+`}`, c.creator)
	c.setGoals("fi", `{"target": 10, "title": `+hostile+`, "description": `+hostile+`}`)
	var rows []string
	err := c.DB.Raw(`SELECT unnest(ARRAY[title, tagline, short_description, about_creator, project_pic_alt]) FROM campaign_texts
			WHERE campaign_id = @id AND language = 'fi'
		UNION ALL SELECT place FROM campaigns WHERE id = @id
		UNION ALL SELECT unnest(ARRAY[t.title, t.description]) FROM subscription_goal_texts t JOIN subscription_goals g ON g.id = t.goal_id
			WHERE g.campaign_id = @id AND t.language = 'fi'`, map[string]any{"id": c.id}).Scan(&rows).Error
	if err != nil || len(rows) != 8 {
		t.Fatalf("%q, %v", rows, err)
	}
	for i, text := range rows {
		if text != "Sauna 👨‍👩‍👧" {
			t.Errorf("text %d is %q", i, text)
		}
	}
}

func TestChangeTexts_ADraftsSlugFollowsItsTitleAndStaysAfterwards(t *testing.T) {
	for stage, want := range map[campaigns.Stage]string{campaigns.StageDraft: "oinen-aani-jarvella",
		campaigns.StagePreparing: "sauna"} {
		c := newChanging(t, stage)
		c.Exec(`UPDATE campaigns SET slug = 'sauna' WHERE id = ?`, c.id)
		var got api.CampaignLanguageAnswer
		c.Patch(c.language(), `{"fi": {"title": "Öinen ääni Järvellä!"}, "en": {"title": "Night"}}`, c.creator).JSON(&got)
		if shown := page(c.World, c.id, "fi", c.creator).Campaign; got.Slug != want || shown.Slug != want {
			t.Errorf("stage %d: slug %s, the page has %s", stage, got.Slug, shown.Slug)
		}
	}
}

func TestChangeTexts_KeepAnApprovedTitleAndLetALanguageGo(t *testing.T) {
	c := newChanging(t, campaigns.StagePreparing)
	const unprocessable = http.StatusUnprocessableEntity
	c.wants(c.Patch(c.language(), `{"fi": {"title": " "}}`, c.creator), unprocessable, "invalid_fields", "fi.title required")
	c.wants(c.Patch(c.language(), `{"sv": {"tagline": "Bastu"}}`, c.creator), unprocessable, "invalid_fields", "sv.title required")
	for _, body := range []string{`{"sv": {"title": "Bastu", "tagline": "Flotte"}}`, `{"sv": {"title": "", "tagline": ""}}`} {
		var got api.CampaignLanguageAnswer
		c.Patch(c.language(), body, c.creator).JSON(&got)
	}
	if shown := page(c.World, c.id, "sv", 0).Campaign; strings.Contains(fmt.Sprint(shown.Languages), "sv") ||
		shown.Title == "" {
		t.Errorf("after its end in Swedish: %v %q", shown.Languages, shown.Title)
	}
	draft := newChanging(t, campaigns.StageDraft)
	var got api.CampaignLanguageAnswer
	draft.Patch(draft.language(), `{"fi": {"title": ""}, "sv": {"tagline": "Bastu"}}`, draft.creator).JSON(&got)
	if got.Language.Fi == nil || got.Language.Fi.Title != "" {
		t.Errorf("a draft without a title: %+v", got)
	}
}

func TestChangeTexts_RefusesWhatItDoesNotKeep(t *testing.T) {
	c := newChanging(t, campaigns.StageDraft)
	const unprocessable, bad = http.StatusUnprocessableEntity, http.StatusBadRequest
	for _, tt := range []struct {
		body   string
		status int
		key    string
		fields []string
	}{
		{`{"de": {"title": "Sauna"}}`, bad, "unknown_field", []string{"de unknown_field"}},
		{`{"fi": {"name": "Sauna"}}`, bad, "unknown_field", []string{"fi.name unknown_field"}},
		{`{"fi": {"title": 7}}`, bad, "malformed_body", []string{"fi.title type"}},
		{`{"fi": {"title": "` + strings.Repeat("x", 61) + `", "tagline": "` + strings.Repeat("x", 141) + `"}}`, unprocessable, "invalid_fields", []string{"fi.tagline max_length", "fi.title max_length"}},
		{`{"fi": {"json_description": "<p>a</p>"}}`, bad, "malformed_body", []string{"fi.json_description type"}},
		{`{"fi": {"json_description": {"type": "doc", "content": [{"type": "script"}]}}, "en": {"json_description": {"type": "doc", "content": [{"type": "paragraph", "attrs": {"onclick": "x"}}]}}}`,
			unprocessable, "invalid_fields", []string{"fi.json_description.content[0].type rich_text",
				"en.json_description.content[0].attrs.onclick unknown_field"}},
		{`{"fi": {"json_description": ` + story(strings.Repeat("x", 101<<10)) + `}}`, unprocessable, "invalid_fields", []string{"fi.json_description max_kilobytes"}},
		{`{"fi": {"json_description": ` + strings.Repeat(`{"type": "doc", "content": [`, 20) + strings.Repeat(`]}`, 20) + `}}`, bad, "malformed_body", nil},
		{`{"fi": {"tagline": "` + strings.Repeat("x", 1<<20) + `"}}`, http.StatusRequestEntityTooLarge, "body_too_large", nil},
	} {
		t.Log(tt.body[:min(len(tt.body), 80)])
		c.wants(c.Patch(c.language(), tt.body, c.creator), tt.status, tt.key, tt.fields...)
	}
	if len(c.trace()) != 0 {
		t.Errorf("audit rows %q", c.trace())
	}
	long := strings.TrimSuffix(strings.Repeat(`{"type": "paragraph", "content": [{"type": "text", "text": "a"}]},`, 1000), ",")
	if answer := c.Patch(c.language(), `{"fi": {"json_description": {"type": "doc", "content": [`+long+`]}}}`, c.creator); answer.Status != http.StatusOK {
		t.Errorf("a long story: %d %.200s", answer.Status, answer.Body)
	}
}

func TestChangeTexts_OfAnOlderVersionSaysWhatHasChanged(t *testing.T) {
	c := newChanging(t, campaigns.StageDraft)
	tag := fmt.Sprintf(`"%d"`, c.version())
	c.Patch(c.language(), `{"fi": {"tagline": "Uusi"}}`, c.creator)
	c.wants(c.Patch(c.language(), `{"fi": {"tagline": "Toinen"}}`, c.creator, "If-Match", tag), http.StatusPreconditionFailed, "changed_meanwhile", "fi.tagline changed_meanwhile")
}

func TestCustomTexts_AreMadeSafeAndFallBackByKey(t *testing.T) {
	c := newChanging(t, campaigns.StageFunding)
	custom := func(language string) string {
		return fmt.Sprintf("/campaigns/%d/custom_language/%s/", c.id, language)
	}
	var got api.CustomLanguageAnswer
	c.Patch(custom("fi"), `{"match_funding": {"value": "**Kunta** <script>x</script>", "format": "markdown"}, "thanks": {"value": "a <b>"}}`, c.creator).JSON(&got)
	if html := got.CustomLanguage["match_funding"].HTML; strings.TrimSpace(html) != "<p><strong>Kunta</strong> x</p>" ||
		got.CustomLanguage["thanks"].HTML != "<p>a &lt;b&gt;</p>" {
		t.Errorf("made %+v", got)
	}
	c.Patch(custom("en"), `{"thanks": {"value": "Thank you"}}`, c.creator).JSON(&got)
	shown := *page(c.World, c.id, "en", 0).Campaign.CustomLanguage
	if len(shown) != 2 || shown["thanks"].Value != "Thank you" || !strings.Contains(shown["match_funding"].Value,
		"Kunta") {
		t.Errorf("the page shows %+v", shown)
	}
	got = api.CustomLanguageAnswer{}
	c.Patch(custom("fi"), `{"match_funding": {"value": ""}, "nothing": {"value": ""}}`, c.creator).JSON(&got)
	if len(got.CustomLanguage) != 1 || len(*page(c.World, c.id, "fi", 0).Campaign.CustomLanguage) != 1 {
		t.Errorf("after one is gone %+v", got)
	}
	c.wants(c.Patch(custom("fi"), `{"Bad key": {"value": "a"}}`, c.creator), http.StatusUnprocessableEntity, "invalid_fields", "Bad key format")
	c.wants(c.Patch(custom("fi"), `{"match_funding": {"value": "![x](https://a.fi/a.jpg)", "format": "markdown"}}`, c.creator),
		http.StatusUnprocessableEntity, "invalid_fields", "match_funding rich_text")
	c.wants(c.Patch(custom("de"), `{"thanks": {"value": "a"}}`, c.creator), http.StatusNotFound, "not_found")
	var many []string
	for i := range 20 {
		many = append(many, fmt.Sprintf(`"key_%d": {"value": "a"}`, i))
	}
	c.wants(c.Patch(custom("fi"), "{"+strings.Join(many, ",")+"}", c.creator), http.StatusUnprocessableEntity,
		"invalid_fields", "custom_language max_value")
}

func TestSlugOf_IsReadableAndBounded(t *testing.T) {
	for title, want := range map[string]string{
		"Höyry: kylän yhteinen saunalautta": "hoyry-kylan-yhteinen-saunalautta",
		"Åbo – Ärlighet är Öppenhet":        "abo-arlighet-ar-oppenhet",
		"  C'est l’été!  ":                  "cest-lete", "Straße ÆØ łódź": "strasse-aeo-lodz", "Москва": "luonnos",
		"": "luonnos", "2 + 2": "2-2",
		strings.Repeat("saunalautta ", 10): "saunalautta-saunalautta-saunalautta-saunalautta-saunalautta-saunalautta",
		strings.Repeat("ä", 100):           strings.Repeat("a", 80),
	} {
		if got := campaigns.SlugOf(title, "fi"); got != want {
			t.Errorf("%q: %s, want %s", title, got, want)
		}
	}
	if campaigns.SlugOf("", "sv") != "utkast" || campaigns.SlugOf("!", "en") != "draft" {
		t.Error("untitled drafts of other languages")
	}
}
