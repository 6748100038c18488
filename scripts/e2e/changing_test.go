//go:build unix

package e2e

import (
	"net/http"
	"strings"
	"testing"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/harness"
)

// makeSmaller follows the link of a receipt and changes the pledge to support of another sum.
func (s scene) makeSmaller(v *browser.Visitor, receipt browser.Mail, key string, number, euros int) error {
	s.Helper()
	found := pledgeLink.FindStringSubmatch(receipt.Text)
	if found == nil {
		s.Fatalf("no link in %s", receipt.Text)
	}
	return v.Post(s.ctx, "/pledge-links/choice/", map[string]any{"token": found[1], "choice": map[string]any{"key": key, "number": number,
		"reward_id": nil, "quantity": 1, "amount": euros}}, nil)
}

// The worker and the payment service are killed around a change: the difference goes back once, the pledge stays paid, and taking it back
// gives back the rest.
func TestAChangedPledgeGivesTheDifferenceBackOnce_WhoeverIsKilled(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	s.pay(v, made.ID)
	s.await(v, made.ID, "paid")
	receipt := s.mail(form.Meta.Email, "Kuitti TK-")
	reader, _ := stranger("fi")
	s.must(world.Proc("content-work").Kill())
	for range 2 { // its answer was lost
		s.must(s.makeSmaller(reader, receipt, "one", 0, 10))
	}
	s.refused(s.makeSmaller(reader, receipt, "two", 0, 5), http.StatusConflict, "pledge_changed_elsewhere")
	s.must(world.Proc("payments-work").Kill())
	s.must(world.Proc("content-work").Start(s.ctx))
	if told := s.mail(form.Meta.Email, "Tukea muutettu"); !strings.Contains(told.Text, "Palautamme erotuksen 15,00") {
		t.Errorf("told %s", told.Text)
	}
	s.must(world.Proc("payments-work").Start(s.ctx))
	s.mail(form.Meta.Email, "Rahaa palautui")
	if p := s.await(v, made.ID, "paid"); p.Status != "paid" {
		t.Errorf("pledge %+v", p)
	}
	s.wantCharges(made.ID, harness.Money{Charges: 1, Charged: 2500, Returned: 1500})
	s.must(s.takeBack(reader, receipt))
	s.await(v, made.ID, "refunded")
	s.wantCharges(made.ID, harness.Money{Charges: 1, Charged: 2500, Returned: 2500})
}
