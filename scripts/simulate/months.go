package simulate

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/sandbox/stripe"
)

// chargeWithin is how long after its time a month's charge must have come, when its card was good and nothing was broken for
// long.
const chargeWithin = 24 * time.Hour

// chargeHour is how much of a day is over in Finland when its charges begin.
const chargeHour = 9 * time.Hour

// clocksOff is how far the clock of a host may be off.
const clocksOff = 6 * time.Minute

// finalMonthRules hold in the payment service's database when nothing is pending at the end of a run.
var finalMonthRules = []rule{
	{"at rest no month is open or ending", `SELECT format('month %s of %s is %s', period, subscription_id, status) FROM subscription_periods WHERE status = 'open' OR is_ending`},
	{"at rest every try is answered", `SELECT format('try %s of month %s of %s', number, period, subscription_id) FROM subscription_tries WHERE outcome = 'unknown'`},
	{"who goes on has a next step, who is over has none", `SELECT format('%s is %s, its next step "%s"', id, status, step_at) FROM subscriptions
		WHERE (step_at IS NOT NULL) <> (status IN ('active', 'past_due', 'paused')) OR faults > 0`},
}

// checkSupport checks what must hold of monthly support when nothing is pending at the end of a run.
func (sim *simulation) checkSupport(ctx context.Context) error {
	if err := sim.check(ctx, sim.runner.payments, finalMonthRules); err != nil {
		return err
	}
	if err := sim.checkMonths(ctx, sim.sandbox.Snapshot()); err != nil {
		return err
	}
	return sim.checkTotals(ctx)
}

// heal has all cards work again.
func (sim *simulation) heal() {
	for _, m := range sim.sandbox.Snapshot().Methods {
		if _, known := sim.banks[m.ID]; known && m.Customer != "" {
			sim.withoutNotes(func() { sim.say(stripe.CardChange{Method: m.ID, Card: goodCard}) })
		}
	}
}

// supportersAct has supporters pay the months that wait for them, and reports whether any did.
func (sim *simulation) supportersAct(ctx context.Context) bool {
	acted := false
	for _, id := range sim.rows(ctx, `SELECT s.id FROM subscriptions s JOIN subscription_periods m ON m.subscription_id = s.id AND m.status = 'open'
		JOIN payments p ON p.id = m.payment_id AND p.status <> 'processing'
		WHERE (m.waits_for IN ('card', 'payer') OR s.status = 'past_due') AND s.status <> 'created' ORDER BY s.id`) {
		if sim.formOf(ctx, sim.supporterOf(id)) {
			sim.payForm(sim.intents[len(sim.intents)-1], goodCard)
			acted = true
		}
	}
	return acted
}

// checkMonths compares what the provider charged with what each subscription was to be charged, month by month.
func (sim *simulation) checkMonths(ctx context.Context, b stripe.Snapshot) error {
	list, err := sim.histories(ctx)
	if err != nil {
		return err
	}
	charges, err := sim.monthlyCharges(ctx, b)
	if err != nil {
		return err
	}
	for _, h := range list {
		sim.checkHistory(h, charges[h.id])
	}
	if err := sim.checkTries(ctx, list); err != nil {
		return err
	}
	for _, s := range sim.supporters {
		if s.ended.IsZero() {
			continue
		}
		for period, taken := range charges[s.id] {
			for _, c := range taken {
				if at := time.Unix(c.Created, 0); at.After(s.ended.Add(time.Second)) && c.AmountRefunded < c.AmountCaptured && !c.Disputed {
					sim.find("nobody is charged after cancelling", "%s ended at %s, month %d was charged at %s and not given back", s.id,
						s.ended.Format(time.DateTime), period, at.UTC().Format(time.DateTime))
				}
			}
		}
	}
	return nil
}

// monthlyCharges are the provider's successful charges, by subscription and month.
func (sim *simulation) monthlyCharges(ctx context.Context, b stripe.Snapshot) (map[string]map[int][]stripe.Charge, error) {
	type month struct {
		Subscription string
		Period       int
	}
	of := map[string]month{}
	rows, err := sim.runner.payments.Query(ctx, `SELECT id, subject_id, period FROM payments WHERE subject_kind = 'subscription'`)
	if err != nil {
		return nil, fmt.Errorf("read the months: %w", err)
	}
	var id string
	var m month
	if _, err := pgx.ForEachRow(rows, []any{&id, &m.Subscription, &m.Period}, func() error { of[id] = m; return nil }); err != nil {
		return nil, fmt.Errorf("read the months: %w", err)
	}
	out := map[string]map[int][]stripe.Charge{}
	for _, c := range b.Charges {
		m, isMonth := of[c.Metadata["payment_id"]]
		if c.Status != "succeeded" || !isMonth {
			continue
		}
		if out[m.Subscription] == nil {
			out[m.Subscription] = map[int][]stripe.Charge{}
		}
		out[m.Subscription][m.Period] = append(out[m.Subscription][m.Period], c)
	}
	return out, nil
}

