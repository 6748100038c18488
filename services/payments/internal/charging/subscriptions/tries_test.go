package subscriptions_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
)

// outcomes of the tries of a subscription, in their order.
func outcomes(w *paymentstest.World, id string) (list []string) {
	w.T.Helper()
	w.Scan(&list, `SELECT outcome FROM subscription_tries WHERE subscription_id = ? ORDER BY period, number`, id)
	return list
}

// down is the provider's answer to a charge while it is away.
func down(rw http.ResponseWriter, r *http.Request) bool {
	return isConfirm(r) && paymentstest.Refuse(rw, http.StatusServiceUnavailable, `{"type":"api_error"}`)
}

// A worker hangs in a charge for more than a day; another one has given that try up meanwhile, and made a new one.
func TestAnswer_OfATryThatWasGivenUp_SaysNothingOfTheNext(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	w.BankSays(id, paymentstest.Lost)
	other := w.Another(w.Now)
	var calls atomic.Int32
	b.Set(func(rw http.ResponseWriter, r *http.Request) bool {
		if !isConfirm(r) {
			return false
		}
		if calls.Add(1) > 1 {
			return down(rw, r)
		}
		w.Pass(25 * time.Hour)
		if err := other.Subscriptions.Steps(t.Context()); err != nil {
			t.Error(err)
		}
		return false
	}, nil)
	if err := w.App.Subscriptions.Steps(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := outcomes(w, id); !slices.Equal(got, []string{"void", "unknown"}) {
		t.Errorf("the tries are %v", got)
	}
	b.Set(nil, nil)
	w.Pass(time.Hour)
	w.Settle()
	if got := outcomes(w, id); !slices.Equal(got, []string{"void", "declined"}) {
		t.Errorf("in the end the tries are %v", got)
	}
	w.Audit()
}

// The try was not answered; while the provider is asked what came of it, the month gets another meaning.
func TestTryNotAnswered_IsRepeatedOnlyWhileTheMonthIsWantedWithThatCard(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		meanwhile func(w *paymentstest.World, id string)
		charges   int // in all
		confirms  int // of ours, after it
		tries     []string
	}{
		"canceled": {func(w *paymentstest.World, id string) { w.MustAct(id, "cancel", "") }, 1, 0, []string{"void"}},
		"skipped":  {func(w *paymentstest.World, id string) { w.MustAct(id, "skip", `{"period":2}`) }, 1, 0, []string{"void"}},
		"paused":   {func(w *paymentstest.World, id string) { w.MustAct(id, "pause", `{"until_period":5}`) }, 1, 0, []string{"void"}},
		"blocked":  {func(w *paymentstest.World, id string) { w.CloseSubscription(id, "person_blocked") }, 1, 0, []string{"void"}},
		"another card": {func(w *paymentstest.World, id string) {
			setup := w.SetupCardOf(id, paymentstest.Mastercard)
			if status, code, _ := w.Act(http.MethodPut, id, "/card", `{"setup_intent":"`+setup+`"}`); status != http.StatusOK {
				w.T.Errorf("the card answered %d %s", status, code)
			}
		}, 2, 1, []string{"void", "taken"}},
		"paid in the form with another card, which is no success of the try": {func(w *paymentstest.World, id string) {
			w.Confirm(w.SetupMonth(id), paymentstest.Mastercard)
			w.AwaitWebhooks()
			w.Drain()
		}, 2, 0, []string{"void"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, b, id := inBetween(t)
			b.Set(down, nil)
			if err := w.App.Subscriptions.Steps(t.Context()); err != nil {
				t.Fatal(err)
			}
			var done atomic.Bool
			var confirms atomic.Int32
			b.Set(func(_ http.ResponseWriter, r *http.Request) bool {
				if isConfirm(r) {
					confirms.Add(1)
				}
				return false
			}, func(r *http.Request, body []byte) []byte {
				if r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/v1/payment_intents/") && done.CompareAndSwap(false, true) {
					c.meanwhile(w, id)
				}
				return body
			})
			w.Pass(2 * time.Minute)
			if err := w.App.Subscriptions.Steps(t.Context()); err != nil {
				t.Fatal(err)
			}
			w.Settle()
			if !done.Load() || int(confirms.Load()) != c.confirms || charges(w) != c.charges {
				t.Errorf("%d charges of ours, %d in all", confirms.Load(), charges(w))
			}
			if got := outcomes(w, id); !slices.Equal(got, c.tries) {
				t.Errorf("the tries are %v", got)
			}
			if label := w.Show(id).Card; c.charges == 2 && !strings.Contains(label.Label, "Mastercard") {
				t.Errorf("the card is %+v", label)
			}
			w.Audit()
		})
	}
}

