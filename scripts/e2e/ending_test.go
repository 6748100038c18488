//go:build unix

package e2e

import (
	"testing"

	"talkoot.fi/scripts/harness"
)

// A campaign's last day is over: it missed its goal, so its backer gets everything back, is told once, and nobody can pay to it any more.
func TestCampaignThatMissesItsGoalGivesEverythingBack(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	s.pay(v, made.ID)
	s.await(v, made.ID, "paid")
	_, err := world.Content.Exec(s.ctx, `UPDATE campaigns SET first_day = today - 9, last_day = today - 2, min_goal_minor = 1000000, target_goal_minor = 2000000,
			funding_start = CAST(today - 9 AS timestamp) AT TIME ZONE zone, funding_deadline = CAST(today - 1 AS timestamp) AT TIME ZONE zone - interval '1 microsecond'
		FROM (SELECT zone, CAST(now() AT TIME ZONE zone AS date) AS today FROM (VALUES ('Europe/Helsinki')) v (zone)) days WHERE id = $1`, c.ID)
	s.must(err)
	back := s.await(v, made.ID, "refunded")
	if back.RefundReason != "campaign_failed" {
		t.Errorf("it went back because of %q", back.RefundReason)
	}
	s.mail(form.Meta.Email, "Rahaa palautui")
	s.wantCharges(made.ID, harness.Money{Charges: 1, Charged: 2500, Returned: 2500})
	var outcome string
	s.must(world.Content.QueryRow(s.ctx, `SELECT concat_ws(' ', c.stage, e.outcome, e.goes_to, e.accepted, e.accepted_minor) FROM campaigns c
		JOIN campaign_endings e ON e.campaign_id = c.id WHERE c.id = $1`, c.ID).Scan(&outcome))
	if outcome != "4 not_reached backers 1 2500" {
		t.Errorf("it ended %s", outcome)
	}
}
