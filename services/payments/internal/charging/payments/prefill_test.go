package payments_test

import (
	"net/http"
	"testing"
	"time"

	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
)

// shown is what the hosted pages fill in for the backer.
func shown(w *paymentstest.World) []string {
	w.T.Helper()
	var sessions struct {
		Data []struct {
			CustomerEmail string `json:"customer_email"`
		} `json:"data"`
	}
	w.At("/v1/checkout/sessions", &sessions)
	emails := make([]string, len(sessions.Data))
	for i, s := range sessions.Data {
		emails[i] = s.CustomerEmail
	}
	return emails
}

func withEmail(w *paymentstest.World, email string) string {
	return w.Content.Pledge(w.Now(), func(o *contentclient.Order) { o.Email = email })
}

func TestPage_TheBackersAddressIsFilledIn_WhenTheProviderTakesIt(t *testing.T) {
	t.Parallel()
	for email, want := range map[string]string{
		"aino@example.com":       "aino@example.com",
		"p\u00e4ivi@example.com": "", // not asked: the provider takes ASCII
		"a..b@example.com":       "", // asked, and refused
		"":                       "",
	} {
		t.Run(email, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge := withEmail(w, email)
			w.Page(pledge, "stripe")
			w.MakePages()
			status, _, a := w.Page(pledge, "stripe")
			if got := shown(w); status != http.StatusOK || len(got) != 1 || got[0] != want {
				t.Fatalf("page answered %d, and shows %q, want %q", status, got, want)
			}
			if !w.PayOnPage(a.PaymentPageURL, "4242424242424242") {
				t.Error("the page cannot be paid")
			}
		})
	}
}

func TestPage_IsMadeWithoutTheAddress_WhileTheContentServiceIsAway(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	w.Page(pledge, "stripe")
	w.Content.SetDown(true)
	w.MakePages()
	if got := shown(w); len(got) != 1 || got[0] != "" ||
		w.Count("attempts WHERE method = 'page' AND status = 'open'") != 1 {
		t.Errorf("pages show %q", got)
	}
}

// An answer that is lost leaves the page at the provider; asked again by the same key, it has to be that one.
func TestPage_WhoseAnswerWasLost_IsFoundAgainByItsKey(t *testing.T) {
	t.Parallel()
	for name, awayAtFirst := range map[string]bool{"made with the address": false, "made without it": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge := w.Pledge()
			w.Page(pledge, "stripe")
			w.Content.SetDown(awayAtFirst)
			w.Control("faults", `{"kind":"cut_after","times":3,"method":"POST","path":"/v1/checkout/sessions"}`)
			w.MakePages()
			if n := w.Count("attempts WHERE method = 'page' AND status = 'creating'"); n != 1 {
				t.Fatalf("%d pages wait for their answer, want 1", n)
			}
			w.Content.SetDown(false)
			w.MakePages()
			if status, _, a := w.Page(pledge, "stripe"); status != http.StatusOK ||
				!w.PayOnPage(a.PaymentPageURL, "4242424242424242") {
				t.Errorf("page answered %d", status)
			}
			if n := w.Held("checkout/sessions"); n != 1 {
				t.Errorf("the provider holds %d pages, want 1", n)
			}
		})
	}
}

// A key has one body, and the address in it is gone with the pledge: the page cannot be asked for again, but nobody was
// given it either. One that was asked for may be there until its time is over.
func TestPage_WhosePledgeIsGone_KeepsNoPaymentFromEnding(t *testing.T) {
	t.Parallel()
	for name, wasAsked := range map[string]bool{"the provider was never asked": false, "its answer was lost": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge := w.Pledge()
			w.Page(pledge, "stripe")
			if wasAsked {
				w.Control("faults", `{"kind":"cut_after","times":3,"method":"POST","path":"/v1/checkout/sessions"}`)
				w.MakePages()
			}
			w.Content.Remove(pledge)
			w.ClosePayment(pledge)
			w.Settle()
			if n := w.Count("attempts WHERE status = 'abandoned'"); (n == 1) == wasAsked {
				t.Errorf("%d pages are given up", n)
			}
			for range 4 {
				w.Pass(20 * time.Minute)
				w.Settle()
			}
			w.WantStatus(pledge, "canceled")
			if n := w.Count("attempts WHERE status = 'abandoned'"); n != 1 || w.Anomalies("") != 0 {
				t.Errorf("%d pages are given up, %d people called", n, w.Anomalies(""))
			}
			w.Audit()
		})
	}
}

// The provider's own events are kept as they came for a while, and name whom the provider names.
func TestPage_OurTablesDoNotKeepTheAddress(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	w.Page(pledge, "stripe")
	w.MakePages()
	_, _, a := w.Page(pledge, "stripe")
	w.PayOnPage(a.PaymentPageURL, "4242424242424242")
	w.Pass(time.Second)
	w.Settle()
	var tables []string
	w.Scan(&tables, `SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'webhook_events'`)
	for _, table := range tables {
		if n := w.Count(table + ` t WHERE t::text ILIKE '%aino@example.com%'`); n != 0 {
			t.Errorf("%d rows of %s hold the backer's address", n, table)
		}
	}
	if len(tables) < 5 || w.Count("payments WHERE status = 'succeeded'") != 1 {
		t.Errorf("looked at %d tables of a payment that is not made", len(tables))
	}
}