func TestMonth_WhoseFirstChargeIsNotAnswered_IsProcessing_AndNobodyIsAskedToPayIt(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	want := func(state string, isDue bool) {
		t.Helper()
		sub := w.Show(id)
		var of []string
		for _, m := range sub.Months {
			if m.Period == 2 {
				of = append(of, string(m.State))
			}
		}
		for _, c := range sub.Charges {
			if c.Period == 2 {
				of = append(of, string(c.Status))
			}
		}
		if !slices.Equal(of, []string{state, state}) || (sub.Due != nil) != isDue {
			t.Errorf("the month is %v, want %s; to pay %+v", of, state, sub.Due)
		}
	}
	w.BankSays(id, paymentstest.Insufficient)
	during(b, true, func() { want("processing", false) })
	if err := w.App.Subscriptions.Steps(t.Context()); err != nil {
		t.Fatal(err)
	}
	want("failed", true)
}

func TestTryNotAnswered_IsNotToldAsARefusedOne(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	w.BankSays(id, paymentstest.Insufficient)
	w.Settle()
	b.Set(down, nil)
	w.GoTo(calendar.At(day(2027, 2, 11), 9).Add(time.Second))
	if err := w.App.Subscriptions.Steps(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := outcomes(w, id); !slices.Equal(got, []string{"declined", "unknown"}) {
		t.Fatalf("the tries are %v", got)
	}
	if sub := w.Show(id); len(sub.Due.Tries) != 1 || *sub.Charges[0].Tries != 1 {
		t.Errorf("tried on %v, of charges %+v", sub.Due.Tries, sub.Charges[0])
	}
	if link := w.MustLink("look", w.Link(id, contentclient.Card, 0), ""); *link.TriesAtOnce {
		t.Errorf("another card would be charged at once: %+v", link)
	}
}

// The answer to a refused charge is lost, and the month has got a new intent before the try is repeated.
func TestTry_OfAnIntentThatHasEnded_IsAnotherCallOfTheNextIntent(t *testing.T) {
	t.Parallel()
	w, id := renewing(t, paymentstest.Insufficient)
	w.LoseWebhooks()
	w.Fault("cut_after", 9, http.MethodPost, "/v1/payment_intents/")
	if err := w.App.Subscriptions.Steps(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := outcomes(w, id); !slices.Equal(got, []string{"unknown"}) {
		t.Fatalf("the tries are %v", got)
	}
	if err := w.Sandbox.Calm(); err != nil {
		t.Fatal(err)
	}
	var intent string
	w.Scan(&intent, `SELECT object_ref FROM attempts a JOIN payments p ON p.id = a.payment_id WHERE p.subject_id = ? AND p.period = 2`, id)
	if status := w.ByHand("/v1/payment_intents/"+intent+"/cancel", nil); status != http.StatusOK {
		t.Fatalf("canceling the intent answered %d", status)
	}
	if next := w.SetupMonth(id); next.Status != http.StatusOK || next.Stripe.PaymentIntent.ID == intent {
		t.Fatalf("the form is %+v", next)
	}
	w.BankSays(id, paymentstest.WorksAgain)
	w.Pass(2 * time.Minute)
	w.Settle()
	wantMonths(w, id, 2)
	if got := outcomes(w, id); !slices.Equal(got, []string{"taken"}) {
		t.Errorf("the tries are %v", got)
	}
	w.Audit()
}

// hook runs a function before a statement of the database, once, when it is armed.
type hook struct {
	armed atomic.Bool
	part  string // of the statement
	do    func()
}

func (h *hook) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	if strings.Contains(q.SQL, h.part) && h.armed.CompareAndSwap(true, false) {
		h.do()
	}
	return ctx
}

func (h *hook) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// A worker hangs while it ends a month's payment; the next month is left out before it goes on.
func TestEndOfAPayment_ByAWorkerThatHangs_LeavesTheNextMonthsToBeEnded(t *testing.T) {
	t.Parallel()
	h := &hook{part: "FROM payments WHERE id = "}
	w := paymentstest.New(t, func(c *app.Config) { c.Tracer = h })
	id := renewingIn(w, paymentstest.Insufficient)
	w.Settle()
	w.MustAct(id, "skip", `{"period":2}`)
	other := w.Another(w.Now)
	steps := func() {
		if err := other.Subscriptions.Steps(t.Context()); err != nil {
			t.Error(err)
		}
	}
	h.do = func() {
		w.Pass(2 * time.Minute)
		steps()
		w.GoTo(calendar.At(day(2027, 3, 10), 9).Add(time.Second))
		steps()
		w.MustAct(id, "skip", `{"period":3}`)
	}
	h.armed.Store(true)
	if err := w.App.Subscriptions.Steps(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	if n := w.Count(`payments WHERE subject_id = ? AND status = 'canceled'`, id); n != 2 {
		t.Errorf("%d payments have ended", n)
	}
	w.Audit()
}
