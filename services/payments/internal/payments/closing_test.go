package payments_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/payments"
	"talkoot.fi/payments/internal/paymentstest"
)

// nobodyCanPay wants nothing at the provider that a backer could still pay, and nobody charged.
func nobodyCanPay(w *paymentstest.World) {
	w.T.Helper()
	books := w.Sandbox.Books()
	for _, in := range books.Intents {
		if in.Status != "canceled" {
			w.T.Errorf("intent %s is %s", in.ID, in.Status)
		}
	}
	for _, page := range books.Sessions {
		if page.Status != "expired" {
			w.T.Errorf("page %s is %s", page.ID, page.Status)
		}
	}
	for _, ch := range books.Charges {
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

// Whoever comes first, of those who ask for the form or the page and those who close: in the end nothing can be paid.
func TestClose_RacingWithSetup_LeavesNothingPayable(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	for round := range 8 {
		pledge := w.Pledge()
		if round%2 == 0 { // the payment has begun, without an attempt
			w.Fault("403", 1, http.MethodPost, "/v1/payment_intents")
			w.Setup(pledge)
		}
		start := make(chan struct{})
		var group sync.WaitGroup
		for n := range 8 {
			group.Go(func() {
				<-start
				switch n % 4 {
				case 0, 1:
					w.Setup(pledge)
				case 2:
					w.Page(pledge, "stripe")
				case 3:
					w.ClosePayment(pledge)
				}
			})
		}
		close(start)
		group.Wait()
		if n := w.Count(liveAndForgotten); n != 0 {
			t.Errorf("%d attempts that nobody ends", n)
		}
	}
	w.Settle()
	nobodyCanPay(w)
	if n := w.Count("payments WHERE status <> 'canceled'") +
		w.Count("attempts WHERE status IN ('creating', 'open')"); n != 0 {
		t.Errorf("%d payments or attempts are not ended", n)
	}
	w.Audit()
}

// liveAndForgotten are attempts of a payment that is over which no worker has to end.
const liveAndForgotten = `attempts a JOIN payments p ON p.id = a.payment_id WHERE a.status IN ('creating', 'open') AND a.next_check_at IS NULL
	AND (p.closing_at IS NOT NULL OR p.status NOT IN ('created', 'requires_action', 'processing'))`

// The close commits while the provider's answer to making the attempt is on its way.
func TestClose_WhileTheProviderAnswers_TheAttemptIsEnded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, path string
		ask        func(w *paymentstest.World, pledge string)
		worker     bool // ends what it finds before the answer is back
	}{
		{"form", "/v1/payment_intents", func(w *paymentstest.World, pledge string) { wantClosed(w, w.Setup(pledge).Code) },
			false},
		{"page", "/v1/checkout/sessions", func(w *paymentstest.World, pledge string) { w.AskForPage(pledge); w.MakePages() },
			false},
		{"form, and the worker is quicker", "/v1/payment_intents",
			func(w *paymentstest.World, pledge string) { wantClosed(w, w.Setup(pledge).Code) }, true},
		{"page, and the worker is quicker", "/v1/checkout/sessions",
			func(w *paymentstest.World, pledge string) { w.AskForPage(pledge); w.MakePages() }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w, b := paymentstest.NewBetween(t)
			pledge := w.Pledge()
			var once atomic.Bool
			b.Set(nil, func(r *http.Request, body []byte) []byte {
				if r.Method == http.MethodPost && r.URL.Path == c.path && once.CompareAndSwap(false, true) {
					if got := w.ClosePayment(pledge); got != "open" {
						t.Errorf("closing answered %s", got)
					}
					if c.worker {
						if err := w.App.Payments.Tidy(t.Context()); err != nil {
							t.Error(err)
						}
					}
				}
				return body
			})
			c.ask(w, pledge)
			if n := w.Count(liveAndForgotten); n != 0 {
				t.Errorf("%d attempts that nobody ends", n)
			}
			w.Settle()
			w.WantStatus(pledge, "canceled")
			w.WantHeard(pledge, "started", "canceled")
			nobodyCanPay(w)
			w.Audit()
		})
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

// One payment that cannot be closed keeps none of the others open, also when it comes first in every batch.
func TestCloseLapsed_OneThatCannotBeClosed_KeepsNoOtherWaiting(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	const more = 25 // than one batch
	w.Exec(`INSERT INTO payments (id, subject_kind, subject_id, provider, status, amount_minor, currency, description, language, payable_until, closes_at,
			next_check_at, created_at, updated_at)
		SELECT lpad(n::text, 26, '0'), 'pledge', lpad(n::text, 26, '0'), 'stripe', 'created', 5000, 'EUR', CASE WHEN n <= 22 THEN 'stuck' ELSE '' END, 'fi',
			now(), now() - interval '2 days' + n * interval '1 second', now() + interval '1 year', now(), now() FROM generate_series(1, ?) n`, more)
	w.Exec(`CREATE FUNCTION keep_stuck() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`)
	w.Exec(`CREATE TRIGGER keep_stuck BEFORE UPDATE ON payments FOR EACH ROW WHEN (OLD.description = 'stuck') EXECUTE FUNCTION keep_stuck()`)
	w.CloseLapsed()
	if n := w.Count("payments WHERE status = 'canceled'"); n != more-22 {
		t.Errorf("%d payments are closed, want %d", n, more-22)
	}
}

// What a bank has in processing cannot be ended: it is asked about less and less often, not every half minute.
func TestClose_WhileProcessing_IsAskedWithGrowingPauses(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(w *paymentstest.World, pledge string){
		"form": func(w *paymentstest.World, pledge string) { w.MustPay(w.MustSetup(pledge)) },
		"page": func(w *paymentstest.World, pledge string) { w.MustPayOnPage(w.MustPage(pledge)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, b := paymentstest.NewBetween(t)
			w.LoseWebhooks()
			pledge := w.Pledge()
			open(w, pledge)
			b.Set(nil, func(r *http.Request, body []byte) []byte {
				if r.Method == http.MethodGet {
					return succeeded.ReplaceAll(body, []byte(`"status":"processing"`))
				}
				return body
			})
			w.Payment(pledge)
			w.WantStatus(pledge, "processing")
			w.ClosePayment(pledge)
			tries, last := 0, time.Duration(0)
			for end := w.Now().Add(24 * time.Hour); w.Now().Before(end); tries++ {
				w.Tidy()
				var next time.Time
				w.Scan(&next, `SELECT next_check_at FROM attempts`)
				pause := next.Sub(w.Now())
				if pause < last-time.Second || pause > 7*time.Hour {
					t.Fatalf("pause %d is %s after %s", tries, pause, last)
				}
				last = pause
				w.Pass(pause)
			}
			if tries > 25 {
				t.Errorf("asked %d times in a day", tries)
			}
			b.Set(nil, nil)
			w.Pass(7 * time.Hour)
			w.Settle()
			w.WantStatus(pledge, "succeeded")
			w.Audit()
		})
	}
}

// Two hosts whose clocks are an hour apart look at one payment: the look that was begun later counts, also when the
// other arrives after it.
func TestLook_TheNewerOneWins_WhateverTheHostsClocksSay(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{-time.Hour, time.Hour} {
		t.Run(fmt.Sprint(skew), func(t *testing.T) {
			t.Parallel()
			w, b := paymentstest.NewBetween(t)
			other := w.Another(func() time.Time { return w.Now().Add(skew) })
			pledge := w.Pledge()
			form := w.MustSetup(pledge)
			w.LoseWebhooks()
			id := w.PaymentOf(pledge)
			challenge := w.Confirm(form, "pm_card_authenticationRequired")

			// This host's look, which sees the challenge, is on its way while the other's, begun later, arrives.
			var once atomic.Bool
			b.Set(nil, func(r *http.Request, body []byte) []byte {
				if paymentstest.IsCall(r, http.MethodGet, "/v1/payment_intents/") && once.CompareAndSwap(false, true) {
					w.AnswerChallenge(challenge, "fail")
					if _, err := other.Payments.Advance(t.Context(), id, payments.SignalSweep); err != nil {
						t.Error(err)
					}
					w.WantStatus(pledge, "created")
				}
				return body
			})
			if _, err := w.App.Payments.Advance(t.Context(), id, payments.SignalSweep); err != nil {
				t.Fatal(err)
			}
			b.Set(nil, nil)
			w.WantStatus(pledge, "created")

			// And what the other said is no older than this host's next word.
			challenge = w.Confirm(form, "pm_card_authenticationRequired")
			if _, err := w.App.Payments.Advance(t.Context(), id, payments.SignalSweep); err != nil {
				t.Fatal(err)
			}
			w.WantStatus(pledge, "requires_action")
			w.AnswerChallenge(challenge, "pass")
			if _, err := other.Payments.Advance(t.Context(), id, payments.SignalSweep); err != nil {
				t.Fatal(err)
			}
			w.WantStatus(pledge, "succeeded")
		})
	}
}
