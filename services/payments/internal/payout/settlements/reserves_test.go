package settlements_test

import (
	"context"
	"testing"
	"time"

	"talkoot.fi/kit/jobs"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/settlements"
)

// sweepReserves does all that is due of what was kept back.
func (w *runs) sweepReserves() {
	w.of.T.Helper()
	if err := jobs.UntilNone(w.of.App.Settlements.SweepReserves)(w.of.T.Context()); err != nil {
		w.of.T.Fatal(err)
	}
}

// days lets days pass and does what is due of what was kept back.
func (w *world) days(n int) {
	w.T.Helper()
	w.GoTo(calendar.At(calendar.Add(calendar.DayOf(w.Now()), n), 12))
	w.sweepReserves()
}

// bookedOn is the day on which a run's lines were booked.
func (w *world) bookedOn(id string) (day time.Time) {
	w.T.Helper()
	w.Scan(&day, `SELECT at FROM settlement_steps WHERE run_id = ? AND event = 'all_booked'`, id)
	return calendar.DayOf(day)
}

func (w *world) kept(id string) settlements.Kept {
	w.T.Helper()
	list := w.run(id).Kept
	if len(list) != 1 {
		w.T.Fatalf("kept back: %+v", list)
	}
	return list[0]
}

// What was kept back is payable 120 days after it was booked, is sent by a run that people approve, once, and reaches the bank.
func TestReserve_IsReleasedOnItsDayAndSentOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100, 50)
	w.end()
	first := w.paid(w.propose())
	day := calendar.Add(w.bookedOn(first.ID), 120)
	if k := w.kept(first.ID); k.KeptMinor != 750 || !k.DueOn.Equal(day) {
		t.Errorf("kept back %+v, want until %s", k, day)
	}
	for _, at := range []time.Time{calendar.At(calendar.Add(day, -1), 12), calendar.At(day, 8)} {
		w.GoTo(at)
		w.sweepReserves()
		if k := w.kept(first.ID); k.ReleasedMinor != 0 {
			t.Fatalf("released before its day: %+v", k)
		}
	}
	w.GoTo(calendar.At(day, 9))
	w.sweepReserves()
	w.sweepReserves()
	if k := w.kept(first.ID); k.ReleasedMinor != 750 || k.SentBy != nil {
		t.Fatalf("on its day it is %+v", k)
	}
	w.mustWork()
	if n := w.Count("settlement_runs"); n != 1 {
		t.Fatalf("%d runs; nobody has proposed one", n)
	}
	runs, err := w.App.Settlements.ProposeReleased(t.Context(), maker, why)
	if err != nil || len(runs) != 1 || runs[0].Number != 2 || runs[0].GrossMinor != 0 || runs[0].ReleasedMinor != 750 || runs[0].NetMinor != 750 || runs[0].FeeMinor != 0 {
		t.Fatalf("proposed %+v, %v", runs, err)
	}
	if err := w.App.Settlements.Cancel(t.Context(), runs[0].ID, maker, why); err != nil {
		t.Fatal(err)
	}
	if k := w.kept(first.ID); k.SentBy != nil {
		t.Errorf("after its run was ended it is %+v", k)
	}
	second := w.propose() // that of the campaign is the same
	w.approve(second, maker, settlements.ErrOwnProposal)
	if got := w.paid(second); got.ReleasedMinor != 750 || len(got.Moves) != 2 || got.Moves[0].AmountMinor != 750 || got.Moves[0].FeeMinor != 0 {
		t.Errorf("sent %+v", got)
	}
	for range 2 {
		w.days(1)
		if runs, err := w.App.Settlements.ProposeReleased(t.Context(), maker, why); err != nil || len(runs) != 0 {
			t.Errorf("proposed once more: %+v, %v", runs, err)
		}
		if runs, err := w.App.Settlements.Propose(t.Context(), campaign, maker, why); err != nil || len(runs) != 0 {
			t.Errorf("proposed once more: %+v, %v", runs, err)
		}
	}
	w.WantLedger(map[string]int64{"provider_clearing:mangopay:fees": 750, "platform_revenue": -598, "vat:FI": -152})
	w.audit()
}

