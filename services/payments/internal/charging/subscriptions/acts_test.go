package subscriptions_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/paymentstest"
)

// active is a subscription of January the 10th, on the day after.
func active(t *testing.T) (*paymentstest.World, string) {
	t.Helper()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	id := w.Subscribed(paymentstest.Visa)
	w.Pass(24 * time.Hour)
	return w, id
}

// wantCode wants a call refused.
func wantCode(w *paymentstest.World, id, call, body, want string) {
	w.T.Helper()
	if status, code, _ := w.Act(http.MethodPost, id, "/"+call, body); code != want {
		w.T.Errorf("%s %s answered %d %q, want %s", call, body, status, code, want)
	}
}

// overDays lets days pass until a day, a step each, as a worker would.
func overDays(w *paymentstest.World, until time.Time) {
	w.T.Helper()
	for d := calendar.DayOf(w.Now()); !d.After(until); d = calendar.Add(d, 1) {
		if at := calendar.At(d, 10); at.After(w.Now()) {
			w.GoTo(at)
			w.Settle()
		}
	}
}

func TestCancel_AtThePeriodsEnd_LetsThePaidMonthRun(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	sub := w.MustAct(id, "cancel", "")
	if sub.Status != "active" || !sub.EndsOn.Equal(day(2027, 2, 9)) || sub.NextCharge != nil {
		t.Errorf("the subscription is %+v", sub)
	}
	w.MustAct(id, "cancel", `{"at":"period_end"}`)
	w.MustAct(id, "resume", "")
	if sub := w.Show(id); sub.EndsOn != nil || sub.NextCharge == nil {
		t.Errorf("taken back it is %+v", sub)
	}
	w.MustAct(id, "cancel", `{}`)
	overDays(w, day(2027, 3, 12))
	sub = w.Show(id)
	if sub.Status != "canceled" || *sub.Meta.EndedBecause != "asked" || sub.Card != nil {
		t.Errorf("after the month it is %+v", sub)
	}
	wantMonths(w, id, 1)
	w.WantTold(id, "activated", "ending", "resumed", "ending", "canceled")
	w.Audit()
}

func TestCancel_Now_ChargesNothingAndForgetsTheCard(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	card := w.CardOf(id)
	for range 2 {
		if sub := w.MustAct(id, "cancel", `{"at":"now"}`); sub.Status != "canceled" {
			t.Errorf("the subscription is %+v", sub)
		}
	}
	overDays(w, day(2027, 3, 12))
	wantMonths(w, id, 1)
	var method struct{ Customer *string }
	if w.At("/v1/payment_methods/"+card, &method); method.Customer != nil {
		t.Error("the card is kept on")
	}
	for _, call := range []struct{ name, body string }{{"skip", `{"period":2}`}, {"pause", `{"until_period":4}`},
		{"resume", ""}, {"notices", `{"notify_before":true}`}, {"modify-level", `{"amount":20}`}, {"card", ""}} {
		wantCode(w, id, call.name, call.body, "subscription_ended")
	}
	wantCode(w, id, "setup", "", "subscription_not_payable")
	w.WantTold(id, "activated", "canceled")
	w.Audit()
}

func TestCancel_BeforeTheFirstMonthIsPaid_EndsItsPayment(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	id := w.Subscription()
	a := w.SetupMonth(id)
	wantCode(w, id, "skip", `{"period":2}`, "subscription_not_begun")
	w.MustAct(id, "cancel", "")
	w.Settle()
	wantStatus(w, id, "expired")
	if got := w.IntentStatus(a.Stripe.PaymentIntent.ID); got != "canceled" {
		t.Errorf("the intent is %s", got)
	}
	w.WantTold(id, "expired")
	w.Audit()
}

// Between the look that says "unpaid" and the word to give it up, its backer may have paid in another window.
func TestCancel_OfWhatIsNotPaid_EndsNothingThatIsPaidOrThatABankHas(t *testing.T) {
	t.Parallel()
	const giveUp = `{"at":"now","only_unpaid":true}`
	w := paymentstest.New(t)
	paid, settling, unpaid := w.Subscription(), w.Subscription(), w.Subscription()
	forms := map[string]paymentstest.SetupAnswer{}
	for _, id := range []string{paid, settling, unpaid} {
		forms[id] = w.SetupMonth(id)
	}
	if sub := w.Show(paid); sub.Status != "created" || sub.Due.Payment.Status != "created" {
		t.Fatalf("before it is paid it is %+v", sub)
	}
	w.Confirm(forms[paid], paymentstest.Visa)
	w.Confirm(forms[settling], "pm_card_bankTakesLater")
	w.Settle()
	wantCode(w, paid, "cancel", giveUp, "pledge_already_paid")
	wantStatus(w, paid, "active")
	wantCode(w, settling, "cancel", giveUp, "pledge_settling")
	wantStatus(w, settling, "created")
	for range 2 {
		w.MustAct(unpaid, "cancel", giveUp)
		w.Settle()
		wantStatus(w, unpaid, "expired")
	}
	w.MustAct(paid, "cancel", `{"at":"now"}`) // its backer's own word
	wantCode(w, paid, "cancel", giveUp, "pledge_already_paid")
	w.Audit()
}

