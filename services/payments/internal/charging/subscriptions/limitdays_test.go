package subscriptions_test

import (
	"net/http"
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
)

// lateWorld is a world in which Aino's support of 10 euros began on 31 December, with her limit, and its card is refused on 31 January.
func lateWorld(t *testing.T, limitMinor int64) (*paymentstest.World, string) {
	t.Helper()
	w := paymentstest.New(t)
	w.GoTo(noon(day(2026, 12, 31)))
	id := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
	w.SetLimit(aino, limitMinor, true)
	w.BankSays(id, paymentstest.Insufficient)
	onDay(w, day(2027, 1, 30))
	onDay(w, day(2027, 1, 31))
	if due := w.Show(id).Due; due == nil || due.Period != 2 {
		t.Fatalf("to be paid is %+v", due)
	}
	w.BankSays(id, paymentstest.WorksAgain)
	return w, id
}

// wantCharged wants what was charged in a calendar month.
func wantCharged(w *paymentstest.World, month time.Month, want int64) {
	w.T.Helper()
	var got int64
	w.Scan(&got, `SELECT coalesce(sum(p.amount_minor), 0) FROM payments p JOIN payment_transitions t ON t.payment_id = p.id AND t.to_status = 'succeeded'
		WHERE extract(month FROM t.at AT TIME ZONE 'Europe/Helsinki') = ?`, int(month))
	if got != want {
		w.T.Errorf("in %s %d was charged, want %d", month, got, want)
	}
}

func TestLimit_ARetryInTheNextCalendarMonth_CountsThere(t *testing.T) {
	t.Parallel()
	w, id := lateWorld(t, 1000)
	onDay(w, day(2027, 2, 1))
	wantMonths(w, id, 2)
	onDay(w, day(2027, 2, 27))
	wantHeld(w, id, 3, 1000, 2000)
	overDays(w, day(2027, 2, 28))
	wantCharged(w, time.February, 1000)
	w.WantTold(id, "activated", "charge_failed", "renewed", "limit_reached")
	w.Audit()
}

func TestLimit_AHeldMonthThatIsLetGoInTheNextCalendarMonth_CountsThere(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(day(2026, 12, 31)))
	id := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
	w.SetLimit(aino, 500, false)
	overDays(w, day(2027, 2, 26))
	wantHeld(w, id, 2, 500, 1000)
	w.SetLimit(aino, 1500, false)
	w.Settle()
	wantMonths(w, id, 2)
	onDay(w, day(2027, 2, 27))
	wantHeld(w, id, 3, 1500, 2000)
	overDays(w, day(2027, 2, 28))
	wantCharged(w, time.February, 1000)
	w.Audit()
}

func TestLimit_AHeldMonthIsNotLetGo_AboveTheLimitOfTheMonthInWhichItWouldBeCharged(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(day(2026, 12, 31)))
	id := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
	w.SetLimit(aino, 500, false)
	overDays(w, day(2027, 2, 2))
	wantHeld(w, id, 2, 500, 1000)
	w.MustPay(w.MustSetup(pledgeOf(w, 800))) // it does not count yet
	w.Settle()
	w.SetLimit(aino, 1700, true)
	w.Settle()
	wantHeld(w, id, 2, 1700, 1800)
	w.SetLimit(aino, 1800, true)
	w.Settle()
	wantMonths(w, id, 2)
	w.Audit()
}

func TestLimit_ARetryThatDoesNotFitIntoTheNextCalendarMonth_WaitsForItsBacker(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]struct {
		do     func(w *paymentstest.World, id string)
		months int
		told   []string
	}{
		"a higher limit": {func(w *paymentstest.World, _ string) { w.SetLimit(aino, 1800, true) }, 2, []string{"renewed"}},
		"no limit":       {func(w *paymentstest.World, _ string) { w.EndLimit(aino) }, 2, []string{"renewed"}},
		"skip":           {func(w *paymentstest.World, id string) { w.MustAct(id, "skip", `{"period":2}`) }, 1, []string{"skipped"}},
		"none":           {func(w *paymentstest.World, _ string) { overDays(w, day(2027, 2, 27)) }, 1, []string{"skipped", "limit_reached"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, id := lateWorld(t, 1000)
			w.GoTo(calendar.At(day(2027, 2, 1), 1))
			w.SetLimit(aino, 1000, true)
			w.MustPay(w.MustSetup(pledgeOfFebruary(t, w, 800)))
			w.Settle()
			onDay(w, day(2027, 2, 1))
			wantHeld(w, id, 2, 1000, 1800)
			if sub := w.Show(id); sub.Due != nil || sub.Status != "active" {
				t.Errorf("it is %+v", sub)
			}
			wantExceeded(w, of(id, "setup"), "", "2027-02 1800 of 1000 EUR")
			link := `{"token":"` + w.Link(id, contentclient.Pay, 2) + `"}`
			for _, call := range []string{"look", "setup"} {
				wantExceeded(w, "/api/subscription-links/"+call, link, "2027-02 1800 of 1000 EUR")
			}
			overDays(w, day(2027, 2, 10)) // it does not become past_due by itself
			wantHeld(w, id, 2, 1000, 1800)
			wantStatus(w, id, "active")
			answer.do(w, id)
			w.Settle()
			wantMonths(w, id, answer.months)
			w.WantTold(id, append([]string{"activated", "charge_failed", "limit_reached"}, answer.told...)...)
			if e := w.Told(id)[2]; *e.Period != 2 || !e.HeldOn.Equal(day(2027, 1, 31)) || *e.LimitTotalMinor != 1800 || e.NextChargeOn != nil {
				t.Errorf("it was told as %+v", e)
			}
			w.Audit()
		})
	}
}

