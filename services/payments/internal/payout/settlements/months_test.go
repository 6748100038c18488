package settlements_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/charging/holds"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/settlements"
)

// monthly is a campaign of monthly support at provider B, whose months are paid as pledges are there.
type monthly struct {
	*world
	before, now time.Time // the first days of the month that is over, and of the one that goes on
}

func newMonthly(t *testing.T) *monthly {
	t.Helper()
	m := &monthly{world: newWorld(t)}
	today := calendar.DayOf(m.Now())
	if today.Day() > 20 { // what a test lets pass stays within one month
		m.GoTo(calendar.At(calendar.Month(calendar.Add(today, 1-today.Day()), 1), 12))
		today = calendar.DayOf(m.Now())
	}
	m.now = calendar.Add(today, 1-today.Day())
	m.before = calendar.Month(m.now, -1)
	return m
}

// took makes a month of support of a sum in cents, whose money was taken on a day.
func (m *monthly) took(minor int64, on time.Time) (payment string) {
	m.T.Helper()
	payment = m.payCents(minor)
	m.Exec(`INSERT INTO subscriptions (id, provider, status, campaign_id, payee_user_id, description, title, language, level, customer_ref, anchor_day, next_period,
			paid_period, step_at, created_at, updated_at)
		SELECT subject_id, provider, 'active', campaign_id, payee_user_id, description, title, language, '{"amount_minor": 1000, "currency": "EUR"}', '', CAST(? AS date), 2, 1,
			'2200-01-01', created_at, updated_at FROM payments WHERE id = ?`, on.Format(time.DateOnly), payment)
	m.Exec(`INSERT INTO subscription_periods (subscription_id, period, day, payment_id, status, begun_at, settled_at)
		SELECT subject_id, 1, CAST(? AS date), id, 'paid', created_at, updated_at FROM payments WHERE id = ?`, on.Format(time.DateOnly), payment)
	m.Exec(`INSERT INTO subscription_transitions (subscription_id, from_status, to_status, cause, at) SELECT subject_id, '', 'active', 'paid', updated_at FROM payments WHERE id = ?`, payment)
	m.Exec(`UPDATE payments SET subject_kind = 'subscription', period = 1, paid_on = ? WHERE id = ?`, on.Format(time.DateOnly), payment)
	return payment
}

// stop has nobody's support go on.
func (m *monthly) stop() {
	m.Exec(`UPDATE subscriptions SET status = 'canceled', ended_because = 'campaign_closed', step_at = NULL`)
	m.Exec(`INSERT INTO subscription_transitions (subscription_id, from_status, to_status, cause, at) SELECT id, 'active', 'canceled', 'close', updated_at FROM subscriptions`)
}

// next has the month that goes on be over.
func (m *monthly) next() {
	m.before, m.now = m.now, calendar.Month(m.now, 1)
	if at := calendar.At(m.now, 12); at.After(m.Now()) {
		m.GoTo(at)
	}
	for !calendar.At(calendar.Month(m.now, 1), 12).After(m.Now()) { // more than one has passed
		m.before, m.now = m.now, calendar.Month(m.now, 1)
	}
}

func (m *monthly) proposeMonth(month time.Time) ([]settlements.Run, []settlements.Carried) {
	m.T.Helper()
	runs, carried, err := m.App.Settlements.ProposeMonth(m.T.Context(), month, 0, maker, why)
	if err != nil {
		m.T.Fatal(err)
	}
	return runs, carried
}

// paidMonth settles a month to its creator's bank.
func (m *monthly) paidMonth(month time.Time) settlements.Shown {
	m.T.Helper()
	runs, carried := m.proposeMonth(month)
	if len(runs) != 1 || len(carried) != 0 {
		m.T.Fatalf("proposed %+v, carried %+v", runs, carried)
	}
	return m.paid(runs[0])
}

// paid has a run be approved and reach its creator's bank.
func (m *world) paid(r settlements.Run) settlements.Shown {
	m.T.Helper()
	for _, who := range []string{approver, second}[:r.Needed()] {
		m.approve(r, who, nil)
	}
	m.mustWork()
	m.arrive()
	return m.want(r.ID, settlements.Paid, "")
}