func TestFirstMonthNotPaidInTime_Expires(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	id := w.Subscription()
	a := w.SetupMonth(id)
	w.Pass(70 * time.Minute)
	w.CloseLapsed()
	w.Settle()
	wantStatus(w, id, "expired")
	if got := w.IntentStatus(a.Stripe.PaymentIntent.ID); got != "canceled" {
		t.Errorf("the intent is %s", got)
	}
	w.WantHeard(id)
	w.WantTold(id, "expired")
	w.Audit()
}

func TestModifyLevel_CountsFromTheNextMonth_AndIsAnnouncedTheDayBefore(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	sub := w.MustAct(id, "modify-level", `{"amount":12.5,"reward_id":6}`)
	if sub.Level.AmountMinor != 1000 || sub.NextLevel == nil || sub.NextLevel.AmountMinor != 1250 ||
		*sub.NextLevel.FromPeriod != 2 || sub.NextCharge.AmountMinor != 1250 {
		t.Errorf("the subscription is %+v", sub)
	}
	w.MustAct(id, "modify-level", `{"amount":12.5,"reward_id":6}`) // a double press
	w.MustAct(id, "modify-level", `{"amount":10,"reward_id":5}`)   // taken back
	if sub := w.Show(id); sub.NextLevel != nil {
		t.Errorf("a change taken back is %+v", sub.NextLevel)
	}
	for _, amount := range []string{"1", "100000.01", "92233720368547758.07"} {
		wantCode(w, id, "modify-level", `{"amount":`+amount+`}`, "invalid_fields")
	}
	wantCode(w, id, "modify-level", `{"amount":0}`, "invalid_fields")
	wantCode(w, id, "modify-level", `{"amount":7.123}`, "invalid_fields")
	for amount, rule := range map[string]string{"-5": "min_value", "7.123": "decimals", "2e1": "format"} { // as everywhere
		if _, answer := w.Send(http.MethodPost, w.API.URL+"/api/subscriptions/"+id+"/modify-level", "application/json",
			strings.NewReader(`{"amount":`+amount+`}`), nil); !strings.Contains(string(answer), `"rule":"`+rule+`"`) {
			t.Errorf("%s is refused as %s", amount, answer)
		}
	}
	w.MustAct(id, "modify-level", `{"amount":20}`)
	overDays(w, day(2027, 2, 11))
	sub = w.Show(id)
	if sub.Level.AmountMinor != 2000 || sub.Level.Reward != nil || sub.NextLevel != nil || sub.Charges[0].AmountMinor != 2000 ||
		sub.Charges[1].AmountMinor != 1000 {
		t.Errorf("after the month it is %+v", sub)
	}
	w.WantTold(id, "activated", "level_chosen", "level_chosen", "level_chosen", "charge_coming", "level_changed", "renewed")
	if e := w.Told(id)[4]; *e.DueAmountMinor != 2000 || *e.Period != 2 || !e.NextChargeOn.Equal(day(2027, 2, 10)) ||
		!calendar.DayOf(e.OccurredAt).Equal(day(2027, 2, 9)) {
		t.Errorf("the coming charge was told as %+v", e)
	}
	w.Audit()
}

func TestModifyLevel_ContentDown_ChangesNothing(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	w.Content.SetDown(true)
	wantCode(w, id, "modify-level", `{"amount":20}`, "unavailable")
	if sub := w.Show(id); sub.NextLevel != nil {
		t.Errorf("it is %+v", sub)
	}
}

func TestSkip_LeavesOneMonthOut_HoweverOftenItIsPressed(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	for range 3 {
		w.MustAct(id, "skip", `{"period":2}`)
	}
	if next := w.Show(id).NextCharge; next.Period != 3 {
		t.Errorf("the next charge is %+v", next)
	}
	wantCode(w, id, "skip", `{"period":7}`, "subscription_month_gone")
	w.MustAct(id, "resume", "")
	if next := w.Show(id).NextCharge; next.Period != 2 {
		t.Errorf("taken back, the next charge is %+v", next)
	}
	w.MustAct(id, "skip", `{"period":2}`)
	overDays(w, day(2027, 3, 11))
	sub := w.Show(id)
	if len(sub.Charges) != 3 || sub.Charges[0].Period != 3 || sub.Charges[1].Status != "skipped" {
		t.Errorf("the charges are %+v", sub.Charges)
	}
	wantCode(w, id, "skip", `{"period":3}`, "subscription_month_gone") // paid
	wantMonths(w, id, 2)
	w.WantTold(id, "activated", "skipped", "resumed", "skipped", "renewed")
	w.Audit()
}

