package subscriptions_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
)

// heard are the two ways in which we may learn that a payer was deleted.
var heard = map[string]bool{"told": true, "not told": false}

// payerGone is a subscription of Aino's whose payer was deleted at the provider.
func payerGone(t *testing.T, isTold bool) (*paymentstest.World, string, string) {
	t.Helper()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	id := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
	gone := w.CustomerOf(id)
	deletePayer(w, gone, isTold)
	if isTold && (w.CustomerOf(id) != "" || w.Show(id).Card != nil) {
		t.Errorf("once it is heard of the payer is %q with %+v", w.CustomerOf(id), w.Show(id).Card)
	}
	return w, id, gone
}

func deletePayer(w *paymentstest.World, ref string, isTold bool) {
	w.T.Helper()
	if !isTold {
		w.LoseWebhooks()
	}
	w.DeleteCustomer(ref)
	w.Settle()
	w.Control("webhooks", `{"drop":0}`)
}

func keepCard(w *paymentstest.World, id, card string) {
	w.T.Helper()
	setup := w.SetupCardOf(id, card)
	if status, code, _ := w.Act(http.MethodPut, id, "/card", `{"setup_intent":"`+setup+`"}`); status != http.StatusOK {
		w.T.Fatalf("the card answered %d %s", status, code)
	}
	w.Settle()
}

func TestPayerDeletedAtTheProvider_AnotherCardIsKept_AndChargedWhenTheMonthComes(t *testing.T) {
	t.Parallel()
	for name, isTold := range heard {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, id, gone := payerGone(t, isTold)
			keepCard(w, id, paymentstest.Mastercard)
			if now := w.CustomerOf(id); now == "" || now == gone {
				t.Errorf("the payer is %q after %q", now, gone)
			}
			overDays(w, day(2027, 3, 11))
			wantMonths(w, id, 3)
			w.Audit()
		})
	}
}

func TestPayerDeletedAtTheProvider_BeginsOtherSupport_AlsoTwiceInADay(t *testing.T) {
	t.Parallel()
	for name, isTold := range heard {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _, _ := payerGone(t, isTold)
			other := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
			w.DeleteCustomer(w.CustomerOf(other))
			w.Settle()
			third := w.Subscribed(paymentstest.Mastercard, paymentstest.OfUser(aino))
			wantStatus(w, third, "active")
			overDays(w, day(2027, 2, 11))
			wantMonths(w, third, 2)
			w.Audit()
		})
	}
}

func TestPayerDeletedAtTheProvider_WithoutAnAccount_KeepsAnotherCard(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	id := w.Subscribed(paymentstest.Visa)
	w.DeleteCustomer(w.CustomerOf(id))
	w.Settle()
	keepCard(w, id, paymentstest.Mastercard)
	overDays(w, day(2027, 2, 11))
	wantMonths(w, id, 2)
	w.MustAct(id, "cancel", `{"at":"now"}`)
	w.Settle()
	if n := w.Held("customers"); n != 0 {
		t.Errorf("%d customers are left", n)
	}
	w.Audit()
}

// The engine meets it: its backer is asked for another card, and nobody is called.
func TestPayerDeletedAtTheProvider_IsARefusedCardOfTheMonth(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		isTold bool
		answer func(w *paymentstest.World, id string)
	}{
		"told, another card":     {true, func(w *paymentstest.World, id string) { keepCard(w, id, paymentstest.Mastercard) }},
		"not told, another card": {false, func(w *paymentstest.World, id string) { keepCard(w, id, paymentstest.Mastercard) }},
		"told, the form":         {true, func(w *paymentstest.World, id string) { w.PayMonth(id, paymentstest.Mastercard) }},
		"not told, the form":     {false, func(w *paymentstest.World, id string) { w.PayMonth(id, paymentstest.Mastercard) }},
		"the link of the mail": {true, func(w *paymentstest.World, id string) {
			var a struct {
				IntentID     string `json:"intent_id"`
				ClientSecret string `json:"client_secret"`
			}
			token := w.Link(id, contentclient.Card, 2)
			if status, code := w.Linked("setup", token, "", &a); status != http.StatusOK {
				w.T.Fatalf("the link answered %d %s", status, code)
			}
			w.KeepCard(a.IntentID, a.ClientSecret, paymentstest.Mastercard)
			w.MustLink("act", token, `,"setup_intent":"`+a.IntentID+`"`)
			w.Settle()
		}},
	} {
		for _, late := range []bool{false, true} {
			t.Run(name+map[bool]string{true: ", past due"}[late], func(t *testing.T) {
				t.Parallel()
				w, id, _ := payerGone(t, c.isTold)
				overDays(w, day(2027, 2, 11))
				wantStatus(w, id, "active")
				want := []string{"activated", "charge_failed"}
				if late {
					overDays(w, day(2027, 2, 19))
					wantStatus(w, id, "past_due")
					want = append(want, "past_due")
				}
				w.WantTold(id, want...)
				if sub := w.Show(id); sub.Due == nil || !*sub.Due.NeedsBacker || sub.Card != nil {
					t.Errorf("it is %+v, to be paid %+v", sub, sub.Due)
				}
				if n := w.Count(`anomalies WHERE resolved_at IS NULL`); n != 0 {
					t.Errorf("%d things are for a person", n)
				}
				c.answer(w, id)
				wantMonths(w, id, 2)
				wantStatus(w, id, "active")
				overDays(w, day(2027, 3, 11))
				wantMonths(w, id, 3)
				w.Audit()
			})
		}
	}
}

// A month whose form was handed out already for the payer that is gone is paid with another one's card.
func TestPayerDeletedAtTheProvider_WhileAMonthIsOpen(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(w *paymentstest.World, id string){
		"another card": func(w *paymentstest.World, id string) { keepCard(w, id, paymentstest.Mastercard) },
		"the form":     func(w *paymentstest.World, id string) { w.PayMonth(id, paymentstest.Mastercard) },
	} {
		for told, isTold := range heard {
			t.Run(name+", "+told, func(t *testing.T) {
				t.Parallel()
				w := paymentstest.New(t)
				w.GoTo(noon(anchor))
				id := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
				w.BankSays(id, paymentstest.Insufficient)
				overDays(w, day(2027, 2, 10))
				w.SetupMonth(id)
				deletePayer(w, w.CustomerOf(id), isTold)
				overDays(w, day(2027, 2, 11))
				answer(w, id)
				wantMonths(w, id, 2)
				overDays(w, day(2027, 3, 11))
				wantMonths(w, id, 3)
				w.Audit()
			})
		}
	}
}

// With another account's key the provider knows none of our payers. That is no word about them: their cards stay.
func TestPayerWhomTheProviderHasNeverHeardOf_KeepsTheirCard(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	b.Set(func(rw http.ResponseWriter, r *http.Request) bool {
		isTheirs := r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/v1/payment_intents") || strings.Contains(r.URL.Path, "/v1/customers/")
		return isTheirs && paymentstest.Refuse(rw, http.StatusNotFound, `{"type":"invalid_request_error","code":"resource_missing","param":"customer"}`)
	}, nil)
	overDays(w, day(2027, 2, 12))
	if w.CustomerOf(id) == "" || w.CardOf(id) == "" {
		t.Error("the payer and the card are taken away")
	}
	b.Set(nil, nil)
	w.Pass(7 * time.Hour)
	w.Settle()
	wantMonths(w, id, 2)
	w.Audit()
}
