package endings_test

import (
	"context"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"

	"talkoot.fi/kit/jobs"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/sandbox/standin"
)

// perMinute is the pace of these tests: at most so many refunds a minute, but for those at its begin.
const (
	perMinute = 600
	atOnce    = 20
	// leastKills is how often the worker is killed at least.
	leastKills = 10
)

// A campaign of many pledges has failed. The worker is killed at random statements again and again, and the provider fails now and then: every
// backer gets all back once and is told once; and while it goes on, somebody pays another campaign and gets a refund of their own at once.
// PLEDGES=n takes as many.
func TestEnd_OfManyPledges_KilledAgainAndAgain_GivesEachBackOnce(t *testing.T) {
	t.Parallel()
	n := 300
	if given, err := strconv.Atoi(os.Getenv("PLEDGES")); err == nil {
		n = given
	}
	w := paymentstest.New(t, func(c *app.Config) {
		c.RefundsPerMinuteA, c.StripePause, c.StripeBreakAfter = perMinute, time.Millisecond, 1000
	})
	var pledges []string
	for range n {
		pledge := w.Pledge()
		w.MustPay(w.MustSetup(pledge))
		pledges = append(pledges, pledge)
	}
	w.Settle()
	w.EndCampaign("not_reached", "backers")

	random := rand.New(rand.NewPCG(29, uint64(n)))
	killers := []*paymentstest.Killer{{}, {After: true}}
	var workers []*app.App
	for _, k := range killers {
		workers = append(workers, w.Another(w.Now, func(c *app.Config) { c.Tracer, c.Workers = k, 1 }))
	}
	kills, begun, sentBefore := 0, w.Now(), 0
	var spent time.Duration // of what is ours to do
	for seconds := 0; w.Count("refunds WHERE status = 'succeeded'") <= n; seconds++ {
		if seconds > 4*n {
			var left []string
			w.Scan(&left, `SELECT to_jsonb(r)::text FROM refunds r WHERE status <> 'succeeded' UNION ALL SELECT to_jsonb(r)::text FROM refund_runs r`)
			t.Fatalf("%d of %d are back: %v", w.Count("refunds WHERE status = 'succeeded'"), n, left)
		}
		if random.IntN(5) == 0 && w.Count("refunds WHERE status = 'creating' AND next_check_at < ?", w.Now().Add(2*time.Second)) > 3 { // which meet the fault
			kind := []string{"500", "500_stored", "429", standin.CutBefore, standin.CutAfter}[random.IntN(5)]
			w.Fault(kind, 1+random.IntN(3), http.MethodPost, "/v1/refunds")
		}
		who := random.IntN(2)
		work := func(ctx context.Context) {
			_ = jobs.UntilNone(workers[who].Endings.Sweep)(ctx) // what fails comes again
			_ = workers[who].Payments.Tidy(ctx)
		}
		at := time.Now()
		early := kills < leastKills // how many statements there are in a turn depends on the machine: the first kills come soon in theirs
		if early || random.IntN(2) == 0 {
			if killers[who].Kill(t.Context(), 1+random.IntN(map[bool]int{true: 25, false: 150}[early]), work) {
				kills++
			}
			w.Bury()
		} else {
			work(t.Context())
		}
		spent += time.Since(at)
		w.Pass(time.Second)
		if w.Count("refunds") == 0 {
			begun = w.Now()
		}
		if sent, most := w.Count("refunds WHERE provider_ref IS NOT NULL"), atOnce+int(w.Now().Sub(begun).Seconds()+1)*perMinute/60; sent > most {
			t.Fatalf("%d refunds were sent after %s, %d may be", sent, w.Now().Sub(begun), most)
		} else if seconds == 5 {
			sentBefore = sent
		}
		if seconds == 5 {
			other := w.Content.Pledge(w.Now(), func(o *contentclient.Order) { o.CampaignID = 8 })
			form := w.MustSetup(other)
			w.MustPay(form)
			w.AwaitWebhooks()
			if err := w.Sandbox.Calm(); err != nil {
				t.Fatal(err)
			}
			w.Drain()
			w.Refund(form.Payment.ID, 0, refunds.Requested)
			_ = w.App.Payments.Tidy(t.Context())
			w.WantStatus(other, "refunded")
		}
	}
	if sentBefore == n || kills < leastKills && n >= 300 {
		t.Errorf("%d were back before anybody else came, %d kills", sentBefore, kills)
	}
	took := w.Now().Sub(begun)
	t.Logf("%d refunds in %s by the clock, %.0f a minute; %d kills; %s a line with the stand-in's own", n, took.Round(time.Second), float64(n)/took.Minutes(), kills,
		(spent / time.Duration(n)).Round(10*time.Microsecond))
	w.Settle()
	for _, pledge := range pledges {
		told := 0
		for _, e := range w.Content.Heard(pledge) {
			if e.Type == contentclient.PaymentRefunded {
				told++
			}
		}
		if told != 1 {
			t.Errorf("the backer of %s is told %d times", pledge, told)
		}
	}
	back := map[string]int64{}
	for _, r := range w.Sandbox.Snapshot().Refunds {
		if r.Status != "failed" {
			back[r.Intent] += r.Amount
		}
	}
	var wrong []string
	w.Scan(&wrong, `SELECT money_ref FROM attempts a JOIN payments p ON p.paid_attempt_id = a.id WHERE p.amount_refunded_minor <> p.amount_minor OR p.status <> 'refunded'`)
	if len(back) != n+1 || len(wrong) > 0 {
		t.Errorf("%d payments have refunds at the provider, %v are not as a whole back in ours", len(back), wrong)
	}
	for intent, minor := range back {
		if minor != 5000 {
			t.Errorf("%d of %s went back", minor, intent)
		}
	}
	w.Audit()
}

