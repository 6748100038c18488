package subscriptions_test

import (
	"strconv"
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
)

func TestMonthAboveTheLimit_IsHeldAndToldTheDayBefore_AndChargedOnceTheLimitIsHigher(t *testing.T) {
	t.Parallel()
	for name, raise := range map[string]func(w *paymentstest.World){
		"higher": func(w *paymentstest.World) { w.SetLimit(aino, 1000, false) },
		"ended":  func(w *paymentstest.World) { w.EndLimit(aino) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, id := limited(t, 900)
			onDay(w, day(2027, 2, 9))
			wantHeld(w, id, 2, 900, 1000)
			onDay(w, day(2027, 2, 10))
			w.SetLimit(aino, 950, false) // still too low
			onDay(w, day(2027, 2, 20))
			wantHeld(w, id, 2, 950, 1000)
			wantMonths(w, id, 1)
			if n := w.Count(`payments WHERE period = 2`); n != 0 {
				t.Errorf("%d payments of the month have begun", n)
			}
			raise(w)
			w.Settle()
			wantMonths(w, id, 2)
			wantHeld(w, id, 0, 0, 0)
			if next := w.Show(id).NextCharge; !next.Day.Equal(day(2027, 3, 10)) {
				t.Errorf("next is %+v", next)
			}
			w.WantTold(id, "activated", "limit_reached", "renewed")
			told := w.Told(id)
			if e := told[1]; *e.Period != 2 || !e.PeriodDay.Equal(day(2027, 2, 10)) || *e.DueAmountMinor != 1000 || *e.LimitMinor != 900 ||
				*e.LimitTotalMinor != 1000 || !e.HeldOn.Equal(day(2027, 2, 10)) || e.NextChargeOn != nil || e.Status != "active" ||
				!calendar.DayOf(e.OccurredAt).Equal(day(2027, 2, 9)) || !e.DayAfter.Equal(day(2027, 3, 10)) {
				t.Errorf("it was told as %+v", e)
			}
			if e := told[2]; e.HeldOn != nil {
				t.Errorf("charged it was told as %+v", e)
			}
			w.Audit()
		})
	}
}

func TestHeldMonth_ThatFitsBeforeItsDay_IsAnnouncedAndChargedOnItsDay(t *testing.T) {
	t.Parallel()
	w, id := limited(t, 900)
	onDay(w, day(2027, 2, 9))
	w.SetLimit(aino, 1000, false)
	w.Settle()
	wantHeld(w, id, 0, 0, 0)
	wantMonths(w, id, 1)
	onDay(w, day(2027, 2, 10))
	wantMonths(w, id, 2)
	w.WantTold(id, "activated", "limit_reached", "charge_coming", "renewed")
	if e := w.Told(id)[2]; e.HeldOn != nil || !e.NextChargeOn.Equal(day(2027, 2, 10)) || *e.DueAmountMinor != 1000 {
		t.Errorf("it was told as %+v", e)
	}
	w.Audit()
}

func TestHeldMonth_AtALowerLevelThatFits_IsCharged(t *testing.T) {
	t.Parallel()
	w, id := limited(t, 900)
	onDay(w, day(2027, 2, 12))
	wantHeld(w, id, 2, 900, 1000)
	w.MustAct(id, "modify-level", `{"amount":9.5}`)
	wantHeld(w, id, 2, 900, 950)
	w.MustAct(id, "modify-level", `{"amount":9}`)
	w.Settle()
	wantHeld(w, id, 0, 0, 0)
	wantMonths(w, id, 2)
	w.Audit()
}

func TestHeldMonth_ChargedLate_IsTriedFromThenOn(t *testing.T) {
	t.Parallel()
	w, id := limited(t, 900)
	w.BankSays(id, paymentstest.Insufficient)
	onDay(w, day(2027, 2, 20))
	w.EndLimit(aino)
	w.Settle()
	sub := w.Show(id)
	if sub.Status != "active" || len(sub.Due.Tries) != 1 || len(sub.Due.ComingTries) != 4 || !sub.Due.ComingTries[0].Equal(day(2027, 2, 21)) ||
		!sub.Due.GivesUpOn.Equal(day(2027, 2, 28)) || !sub.Due.Day.Equal(day(2027, 2, 10)) {
		t.Errorf("it is %+v, to pay %+v", sub, sub.Due)
	}
	// Its calendar month is that of its day: what is to be paid counts there.
	w.SetLimit(aino, 1000, false)
	one := w.Subscription(paymentstest.OfUser(aino))
	wantExceeded(w, of(one, "setup"), "", "2027-02 2000 of 1000 EUR")
	w.SetLimit(aino, 100, false)
	w.PayMonth(id, paymentstest.Mastercard) // a month that has begun is not asked about again
	wantMonths(w, id, 2)
	w.Audit()
}

