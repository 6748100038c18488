package payees_test

import (
	"net/http"
	"testing"
	"time"

	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/providers/stripe"
	standA "talkoot.fi/sandbox/stripe"
)

// A provider that says that it does not have an account is not believed at once, however often it is asked within an hour: a person is called,
// and an answer about the account is all that it takes to go on. What it goes on saying for hours is believed, and what was disconnected by
// the provider's own word is gone at once.
func TestAccount_ThatIsNotFound_IsClosedOnceThatIsSure(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	a := onboard(w, person).Account.ID
	if err := w.Sandbox.OnboardAccount(a); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	w.LoseWebhooks()
	want := func(when, state string, misses, people int) {
		t.Helper()
		if n := w.Count(`payees WHERE ref = ? AND state = ? AND misses = ?`, a, state, misses); n != 1 || w.Anomalies("payee_missing") != people {
			var is string
			w.Scan(&is, `SELECT state || ', not found ' || misses || ' times' FROM payees WHERE ref = ?`, a)
			t.Errorf("%s: it is %s, %d people are called", when, is, w.Anomalies("payee_missing"))
		}
	}
	changed := func(isGone bool) {
		t.Helper()
		if err := w.App.Payees.Changed(t.Context(), stripe.Name, a, isGone); err != nil {
			t.Fatal(err)
		}
	}
	w.Fault("404", 10, http.MethodGet, "/v1/accounts/"+a)
	for range 10 {
		changed(false)
		w.Pass(5 * time.Minute)
	}
	want("not found again and again", "ready", 1, 1)
	changed(false)
	want("found again", "ready", 0, 0)
	changed(true)
	want("said to be disconnected, and it is not", "ready", 0, 0)

	w.Fault("404", 1000, http.MethodGet, "/v1/accounts/"+a)
	for i, wait := range []time.Duration{24, 1, 1, 1, 1} { // who is ready is asked about once a day, and who is missing each hour
		w.Pass(wait*time.Hour + time.Second)
		if err := w.App.Payees.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		want("not found for hours", "ready", i+1, 1)
	}
	w.Control("calm", `{}`)
	changed(false)
	want("found after hours", "ready", 0, 0)

	w.LoseWebhooks()
	w.Fault("404", 1000, http.MethodGet, "/v1/accounts/"+a)
	for range 6 {
		changed(false)
		w.Pass(time.Hour)
	}
	want("not found for six hours", "closed", 6, 1)
	w.Control("calm", `{}`)

	a = onboard(w, person).Account.ID // they need another
	if err := w.Sandbox.DeauthorizeAccount(standA.AccountChange{Account: a}); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	want("disconnected", "closed", 1, 1)
}

// The word of a disconnection holds also when another look overtook its own, which knew nothing of it and only did not find the account.
func TestAccount_IsDisconnectedAlsoWhenAnotherLookWasFaster(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.LoseWebhooks()
	a := onboard(w, person).Account.ID
	if err := w.Sandbox.DeauthorizeAccount(standA.AccountChange{Account: a}); err != nil {
		t.Fatal(err)
	}
	looks := func() (n int) {
		w.Scan(&n, `SELECT looks FROM payees WHERE ref = ?`, a)
		return n
	}
	before := looks()
	w.Control("latency", `{"ms":1000,"times":1}`)
	told := make(chan error, 1)
	go func() { told <- w.App.Payees.Changed(t.Context(), stripe.Name, a, true) }()
	for looks() == before {
		time.Sleep(5 * time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond) // it is asked by now, and waits for its answer
	if err := w.App.Payees.Changed(t.Context(), stripe.Name, a, false); err != nil {
		t.Fatal(err)
	}
	if err := <-told; err != nil {
		t.Fatal(err)
	}
	var state string
	if w.Scan(&state, `SELECT state FROM payees WHERE ref = ?`, a); state != "closed" || w.Anomalies("payee_missing") != 0 {
		t.Errorf("it is %s, %d people are called", state, w.Anomalies("payee_missing"))
	}
}
