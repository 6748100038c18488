//go:build unix

package campaigns_test

import (
	"net/http"
	"testing"

	"talkoot.fi/content/internal/campaign/campaigns"
)

func TestChangeSettings_KeepsGoalsAndDaysOnceTheCampaignHasOpened(t *testing.T) {
	for stage, opened := range map[campaigns.Stage]bool{campaigns.StageDraft: false, campaigns.StagePreparing: false,
		campaigns.StageFunding:   true,
		campaigns.StageSucceeded: true, campaigns.StageRecurring: true} {
		c := newChanging(t, stage)
		answer := c.Patch(c.settings, `{"min_goal": 1, "target_goal": 2, "first_day_of_funding": "2026-12-24", "last_day_of_funding": "2026-12-24", "contact_email": "new@example.fi"}`, c.creator)
		if opened {
			c.wants(answer, http.StatusConflict, "campaign_opened", "min_goal fixed", "target_goal fixed",
				"first_day_of_funding fixed", "last_day_of_funding fixed")
			if answer := c.Patch(c.settings, `{"contact_email": "new@example.fi"}`, c.creator); answer.Status != http.StatusOK {
				t.Errorf("stage %d: the contact: %s", stage, answer.Body)
			}
			continue
		}
		if answer.Status != http.StatusOK {
			t.Fatalf("stage %d: %s", stage, answer.Body)
		}
		shown := page(c.World, c.id, "fi", c.creator).Campaign
		if got := shown.FundingStart.Format("2006-01-02T15:04:05Z") + " " +
			shown.FundingDeadline.Format("2006-01-02T15:04:05Z"); got != "2026-12-23T22:00:00Z 2026-12-24T21:59:59Z" {
			t.Errorf("funded from and to %s", got)
		}
		if stage == campaigns.StagePreparing {
			c.wants(c.Patch(c.settings, `{"last_day_of_funding": ""}`, c.creator), http.StatusUnprocessableEntity, "invalid_fields", "last_day_of_funding required")
		}
	}
}

// The review has checked that it is short enough; a later change of a day must not make it longer than allowed.
func TestChangeSettings_KeepsAnApprovedOneOffCampaignWithinSixtyDays(t *testing.T) {
	const tooLong, longest = `{"first_day_of_funding": "2026-12-01", "last_day_of_funding": "2027-01-30"}`,
		`{"first_day_of_funding": "2026-12-01", "last_day_of_funding": "2027-01-29"}`
	c := newChanging(t, campaigns.StagePreparing)
	c.wants(c.Patch(c.settings, tooLong, c.creator), http.StatusUnprocessableEntity, "invalid_fields",
		"last_day_of_funding date_to")
	c.Patch(c.settings, longest, c.creator).JSON(&struct{}{})
	for _, stretched := range []string{`{"first_day_of_funding": "2026-11-30"}`, `{"last_day_of_funding": "2027-01-30"}`} {
		c.wants(c.Patch(c.settings, stretched, c.creator), http.StatusUnprocessableEntity, "invalid_fields",
			"last_day_of_funding date_to")
	}
	c.Exec(`UPDATE campaigns SET opens_as = ?`, campaigns.StageRecurring) // has no end, so no longest time either
	c.Patch(c.settings, tooLong, c.creator).JSON(&struct{}{})
	newDraft := newChanging(t, campaigns.StageDraft) // days are written one after the other
	newDraft.Patch(newDraft.settings, tooLong, newDraft.creator).JSON(&struct{}{})
}