// What was taken until the last day of a month is settled once, by the rates of that day; what comes later is the next month's.
func TestMonth_FromSupportToTheCreatorsBank(t *testing.T) {
	t.Parallel()
	m := newMonthly(t)
	m.took(10000, m.before)
	m.took(5000, calendar.Add(m.now, -1))
	m.took(3000, m.now)
	m.Exec(`INSERT INTO settlement_rates (from_day, fee_points, vat_points, vat_country, reserve_points, actor, note, at)
		VALUES (?, 1000, 2550, 'FI', 500, 'maija', 'twice as much', now())`, m.now.Format(time.DateOnly))
	for name, month := range map[string]time.Time{"it goes on": m.now, "it is no month": calendar.Add(m.before, 1)} {
		if _, _, err := m.App.Settlements.ProposeMonth(t.Context(), month, 0, maker, why); !isErr(err, settlements.ErrMonth) {
			t.Errorf("%s: %v", name, err)
		}
	}
	m.mustWork()
	if n := m.Count("settlement_runs"); n != 0 {
		t.Fatalf("%d runs that nobody has proposed", n)
	}
	if got := m.shown(owner); got != "7 checking 0 = 0 (0) + 0 + 0 + 0 "+m.before.Format("2006-01") {
		t.Errorf("its creator sees %q", got)
	}
	first := m.paidMonth(m.before)
	if first.GrossMinor != 15000 || first.FeeMinor != 750 || first.Lines != 2 || !first.Month.Equal(m.before) {
		t.Errorf("the month was %+v", first.Run)
	}
	if got := m.shown(owner); got != "7 arrived 15000 = 750 (152) + 750 + 0 + 13500 "+m.before.Format("2006-01")+" ✓ ✓ ✓ ✓ FI0785" {
		t.Errorf("its creator sees %q", got)
	}
	m.Settle()
	if told := m.Content.Payees(); !slices.ContainsFunc(told, func(e contentclient.PayeeEvent) bool {
		return e.Payout != nil && e.Payout.Month != nil && e.Payout.Month.Equal(m.before)
	}) {
		t.Errorf("they were told %+v", told)
	}
	if runs, carried := m.proposeMonth(m.before); len(runs)+len(carried) != 0 {
		t.Errorf("proposed once more: %+v, %+v", runs, carried)
	}
	m.next()
	second := m.paidMonth(m.before)
	if second.GrossMinor != 3000 || second.FeeMinor != 300 || second.Number != 2 || second.Lines != 1 {
		t.Errorf("the next month was %+v", second.Run)
	}
	m.audit()
}

// A month's run has what is certain: a charge that became so later is in the next one, also of the month before, and none is lost or twice.
func TestMonth_WhatIsCertainLate_JoinsTheNextRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		happens       func(m *monthly, payment string) (later func()) // to one of two charges before the run; later is before the next one
		first, second int64
		lines         [2]int
	}{
		"nothing":            {func(*monthly, string) func() { return func() {} }, 7000, 0, [2]int{2, 0}},
		"it was given back":  {func(m *monthly, p string) func() { m.refund(p, 0); return func() {} }, 4000, 0, [2]int{2, 0}},
		"a part was":         {func(m *monthly, p string) func() { m.refund(p, 1000); return func() {} }, 6000, 0, [2]int{2, 0}},
		"a bank contests it": {func(m *monthly, p string) func() { m.dispute(p); return func() {} }, 4000, 0, [2]int{1, 0}},
		"a bank gave it back": {func(m *monthly, p string) func() {
			id := m.dispute(p)
			return func() { m.decide(id, p, "WON") }
		}, 4000, 3000, [2]int{1, 1}},
		"it is told of late": {func(m *monthly, p string) func() {
			m.Exec(`UPDATE payments SET paid_on = ? WHERE id = ?`, m.now.Format(time.DateOnly), p)
			return func() {
				m.Exec(`UPDATE payments SET paid_on = ? WHERE id = ?`, m.before.AddDate(0, -1, 0).Format(time.DateOnly), p)
			}
		}, 4000, 3000, [2]int{1, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMonthly(t)
			payment := m.took(3000, m.before)
			m.took(4000, m.before)
			later := c.happens(m, payment)
			first := m.paidMonth(m.before)
			if first.GrossMinor != c.first || len(first.Charges) != c.lines[0] {
				t.Errorf("the month is %d of %d lines, want %d of %d", first.GrossMinor, len(first.Charges), c.first, c.lines[0])
			}
			later()
			if again, _ := m.proposeMonth(m.before); len(again) != 0 {
				t.Errorf("a month has another run: %+v", again)
			}
			m.next()
			runs, _ := m.proposeMonth(m.before)
			if c.second == 0 {
				if len(runs) != 0 {
					t.Errorf("proposed %+v", runs)
				}
				m.audit()
				return
			}
			if second := m.paid(runs[0]); second.GrossMinor != c.second || len(second.Charges) != c.lines[1] {
				t.Errorf("the next month is %d of %d lines, want %d of %d", second.GrossMinor, len(second.Charges), c.second, c.lines[1])
			}
			m.audit()
		})
	}
}