// pledgeOfFebruary is a pledge that is allowed although a try of support would come above the limit with it: the limit is set again.
func pledgeOfFebruary(t *testing.T, w *paymentstest.World, amountMinor int64) string {
	t.Helper()
	limit := w.Limits(aino)[0].AmountMinor
	w.EndLimit(aino)
	pledge := pledgeOf(w, amountMinor)
	w.MustSetup(pledge)
	w.SetLimit(aino, limit, true)
	return pledge
}

func TestLimit_APledgeThatIsPaidInTheNextCalendarMonth_IsWeighedThere(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(calendar.At(day(2027, 1, 31), 23).Add(50 * time.Minute))
	w.SetLimit(aino, 1000, true)
	pledge := pledgeOf(w, 800)
	w.MustSetup(pledge)
	w.GoTo(calendar.Start(day(2027, 2, 1)).Add(time.Second))
	w.MustPay(w.MustSetup(pledgeOf(w, 200)))
	w.SetLimit(aino, 900, true)
	wantExceeded(w, "/api/pledges/"+pledge+"/setup/", "", "2027-02 1000 of 900 EUR")
	w.SetLimit(aino, 1000, true)
	w.MustPay(w.MustSetup(pledge))
	w.Settle()
	wantExceeded(w, "/api/pledges/"+pledgeOf(w, 100)+"/setup/", "", "2027-02 1100 of 1000 EUR")
	w.Audit()
}

// The provider is away over the end of a month: what was tried in January is not repeated in February unless it fits there.
func TestLimit_ATryWithoutAnAnswer_IsNotRepeatedInTheNextCalendarMonth(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	w.GoTo(noon(day(2026, 12, 31)))
	id := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
	w.SetLimit(aino, 1000, true)
	onDay(w, day(2027, 1, 30))
	w.GoTo(calendar.At(day(2027, 1, 31), 23))
	b.Set(func(rw http.ResponseWriter, r *http.Request) bool {
		if isConfirm(r) {
			rw.WriteHeader(http.StatusServiceUnavailable)
		}
		return isConfirm(r)
	}, nil)
	w.Settle()
	if n := w.Count(`subscription_tries WHERE subscription_id = ? AND outcome = 'unknown'`, id); n != 1 {
		t.Fatalf("%d tries wait for an answer", n)
	}
	b.Set(nil, nil)
	w.GoTo(calendar.Start(day(2027, 2, 1)).Add(time.Hour))
	w.EndLimit(aino)
	w.MustPay(w.MustSetup(pledgeOf(w, 800)))
	w.SetLimit(aino, 1000, true)
	w.Settle()
	onDay(w, day(2027, 2, 1))
	wantHeld(w, id, 2, 1000, 1800)
	wantCharged(w, time.February, 800)
	w.Audit()
}

// Room that has come otherwise charges nothing, also when a card is new: the month's backer was told that it waits for them.
func TestLimit_AHeldMonthThatFitsByNow_IsChargedByItsBackersWordAlone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do        func(w *paymentstest.World, id string)
		isCharged bool
	}{
		"its bank renews the card": {func(w *paymentstest.World, id string) {
			if err := w.RenewCard(id, 2031, 5); err != nil {
				w.T.Fatal(err)
			}
		}, false},
		"another card": {func(w *paymentstest.World, id string) {
			setup := w.SetupCardOf(id, paymentstest.Mastercard)
			if status, code, _ := w.Act(http.MethodPut, id, "/card", `{"setup_intent":"`+setup+`"}`); status != http.StatusOK {
				w.T.Fatalf("another card answered %d %s", status, code)
			}
		}, false},
		"the limit, once more": {func(w *paymentstest.World, _ string) { w.SetLimit(aino, 1000, true) }, true},
		"the form":             {func(w *paymentstest.World, id string) { w.PayMonth(id, paymentstest.Visa) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, id := heldInFebruary(t)
			before := charges(w)
			c.do(w, id)
			w.Settle()
			overDays(w, day(2027, 2, 10))
			if got := charges(w) - before; got != map[bool]int{true: 1}[c.isCharged] {
				t.Errorf("it was charged %d times", got)
			}
			if !c.isCharged {
				wantHeld(w, id, 2, 1000, 1000)
			}
			w.Audit()
		})
	}
}

func TestLimit_AHeldMonthIsLetGo_WithoutATryOfACardThatABankCallsMisusedSince(t *testing.T) {
	t.Parallel()
	w, id := heldInFebruary(t)
	w.Exec(`UPDATE subscriptions SET card_refused = true WHERE id = ?`, id) // as support with the same card that was fraud leaves it
	before := charges(w)
	w.EndLimit(aino)
	w.Settle()
	if got := charges(w) - before; got != 0 {
		t.Errorf("it was charged %d times", got)
	}
	if due := w.Show(id).Due; due == nil || due.Period != 2 {
		t.Errorf("to be paid is %+v", due)
	}
	w.PayMonth(id, paymentstest.Visa)
	wantMonths(w, id, 2)
	w.Audit()
}

// heldInFebruary is lateWorld whose failed month was held on 1 February because of a pledge that was given back since.
func heldInFebruary(t *testing.T) (*paymentstest.World, string) {
	t.Helper()
	w, id := lateWorld(t, 1000)
	w.GoTo(calendar.At(day(2027, 2, 1), 1))
	w.SetLimit(aino, 1000, true)
	pledge := pledgeOfFebruary(t, w, 800)
	w.MustPay(w.MustSetup(pledge))
	w.Settle()
	onDay(w, day(2027, 2, 1))
	wantHeld(w, id, 2, 1000, 1800)
	var payment string
	w.Scan(&payment, `SELECT id FROM payments WHERE subject_id = ?`, pledge)
	w.Refund(payment, 0, refunds.Requested)
	w.Settle()
	return w, id
}
