package audit

// A pledge that is changed to a higher sum is charged further: a raise, whose payment is one of the pledge's when its money was taken.

// raise is one row of the content service.
type raise struct {
	ID, Pledge, Status       string
	Amount, Refunded, Change int64 // of what went back, what did for a change
	PaymentID                string
}

const raisesSQL = `SELECT id, pledge_id, status, amount_minor, refunded_minor, changed_minor, payment_id FROM pledge_raises ORDER BY id`

// ofRaise is true of an event e that is of a raise, whose id its body names.
const ofRaise = `EXISTS (SELECT FROM pledge_raises r WHERE r.pledge_id = e.pledge_id AND r.id = e.body ->> 'subject_id')`

// raiseChecks hold in the content service's database alone.
var raiseChecks = []query{
	{"a pledge is what its further charges have paid for", `
		SELECT format('raise %s of pledge %s is %s, its change is %s to %s', r.id, r.pledge_id, r.status, coalesce(c.from_minor::text, 'none'), c.to_minor)
		FROM pledge_raises r LEFT JOIN pledge_changes c ON c.id = r.id
		WHERE (r.status = 'paid') <> (c.id IS NOT NULL) OR c.id IS NOT NULL AND ((c.pledge_id, c.from_minor, c.to_minor - c.from_minor, c.number,
			c.cause, c.at, c.request_key, c.request_hash)
			<> (r.pledge_id, r.from_minor, r.amount_minor, r.number + 1, r.cause, r.paid_at, r.request_key, r.request_hash))
		UNION ALL
		SELECT format('change %s of pledge %s goes from %s to %s, and nothing was charged', c.id, c.pledge_id, c.from_minor, c.to_minor)
		FROM pledge_changes c WHERE c.to_minor > c.from_minor AND NOT EXISTS (SELECT FROM pledge_raises r WHERE r.id = c.id)
		UNION ALL
		SELECT format('raise %s is of %s from %s, its lines add up to %s', r.id, r.amount_minor, r.from_minor, l.total)
		FROM pledge_raises r CROSS JOIN LATERAL (SELECT coalesce(sum((l ->> 'amount_minor')::bigint), 0) AS total FROM jsonb_array_elements(r.lines) l) l
		WHERE l.total <> r.from_minor + r.amount_minor
		UNION ALL
		SELECT format('raise %s was to make pledge %s %s, it became %s', r.id, r.pledge_id, w.wanted, w.became)
		FROM pledge_raises r JOIN pledge_changes c ON c.id = r.id JOIN pledges p ON p.id = r.pledge_id
		LEFT JOIN pledge_changes n ON (n.pledge_id, n.number) = (c.pledge_id, c.number + 1)
		CROSS JOIN LATERAL (SELECT jsonb_build_object('reward_id', r.reward_id, 'quantity', r.quantity, 'lines', r.lines,
				'vat_minor', r.vat_minor, 'bought', r.bought) AS wanted,
			coalesce(n.before, jsonb_build_object('reward_id', p.reward_id, 'quantity', p.quantity, 'lines', p.lines, 'vat_minor', p.vat_minor,
				'bought', p.bought)) AS became) w
		WHERE w.wanted <> w.became
		UNION ALL
		SELECT format('pledge %s is %s, %s of it is with no bank', id, status, uncontested_minor) FROM pledges
		WHERE uncontested_minor <> 0 AND (status <> 'disputed' OR uncontested_minor > amount_minor - amount_refunded_minor)`},
	// Which charges banks have is what events told last of each. What is told in the moment of a taking back is of after it, but for what is returned.
	{"what banks have of a pledge is not its backer's to take back", `
		WITH charges AS (
			SELECT r.pledge_id, r.payment_id, r.amount_minor - r.refunded_minor AS left_minor FROM pledge_raises r WHERE r.status = 'paid'
			UNION ALL
			SELECT p.id, p.payment_id, coalesce(p.charged_minor, p.amount_minor) - p.amount_refunded_minor - p.change_refunded_minor
				- (SELECT coalesce(sum(r.amount_minor - r.refunded_minor), 0) FROM pledge_raises r WHERE r.pledge_id = p.id AND r.status = 'paid') FROM pledges p),
		said AS (SELECT payment_id, pledge_id, type, sequence, received_at FROM payment_events WHERE type IN ('payment.disputed', 'payment.reinstated'))
		SELECT format('pledge %s was taken back at %s, when banks had all of it', t.pledge_id, t.at) FROM pledge_transitions t
		WHERE t.from_status = 'disputed' AND t.to_status = 'withdrawn' AND NOT EXISTS (SELECT FROM charges c WHERE c.pledge_id = t.pledge_id
			AND 'payment.disputed' IS DISTINCT FROM (SELECT type FROM said WHERE payment_id = c.payment_id AND pledge_id = c.pledge_id
				AND (received_at < t.at OR received_at = t.at AND type = 'payment.reinstated') ORDER BY sequence DESC LIMIT 1))
		UNION ALL
		SELECT format('pledge %s is %s of %s, %s of it back; of its charges no bank has %s, it says %s', p.id, p.status, p.amount_minor, p.amount_refunded_minor,
			c.free, p.uncontested_minor)
		FROM pledges p CROSS JOIN LATERAL (SELECT greatest(least(coalesce(sum(left_minor) FILTER (WHERE 'payment.disputed' IS DISTINCT FROM
			(SELECT type FROM said WHERE payment_id = c.payment_id AND pledge_id = p.id ORDER BY sequence DESC LIMIT 1)), 0),
			p.amount_minor - p.amount_refunded_minor), 0) AS free FROM charges c WHERE c.pledge_id = p.id) c
		WHERE p.status = 'disputed' AND c.free <> p.uncontested_minor`},
	{"a further charge waits alone, and not past its time", `
		SELECT format('pledge %s has %s raises that wait', pledge_id, count(*)) FROM pledge_raises
		WHERE status IN ('created', 'awaiting_payment', 'processing') GROUP BY pledge_id HAVING count(*) > 1
		UNION ALL
		SELECT format('raise %s is %s, reserved until %s', id, status, reserved_until) FROM pledge_raises
		WHERE status IN ('created', 'awaiting_payment') AND reserved_until < @lapsed
		UNION ALL
		SELECT format('raise %s is in processing since %s', id, updated_at) FROM pledge_raises WHERE status = 'processing' AND updated_at < @bankAgo
		UNION ALL
		SELECT format('raise %s is %s and holds %s of its reward: %s', id, status, held_quantity, stock_held) FROM pledge_raises
		WHERE stock_held AND (held_quantity = 0 OR reward_id IS NULL OR status NOT IN ('created', 'awaiting_payment', 'processing'))
		UNION ALL
		SELECT format('raise %s is %s, its pledge %s', r.id, r.status, p.status) FROM pledge_raises r JOIN pledges p ON p.id = r.pledge_id
		WHERE r.status IN ('created', 'awaiting_payment') AND p.status IN ('withdrawn', 'refunded') AND p.released_at IS NOT NULL
		UNION ALL
		SELECT format('raise %s is %s and still says what was to be', id, status) FROM pledge_raises
		WHERE (status IN ('paid', 'refunded', 'withdrawn') OR released_at IS NOT NULL) AND details <> '{}'`},
	{"a further charge is what events told", `
		SELECT format('raise %s is %s; event %s (%s) was applied', r.id, r.status, e.event_id, e.type) FROM pledge_raises r
		JOIN payment_events e ON e.pledge_id = r.pledge_id AND e.body ->> 'subject_id' = r.id AND e.outcome = 'applied'
		WHERE e.type = 'payment.succeeded' AND r.status <> 'paid' OR e.type = 'payment.processing' AND r.status IN ('created', 'awaiting_payment', 'expired')
		UNION ALL
		SELECT format('raise %s is paid, and no event has said so', r.id) FROM pledge_raises r WHERE r.status = 'paid' AND NOT EXISTS (
			SELECT FROM payment_events e WHERE e.pledge_id = r.pledge_id AND e.body ->> 'subject_id' = r.id AND e.type = 'payment.succeeded' AND e.outcome = 'applied')
		UNION ALL
		SELECT format('of raise %s %s went back, %s of it for a change; the last event says %s', r.id, r.refunded_minor, r.changed_minor, e.body)
		FROM pledge_raises r LEFT JOIN LATERAL (SELECT body FROM payment_events WHERE payment_id = r.payment_id AND type = 'payment.refunded' AND outcome = 'applied'
			ORDER BY sequence DESC LIMIT 1) e ON true
		WHERE r.status = 'paid' AND (r.refunded_minor, r.changed_minor) IS DISTINCT FROM
			(coalesce((e.body ->> 'amount_refunded_minor')::bigint, 0), coalesce((e.body ->> 'amount_changed_minor')::bigint, 0))`},
}

