package subscriptions_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
)

func TestLinkToSkip_IsLookedAtWithoutDoing_DoneOnce_AndHarmlessTwice(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	token := w.Link(id, contentclient.Skip, 2)
	for range 3 { // mail scanners open every link
		link := w.MustLink("look", token, "")
		if link.State != "open" || link.Act != "skip" || *link.AmountMinor != 1000 || !link.Day.Equal(day(2027, 2, 10)) ||
			!link.NextCharge.Day.Equal(day(2027, 3, 10)) {
			t.Errorf("the link would %+v", link)
		}
	}
	if next := w.Show(id).NextCharge; next.Period != 2 {
		t.Errorf("looking has done it: next is %+v", next)
	}
	w.WantTold(id, "activated")
	for range 2 {
		if link := w.MustLink("act", token, ""); link.State != "done" || !link.NextCharge.Day.Equal(day(2027, 3, 10)) {
			t.Errorf("the link has %+v", link)
		}
	}
	if link := w.MustLink("look", token, ""); link.State != "done" {
		t.Errorf("looked at once more it is %+v", link)
	}
	w.Settle()
	w.WantTold(id, "activated", "skipped")
	w.Audit()
}

func TestLinkToSkip_PressedTwiceAtOnce_SkipsOneMonth(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	token := w.Link(id, contentclient.Skip, 2)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() { w.MustLink("act", token, "") })
	}
	group.Wait()
	if next := w.Show(id).NextCharge; next.Period != 3 {
		t.Errorf("next is %+v", next)
	}
	w.Settle()
	w.WantTold(id, "activated", "skipped")
}

func TestLinkToSkip_OfAMonthThatIsPaid_IsGone(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	token := w.Link(id, contentclient.Skip, 1)
	for _, call := range []string{"look", "act"} {
		if link := w.MustLink(call, token, ""); link.State != "gone" {
			t.Errorf("%s gives %+v", call, link)
		}
	}
	w.WantTold(id, "activated")
}

func TestLinkToPause_PausesForThreeMonths_OnceAndAFollowingResumeTakesItBack(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	token := w.Link(id, contentclient.Pause, 2)
	if link := w.MustLink("look", token, ""); link.State != "open" || !link.NextCharge.Day.Equal(day(2027, 5, 10)) {
		t.Errorf("the link would %+v", link)
	}
	for range 2 {
		if link := w.MustLink("act", token, ""); link.State != "done" || !link.NextCharge.Day.Equal(day(2027, 5, 10)) {
			t.Errorf("the link has %+v", link)
		}
	}
	wantStatus(w, id, "paused")
	back := w.Link(id, contentclient.Resume, 0)
	if link := w.MustLink("look", back, ""); link.State != "open" || !link.NextCharge.Day.Equal(day(2027, 2, 10)) {
		t.Errorf("the way back would %+v", link)
	}
	w.MustLink("act", back, "")
	if link := w.MustLink("act", back, ""); link.State != "done" {
		t.Errorf("the way back twice: %+v", link)
	}
	w.Settle()
	w.WantTold(id, "activated", "paused", "resumed")
	w.Audit()
}

func TestLinkToCancel_LetsThePaidMonthRun_AndEndsWithTheSubscription(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	token, skip := w.Link(id, contentclient.Cancel, 0), w.Link(id, contentclient.Skip, 2)
	if link := w.MustLink("look", token, ""); link.State != "open" || !link.EndsOn.Equal(day(2027, 2, 9)) || link.NextCharge != nil {
		t.Errorf("the link would %+v", link)
	}
	for range 2 {
		if link := w.MustLink("act", token, ""); link.State != "done" || !link.EndsOn.Equal(day(2027, 2, 9)) {
			t.Errorf("the link has %+v", link)
		}
	}
	if link := w.MustLink("act", skip, ""); link.State != "gone" {
		t.Errorf("skipping a month that will not come: %+v", link)
	}
	overDays(w, day(2027, 2, 11))
	wantStatus(w, id, "canceled")
	for _, one := range []string{token, skip, w.Link(id, contentclient.Pay, 2), w.Link(id, contentclient.Card, 0)} {
		if link := w.MustLink("act", one, `,"setup_intent":"seti_1"`); link.State != "ended" {
			t.Errorf("after the end a link has %+v", link)
		}
	}
	w.WantTold(id, "activated", "ending", "canceled")
	w.Audit()
}

