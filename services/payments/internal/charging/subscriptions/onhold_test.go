package subscriptions_test

import (
	"net/http"
	"testing"
	"time"

	"talkoot.fi/payments/internal/paymentstest"
)

func TestCampaignOnHold_ChargesNothing_AndTheNextMonthOnceItGoesOn(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	w.MustAct(id, "notices", `{"notify_before":true}`)
	w.HoldCampaign(1, true)
	w.HoldCampaign(1, true)
	overDays(w, day(2027, 4, 20)) // three months
	wantMonths(w, id, 1)
	sub := w.Show(id)
	if sub.Status != "active" || !*sub.OnHold || sub.NextCharge != nil || sub.Due != nil || sub.EndsOn != nil {
		t.Errorf("on hold it is %+v", sub)
	}
	w.WantTold(id, "activated", "campaign_on_hold", "campaign_on_hold", "campaign_on_hold")
	if e := w.Told(id)[3]; *e.Period != 4 || !e.NextChargeOn.Equal(day(2027, 5, 10)) {
		t.Errorf("the third month was told as %+v", e)
	}
	w.Audit()
	w.HoldCampaign(2, false)
	w.HoldCampaign(1, true) // late again
	w.Settle()
	wantMonths(w, id, 1)
	if sub := w.Show(id); *sub.OnHold || !sub.NextCharge.Day.Equal(day(2027, 5, 10)) {
		t.Errorf("afterwards it is %+v", sub)
	}
	overDays(w, day(2027, 5, 12))
	wantMonths(w, id, 2)
	if n := charges(w); n != 2 {
		t.Errorf("%d charges", n)
	}
	w.WantTold(id, "activated", "campaign_on_hold", "campaign_on_hold", "campaign_on_hold", "charge_coming", "renewed")
	w.Audit()
}

func TestCampaignOnHold_LiftedOnTheDayBefore_ChargesTheMonthOnItsDay(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	w.HoldCampaign(1, true)
	overDays(w, day(2027, 2, 9))
	w.HoldCampaign(2, false)
	overDays(w, day(2027, 2, 10))
	wantMonths(w, id, 2)
	w.WantTold(id, "activated", "renewed")
	w.Audit()
}

func TestMonthWhoseDayPassedOnHold_IsLeftOut_AlsoWhenNoWorkerSawIt(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	w.HoldCampaign(1, true)
	w.GoTo(noon(day(2027, 2, 11)))
	w.HoldCampaign(2, false)
	w.Settle()
	wantMonths(w, id, 1)
	if next := w.Show(id).NextCharge; !next.Day.Equal(day(2027, 3, 10)) {
		t.Errorf("next is %+v", next)
	}
	overDays(w, day(2027, 3, 10))
	wantMonths(w, id, 2)
	w.Audit()
}

func TestPausedSupport_WhoseMonthComesOnHold_RestsUntilItGoesOn(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	w.MustAct(id, "pause", `{"until_period":4}`)
	w.HoldCampaign(1, true)
	overDays(w, day(2027, 4, 20))
	wantStatus(w, id, "paused")
	w.HoldCampaign(2, false)
	overDays(w, day(2027, 5, 10))
	wantStatus(w, id, "active")
	wantMonths(w, id, 2)
	w.Audit()
}

// Whoever has the form of a failed month open could pay it while its campaign is looked into.
func TestMonthThatIsTried_IsLeftOutAtOnceWhenItsCampaignIsOnHold_AndCannotBePaid(t *testing.T) {
	t.Parallel()
	for name, until := range map[string]time.Time{"tried": day(2027, 2, 11), "past due": day(2027, 2, 20)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, id := renewing(t, paymentstest.Insufficient)
			overDays(w, until)
			form := w.SetupMonth(id)
			w.HoldCampaign(1, true)
			if a := w.SetupMonth(id); a.Code != "campaign_on_hold" {
				t.Errorf("before the engine has seen it the form answered %+v", a)
			}
			w.Settle()
			if a := w.Confirm(form, paymentstest.Visa); a.Error.Code != "payment_intent_unexpected_state" {
				t.Errorf("the open form answered %+v", a)
			}
			if sub := w.Show(id); sub.Status != "active" || sub.Due != nil || sub.Charges[0].Status != "skipped" {
				t.Errorf("it is %+v", sub)
			}
			overDays(w, day(2027, 3, 30)) // longer than support that is past_due waits
			wantStatus(w, id, "active")
			w.BankSays(id, paymentstest.WorksAgain)
			w.HoldCampaign(2, false)
			overDays(w, day(2027, 4, 11))
			wantMonths(w, id, 2)
			w.Audit()
		})
	}
}

func TestChargeUnderWay_WhenItsCampaignIsPutOnHold_GoesBack(t *testing.T) {
	t.Parallel()
	w, b, id := inBetween(t)
	during(b, true, func() { w.HoldCampaign(1, true) })
	wantUnwanted(w, id)
	wantStatus(w, id, "active")
	if n := w.Count(`subscription_tries WHERE begun_at > (SELECT told_at FROM campaign_holds)`); n != 0 {
		t.Errorf("%d tries began on hold", n)
	}
}

// The engine has decided to try the card; the hold comes before it has written that down.
func TestTry_ThatIsNotWrittenYet_IsNotMadeOnceItsCampaignIsOnHold(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	id := renewingIn(w, "")
	b.Set(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost && r.URL.Path == "/v1/payment_intents" {
			w.HoldCampaign(1, true)
		}
		return false
	}, nil)
	w.Settle()
	wantMonths(w, id, 1)
	if n := w.Count(`subscription_tries`); n != 0 {
		t.Errorf("%d tries", n)
	}
	w.Audit()
}

func TestFirstMonth_OfACampaignOnHold_IsNotSetUp(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	id := w.Subscription()
	first := w.SetupMonth(id)
	w.HoldCampaign(1, true)
	if a := w.SetupMonth(id); a.Code != "campaign_on_hold" {
		t.Errorf("its form answered %+v", a)
	}
	w.CloseSubscription(id, "campaign_on_hold")
	w.Settle()
	if a := w.Confirm(first, paymentstest.Visa); a.Error.Code != "payment_intent_unexpected_state" {
		t.Errorf("the open form answered %+v", a)
	}
	wantStatus(w, id, "expired")
	w.Audit()
}

func TestPledge_OfACampaignOnHold_IsNeitherSetUpNorGivenAPage(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	pledge := w.Pledge()
	w.MustSetup(pledge)
	w.HoldCampaign(1, true)
	if a := w.Setup(pledge); a.Code != "campaign_on_hold" {
		t.Errorf("its form answered %+v", a)
	}
	if status, code, _ := w.Page(pledge, "card"); code != "campaign_on_hold" {
		t.Errorf("its page answered %d %s", status, code)
	}
	w.HoldCampaign(2, false)
	w.MustPay(w.MustSetup(pledge))
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	other := w.Pledge()
	page := w.MustPage(other)
	w.HoldCampaign(3, true)
	w.ClosePayment(other)
	w.Settle()
	if w.PayOnPage(page, "4242424242424242") {
		t.Error("the open page was paid")
	}
	w.WantStatus(other, "canceled")
}
