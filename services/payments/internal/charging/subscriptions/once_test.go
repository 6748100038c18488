package subscriptions_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/paymentstest"
)

// keyed makes a call with an idempotency key.
func keyed(w *paymentstest.World, path, body, key string) (int, string) {
	w.T.Helper()
	status, answer := w.Send(http.MethodPost, w.API.URL+path, "application/json", strings.NewReader(body), map[string]string{"Idempotency-Key": key})
	return status, string(answer)
}

// mustKey makes one that succeeds.
func mustKey(w *paymentstest.World, path, body, key string) string {
	w.T.Helper()
	status, answer := keyed(w, path, body, key)
	if status != http.StatusOK {
		w.T.Fatalf("%s %s with %s answered %d %s", path, body, key, status, answer)
	}
	return answer
}

func TestRepeatedKey_GivesTheFirstAnswerAndDoesNothing(t *testing.T) {
	t.Parallel()
	otherBody := map[string]string{"modify-level": `{"amount":77}`, "cancel": `{"at":"now"}`}
	for name, c := range map[string]struct {
		call, body, since, sinceBody string
		is                           func(sub api.Subscription) bool
	}{
		"another level":            {"modify-level", `{"amount":50}`, "modify-level", `{"amount":10.5}`, func(s api.Subscription) bool { return s.NextLevel.AmountMinor == 1050 }},
		"the level that it has":    {"modify-level", `{"amount":10,"reward_id":5}`, "modify-level", `{"amount":20}`, func(s api.Subscription) bool { return s.NextLevel.AmountMinor == 2000 }},
		"the end":                  {"cancel", `{}`, "resume", "", func(s api.Subscription) bool { return s.EndsOn == nil }},
		"the end without a body":   {"cancel", "", "resume", "", func(s api.Subscription) bool { return s.EndsOn == nil }},
		"a level, then the end":    {"modify-level", `{"amount":50}`, "cancel", `{"at":"now"}`, func(s api.Subscription) bool { return s.Status == "canceled" }},
		"the end, then it is over": {"cancel", `{}`, "cancel", `{"at":"now"}`, func(s api.Subscription) bool { return s.Status == "canceled" }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, id := active(t)
			first := mustKey(w, of(id, c.call), c.body, "key-of-a-press")
			mustKey(w, of(id, c.since), c.sinceBody, "key-of-another-press")
			w.Settle()
			told := len(w.Told(id))
			w.Content.SetNoLevels(true) // a repeat asks whose the session is, and nothing else
			if again := mustKey(w, of(id, c.call), c.body, "key-of-a-press"); again != first {
				t.Errorf("the repeat answered\n%s\nthe first\n%s", again, first)
			}
			w.Content.SetNoLevels(false)
			w.Settle()
			if sub := w.Show(id); !c.is(sub) {
				t.Errorf("it is %+v", sub)
			}
			if status, answer := keyed(w, of(id, c.call), otherBody[c.call], "key-of-a-press"); status != http.StatusConflict ||
				!strings.Contains(answer, `"idempotency_mismatch"`) {
				t.Errorf("another body answered %d %s", status, answer)
			}
			if n := len(w.Told(id)); n != told {
				t.Errorf("%d events were told after the repeat, %d before", n, told)
			}
			w.Audit()
		})
	}
}

func TestRepeatedKey_ManyAtOnce_IsOneAct(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	var group sync.WaitGroup
	answers := make([]string, 12)
	for i := range answers {
		group.Go(func() { _, answers[i] = keyed(w, of(id, "modify-level"), `{"amount":50}`, "key-of-a-press") })
	}
	group.Wait()
	for _, answer := range answers {
		if answer != answers[0] || !strings.Contains(answer, `"next_level"`) {
			t.Errorf("answered %s", answer)
		}
	}
	if n := w.Count(`subscription_transitions WHERE cause = 'modify-level'`); n != 1 {
		t.Errorf("it was chosen %d times", n)
	}
	w.Audit()
}

