package subscriptions_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
)

// aino has an account.
const aino = 11

// limited is a world in which Aino supports a campaign with 10 euros on the 10th, and then sets a limit; on the day after.
func limited(t *testing.T, limitMinor int64) (*paymentstest.World, string) {
	t.Helper()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	id := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
	w.Pass(24 * time.Hour)
	w.SetLimit(aino, limitMinor, false)
	return w, id
}

// of is the address of a call about a subscription.
func of(id, call string) string { return "/api/subscriptions/" + id + "/" + call }

// wantExceeded wants a call refused because of a month.
func wantExceeded(w *paymentstest.World, call, body, want string) {
	w.T.Helper()
	if got := w.Exceeded(call, body); got != want {
		w.T.Errorf("%s %s is refused for %q, want %q", call, body, got, want)
	}
}

// onDay goes to ten o'clock of a day and lets happen what is due.
func onDay(w *paymentstest.World, d time.Time) {
	w.T.Helper()
	w.GoTo(calendar.At(d, 10))
	w.Settle()
}

// wantHeld wants a month held; 0 for none.
func wantHeld(w *paymentstest.World, id string, period int, limitMinor, totalMinor int64) {
	w.T.Helper()
	sub := w.Show(id)
	switch held := sub.Held; {
	case held == nil && period == 0:
	case held == nil || period == 0:
		w.T.Errorf("held is %+v, want month %d", held, period)
	case held.Period != period || held.LimitMinor != limitMinor || held.TotalMinor != totalMinor || sub.NextCharge != nil:
		w.T.Errorf("held is %+v beside %+v, want month %d, %d of %d", held, sub.NextCharge, period, totalMinor, limitMinor)
	}
}

func TestLimit_IsOnePerCurrency_TheLastOneCounts_AndEnds(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	if got := w.Limits(aino); len(got) != 0 {
		t.Errorf("at first there is %+v", got)
	}
	w.SetLimitIn(aino, "SEK", 30000)
	w.SetLimit(aino, 2000, false)
	for range 2 {
		if got := w.SetLimit(aino, 1500, true); len(got) != 2 || got[0].AmountMinor != 1500 || !got[0].CountsPledges || got[1].Currency != "SEK" {
			t.Errorf("it is %+v", got)
		}
	}
	for range 2 {
		if got := w.EndLimit(aino); len(got) != 1 || got[0].AmountMinor != 30000 {
			t.Errorf("after its end there is %+v", got)
		}
	}
}

func TestSetup_AboveTheLimit_BeginsNothing_UntilTheLimitIsHigher(t *testing.T) {
	t.Parallel()
	w, _ := limited(t, 1500)
	w.SetLimitIn(aino, "SEK", 100)
	id := w.Subscription(paymentstest.OfUser(aino))
	for range 2 {
		wantExceeded(w, of(id, "setup"), "", "2027-01 2000 of 1500 EUR")
	}
	if n := w.Count(`payments`); n != 1 || w.Held("payment_intents") != 1 || w.Count(`subscriptions`) != 1 {
		t.Errorf("something has begun: %d payments", n)
	}
	w.Subscribed(paymentstest.Visa, paymentstest.OfUser(12)) // another person
	w.Subscribed(paymentstest.Visa)                          // nobody's account
	w.SetLimit(aino, 2000, false)
	w.PayMonth(id, paymentstest.Visa)
	wantStatus(w, id, "active")
	w.SetLimit(aino, 100, false)
	other := w.Subscription(paymentstest.OfUser(12), paymentstest.Costing(100000))
	w.PayMonth(other, paymentstest.Visa)
	w.Audit()
}

func TestSetup_WhoseFirstMonthIsOpen_IsNotAskedAgain(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	w.SetLimit(aino, 1500, false)
	one, two := w.Subscription(paymentstest.OfUser(aino)), w.Subscription(paymentstest.OfUser(aino))
	w.SetupMonth(one)
	wantExceeded(w, of(two, "setup"), "", "2027-01 2000 of 1500 EUR") // two tabs
	w.SetLimit(aino, 500, false)
	w.PayMonth(one, paymentstest.Visa)
	wantStatus(w, one, "active")
	if n := w.Held("customers"); n != 1 {
		t.Errorf("%d customers", n)
	}
	w.Audit()
}

