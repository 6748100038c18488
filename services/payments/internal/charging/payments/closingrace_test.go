package payments_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/paymentstest"
)

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
