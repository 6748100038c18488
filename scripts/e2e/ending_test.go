//go:build unix

package e2e

import (
	"fmt"
	"testing"

	"talkoot.fi/scripts/browser"
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
	s.must(world.TopUp(s.ctx, 100_00)) // for the fees, which are not given back
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

// A campaign at provider B reaches its goal. Its money is approved while its creator has given no bank account; once they have, it goes on by
// itself and arrives.
func TestCampaignThatReachesItsGoalIsPaidOutOnceItsCreatorHasGivenABankAccount(t *testing.T) {
	s := begin(t)
	c, creator := s.onProviderB()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	_, err := v.PayByRegistration(s.ctx, made.ID, browser.PlainCardB, 2500)
	s.must(err)
	s.await(v, made.ID, "paid")
	_, err = world.Content.Exec(s.ctx, `UPDATE campaigns SET first_day = today - 9, last_day = today - 2, min_goal_minor = 1000, target_goal_minor = 2000,
			funding_start = CAST(today - 9 AS timestamp) AT TIME ZONE zone, funding_deadline = CAST(today - 1 AS timestamp) AT TIME ZONE zone - interval '1 microsecond'
		FROM (SELECT zone, CAST(now() AT TIME ZONE zone AS date) AS today FROM (VALUES ('Europe/Helsinki')) v (zone)) days WHERE id = $1`, c.ID)
	s.must(err)
	var run, hash string
	number := fmt.Sprint(c.ID)
	s.must(s.until(func() (bool, error) {
		_, err := world.Operate(s.ctx, "settle", "-campaign", number, "-actor", "maija", "-note", "it reached its goal")
		if err != nil {
			return false, nil //nolint:nilerr // it has not ended yet
		}
		err = world.Payments.QueryRow(s.ctx, `SELECT id, hash FROM settlement_runs WHERE campaign_id = $1`, c.ID).Scan(&run, &hash)
		return hash != "", err
	}))
	s.operate("settle", "-approve", run, "-hash", hash, "-actor", "aino", "-note", "checked")
	is := func(want string) func() (bool, error) {
		return func() (bool, error) {
			var got string
			err := world.Payments.QueryRow(s.ctx, `SELECT concat_ws(' ', state, nullif(reason, ''), nullif(detail, '')) FROM settlement_runs WHERE id = $1`, run).Scan(&got)
			return got == want, err
		}
	}
	s.must(s.until(is("booked need bank_account")))

	_, err = creator.AddPayoutBank(s.ctx, "FI2112345600000785")
	s.refused(err, 403, "confirmation_required")
	s.must(creator.ConfirmIdentity(s.ctx, creator.Password))
	_, err = creator.AddPayoutBank(s.ctx, "FI2112345600000785")
	s.must(err)
	var email string
	s.must(world.Content.QueryRow(s.ctx, `SELECT email FROM users u JOIN campaign_team m ON m.user_id = u.id WHERE m.campaign_id = $1`, c.ID).Scan(&email))
	s.mail(email, "pankkitili")
	_, err = world.Payments.Exec(s.ctx, `UPDATE settlement_runs SET next_at = now() WHERE id = $1`, run) // or in ten minutes
	s.must(err)
	s.must(s.until(is("paying")))
	var out string
	s.must(s.until(func() (bool, error) {
		err := world.Payments.QueryRow(s.ctx, `SELECT ref FROM settlement_moves WHERE run_id = $1 AND kind = 'payout'`, run).Scan(&out)
		return out != "", err
	}))
	s.must(world.SettlePayOut(s.ctx, out))
	_, err = world.Payments.Exec(s.ctx, `UPDATE settlement_runs SET next_at = now() WHERE id = $1`, run) // or in an hour
	s.must(err)
	s.must(s.until(is("paid")))
	s.mail(email, "perillä")
}