func TestSetup_AboveTheLimitInALaterMonth_IsRefused_AlsoAtTheMonthsEnd(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(day(2026, 12, 31)))
	paused := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
	w.MustAct(paused, "pause", `{"until_period":3}`) // the 28th of February
	w.GoTo(noon(day(2027, 1, 30)))
	w.SetLimit(aino, 1500, false)
	id := w.Subscription(paymentstest.OfUser(aino))
	wantExceeded(w, of(id, "setup"), "", "2027-02 2000 of 1500 EUR")
	w.MustAct(paused, "pause", `{"until_period":5}`)
	wantExceeded(w, of(id, "setup"), "", "2027-04 2000 of 1500 EUR")
	w.MustAct(paused, "cancel", "")
	w.PayMonth(id, paymentstest.Visa)
	w.Audit()
}

func TestModifyLevel_AboveTheLimit_IsRefused_AndLoweringNever(t *testing.T) {
	t.Parallel()
	w, id := limited(t, 1500)
	wantExceeded(w, of(id, "modify-level"), `{"amount":20}`, "2027-02 2000 of 1500 EUR")
	if sub := w.Show(id); sub.NextLevel != nil {
		t.Errorf("it is %+v", sub.NextLevel)
	}
	w.MustAct(id, "modify-level", `{"amount":15}`)
	w.SetLimit(aino, 1200, false)
	w.MustAct(id, "modify-level", `{"amount":13}`)
	wantExceeded(w, of(id, "modify-level"), `{"amount":14}`, "2027-02 1400 of 1200 EUR")
	w.MustAct(id, "notices", `{"notify_before":true}`)
	w.EndLimit(aino)
	w.MustAct(id, "modify-level", `{"amount":100}`)
	w.Settle()
	w.WantTold(id, "activated", "level_chosen", "level_chosen", "level_chosen")
	w.Audit()
}

func TestPauseTakenBackOrMadeShorter_AboveTheLimit_IsRefused_AlsoByALink(t *testing.T) {
	t.Parallel()
	w, id := limited(t, 10000)
	w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
	w.MustAct(id, "pause", `{"until_period":6}`)
	w.SetLimit(aino, 1500, false)
	wantExceeded(w, of(id, "resume"), "", "2027-02 2000 of 1500 EUR")
	wantExceeded(w, of(id, "pause"), `{"until_period":4}`, "2027-04 2000 of 1500 EUR")
	link := `{"token":"` + w.Link(id, contentclient.Resume, 2) + `"}`
	for _, call := range []string{"look", "act"} {
		wantExceeded(w, "/api/subscription-links/"+call, link, "2027-02 2000 of 1500 EUR")
	}
	w.MustAct(id, "pause", `{"until_period":8}`)
	wantStatus(w, id, "paused")
	w.MustAct(id, "cancel", "")
	wantExceeded(w, of(id, "resume"), "", "2027-02 2000 of 1500 EUR")
	w.SetLimit(aino, 2000, false)
	w.MustAct(id, "resume", "")
	w.Settle()
	w.WantTold(id, "activated", "paused", "paused", "ending", "resumed")
	w.Audit()
}

func TestPledge_AboveALimitThatCountsPledges_BeginsNothing(t *testing.T) {
	t.Parallel()
	w, _ := limited(t, 5500)
	free := w.Content.Pledge(w.Now(), paymentstest.OfUser(aino))
	w.MustPay(w.MustSetup(free)) // it does not count
	w.Settle()
	w.SetLimit(aino, 10500, true)
	pledge := w.Content.Pledge(w.Now(), paymentstest.OfUser(aino))
	wantExceeded(w, "/api/pledges/"+pledge+"/setup/", "", "2027-01 11000 of 10500 EUR")
	wantExceeded(w, "/api/pledges/"+pledge+"/payment-page/stripe/", "", "2027-01 11000 of 10500 EUR")
	if n := w.Count(`payments WHERE subject_id = ?`, pledge); n != 0 {
		t.Errorf("%d payments have begun", n)
	}
	month := w.Subscription(paymentstest.OfUser(aino), paymentstest.Costing(5000))
	wantExceeded(w, of(month, "setup"), "", "2027-01 11000 of 10500 EUR")
	w.WantHeard(free, "started", "succeeded")
	if paid := w.Content.Heard(free)[1]; paid.PeriodDay != nil {
		t.Errorf("a pledge's success names the month's day %s", paid.PeriodDay)
	}
	// What goes back gives room.
	w.Refund(w.PaymentOf(free), 5000, refunds.Requested)
	w.Settle()
	w.MustPay(w.MustSetup(pledge))
	w.Settle()
	// The next calendar month begins anew.
	w.GoTo(noon(day(2027, 2, 1)))
	w.SetLimit(aino, 6000, true)
	w.MustSetup(w.Content.Pledge(w.Now(), paymentstest.OfUser(aino)))
	w.Audit()
}

