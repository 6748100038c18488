package audit

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
)

// copyChecks compare what each service keeps a copy of.
var copyChecks = []comparison{
	{"what was told lately is what was heard", heardAsTold},
	{"an order's copy says what the order says", sameCopy},
	{"money is refused by who heard of it", sameRefusal},
}

// told is an event's body, on one of the two sides.
type told struct {
	ID   string
	Body []byte
}

// orderCopy is what both services keep of a pledge or of monthly support.
type orderCopy struct {
	ID, Language, Method string // of a pledge the way in which it was paid
	Card, Held, Next     string // of support: its card, the days of a held and of the next charge
}

// refusal is a payment that was paid: whether its money is to go back, and whether it is of a month that is not wanted any more.
type refusal struct {
	Payment                string
	IsRefused, IsLeftMonth bool
}

type copies struct {
	sent, heard        map[string]told
	orders, pays       map[string]orderCopy // pledges and their payments, by pledge
	months, monthsPaid map[string]orderCopy // months and their payments, by payment
	supports, agreed   map[string]orderCopy // monthly support in the content and in the payment service
	refusals           []refusal
}

const (
	sentSQL  = `SELECT payload ->> 'event_id', payload::text::bytea FROM outbox WHERE payload ? 'event_id' AND done_at IS NOT NULL AND (payload ->> 'occurred_at')::timestamptz > @weekAgo`
	heardSQL = `SELECT event_id, body::text::bytea FROM payment_events WHERE received_at > @weekAgo::timestamptz - interval '1 day'
		UNION ALL SELECT event_id, body::text::bytea FROM subscription_events WHERE received_at > @weekAgo::timestamptz - interval '1 day'`

	monthsSQL = `SELECT c.payment_id, s.language, c.payment_method, '', '', '' FROM subscription_charges c JOIN subscriptions s ON s.id = c.subscription_id`
	takenSQL  = `SELECT id, language, method, '', '', '' FROM payments WHERE subject_kind = 'subscription' AND paid_attempt_id IS NOT NULL`

	ordersSQL = `SELECT id, language, CASE WHEN paid_at IS NULL THEN '' ELSE payment_method END, '', '', '' FROM pledges
		UNION ALL SELECT r.id, p.language, CASE WHEN r.paid_at IS NULL THEN '' ELSE r.payment_method END, '', '', '' FROM pledge_raises r JOIN pledges p ON p.id = r.pledge_id`
	paysSQL = `SELECT subject_id, language, CASE WHEN paid_attempt_id IS NULL OR refused THEN '' ELSE method END, '', '', '' FROM payments WHERE subject_kind = 'pledge'`

	supportsSQL = `SELECT id, language, '', payment_method, coalesce(held_on::text, ''), coalesce(next_charge_on::text, '')
		FROM subscriptions WHERE status IN ` + livingSubscription
	refusalsSQL = `SELECT p.id, p.refused, coalesce(m.status NOT IN ('open', 'paid'), false) FROM payments p LEFT JOIN subscription_periods m ON m.payment_id = p.id
		WHERE p.subject_kind <> 'unclaimed' AND p.paid_attempt_id IS NOT NULL`
)

func (s *snapshot) readCopies(ctx context.Context, contentDB, paymentsDB querier) error {
	sent, err := rows[told](ctx, paymentsDB, "events that were sent", sentSQL, moments(s.now))
	if err != nil {
		return err
	}
	heard, err := rows[told](ctx, contentDB, "events that were heard", heardSQL, moments(s.now))
	if err != nil {
		return err
	}
	s.sent, s.heard = map[string]told{}, map[string]told{}
	for _, e := range sent {
		s.sent[e.ID] = e
	}
	for _, e := range heard {
		s.heard[e.ID] = e
	}
	for _, part := range []struct {
		db   querier
		sql  string
		into *map[string]orderCopy
	}{{contentDB, ordersSQL, &s.orders}, {paymentsDB, paysSQL, &s.pays}, {contentDB, monthsSQL, &s.months}, {paymentsDB, takenSQL, &s.monthsPaid},
		{contentDB, supportsSQL, &s.supports}, {paymentsDB, agreedSQL, &s.agreed}} {
		list, err := rows[orderCopy](ctx, part.db, "copies of orders", part.sql)
		if err != nil {
			return err
		}
		*part.into = map[string]orderCopy{}
		for _, one := range list {
			(*part.into)[one.ID] = one
		}
	}
	s.refusals, err = rows[refusal](ctx, paymentsDB, "refused money", refusalsSQL)
	return err
}

// agreedSQL is a variable, because its days are reckoned by functions.
var agreedSQL = `SELECT s.id, s.language, '', s.card_label,
		coalesce(CASE WHEN s.status <> 'active' THEN NULL WHEN m.is_held THEN p.period_day WHEN m.period IS NULL AND s.held_period = s.next_period
			AND s.held_period > 0 THEN ` + dayOf("s.held_period") + ` END::text, ''),
		CASE WHEN m.period IS NULL AND s.ends_on IS NULL AND (s.held_period = 0 OR s.held_period <> s.next_period)
			THEN ` + dayOf("s.next_period") + `::text ELSE '' END
		FROM subscriptions s LEFT JOIN subscription_periods m ON m.subscription_id = s.id AND m.status = 'open' LEFT JOIN payments p ON p.id = m.payment_id
		WHERE s.status IN ` + livingSubscription

// heardAsTold compares the events that the payment service's outbox still has with those in the inbox.
func heardAsTold(s *snapshot, found func(format string, args ...any)) {
	for _, id := range slices.Sorted(maps.Keys(s.sent)) {
		theirs, there := s.heard[id]
		if !there {
			found("event %s was sent (%s) and not heard", id, s.sent[id].Body)
			continue
		}
		var ours, other any
		if json.Unmarshal(s.sent[id].Body, &ours) != nil || json.Unmarshal(theirs.Body, &other) != nil || !reflect.DeepEqual(ours, other) {
			found("event %s was sent as %s and heard as %s", id, s.sent[id].Body, theirs.Body)
		}
	}
}

func sameCopy(s *snapshot, found func(format string, args ...any)) {
	for _, pair := range [][2]map[string]orderCopy{{s.orders, s.pays}, {s.months, s.monthsPaid}, {s.supports, s.agreed}} {
		for _, id := range slices.Sorted(maps.Keys(pair[1])) {
			ours, there := pair[0][id]
			theirs := pair[1][id]
			if theirs.Card == "" { // a card that was taken away stays in words
				ours.Card = ""
			}
			if there && ours != theirs {
				found("order %+v, its copy %+v", ours, theirs)
			}
		}
	}
}

// sameRefusal requires that money goes back exactly when the content service has refused it, or it is of a month that was left out or
// given up.
func sameRefusal(s *snapshot, found func(format string, args ...any)) {
	for _, r := range s.refusals {
		isRefused := slices.ContainsFunc(s.events[r.Payment], func(e event) bool {
			return e.Type == "payment.succeeded" && e.Outcome != "applied" && e.Outcome != "ignored"
		})
		if r.IsRefused != (isRefused || r.IsLeftMonth) {
			found("payment %s: its money goes back %t; refused by the inbox %t, of a month that was left out %t", r.Payment, r.IsRefused, isRefused, r.IsLeftMonth)
		}
	}
}
