//go:build unix

package experiments_test

import (
	"fmt"
	"testing"
	"time"

	"talkoot.fi/content/internal/campaign/campaigns"
)

func (e team) linkable(slug string, stage campaigns.Stage, team ...int64) int64 {
	return e.Campaign(campaigns.New{Slug: slug, Language: "fi", CategoryID: e.Category(slug), TeamUserIDs: team,
		TargetGoalMinor: 100_00, FirstDay: "2026-11-01", LastDay: "2026-12-24",
		Texts: map[string]campaigns.Text{"fi": {Title: "Työkaluseinä Sampolaan"}}}, stage)
}

func link(campaign int64) string {
	return fmt.Sprintf(`{"sources": {"crowd": {"api": "talkoot", "campaign_id": %d}}}`, campaign)
}

func (e team) raises(campaign, minor int64) {
	e.t.Helper()
	e.Exec(`UPDATE campaign_totals SET funding_reached_minor = ? WHERE campaign_id = ?`, minor, campaign)
}

func TestFunding_TheCrowdsPartFollowsTheLinkedCampaign(t *testing.T) {
	e := newTeam(t)
	id := e.linkable("seina", campaigns.StageFunding, e.owner)
	e.Exec(`UPDATE experiments SET raised_minor = 700 WHERE id = ?`, e.id)
	e.patch(e.owner, "funding", `{"goal": 52000, "sources": {"state": {"raised": 100.5},
		"organizations": {"list": [{"name": " Ympäristöministeriö ", "raised": 10000}, {"name": "Pirkanmaan kierrätys", "raised": 4500.25}]}}}`, 200)
	e.patch(e.owner, "funding", link(id), 200)
	for _, raised := range []int64{0, 239_00, 12_345_67} {
		e.raises(id, raised)
		f := e.seenBy(0).Funding
		if int64(f.Sources.Crowd.Raised) != raised || int64(f.Raised) != raised+100_50+14_500_25 || f.Goal != 52_000_00 ||
			f.Sources.Crowd.Campaign.Title != "Työkaluseinä Sampolaan" || *f.Sources.Crowd.CampaignID != id {
			t.Errorf("at %d: %+v", raised, f)
		}
		if got := f.Sources.Organizations; got.Raised != 14_500_25 || got.List[0].Name != "Ympäristöministeriö" || len(got.List) != 2 {
			t.Errorf("%+v", got)
		}
	}
	// A campaign that hides its amount hides it here too.
	e.Exec(`UPDATE campaigns SET hide_funding_amount = true WHERE id = ?`, id)
	if f := e.seenBy(e.owner).Funding; f.Sources.Crowd.Raised != 0 || !*f.Sources.Crowd.Hidden || f.Raised != 14_600_75 {
		t.Errorf("%+v", f)
	}
	// Unlinked, nothing is left of it, nor of what was stated before.
	if f := e.patch(e.owner, "funding", link(0), 200).Funding; f.Sources.Crowd.CampaignID != nil || f.Sources.Crowd.Raised != 0 {
		t.Errorf("%+v", f)
	}
}

func TestFunding_ADraftsNameAndMoneyAreNotTold(t *testing.T) {
	e := newTeam(t)
	draft := e.linkable("luonnos", campaigns.StageDraft, e.owner)
	e.raises(draft, 500)
	e.patch(e.owner, "funding", link(draft), 200)
	if f := e.seenBy(0).Funding; f != nil {
		t.Errorf("visitors see %+v", f)
	}
	if crowd := e.do(e.member, "GET", "admin/fi", "", 200).Funding.Sources.Crowd; *crowd.CampaignID != draft || crowd.Campaign != nil || crowd.Raised != 0 {
		t.Errorf("the team sees %+v", crowd)
	}
}

