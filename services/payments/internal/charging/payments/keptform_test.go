package payments_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/vault"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
)

const (
	leena int64 = 51
	otso  int64 = 52
)

// formWorld has people who keep cards in the form's provider.
type formWorld struct{ *paymentstest.World }

func newFormWorld(t *testing.T) formWorld {
	t.Helper()
	return formWorld{paymentstest.New(t)}
}

func (w formWorld) pledgeOf(user int64) string {
	return w.Content.Pledge(w.Now(), func(o *contentclient.Order) { o.BackerUserID = &user })
}

func (w formWorld) setup(pledge, body string) (a paymentstest.SetupAnswer) {
	w.T.Helper()
	status, raw := w.Send(http.MethodPost, w.API.URL+"/api/pledges/"+pledge+"/setup", "application/json", strings.NewReader(body), nil)
	var refusal struct {
		Status string `json:"status"`
	}
	into := any(&a)
	if status >= http.StatusBadRequest {
		into = &refusal
	}
	if err := json.Unmarshal(raw, into); err != nil {
		w.T.Fatalf("%s: %v", raw, err)
	}
	a.Status, a.Code = status, refusal.Status
	return a
}

const keep = `{"keep": true}`

// pay pays a pledge of a person in the form.
func (w formWorld) pay(user int64, body, card string) (pledge string) {
	w.T.Helper()
	pledge = w.pledgeOf(user)
	if a := w.setup(pledge, body); a.Status != http.StatusOK || w.Confirm(a, card).Status != "succeeded" {
		w.T.Fatalf("%+v", a)
	}
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	return pledge
}

func (w formWorld) kept(user int64) []vault.Card {
	w.T.Helper()
	list, err := w.App.Payments.Kept(w.T.Context(), user, "stripe")
	if err != nil {
		w.T.Fatal(err)
	}
	return list
}

func paidBy(card string) string { return fmt.Sprintf(`{"card_id": %q}`, card) }

// What checkout offers is what pays: one id, from the call that lists it to those that take it. It stays one card.
func TestKeptInForm_IsOfferedAndPaysAgain(t *testing.T) {
	t.Parallel()
	w := newFormWorld(t)
	w.pay(leena, keep, "pm_card_visa")
	_, raw := w.Send(http.MethodGet, w.API.URL+"/api/campaigns/7/methods", "", nil, map[string]string{"Authorization": paymentstest.SessionOf(leena, false)})
	var offered api.MethodsAnswer
	if err := json.Unmarshal(raw, &offered); err != nil || len(offered.SavedCards) != 1 || offered.SavedCards[0].Label != "Visa ···· 4242" {
		t.Fatalf("%s, %v", raw, err)
	}
	card := offered.SavedCards[0].CardID
	w.Pass(time.Minute)
	w.pay(leena, paidBy(card), card)
	if list := w.kept(leena); len(list) != 1 || list[0].Ref != card || list[0].UsedAt == nil {
		t.Errorf("kept are %+v", list)
	}
	status, _ := w.Send(http.MethodDelete, w.API.URL+"/api/users/me/cards/"+card, "", nil, map[string]string{"Authorization": paymentstest.SessionOf(leena, false)})
	w.Settle()
	if status != http.StatusNoContent || len(w.kept(leena)) != 0 {
		t.Errorf("removed: %d, %+v", status, w.kept(leena))
	}
	if a := w.setup(w.pledgeOf(leena), paidBy(card)); a.Code != "not_found" {
		t.Errorf("a removed card: %+v", a)
	}
	w.Audit()
}

// Nothing is kept that was not asked for, nor of a guest, who has nobody to keep it for; and no payer is made for it.
func TestKeptInForm_OnlyWhenAsked_AndOfAPerson(t *testing.T) {
	t.Parallel()
	w := newFormWorld(t)
	w.pay(leena, `{}`, "pm_card_visa")
	guests := w.Pledge()
	w.MustPay(w.setup(guests, keep))
	w.Settle()
	w.WantStatus(guests, "succeeded")
	if n := w.Count("kept_cards") + w.Count("payers"); n != 0 {
		t.Errorf("%d rows are kept", n)
	}
}