// What stands against it has it wait; a debt is paid by it first, of the same campaign and the oldest first, and only the rest is released.
func TestReserve_WaitsOrPaysDebtsFirst(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		happens                     func(w *world)
		used, released, debt, later int64 // later is what is released after what stood against it is over
		waits                       string
	}{
		"nothing":                                 {func(*world) {}, 0, 750, 0, 750, ""},
		"a backer got a part back":                {func(w *world) { w.refund(w.payments[0], 500) }, 475, 275, 0, 275, ""},
		"a backer got as much back":               {func(w *world) { w.refund(w.payments[0], 789) }, 750, 0, 0, 0, ""},
		"a backer got more back":                  {func(w *world) { w.refund(w.payments[0], 3000) }, 750, 0, 2100, 0, ""},
		"two backers got something back":          {func(w *world) { w.refund(w.payments[0], 200); w.refund(w.payments[1], 200) }, 380, 370, 0, 370, ""},
		"a bank contests a charge":                {func(w *world) { w.dispute(w.payments[1]) }, 0, 0, 0, 0, "dispute"},
		"a bank has kept a charge":                {func(w *world) { w.decide(w.dispute(w.payments[1]), w.payments[1], "LOST") }, 750, 0, 4000, 0, ""},
		"a bank gave a charge back":               {func(w *world) { w.decide(w.dispute(w.payments[1]), w.payments[1], "WON") }, 0, 750, 0, 750, ""},
		"the campaign is on hold":                 {func(w *world) { w.HoldCampaign(1, true) }, 0, 0, 0, 0, "campaign_on_hold"},
		"the campaign was on hold and it goes on": {func(w *world) { w.HoldCampaign(1, true); w.HoldCampaign(2, false) }, 0, 750, 0, 750, ""},
		"it was stopped, and its creator is paid": {func(w *world) { w.HoldCampaign(1, true); w.PayOutStopped(2) }, 0, 750, 0, 750, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 100, 50)
			w.end()
			r := w.paid(w.propose())
			c.happens(w)
			w.days(121)
			w.days(1)
			k := w.kept(r.ID)
			if k.UsedMinor != c.used || k.ReleasedMinor != c.released || k.WaitsFor != c.waits {
				t.Errorf("it is %+v, want %d used and %d released (%s)", k, c.used, c.released, c.waits)
			}
			debt := int64(0)
			w.Scan(&debt, `SELECT coalesce(sum(e.amount_minor), 0)::bigint FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE a.class = 'creator_debt'`)
			if debt != c.debt {
				t.Errorf("%d is owed, want %d", debt, c.debt)
			}
			w.Audit()
		})
	}
}

// A debt is paid by what its own campaign's run has kept back first, whose money is in the same wallet, and then by what is due first.
func TestReserve_OfTwoCampaigns_PaysItsOwnFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.end()
	first := w.paid(w.propose())
	proposed, payment := w.another(40)
	second := w.paid(proposed)
	w.refund(payment, 100)
	w.sweepReserves()
	if a, b := w.kept(first.ID), w.kept(second.ID); a.UsedMinor != 0 || b.UsedMinor != 95 {
		t.Errorf("%d of the other campaign's and %d of its own have paid it", a.UsedMinor, b.UsedMinor)
	}
	w.refund(w.payments[0], 1000)
	w.sweepReserves()
	if a, b := w.kept(first.ID), w.kept(second.ID); a.UsedMinor != 500 || b.UsedMinor != 200 {
		t.Errorf("%d of its own and %d of the other campaign's have paid it", a.UsedMinor, b.UsedMinor)
	}
	w.Audit()
}

