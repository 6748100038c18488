//go:build unix

package campaigns_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
)

// changing is the fixture of a campaign to be changed.
type changing struct {
	*contenttest.World
	t              *testing.T
	id, creator    int64
	meta, settings string // addresses
}

func newChanging(t *testing.T, stage campaigns.Stage) *changing {
	w := contenttest.New(t)
	c := &changing{World: w, t: t, creator: w.Person("Reijo")}
	c.id = w.Campaign(sauna(w.Category("yhteiso"), nil, c.creator), stage)
	c.meta, c.settings = fmt.Sprintf("/campaigns/%d/meta/", c.id), fmt.Sprintf("/campaigns/%d/settings/", c.id)
	w.Exec(`DELETE FROM audit_log`) // rows of the stage changes
	return c
}

func (c *changing) version() int64 { return page(c.World, c.id, "fi", c.creator).Campaign.Version }

// trace is the audit rows: actor, action, version, before and after.
func (c *changing) trace() (rows []string) {
	c.t.Helper()
	err := c.DB.Raw(`SELECT concat_ws(' ', actor, actor_user_id, action, version, before, after) FROM audit_log
		WHERE entity = 'campaign' AND entity_id = ? ORDER BY id`, fmt.Sprint(c.id)).Scan(&rows).Error
	if err != nil {
		c.t.Fatal(err)
	}
	return rows
}

// wants checks an error: its status, and its fields with their rules.
func (c *changing) wants(answer contenttest.Answer, status int, key string, fields ...string) {
	c.t.Helper()
	var fault api.APIError
	if err := json.Unmarshal(answer.Body, &fault); err != nil {
		c.t.Fatalf("%v in %s", err, answer.Body)
	}
	var got []string
	if fault.Fields != nil {
		for _, f := range *fault.Fields {
			got = append(got, f.Path+" "+f.Rule)
		}
	}
	if answer.Status != status || fault.Status != key || !slices.Equal(got, fields) {
		c.t.Errorf("%d %s %q, want %d %s %q", answer.Status, fault.Status, got, status, key, fields)
	}
}

func TestChange_WritesWhatDiffersWithItsAuditRowAndItsPreview(t *testing.T) {
	c := newChanging(t, campaigns.StageDraft)
	first := c.version()
	answer := c.Patch(c.settings, `{"target_goal": 30000.5, "min_goal": 100, "legal_creator": " Lautta ry ", "contact_email": "hoyry@example.fi"}`, c.creator)
	var got api.CampaignSettingsAnswer
	answer.JSON(&got)
	if got.Version != first+1 || answer.Header.Get("ETag") != fmt.Sprintf(`"%d"`, first+1) {
		t.Errorf("version %d, ETag %s after version %d", got.Version, answer.Header.Get("ETag"), first)
	}
	if s := got.Settings; s.TargetGoal != 30_000_50 || s.MinGoal != 100_00 || *s.LegalCreator != "Lautta ry" ||
		s.FirstDayOfFunding.String() != "2026-10-20" {
		t.Errorf("settings %+v", s)
	}
	want := fmt.Sprintf(`user %d change_settings %d {"min_goal": 0, "target_goal": 24000.5, "legal_creator": ""} `+
		`{"min_goal": 100, "target_goal": 30000.5, "legal_creator": "Lautta ry"}`, c.creator, first+1)
	if trace := c.trace(); len(trace) != 1 || trace[0] != want {
		t.Errorf("audit rows %q, want %q", trace, want)
	}
	shown := page(c.World, c.id, "sv", c.creator).Campaign
	if shown.TargetGoal != 30_000_50 || shown.Creator.Name != "Lautta ry" || shown.Version != first+1 ||
		shown.Settings.ContactEmail != "hoyry@example.fi" {
		t.Errorf("the page shows %+v", shown)
	}
}

