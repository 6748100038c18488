//go:build unix

package e2e

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/dataset"
	"talkoot.fi/scripts/harness"
)

func TestPaidPledgeMovesTotalsBackersStockReceiptAndLedger(t *testing.T) {
	s := begin(t)
	c := s.campaign(dataset.Reward{Title: "Kirja", Euros: 25, Stock: 5})
	v, form := stranger("en")
	form = forReward(form, c.Rewards[0], "50")
	form.Meta.Quantity = 2
	s.must(v.Register(s.ctx, browser.Account{Email: form.Meta.Email, Password: "talkoot-2026-e2e", FirstName: "Aino",
		LastName: "Korhonen", Language: "en"}))

	found, _, err := v.Campaigns(s.ctx, url.Values{"keyword": {t.Name()}})
	s.must(err)
	if len(found) != 1 || found[0].CampaignID != c.ID {
		t.Fatalf("the keyword finds %v, want campaign %d", found, c.ID)
	}

	made := s.pledge(v, c.ID, form)
	if made.Status != "created" || made.Amount != 50 {
		t.Errorf("made %+v", made)
	}
	if got := s.reward(c.ID, c.Rewards[0]).StockReserved; got != 2 {
		t.Errorf("%d reserved before paying, want 2", got)
	}
	s.pay(v, made.ID)
	paid := s.await(v, made.ID, "paid")
	if paid.ReceiptNumber == "" || paid.BackerNumber != 1 || !strings.HasSuffix(paid.PaymentMethod, "4242") {
		t.Errorf("paid %+v", paid)
	}

	page, err := v.Campaign(s.ctx, c.ID)
	s.must(err)
	if page.FundingReached != 50 || page.NumberOfBackers != 1 {
		t.Errorf("campaign has %v from %d backers", page.FundingReached, page.NumberOfBackers)
	}
	backers, total, err := v.Backers(s.ctx, c.ID)
	s.must(err)
	if total != 1 || backers[0].Name != "Aino Korhonen" || backers[0].Amount != 50 {
		t.Errorf("backers %v of %d", backers, total)
	}
	s.must(s.until(func() (bool, error) { // the list of rewards may be a second old
		r := s.reward(c.ID, c.Rewards[0])
		return r.StockReserved == 2 && r.Backers == 1, nil
	}))
	m := s.mail(form.Meta.Email, paid.ReceiptNumber)
	if !strings.HasPrefix(m.Subject, "Receipt") || !strings.Contains(m.Text, "50") {
		t.Errorf("mail %q:\n%s", m.Subject, m.Text)
	}
	charged := s.paymentsNumber(`SELECT coalesce(sum(e.amount_minor), 0)::bigint FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id
		JOIN ledger_transactions t ON t.id = e.transaction_id JOIN payments p ON p.id = t.payment_id
		WHERE p.subject_id = $1 AND t.kind = 'charge' AND a.name = $2`, made.ID, fmt.Sprintf("backer_funds:stripe:%d", c.ID))
	if charged != -5000 {
		t.Errorf("backers' funds moved by %d, want -5000 (credit)", charged)
	}
	if status := s.paymentStatus(v, made.ID); status != "succeeded" {
		t.Errorf("payment is %s", status)
	}
}

func (s scene) paymentStatus(v *browser.Visitor, pledgeID string) string {
	s.Helper()
	p, err := v.ReadPayment(s.ctx, pledgeID)
	s.must(err)
	return p.Status
}

func TestReceiptIsInTheBackersLanguage(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	for language, word := range map[string]string{"fi": "Kuitti", "en": "Receipt", "sv": "Kvitto"} {
		v, form := stranger(language)
		made := s.pledge(v, c.ID, form)
		s.pay(v, made.ID)
		paid := s.await(v, made.ID, "paid")
		if m := s.mail(form.Meta.Email, paid.ReceiptNumber); !strings.HasPrefix(m.Subject, word) {
			t.Errorf("in %s the subject is %q", language, m.Subject)
		}
	}
}