// What a debit has brought is kept back for 13 months, what cards have for 120 days; both by the rates of the run.
func TestReserve_OfADebitIsKeptLonger(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100, 50)
	w.Exec(`UPDATE attempts SET method = 'debit' WHERE payment_id = ?`, w.payments[1])
	w.Exec(`INSERT INTO settlement_rates (from_day, fee_points, vat_points, vat_country, reserve_points, actor, note, at, reserve_days, reserve_debit_months)
		VALUES ('2024-01-01', 500, 2550, 'FI', 1000, 'maija', 'for longer', now(), 200, 14)`)
	w.end()
	r := w.paid(w.propose())
	booked := w.bookedOn(r.ID)
	list := w.run(r.ID).Kept
	if len(list) != 2 || list[0].KeptMinor != 1000 || list[1].KeptMinor != 500 || !list[0].DueOn.Equal(calendar.Add(booked, 200)) ||
		!list[1].DueOn.Equal(calendar.Month(booked, 14)) {
		t.Errorf("kept back %+v", list)
	}
	w.days(200)
	if list = w.run(r.ID).Kept; list[0].ReleasedMinor != 1000 || list[1].ReleasedMinor != 0 {
		t.Errorf("after 200 days: %+v", list)
	}
	w.days(230)
	if list = w.run(r.ID).Kept; list[1].ReleasedMinor != 500 {
		t.Errorf("after 14 months: %+v", list)
	}
	if got := w.paid(w.propose()); got.ReleasedMinor != 1500 {
		t.Errorf("sent %+v", got.Run)
	}
	w.Audit() // the provider has no report of so long ago
}

// What is released of monthly support is sent with the next month's run, of which a debt that came meanwhile is paid.
func TestReserve_OfMonths_IsSentWithAMonth(t *testing.T) {
	t.Parallel()
	m := newMonthly(t)
	p := m.took(10000, m.before)
	first := m.paidMonth(m.before)
	m.days(120)
	if k := m.kept(first.ID); k.ReleasedMinor != 500 {
		t.Fatalf("it is %+v", k)
	}
	for m.now.Before(m.Now()) {
		m.before, m.now = m.now, calendar.Month(m.now, 1)
	}
	m.took(2000, m.before)
	m.refund(p, 1000) // after it was released: the run pays it
	m.sweepReserves()
	m.next()
	second := m.paidMonth(m.before)
	if second.GrossMinor != 2000 || second.ReleasedMinor != 500 || second.NetMinor != 1800+500 || second.OffsetMinor != 950 {
		t.Errorf("the run is %+v", second.Run)
	}
	m.audit()
}

// What is released belongs to the run that will send it, which pays what its creator owes before it sends.
func TestReserve_ThatIsReleased_PaysWhatIsOwedBeforeItIsSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.end()
	w.paid(w.propose())
	w.days(120)
	w.refund(w.payments[0], 300)
	w.sweepReserves()
	// Of 300 that went back, 15 were of our fee, which had left the wallet: that is our money, and a person tops it up.
	r := w.propose()
	w.approve(r, approver, nil)
	w.mustWork()
	if got := w.want(r.ID, settlements.Booked, settlements.BalanceShort); got.ReleasedMinor != 500 || got.Detail != w.Wallet.ID+" has 2.00 EUR of 2.15 EUR" {
		t.Errorf("it is %+v", got.Run)
	}
	w.Audit()
}

// The sweep is killed at each of its statements: nothing is released or used twice, and in the end all is.
func TestSweepReserves_KilledAtEachStatement(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]bool{"before it": false, "after it": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 100, 50)
			w.end()
			r := w.paid(w.propose())
			killer := &paymentstest.Killer{After: after}
			killed := w.Another(w.Now, func(c *app.Config) { c.Tracer = killer })
			w.refund(w.payments[0], 300)
			kills := 0
			for range 2 { // the debt is paid, then the rest is released
				for statement := 1; ; statement++ {
					was := killer.Kill(t.Context(), statement, func(ctx context.Context) { _, _ = killed.Settlements.SweepReserves(ctx) })
					if !was {
						break
					}
					kills++
					w.Bury()
					w.Pass(3 * time.Minute) // its lease ends
				}
				w.GoTo(calendar.At(calendar.Add(calendar.DayOf(w.Now()), 121), 12))
			}
			w.sweepReserves()
			if k := w.kept(r.ID); k.UsedMinor != 285 || k.ReleasedMinor != 465 || kills < 20 {
				t.Errorf("after %d kills it is %+v", kills, k)
			}
			w.Audit()
		})
	}
}
