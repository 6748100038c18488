//go:build unix

package campaigns_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
)

func TestTable_HasAllStages_SortedSearchedAndCounted(t *testing.T) {
	w := contenttest.New(t)
	boss, category := w.Person("Boss", "view", "edit", "admin"), w.Category("c")
	aino, osten := w.Person("Aino"), w.Person("Östen")
	make := func(title string, creator int64, stage campaigns.Stage, last campaigns.Day, raised int64) int64 {
		n := campaigns.New{Slug: "x", Language: "fi", CategoryID: category, TeamUserIDs: []int64{creator}, TargetGoalMinor: 100_00,
			Texts: map[string]campaigns.Text{"fi": {Title: title}}}
		if last != "" {
			n.FirstDay, n.LastDay = "2026-11-01", last
		}
		id := w.Campaign(n, stage)
		w.Tx(func(ctx context.Context, tx *gorm.DB) error {
			_, err := campaigns.AddToTotals(ctx, tx, id, campaigns.Backing{}, campaigns.TotalsChange{ReachedMinor: raised})
			return err
		})
		return id
	}
	a := make("Öljylamppu", aino, campaigns.StageFunding, "2026-12-01", 50_00)
	b := make("Äänikirja", osten, campaigns.StageDraft, "", 0)
	c := make("Zeppeliini", aino, campaigns.StageFunding, "2026-11-25", 75_50)
	d := make("Aamu", osten, campaigns.StageClosed, "", 0)
	w.Exec(`UPDATE campaigns SET hide_funding_amount = true WHERE id = ?`, a)
	w.Tx(func(ctx context.Context, tx *gorm.DB) error { return campaigns.RefreshPreviews(ctx, tx, a) })
	for query, want := range map[string][]int64{
		"":                             {d, c, b, a},
		"?sort=id&direction=asc":       {a, b, c, d},
		"?sort=title&direction=asc":    {d, c, b, a},
		"?sort=title":                  {a, b, c, d},
		"?sort=creator&direction=asc":  {a, c, b, d},
		"?sort=raised":                 {c, d, b, a}, // hidden money is not told by the order
		"?sort=deadline&direction=asc": {c, a, b, d},
		"?sort=deadline":               {a, c, d, b},
		"?stages=2":                    {c, a},
		"?stages=2,0,2":                {c, b, a},
		"?stages=2,0&keyword=osten":    {b},
		"?stages=0":                    {b},
		"?stages=6":                    nil,
		"?keyword=oljy":                {a},
		"?keyword=osten":               {d, b},
		"?keyword=aino&sort=deadline&direction=asc": {c, a},
		"?keyword=" + fmt.Sprint(c):                 {c},
		"?limit=2&offset=1":                         {c, b},
		"?keyword=aino&limit=1&offset=1":            {a},
	} {
		var answer api.CampaignTableAnswer
		got := w.Get("/campaigns/admin/fi/"+query, boss)
		got.JSON(&answer)
		var ids []int64
		for _, row := range answer.Campaigns {
			ids = append(ids, row.CampaignID)
		}
		if fmt.Sprint(ids) != fmt.Sprint(want) || len(got.Statements) != 2 {
			t.Errorf("%s: %v, want %v, in %d statements", query, ids, want, len(got.Statements))
		}
	}
	var answer api.CampaignTableAnswer
	w.Get("/campaigns/admin/fi/?stages=2&limit=1", boss).JSON(&answer)
	if row := answer.Campaigns[0]; answer.Total != 2 || fmt.Sprint(answer.Stages) != "[1 0 2 0 0 1 0]" || row.Title != "Zeppeliini" ||
		row.Creator != "Aino Testinen" || fmt.Sprint(row.Raised) != "7550" || row.Review != "none" || row.FundingDeadline == nil {
		t.Errorf("%+v", answer)
	}
	w.Get("/campaigns/admin/fi/?keyword=aino", boss).JSON(&answer)
	if fmt.Sprint(answer.Stages) != "[0 0 2 0 0 0 0]" || answer.Total != 2 {
		t.Errorf("of a keyword: %v", answer.Stages)
	}
	for _, query := range []string{"?stages=7", "?sort=karma", "?direction=up", "?limit=301", "?keyword=" + strings.Repeat("x", 101)} {
		if got := w.Get("/campaigns/admin/fi/"+query, boss).Status; got != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", query, got)
		}
	}
}

func TestTable_FollowsRenamingsAndStages(t *testing.T) {
	w := contenttest.New(t)
	boss, category := w.Person("Boss", "view", "edit", "admin"), w.Category("c")
	id := w.Campaign(campaigns.New{Slug: "x", Language: "fi", CategoryID: category, TeamUserIDs: []int64{boss},
		Texts: map[string]campaigns.Text{"fi": {Title: "Sauna"}}}, campaigns.StageRecurring)
	if got := w.Patch(fmt.Sprintf("/campaigns/%d/language/", id), `{"fi": {"title": "Löyly"}}`, boss).Status; got != http.StatusOK {
		t.Fatal(got)
	}
	if got := w.Patch(fmt.Sprintf("/campaigns/%d/admin/", id), `{"stage": 5, "reason": "Loppu"}`, boss).Status; got != http.StatusOK {
		t.Fatal(got)
	}
	w.Patch("/users/me/profile", `{"last_name": "Virta"}`, boss)
	var answer api.CampaignTableAnswer
	w.Get("/campaigns/admin/sv/?stages=5&keyword=loyly+virta", boss).JSON(&answer)
	if len(answer.Campaigns) != 1 || answer.Campaigns[0].Title != "Löyly" {
		t.Errorf("%+v", answer)
	}
	stale, err := campaigns.RecomputePreviews(t.Context(), w.DB)
	if err != nil || len(stale) > 0 {
		t.Errorf("%v %v", stale, err)
	}
}
