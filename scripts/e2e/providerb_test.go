//go:build unix

package e2e

import (
	"testing"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/dataset"
)

// Cards of provider B's sandbox.
const (
	plainCard = "4970107111111119"
	askedCard = "4970105181818183"
)

// onProviderB makes a campaign whose creator is verified at provider B, as creators do it: by its pages.
func (s scene) onProviderB() (c dataset.Added, creator *browser.Visitor, account browser.Creator) {
	s.Helper()
	c = s.campaign()
	creator, form := stranger("en")
	s.must(creator.Register(s.ctx, browser.Account{Email: form.Meta.Email, Password: "talkoot-2026-e2e", FirstName: "Maija", LastName: "Meri", Language: "en"}))
	var id int64
	s.must(world.Content.QueryRow(s.ctx, `UPDATE users SET verified = true WHERE email = $1 RETURNING id`, form.Meta.Email).Scan(&id))
	_, err := world.Content.Exec(s.ctx, `UPDATE campaign_team SET user_id = $1 WHERE campaign_id = $2 AND position = 0`, id, c.ID)
	s.must(err)

	account, err = creator.BecomePayee(s.ctx, id)
	s.must(err)
	s.must(creator.PassPage(s.ctx, account.RedirectURL, "pass", map[string][]string{
		"ViewAccountInformation": {"on"}, "Transfer": {"on"}, "RecipientRegistration": {"on"}, "ContactInformationUpdate": {"on"}}))
	verified, err := creator.VerifyPayee(s.ctx)
	s.must(err)
	s.must(creator.PassPage(s.ctx, verified.RedirectURL, "pass", nil))
	s.must(s.until(func() (bool, error) { // its hook has come, and the content service has heard
		var state string
		err := world.Content.QueryRow(s.ctx, `SELECT coalesce(max(state), '') FROM payout_accounts WHERE account_id = $1`, account.UserID).Scan(&state)
		return state == "ready", err
	}))
	s.must(creator.PayAccount(s.ctx, c.ID, account))
	s.must(s.until(func() (bool, error) {
		methods, _, err := creator.Methods(s.ctx, c.ID)
		return methods == "card:mangopay bank:mangopay page:mangopay", err
	}))
	return c, creator, account
}

func TestProviderB_FromTheCreatorsVerificationToPaidPledges(t *testing.T) {
	s := begin(t)
	c, _, _ := s.onProviderB()

	v, form := stranger("fi")
	card := s.pledge(v, c.ID, form)
	in, err := v.PayByRegistration(s.ctx, card.ID, plainCard, 2500)
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
	in, err = w.PayByRegistration(s.ctx, asked.ID, askedCard, 2500)
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
	c, _, _ := s.onProviderB()
	v, form := stranger("fi")
	form.Amount = "333.05" // do not honor
	refused := s.pledge(v, c.ID, form)
	in, err := v.PayByRegistration(s.ctx, refused.ID, plainCard, 33305)
	s.must(err)
	if in.PayIn.Status != "FAILED" || in.PayIn.ResultCode != "101101" || in.Payment.Status != "created" {
		t.Errorf("%+v", in)
	}
	paid := s.pledge(v, c.ID, browser.NewPledge{Amount: "40", Meta: form.Meta})
	_, err = v.PayByRegistration(s.ctx, paid.ID, plainCard, 4000)
	s.must(err)
	s.await(v, paid.ID, "paid")
	s.operate("refund", "-payment", s.paymentID(paid.ID), "-all", "-key", newKey(), "-note", "asked")
	s.await(v, paid.ID, "refunded")
}

func TestProviderB_DowngradedAndSwitchedOff_TakesNothingNew(t *testing.T) {
	s := begin(t)
	c, creator, account := s.onProviderB()
	gone := func(reason string) {
		t.Helper()
		s.must(s.until(func() (bool, error) {
			methods, why, err := creator.Methods(s.ctx, c.ID)
			return methods == "" && why == reason, err
		}))
	}
	s.must(world.SetVerified(s.ctx, account.UserID, false))
	gone("not_ready")
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	_, err := v.PayByRegistration(s.ctx, made.ID, plainCard, 2500)
	s.refused(err, 503, "configuration_error")
	s.must(world.SetVerified(s.ctx, account.UserID, true))
	s.must(s.until(func() (bool, error) {
		methods, _, err := creator.Methods(s.ctx, c.ID)
		return methods != "", err
	}))

	s.operate("switch", "-provider", "mangopay", "-off", "-note", "it does not answer")
	defer s.operate("switch", "-provider", "mangopay", "-on", "-note", "it does")
	gone("provider_off")
	_, err = v.PayByRegistration(s.ctx, made.ID, plainCard, 2500)
	s.refused(err, 503, "configuration_error")
}

// paymentID is the payment of a pledge.
func (s scene) paymentID(pledgeID string) (id string) {
	s.Helper()
	s.must(world.Payments.QueryRow(s.ctx, `SELECT id FROM payments WHERE subject_id = $1`, pledgeID).Scan(&id))
	return id
}
