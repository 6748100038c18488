package overview

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
)

// mostMonths is how many months are listed at most, the latest ones.
const mostMonths = 36

// monthly is what the overview of a campaign with monthly support is made of.
type monthly struct {
	changes  []monthChange
	received []monthReceived
	now      []supportRow
}

// isMonthly is true for a campaign that takes monthly support, has taken it, or is being written for it.
func (c campaign) isMonthly() bool { return c.OpensAs == campaigns.StageRecurring }

// monthChange is what the steps of subscriptions in a month have changed.
type monthChange struct {
	Month               time.Time
	Came, Gone          int
	Supporters, Resting int // more or fewer
	Minor               int64
}

// changesSQL adds up the history of a campaign's subscriptions by month, for each person as one: who has one that is active
// supports, else who has one that is past_due or paused rests; one of these becomes another without coming or going. Steps of
// what was never paid change nothing. Times are converted as in moneySQL.
var changesSQL = `
	SELECT CAST(date_trunc('month', quarter AT TIME ZONE @zone) AS date) AS month, sum(came)::int AS came, sum(gone)::int AS gone,
	       sum(supporters)::int AS supporters, sum(resting)::int AS resting, sum(minor)::bigint AS minor
	FROM (
		SELECT date_bin('15 minutes', at, 'epoch') AS quarter, count(*) FILTER (WHERE NOT supported AND NOT rested AND (supports OR rests)) AS came,
		       count(*) FILTER (WHERE (supported OR rested) AND NOT supports AND NOT rests) AS gone,
		       count(*) FILTER (WHERE supports) - count(*) FILTER (WHERE supported) AS supporters,
		       count(*) FILTER (WHERE rests) - count(*) FILTER (WHERE rested) AS resting, sum(minor) AS minor
		FROM (
			SELECT at, minor, active > 0 AS supports, active = 0 AND idle > 0 AS rests,
			       active - active_more > 0 AS supported, active - active_more = 0 AND idle - idle_more > 0 AS rested
			FROM (
				SELECT at, minor, active_more, idle_more, sum(active_more) OVER persons AS active, sum(idle_more) OVER persons AS idle
				FROM (
					SELECT x.id, x.at, ` + campaigns.PersonOf("s") + ` AS person,
					       (x.to_status = 'active')::int - (x.from_status = 'active')::int AS active_more,
					       (x.to_status IN ('past_due', 'paused'))::int - (x.from_status IN ('past_due', 'paused'))::int AS idle_more,
					       CASE WHEN x.to_status = 'active' THEN x.amount_minor ELSE 0 END - CASE WHEN x.from_status = 'active'
					           THEN lag(x.amount_minor) OVER (PARTITION BY x.subscription_id ORDER BY x.id) ELSE 0 END AS minor
					FROM subscriptions s JOIN subscription_transitions x ON x.subscription_id = s.id
					WHERE s.campaign_id = @campaign AND x.to_status NOT IN ('created', 'expired')) steps
				WINDOW persons AS (PARTITION BY person ORDER BY at, id)) running) people
		GROUP BY 1) q
	WHERE came <> 0 OR gone <> 0 OR supporters <> 0 OR resting <> 0 OR minor <> 0
	GROUP BY 1 ORDER BY 1`

// monthReceived is the money of a month, less what went back since.
type monthReceived struct {
	Month time.Time
	Minor int64
}

// receivedSQL reads the index subscription_charges_campaign alone. As in moneySQL, a disputed charge is no money.
const receivedSQL = `
	SELECT CAST(date_trunc('month', quarter AT TIME ZONE @zone) AS date) AS month, sum(minor)::bigint AS minor
	FROM (
		SELECT date_bin('15 minutes', paid_at, 'epoch') AS quarter,
		       sum(CASE WHEN is_disputed THEN 0 ELSE amount_minor - amount_refunded_minor END)::bigint AS minor
		FROM subscription_charges WHERE campaign_id = @campaign AND paid_at >= CAST(@since AS date) AT TIME ZONE @zone GROUP BY 1) q
	GROUP BY 1 ORDER BY 1`

// supportRow is the subscriptions that go on, in three sets: who supports now by source, the same by whether it is for a
// reward, and all of them by what they are in the next month, whose amounts are those of that month.
type supportRow struct {
	Kind       string // source, reward, next
	Source     *string
	Plain      *bool
	State      *string // sure, or an OverviewUnsureReason
	Supporters int
	Minor      int64
}

// nowSQL reads along the index subscriptions_live. A card is good to the end of its month. Supporters are people: one who supports more
// than once is of the source of the first that is active, and one in each of the other sets that they are in.
var nowSQL = `
	SELECT (ARRAY['source', 'reward', 'next'])[CASE grouping(source, plain, state) WHEN 3 THEN 1 WHEN 5 THEN 2 ELSE 3 END] AS kind,
	       source, plain, state, (CASE grouping(source, plain, state) WHEN 3 THEN count(*) FILTER (WHERE active AND nth = 1)
	           WHEN 5 THEN count(DISTINCT person) FILTER (WHERE active) ELSE count(DISTINCT person) END)::int AS supporters,
	       (CASE grouping(state) WHEN 0 THEN sum(next_minor) ELSE coalesce(sum(amount_minor) FILTER (WHERE active), 0) END)::bigint AS minor
	FROM (
		SELECT one.*, row_number() OVER (PARTITION BY person ORDER BY NOT active, created_at, id) AS nth
		FROM (
			SELECT s.id, s.created_at, s.source, s.reward_id IS NULL AS plain, s.status = 'active' AS active, s.amount_minor,
			       coalesce(s.next_amount_minor, s.amount_minor) AS next_minor, ` + campaigns.PersonOf("s") + ` AS person,
			       CASE WHEN status = 'past_due' THEN 'past_due' WHEN ends_on IS NOT NULL THEN 'ending'
			           WHEN due_on IS NOT NULL THEN 'charge_failing'
			           WHEN @held OR next_charge_on >= CAST(@after AS date) OR held_on >= CAST(@after AS date) - interval '1 month'
			               OR status = 'paused' AND next_charge_on IS NULL THEN 'paused'
			           WHEN card_expires <> '' AND card_expires < @month THEN 'card_expiring' ELSE 'sure' END AS state
			FROM subscriptions s WHERE campaign_id = @campaign AND status IN ('active', 'past_due', 'paused')) one) s
	GROUP BY GROUPING SETS ((source), (plain), (state))
	ORDER BY kind, minor DESC, source`