func TestAnonymousBackerWithAddressAndAnswersIsNotNamed(t *testing.T) {
	s := begin(t)
	c := s.campaign(dataset.Reward{Title: "Paita", Euros: 30, Questions: []string{"ask_for_address", "Koko?"},
		AddedCosts: []dataset.AddedCost{{AmountMinor: 0, Description: map[string]string{"FI": "Nouto"}},
			{AmountMinor: 590, Description: map[string]string{"FI": "Posti"}}}})
	v, form := stranger("fi")
	form = forReward(form, c.Rewards[0], "35.90")
	form.Meta.Anonymous = true

	_, err := v.Pledge(s.ctx, c.ID, newKey(), form)
	s.refused(err, http.StatusUnprocessableEntity, "invalid_fields")

	post := 1
	form.Meta.AddedCost, form.Meta.Answers = &post, map[string]string{"custom_question_2": "M"}
	form.Meta.Street, form.Meta.Postcode, form.Meta.City = "Rantatie 1", "00100", "Helsinki"
	made := s.pledge(v, c.ID, form)
	s.pay(v, made.ID)
	s.await(v, made.ID, "paid")
	backers, total, err := v.Backers(s.ctx, c.ID)
	s.must(err)
	if total != 1 || !backers[0].Anonymous || backers[0].Name != "" || backers[0].Amount != 35.9 {
		t.Errorf("backers %+v", backers)
	}
}

func TestRefusedCardLeavesThePledgeOpenForAnother(t *testing.T) {
	for _, card := range []browser.Card{browser.DeclinedCard, browser.NoFundsCard} {
		s := begin(t)
		c := s.campaign(dataset.Reward{Title: "Kirja", Euros: 25, Stock: 1})
		v, form := stranger("fi")
		made := s.pledge(v, c.ID, forReward(form, c.Rewards[0], "25"))
		intent, err := v.Setup(s.ctx, made.ID)
		s.must(err)
		_, err = v.Confirm(s.ctx, intent, card)
		if p := new(browser.Problem); !errors.As(err, &p) || p.HTTPStatus != http.StatusPaymentRequired {
			t.Fatalf("card %s: %v", card, err)
		}
		if p, err := v.ReadPayment(s.ctx, made.ID); err != nil || p.Status != "created" || p.FailureCode == "" {
			t.Errorf("after the decline the payment is %+v, %v", p, err)
		}
		if got := s.reward(c.ID, c.Rewards[0]).StockReserved; got != 1 {
			t.Errorf("%d reserved after the decline, want 1", got)
		}
		again, err := v.Setup(s.ctx, made.ID)
		s.must(err)
		if again.ID != intent.ID {
			t.Errorf("a second intent %s beside %s", again.ID, intent.ID)
		}
		s.pay(v, made.ID)
		s.await(v, made.ID, "paid")
	}
}

func TestSecureCardIsPaidOnceItsChallengeIsPassed(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	s.challenge(v, made.ID, browser.SecureCard, false)
	if status := s.paymentStatus(v, made.ID); status != "created" {
		t.Errorf("after the failed challenge the payment is %s", status)
	}
	s.challenge(v, made.ID, browser.SecureCard, true)
	s.await(v, made.ID, "paid")
}

// challenge pays with a card that asks for 3-D Secure, and answers it.
func (s scene) challenge(v *browser.Visitor, pledgeID string, card browser.Card, pass bool) {
	s.Helper()
	intent, err := v.Setup(s.ctx, pledgeID)
	s.must(err)
	asked, err := v.Confirm(s.ctx, intent, card)
	s.must(err)
	if asked.Status != "requires_action" || asked.Challenge == "" {
		s.Fatalf("card %s is answered %+v", card, asked)
	}
	if status := s.paymentStatus(v, pledgeID); status != "requires_action" {
		s.Errorf("during the challenge the payment is %s", status)
	}
	s.must(v.AnswerChallenge(s.ctx, asked.Challenge, pass))
}

func TestCardRefusedAfterItsChallengeIsNotPaid(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	s.challenge(v, made.ID, browser.SecureBrokenCard, true)
	if p, err := v.ReadPayment(s.ctx, made.ID); err != nil || p.Status != "created" || p.FailureCode == "" {
		t.Errorf("payment %+v, %v", p, err)
	}
}

