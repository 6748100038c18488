//go:build unix

package e2e

import (
	"net/http"
	"strings"
	"testing"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/harness"
)

// linkOf is the token of the link in a mail that opens its pledge.
func (s scene) linkOf(receipt browser.Mail) string {
	s.Helper()
	found := pledgeLink.FindStringSubmatch(receipt.Text)
	if found == nil {
		s.Fatalf("no link in %s", receipt.Text)
	}
	return found[1]
}

// awaitAmount waits until a pledge comes to a sum.
func (s scene) awaitAmount(v *browser.Visitor, pledgeID string, euros float64) {
	s.Helper()
	s.must(s.until(func() (bool, error) {
		p, err := v.ReadPledge(s.ctx, pledgeID)
		return p.Amount == euros && p.Status == "paid", err
	}))
}

// A change to a higher sum charges the difference once, whoever is killed and however often it is asked for: the pledge is what it was until
// then, and taking it back gives back both charges.
func TestARaisedPledgeIsChargedTheDifferenceOnce_WhoeverIsKilled(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	s.pay(v, made.ID)
	s.await(v, made.ID, "paid")
	receipt := s.mail(form.Meta.Email, "Kuitti TK-")
	link := s.linkOf(receipt)
	reader, _ := stranger("fi")
	var raise *browser.Raise
	for range 2 { // its answer was lost
		asked, err := reader.RaiseByLink(s.ctx, link, "one", 0, 40)
		s.must(err)
		if asked == nil || asked.Amount != 15 || raise != nil && asked.ID != raise.ID {
			t.Fatalf("waits for %+v, before for %+v", asked, raise)
		}
		raise = asked
	}
	_, err := reader.RaiseByLink(s.ctx, link, "two", 0, 60)
	s.refused(err, http.StatusConflict, "pledge_not_changeable")
	intent, err := reader.Setup(s.ctx, raise.ID)
	s.must(err)
	if _, err := reader.Confirm(s.ctx, intent, browser.DeclinedCard); err == nil {
		t.Error("a refused card pays")
	}
	if p, err := v.ReadPledge(s.ctx, made.ID); err != nil || p.Amount != 25 || p.Status != "paid" {
		t.Errorf("after a refused card the pledge is %+v, %v", p, err)
	}
	s.must(world.Proc("payments-work").Kill())
	s.pay(reader, raise.ID) // the same payment takes another card
	s.must(world.Proc("content-work").Kill())
	s.must(world.Proc("payments-work").Start(s.ctx))
	s.awaitAmount(v, made.ID, 40)
	s.must(world.Proc("content-work").Start(s.ctx))
	if told := s.mail(form.Meta.Email, "Tukea muutettu"); !strings.Contains(told.Text, "Erotus 15,00") {
		t.Errorf("told %s", told.Text)
	}
	s.wantCharges(made.ID, harness.Money{Charges: 1, Charged: 2500})
	s.wantCharges(raise.ID, harness.Money{Charges: 1, Charged: 1500})
	page, err := v.Campaign(s.ctx, c.ID)
	s.must(err)
	if page.FundingReached != 40 || page.NumberOfBackers != 1 {
		t.Errorf("campaign has %v from %d backers", page.FundingReached, page.NumberOfBackers)
	}
	s.must(s.makeSmaller(reader, receipt, "three", 1, 20)) // the newest charge gives first
	s.must(s.takeBack(reader, receipt))
	s.await(v, made.ID, "refunded")
	s.wantCharges(made.ID, harness.Money{Charges: 1, Charged: 2500, Returned: 2500})
	s.wantCharges(raise.ID, harness.Money{Charges: 1, Charged: 1500, Returned: 1500})
}

// At provider B a change is paid by a card in our own fields, also one whose bank asks first, and by an account whose bank takes days.
func TestARaisedPledgeIsPaidAtProviderB(t *testing.T) {
	s := begin(t)
	c, _ := s.onProviderB()
	v, form := stranger("fi")
	s.must(v.Register(s.ctx, browser.Account{Email: form.Meta.Email, Password: "talkoot-2026-e2e", FirstName: "Aino",
		LastName: "Korhonen", Language: "fi"}))
	made := s.pledge(v, c.ID, form)
	_, err := v.PayByRegistration(s.ctx, made.ID, browser.PlainCardB, 2500)
	s.must(err)
	s.await(v, made.ID, "paid")
	link := s.linkOf(s.mail(form.Meta.Email, "Kuitti TK-"))
	first, err := v.RaiseByLink(s.ctx, link, "one", 0, 40)
	s.must(err)
	in, err := v.PayByRegistration(s.ctx, first.ID, browser.AskedCardB, 1500)
	s.must(err)
	if p, err := v.ReadPledge(s.ctx, made.ID); err != nil || p.Amount != 25 {
		t.Errorf("while a bank asks the pledge is %+v, %v", p, err)
	}
	s.must(v.PassPage(s.ctx, in.PayIn.SecureModeRedirectURL, "pass", nil))
	s.awaitAmount(v, made.ID, 40)
	second, err := v.RaiseByLink(s.ctx, link, "two", 1, 50)
	s.must(err)
	reader, _ := stranger("fi")
	_, err = reader.RaiseByLink(s.ctx, link, "two", 1, 50)
	s.must(err)
	_, err = reader.PayByDebit(s.ctx, second.ID, "FI2112345600000785") // the link alone opens nothing of the account's
	s.refused(err, http.StatusForbidden, "not_your_order")
	in, err = v.PayByDebit(s.ctx, second.ID, "FI2112345600000785")
	s.must(err)
	_, err = v.RaiseByLink(s.ctx, link, "three", 1, 70)
	s.refused(err, http.StatusConflict, "pledge_not_changeable")
	s.must(world.SettlePayIn(s.ctx, in.PayIn.ID, "000000"))
	s.awaitAmount(v, made.ID, 50)
	page, err := v.Campaign(s.ctx, c.ID)
	s.must(err)
	if page.FundingReached != 50 || page.NumberOfBackers != 1 {
		t.Errorf("campaign has %v from %d backers", page.FundingReached, page.NumberOfBackers)
	}
}