func (sim *simulation) checkHistory(h history, charges map[int][]stripe.Charge) {
	for period, taken := range charges {
		if len(taken) > 1 {
			sim.find("a month is charged once", "month %d of %s has %d charges", period, h.id, len(taken))
		}
		if at := time.Unix(taken[0].Created, 0); period > 1 && at.Before(chargeTime(*h.anchor, period).Add(-clocksOff)) {
			sim.find("no month is charged before its time", "month %d of %s at %s", period, h.id, at.UTC().Format(time.DateTime))
		}
	}
	if h.anchor == nil {
		return
	}
	end := sim.clock.peek()
	for period := 2; chargeTime(*h.anchor, period).Before(end.Add(-chargeWithin)); period++ {
		at := chargeTime(*h.anchor, period)
		why, until := sim.expected(h, period, at)
		if why == "over" {
			break
		}
		taken := charges[period]
		switch {
		case why == "" && len(taken) == 0:
			sim.find("a month that is due is charged", "month %d of %s, due at %s with a good card, was not charged", period, h.id, at.Format(time.DateTime))
		case why == "" && time.Unix(taken[0].Created, 0).After(until):
			sim.find("a month that is due is charged in time", "month %d of %s, due at %s, was charged at %s", period, h.id,
				at.Format(time.DateTime), time.Unix(taken[0].Created, 0).UTC().Format(time.DateTime))
		case why == "" && until.After(at.Add(2*chargeWithin)):
			sim.count("months", "due and paid after a refusal or an outage")
		case why == "":
			sim.count("months", "due and paid")
		default:
			sim.count("months", fmt.Sprintf("not due: %s, paid %t", why, len(taken) > 0))
		}
		before := h.excuse(period, at, at.Add(-clocksOff))
		for _, c := range taken {
			made := time.Unix(c.Created, 0)
			if before != "" && c.AmountRefunded < c.AmountCaptured && !c.Disputed && !h.takenBack(at.Add(-clocksOff), made) {
				sim.find("a month that is not due is not charged", "month %d of %s (%s) was charged at %s and not given back", period, h.id, before,
					made.UTC().Format(time.DateTime))
			}
		}
	}
}

// expected is why a month need not have been charged, or "" and until when it must have been: within a day of the first of its
// tries at which the card was good, and as much later as something was broken.
func (sim *simulation) expected(h history, period int, at time.Time) (why string, until time.Time) {
	for _, days := range []int{0, 1, 3, 5, 7} {
		try := at
		if days > 0 {
			try = daysLater(h.triesFrom(period), days)
		}
		until = sim.delayed(try, chargeWithin)
		if until.After(sim.clock.peek()) {
			return "not yet", until
		}
		why = h.excuse(period, at, until)
		switch {
		case why != "":
			return why, until
		case sim.hadCard(h.id, try.Add(-clocksOff), until, isGoodNumber):
			return "", until
		case !sim.hadCard(h.id, at.Add(-clocksOff), until, isHopefulNumber):
			return "a card that was not good", until
		}
	}
	return "a card that was not good", until
}

// hadCard tells whether whatever cards a subscription had between two moments behaved as is says.
func (sim *simulation) hadCard(id string, from, to time.Time, is func(number string) bool) bool {
	for _, s := range sim.supporters {
		if s.id != id {
			continue
		}
		has := false
		for i, c := range s.cards {
			until := to
			if i+1 < len(s.cards) {
				until = s.cards[i+1].from
			}
			if until.Before(from) || c.from.After(to) {
				continue
			}
			if has = c.ref != "" && sim.behaved(c.ref, from, to, is); !has {
				return false
			}
		}
		return has
	}
	return false
}

// checkTotals compares what visitors see of each campaign with what the payment service charges, and with how many people it charges.
func (sim *simulation) checkTotals(ctx context.Context) error {
	for _, c := range sim.campaigns {
		rows, err := sim.runner.payments.Query(ctx, `SELECT coalesce(array_agg(id::text), '{}'), coalesce(sum((level ->> 'amount_minor')::bigint), 0)::bigint
			FROM subscriptions WHERE campaign_id = $1 AND status = 'active'`, c.ID)
		if err != nil {
			return fmt.Errorf("add up the months: %w", err)
		}
		type charged struct {
			IDs   []string
			Minor int64
		}
		want, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[charged])
		if err != nil {
			return fmt.Errorf("add up the months: %w", err)
		}
		var people int64
		err = sim.runner.content.QueryRow(ctx, `SELECT count(DISTINCT `+person+`) FROM subscriptions WHERE id = ANY($1)`, want.IDs).Scan(&people)
		if err != nil {
			return fmt.Errorf("count the people who are charged: %w", err)
		}
		var seen struct {
			Campaign struct {
				Subscriptions struct {
					Total float64 `json:"subscriptions_amount_total"`
					Count int64   `json:"subscriptions_subscribers_count"`
				}
				Reached int64 `json:"subscriptions_reached"`
				Stage   int
			}
		}
		if status := sim.ask(ctx, sim.content, http.MethodGet, fmt.Sprintf("/campaigns/%d/fi/", c.ID), nil, &seen); status != http.StatusOK {
			sim.find("the simulation works", "a campaign is answered %d", status)
			continue
		}
		if seen.Campaign.Stage != 6 {
			if people > 0 {
				sim.find("nobody supports a closed campaign", "%d support campaign %d", people, c.ID)
			}
			continue
		}
		got := seen.Campaign.Subscriptions
		if got.Count != people || int64(got.Total*100+0.5) != want.Minor || seen.Campaign.Reached != people {
			sim.find("visitors see what is charged", "campaign %d shows %v a month of %d people and %d reached; %d are charged %d cents", c.ID,
				got.Total, got.Count, seen.Campaign.Reached, people, want.Minor)
		}
	}
	return nil
}
