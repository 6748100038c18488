//go:build unix

package overview_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oapi-codegen/runtime/types"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/contenttest/bulk"
)

// choir is a campaign that takes monthly support, from 20 November on.
type choir struct {
	*fixture
	events int64
}

func newChoir(t *testing.T) *choir {
	t.Helper()
	w := contenttest.New(t)
	c := &choir{fixture: &fixture{World: w, t: t, creator: w.Person("Reijo")}}
	c.campaign = w.Campaign(campaigns.New{Slug: "kuoro", Language: "fi", CategoryID: w.Category("c"), TeamUserIDs: []int64{c.creator},
		OpensAs: campaigns.StageRecurring, Goals: []campaigns.Goal{{Target: 3, Texts: map[string]campaigns.GoalText{"fi": {Title: "Piano"}}}},
		Texts: map[string]campaigns.Text{"fi": {Title: "Kuoro"}}}, campaigns.StageRecurring)
	return c
}

// supporter is one, with the number of the month that was told last.
type supporter struct {
	c       *choir
	id      string
	minor   int64
	begun   time.Time
	told    int64
	periods int
}

// supporter pays the first month today; more adds fields to the body.
func (c *choir) supporter(euros int64, more string) *supporter {
	c.t.Helper()
	c.events++
	body := fmt.Sprintf(`{"amount": %d, "email": "s%d@b.fi", "first_name": "=Leena", "last_name": "Halonen"%s}`, euros, c.events, more)
	a := c.Post(fmt.Sprintf("/campaigns/%d/subscriptions/", c.campaign), body, 0)
	var made api.SubscriptionAnswer
	if err := json.Unmarshal(a.Body, &made); err != nil || a.Status != http.StatusCreated {
		c.t.Fatalf("%d %s", a.Status, a.Body)
	}
	s := &supporter{c: c, id: made.Subscription.SubscriptionID, minor: euros * 100, begun: c.Now()}
	s.pays()
	s.tells(internalapi.SubscriptionEventCauseActivated, nil)
	return s
}

// pays pays the next month.
func (s *supporter) pays() {
	s.c.t.Helper()
	s.periods++
	s.c.events++
	period, day := s.periods, types.Date{Time: s.c.Now()}
	outcome, err := s.c.Subscriptions.ApplyPayment(s.c.t.Context(), internalapi.PaymentEvent{EventID: fmt.Sprint("p", s.c.events), Sequence: 1,
		Type: internalapi.PaymentSucceeded, SubjectKind: internalapi.Subscription, SubjectID: s.id, PaymentID: fmt.Sprintf("%s-%d", s.id, period),
		AmountMinor: s.minor, Currency: "EUR", Period: &period, PeriodDay: &day, Provider: "stripe", OccurredAt: s.c.Now()})
	if err != nil || outcome != internalapi.EventOutcomeOutcomeApplied {
		s.c.t.Fatal(outcome, err)
	}
}

// tells tells what has become of it: active, with a charge in a month, unless change says otherwise.
func (s *supporter) tells(cause internalapi.SubscriptionEventCause, change func(e *internalapi.SubscriptionEvent)) {
	s.c.t.Helper()
	s.told++
	next := types.Date{Time: s.begun.AddDate(0, s.periods, 0)}
	e := internalapi.SubscriptionEvent{EventID: fmt.Sprintf("e-%s-%d", s.id, s.told), Sequence: s.told, Cause: cause, SubscriptionID: s.id,
		Status: internalapi.SubscriptionEventStatusActive, AmountMinor: s.minor, Currency: "EUR", NextChargeOn: &next, PaidUntil: &next, OccurredAt: s.c.Now()}
	if change != nil {
		change(&e)
	}
	s.minor = e.AmountMinor
	if outcome, err := s.c.Subscriptions.ApplyChange(s.c.t.Context(), e); err != nil || outcome != internalapi.EventOutcomeOutcomeApplied {
		s.c.t.Fatal(outcome, err)
	}
}

func (s *supporter) becomes(status internalapi.SubscriptionEventStatus) {
	s.c.t.Helper()
	s.tells(internalapi.SubscriptionEventCause(status), func(e *internalapi.SubscriptionEvent) { e.Status, e.NextChargeOn = status, nil })
}

// to moves the clock to noon of a day.
func (c *choir) to(year int, month time.Month, day int) {
	c.Advance(time.Date(year, month, day, 10, 0, 0, 0, time.UTC).Sub(c.Now()))
}

func row(m api.OverviewMonth) string {
	return fmt.Sprintf("%s %d at %d +%d -%d, %d resting, %d in", m.Month.Format("2006-01"), m.Supporters, m.Amount, m.Came, m.Gone, m.Resting, m.Received)
}