// Whoever has a link of a mail pays with a card of theirs, which is not kept for the pledge's person; none that they have kept pays.
func TestKeptInForm_ByAMailedLink_IsNone(t *testing.T) {
	t.Parallel()
	w := newFormWorld(t)
	w.pay(leena, keep, "pm_card_visa")
	own, pledge := w.kept(leena)[0].Ref, w.pledgeOf(leena)
	link := map[string]string{ordertoken.Header: w.OrderToken(ordertoken.Paying, pledge)}
	path := w.API.URL + "/api/pledges/" + pledge + "/setup"
	if status, raw := w.Send(http.MethodPost, path, "application/json", strings.NewReader(paidBy(own)), link); status != http.StatusForbidden {
		t.Errorf("with the card of the pledge's person: %d %s", status, raw)
	}
	var a paymentstest.SetupAnswer
	status, raw := w.Send(http.MethodPost, path, "application/json", strings.NewReader(keep), link)
	if err := json.Unmarshal(raw, &a); err != nil || status != http.StatusOK || w.Confirm(a, "pm_card_mastercard").Status != "succeeded" {
		t.Fatalf("with their own: %d %s", status, raw)
	}
	w.Settle()
	if list := w.kept(leena); len(list) != 1 || list[0].Ref != own {
		t.Errorf("kept are %+v", list)
	}
}

// A card is its person's alone: another's id pays for nobody else.
func TestKeptInForm_IsItsPersons(t *testing.T) {
	t.Parallel()
	w := newFormWorld(t)
	w.pay(leena, keep, "pm_card_visa")
	card := w.kept(leena)[0].Ref
	for _, pledge := range []string{w.pledgeOf(otso), w.Pledge()} {
		if a := w.setup(pledge, paidBy(card)); a.Code != "not_found" {
			t.Errorf("another's: %+v", a)
		}
	}
}

// Whoever ticks after a refusal pays with another intent; the one before can be paid no more, and the pledge is paid once.
func TestKeptInForm_AskedAfterARefusal_EndsTheFirstIntent(t *testing.T) {
	t.Parallel()
	w := newFormWorld(t)
	pledge := w.pledgeOf(leena)
	first := w.setup(pledge, `{}`)
	if got := w.Confirm(first, "pm_card_chargeDeclined"); got.Error.Code != "card_declined" {
		t.Fatalf("%+v", got)
	}
	second := w.setup(pledge, keep)
	if second.Status != http.StatusOK || second.Stripe.PaymentIntent.ID == first.Stripe.PaymentIntent.ID {
		t.Fatalf("%+v after %+v", second, first)
	}
	if got := w.IntentStatus(first.Stripe.PaymentIntent.ID); got != "canceled" {
		t.Errorf("the first is %s", got)
	}
	w.MustPay(second)
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	if len(w.kept(leena)) != 1 {
		t.Errorf("kept are %+v", w.kept(leena))
	}
	w.Audit()
}

// A bank that asks when a card is kept may ask again when it pays: the payer is there.
func TestKeptInForm_ItsBankMayAskAgain(t *testing.T) {
	t.Parallel()
	w := newFormWorld(t)
	card := "pm_card_authenticationRequired"
	for _, body := range []string{keep, ""} {
		if body == "" {
			card = w.kept(leena)[0].Ref
			body = paidBy(card)
		}
		pledge := w.pledgeOf(leena)
		asked := w.Confirm(w.setup(pledge, body), card)
		if asked.Status == "requires_action" {
			w.AnswerChallenge(asked, "pass")
		}
		w.Settle()
		w.WantStatus(pledge, "succeeded")
	}
}

// An account that is erased while its card pays leaves no card.
func TestKeptInForm_OfAnErasedAccount_IsGone(t *testing.T) {
	t.Parallel()
	w := newFormWorld(t)
	w.pay(leena, keep, "pm_card_visa")
	late := w.pledgeOf(leena)
	w.LoseWebhooks()
	if got := w.Confirm(w.setup(late, keep), "pm_card_mastercard"); got.Status != "succeeded" {
		t.Fatalf("%+v", got)
	}
	if status, answer := w.TellBy(http.MethodDelete, fmt.Sprintf("/internal/payers/%d", leena), "", servicetoken.Payments); status != http.StatusNoContent {
		t.Fatalf("%d %s", status, answer)
	}
	w.Exec(`UPDATE payments SET backer_user_id = ? WHERE subject_id = ?`, leena, late) // its number is taken away in a step of its own
	w.Payment(late)
	w.Settle()
	w.WantStatus(late, "succeeded")
	if n := w.Count("kept_cards"); n != 0 {
		t.Errorf("%d are kept", n)
	}
}
