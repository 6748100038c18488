//go:build unix

package campaigns_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/richtext"
)

// sauna is a campaign with every field that a page shows.
func sauna(category int64, tags []int64, team ...int64) campaigns.New {
	return campaigns.New{
		Slug: "hoyry", Language: "fi", CategoryID: category, TagIDs: tags, TeamUserIDs: team, Place: "Pielavesi",
		TargetGoalMinor: 2_400_050, FirstDay: "2026-10-20", LastDay: "2026-12-01", ContactEmail: "hoyry@example.fi",
		VideoURL: "https://www.youtube.com/watch?v=h8yrytalk01",
		Texts: map[string]campaigns.Text{
			"fi": {Title: "Höyry – saunalautta järvelle", Tagline: "Lainaa", ShortDescription: "Pielaveden talkooväki",
				Story: richtext.Doc{Content: []richtext.Node{{Type: richtext.Paragraph,
					Content: []richtext.Node{{Type: richtext.TextNode, Text: "Tarina & löyly"}}}}}},
			"en": {Title: "Höyry, a sauna raft"},
		},
	}
}

func page(w *contenttest.World, id int64, language string, as int64) api.CampaignAnswer {
	var answer api.CampaignAnswer
	w.Get(fmt.Sprintf("/campaigns/%d/%s/", id, language), as).JSON(&answer)
	return answer
}

func TestCampaign_ShowsItsPageInOneStatement(t *testing.T) {
	w := contenttest.New(t)
	creator := w.Person("Reijo")
	id := w.Campaign(sauna(w.Category("yhteiso"), []int64{w.Tag("sauna")}, creator), campaigns.StageFunding)

	answer := w.Get(fmt.Sprintf("/campaigns/%d/fi/", id), 0)
	if len(answer.Statements) != 1 {
		t.Errorf("%d statements: %q", len(answer.Statements), answer.Statements)
	}
	c := page(w, id, "FI", 0).Campaign
	if c.Title != "Höyry – saunalautta järvelle" || c.HTMLDescription != "<p>Tarina &amp; löyly</p>" ||
		c.LongDescription != "Tarina & löyly" {
		t.Errorf("texts: %q, %q, %q", c.Title, c.HTMLDescription, c.LongDescription)
	}
	if c.TargetGoal != 2_400_050 || !strings.Contains(string(answer.Body), `"target_goal": 24000.5,`) {
		t.Errorf("goal %d in %s", c.TargetGoal, answer.Body)
	}
	if c.ProjectPic != "scene-hoyry.svg" || c.Creator.Image != fmt.Sprintf("avatar-%d.svg", creator) ||
		c.Creator.Name != "Reijo Testinen" {
		t.Errorf("pictures %q, %q of %q", c.ProjectPic, c.Creator.Image, c.Creator.Name)
	}
	if c.Category == nil || *c.Category != "yhteiso fi" || len(c.Categories) != 1 || len(c.Tags) != 1 ||
		c.Tags[0].Label != "sauna fi" {
		t.Errorf("taxonomy %v %v %v", c.Category, c.Categories, c.Tags)
	}
	if strings.Join(c.Languages, " ") != "en fi" || c.HasVideo == nil || !*c.HasVideo || c.Subscriptions != nil {
		t.Errorf("languages %v, video %v, subscriptions %v", c.Languages, c.HasVideo, c.Subscriptions)
	}
	// Helsinki is two hours ahead of UTC in December and three on 20 October.
	if c.FundingStart.Format("2006-01-02T15:04:05Z") != "2026-10-19T21:00:00Z" ||
		c.FundingDeadline.Format("2006-01-02T15:04:05Z") != "2026-12-01T21:59:59Z" {
		t.Errorf("from %v to %v", c.FundingStart, c.FundingDeadline)
	}
	if c.FirstDayOfFunding.String() != "2026-10-20" || c.Settings.LastDayOfFunding.String() != "2026-12-01" {
		t.Errorf("days %v, %v", c.FirstDayOfFunding, c.Settings.LastDayOfFunding)
	}
}

func TestCampaign_TextsFallBackToTheCampaignsOwnLanguage(t *testing.T) {
	w := contenttest.New(t)
	id := w.Campaign(sauna(w.Category("yhteiso"), []int64{w.Tag("sauna")}, w.Person("Reijo")), campaigns.StageFunding)

	sv := page(w, id, "sv", 0).Campaign
	if sv.Language != "fi" || sv.HTMLDescription == "" || *sv.Category != "yhteiso sv" || sv.Tags[0].Label != "sauna en" {
		t.Errorf("sv: %s, %q, %s, %s", sv.Language, sv.HTMLDescription, *sv.Category, sv.Tags[0].Label)
	}
	if en := page(w, id, "en", 0).Campaign; en.Language != "en" || en.Title != "Höyry, a sauna raft" ||
		en.HTMLDescription != "" {
		t.Errorf("en: %s, %q, %q", en.Language, en.Title, en.HTMLDescription)
	}
}

