package payins_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/payments/internal/paymentstest"
)

// page asks for a hosted page, has the queue's work done, and gives its address.
func page(b *paymentstest.B, pledge string) string {
	b.T.Helper()
	for range 2 {
		status, code, a := b.Page(pledge, "card")
		if status == http.StatusOK {
			return a.PaymentPageURL
		}
		if status != http.StatusAccepted {
			b.T.Fatalf("%d %s", status, code)
		}
		b.MakePages()
	}
	b.T.Fatal("there is no page")
	return ""
}

// objectOf is the pay-in of the newest page.
func objectOf(b *paymentstest.B) (id string) {
	b.T.Helper()
	b.Scan(&id, `SELECT object_ref FROM attempts WHERE method = 'page' ORDER BY id DESC LIMIT 1`)
	return id
}

// The page is that of whoever takes the campaign's pages, whose payer is made by the job from what the content service says.
func TestPage_OfWhoeverTakesThem(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	pledge := b.Pledge()
	address := page(b, pledge)
	if again := page(b, pledge); again != address {
		t.Errorf("a second page: %s", again)
	}
	for _, x := range []string{"stripe", "bank"} {
		if status, code, _ := b.Page(pledge, x); status != http.StatusUnprocessableEntity || code != "payment_method_unsupported" {
			t.Errorf("%s: %d %s", x, status, code)
		}
	}
	if _, err := b.At.PayOnPage(objectOf(b), paymentstest.CardOf(paymentstest.PlainCard)); err != nil {
		t.Fatal(err)
	}
	if got := b.Payment(pledge); got.Status != "succeeded" || b.Balance() != 5000 {
		t.Errorf("is %+v, the wallet has %d", got, b.Balance())
	}
}

func TestPage_AtProviderA_NoneForDebits(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	if status, code, _ := w.Page(w.Pledge(), "bank"); status != http.StatusUnprocessableEntity || code != "payment_method_unsupported" {
		t.Errorf("%d %s", status, code)
	}
	if status, code, _ := w.Page(w.Pledge(), "card"); status != http.StatusAccepted {
		t.Errorf("%d %s", status, code)
	}
}

// A page lives a quarter of an hour; when its time is over, another is made, and what was left of it pays nothing.
func TestPage_ItsTimeIsOver_AnotherIsMade(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	pledge := b.Pledge()
	first := page(b, pledge)
	b.Pass(16 * time.Minute)
	b.RunDue()
	if second := page(b, pledge); second == first {
		t.Error("it is the same")
	}
	if n := b.Count(`attempts WHERE method = 'page'`); n != 2 {
		t.Errorf("%d pages", n)
	}
}

// While the content service is away nobody knows who pays, and the job tries again.
func TestPage_TheContentServiceIsAway_TheJobTriesAgain(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	pledge := b.Pledge()
	b.Page(pledge, "card")
	b.Content.SetDown(true)
	b.MakePages()
	if n := b.Count(`attempts WHERE method = 'page' AND status = 'creating'`); n != 1 {
		t.Errorf("%d pages wait to be made", n)
	}
	b.Content.SetDown(false)
	if page(b, pledge) == "" {
		t.Error("it was not made")
	}
}

// The queue's own worker makes it within one request.
func TestPage_IsMadeByTheQueue(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t, paymentstest.WithPageWait)
	b.Work()
	if status, code, a := b.Page(b.Pledge(), "card"); status != http.StatusOK || a.PaymentPageURL == "" {
		t.Errorf("%d %s", status, code)
	}
}

// Without a wallet of the campaign's nothing is registered there.
func TestCalls_WhereTheCampaignTakesNothing_SayUnsupported(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	for call, status := range map[string]int{"card-registration-data": http.StatusUnprocessableEntity, "get-bank-accounts": http.StatusUnprocessableEntity} {
		got, body := w.SendJSON("/api/pledges/mangopay/"+call, `{"pledgeId": "`+w.Pledge()+`"}`)
		if got != status {
			t.Errorf("%s: %d %s", call, got, body)
		}
	}
	b := paymentstest.NewB(t)
	b.Downgrade()
	if status, code := b.Call("card-registration-data", map[string]any{"pledgeId": b.Pledge()}, nil, nil); status != http.StatusServiceUnavailable || code != "configuration_error/payee_not_ready" {
		t.Errorf("%d %s", status, code)
	}
}

// The content service asks for the page of a pledge whose holder it has let through, and is told as anybody is.
func TestPage_AskedForByTheContentService(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t, paymentstest.WithCallsPerPledge(4))
	pledge := b.Pledge()
	ask := func(x, audience string) (int, string) {
		status, body := b.Tell("/internal/payments/page", `{"pledge_id": "`+pledge+`", "x": "`+x+`", "network": "192.0.2.7"}`, audience)
		return status, string(body)
	}
	if status, body := ask("card", servicetoken.Payments); status != http.StatusOK || !strings.Contains(body, `"is_pending":true`) {
		t.Fatalf("%d %s", status, body)
	}
	b.MakePages()
	address := page(b, pledge)
	if status, body := ask("card", servicetoken.Payments); status != http.StatusOK || !strings.Contains(body, `"url":"`+address+`"`) {
		t.Errorf("%d %s", status, body)
	}
	if status, body := ask("stripe", servicetoken.Payments); status != http.StatusUnprocessableEntity || !strings.Contains(body, "payment_method_unsupported") {
		t.Errorf("another provider's: %d %s", status, body)
	}
	if status, body := ask("card", servicetoken.Payments); status != http.StatusTooManyRequests {
		t.Errorf("too often: %d %s", status, body)
	}
	if status, body := ask("card", ""); status != http.StatusUnauthorized {
		t.Errorf("by nobody: %d %s", status, body)
	}
	if n := b.Count(`payments WHERE network = '192.0.2.7'`); n != 1 {
		t.Error("the browser's network is not kept")
	}
}
