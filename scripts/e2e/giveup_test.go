//go:build unix

package e2e

import (
	"net/http"
	"testing"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/dataset"
	"talkoot.fi/scripts/harness"
)

// paysAnother makes and pays a second pledge for the same campaign, as a backer does who has changed their mind.
func (s scene) paysAnother(v *browser.Visitor, c dataset.Added, form browser.NewPledge) {
	s.Helper()
	second := s.pledge(v, c.ID, form)
	s.pay(v, second.ID)
	s.await(v, second.ID, "paid")
}

func (s scene) awaitEnding(v *browser.Visitor, pledgeID string, want browser.Ending) {
	s.Helper()
	if got, err := v.AwaitEnding(s.ctx, pledgeID, settles); got != want {
		s.Fatalf("the payment of a pledge that was given up: %q, %v, want %q", got, err, want)
	}
}

func (s scene) wantCharges(pledgeID string, want harness.Money) {
	s.Helper()
	all, err := world.MoneyOfPledges(s.ctx, began)
	s.must(err)
	got := all[pledgeID]
	got.At = 0 // whenever that was
	if got != want {
		s.Errorf("the provider has %+v, want %+v", got, want)
	}
}

func TestChallengeOfAReleasedPledgeChargesNobody(t *testing.T) {
	s := begin(t)
	c := s.campaign(dataset.Reward{Title: "Kirja", Euros: 25, Stock: 1})
	v, form := stranger("fi")
	form = forReward(form, c.Rewards[0], "25")
	made := s.pledge(v, c.ID, form)
	intent, err := v.Setup(s.ctx, made.ID)
	s.must(err)
	asked, err := v.Confirm(s.ctx, intent, browser.SecureCard)
	s.must(err)
	s.must(v.Release(s.ctx, made.ID))
	s.awaitEnding(v, made.ID, browser.Closed)
	s.paysAnother(v, c, form)
	if err := v.AnswerChallenge(s.ctx, asked.Challenge, true); err != nil {
		t.Logf("the late answer is refused: %v", err)
	}
	if status := s.paymentStatus(v, made.ID); status != "canceled" {
		t.Errorf("after a late answer to its challenge the payment is %s", status)
	}
	s.wantCharges(made.ID, harness.Money{})
	_, err = v.Setup(s.ctx, made.ID)
	s.refused(err, http.StatusConflict, "pledge_not_payable")
}

func TestPaymentPageOfAReleasedPledgeCannotBePaid(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	page, err := v.PaymentPage(s.ctx, made.ID, settles)
	s.must(err)
	s.must(v.Release(s.ctx, made.ID))
	s.awaitEnding(v, made.ID, browser.Closed)
	if err := v.PayPage(s.ctx, page, form.Meta.Email, browser.GoodCard); err == nil {
		t.Error("the page takes a card")
	}
	s.paysAnother(v, c, form)
	s.wantCharges(made.ID, harness.Money{})
}

func TestPaymentBeforeTheReleaseOfItsPledgeIsRefunded(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	s.must(world.Disturb(s.ctx, harness.Webhooks{Hold: true})) // so that the platform does not know of the payment
	s.pay(v, made.ID)
	s.must(v.Release(s.ctx, made.ID))
	s.awaitEnding(v, made.ID, browser.Paid)
	if p := s.await(v, made.ID, "refunded"); p.RefundReason != "pledge_closed" {
		t.Errorf("pledge %+v", p)
	}
	s.wantCharges(made.ID, harness.Money{Charges: 1, Charged: 2500, Returned: 2500})
}

func TestReleaseReachesThePaymentServiceOnceTheWorkerIsBack(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	_, err := v.Setup(s.ctx, made.ID)
	s.must(err)
	s.must(world.Proc("content-work").Kill())
	s.must(v.Release(s.ctx, made.ID))
	if status := s.paymentStatus(v, made.ID); status != "created" {
		t.Errorf("nobody has told the payment service, and the payment is %s", status)
	}
	s.must(world.Proc("content-work").Start(s.ctx))
	s.awaitEnding(v, made.ID, browser.Closed)
}
