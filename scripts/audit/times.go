package audit

// Times of rows that belong together. A clock of another host may be off by clockSlack, which is @slack in seconds.

// about is true of two times that are of one moment.
func about(a, b string) string {
	return `abs(extract(epoch FROM ` + a + ` - ` + b + `)) <= @slack`
}

// before is true of two times whose first is not after the second; null is at any time.
func before(a, b string) string {
	return `coalesce(` + a + ` <= ` + b + ` + @slack * interval '1 second', true)`
}

// inFinland is the day of a time there.
func inFinland(at string) string { return `(` + at + ` AT TIME ZONE 'Europe/Helsinki')::date` }

// keyless is true of a refund that was agreed on and has no key, unless it takes the place of one.
const keyless = `(r.request_key = '' AND r.repeats IS NULL)`

// wasAttached is true of an attempt whose money a person has found to be another payment's, which may be younger.
const wasAttached = `EXISTS (SELECT FROM operator_actions o WHERE o.action = 'attach' AND o.after ->> 'charge' = a.charge_ref)`

// ofAttached is true of a movement t of such money: what a bank did with it before is older than the payment, too.
const ofAttached = `EXISTS (SELECT FROM operator_actions o WHERE o.action = 'attach' AND o.after ->> 'charge' = t.charge_ref)`