func TestFunding_BadInputIsRefused(t *testing.T) {
	e := newTeam(t)
	foreign := e.linkable("muiden", campaigns.StageDraft, e.stranger)
	public := e.linkable("julkinen", campaigns.StageFunding, e.owner)
	for _, id := range []int64{foreign, 4711} {
		e.refused(e.owner, "PATCH", "funding", link(id), 422, "sources.crowd.campaign_id", "unknown_campaign")
	}
	others := e.linkable("toisten", campaigns.StageFunding, e.stranger)
	e.refused(e.owner, "PATCH", "funding", link(others), 422, "sources.crowd.campaign_id", "others_campaign")
	e.refused(e.owner, "PATCH", "funding", `{"currency": "SEK", "sources": {"crowd": {"campaign_id": `+fmt.Sprint(public)+`}}}`, 422, "unknown_campaign")
	e.patch(e.owner, "funding", link(public), 200)
	e.refused(e.owner, "PATCH", "funding", `{"currency": "SEK"}`, 422, "unknown_campaign")
	for body, want := range map[string]int{
		`{"goal": -1}`: 422, `{"goal": 1.005}`: 422, `{"goal": "5"}`: 400, `{"goal": 1e12}`: 422, `{"currency": "BTC"}`: 422,
		`{"sources": {"crowd": {"api": "kickstarter", "campaign_id": 1}}}`: 422, `{"sources": {"lottery": {}}}`: 400,
		`{"sources": {"organizations": {"list": [{"name": "", "raised": 1}]}}}`:               422,
		`{"sources": {"organizations": {"list": [{"name": "Str1pe", "raised": 1}]}}}`:         422,
		`{"sources": {"organizations": {"list": [{"name": "A", "raised": 1.005}]}}}`:          422,
		`{"sources": {"organizations": {"raised": 5, "list": [{"name": "A", "raised": 1}]}}}`: 422,
		`{"sources": {"organizations": {"raised": 1, "list": [{"name": "A", "raised": 1}]}}}`: 200,
		`{"sources": {"organizations": {"raised": 7, "list": []}}}`:                           200,
		`{"raised": 5}`: 400,
	} {
		if got := e.Patch(e.path("funding"), body, e.owner); got.Status != want {
			t.Errorf("%s: %d %s, want %d", body, got.Status, got.Body, want)
		}
	}
	if f := e.seenBy(0).Funding.Sources.Organizations; int64(f.Raised) != 1_00 && int64(f.Raised) != 7_00 {
		t.Errorf("%+v", f)
	}
}

func TestStages_GoForwardOneByOneWithWhatEachNeeds(t *testing.T) {
	e := newTeam(t)
	e.Exec(`UPDATE experiment_texts SET short_description = '' WHERE experiment_id = ?`, e.id)
	story := `"json_description": {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Tarina"}]}]}`
	tag := e.Tag("jakaminen")
	steps := []struct {
		missing string // for the next stage
		fill    []string
	}{
		{"[short_description json_description]", []string{"PATCH", "language/fi", `{"short_description": "Lyhyt", ` + story + `}`}},
		{"[geographic_location tags]", []string{"PATCH", "settings", `{"geographic_location": {"place": "Tampere"}}`, "POST", "tags", fmt.Sprintf(`{"tags": [%d]}`, tag)}},
		{"[custom_language.results]", []string{"PATCH", "custom_language/fi", `{"results": {"value": "1 914 lainaa"}}`}},
		{"[custom_language.adoption]", []string{"PATCH", "custom_language/fi", `{"adoption": {"value": "Kirjasto jatkaa"}}`}},
		{"[]", nil}, {"[]", nil},
	}
	for stage, step := range steps {
		now := e.do(e.owner, "GET", "admin/fi", "", 200)
		if now.Stage != stage || fmt.Sprint(now.StageNeeds) != step.missing {
			t.Fatalf("stage %d needs %v, want %d with %s", now.Stage, now.StageNeeds, stage, step.missing)
		}
		if step.fill != nil {
			e.refused(e.owner, "POST", "stagemoves", "", 409, "experiment_not_ready", now.StageNeeds[0])
			e.refused(e.owner, "PATCH", "settings", fmt.Sprintf(`{"stage": %d}`, stage+1), 409, "experiment_not_ready")
		}
		for i := 0; i < len(step.fill); i += 3 {
			e.do(e.owner, step.fill[i], step.fill[i+1], step.fill[i+2], 200)
		}
		e.Advance(24 * time.Hour)
		moved := e.do(e.member, "POST", "stagemoves", "", 200)
		if last := moved.StageDates[len(moved.StageDates)-1]; moved.Stage != stage+1 || last.Stage != stage+1 || !last.Since.Equal(e.Now()) {
			t.Errorf("moved to %d on %v", moved.Stage, moved.StageDates)
		}
	}
	e.refused(e.owner, "POST", "stagemoves", "", 409, "experiment_last_stage")
	if got := e.seenBy(0); len(got.StageDates) != 7 || got.CustomLanguage["results"].HTML != "<p>1 914 lainaa</p>" {
		t.Errorf("%v %v", got.StageDates, got.CustomLanguage)
	}
	var moves int
	if err := e.DB.Raw(`SELECT count(*) FROM audit_log WHERE entity = 'experiment' AND action = 'move_stage' AND actor_user_id = ?`,
		e.member).Scan(&moves).Error; err != nil || moves != 6 {
		t.Errorf("%d moves are in the audit log, %v", moves, err)
	}
}

