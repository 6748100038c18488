//go:build unix

package e2e

import (
	"testing"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/dataset"
	"talkoot.fi/scripts/harness"
)

// text queries one text about a pledge from the payments database; "" when there is none yet.
func (s scene) text(sql, pledgeID string) (text string, err error) {
	err = world.Payments.QueryRow(s.ctx, `SELECT coalesce((`+sql+`), '')`, pledgeID).Scan(&text)
	return text, err
}

// dispute opens a dispute of a paid pledge, and returns its id at the provider once the platform knows it.
func (s scene) dispute(v *browser.Visitor, pledgeID string) (dispute string) {
	s.Helper()
	charge, err := s.text(`SELECT a.charge_ref FROM payments p JOIN attempts a ON a.id = p.paid_attempt_id WHERE p.subject_id = $1`, pledgeID)
	s.must(err)
	s.must(world.Dispute(s.ctx, charge))
	s.await(v, pledgeID, "disputed")
	dispute, err = s.text(`SELECT d.provider_ref FROM disputes d JOIN payments p ON p.id = d.payment_id WHERE p.subject_id = $1`, pledgeID)
	s.must(err)
	return dispute
}

func TestDisputeReducesTheTotalsUntilItIsWon(t *testing.T) {
	for _, hooks := range []harness.Webhooks{{}, {Duplicate: 3, ShuffleMS: 200}} {
		s := begin(t)
		c := s.campaign(dataset.Reward{Title: "Kirja", Euros: 25, Stock: 5})
		v, form := stranger("fi")
		made := s.pledge(v, c.ID, forReward(form, c.Rewards[0], "25"))
		s.pay(v, made.ID)
		s.await(v, made.ID, "paid")
		check := func(when string, reached float64) {
			s.Helper()
			s.must(s.until(func() (bool, error) { // the page may be a second old
				page, err := v.Campaign(s.ctx, c.ID)
				return err == nil && float64(page.FundingReached) == reached && page.NumberOfBackers == 1, err
			}))
			n, err := harness.Number(s.ctx, world.Content, `SELECT stock_reserved * 10 + backers FROM rewards WHERE id = $1`, c.Rewards[0])
			s.must(err)
			if n != 11 {
				t.Errorf("%s reserved and backers of the reward are %d", when, n)
			}
		}
		check("paid,", 25)
		s.must(world.Disturb(s.ctx, hooks))
		dispute := s.dispute(v, made.ID)
		check("disputed,", 0)
		s.must(world.Decide(s.ctx, dispute, "won"))
		s.await(v, made.ID, "paid")
		check("won,", 25)
		s.must(world.Calm(s.ctx))
		if status := s.paymentStatus(v, made.ID); status != "succeeded" {
			t.Errorf("payment is %s", status)
		}
	}
}

func TestLostDisputeStaysOutOfTheTotals(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	s.pay(v, made.ID)
	s.await(v, made.ID, "paid")
	s.must(world.Decide(s.ctx, s.dispute(v, made.ID), "lost"))
	s.must(s.until(func() (bool, error) {
		status, err := s.text(`SELECT d.status FROM disputes d JOIN payments p ON p.id = d.payment_id WHERE p.subject_id = $1`, made.ID)
		return status == "lost", err
	}))
	if p := s.await(v, made.ID, "disputed"); p.Amount != 25 {
		t.Errorf("pledge %+v", p)
	}
	page, err := v.Campaign(s.ctx, c.ID)
	s.must(err)
	if page.FundingReached != 0 {
		t.Errorf("the campaign has %v", page.FundingReached)
	}
}
