package subscriptions_test

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/charging/subscriptions"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/wake"
)

// isConfirm reports whether a call charges an intent.
func isConfirm(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/confirm")
}

// during runs fn once, while the provider's answer to a charge is on its way; before: before the call has its effect.
func during(b *paymentstest.Between, before bool, fn func()) {
	var done atomic.Bool
	b.Set(func(_ http.ResponseWriter, r *http.Request) bool {
		if before && isConfirm(r) && done.CompareAndSwap(false, true) {
			fn()
		}
		return false
	}, func(r *http.Request, body []byte) []byte {
		if !before && isConfirm(r) && done.CompareAndSwap(false, true) {
			fn()
		}
		return body
	})
}

// inBetween is a subscription on the morning of its second month, and what stands before the provider.
func inBetween(t *testing.T) (*paymentstest.World, *paymentstest.Between, string) {
	t.Helper()
	w, b := paymentstest.NewBetween(t)
	return w, b, renewingIn(w, "")
}

// wantUnwanted wants the second month charged and its money given back.
func wantUnwanted(w *paymentstest.World, id string) {
	w.T.Helper()
	w.Settle()
	if n := w.Count(`payments WHERE subject_id = ? AND period = 2 AND status = 'refunded' AND refused`, id); n != 1 {
		w.T.Errorf("%d months were given back", n)
	}
	wantMonths(w, id, 1)
	w.Audit()
}