func TestACL_TeamEditsStaffEditsAdminsAdminister(t *testing.T) {
	w := contenttest.New(t)
	member, stranger := w.Person("Member"), w.Person("Stranger")
	editor, admin := w.Person("Editor", "view", "edit"), w.Person("Admin", "view", "admin")
	n := sauna(w.Category("yhteiso"), nil, w.Person("Creator"), member)
	public, draft := w.Campaign(n, campaigns.StageFunding), w.Campaign(n, campaigns.StageDraft)

	for _, tt := range []struct {
		name string
		as   int64
		want string // in the order view, edit, admin
	}{
		{"anonymous", 0, "view"}, {"stranger", stranger, "view"}, {"member", member, "view edit"},
		{"editor", editor, "view edit"}, {"admin", admin, "view edit admin"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			answer := page(w, public, "fi", tt.as)
			if got := strings.Join(asStrings(answer.ACL), " "); got != tt.want ||
				fmt.Sprint(answer.Campaign.ACL) != fmt.Sprint(answer.ACL) {
				t.Errorf("acl %q, in the campaign %v, want %q", got, answer.Campaign.ACL, tt.want)
			}
			wantStatus := http.StatusOK
			if tt.want == "view" {
				wantStatus = http.StatusNotFound
			}
			for _, path := range []string{"fi/", "backers/", "rewards/fi/", "posts/", "posts/preview/"} {
				if got := w.Get(fmt.Sprintf("/campaigns/%d/%s", draft, path), tt.as).Status; got != wantStatus {
					t.Errorf("draft's %s: %d, want %d", path, got, wantStatus)
				}
			}
		})
	}
}

func asStrings[S ~string](list []S) (texts []string) {
	for _, s := range list {
		texts = append(texts, string(s))
	}
	return texts
}

func TestUnknownCampaigns_AreNotFound(t *testing.T) {
	w := contenttest.New(t)
	who := w.Person("Reijo", "view", "admin")
	for _, path := range []string{"fi/", "backers/", "rewards/fi/", "posts/", "posts/preview/", "posts/1/"} {
		if got := w.Get("/campaigns/4711/"+path, who).Status; got != http.StatusNotFound {
			t.Errorf("%s: %d", path, got)
		}
	}
	for _, method := range []string{http.MethodPost, http.MethodDelete} {
		if got := w.Call(method, "/campaigns/4711/likes/", who).Status; got != http.StatusNotFound {
			t.Errorf("%s likes: %d", method, got)
		}
	}
}

func TestHiddenNumbers_AreZeroEverywhere(t *testing.T) {
	w := contenttest.New(t)
	n := sauna(w.Category("yhteiso"), nil, w.Person("Reijo"))
	n.HideFundingAmount, n.HideMemberCount = true, true
	id := w.Campaign(n, campaigns.StageFunding)
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		number, err := campaigns.AddToTotals(ctx, tx, id, campaigns.Backing{}, campaigns.TotalsChange{ReachedMinor: 12_345, SettlingMinor: 678,
			Backers: 3})
		if number != 3 {
			t.Errorf("the last backer is number %d, want 3", number)
		}
		return err
	})
	var popularity int
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		return tx.WithContext(ctx).Raw(`SELECT max(popularity) FROM campaign_listings WHERE campaign_id = ?`, id).Scan(&popularity).Error
	})
	if popularity != 0 {
		t.Errorf("the order of lists counts %d hidden backers", popularity)
	}
	c := page(w, id, "fi", 0).Campaign
	if c.FundingReached != 0 || c.FundingSettling != 0 || c.NumberOfBackers != 0 || c.Counts.Backers != 0 {
		t.Errorf("reached %d, settling %d, backers %d and %d", c.FundingReached, c.FundingSettling, c.NumberOfBackers,
			c.Counts.Backers)
	}
	if !c.HideFundingAmount || !c.Meta.HideFundingAmount || !c.HideMemberCount || !c.Meta.HideMemberCount {
		t.Error("the page does not say that they are hidden")
	}
}