func TestSkip_OfAMonthWhoseChargeHasFailed_EndsItsPayment(t *testing.T) {
	t.Parallel()
	w, id := renewing(t, paymentstest.Insufficient)
	w.Settle()
	sub := w.MustAct(id, "skip", `{"period":2}`)
	if sub.Due != nil || sub.NextCharge.Period != 3 || sub.Status != "active" {
		t.Errorf("the subscription is %+v", sub)
	}
	w.BankSays(id, paymentstest.WorksAgain)
	overDays(w, day(2027, 3, 11))
	wantMonths(w, id, 2)
	if n := w.Count(`payments WHERE subject_kind = 'subscription' AND period = 2 AND status = 'canceled'`); n != 1 {
		t.Errorf("%d payments have ended", n)
	}
	w.WantTold(id, "activated", "charge_failed", "skipped", "renewed")
	w.Audit()
}

func TestPause_ChargesNothingUntilItsMonth(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	wantCode(w, id, "pause", `{"until_period":15}`, "subscription_month_gone")
	for range 2 {
		if sub := w.MustAct(id, "pause", `{"until_period":4}`); sub.Status != "paused" || !sub.PausedUntil.Equal(day(2027, 4, 10)) {
			t.Errorf("the subscription is %+v", sub)
		}
	}
	overDays(w, day(2027, 4, 9))
	wantMonths(w, id, 1)
	wantStatus(w, id, "paused")
	overDays(w, day(2027, 4, 11))
	wantMonths(w, id, 2)
	wantStatus(w, id, "active")
	w.WantTold(id, "activated", "paused", "resumed", "renewed")
	w.Audit()
}

func TestPause_TakenBack_GoesOnWithTheNextDay(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	w.MustAct(id, "pause", `{"until_period":6}`)
	overDays(w, day(2027, 2, 20))
	sub := w.MustAct(id, "resume", "")
	if sub.Status != "active" || sub.NextCharge.Period != 3 {
		t.Errorf("the subscription is %+v", sub)
	}
	w.MustAct(id, "resume", "")
	overDays(w, day(2027, 3, 11))
	wantMonths(w, id, 2)
	w.WantTold(id, "activated", "paused", "resumed", "renewed")
	w.Audit()
}

func TestNotices_WantedBeforeEachCharge_AreToldTheDayBefore(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	w.MustAct(id, "notices", `{"notify_before":true}`)
	overDays(w, day(2027, 3, 11))
	w.WantTold(id, "activated", "charge_coming", "renewed", "charge_coming", "renewed")
	w.Audit()
}

func TestClose_OfTheCampaign_EndsAtOnceAndSaysWhy(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	if got := w.CloseSubscription(id, "released"); got != "paid" {
		t.Errorf("a late release was answered %s", got)
	}
	wantStatus(w, id, "active")
	for range 2 {
		if got := w.CloseSubscription(id, "campaign_closed"); got != "ended" {
			t.Errorf("closing was answered %s", got)
		}
	}
	overDays(w, day(2027, 2, 11))
	if sub := w.Show(id); sub.Status != "canceled" || *sub.Meta.EndedBecause != "campaign_closed" {
		t.Errorf("the subscription is %+v", sub)
	}
	w.WantTold(id, "activated", "canceled")
	wantMonths(w, id, 1)

	never := w.Subscription()
	if got := w.CloseSubscription(never, "person_blocked"); got != "none" {
		t.Errorf("closing what never began was answered %s", got)
	}
	if a := w.SetupMonth(never); a.Code != "subscription_not_payable" {
		t.Errorf("what was closed begins: %+v", a)
	}
	w.Audit()
}

