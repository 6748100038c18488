package pledges_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"talkoot.fi/content/internal/campaign/campaigns"
)

func TestCreatePledge_WhenTheCampaignTakesNone(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	body := fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s}}`, who)
	if a := post(t, h, "/campaigns/999999/pledges/", body); a.code != 404 {
		t.Errorf("unknown campaign: %d %s", a.code, a.status)
	}
	w.clock.set(time.Date(2026, 11, 30, 21, 59, 59, 0, time.UTC)) // the last second of the last day in Helsinki
	if a := post(t, h, w.address(), body); a.code != http.StatusCreated {
		t.Errorf("in the last second: %d %s", a.code, a.status)
	}
	w.clock.advance(time.Second)
	if a := post(t, h, w.address(), body); a.code != 409 || a.status != "campaign_not_open" {
		t.Errorf("after the deadline: %d %s", a.code, a.status)
	}
	w.clock.set(noon)
	for stage, want := range map[campaigns.Stage]string{campaigns.StageDraft: "not_found",
		campaigns.StagePreparing: "campaign_not_open",
		campaigns.StageSucceeded: "campaign_not_open", campaigns.StageNotReached: "campaign_not_open",
		campaigns.StageClosed:    "campaign_not_open",
		campaigns.StageRecurring: "campaign_is_recurring"} {
		if err := w.db.Exec(`UPDATE campaigns SET stage = ? WHERE id = ?`, stage, w.campaign).Error; err != nil {
			t.Fatal(err)
		}
		if a := post(t, h, w.address(), body); a.status != want {
			t.Errorf("stage %d: %d %s, want %s", stage, a.code, a.status, want)
		}
	}
}

func TestCreatePledge_RewardOfAnotherCampaign(t *testing.T) {
	w := setup(t)
	other := w.anotherCampaign(t)
	a := post(t, w.serve(t, plenty), fmt.Sprintf("/campaigns/%d/pledges/", other), fmt.Sprintf(`{"amount": 500, "reward_id": %d, "pledge_meta": {%s}}`, w.single, who))
	if a.code != 422 || !slices.Equal(a.fields, []string{"reward_id unknown_reward"}) || w.reserved(t, w.single) != 0 {
		t.Errorf("%d %s %v", a.code, a.status, a.fields)
	}
}