// Otherwise a team came to a stage with what it takes away in the same request.
func TestStages_AreJudgedByWhatTheSameRequestSets(t *testing.T) {
	e := newTeam(t)
	e.patch(e.owner, "language/fi", `{"json_description": {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Tarina"}]}]}}`, 200)
	e.patch(e.owner, "language/sv", `{"title": "Försök"}`, 200)
	e.refused(e.owner, "PATCH", "settings", `{"stage": 1, "language": "sv"}`, 409, "short_description", "json_description")
	e.patch(e.owner, "settings", `{"stage": 1}`, 200)
	e.do(e.owner, "POST", "tags", fmt.Sprintf(`{"tags": [%d]}`, e.Tag("jakaminen")), 200)
	if got := e.patch(e.owner, "settings", `{"stage": 2, "geographic_location": {"place": "Tampere"}}`, 200); got.Stage != 2 {
		t.Errorf("stage %d", got.Stage)
	}
	e.patch(e.boss, "settings", `{"stage": 1}`, 200)
	e.refused(e.owner, "PATCH", "settings", `{"stage": 2, "geographic_location": {"place": " "}}`, 409, "geographic_location")
	if got := e.do(e.owner, "GET", "admin/fi", "", 200); got.Stage != 1 || got.GeographicLocation.Place != "Tampere" {
		t.Errorf("stage %d, %s", got.Stage, got.GeographicLocation.Place)
	}
}

func TestStages_StaffSetAnyAndATeamTheNext(t *testing.T) {
	e := newTeam(t)
	for _, body := range []string{`{"stage": 2}`, `{"stage": 6}`} {
		e.refused(e.owner, "PATCH", "settings", body, 422, `"path":"stage"`)
	}
	e.refused(e.owner, "PATCH", "settings", `{"stage": 7}`, 422)
	e.patch(e.boss, "settings", `{"stage": 5}`, 200)
	e.refused(e.owner, "PATCH", "settings", `{"stage": 4}`, 422, `"path":"stage"`)
	back := e.patch(e.boss, "settings", `{"stage": 2}`, 200)
	if back.Stage != 2 || len(back.StageDates) != 2 || back.StageDates[1].Stage != 2 {
		t.Errorf("%d %v", back.Stage, back.StageDates)
	}
}

// Two presses are one move: the second was made on a version that is no more.
func TestStages_AMoveWithTheVersionHappensOnce(t *testing.T) {
	e := newTeam(t)
	e.Exec(`UPDATE experiments SET stage = 4 WHERE id = ?`, e.id)
	e.do(e.owner, "POST", "stagemoves", "", 200, "If-Match", `"1"`)
	e.do(e.owner, "POST", "stagemoves", "", 412, "If-Match", `"1"`)
	if got := e.seenBy(0); got.Stage != 5 {
		t.Errorf("stage %d", got.Stage)
	}
}