func TestManyDueAtOnce_ByTwoWorkers_AreOneChargeEach(t *testing.T) {
	t.Parallel()
	const many = 200
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	w.LoseWebhooks()
	var group sync.WaitGroup
	ids := make([]string, many)
	for i := range ids {
		ids[i] = w.Subscription()
	}
	for part := range 8 {
		group.Go(func() {
			for i := part; i < many; i += 8 {
				w.Confirm(w.SetupMonth(ids[i]), paymentstest.Visa)
			}
		})
	}
	group.Wait()
	w.Pass(2 * time.Minute)
	w.CheckOpen()
	w.Settle()
	if n := charges(w); n != many {
		t.Fatalf("%d first charges", n)
	}
	other := w.Another(w.Now)
	w.GoTo(calendar.At(day(2027, 2, 10), 9).Add(time.Second))
	for _, a := range []*subscriptions.Service{w.App.Subscriptions, other.Subscriptions} {
		group.Go(func() {
			if err := a.Steps(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	w.Settle()
	if n := charges(w); n != 2*many {
		t.Errorf("%d charges, want %d", n, 2*many)
	}
	if n := w.Count(`subscription_tries`); n != many {
		t.Errorf("%d tries", n)
	}
	if n := w.Count(`subscriptions WHERE paid_period = 2 AND status = 'active'`); n != many {
		t.Errorf("%d subscriptions went on", n)
	}
	w.Audit()
}

func TestWorker_BeginsNoMoreInASecondThanItsPaceAndWhatBecameDueLastFirst(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	first, second := w.Subscribed(paymentstest.Visa), w.Subscribed(paymentstest.Visa)
	w.GoTo(calendar.At(calendar.Period(anchor, 2), 9).Add(time.Second))
	if err := w.App.DB.Exec(`UPDATE subscriptions SET step_at = step_at + interval '1 millisecond' WHERE id = ?`, second).Error; err != nil {
		t.Fatal(err)
	}
	service, err := subscriptions.New(subscriptions.Options{DB: w.App.DB, Payments: w.App.Payments, Providers: provider.Parts[subscriptions.Provider](w.App.Providers),
		Content: &contentclient.Client{}, WakeEvents: func() {}, WakeSteps: func() {}, Now: w.Now, Log: slog.New(slog.DiscardHandler),
		PerSecond: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	waker, ended := wake.NewWaker(), make(chan error)
	began := time.Now()
	go func() { ended <- service.Run(ctx, waker, time.Hour) }()
	for charges(w) < 4 {
		if time.Since(began) > 20*time.Second {
			t.Fatal("the months are never charged")
		}
		time.Sleep(10 * time.Millisecond)
	}
	if took := time.Since(began); took < 900*time.Millisecond {
		t.Errorf("both months were charged within %s, one a second may be", took)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	var order []string
	if err := w.App.DB.Raw(`SELECT subscription_id FROM subscription_tries ORDER BY begun_at`).Scan(&order).Error; err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(order, []string{second, first}) {
		t.Errorf("what became due last is charged after what was due before")
	}
}

func TestSetup_ByManyAtOnce_IsOneSubscriptionWithOneIntent(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	id := w.Subscription()
	var group sync.WaitGroup
	var intents sync.Map
	for range 8 {
		group.Go(func() {
			if a := w.SetupMonth(id); a.Status == http.StatusOK {
				intents.Store(a.Stripe.PaymentIntent.ID, true)
			} else if a.Code != "provider_unavailable" {
				t.Errorf("setup answered %+v", a)
			}
		})
	}
	group.Wait()
	n := 0
	intents.Range(func(any, any) bool { n++; return true })
	if n != 1 || w.Held("payment_intents") != 1 || w.Held("customers") != 1 {
		t.Errorf("%d intents were given, the provider has %d of %d customers", n, w.Held("payment_intents"), w.Held("customers"))
	}
	w.PayMonth(id, paymentstest.Visa)
	w.Audit()
}

func TestCancel_DuringACharge_TheMoneyGoesBack(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]bool{"before it has an effect": true, "before its answer": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, b, id := inBetween(t)
			during(b, before, func() { w.MustAct(id, "cancel", "") })
			w.Settle()
			wantStatus(w, id, "canceled")
			wantUnwanted(w, id)
			w.WantTold(id, "activated", "canceled")
		})
	}
}

func TestSkip_DuringACharge_TheMoneyGoesBack(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	during(b, true, func() { w.MustAct(id, "skip", `{"period":2}`) })
	w.Settle()
	wantStatus(w, id, "active")
	wantUnwanted(w, id)
}

func TestCancel_WhileTheBackerPays_TheMoneyGoesBack(t *testing.T) {
	t.Parallel()
	w, id := renewing(t, paymentstest.Insufficient)
	w.Settle()
	form := w.SetupMonth(id)
	w.MustAct(id, "cancel", "")
	if got := w.Confirm(form, paymentstest.Mastercard); got.Status != "succeeded" {
		t.Fatalf("paying gave %+v", got)
	}
	wantStatus(w, id, "canceled")
	wantUnwanted(w, id)
}

func TestModifyLevel_DuringACharge_CountsFromTheMonthAfter(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	during(b, true, func() { w.MustAct(id, "modify-level", `{"amount":30}`) })
	w.Settle()
	b.Set(nil, nil)
	sub := w.Show(id)
	if sub.Charges[0].AmountMinor != 1000 || sub.NextLevel == nil || *sub.NextLevel.FromPeriod != 3 {
		t.Errorf("the subscription is %+v", sub)
	}
	overDays(w, day(2027, 3, 11))
	if got := w.Show(id).Charges[0].AmountMinor; got != 3000 {
		t.Errorf("the month after cost %d", got)
	}
	w.Audit()
}

func TestModifyLevel_InTwoTabsAtOnce_TheLastOneCounts(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	var group sync.WaitGroup
	for _, body := range []string{`{"amount":20}`, `{"amount":30}`} {
		group.Go(func() { w.MustAct(id, "modify-level", body) })
	}
	group.Wait()
	w.Settle()
	told := w.Told(id)
	if last := told[len(told)-1]; len(told) != 3 || *last.NextAmountMinor != w.Show(id).NextLevel.AmountMinor {
		t.Errorf("content was told %+v", told)
	}
	w.Audit()
}

func TestCancel_BeforeTheTryIsWritten_ChargesNothing(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	var done atomic.Bool
	b.Set(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost && r.URL.Path == "/v1/payment_intents" && done.CompareAndSwap(false, true) {
			w.MustAct(id, "cancel", "")
		}
		return false
	}, nil)
	w.Settle()
	wantStatus(w, id, "canceled")
	if n := w.Count("subscription_tries"); n != 0 || charges(w) != 1 {
		t.Errorf("%d tries, %d charges", n, charges(w))
	}
	w.Audit()
}

// Somebody chooses another card when the tries are over and no worker has seen that yet.
func TestCard_ChosenWhenTheTriesAreOver_IsTried(t *testing.T) {
	t.Parallel()
	w, id := renewing(t, paymentstest.Insufficient)
	w.Settle()
	for range 4 {
		w.GoToNextStep(id)
	}
	wantStatus(w, id, "active")
	w.GoTo(calendar.At(day(2027, 2, 18), 9).Add(time.Second))
	mustPutCard(w, id, w.SetupCardOf(id, paymentstest.Mastercard))
	wantStatus(w, id, "active")
	wantMonths(w, id, 2)
}
