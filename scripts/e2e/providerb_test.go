//go:build unix

package e2e

import (
	"testing"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/dataset"
	"talkoot.fi/scripts/harness"
)

// onProviderB makes a campaign whose creator is verified at provider B, as creators do it: by its pages.
func (s scene) onProviderB() (dataset.Added, harness.CreatorAtB) {
	s.Helper()
	c := s.campaign()
	_, form := stranger("en")
	creator, err := world.PaidThroughB(s.ctx, form.Meta.Email, c.ID)
	s.must(err)
	return c, creator
}

func TestProviderB_FromTheCreatorsVerificationToPaidPledges(t *testing.T) {
	s := begin(t)
	c, _ := s.onProviderB()

	v, form := stranger("fi")
	card := s.pledge(v, c.ID, form)
	in, err := v.PayByRegistration(s.ctx, card.ID, browser.PlainCardB, 2500)
	s.must(err)
	if in.PayIn.Status != "SUCCEEDED" || in.PayIn.ResultCode != "000000" {
		t.Fatalf("%+v", in)
	}
	paid := s.await(v, card.ID, "paid")
	if paid.ReceiptNumber == "" || paid.PaymentMethod == "" {
		t.Errorf("paid %+v", paid)
	}
	s.mail(form.Meta.Email, paid.ReceiptNumber)

	w, form := stranger("en")
	asked := s.pledge(w, c.ID, form)
	in, err = w.PayByRegistration(s.ctx, asked.ID, browser.AskedCardB, 2500)
	s.must(err)
	if !in.PayIn.SecureModeNeeded {
		t.Fatalf("%+v", in)
	}
	s.must(w.PassPage(s.ctx, in.PayIn.SecureModeRedirectURL, "pass", nil))
	s.await(w, asked.ID, "paid")

	d, form := stranger("fi")
	debit := s.pledge(d, c.ID, form)
	in, err = d.PayByDebit(s.ctx, debit.ID, "FI2112345600000785")
	s.must(err)
	if in.PayIn.Status != "CREATED" || in.Payment.Status != "processing" {
		t.Fatalf("%+v", in)
	}
	s.await(d, debit.ID, "processing")
	s.must(world.SettlePayIn(s.ctx, in.PayIn.ID, "000000"))
	s.await(d, debit.ID, "paid")

	page, err := v.Campaign(s.ctx, c.ID)
	s.must(err)
	if page.FundingReached != 75 || page.NumberOfBackers != 3 {
		t.Errorf("campaign has %v from %d backers", page.FundingReached, page.NumberOfBackers)
	}
}

func TestProviderB_DeclinedAndTakenBack(t *testing.T) {
	s := begin(t)
	c, _ := s.onProviderB()
	v, form := stranger("fi")
	form.Amount = "333.05" // do not honor
	refused := s.pledge(v, c.ID, form)
	in, err := v.PayByRegistration(s.ctx, refused.ID, browser.PlainCardB, 33305)
	s.must(err)
	if in.PayIn.Status != "FAILED" || in.PayIn.ResultCode != "101101" || in.Payment.Status != "created" {
		t.Errorf("%+v", in)
	}
	paid := s.pledge(v, c.ID, browser.NewPledge{Amount: "40", Meta: form.Meta})
	_, err = v.PayByRegistration(s.ctx, paid.ID, browser.PlainCardB, 4000)
	s.must(err)
	s.await(v, paid.ID, "paid")
	s.operate("refund", "-payment", s.paymentID(paid.ID), "-all", "-key", newKey(), "-note", "asked")
	s.await(v, paid.ID, "refunded")
}

func TestProviderB_DowngradedAndSwitchedOff_TakesNothingNew(t *testing.T) {
	s := begin(t)
	c, creator := s.onProviderB()
	gone := func(reason string) {
		t.Helper()
		s.must(s.until(func() (bool, error) {
			methods, why, err := creator.Methods(s.ctx, c.ID)
			return methods == "" && why == reason, err
		}))
	}
	s.must(world.SetVerified(s.ctx, creator.Account.UserID, false))
	gone("not_ready")
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	_, err := v.PayByRegistration(s.ctx, made.ID, browser.PlainCardB, 2500)
	s.refused(err, 503, "configuration_error")
	s.must(world.SetVerified(s.ctx, creator.Account.UserID, true))
	s.must(s.until(func() (bool, error) {
		methods, _, err := creator.Methods(s.ctx, c.ID)
		return methods != "", err
	}))

	s.operate("switch", "-provider", "mangopay", "-off", "-note", "it does not answer")
	defer s.operate("switch", "-provider", "mangopay", "-on", "-note", "it does")
	gone("provider_off")
	_, err = v.PayByRegistration(s.ctx, made.ID, browser.PlainCardB, 2500)
	s.refused(err, 503, "configuration_error")
}

// paymentID is the payment of a pledge.
func (s scene) paymentID(pledgeID string) (id string) {
	s.Helper()
	s.must(world.Payments.QueryRow(s.ctx, `SELECT id FROM payments WHERE subject_id = $1`, pledgeID).Scan(&id))
	return id
}