// paymentTimes are about the payment service's times. That its histories go forward is checked with the histories.
var paymentTimes = []query{
	{"payments began and changed with their history", `
		SELECT format('payment %s was made at %s and changed at %s, its history goes from %s to %s', p.id, p.created_at, p.updated_at, t.first, t.last)
		FROM payments p JOIN (SELECT payment_id, min(at) AS first, max(at) AS last FROM payment_transitions GROUP BY payment_id) t ON t.payment_id = p.id
		WHERE NOT (` + about("p.created_at", "t.first") + ` AND ` + before("t.last", "p.updated_at") + `)
		UNION ALL
		SELECT format('payment %s of a %s is of period %s', id, subject_kind, period) FROM payments WHERE (subject_kind = 'subscription') <> (period > 0)
		UNION ALL
		SELECT format('attempt %s of payment %s has the key %s', id, payment_id, idempotency_key) FROM attempts a
		WHERE idempotency_key <> format('payment:%s:%s:%s', payment_id, method, number)
			AND NOT ` + wasAttached + `
		UNION ALL
		SELECT format('payment %s can be paid until %s and closes at %s', id, payable_until, closes_at) FROM payments WHERE closes_at < payable_until AND closing_at IS NULL
		UNION ALL
		SELECT format('attempts of payment %s by %s: %s, the last is number %s; pages without an end %s', payment_id, method, count(*), max(number),
			count(*) FILTER (WHERE (method = 'page') <> (page_expires_at IS NOT NULL)))
		FROM attempts WHERE method <> 'unasked' GROUP BY payment_id, method
		HAVING count(*) <> max(number) OR count(*) FILTER (WHERE (method = 'page') <> (page_expires_at IS NOT NULL)) > 0
		UNION ALL
		SELECT format('attempt %s was made at %s and changed at %s, its payment %s was made at %s', a.id, a.created_at, a.updated_at, p.id, p.created_at)
		FROM attempts a JOIN payments p ON p.id = a.payment_id
		WHERE NOT (` + before("a.created_at", "a.updated_at") + ` AND (` + before("p.created_at", "a.created_at") + ` OR ` + wasAttached + `))`},
	{"a payment was paid on the day of its charge", `
		SELECT format('payment %s was paid on %s, its charge is of %s', p.id, p.paid_on, t.happened_at)
		FROM payments p JOIN attempts a ON a.id = p.paid_attempt_id
		JOIN ledger_transactions t ON t.kind = 'charge' AND (t.provider, t.reference) = (a.provider, a.charge_ref)
		WHERE p.paid_on IS DISTINCT FROM ` + inFinland("t.happened_at") + `
		UNION ALL
		SELECT format('payment %s was paid on %s, and nothing has paid it', id, paid_on) FROM payments WHERE paid_on IS NOT NULL AND paid_attempt_id IS NULL`},
	{"money moved after its order, and was booked after it moved", `
		SELECT format('transaction %s (%s %s) happened at %s and was booked at %s, its payment is of %s', t.id, t.kind, t.reference, t.happened_at, t.booked_at, p.created_at)
		FROM ledger_transactions t LEFT JOIN payments p ON p.id = t.payment_id AND p.subject_kind <> 'unclaimed'
		WHERE NOT (` + before("t.happened_at", "t.booked_at") + ` AND (` + before("p.created_at", "t.happened_at") + ` OR ` + ofAttached + `)) OR t.booked_at > @ahead
		UNION ALL
		SELECT format('transaction %s was booked at %s, the one before it at %s', id, booked_at, earlier)
		FROM (SELECT id, booked_at, lag(booked_at) OVER (ORDER BY id) AS earlier FROM ledger_transactions) t WHERE NOT ` + before("earlier", "booked_at")},
	{"what went back went after it came", `
		SELECT format('refund %s is of %s, was sent at "%s", settled at "%s" and changed at %s; its payment is of %s', r.id, r.created_at, r.sent_at, r.settled_at,
			r.updated_at, p.created_at)
		FROM refunds r JOIN payments p ON p.id = r.payment_id
		WHERE NOT ((p.subject_kind = 'unclaimed' OR ` + before("p.created_at", "r.created_at") + `) AND ` + before("r.created_at", "r.sent_at") + ` AND ` + before("r.sent_at", "r.settled_at") + `
			AND ` + before("r.created_at", "r.settled_at") + ` AND ` + before("coalesce(r.settled_at, r.sent_at, r.created_at)", "r.updated_at") + `)
		UNION ALL
		SELECT format('refund %s is for "%s" (asked by "%s" with key "%s"): its attempt counts %s, its payment was refused %s', r.id, r.reason, r.actor, r.request_key,
			r.attempt_id = p.paid_attempt_id, p.refused)
		FROM refunds r JOIN payments p ON p.id = r.payment_id
		WHERE CASE r.reason WHEN 'requested' THEN false WHEN 'claim' THEN ` + keyless + ` WHEN 'by_creator' THEN ` + keyless + ` WHEN 'changed' THEN ` + keyless + ` WHEN 'duplicate' THEN r.attempt_id = p.paid_attempt_id
			WHEN 'campaign_failed' THEN false WHEN 'campaign_canceled' THEN false WHEN 'withdrawn' THEN r.attempt_id <> p.paid_attempt_id ELSE NOT p.refused END
			OR r.reason NOT IN ('requested', 'claim', 'by_creator', 'changed') AND r.request_key <> ''
		UNION ALL
		SELECT format('refund %s is covered by "%s", which is no lost dispute of its charge', r.id, r.covered_by) FROM refunds r
		WHERE r.covered_by <> '' AND NOT EXISTS (SELECT FROM disputes d WHERE d.attempt_id = r.attempt_id AND d.provider_ref = r.covered_by)
		UNION ALL
		SELECT format('dispute %s was opened at %s, known at %s, decided at "%s" and changed at %s; its payment is of %s', d.provider_ref, d.opened_at, d.created_at,
			d.decided_at, d.updated_at, p.created_at)
		FROM disputes d JOIN payments p ON p.id = d.payment_id
		WHERE NOT ((p.subject_kind = 'unclaimed' OR ` + before("p.created_at", "d.opened_at") + `
				OR EXISTS (SELECT FROM attempts a WHERE a.id = d.attempt_id AND ` + wasAttached + `)) AND ` + before("d.opened_at", "d.created_at") + ` AND ` + before("d.created_at", "d.decided_at") + `
			AND ` + before("coalesce(d.decided_at, d.created_at)", "d.updated_at") + `)`},
	{"months and tries follow each other", `
		WITH steps AS (SELECT *, lag(at) OVER (PARTITION BY subscription_id ORDER BY id) AS earlier FROM subscription_transitions)
		SELECT format('a step of subscription %s is of %s, the one before of %s', subscription_id, at, earlier) FROM steps WHERE NOT ` + before("earlier", "at") + `
		UNION ALL
		SELECT format('subscription %s was made at %s and changed at %s, its history goes from %s to %s', s.id, s.created_at, s.updated_at, t.first, t.last)
		FROM subscriptions s JOIN (SELECT subscription_id, min(at) AS first, max(at) AS last FROM steps GROUP BY subscription_id) t ON t.subscription_id = s.id
		WHERE NOT (` + about("s.created_at", "t.first") + ` AND ` + before("t.last", "s.updated_at") + `)
		UNION ALL
		SELECT format('month %s of subscription %s began at %s and was settled at "%s", its payment is of %s', m.period, m.subscription_id, m.begun_at, m.settled_at, p.created_at)
		FROM subscription_periods m JOIN payments p ON p.id = m.payment_id
		WHERE NOT (` + about("m.begun_at", "p.created_at") + ` AND ` + before("m.begun_at", "m.settled_at") + `) OR (m.status = 'open') <> (m.settled_at IS NULL)
		UNION ALL
		SELECT format('try %s of month %s of subscription %s was begun at %s and answered at "%s" (%s)', t.number, t.period, t.subscription_id, t.begun_at, t.answered_at, t.outcome)
		FROM subscription_tries t WHERE NOT ` + before("t.begun_at", "t.answered_at") + ` OR (t.outcome = 'unknown') <> (t.answered_at IS NULL)
		UNION ALL
		SELECT format('try %s of month %s of subscription %s is of no month', t.number, t.period, t.subscription_id) FROM subscription_tries t
		WHERE NOT EXISTS (SELECT FROM subscription_periods m WHERE (m.subscription_id, m.period) = (t.subscription_id, t.period))
		UNION ALL
		SELECT format('month %s of subscription %s has %s tries, the last is number %s', period, subscription_id, count(*), max(number)) FROM subscription_tries
		GROUP BY subscription_id, period HAVING count(*) <> max(number)
		UNION ALL
		SELECT format('month %s of subscription %s is %s: weighed on "%s", begun at %s, tried next at "%s", ending %s', period, subscription_id, status, weighed_on, begun_at,
			next_try_at, is_ending) FROM subscription_periods
		WHERE weighed_on < ` + inFinland("begun_at") + ` OR status <> 'open' AND next_try_at IS NOT NULL OR status = 'paid' AND is_ending OR status = 'open' AND next_try_at < @lapsed
		UNION ALL
		SELECT format('subscription %s is at %s, payment %s of month %s at %s', s.id, s.provider, p.id, p.period, p.provider)
		FROM subscriptions s JOIN payments p ON (p.subject_kind, p.subject_id) = ('subscription', s.id) WHERE p.provider <> s.provider
		UNION ALL
		SELECT format('subscription %s is %s and past_due since "%s"', id, status, past_due_at) FROM subscriptions WHERE (status = 'past_due') <> (past_due_at IS NOT NULL)`},
	{"operators' work is in its order", `
		SELECT format('act %s is of %s, the one before of %s', id, at, earlier) FROM (SELECT id, at, lag(at) OVER (ORDER BY id) AS earlier FROM operator_actions) o
		WHERE NOT ` + before("earlier", "at") + `
		UNION ALL
		SELECT format('act %s (%s) of %s is about payment %s of %s', o.id, o.action, o.at, p.id, p.created_at) FROM operator_actions o JOIN payments p ON p.id = o.payment_id
		WHERE NOT ` + before("p.created_at", "o.at") + `
		UNION ALL
		SELECT format('act %s says %s, refund %s is of %s', o.id, o.after, r.id, r.amount_minor) FROM operator_actions o JOIN refunds r ON r.id = o.after ->> 'refund'
		WHERE o.action IN ('refund', 'refund_by_hand') AND o.after ->> 'amount' <> to_char(r.amount_minor / 100.0, 'FM999999990.00') || ' ' || r.currency
		UNION ALL
		SELECT format('refund %s is because "%s", and no act of "%s" says so', r.id, r.note, r.actor) FROM refunds r
		WHERE r.note <> '' AND r.actor <> '' AND NOT EXISTS (SELECT FROM operator_actions o WHERE (o.actor, o.note) = (r.actor, r.note))
		UNION ALL
		SELECT format('act %s (%s) names payment "%s", its refund %s is of %s', o.id, o.action, o.payment_id, r.id, r.payment_id)
		FROM operator_actions o JOIN refunds r ON r.id = coalesce(o.after ->> 'repeated_by', o.after ->> 'refund') WHERE o.payment_id IS DISTINCT FROM r.payment_id
		UNION ALL
		SELECT format('anomaly %s %s was found at %s, seen at %s and closed at "%s"', kind, reference, found_at, seen_at, resolved_at) FROM anomalies
		WHERE NOT (` + before("(SELECT created_at FROM payments WHERE id = payment_id)", "found_at") + ` AND ` + before("found_at", "seen_at") + ` AND ` + before("found_at", "resolved_at") + `)
		UNION ALL
		SELECT format('a step of payment %s is of "%s", who did nothing with it', t.payment_id, t.actor) FROM payment_transitions t
		WHERE t.actor <> '' AND NOT EXISTS (SELECT FROM operator_actions o WHERE o.actor = t.actor AND o.payment_id = t.payment_id)
		UNION ALL
		SELECT format('transaction %s (%s) says "%s", which nobody gave as a reason', t.id, t.kind, t.note) FROM ledger_transactions t
		WHERE t.note <> '' AND t.actor <> '' AND NOT EXISTS (SELECT FROM operator_actions o WHERE o.actor = t.actor AND o.note = t.note)
			AND NOT EXISTS (SELECT FROM debt_write_offs w WHERE t.kind = 'write_off' AND w.id = split_part(t.reference, ':', 1) AND w.ended_by = t.actor AND w.end_note = t.note)
		UNION ALL
		SELECT format('run %s %s began at %s and ended at "%s"', name, slot, started_at, finished_at) FROM reconcile_runs WHERE NOT ` + before("started_at", "finished_at") + `
		UNION ALL
		SELECT format('webhook %s (%s, %s) was made as %s', event_key, type, api_version, convert_from(body, 'UTF8')) FROM webhook_events
		WHERE CASE provider WHEN 'mangopay' THEN event_key <> type || ':' || split_part(event_key, ':', 2)
				OR position('EventType=' || type || '&RessourceId=' || split_part(event_key, ':', 2) IN convert_from(body, 'UTF8')) = 0
				OR position(split_part(event_key, ':', 2) IN object_ref) = 0
			ELSE (event_key, type, api_version, livemode::text, object_ref) IS DISTINCT FROM (` + hookJSON + ` ->> 'id', ` + hookJSON + ` ->> 'type',
				` + hookJSON + ` ->> 'api_version', ` + hookJSON + ` ->> 'livemode', ` + hookJSON + ` #>> '{data,object,id}') END
		UNION ALL
		SELECT format('webhook %s was received at %s and processed at "%s"', event_key, received_at, processed_at) FROM webhook_events
		WHERE NOT ` + before("received_at", "processed_at") + ` OR (status = 'processed') <> (processed_at IS NOT NULL) AND status <> 'ignored' AND status <> 'refused'`},
}