// Two weeks after its day its bank refuses it: it is tried for a week from then, as any month.
// pledgeOf is a pledge of aino's.
func pledgeOf(w *paymentstest.World, amountMinor int64) string {
	return w.Content.Pledge(w.Now(), func(o *contentclient.Order) { paymentstest.OfUser(aino)(o); o.AmountMinor = amountMinor })
}

// On the 28th of February those of the 30th and the 31st come together.
func TestMonths_OfThe30thAndThe31st_ComeTogetherInFebruary(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(day(2027, 1, 30)))
	first := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
	w.GoTo(noon(day(2027, 1, 31)))
	second := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
	w.SetLimit(aino, 1500, false)
	overDays(w, day(2027, 2, 28))
	wantHeld(w, max(first, second), 2, 1500, 2000)
	wantMonths(w, min(first, second), 2)
	w.MustAct(max(first, second), "skip", `{"period":2}`)
	overDays(w, day(2027, 3, 31))
	wantHeld(w, first, 0, 0, 0)
	wantHeld(w, second, 3, 1500, 2000)
	w.Audit()
}

// Whoever has taken a session over does not loosen what its person has set; tightening it takes no more than the session.
func TestLimit_IsLoosenedOnlyByWhoHasJustShownThatItIsThem(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	const path = "/internal/spending-limits/41/EUR"
	set := func(amountMinor int64, pledges bool, more string) string {
		return fmt.Sprintf(`{"amount_minor": %d, "counts_pledges": %t%s}`, amountMinor, pledges, more)
	}
	for i, c := range []struct {
		method, path, body string
		want               int
	}{
		{"DELETE", path, "", 200}, // there is none
		{"PUT", path, set(50_00, false, ""), 200},
		{"PUT", path, set(50_00, false, ""), 200},
		{"PUT", path, set(50_01, false, ""), 403},
		{"PUT", path, set(50_01, false, `, "has_confirmed": false`), 403},
		{"PUT", path, set(40_00, true, ""), 200},
		{"PUT", path, set(40_00, false, ""), 403},
		{"PUT", path, set(30_00, false, ""), 403},
		{"DELETE", path, "", 403},
		{"DELETE", path + "?has_confirmed=false", "", 403},
		{"PUT", path, set(90_00, false, `, "has_confirmed": true`), 200},
		{"DELETE", path + "?has_confirmed=true", "", 200},
	} {
		before := fmt.Sprint(w.Limits(41))
		status, answer := w.TellBy(c.method, c.path, c.body, servicetoken.Payments)
		if status != c.want || status == 403 && !strings.Contains(string(answer), `"confirmation_required"`) {
			t.Errorf("%d: %s %s: %d %s, want %d", i, c.method, c.body, status, answer, c.want)
		}
		if after := fmt.Sprint(w.Limits(41)); c.want == 403 && after != before {
			t.Errorf("%d: refused, and %s became %s", i, before, after)
		}
	}
}

func TestLimit_LoweredAfterTheDayBefore_HoldsTheMonthOnItsDay(t *testing.T) {
	t.Parallel()
	w, id := limited(t, 1000)
	w.MustAct(id, "notices", `{"notify_before":true}`)
	onDay(w, day(2027, 2, 9))
	w.SetLimit(aino, 900, false)
	onDay(w, day(2027, 2, 10))
	wantHeld(w, id, 2, 900, 1000)
	wantMonths(w, id, 1)
	w.WantTold(id, "activated", "charge_coming", "limit_reached")
	w.Audit()
}

func TestLimit_OfAnotherCurrencyOrPerson_HoldsNothing(t *testing.T) {
	t.Parallel()
	w, id := limited(t, 10000)
	w.SetLimitIn(aino, "SEK", 100)
	w.SetLimit(12, 100, true)
	overDays(w, day(2027, 2, 11))
	wantMonths(w, id, 2)
	w.WantTold(id, "activated", "renewed")
	w.Audit()
}

func TestSkipOfAFailedMonth_ThatBringsSupportBackAboveTheLimit_IsRefused(t *testing.T) {
	t.Parallel()
	w, id := limited(t, 10000)
	w.BankSays(id, paymentstest.Insufficient)
	overDays(w, day(2027, 2, 19))
	wantStatus(w, id, "past_due")
	w.SetLimit(aino, 900, false)
	if status, code, _ := w.Act(http.MethodPost, id, "/skip", `{"period":2}`); code != "spending_limit_exceeded" {
		t.Errorf("answered %d %s", status, code)
	}
	w.SetLimit(aino, 1000, false)
	w.MustAct(id, "skip", `{"period":2}`)
	w.Settle()
	wantStatus(w, id, "active")
	w.Audit()
}

// A held month that nobody answers for is left out; its backer wants to be told the day before each charge. Room for the
// month after it comes because they cancel something else.