func TestHeldMonth_IsLeftOutByItsBacker_AndTheNextIsWeighedAnew(t *testing.T) {
	t.Parallel()
	w, id := limited(t, 900)
	onDay(w, day(2027, 2, 10))
	link := w.Link(id, contentclient.Skip, 2)
	if look := w.MustLink("look", link, ""); look.State != "open" || !look.NextCharge.Day.Equal(day(2027, 3, 10)) {
		t.Errorf("the link would %+v", look)
	}
	wantHeld(w, id, 2, 900, 1000)
	w.MustLink("act", link, "")
	wantHeld(w, id, 0, 0, 0)
	w.SetLimit(aino, 1000, false)
	overDays(w, day(2027, 3, 11))
	wantMonths(w, id, 2)
	w.WantTold(id, "activated", "limit_reached", "skipped", "renewed")
	if sub := w.Show(id); sub.Charges[1].Status != "skipped" || sub.Charges[0].Period != 3 {
		t.Errorf("the charges are %+v", sub.Charges)
	}
	w.Audit()
}

func TestHeldMonth_WithoutAnAnswer_IsLeftOutTheDayBeforeTheNext(t *testing.T) {
	t.Parallel()
	w, id := limited(t, 900)
	overDays(w, day(2027, 3, 8))
	wantHeld(w, id, 2, 900, 1000)
	onDay(w, day(2027, 3, 9))
	wantHeld(w, id, 3, 900, 1000)
	w.WantTold(id, "activated", "limit_reached", "skipped", "limit_reached")
	if e := w.Told(id)[2]; *e.Period != 2 || !e.HeldOn.Equal(day(2027, 3, 10)) || e.NextChargeOn != nil || !*e.IsUnanswered || !e.DayAfter.Equal(day(2027, 3, 10)) {
		t.Errorf("it was left out as %+v", e)
	}
	w.EndLimit(aino)
	overDays(w, day(2027, 4, 11))
	wantMonths(w, id, 3)
	w.Audit()
}

func TestHeldMonth_WithoutAnAnswer_AnnouncesTheNextOneThatFits(t *testing.T) {
	t.Parallel()
	w, id := limited(t, 1900)
	onDay(w, day(2027, 2, 1))
	w.MustPay(w.MustSetup(pledgeOf(w, 1500)))
	w.Settle()
	w.SetLimit(aino, 1900, true)
	onDay(w, day(2027, 2, 9))
	wantHeld(w, id, 2, 1900, 2500)
	onDay(w, day(2027, 3, 9))
	wantHeld(w, id, 0, 0, 0)
	if e := w.Told(id)[2]; !*e.IsUnanswered || !e.NextChargeOn.Equal(day(2027, 3, 10)) {
		t.Errorf("it was left out as %+v", e)
	}
}

func TestHeldMonth_AtTheEndOfAPause_IsNotChargedUnanswered_WhenRoomComesOtherwise(t *testing.T) {
	t.Parallel()
	w, id := limited(t, 1900)
	w.MustAct(id, "pause", `{"until_period":3}`)
	onDay(w, day(2027, 3, 1))
	pledge := pledgeOf(w, 1500)
	w.MustPay(w.MustSetup(pledge))
	w.Settle()
	w.SetLimit(aino, 1900, true)
	onDay(w, day(2027, 3, 9))
	wantHeld(w, id, 3, 1900, 2500)
	w.Refund(w.PaymentOf(pledge), 1500, refunds.Requested)
	w.Settle()
	onDay(w, day(2027, 3, 11))
	wantStatus(w, id, "active")
	wantMonths(w, id, 1)
	w.SetLimit(aino, 2000, true)
	onDay(w, day(2027, 3, 12))
	wantMonths(w, id, 2)
	w.Audit()
}

func TestHeldMonth_TakesNoRoomFromWhatItsBackerDoes(t *testing.T) {
	t.Parallel()
	w, id := limited(t, 900)
	onDay(w, day(2027, 2, 9))
	wantHeld(w, id, 2, 900, 1000)
	w.SetLimit(aino, 900, true)
	w.MustPay(w.MustSetup(pledgeOf(w, 800)))
	w.Settle()
	wantHeld(w, id, 2, 900, 1800)
	wantExceeded(w, "/api/pledges/"+pledgeOf(w, 200)+"/setup/", "", "2027-02 1000 of 900 EUR")
	w.Audit()
}