// readMonthly reads it, in three statements whatever the number of supporters.
func readMonthly(ctx context.Context, db *gorm.DB, f facts) (m *monthly, err error) {
	next := f.thisMonth().AddDate(0, 1, 0)
	params := pgx.NamedArgs{"campaign": f.ID, "zone": f.zone.String(), "since": f.thisMonth().AddDate(0, 1-mostMonths, 0),
		"held": f.Hold == campaigns.OnHold, "after": next.AddDate(0, 1, 0), "month": next.Format("2006-01")}
	m = &monthly{}
	if m.changes, err = dbx.Select[monthChange](ctx, db, changesSQL, params); err == nil {
		m.received, err = dbx.Select[monthReceived](ctx, db, receivedSQL, params)
	}
	if err == nil {
		m.now, err = dbx.Select[supportRow](ctx, db, nowSQL, params)
	}
	if err != nil {
		return nil, fmt.Errorf("read monthly support of campaign %d: %w", f.ID, err)
	}
	return m, nil
}

// thisMonth is its first day.
func (f facts) thisMonth() time.Time { t := f.today(); return t.AddDate(0, 0, 1-t.Day()) }

// answerMonthly adds what is of monthly support to the overview.
func (f facts) answerMonthly(a *api.CampaignOverview) error {
	m := &api.OverviewMonthly{Months: f.months(), Goals: []api.SubscriptionGoal{}, NextMonth: f.nextMonth()}
	for _, s := range f.monthly.now {
		switch {
		case s.Kind == "source":
			m.Supporters += s.Supporters
			m.Amount += money.Decimal(s.Minor)
		case s.Kind == "reward" && *s.Plain:
			a.WithoutReward = api.OverviewWithoutReward{Backers: s.Supporters, Amount: money.Decimal(s.Minor)}
		}
	}
	if n := len(m.Months); n > 0 {
		m.Resting = m.Months[n-1].Resting
	}
	a.Sources = f.monthly.sources()
	if m.Supporters > 0 {
		average := m.Amount / api.Amount(m.Supporters)
		a.Average = &average
	}
	if len(f.Goals) > 0 {
		if err := json.Unmarshal(f.Goals, &m.Goals); err != nil {
			return fmt.Errorf("decode the goals of campaign %d: %w", f.ID, err)
		}
	}
	a.Monthly = m
	return nil
}

// months lists every month from the first with a supporter to this one.
func (f facts) months() []api.OverviewMonth {
	list := []api.OverviewMonth{}
	if len(f.monthly.changes) == 0 {
		return list
	}
	var at api.OverviewMonth // as it stands
	changes, received := f.monthly.changes, f.monthly.received
	for month := changes[0].Month; !month.After(f.thisMonth()); month = month.AddDate(0, 1, 0) {
		at.Month, at.Came, at.Gone, at.Received = *day(month), 0, 0, 0
		if len(changes) > 0 && changes[0].Month.Equal(month) {
			c := changes[0]
			at.Came, at.Gone = c.Came, c.Gone
			at.Supporters, at.Resting, at.Amount = at.Supporters+c.Supporters, at.Resting+c.Resting, at.Amount+money.Decimal(c.Minor)
			changes = changes[1:]
		}
		for len(received) > 0 && !received[0].Month.After(month) {
			at.Received += money.Decimal(received[0].Minor)
			received = received[1:]
		}
		list = append(list, at)
	}
	return list[max(0, len(list)-mostMonths):]
}

// nextMonth is what is to be charged in the month after this one.
func (f facts) nextMonth() api.OverviewNextMonth {
	n := api.OverviewNextMonth{Month: *day(f.thisMonth().AddDate(0, 1, 0)), Unsure: []api.OverviewUnsure{}}
	for _, s := range f.monthly.now {
		switch {
		case s.Kind != "next":
		case *s.State == "sure":
			n.Supporters, n.Amount = s.Supporters, money.Decimal(s.Minor)
		default:
			n.Unsure = append(n.Unsure, api.OverviewUnsure{Reason: api.OverviewUnsureReason(*s.State), Supporters: s.Supporters,
				Amount: money.Decimal(s.Minor)})
		}
	}
	return n
}

// sources are those of who supports now, as facts.sources lists those of pledges.
func (m *monthly) sources() []api.OverviewSource {
	var rows []moneyRow
	for _, s := range m.now {
		if s.Kind == "source" && s.Minor > 0 {
			rows = append(rows, moneyRow{Kind: "source", Source: s.Source, Backers: s.Supporters, Minor: s.Minor})
		}
	}
	return facts{money: rows}.sources()
}