func TestChangeMeta_HidesMoneyFromListsAtOnce(t *testing.T) {
	c := newChanging(t, campaigns.StageFunding)
	c.Exec(`UPDATE campaign_totals SET funding_reached_minor = 5000 WHERE campaign_id = ?`, c.id)
	var got api.CampaignMetaAnswer
	c.Patch(c.meta, `{"hideFundingAmount": true, "external_link_1": "https://hoyry.example.fi"}`, c.creator).JSON(&got)
	if !got.Meta.HideFundingAmount || got.Meta.HideMemberCount || *got.Meta.ExternalLink1 != "https://hoyry.example.fi" {
		t.Errorf("meta %+v", got.Meta)
	}
	var listed int64
	if err := c.DB.Raw(`SELECT max(funding_reached_minor) FROM campaign_listings WHERE campaign_id = ?`, c.id).Scan(&listed).Error; err != nil || listed != 0 {
		t.Errorf("lists order by %d cents, %v", listed, err)
	}
	if shown := page(c.World, c.id, "fi", 0).Campaign; shown.FundingReached != 0 || !shown.HideFundingAmount ||
		*shown.Meta.ExternalLink1 != "https://hoyry.example.fi" {
		t.Errorf("the page shows %+v", shown)
	}
}

func TestChange_LeavesWhatIsAbsentAndClearsWhatIsEmpty(t *testing.T) {
	c := newChanging(t, campaigns.StageDraft)
	var got api.CampaignSettingsAnswer
	c.Patch(c.settings, `{"video_url": "", "last_day_of_funding": ""}`, c.creator).JSON(&got)
	if s := got.Settings; s.VideoURL != "" || s.LastDayOfFunding != nil || s.FirstDayOfFunding == nil ||
		s.ContactEmail != "hoyry@example.fi" || s.TargetGoal != 24_000_50 {
		t.Errorf("settings %+v", s)
	}
	var deadlines int
	if err := c.DB.Raw(`SELECT count(funding_deadline) FROM campaigns WHERE id = ?`, c.id).Scan(&deadlines).Error; err != nil || deadlines != 0 {
		t.Errorf("%d deadlines without a last day, %v", deadlines, err)
	}
	c.wants(c.Patch(c.settings, `{"contact_email": null}`, c.creator), http.StatusUnprocessableEntity, "invalid_fields", "contact_email required")
}

func TestChange_WithoutADifferenceWritesNothing(t *testing.T) {
	c := newChanging(t, campaigns.StageFunding)
	first := c.version()
	for _, body := range []string{`{}`, `{"contact_email": "hoyry@example.fi", "target_goal": 24000.50, "last_day_of_funding": "2026-12-01"}`} {
		answer := c.Patch(c.settings, body, c.creator)
		if answer.Status != http.StatusOK || answer.Header.Get("ETag") != fmt.Sprintf(`"%d"`, first) {
			t.Errorf("%s: %d, ETag %s", body, answer.Status, answer.Header.Get("ETag"))
		}
	}
	if trace := c.trace(); len(trace) != 0 || c.version() != first {
		t.Errorf("version %d after %d, audit rows %q", c.version(), first, trace)
	}
}

func TestChange_OfAnOlderVersionSaysWhatHasChangedSince(t *testing.T) {
	c := newChanging(t, campaigns.StageDraft)
	other := c.Person("Editor", "view", "edit")
	tag := fmt.Sprintf(`"%d"`, c.version())
	for _, change := range []struct{ path, body string }{
		{c.meta, `{"hideMemberCount": true}`}, {c.settings, `{"video_url": "https://vimeo.com/1", "target_goal": 1}`}, {c.settings, `{"target_goal": 2}`},
	} {
		if answer := c.Patch(change.path, change.body, other); answer.Status != http.StatusOK {
			t.Fatalf("%s: %s", change.body, answer.Body)
		}
	}
	late := c.Patch(c.settings, `{"contact_email": "uusi@example.fi"}`, c.creator, "If-Match", tag)
	c.wants(late, http.StatusPreconditionFailed, "changed_meanwhile", "hideMemberCount changed_meanwhile",
		"target_goal changed_meanwhile", "video_url changed_meanwhile")
	if want := fmt.Sprintf(`"version":%d`, c.version()); !strings.Contains(string(late.Body), want) {
		t.Errorf("no %s in %s", want, late.Body)
	}
	if len(c.trace()) != 3 {
		t.Errorf("audit rows %q", c.trace())
	}
	for _, known := range []string{fmt.Sprintf(`"%d"`, c.version()), "*"} {
		if answer := c.Patch(c.settings, `{"contact_email": "`+fmt.Sprint(c.version())+`@example.fi"}`, c.creator, "If-Match", known); answer.Status != http.StatusOK {
			t.Errorf("If-Match %s: %d %s", known, answer.Status, answer.Body)
		}
	}
	c.wants(c.Patch(c.settings, `{}`, c.creator, "If-Match", `"99"`), http.StatusPreconditionFailed, "changed_meanwhile")
	c.wants(c.Patch(c.settings, `{}`, c.creator, "If-Match", "seven"), http.StatusUnprocessableEntity, "invalid_fields", "If-Match format")
}