// A guest ends support whose first month its bank still has by a link: what the bank takes all the same goes back, without anybody's help.
func TestLinkToCancel_WhileItsBankHasTheFirstMonth_EndsIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		card, want string
		heard      []string
	}{
		{"pm_card_bankTakesLater", "refunded", []string{"processing", "succeeded", "refunded"}},
		{"pm_card_bankRefusesLater", "canceled", []string{"processing", "failed"}},
	} {
		t.Run(c.want, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			id := w.Subscription(func(o *contentclient.Order) { o.PayableUntil = o.PayableUntil.Add(200 * time.Hour) })
			w.Confirm(w.SetupMonth(id), c.card)
			w.Settle()
			token := w.Link(id, contentclient.Cancel, 0)
			if link := w.MustLink("look", token, ""); link.State != "open" || link.EndsOn != nil || link.NextCharge != nil {
				t.Errorf("the link would %+v", link)
			}
			for range 2 {
				if link := w.MustLink("act", token, ""); link.State != "done" && link.State != "ended" || link.EndsOn != nil {
					t.Errorf("the link has %+v", link)
				}
			}
			wantStatus(w, id, "expired")
			bankDecides(w)
			w.Settle()
			w.Tidy()
			var is string
			w.Scan(&is, `SELECT status FROM payments`)
			if is != c.want {
				t.Errorf("the month is %s", is)
			}
			w.WantHeard(id, c.heard...)
			wantStatus(w, id, "expired")
			w.Audit()
		})
	}
}

func TestLinkToPay_PaysJustItsMonth(t *testing.T) {
	t.Parallel()
	w, id := renewing(t, paymentstest.Lost)
	w.Settle()
	token, other := w.Link(id, contentclient.Pay, 2), w.Link(id, contentclient.Pay, 3)
	if link := w.MustLink("look", token, ""); link.State != "open" || *link.AmountMinor != 1000 || !link.Day.Equal(day(2027, 2, 10)) ||
		*link.Card != "Visa ···· 4242" {
		t.Errorf("the link would %+v", link)
	}
	if link := w.MustLink("look", other, ""); link.State != "gone" {
		t.Errorf("a link of another month would %+v", link)
	}
	for _, foreign := range []string{other, w.Link(id, contentclient.Skip, 2), w.Link(id, contentclient.Cancel, 0)} {
		if status, code := w.Linked("setup", foreign, "", nil); code != "subscription_not_payable" {
			t.Errorf("a form for another link answered %d %s", status, code)
		}
	}
	var form api.SubscriptionLinkSetup
	if status, code := w.Linked("setup", token, "", &form); status != http.StatusOK {
		t.Fatalf("the form answered %d %s", status, code)
	}
	var a paymentstest.SetupAnswer
	a.Stripe.PaymentIntent.ID, a.Stripe.PaymentIntent.ClientSecret = form.IntentID, form.ClientSecret
	w.Confirm(a, paymentstest.Mastercard)
	if link := w.MustLink("look", token, ""); link.State != "done" || !link.NextCharge.Day.Equal(day(2027, 3, 10)) {
		t.Errorf("paid the link is %+v", link)
	}
	w.Settle()
	if status, code := w.Linked("setup", token, "", nil); code != "subscription_not_payable" {
		t.Errorf("paying twice answered %d %s", status, code)
	}
	wantMonths(w, id, 2)
	w.Audit()
}

func TestLinkToTheCard_KeepsAnotherOne(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	token := w.Link(id, contentclient.Card, 0)
	if status, code := w.Linked("act", token, "", nil); status != http.StatusUnprocessableEntity && status != http.StatusBadRequest {
		t.Errorf("without a card it answered %d %s", status, code)
	}
	var form api.SubscriptionLinkSetup
	if status, code := w.Linked("setup", token, "", &form); status != http.StatusOK {
		t.Fatalf("the form answered %d %s", status, code)
	}
	w.KeepCard(form.IntentID, form.ClientSecret, paymentstest.Mastercard)
	for range 2 {
		if link := w.MustLink("act", token, `,"setup_intent":"`+form.IntentID+`"`); link.State != "done" || *link.Card != "Mastercard ···· 4444" {
			t.Errorf("the link has %+v", link)
		}
	}
	w.Audit()
}