func TestRefusedCall_LeavesItsKeyFree(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	if status, answer := keyed(w, of(id, "modify-level"), `{"amount":0.1}`, "key-of-a-press"); status != http.StatusUnprocessableEntity {
		t.Errorf("too little answered %d %s", status, answer)
	}
	w.SetLimit(aino, 100, false)
	mustKey(w, of(id, "modify-level"), `{"amount":20}`, "key-of-a-press")
	setup, closed := w.Subscription(), w.Subscription()
	w.CloseSubscription(closed, "released")
	for range 2 {
		if status, _ := keyed(w, of(closed, "setup"), "", "key-of-a-form"); status != http.StatusConflict {
			t.Errorf("the setup of what is closed answered %d", status)
		}
	}
	mustKey(w, of(setup, "setup"), "", "key-of-a-form")
	pledge := w.Pledge()
	w.Content.SetDown(true)
	if status, answer := keyed(w, "/api/pledges/"+pledge+"/setup", "", "key-of-a-form"); status != http.StatusServiceUnavailable {
		t.Errorf("without the content service it answered %d %s", status, answer)
	}
	w.Content.SetDown(false)
	mustKey(w, "/api/pledges/"+w.Pledge()+"/setup", "", "key-of-a-form")
	w.Audit()
}

func TestKey_BelongsToItsAct(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	const key = "key-of-everything"
	pledge, month := w.Pledge(), w.Subscription()
	mustKey(w, "/api/pledges/"+pledge+"/setup", "", key)
	if status, answer := keyed(w, "/api/pledges/"+pledge+"/payment-page/stripe", "", key); status >= 400 {
		t.Errorf("the page answered %d %s", status, answer)
	}
	mustKey(w, of(month, "setup"), "", key)
	mustKey(w, of(id, "modify-level"), `{"amount":50}`, key)
	mustKey(w, of(id, "card"), "", key)
	mustKey(w, of(id, "cancel"), "", key)
}

func TestKeyOfACard_GivesTheSameSetup_AlsoOnceItHasKeptOne(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	setup := func(key string) (intent, secret string) {
		var a api.CardSetupAnswer
		if status, code := w.Post(of(id, "card"), map[string]string{"Idempotency-Key": key}, &a); status != http.StatusOK {
			t.Fatalf("card answered %d %s", status, code)
		}
		return a.Stripe.SetupIntent.ID, a.Stripe.SetupIntent.ClientSecret
	}
	intent, secret := setup("key-of-a-card")
	w.KeepCard(intent, secret, paymentstest.Mastercard)
	if again, _ := setup("key-of-a-card"); again != intent || w.Held("setup_intents") != 1 {
		t.Errorf("a repeat gave %s after %s, of %d", again, intent, w.Held("setup_intents"))
	}
	if other, _ := setup("key-of-another"); other == intent {
		t.Error("another press gave the setup that was done")
	}
}

func TestKey_ThatIsNoText_Is400OfEveryCall(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	pledge := w.Pledge()
	for path, body := range map[string]string{
		"/api/pledges/" + pledge + "/setup": "", "/api/pledges/" + pledge + "/payment-page/stripe": "", of(w.Subscription(), "setup"): "",
		of(id, "cancel"): "{}", of(id, "modify-level"): `{"amount":20}`, of(id, "card"): "",
	} {
		for _, key := range []string{"key-of-\xff\xfe-bytes", "key-\xc3-cut", "\xed\xa0\x80-surrogate"} {
			if status, answer := keyed(w, path, body, key); status != http.StatusBadRequest || !strings.Contains(answer, `"malformed_body"`) {
				t.Errorf("%s with %q answered %d %s", path, key, status, answer)
			}
		}
	}
	if sub := w.Show(id); sub.EndsOn != nil || sub.NextLevel != nil {
		t.Errorf("something was done: %+v", sub)
	}
}