func TestHeldMonth_EndsWithAPauseOrTheSubscription(t *testing.T) {
	t.Parallel()
	w, id := limited(t, 900)
	other := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(12))
	onDay(w, day(2027, 2, 10))
	w.MustAct(id, "pause", `{"until_period":4}`)
	wantHeld(w, id, 0, 0, 0)
	if sub := w.Show(id); sub.Status != "paused" || !sub.PausedUntil.Equal(day(2027, 4, 10)) {
		t.Errorf("it is %+v", sub)
	}
	// The pause ends by itself, on a month that is held: it is active, and waits.
	onDay(w, day(2027, 4, 9))
	wantHeld(w, id, 4, 900, 1000)
	wantStatus(w, id, "paused")
	onDay(w, day(2027, 4, 10))
	wantHeld(w, id, 4, 900, 1000)
	wantStatus(w, id, "active")
	w.MustAct(id, "cancel", "")
	w.Settle()
	wantStatus(w, id, "canceled")
	w.EndLimit(aino)
	overDays(w, day(2027, 5, 11))
	wantMonths(w, id, 1)
	w.WantTold(id, "activated", "limit_reached", "paused", "limit_reached", "resumed", "canceled")
	if e := w.Told(id)[4]; !e.HeldOn.Equal(day(2027, 4, 10)) {
		t.Errorf("the end of the pause was told as %+v", e)
	}
	wantMonths(w, other, 4)
	w.Audit()
}

func TestHeldMonth_WhoseEndIsTakenBack_IsAskedAbout(t *testing.T) {
	t.Parallel()
	w, id := limited(t, 900)
	onDay(w, day(2027, 2, 9))
	w.MustAct(id, "cancel", "")
	wantHeld(w, id, 0, 0, 0)
	wantExceeded(w, of(id, "resume"), "", "2027-02 1000 of 900 EUR")
	w.SetLimit(aino, 1000, false)
	w.MustAct(id, "resume", "")
	onDay(w, day(2027, 2, 10))
	wantMonths(w, id, 2)
	w.Audit()
}

func TestMonths_AreHeldInTheOrderOfTheirDays_AndGoOnInIt(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(day(2027, 1, 10)))
	first := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
	w.GoTo(noon(day(2027, 1, 20)))
	second := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino), paymentstest.Costing(3000))
	w.GoTo(noon(day(2027, 1, 25)))
	third := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino), paymentstest.Costing(2000))
	w.SetLimit(aino, 3500, false)
	overDays(w, day(2027, 2, 26))
	wantMonths(w, first, 2)
	wantMonths(w, second, 1)
	wantHeld(w, second, 2, 3500, 6000)
	wantMonths(w, third, 2) // what does not fit itself takes no room
	w.SetLimit(aino, 5900, false)
	w.Settle()
	wantHeld(w, second, 2, 5900, 6000)
	w.SetLimit(aino, 6000, false)
	w.Settle()
	wantMonths(w, second, 2)
	w.SetLimit(aino, 3000, false)
	overDays(w, day(2027, 3, 26))
	wantMonths(w, first, 3)
	wantHeld(w, second, 3, 3000, 6000)
	wantMonths(w, third, 3)
	w.Audit()
}

func TestNotice_OfTheMonthAfterAHeldOne_ComesTheDayBefore(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	other := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
	w.Pass(24 * time.Hour)
	id := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
	w.MustAct(id, "notices", `{"notify_before":true}`)
	w.SetLimit(aino, 1500, false)
	onDay(w, day(2027, 2, 9))
	onDay(w, day(2027, 2, 10))
	onDay(w, day(2027, 2, 11))
	wantHeld(w, id, 2, 1500, 2000)
	w.MustAct(other, "cancel", "")
	onDay(w, day(2027, 3, 10))
	w.GoTo(calendar.At(day(2027, 3, 11), 9).Add(time.Second))
	w.Settle()
	for _, e := range w.Told(id) {
		if string(e.Cause) == "charge_coming" && e.Period != nil && *e.Period == 3 {
			return
		}
	}
	t.Errorf("March was charged without a word before: %d payments", w.Count(`payments WHERE subject_id = ? AND period = 3 AND status = 'succeeded'`, id))
}

func TestHeldMonth_OfAPersonWithoutALimitAfterTheirAccountsAreMerged_GoesOn(t *testing.T) {
	t.Parallel()
	w, id := limited(t, 900)
	onDay(w, day(2027, 2, 9))
	wantHeld(w, id, 2, 900, 1000)
	mergeAt(w, strconv.Itoa(aino), "4022", noon(anchor), id) // before the limit was set, which stays with the first account
	w.Settle()
	wantHeld(w, id, 0, 0, 0)
	onDay(w, day(2027, 2, 10))
	wantMonths(w, id, 2)
	w.WantTold(id, "activated", "limit_reached", "charge_coming", "renewed")
	w.Audit()
}