func TestChange_ByTwoAtOnceOfOneVersionIsMadeByOne(t *testing.T) {
	c := newChanging(t, campaigns.StageDraft)
	tag := fmt.Sprintf(`"%d"`, c.version())
	var all sync.WaitGroup
	status := make([]int, 8)
	for i := range status {
		all.Go(func() {
			status[i] = c.Patch(c.settings, fmt.Sprintf(`{"target_goal": %d}`, 1000+i), c.creator, "If-Match", tag).Status
		})
	}
	all.Wait()
	slices.Sort(status)
	if status[0] != http.StatusOK || status[1] != http.StatusPreconditionFailed ||
		status[7] != http.StatusPreconditionFailed || len(c.trace()) != 1 {
		t.Errorf("%v, audit rows %q", status, c.trace())
	}
}

func TestChange_OfDifferentFieldsAtOnceKeepsThemAll(t *testing.T) {
	c := newChanging(t, campaigns.StageDraft)
	first := c.version()
	bodies := []string{`{"target_goal": 7}`, `{"min_goal": 5}`, `{"contact_email": "a@example.fi"}`, `{"video_url": " https://player.vimeo.com/video/7?h=1 "}`}
	var all sync.WaitGroup
	for _, body := range bodies {
		all.Go(func() {
			if answer := c.Patch(c.settings, body, c.creator); answer.Status != http.StatusOK {
				t.Errorf("%s: %s", body, answer.Body)
			}
		})
	}
	all.Wait()
	shown := page(c.World, c.id, "fi", c.creator).Campaign
	if shown.TargetGoal != 7_00 || shown.MinGoal != 5_00 || shown.Settings.ContactEmail != "a@example.fi" ||
		shown.VideoURL != "https://vimeo.com/7" || shown.Version != first+4 {
		t.Errorf("the page shows %+v", shown)
	}
}

func TestChange_IsForThoseWhoMayEdit(t *testing.T) {
	for stage, stranger := range map[campaigns.Stage]int{campaigns.StageFunding: http.StatusForbidden,
		campaigns.StageDraft: http.StatusNotFound} {
		c := newChanging(t, stage)
		for _, path := range []string{c.meta, strings.TrimSuffix(c.settings, "/")} {
			for _, who := range []struct {
				id   int64
				want int
			}{
				{0, http.StatusUnauthorized}, {c.Person("Stranger"), stranger}, {c.creator, http.StatusOK},
				{c.Person("Editor", "view", "edit"), http.StatusOK}, {c.Person("Admin", "view", "admin"), http.StatusOK},
			} {
				if got := c.Patch(path, `{}`, who.id); got.Status != who.want {
					t.Errorf("stage %d, %s by %d: %d, want %d: %s", stage, path, who.id, got.Status, who.want, got.Body)
				}
			}
			if got := c.Patch(path, `{"hideMemberCount": true, "contact_email": "x@example.fi"}`, c.Person("Another")); got.Status < 400 {
				t.Errorf("a stranger's change: %d", got.Status)
			}
		}
		if len(c.trace()) != 0 {
			t.Errorf("audit rows %q", c.trace())
		}
		if got := c.Patch("/campaigns/4711/meta/", `{}`, c.creator); got.Status != http.StatusNotFound {
			t.Errorf("unknown campaign: %d", got.Status)
		}
	}
}