// A month waits, and says why, while its money is not certain.
func TestMonth_SaysWhyItWaits(t *testing.T) {
	t.Parallel()
	m := newMonthly(t)
	m.took(3000, m.before)
	waits := m.took(4000, m.before)
	m.Exec(`UPDATE payments SET status = 'processing', paid_attempt_id = NULL, created_at = ? WHERE id = ?`, calendar.At(m.before, 12), waits)
	runs, _ := m.proposeMonth(m.before)
	id := runs[0].ID
	m.want(id, settlements.Counting, settlements.PaymentsProcessing)
	m.Exec(`UPDATE payments p SET status = 'succeeded', paid_attempt_id = (SELECT id FROM attempts WHERE payment_id = p.id AND charge_ref <> '') WHERE id = ?`, waits)
	m.Exec(`UPDATE outbox SET done_at = NULL WHERE payload ->> 'payment_id' = ?`, waits)
	m.go_(id)
	m.want(id, settlements.Counting, settlements.EventsUntold)
	m.Exec(`UPDATE outbox SET done_at = now() WHERE done_at IS NULL`)
	m.HoldCampaign(1, true)
	m.go_(id)
	m.want(id, settlements.Counting, settlements.CampaignOnHold)
	m.HoldCampaign(2, false)
	open := m.took(100, m.now) // of the month that goes on: it is not waited for
	m.Exec(`UPDATE payments SET status = 'processing', paid_attempt_id = NULL, created_at = ? WHERE id = ?`, calendar.At(m.now, 12), open)
	m.go_(id)
	if r := m.want(id, settlements.Proposed, ""); r.GrossMinor != 7000 {
		t.Errorf("proposed %+v", r.Run)
	}
	m.Exec(`UPDATE payments p SET status = 'succeeded', paid_attempt_id = (SELECT id FROM attempts WHERE payment_id = p.id AND charge_ref <> '') WHERE id = ?`, open)
	m.next()
	if again, _ := m.proposeMonth(m.before); len(again) != 1 || again[0].ID != id {
		t.Errorf("the next month is proposed before the run of the one before is booked: %+v", again)
	}
	m.audit()
}

// What staff have stopped charges nobody any more; what was taken before is paid out once they let it go, and waits again when they say so.
func TestMonth_OfAStoppedCampaign_IsPaidOutOnceStaffLetItGo(t *testing.T) {
	t.Parallel()
	m := newMonthly(t)
	m.took(7000, m.before)
	m.HoldCampaign(1, true)
	runs, _ := m.proposeMonth(m.before)
	id := runs[0].ID
	m.want(id, settlements.Counting, settlements.CampaignOnHold)
	m.PayOutStopped(2)
	m.go_(id)
	r := m.want(id, settlements.Proposed, "").Run
	for _, who := range []string{approver, second}[:r.Needed()] {
		m.approve(r, who, nil)
	}
	m.HoldCampaign(3, true)
	m.go_(id)
	m.want(id, settlements.Approved, settlements.CampaignOnHold)
	m.PayOutStopped(4)
	m.HoldCampaign(3, true) // late again
	m.go_(id)
	m.arrive()
	m.want(id, settlements.Paid, "")
	if isOnHold, err := holds.Is(t.Context(), m.App.DB, campaign); err != nil || !isOnHold {
		t.Errorf("on hold: %t, %v", isOnHold, err)
	}
	m.audit()
}