func TestCard_AlsoForOthersThatAreNamed(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	one, two, others := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(11)), w.Subscribed(paymentstest.Visa, paymentstest.OfUser(11)),
		w.Subscribed(paymentstest.Visa, paymentstest.OfUser(12))
	// The same person pays both with one card from here on.
	put := func(id, setup string, also ...string) int {
		status, _, _ := w.Act(http.MethodPut, id, "/card", `{"setup_intent":"`+setup+`","also":["`+strings.Join(append(also, id), `","`)+`"]}`)
		return status
	}
	shared := w.SetupCardOf(one, paymentstest.Visa)
	if put(one, shared) != http.StatusOK || put(two, shared) != http.StatusOK {
		t.Fatal("the card is not taken")
	}
	if !*w.Show(one).Card.IsShared {
		t.Error("the card is not shared")
	}
	// Who knows the id of one subscription alone changes no other.
	third := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(11))
	if put(third, shared) != http.StatusOK {
		t.Fatal("the card is not taken")
	}
	unnamed := w.CardOf(third)
	setup := w.SetupCardOf(two, paymentstest.Mastercard)
	if status := put(others, setup, one); status != http.StatusNotFound {
		t.Errorf("another person's setup answered %d", status)
	}
	for range 2 {
		if status := put(two, setup, one, others); status != http.StatusOK {
			t.Errorf("the card answered %d", status)
		}
	}
	if got := w.CardOf(third); got != unnamed {
		t.Errorf("a subscription that was not named charges %s, want %s", got, unnamed)
	}
	for id, want := range map[string]string{one: "Mastercard ···· 4444", two: "Mastercard ···· 4444", others: "Visa ···· 4242"} {
		if got := w.Show(id).Card.Label; got != want {
			t.Errorf("a card is %s, want %s", got, want)
		}
	}
	w.MustAct(one, "cancel", `{"at":"now"}`)
	overDays(w, day(2027, 2, 11))
	wantMonths(w, two, 2) // its card was not forgotten with the other's end
	w.Audit()
}

func TestCard_ThatPaysARefusedMonth_IsGivenToThoseThatHadTheRefusedOne(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	one, two, others := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(11)), w.Subscribed(paymentstest.Visa, paymentstest.OfUser(11)),
		w.Subscribed(paymentstest.Visa, paymentstest.OfUser(11))
	shared := w.SetupCardOf(one, paymentstest.Visa)
	for _, id := range []string{one, two} {
		if status, code, _ := w.Act(http.MethodPut, id, "/card", `{"setup_intent":"`+shared+`"}`); status != http.StatusOK {
			t.Fatalf("the card answered %d %s", status, code)
		}
	}
	w.BankSays(one, paymentstest.Lost)
	w.GoTo(calendar.At(day(2027, 2, 10), 9).Add(time.Second))
	w.Settle()
	share := func(body string) {
		t.Helper()
		if status, code, _ := w.Act(http.MethodPut, one, "/card", body); status != http.StatusOK {
			t.Errorf("%s answered %d %s", body, status, code)
		}
		w.Settle()
	}
	also := `{"also":["` + two + `","` + others + `"]}`
	share(also) // nothing is paid with another card yet
	w.PayMonth(one, paymentstest.Mastercard)
	share(`{"also":[]}`)
	if w.Show(two).Due == nil {
		t.Error("the other one got the card unasked")
	}
	for range 2 {
		share(also)
	}
	for id, want := range map[string]string{one: "Mastercard ···· 4444", two: "Mastercard ···· 4444", others: "Visa ···· 4242"} {
		if sub := w.Show(id); sub.Card.Label != want || sub.Due != nil {
			t.Errorf("a card is %s, want %s; to pay %+v", sub.Card.Label, want, sub.Due)
		}
		wantMonths(w, id, 2)
	}
	w.Audit()
}

func TestCard_RenewedByItsBank_IsTakenOver_AndItsEndIsToldOnce(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	change := func(year, month int64) {
		if err := w.RenewCard(id, year, month); err != nil {
			t.Fatal(err)
		}
		w.Settle()
	}
	change(2027, 3)
	if got := w.Show(id).Card.Expires; got != "2027-03" {
		t.Errorf("the card expires %s", got)
	}
	overDays(w, day(2027, 3, 11))
	w.WantTold(id, "activated", "renewed", "card_expiring", "renewed")
	change(2030, 3)
	overDays(w, day(2027, 4, 11))
	wantMonths(w, id, 4)
	w.Audit()
}

func TestCancel_WithAKeyOfAnotherRequest_IsRefused(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	send := func(body string) int {
		status, _ := w.Send(http.MethodPost, w.API.URL+"/api/subscriptions/"+id+"/cancel", "application/json", strings.NewReader(body),
			map[string]string{"Idempotency-Key": "key-of-one-press"})
		return status
	}
	if first, again, other := send(`{}`), send(`{}`), send(`{"at":"now"}`); first != http.StatusOK || again != http.StatusOK ||
		other != http.StatusConflict {
		t.Errorf("answered %d, again %d, for another body %d", first, again, other)
	}
	wantStatus(w, id, "active")
}