// After an hour without workers the refunds of a campaign are not sent all at once: payments need the provider, too.
func TestEnd_WhatIsOverdueIsSentInTurnsAgain(t *testing.T) {
	t.Parallel()
	const n = 60
	w := paymentstest.New(t, func(c *app.Config) { c.RefundsPerMinuteA, c.StripePause = 60, time.Millisecond })
	for range n {
		w.MustPay(w.MustSetup(w.Pledge()))
	}
	w.Settle()
	w.EndCampaign("not_reached", "backers")
	if err := jobs.UntilNone(w.App.Endings.Sweep)(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Pass(time.Hour)
	back := w.Now()
	for range n {
		if err := w.App.Payments.Tidy(t.Context()); err != nil {
			t.Fatal(err)
		}
		if sent, passed := w.Count("refunds WHERE provider_ref IS NOT NULL"), w.Now().Sub(back); sent > int(passed.Seconds())+2 {
			t.Fatalf("%d refunds are sent %s after the worker came back", sent, passed)
		}
		w.Pass(time.Second)
	}
	w.Settle()
	if done := w.Count("refunds WHERE status = 'succeeded'"); done != n {
		t.Errorf("%d of %d are back", done, n)
	}
	w.Audit()
}

// A backer's own refund is sent before those of a campaign that are due longer: theirs have a turn, and it has none.
func TestEnd_ARefundOfOneBackerWaitsForNoCampaign(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t, func(c *app.Config) { c.RefundsPerMinuteA = 600 })
	for range 30 {
		w.MustPay(w.MustSetup(w.Pledge()))
	}
	other := w.MustSetup(w.Content.Pledge(w.Now(), func(o *contentclient.Order) { o.CampaignID = 8 }))
	w.MustPay(other)
	w.Settle()
	w.EndCampaign("not_reached", "backers")
	if err := jobs.UntilNone(w.App.Endings.Sweep)(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Pass(20 * time.Second) // all are due, and none is overdue
	w.Refund(other.Payment.ID, 0, refunds.Requested)
	due, err := refunds.Due(t.Context(), w.DB.Gorm, w.Now(), 1)
	if err != nil || len(due) != 1 || due[0].Reason != refunds.Requested {
		t.Errorf("the first is %+v, %v", due, err)
	}
}
