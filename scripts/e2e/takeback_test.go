//go:build unix

package e2e

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/harness"
)

var pledgeLink = regexp.MustCompile(`/pledge-link/#token=([A-Z2-7]{26})`)

// takeBack follows the link of a receipt and takes the pledge back.
func (s scene) takeBack(v *browser.Visitor, receipt browser.Mail) error {
	s.Helper()
	found := pledgeLink.FindStringSubmatch(receipt.Text)
	if found == nil {
		s.Fatalf("no link in %s", receipt.Text)
	}
	return v.Post(s.ctx, "/pledge-links/withdrawal/", map[string]any{"token": found[1]}, nil)
}

// A guest takes a pledge back by the link of its receipt, twice; the money goes back once, and mails say so at once and when it has left.
func TestGuestTakesAPledgeBackByTheReceiptsLink(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	s.pay(v, made.ID)
	s.await(v, made.ID, "paid")
	receipt := s.mail(form.Meta.Email, "Kuitti TK-")
	reader, _ := stranger("fi")
	for range 2 {
		s.must(s.takeBack(reader, receipt))
	}
	back := s.await(v, made.ID, "refunded")
	if back.RefundReason != "withdrawn" {
		t.Errorf("it went back because of %q", back.RefundReason)
	}
	if told := s.mail(form.Meta.Email, "Tuki peruttu"); !strings.Contains(told.Text, "Tämä viesti vahvistaa sen.") {
		t.Errorf("told %s", told.Text)
	}
	s.mail(form.Meta.Email, "Rahaa palautui")
	s.wantCharges(made.ID, harness.Money{Charges: 1, Charged: 2500, Returned: 2500})
	if err := reader.Post(s.ctx, "/pledges/"+made.ID+"/withdrawal/", nil, nil); err == nil {
		t.Error("the id alone takes it back")
	}
}

// The payment service is away when a pledge is taken back: the money goes back once it is there again.
func TestTakingBackReachesThePaymentServiceOnceItIsBack(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	s.pay(v, made.ID)
	s.await(v, made.ID, "paid")
	receipt := s.mail(form.Meta.Email, "Kuitti TK-")
	s.must(world.Proc("content-work").Kill())
	s.must(s.takeBack(v, receipt))
	if p := s.await(v, made.ID, "withdrawn"); p.Status != "withdrawn" {
		t.Errorf("pledge %+v", p)
	}
	s.must(world.Proc("content-work").Start(s.ctx))
	s.await(v, made.ID, "refunded")
	s.wantCharges(made.ID, harness.Money{Charges: 1, Charged: 2500, Returned: 2500})
}

// After the last day nothing is taken back any more.
func TestPledgeOfACampaignThatIsOverIsNotTakenBack(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	s.pay(v, made.ID)
	s.await(v, made.ID, "paid")
	receipt := s.mail(form.Meta.Email, "Kuitti TK-")
	var deadline time.Time
	s.must(world.Content.QueryRow(s.ctx, `SELECT funding_deadline FROM campaigns WHERE id = $1`, c.ID).Scan(&deadline))
	end := func(at time.Time) {
		_, err := world.Content.Exec(s.ctx, `UPDATE campaigns SET funding_deadline = $2 WHERE id = $1`, c.ID, at)
		s.must(err)
	}
	end(time.Now().Add(-time.Second))
	s.refused(s.takeBack(v, receipt), http.StatusConflict, "withdrawal_over")
	s.wantCharges(made.ID, harness.Money{Charges: 1, Charged: 2500})
	end(deadline) // as it was, which lists still show
}