// hookJSON is a webhook's body without U+0000, which a provider may send in a text of somebody's and the database takes in no JSON that it reads.
const hookJSON = `regexp_replace(convert_from(body, 'UTF8'), '(?<!\\)((?:\\\\)*)\\u0000', '\1', 'g')::jsonb`

// orderTimes are about the content service's times.
var orderTimes = []query{
	{"pledges and support began and changed with their history", `
		WITH steps AS (
			SELECT 'pledge' AS what, pledge_id AS of, id, at FROM pledge_transitions
			UNION ALL SELECT 'subscription', subscription_id, id, at FROM subscription_transitions),
		rows AS (
			SELECT 'pledge' AS what, id, created_at, updated_at, reserved_until AS until FROM pledges
			UNION ALL SELECT 'subscription', id, created_at, updated_at, payable_until FROM subscriptions)
		SELECT format('%s %s was made at %s, to be paid until %s, and changed at %s; its history goes from %s to %s', r.what, r.id, r.created_at, r.until, r.updated_at,
			t.first, t.last)
		FROM rows r JOIN (SELECT what, of, min(at) AS first, max(at) AS last FROM steps GROUP BY what, of) t ON (t.what, t.of) = (r.what, r.id)
		WHERE NOT (` + about("r.created_at", "t.first") + ` AND ` + before("t.last", "r.updated_at") + ` AND ` + before("r.created_at", "r.until") + `)
		UNION ALL
		SELECT format('a step of %s %s is of %s, the one before of %s', what, of, at, earlier)
		FROM (SELECT *, lag(at) OVER (PARTITION BY what, of ORDER BY id) AS earlier FROM steps) s WHERE NOT ` + before("earlier", "at") + `
		UNION ALL
		SELECT format('event %s is of %s and was received at %s', event_id, body ->> 'occurred_at', received_at) FROM (
			SELECT event_id, body, received_at FROM payment_events UNION ALL SELECT event_id, body, received_at FROM subscription_events) e
		WHERE NOT ` + before("(body ->> 'occurred_at')::timestamptz", "received_at") + `
		UNION ALL
		SELECT format('support %s began on %s, its first month is of %s', s.id, s.begun_on, c.period_day)
		FROM subscriptions s JOIN subscription_charges c ON c.subscription_id = s.id AND c.period = 1 WHERE s.begun_on IS DISTINCT FROM c.period_day`},
}