func TestChange_RefusesBrokenRulesAndReportsThemAll(t *testing.T) {
	c := newChanging(t, campaigns.StageDraft)
	const unprocessable, bad = http.StatusUnprocessableEntity, http.StatusBadRequest
	for _, tt := range []struct {
		path, body string
		status     int
		key        string
		fields     []string
	}{
		{c.meta, `{"stage": 2}`, bad, "unknown_field", []string{"stage unknown_field"}},
		{c.settings, `{"hideMemberCount": true}`, bad, "unknown_field", []string{"hideMemberCount unknown_field"}},
		{c.meta, `{"hideMemberCount": "yes"}`, bad, "malformed_body", []string{"hideMemberCount type"}},
		{c.meta, `{"external_link_1": "https://example.fi/` + strings.Repeat("x", 2000) + `"}`, unprocessable, "invalid_fields", []string{"external_link_1 max_length"}},
		{c.meta, `{"external_link_1": "javascript:alert(1)"}`, unprocessable, "invalid_fields", []string{"external_link_1 url"}},
		{c.meta, `{"legal_creator_type": "king"}`, unprocessable, "invalid_fields", []string{"legal_creator_type one_of"}},
		{c.settings, `{"legal_creator": "` + strings.Repeat("x", 201) + `"}`, unprocessable, "invalid_fields", []string{"legal_creator max_length"}},
		{c.settings, `{"legal_creator": "Talkoot"}`, unprocessable, "invalid_fields", []string{"legal_creator name_reserved"}},
		{c.settings, `{"legal_creator": "www.example.fi"}`, unprocessable, "invalid_fields", []string{"legal_creator name_link"}},
		{c.settings, `{"video_url": "https://example.fi/video", "contact_email": "nobody", "target_goal": 1.001, "first_day_of_funding": "2027-02-30"}`,
			unprocessable, "invalid_fields", []string{"target_goal decimals", "video_url video_url", "contact_email email",
				"first_day_of_funding date"}},
		{c.settings, `{"min_goal": -1}`, unprocessable, "invalid_fields", []string{"min_goal min_value"}},
		{c.settings, `{"min_goal": 30000}`, unprocessable, "invalid_fields", []string{"min_goal max_value"}},
		{c.settings, `{"min_goal": 30, "target_goal": 20}`, unprocessable, "invalid_fields", []string{"target_goal min_value"}},
		{c.settings, `{"first_day_of_funding": "2026-11-19"}`, unprocessable, "invalid_fields", []string{"first_day_of_funding date_from"}},
		{c.settings, `{"first_day_of_funding": "2026-12-02"}`, unprocessable, "invalid_fields", []string{"last_day_of_funding date_from"}},
		{c.settings, `{"last_day_of_funding": "2.12.2026"}`, unprocessable, "invalid_fields", []string{"last_day_of_funding format"}},
	} {
		t.Log(tt.body[:min(len(tt.body), 80)])
		c.wants(c.Patch(tt.path, tt.body, c.creator), tt.status, tt.key, tt.fields...)
	}
	if len(c.trace()) != 0 || c.version() != 1 {
		t.Errorf("version %d, audit rows %q", c.version(), c.trace())
	}
}

func TestChangeSettings_ADraftChangesItsLanguageAndWhatItOpensAsAndLaterDoesNot(t *testing.T) {
	c := newChanging(t, campaigns.StageDraft)
	if got := c.Patch(c.settings, `{"language": "sv", "opens_as": 6}`, c.creator); got.Status != http.StatusOK {
		t.Fatalf("of a draft: %d %s", got.Status, got.Body)
	}
	texts := fmt.Sprintf("/campaigns/%d/language/", c.id)
	if got := c.Patch(texts, `{"sv": {"title": "Bastu på sjön"}, "fi": {"title": "", "tagline": ""}}`, c.creator); got.Status != http.StatusOK {
		t.Fatalf("its texts: %d %s", got.Status, got.Body)
	}
	if shown := page(c.World, c.id, "sv", c.creator).Campaign; shown.Title != "Bastu på sjön" || shown.Slug != "bastu-pa-sjon" || shown.Language != "sv" {
		t.Errorf("the page shows %q at %q in %q", shown.Title, shown.Slug, shown.Language)
	}
	var opensAs int
	if err := c.DB.Raw(`SELECT opens_as FROM campaigns WHERE id = ?`, c.id).Scan(&opensAs).Error; err != nil || opensAs != 6 {
		t.Errorf("opens as %d, %v", opensAs, err)
	}
	c.wants(c.Patch(c.settings, `{"opens_as": 3}`, c.creator), http.StatusUnprocessableEntity, "invalid_fields", "opens_as one_of")
	for _, stage := range []campaigns.Stage{campaigns.StagePreparing, campaigns.StageFunding} {
		later := newChanging(t, stage)
		got := later.Patch(later.settings, `{"language": "sv", "opens_as": 6}`, later.creator)
		later.wants(got, http.StatusUnprocessableEntity, "invalid_fields", "language fixed", "opens_as fixed")
	}
}