func TestAbandonedChallengeExpiresAndFreesItsStock(t *testing.T) {
	s := begin(t)
	c := s.campaign(dataset.Reward{Title: "Kirja", Euros: 25, Stock: 1})
	v, form := stranger("fi")
	form = forReward(form, c.Rewards[0], "25")
	made := s.pledge(v, c.ID, form)
	intent, err := v.Setup(s.ctx, made.ID)
	s.must(err)
	asked, err := v.Confirm(s.ctx, intent, browser.SecureCard)
	s.must(err)

	other, otherForm := stranger("fi")
	otherForm = forReward(otherForm, c.Rewards[0], "25")
	_, err = other.Pledge(s.ctx, c.ID, newKey(), otherForm)
	s.refused(err, http.StatusConflict, "reward_gone")

	s.must(world.ExpireHolds(s.ctx))
	s.await(v, made.ID, "expired")
	second := s.pledge(other, c.ID, otherForm)
	s.pay(other, second.ID)
	s.await(other, second.ID, "paid")
	s.awaitPayment(v, made.ID, "canceled")
	if err := v.AnswerChallenge(s.ctx, asked.Challenge, true); err != nil {
		t.Logf("the late answer is refused: %v", err)
	}
	if status := s.paymentStatus(v, made.ID); status != "canceled" {
		t.Errorf("after a late answer to its challenge the payment is %s", status)
	}
}

func TestHostedPageIsPaidWithDeclineAndChallengeOnTheWay(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("sv")
	made := s.pledge(v, c.ID, form)
	page, err := v.PaymentPage(s.ctx, made.ID, settles)
	s.must(err)
	same, err := v.PaymentPage(s.ctx, made.ID, settles)
	s.must(err)
	if same != page {
		t.Errorf("a second page %s beside %s", same, page)
	}
	if err := v.PayPage(s.ctx, page, form.Meta.Email, browser.DeclinedCard); err == nil {
		t.Error("the page takes a card that is declined")
	}
	s.must(v.PayPage(s.ctx, page, form.Meta.Email, browser.GoodCard))
	s.await(v, made.ID, "paid")
}

func TestSecondPaymentOfAPledgeIsRefunded(t *testing.T) {
	s := begin(t)
	c := s.campaign()
	v, form := stranger("fi")
	made := s.pledge(v, c.ID, form)
	s.must(world.Disturb(s.ctx, harness.Webhooks{Hold: true})) // the first payment stays unknown until the second is made
	intent, err := v.Setup(s.ctx, made.ID)
	s.must(err)
	page, err := v.PaymentPage(s.ctx, made.ID, settles)
	s.must(err)
	_, err = v.Confirm(s.ctx, intent, browser.GoodCard)
	s.must(err)
	s.must(v.PayPage(s.ctx, page, form.Meta.Email, browser.GoodCard))
	s.must(world.Calm(s.ctx))
	s.await(v, made.ID, "paid")
	s.must(s.until(func() (bool, error) {
		n, err := harness.Number(s.ctx, world.Payments, `SELECT count(*) FROM refunds r JOIN payments p ON p.id = r.payment_id
			WHERE p.subject_id = $1 AND r.reason = 'duplicate' AND r.status = 'succeeded'`, made.ID)
		return n == 1, err
	}))
	if p := s.await(v, made.ID, "paid"); p.Amount != 25 {
		t.Errorf("pledge %+v", p)
	}
}

func TestRepeatedPayReturnsTheSamePledgeAndIntent(t *testing.T) {
	s := begin(t)
	c := s.campaign(dataset.Reward{Title: "Kirja", Euros: 25, Stock: 3})
	v, form := stranger("fi")
	form = forReward(form, c.Rewards[0], "25")
	key := newKey()
	first, err := v.Pledge(s.ctx, c.ID, key, form)
	s.must(err)
	second, err := v.Pledge(s.ctx, c.ID, key, form)
	s.must(err)
	if first.ID != second.ID || s.reward(c.ID, c.Rewards[0]).StockReserved != 1 {
		t.Errorf("the same key gave %s and %s", first.ID, second.ID)
	}
	form.Meta.FirstName = "Eino"
	_, err = v.Pledge(s.ctx, c.ID, key, form)
	s.refused(err, http.StatusConflict, "idempotency_mismatch")
	one, err := v.Setup(s.ctx, first.ID)
	s.must(err)
	two, err := v.Setup(s.ctx, first.ID)
	s.must(err)
	if one != two {
		t.Errorf("two intents: %s and %s", one.ID, two.ID)
	}
}

func TestReleasedPledgeFreesItsStock(t *testing.T) {
	s := begin(t)
	c := s.campaign(dataset.Reward{Title: "Kirja", Euros: 25, Stock: 1})
	v, form := stranger("fi")
	form = forReward(form, c.Rewards[0], "25")
	made := s.pledge(v, c.ID, form)
	s.must(v.Release(s.ctx, made.ID))
	second := s.pledge(v, c.ID, form)
	s.pay(v, second.ID)
	s.await(v, second.ID, "paid")
	s.refused(v.Release(s.ctx, second.ID), http.StatusConflict, "pledge_already_paid")
}