func TestMonthly_EachMonthIsTheOneBeforeWithWhoCameAndLessWhoWent(t *testing.T) {
	c := newChoir(t)
	stays, raises, goes, fails := c.supporter(7, ""), c.supporter(10, ""), c.supporter(20, ""), c.supporter(5, "")
	c.Post(fmt.Sprintf("/campaigns/%d/subscriptions/", c.campaign), `{"amount": 90, "email": "never@b.fi", "first_name": "N", "last_name": "N"}`, 0)
	c.to(2026, time.December, 20)
	stays.pays()
	stays.tells(internalapi.SubscriptionEventCauseRenewed, nil)
	raises.tells(internalapi.SubscriptionEventCauseLevelChanged, func(e *internalapi.SubscriptionEvent) { e.AmountMinor = 15_00 })
	raises.pays()
	goes.becomes(internalapi.SubscriptionEventStatusCanceled)
	c.to(2026, time.December, 31)
	c.Advance(13 * time.Hour) // January in Helsinki, still December in UTC
	fails.becomes(internalapi.SubscriptionEventStatusPastDue)
	c.to(2027, time.February, 10)
	fails.becomes(internalapi.SubscriptionEventStatusCanceled)
	c.to(2027, time.March, 1)

	o := c.read()
	got := make([]string, len(o.Monthly.Months))
	for i, m := range o.Monthly.Months {
		got[i] = row(m)
	}
	if want := []string{"2026-11 4 at 4200 +4 -0, 0 resting, 4200 in", "2026-12 3 at 2700 +0 -1, 0 resting, 2200 in", "2027-01 2 at 2200 +0 -0, 1 resting, 0 in",
		"2027-02 2 at 2200 +0 -1, 0 resting, 0 in", "2027-03 2 at 2200 +0 -0, 0 resting, 0 in"}; !slices.Equal(got, want) {
		t.Errorf("months\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	var totals struct{ Subscriptions, SubscriptionsAmountMinor int }
	if err := c.DB.Raw(`SELECT subscriptions, subscriptions_amount_minor FROM campaign_totals`).Scan(&totals).Error; err != nil {
		t.Fatal(err)
	}
	if o.Monthly.Supporters != totals.Subscriptions || int(o.Monthly.Amount) != totals.SubscriptionsAmountMinor || totals.Subscriptions != 2 {
		t.Errorf("%+v against the totals %+v", o.Monthly, totals)
	}
	if *o.Average != 11_00 || o.WithoutReward.Backers != 2 || len(o.Sources) != 1 || o.Sources[0].Amount != 22_00 {
		t.Errorf("average %d, without reward %+v, sources %+v", *o.Average, o.WithoutReward, o.Sources)
	}
	if len(o.Monthly.Goals) != 1 || o.Monthly.Goals[0].Target != 3 || o.Monthly.Goals[0].Title != "Piano" {
		t.Errorf("goals %+v", o.Monthly.Goals)
	}
}

func TestMonthly_PlansOnlyOnWhatIsSureAndSaysWhyTheRestIsNot(t *testing.T) {
	c := newChoir(t)
	c.supporter(7, "") // charged on 20 December
	c.supporter(10, "").tells(internalapi.SubscriptionEventCauseLevelChosen, func(e *internalapi.SubscriptionEvent) { next := int64(15_00); e.NextAmountMinor = &next })
	card := func(expires string) func(e *internalapi.SubscriptionEvent) {
		return func(e *internalapi.SubscriptionEvent) { e.CardExpires = &expires }
	}
	c.supporter(1, "").tells(internalapi.SubscriptionEventCauseCardChanged, card("2026-12")) // good to the end of that month
	c.supporter(2, "").tells(internalapi.SubscriptionEventCauseCardExpiring, card("2026-11"))
	failed := func(e *internalapi.SubscriptionEvent) { e.PeriodDay, e.NextChargeOn = e.NextChargeOn, nil }
	c.supporter(3, "").tells(internalapi.SubscriptionEventCauseChargeFailed, failed)
	charged := c.supporter(13, "") // a month is being charged, of which nothing is known yet
	charged.tells(internalapi.SubscriptionEventCauseCardChanged, func(e *internalapi.SubscriptionEvent) { e.NextChargeOn = nil })
	c.supporter(4, "").becomes(internalapi.SubscriptionEventStatusPastDue)
	c.supporter(5, "").tells(internalapi.SubscriptionEventCauseEnding, func(e *internalapi.SubscriptionEvent) { e.EndsOn, e.NextChargeOn = e.PaidUntil, nil })
	january := types.Date{Time: time.Date(2027, time.January, 20, 0, 0, 0, 0, time.UTC)}
	c.supporter(6, "").tells(internalapi.SubscriptionEventCauseSkipped, func(e *internalapi.SubscriptionEvent) { e.NextChargeOn = &january })
	c.supporter(8, "").becomes(internalapi.SubscriptionEventStatusPaused)
	held := func(on types.Date) func(e *internalapi.SubscriptionEvent) {
		return func(e *internalapi.SubscriptionEvent) { e.NextChargeOn, e.HeldOn = nil, &on }
	}
	c.supporter(11, "").tells(internalapi.SubscriptionEventCauseLimitReached, held(types.Date{Time: day(25, 0)})) // the month after it comes
	c.supporter(12, "").tells(internalapi.SubscriptionEventCauseLimitReached, held(types.Date{Time: day(20, 0).AddDate(0, 1, 0)}))
	c.supporter(9, "").becomes(internalapi.SubscriptionEventStatusCanceled)

	n := c.read().Monthly.NextMonth
	if n.Month.Format(time.DateOnly) != "2026-12-01" || n.Supporters != 5 || n.Amount != 47_00 {
		t.Errorf("%+v", n)
	}
	got := map[string]string{}
	for _, u := range n.Unsure {
		got[string(u.Reason)] = fmt.Sprintf("%d of %d", u.Supporters, u.Amount)
	}
	for reason, want := range map[string]string{"card_expiring": "1 of 200", "charge_failing": "1 of 300", "past_due": "1 of 400", "ending": "1 of 500",
		"paused": "3 of 2600"} {
		if got[reason] != want {
			t.Errorf("%s: %q, want %q", reason, got[reason], want)
		}
	}
}

func TestSupportersTable_IsSafeAndHasWhoSupportsOrHasPaidTime(t *testing.T) {
	c := newChoir(t)
	c.supporter(7, "")
	hidden := c.supporter(10, `, "subscription_meta": {"anonymous": true, "hide_amount": true}`)
	hidden.tells(internalapi.SubscriptionEventCauseChargeFailed, func(e *internalapi.SubscriptionEvent) { e.PeriodDay, e.NextChargeOn = e.NextChargeOn, nil })
	c.supporter(5, "").becomes(internalapi.SubscriptionEventStatusCanceled) // paid for a month yet
	c.supporter(6, "").tells(internalapi.SubscriptionEventCauseCanceled, func(e *internalapi.SubscriptionEvent) {
		e.Status, e.NextChargeOn, e.PaidUntil = internalapi.SubscriptionEventStatusCanceled, nil, &types.Date{Time: day(19, 0)}
	})
	charged := c.supporter(8, "") // a month is being charged, of which nothing is known yet
	charged.tells(internalapi.SubscriptionEventCauseCardChanged, func(e *internalapi.SubscriptionEvent) { e.NextChargeOn = nil })
	answer := c.Get(fmt.Sprintf("/campaigns/%d/supporters/table/?language=en", c.campaign), c.creator)
	text, marked := strings.CutPrefix(string(answer.Body), "\ufeff")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || !marked || len(rows) != 5 || rows[0][0] != "Since" || !strings.HasPrefix(answer.Header.Get("Content-Disposition"), "attachment") {
		t.Fatalf("%d rows, mark %v, %v in %s", len(rows), marked, err, answer.Body)
	}
	states := map[string][]string{}
	for _, r := range rows[1:] {
		if r[8] != "8.00" {
			states[r[1]] = r
		} else if r[1] != "supports" {
			t.Errorf("one whose month is being charged: %q", r)
		}
	}
	if got := strings.Join(states["supports"], "|"); got != "2026-11-20|supports|'=Leena|Halonen|s1@b.fi|'=Leena Halonen|7.00||7.00||2026-12-20|2026-12-20||1|7.00|0.00" {
		t.Error(got)
	}
	if got := states["charge failing"]; got == nil || got[5] != "" || got[6] != "" || got[10] != "" {
		t.Errorf("an anonymous one: %q", got)
	}
	if got := states["ended"]; got == nil || got[8] != "5.00" {
		t.Errorf("one that has ended: %q", got)
	}
	var taken int64
	if err := c.DB.Raw(`SELECT count(*) FROM audit_log WHERE action = 'take_supporters_table' AND actor_user_id = ?`, c.creator).Scan(&taken).Error; err != nil || taken != 1 {
		t.Errorf("noted %d times, %v", taken, err)
	}
}

// manySupporters fills a campaign with n supporters of up to 24 months.
func manySupporters(tb testing.TB, w *contenttest.World, campaign int64, n int) {
	tb.Helper()
	w.Exec(`INSERT INTO subscriptions (id, campaign_id, status, amount_minor, currency, email, first_name, last_name, language, payable_until, begun_on,
		next_charge_on, paid_until, event_sequence, created_at, updated_at, source)
		SELECT lpad(n::text, 26, '0'), @id, CASE WHEN n % 5 = 0 THEN 'canceled' WHEN n % 17 = 0 THEN 'past_due' ELSE 'active' END, 500 + n % 30 * 100, 'EUR', 's' || n || '@b.fi',
		    'A', 'B', 'fi', now(), date '2026-11-20' - n % 700, date '2026-12-01' + n % 28, date '2026-12-01' + n % 28, 3,
		    timestamptz '2026-11-20' - n % 700 * interval '1 day', now(), 'site:' || n % 50 || '.example' FROM generate_series(1, @n) n`,
		map[string]any{"id": campaign, "n": n})
	w.Exec(`INSERT INTO subscription_transitions (subscription_id, from_status, to_status, amount_minor, cause, at)
		SELECT s.id, x.from_status, x.to_status, s.amount_minor, 'x', s.created_at + x.after FROM subscriptions s CROSS JOIN LATERAL (VALUES
		    (1, '', 'created', interval '0'), (2, 'created', 'active', interval '1 minute'), (3, 'active', s.status, interval '20 days')) x (n, from_status, to_status, after)
		WHERE x.n < 3 OR s.status <> 'active' ORDER BY s.id, x.n`)
	for from := 0; from < n; from += 5_000 {
		w.Exec(`INSERT INTO subscription_charges (subscription_id, campaign_id, period, period_day, payment_id, amount_minor, receipt_number, paid_at)
			SELECT s.id, s.campaign_id, p, s.begun_on + p * 30, s.id || p, s.amount_minor, s.id || p, s.created_at + p * interval '30 days'
			FROM subscriptions s CROSS JOIN LATERAL generate_series(1, CASE s.status WHEN 'active' THEN greatest(1, (date '2026-11-20' - s.begun_on) / 30) ELSE 1 END) p
			WHERE s.id > @from AND s.id <= @to`, map[string]any{"from": fmt.Sprintf("%026d", from), "to": fmt.Sprintf("%026d", from+5_000)})
	}
	w.Exec(`VACUUM ANALYZE`)
}

// The number of statements is the same for any number of supporters, and no growing table is read whole.
func TestMonthly_CostsWhatTheCampaignHasAndNoMore(t *testing.T) {
	w := contenttest.NewBulk(t)
	editor := w.Person("Editor", "view", "edit")
	w.Exec(`UPDATE campaigns SET opens_as = 6, stage = 6 WHERE id = 9`)
	manySupporters(t, w, 10, 5_000) // of another campaign
	w.Exec(`UPDATE subscriptions SET campaign_id = 9 WHERE id <= lpad('100', 26, '0')`)
	w.Exec(`UPDATE subscription_charges SET campaign_id = 9 WHERE subscription_id <= lpad('100', 26, '0')`)
	w.Exec(`VACUUM ANALYZE`)
	for _, path := range []string{"overview/", "supporters/table/"} {
		answer := w.Get("/campaigns/9/"+path, editor)
		if answer.Status != http.StatusOK {
			t.Fatalf("%s: %d %s", path, answer.Status, answer.Body)
		}
		if n := len(answer.Statements); n > 17 {
			t.Errorf("%s: %d statements", path, n)
		}
		reads := slices.DeleteFunc(answer.Statements,
			func(s string) bool { return !strings.Contains(s, "SELECT") || strings.Contains(s, "INSERT") })
		bulk.MustNotReadWhole(t, w.DB, reads)
	}
}

// BenchmarkMonthly is of a campaign with 50,000 supporters of up to two years.
func BenchmarkMonthly(b *testing.B) {
	w := contenttest.New(b)
	creator := w.Person("Reijo")
	id := w.Campaign(campaigns.New{Slug: "x", Language: "fi", CategoryID: w.Category("c"), TeamUserIDs: []int64{creator}, OpensAs: campaigns.StageRecurring,
		Texts: map[string]campaigns.Text{"fi": {Title: "Kuoro"}}}, campaigns.StageRecurring)
	manySupporters(b, w, id, 50_000)
	for _, path := range []string{"overview", "supporters/table"} {
		b.Run(path, func(b *testing.B) {
			for b.Loop() {
				if answer := w.Get(fmt.Sprintf("/campaigns/%d/%s/", id, path), creator); answer.Status != http.StatusOK {
					b.Fatal(answer.Status)
				}
			}
		})
	}
}
