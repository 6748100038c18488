//go:build unix

package subscriptions_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/ordertoken"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/pledging/holders"
	"talkoot.fi/content/internal/pledging/subscriptions"
)

func TestFirstMonth_WhileItsBankHasIt_DoesNotLapse(t *testing.T) {
	w := setup(t)
	s := w.begins(0, body("10", 0))
	processing := of(w.paid(s, 1), internalapi.PaymentProcessing, 0)
	w.mustPay(processing, taken)
	w.mustPay(of(processing, internalapi.PaymentProcessing, 0), ignored)
	w.Advance(72 * time.Hour)
	w.endDue(0)
	if n := w.number(`SELECT count(*) FROM outbox WHERE kind LIKE 'mail.%'`); n != 0 {
		t.Errorf("%d mails while nothing is decided", n)
	}
	refused := of(processing, internalapi.PaymentFailed, 0)
	for range 2 {
		w.mustPay(refused, taken) // the bank refuses after three days
	}
	if sent := w.mailed(); len(sent) != 1 || !strings.Contains(sent[0].Text, "10,00") || !strings.Contains(sent[0].Text, "/kuoro/") {
		t.Errorf("whoever waits for a receipt is told %+v", sent)
	}
	w.endDue(1)
	if got := w.read(s.SubscriptionID); got.Status != api.SubscriptionStatusExpired {
		t.Errorf("refused, it is %s", got.Status)
	}
	w.mustPay(of(processing, internalapi.PaymentProcessing, 0), ignored) // over
	w.checkInvariants()
}

// The address says whose it is, and where all links to it go.
func TestFirstMonth_WhileItsBankHasIt_KeepsItsAddress(t *testing.T) {
	w := setup(t)
	leena := w.Person("Leena")
	s := w.begins(leena, body("10", 0))
	correct := func(want int) {
		t.Helper()
		content := fmt.Sprintf(`{"email": "muu%d@example.fi"}`, sequence.Add(1))
		if got := w.Post("/v2/subscriptions/"+s.SubscriptionID+"/", content, leena); got.Status != want {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	}
	correct(200)
	processing := of(w.paid(s, 1), internalapi.PaymentProcessing, 0)
	w.mustPay(processing, taken)
	correct(422)
	w.mustPay(of(processing, internalapi.PaymentFailed, 0), taken)
	correct(200)
}

func TestFirstMonth_OnceItIsPaid_NoBankHasItAnyMore(t *testing.T) {
	w := setup(t)
	s := w.begins(0, body("10", 0))
	first := w.paid(s, 1)
	w.mustPay(of(first, internalapi.PaymentProcessing, 0), taken)
	w.mustPay(first, taken)
	w.mustPay(of(first, internalapi.PaymentFailed, 0), ignored) // comes late
	w.mustPay(of(w.paid(s, 2), internalapi.PaymentProcessing, 0), ignored)
	if n := w.number(`SELECT count(*) FROM subscriptions WHERE is_processing`); n != 0 || w.totals() != "1 of 10" {
		t.Errorf("%d wait for a bank, %s", n, w.totals())
	}
	w.checkInvariants()
}

func TestFirstMonth_WhileItsBankHasIt_IsAmongThePersonsOwn(t *testing.T) {
	w := setup(t)
	leena := w.Person("Leena")
	var address string
	if err := w.DB.Raw(`SELECT email FROM users WHERE id = ?`, leena).Scan(&address).Error; err != nil {
		t.Fatal(err)
	}
	own := w.begins(leena, body("7", w.choir))
	unsigned := w.begins(0, fmt.Sprintf(`{"amount": 4, "email": %q, "first_name": "A", "last_name": "B"}`, address))
	holds := func() bool {
		t.Helper()
		is, err := holders.Holds(t.Context(), w.DB, leena, ordertoken.Subscription, []string{unsigned.SubscriptionID})
		if err != nil {
			t.Fatal(err)
		}
		return is
	}
	if holds() {
		t.Error("what anybody may begin with her address is hers")
	}
	for _, s := range []api.Subscription{own, unsigned} {
		w.mustPay(of(w.paid(s, 1), internalapi.PaymentProcessing, 0), taken)
	}

	if !holds() {
		t.Error("the page of what is in her list is not hers")
	}
	list, err := w.ListOwnIn(t.Context(), leena, w.campaign)
	if err != nil || len(list) != 2 || !list[0].IsProcessing || list[0].Status != subscriptions.Created {
		t.Errorf("of the campaign: %v %+v", err, list)
	}
	var all api.SubscriptionsAnswer
	w.Get("/users/me/subscriptions/en/", leena).JSON(&all)
	if all.Total != 2 {
		t.Errorf("the own list has %d", all.Total)
	}
	sums, err := subscriptions.SumUp(t.Context(), w.DB, leena)
	if err != nil || len(sums) != 1 || sums[0].AmountMinor != 11_00 {
		t.Errorf("the menu sums up %v %+v", err, sums)
	}
	if running, err := w.Running(t.Context(), w.DB, leena, address); err != nil || len(running) != 1 || running[0].Supports != 2 {
		t.Errorf("what erasing the account ends: %v %+v", err, running)
	}
	again := strings.Replace(body("7", w.choir), `"reward_id"`, `"once_more": false, "reward_id"`, 1)
	answer := w.Post(w.path(), again, leena)
	if answer.Status != http.StatusConflict || !strings.Contains(string(answer.Body), `"paid":true`) {
		t.Errorf("the same once more: %d %s", answer.Status, answer.Body)
	}
}