// A month of which all has gone back before it could be frozen is over: it keeps no later month waiting.
func TestMonth_OfWhichNothingIsLeft_IsOver(t *testing.T) {
	t.Parallel()
	m := newMonthly(t)
	all := m.took(3000, m.before)
	m.HoldCampaign(1, true)
	runs, _ := m.proposeMonth(m.before)
	m.want(runs[0].ID, settlements.Counting, settlements.CampaignOnHold)
	m.refund(all, 0)
	m.HoldCampaign(2, false)
	m.go_(runs[0].ID)
	m.want(runs[0].ID, settlements.Void, settlements.NothingToSettle)
	m.took(2000, m.now)
	m.next()
	if r := m.paidMonth(m.before); r.GrossMinor != 2000 || r.Number != 2 {
		t.Errorf("the next month is %+v", r.Run)
	}
	m.audit()
}

// Less than the minimum waits for the next month, and its creator is told so; when nobody's support goes on, all of it is paid.
func TestMonth_BelowTheMinimum_IsCarried(t *testing.T) {
	t.Parallel()
	m := newMonthly(t)
	m.took(999, m.before)
	for range 2 {
		runs, carried := m.proposeMonth(m.before)
		if len(runs) != 0 || len(carried) != 1 || carried[0].Amount.Minor != 999 {
			t.Fatalf("proposed %+v, carried %+v", runs, carried)
		}
	}
	if got := m.shown(owner); got != "7 carried 0 = 0 (0) + 0 + 0 + 0 "+m.before.Format("2006-01")+" waits 999 of 1000" {
		t.Errorf("its creator sees %q", got)
	}
	m.took(1, m.now)
	m.next()
	if r := m.paidMonth(m.before); r.GrossMinor != 1000 || r.Lines != 2 {
		t.Errorf("paid %+v", r.Run)
	}
	m.took(500, m.now)
	m.next()
	m.stop()
	if r := m.paidMonth(m.before); r.GrossMinor != 500 {
		t.Errorf("the last run is %+v", r.Run)
	}
	m.audit()
}

// Whoever presses at once, and wherever a press is killed, a month has one run.
func TestProposeMonth_AtOnceAndKilledAnywhere_BeginsOneRun(t *testing.T) {
	t.Parallel()
	m := newMonthly(t)
	m.took(3000, m.before)
	killer := &paymentstest.Killer{}
	killed := m.Another(m.Now, func(c *app.Config) { c.Tracer = killer })
	kills := 0
	for statement := 1; ; statement++ {
		was := killer.Kill(t.Context(), statement, func(ctx context.Context) { _, _, _ = killed.Settlements.ProposeMonth(ctx, m.before, 0, maker, why) })
		if !was {
			break
		}
		kills++
		m.Bury()
		if n := m.Count("settlement_runs"); n > 1 {
			t.Fatalf("%d runs after %d kills", n, kills)
		}
	}
	if kills < 10 {
		t.Errorf("killed %d times", kills)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { _, _, _ = m.App.Settlements.ProposeMonth(t.Context(), m.before, 0, maker, why) })
	}
	all.Wait()
	if n := m.Count("settlement_runs"); n != 1 {
		t.Errorf("%d runs", n)
	}
	for what, query := range map[string]string{
		"two runs of a month": `INSERT INTO settlement_runs (id, campaign_id, provider, month, number, state, currency, proposed_by, created_at, updated_at)
			SELECT 'x', campaign_id, provider, month, 9, 'paid', currency, 'x', now(), now() FROM settlement_runs`,
		"a run of pledges of a campaign that has not ended": `UPDATE settlement_runs SET month = NULL`,
		"a month that begins on its second day":             `UPDATE settlement_runs SET month = month + 1`,
	} {
		if err := m.DB.Gorm.WithContext(t.Context()).Exec(query).Error; err == nil {
			t.Errorf("the database takes %s", what)
		}
	}
	r := settlements.Run{}
	m.Scan(&r.ID, `SELECT id FROM settlement_runs`)
	m.paid(m.run(r.ID).Run)
	m.audit()
}