func TestAddToTotals_MovesThePreviewsNumbersExactly(t *testing.T) {
	w := contenttest.New(t)
	id := w.Campaign(sauna(w.Category("yhteiso"), nil, w.Person("Reijo")), campaigns.StageFunding)
	add := func(change campaigns.TotalsChange) {
		w.Tx(func(ctx context.Context, tx *gorm.DB) error {
			_, err := campaigns.AddToTotals(ctx, tx, id, campaigns.Backing{}, change)
			return err
		})
	}
	add(campaigns.TotalsChange{ReachedMinor: 1_842_000, SettlingMinor: 5, Backers: 2})
	add(campaigns.TotalsChange{ReachedMinor: -1_000, SettlingMinor: 1_245, Backers: -1})
	for _, language := range []string{"fi", "en", "sv"} {
		if c := page(w, id, language, 0).Campaign; c.FundingReached != 1_841_000 || c.FundingSettling != 1_250 ||
			c.NumberOfBackers != 1 {
			t.Errorf("%s: reached %d, settling %d, backers %d", language, c.FundingReached, c.FundingSettling, c.NumberOfBackers)
		}
	}
	drifts, err := campaigns.Recompute(t.Context(), w.DB)
	if err != nil {
		t.Fatal(err)
	}
	// There are no pledges for these numbers, which Recompute must report.
	want := map[string]int64{"funding_reached_minor": 1_841_000, "funding_settling_minor": 1_250, "backers": 1,
		"last_backer_number": 2, "listed_funding_reached_minor": 1_841_000}
	if len(drifts) != len(want) {
		t.Errorf("drifts %+v", drifts)
	}
	for _, d := range drifts {
		if d.CampaignID != id || want[d.Total] != d.Kept || d.Computed != 0 {
			t.Errorf("drift %+v", d)
		}
	}
	if _, err := campaigns.AddToTotals(t.Context(), w.DB, 4711, campaigns.Backing{}, campaigns.TotalsChange{Likes: 1}); err == nil {
		t.Error("an unknown campaign took a like")
	}
}

func TestMoveStage_FollowsTheTableAndWritesAnAuditRow(t *testing.T) {
	w := contenttest.New(t)
	id := w.Campaign(sauna(w.Category("yhteiso"), nil, w.Person("Reijo")), campaigns.StageFunding)
	move := func(to campaigns.Stage) error {
		return w.DB.Transaction(func(tx *gorm.DB) error {
			return campaigns.MoveStage(t.Context(), tx, id, to, changes.Actor{Name: "scheduler"}, w.Now())
		})
	}
	for _, to := range []campaigns.Stage{campaigns.StageDraft, campaigns.StagePreparing, campaigns.StageFunding,
		campaigns.StageRecurring} {
		if move(to) == nil {
			t.Errorf("went from funding to %d", to)
		}
	}
	if err := move(campaigns.StageSucceeded); err != nil {
		t.Fatal(err)
	}
	if standing, err := campaigns.LockStage(t.Context(), w.DB, id); err != nil || standing.Stage != campaigns.StageSucceeded {
		t.Errorf("stage %d, %v", standing.Stage, err)
	}
	if c := page(w, id, "fi", 0).Campaign; c.Stage != int(campaigns.StageSucceeded) {
		t.Errorf("the preview says stage %d", c.Stage)
	}
	var trace []string
	if err := w.DB.Raw(`SELECT actor || ' ' || (before ->> 'stage') || '>' || (after ->> 'stage') FROM audit_log ORDER BY id`).Scan(&trace).Error; err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(trace) != "[seed 0>2 scheduler 2>3]" {
		t.Errorf("trace %v", trace)
	}
}

func TestCampaign_ShowsGoalsOfMonthlySupportInTheLanguage(t *testing.T) {
	w := contenttest.New(t)
	n := sauna(w.Category("yhteiso"), nil, w.Person("Reijo"))
	n.Goals = []campaigns.Goal{
		{Target: 200, Texts: map[string]campaigns.GoalText{"fi": {Title: "Toinen"}}},
		{Target: 50, Texts: map[string]campaigns.GoalText{"fi": {Title: "Eka"},
			"en": {Title: "First", Description: "Weekly"}}},
	}
	id := w.Campaign(n, campaigns.StageRecurring)
	c := page(w, id, "en", 0).Campaign
	if c.Subscriptions == nil || c.SubscriptionsReached == nil {
		t.Fatal("no subscriptions")
	}
	goals, err := json.Marshal(c.Subscriptions.SubscriptionsGoals)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(goals); !strings.Contains(got, `"First"`) || !strings.Contains(got, `"Toinen"`) || strings.Index(got, "First") > strings.Index(got, "Toinen") {
		t.Errorf("goals %s", got)
	}
}

func TestCreate_ReportsAllMissingFields(t *testing.T) {
	_, err := campaigns.Create(t.Context(), nil, campaigns.New{Slug: "tyhja", Language: "fi"}, contenttest.Start)
	if err == nil || !strings.Contains(err.Error(), "no creator") || !strings.Contains(err.Error(), "no texts") {
		t.Errorf("error %v", err)
	}
}