func TestLinkToTheCard_SaysWhetherAMonthIsChargedAtOnce(t *testing.T) {
	t.Parallel()
	w, id := renewing(t, paymentstest.Insufficient)
	for _, want := range []bool{false, true} {
		if link := w.MustLink("look", w.Link(id, contentclient.Card, 0), ""); *link.TriesAtOnce != want {
			t.Errorf("the link has %+v, want a month charged at once: %v", link, want)
		}
		w.Settle()
	}
}

func TestLink_ThatIsNone_IsRefused_AndNothingOfThePersonIsTold(t *testing.T) {
	t.Parallel()
	w, id := active(t)
	for _, call := range []string{"look", "setup", "act"} {
		if status, code := w.Linked(call, "KEKSITTY", "", nil); status != http.StatusGone || code != "email_link_expired" {
			t.Errorf("%s of no link answered %d %s", call, status, code)
		}
		if status, _ := w.Linked(call, "", "", nil); status < http.StatusBadRequest {
			t.Errorf("%s without a token answered %d", call, status)
		}
		if status, code := w.Linked(call, w.Link(id, contentclient.Receipt, 1), "", nil); code != "email_link_expired" {
			t.Errorf("%s of the link to a receipt answered %d %s", call, status, code)
		}
	}
	for _, act := range []contentclient.SubscriptionLinkAct{contentclient.Skip, contentclient.Cancel, contentclient.Pay} {
		told, err := json.Marshal(w.MustLink("look", w.Link(id, act, 2), ""))
		if err != nil || strings.Contains(string(told), id) {
			t.Errorf("%s tells the key to everything: %s %v", act, told, err)
		}
	}
	w.Content.SetDown(true)
	if status, code := w.Linked("look", w.Link(id, contentclient.Skip, 2), "", nil); status != http.StatusServiceUnavailable {
		t.Errorf("without the content service it answered %d %s", status, code)
	}
}

func TestFailedCharge_TellsItsTriesToCome_AndTheMonthAfter(t *testing.T) {
	t.Parallel()
	w, id := renewing(t, paymentstest.Insufficient)
	w.Settle()
	w.GoToNextStep(id)
	told := w.Told(id)
	e := told[len(told)-1]
	if e.TriesOn == nil || len(*e.TriesOn) != 3 || !(*e.TriesOn)[0].Equal(day(2027, 2, 13)) || !e.GivesUpOn.Equal(day(2027, 2, 18)) ||
		!e.PeriodDay.Equal(day(2027, 2, 10)) || !e.DayAfter.Equal(day(2027, 3, 10)) {
		t.Errorf("the second refusal was told as %+v", e)
	}
}

// A mail is 45 days old at most: what its supporter has asked for since stays.
func TestLinkToResume_TakesNothingBackThatWasAskedForAfterItsMail(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		told  [2]string // what the mail told of
		since [][2]string
	}{
		"canceled since":           {[2]string{"skip", `{"period":2}`}, [][2]string{{"cancel", ""}}},
		"paused since":             {[2]string{"skip", `{"period":2}`}, [][2]string{{"pause", `{"until_period":6}`}}},
		"another month since":      {[2]string{"skip", `{"period":2}`}, [][2]string{{"skip", `{"period":3}`}}},
		"a longer pause since":     {[2]string{"pause", `{"until_period":4}`}, [][2]string{{"pause", `{"until_period":6}`}}},
		"resumed and canceled":     {[2]string{"cancel", ""}, [][2]string{{"resume", ""}, {"cancel", ""}}},
		"resumed and paused again": {[2]string{"pause", `{"until_period":4}`}, [][2]string{{"resume", ""}, {"pause", `{"until_period":4}`}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, id := active(t)
			w.MustAct(id, c.told[0], c.told[1])
			token := w.Link(id, contentclient.Resume, 0)
			if link := w.MustLink("look", token, ""); link.State != "open" {
				t.Errorf("at first it is %+v", link)
			}
			for _, act := range c.since {
				w.MustAct(id, act[0], act[1])
			}
			before := w.Show(id)
			for _, call := range []string{"look", "act"} {
				if link := w.MustLink(call, token, ""); link.State != "gone" || link.NextCharge != nil || link.EndsOn != nil {
					t.Errorf("%s gives %+v", call, link)
				}
			}
			if after := w.Show(id); !reflect.DeepEqual(before, after) {
				t.Errorf("it has become %+v, it was %+v", after, before)
			}
			w.MustAct(id, "resume", "")
			if link := w.MustLink("act", token, ""); link.State != "done" {
				t.Errorf("with nothing to take back it is %+v", link)
			}
			w.Audit()
		})
	}
}
