package payments_test

import (
	"net/http"
	"testing"
	"time"

	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
)

// nobodyCanPay wants nothing at the provider that a backer could still pay, and nobody charged.
func nobodyCanPay(w *paymentstest.World) {
	w.T.Helper()
	snapshot := w.Sandbox.Snapshot()
	for _, in := range snapshot.Intents {
		if in.Status != "canceled" {
			w.T.Errorf("intent %s is %s", in.ID, in.Status)
		}
	}
	for _, page := range snapshot.Sessions {
		if page.Status != "expired" {
			w.T.Errorf("page %s is %s", page.ID, page.Status)
		}
	}
	for _, ch := range snapshot.Charges {
		if ch.Status == "succeeded" {
			w.T.Errorf("charge %s was taken", ch.ID)
		}
	}
}

// The content service says that nobody wants the pledge paid any more, while somebody is about to: what is open ends,
// and passing the old window charges nobody.
func TestClose_Told_EndsWhatIsOpen(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(w *paymentstest.World, pledge string) (pass func()){
		"the bank's challenge": func(w *paymentstest.World, pledge string) func() {
			challenge := w.Confirm(w.MustSetup(pledge), "pm_card_authenticationRequired")
			w.Settle()
			w.WantStatus(pledge, "requires_action")
			return func() { w.AnswerChallenge(challenge, "pass") }
		},
		"the form": func(w *paymentstest.World, pledge string) func() {
			form := w.MustSetup(pledge)
			return func() {
				if got := w.Confirm(form, "pm_card_visa"); got.Error.Code == "" {
					w.T.Errorf("paying the closed form gave %+v", got)
				}
			}
		},
		"the hosted page": func(w *paymentstest.World, pledge string) func() {
			page := w.MustPage(pledge)
			return func() {
				if w.PayOnPage(page, "4242424242424242") {
					w.T.Error("the closed page took a card")
				}
			}
		},
		"the form and the page": func(w *paymentstest.World, pledge string) func() {
			page := w.MustPage(pledge)
			form := w.MustSetup(pledge)
			return func() { w.PayOnPage(page, "4242424242424242"); w.Confirm(form, "pm_card_visa") }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge := w.Pledge()
			pass := open(w, pledge)
			if got := w.ClosePayment(pledge); got != "open" {
				t.Errorf("closing answered %s", got)
			}
			w.Settle()
			w.WantStatus(pledge, "canceled")
			pass()
			w.Settle()
			w.WantStatus(pledge, "canceled")
			w.WantHeard(pledge, "started", "canceled")
			nobodyCanPay(w)
			if got := w.Setup(pledge); got.Code != "pledge_not_payable" {
				t.Errorf("setup afterwards answered %+v", got)
			}
			if _, code, _ := w.Page(pledge, "stripe"); code != "pledge_not_payable" {
				t.Errorf("page afterwards answered %s", code)
			}
			w.Audit()
		})
	}
}

func TestClose_ToldAgain_ChangesNothing(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	w.MustSetup(pledge)
	const all = `SELECT md5(string_agg(line, '' ORDER BY line)) FROM (SELECT p::text AS line FROM payments p UNION ALL SELECT a::text FROM attempts a
		UNION ALL SELECT t::text FROM payment_transitions t UNION ALL SELECT o::text FROM outbox o UNION ALL SELECT c::text FROM closed_subjects c) x`
	for _, want := range []string{"open", "ended"} {
		if got := w.ClosePayment(pledge); got != want {
			t.Errorf("closing answered %s, want %s", got, want)
		}
		var before, after string
		w.Scan(&before, all)
		w.Pass(time.Second)
		for range 2 {
			if got := w.ClosePayment(pledge); got != want {
				t.Errorf("closing again answered %s, want %s", got, want)
			}
		}
		if w.Scan(&after, all); after != before {
			t.Errorf("closing again (%s) changed rows", want)
		}
		w.Settle()
	}
	w.WantHeard(pledge, "started", "canceled")
	w.Audit()
}

func TestClose_IsForTheContentServiceOnly(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	form := w.MustSetup(pledge)
	body := `{"subject_kind":"pledge","subject_id":"` + pledge + `","reason":"released"}`
	for _, audience := range []string{"", servicetoken.Content} {
		if status, answer := w.Tell("/internal/payments/close", body, audience); status != http.StatusUnauthorized {
			t.Errorf("a token for %q answered %d %s", audience, status, answer)
		}
	}
	for _, wrong := range []string{`{}`, `{"subject_kind":"lottery","subject_id":"` + pledge + `","reason":"released"}`, `{"subject_kind":"pledge","subject_id":"x","reason":"released"}`} {
		if status, answer := w.Tell("/internal/payments/close", wrong,
			servicetoken.Payments); status != http.StatusUnprocessableEntity {
			t.Errorf("%s answered %d %s", wrong, status, answer)
		}
	}
	if n := w.Count("payments WHERE closing_at IS NOT NULL") + w.Count("closed_subjects"); n != 0 {
		t.Errorf("%d closed", n)
	}
	w.MustPay(form)
}

func TestClose_BeforeThePaymentBegan_ItNeverBegins(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	for range 2 {
		if got := w.ClosePayment(pledge); got != "none" {
			t.Errorf("closing answered %s", got)
		}
		if got := w.Setup(pledge); got.Status != http.StatusConflict || got.Code != "pledge_not_payable" {
			t.Errorf("setup answered %+v", got)
		}
		if status, code, _ := w.Page(pledge, "stripe"); status != http.StatusConflict || code != "pledge_not_payable" {
			t.Errorf("page answered %d %s", status, code)
		}
	}
	if n := w.Held("payment_intents") + w.Held("checkout/sessions") + w.Count("payments"); n != 0 {
		t.Errorf("%d things were begun", n)
	}
	w.Pass(8 * 24 * time.Hour)
	if err := w.App.Payments.PruneClosed(t.Context()); err != nil || w.Count("closed_subjects") != 0 {
		t.Errorf("closed subjects are kept for ever (%v)", err)
	}
}

func wantClosed(w *paymentstest.World, code string) {
	w.T.Helper()
	if code != "pledge_not_payable" {
		w.T.Errorf("setup answered %q", code)
	}
}

// The money was quicker than the close: it is told, and the content service's answer sends it back.
func TestClose_MoneyThatCameFirst_IsToldAndGoesBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		heard bool // before the close
		want  string
	}{"heard": {true, "paid"}, "unheard": {false, "open"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			pledge := w.Pledge()
			w.Outcome(pledge, contentclient.EventOutcomeOutcomePledgeClosed)
			form := w.MustSetup(pledge)
			if !c.heard {
				w.LoseWebhooks()
			}
			w.MustPay(form)
			if c.heard {
				w.AwaitWebhooks()
				w.Drain()
			}
			w.Content.End(pledge, contentclient.Closed)
			if got := w.ClosePayment(pledge); got != c.want {
				t.Errorf("closing answered %s, want %s", got, c.want)
			}
			w.Settle()
			w.WantStatus(pledge, "refunded")
			w.WantHeard(pledge, "started", "succeeded", "refunded")
			if e := w.Content.Heard(pledge)[2]; e.RefundReason == nil ||
				*e.RefundReason != contentclient.PaymentEventRefundReasonPledgeClosed {
				t.Errorf("the refund's event is %+v", e)
			}
			if got := w.ClosePayment(pledge); got != "paid" {
				t.Errorf("closing again answered %s", got)
			}
			w.WantBook(paymentstest.Book{Gone: 5000})
			w.Audit()
		})
	}
}
