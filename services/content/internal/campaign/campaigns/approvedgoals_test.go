//go:build unix

package campaigns_test

import (
	"fmt"
	"net/http"
	"testing"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
)

// A monthly campaign is approved because of its goals, so from its approval on it keeps at least one.
func TestSetGoals_AnApprovedMonthlyCampaignKeepsOne(t *testing.T) {
	w := contenttest.New(t)
	creator := w.Person("Reijo")
	for stage, want := range map[campaigns.Stage]int{campaigns.StageDraft: http.StatusOK, campaigns.StagePreparing: http.StatusUnprocessableEntity, campaigns.StageRecurring: http.StatusUnprocessableEntity} {
		id := w.Campaign(campaigns.New{Slug: fmt.Sprint("x", stage), Language: "fi", OpensAs: campaigns.StageRecurring, CategoryID: w.Category(fmt.Sprint("c", stage)), TeamUserIDs: []int64{creator},
			Texts: map[string]campaigns.Text{"fi": {Title: "Piano"}}, Goals: []campaigns.Goal{{Target: 10, Texts: map[string]campaigns.GoalText{"fi": {Title: "A"}}}}}, stage)
		if got := w.Post(fmt.Sprintf("/campaigns/%d/subscriptions_goals/", id), `{"subscriptions_goals": []}`, creator); got.Status != want {
			t.Errorf("stage %d: %d %s", stage, got.Status, got.Body)
		}
	}
}