// further are a pledge's raises whose money was taken.
func (s *snapshot) further(pledge string) (list []raise) {
	for _, r := range s.raises {
		if r.Pledge == pledge && r.Status == "paid" {
			list = append(list, r)
		}
	}
	return list
}

// chargedFirst is what a pledge was charged at first.
func (s *snapshot) chargedFirst(p pledge) int64 {
	minor := p.Charged
	for _, r := range s.further(p.ID) {
		minor -= r.Amount
	}
	return minor
}

// joined is the status of the payments of a pledge with further charges together, as that of one payment.
func (s *snapshot) joined(first payment, further []raise, payments map[string]payment) string {
	all := []payment{first}
	for _, r := range further {
		all = append(all, payments[r.ID])
	}
	var amount, back int64
	for _, p := range all {
		if p.Status == "disputed" {
			return "disputed"
		}
		amount, back = amount+p.Amount, back+p.Refunded
	}
	switch {
	case back == 0:
		return "succeeded"
	case back >= amount:
		return "refunded"
	}
	return "partly_refunded"
}

// agreeRaises compares further charges with their payments.
func agreeRaises(s *snapshot, found func(format string, args ...any)) {
	payments := s.bySubject()
	for id, r := range s.raises {
		p, begun := payments[id]
		of := s.pledges[r.Pledge]
		refused := begun && s.isRefused(p)
		switch {
		case refused && (r.Status == "paid" || p.Status == "succeeded" && !s.goesBack(p)):
			found("raise %s is %s, its payment %s is %s and was refused", id, r.Status, p.ID, p.Status)
		case r.Status == "paid" && (!begun || p.Paid == nil), !refused && begun && p.Paid != nil && r.Status != "paid":
			found("raise %s is %s, its payment %s is %q", id, r.Status, p.ID, p.Status)
		case r.Status == "processing" && p.Status != "processing" && !refused:
			found("raise %s is %s, its payment %s is %q", id, r.Status, p.ID, p.Status)
		}
		if begun && (p.Amount != r.Amount || p.Currency != of.Currency || p.Campaign != of.Campaign || p.FurtherOf != r.Pledge) {
			found("payment %s is of %d %s for campaign %d and pledge %s, raise %s of %d %s for %d and %s", p.ID, p.Amount, p.Currency, p.Campaign, p.FurtherOf,
				id, r.Amount, of.Currency, of.Campaign, r.Pledge)
		}
		if r.Status == "paid" && (r.Refunded != p.Refunded || r.PaymentID != p.ID) {
			found("raise %s has %d back of payment %s, its payment %s %d", id, r.Refunded, r.PaymentID, p.ID, p.Refunded)
		}
	}
	for id, p := range payments {
		if _, is := s.raises[id]; p.FurtherOf != "" && !is {
			found("payment %s is of raise %s of pledge %s, which is not there", p.ID, id, p.FurtherOf)
		}
	}
}
