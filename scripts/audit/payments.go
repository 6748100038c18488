package audit

// paymentChecks are about payments and their attempts.
var paymentChecks = []query{
	{"a subject is paid once", `
		SELECT format('%s %s has %s payments of period %s', subject_kind, subject_id, count(*), period) FROM payments
		GROUP BY subject_kind, subject_id, period HAVING count(*) > 1
		UNION ALL
		SELECT format('%s %s was closed at %s, its payment %s began at %s', c.subject_kind, c.subject_id, c.closed_at, p.id, p.created_at)
		FROM closed_subjects c JOIN payments p USING (subject_kind, subject_id) WHERE p.created_at > c.closed_at`},
	// The success that counts is one of the payment's own attempts, of its whole sum, and the one that its history names.
	{"the attempt that counts is its payment's", `
		SELECT format('payment %s of %s %s counts attempt %s, which is %s, of payment %s, %s %s, object "%s", payment "%s"', p.id, p.amount_minor,
			p.currency, p.paid_attempt_id, c.status, c.payment_id, c.amount_minor, c.currency, c.object_ref, c.money_ref)
		FROM payments p LEFT JOIN attempts c ON c.id = p.paid_attempt_id
		WHERE p.paid_attempt_id IS NOT NULL AND ((c.payment_id, c.status, c.amount_minor, c.currency, c.provider)
			IS DISTINCT FROM (p.id, 'succeeded', p.amount_minor, p.currency, p.provider)
			OR c.money_ref IS NULL OR c.method = 'card' AND c.object_ref <> c.money_ref)
		UNION ALL
		SELECT format('payment %s counts attempt %s, its history says %s', p.id, p.paid_attempt_id, coalesce(t.attempt_id::text, 'none'))
		FROM payments p JOIN payment_transitions t ON t.payment_id = p.id AND t.to_status = 'succeeded'
		WHERE t.attempt_id IS DISTINCT FROM p.paid_attempt_id`},
	{"one success counts, others go back", `
		SELECT format('attempt %s of payment %s does not count, and %s of its charge %s is the campaign''s', c.id, c.payment_id, v.funds, c.charge_ref)
		FROM attempts c JOIN payments p ON p.id = c.payment_id
		CROSS JOIN LATERAL (SELECT ` + position("backer_funds") + ` AS funds) v
		WHERE c.status IN ('succeeded', 'held') AND c.id IS DISTINCT FROM p.paid_attempt_id AND v.funds <> 0`},
	// Each transition starts from the status in which the previous one ended; the last one ends in the payment's.
	{"a payment's history is whole", `
		WITH steps AS (SELECT *, lag(to_status, 1, '') OVER w AS before, lag(at) OVER w AS earlier FROM payment_transitions
			WINDOW w AS (PARTITION BY payment_id ORDER BY id))
		SELECT format('payment %s goes from "%s" to %s when it is "%s"', s.payment_id, s.from_status, s.to_status, s.before)
		FROM steps s WHERE s.from_status <> s.before
		UNION ALL
		SELECT format('payment %s became %s at %s, after %s', payment_id, to_status, at, earlier) FROM steps
		WHERE at < earlier - @slack * interval '1 second'
		UNION ALL
		SELECT format('payment %s is %s, its history ends in %s', p.id, p.status, coalesce(t.to_status, 'nothing'))
		FROM payments p LEFT JOIN LATERAL (
			SELECT to_status FROM payment_transitions WHERE payment_id = p.id ORDER BY id DESC LIMIT 1) t ON true
		WHERE t.to_status IS DISTINCT FROM p.status`},
	{"no payment is open past its time", `
		SELECT format('payment %s is %s, its time ended at %s', p.id, p.status, p.closes_at) FROM payments p
		WHERE p.status IN ('created', 'requires_action') AND p.closes_at < @lapsed OR p.status = 'processing' AND p.closes_at < @bankAgo`},
	{"a payment that is over has no open attempt", `
		SELECT format('payment %s is %s, its attempt %s is %s', p.id, p.status, c.id, c.status)
		FROM payments p JOIN attempts c ON c.payment_id = p.id AND c.status IN ('creating', 'open')
		WHERE p.status NOT IN ('created', 'requires_action', 'processing')
		AND NOT (c.provider = '` + mangopayName + `' AND c.status = 'open' AND c.created_at >= @bankAgo)`}, // there nothing is ended: pages end by themselves, debits are their banks'
}

// workChecks find work of the payment service that is not scheduled, or not done.
var workChecks = []query{
	{"everything open has a next check", `
		SELECT format('%s %s is %s and is looked at next "%s"', v.what, v.id, v.status, v.next) FROM (
			SELECT 'payment' AS what, id, status, next_check_at AS next FROM payments WHERE status IN ('created', 'requires_action', 'processing')
			UNION ALL
			SELECT 'attempt', id::text, status, next_check_at FROM attempts
			WHERE next_check_at IS NOT NULL OR status IN ('succeeded', 'held') AND fee_minor IS NULL
			UNION ALL
			SELECT 'attempt of an ended payment', c.id::text, c.status, c.next_check_at
			FROM attempts c JOIN payments p ON p.id = c.payment_id
			WHERE c.status IN ('creating', 'open') AND (p.closing_at IS NOT NULL OR p.status NOT IN ('created', 'requires_action', 'processing'))
			UNION ALL
			SELECT 'refund', id, status, next_check_at FROM refunds
			WHERE (next_check_at IS NOT NULL OR status IN ('creating', 'pending')) AND NOT ` + isDeferred + `
			UNION ALL
			SELECT 'dispute', provider_ref, status, next_check_at FROM disputes
			WHERE next_check_at IS NOT NULL OR status IN ('inquiry', 'open') OR status NOT IN ('lost', 'returned') AND withdrawn_minor > 0) v
		WHERE v.next IS NULL OR v.next > @tomorrow OR v.next < @yesterday`},
	{"no webhook waits", `
		SELECT format('webhook %s (%s) of %s after %s tries: %s', event_key, type, received_at, attempts, last_error) FROM webhook_events WHERE status = 'received'`},
	{"nothing that payments sends is stuck", `
		SELECT format('event %s (%s) after %s tries: %s', id, kind, attempts, coalesce(last_error, '')) FROM outbox WHERE done_at IS NULL`},
	// A comparison that no longer runs would find nothing. It runs daily.
	{"the ledger is compared daily", `
		SELECT format('payment %s is at %s since %s, the last comparison there that was finished began "%s"', p.id, p.provider, p.created_at, r.last)
		FROM (SELECT DISTINCT ON (provider) provider, id, created_at FROM payments WHERE created_at < @yesterday ORDER BY provider, created_at) p
		LEFT JOIN (SELECT provider, max(started_at) AS last FROM reconcile_runs WHERE name = 'reconcile:ledger' AND finished_at IS NOT NULL GROUP BY 1) r
			USING (provider)
		WHERE r.last IS NULL OR r.last < @yesterday`},
}

// peopleChecks are about what the service leaves to operators, and what they did.
var peopleChecks = []query{
	{"no anomaly is open", `
		SELECT format('%s %s since %s: %s', kind, reference, found_at, detail) FROM anomalies WHERE resolved_at IS NULL`},
	{"anomalies are closed by somebody who says why", `
		SELECT format('%s %s was closed at %s by "%s": "%s"', a.kind, a.reference, a.resolved_at, a.resolved_by, a.note) FROM anomalies a
		WHERE a.resolved_at IS NOT NULL AND (a.resolved_by = '' OR a.note = '' OR a.resolved_by <> 'service' AND NOT EXISTS (
			SELECT FROM operator_actions o WHERE o.actor = a.resolved_by AND o.note = a.note
			AND abs(extract(epoch FROM o.at - a.resolved_at)) < @slack
			AND (o.payment_id = a.payment_id OR o.after ->> 'charge' = a.reference OR o.after ->> 'line' = split_part(a.reference, ':', 2)
				OR o.after ->> 'anomaly' = a.kind || ':' || a.reference)))`},
	{"what people did is kept", `
		SELECT format('refund %s is %s at the word of "%s", and no act says so', r.id, r.status, r.actor) FROM refunds r
		WHERE (r.actor <> '' OR r.status = 'by_hand') AND NOT EXISTS (
			SELECT FROM operator_actions o WHERE o.actor = r.actor
			AND (r.status = 'by_hand' AND o.action = 'refund_by_hand' AND o.after ->> 'refund' = r.id
				OR r.status <> 'by_hand' AND (o.action = 'refund' AND o.after ->> 'refund' = r.id OR o.action = 'refund_repeat' AND o.after ->> 'repeated_by' = r.id
					OR o.action IN ('release_held', 'attach') AND o.payment_id = r.payment_id)))
		UNION ALL
		SELECT format('transaction %s (%s %s) is an act of "%s", and no act says so', t.id, t.kind, t.reference, t.actor) FROM ledger_transactions t
		WHERE t.kind IN ('held_accepted', 'held_returned', 'refund_by_hand', 'explained', 'explained_out') AND NOT EXISTS (
			SELECT FROM operator_actions o WHERE o.actor = t.actor AND o.payment_id IS NOT DISTINCT FROM t.payment_id
			AND CASE t.kind WHEN 'refund_by_hand' THEN o.action = 'refund_by_hand' AND o.after ->> 'refund' = t.reference
				WHEN 'explained' THEN o.action = 'explain' AND o.after ->> 'line' = t.reference
				WHEN 'explained_out' THEN o.action = 'explain' AND o.after ->> 'line' = t.reference
				ELSE o.action IN ('release_held', 'attach') AND o.after ->> 'charge' = split_part(t.reference, ':', 1) END)
		UNION ALL
		SELECT format('act %s by "%s" ("%s"): %s', o.id, o.actor, o.note, 'nobody did it, or without a reason') FROM operator_actions o
		WHERE o.actor = '' OR o.note = ''`},
	{"what people did had an effect and a reason", `
		SELECT format('act %s (%s by %s) is about refund %s, which is not there', o.id, o.action, o.actor, coalesce(o.after ->> 'repeated_by', o.after ->> 'refund'))
		FROM operator_actions o WHERE o.action IN ('refund', 'refund_repeat', 'refund_by_hand')
		AND NOT EXISTS (SELECT FROM refunds r WHERE r.id = coalesce(o.after ->> 'repeated_by', o.after ->> 'refund'))
		UNION ALL
		SELECT format('act %s (%s by %s) is about %s, whose money was not held', o.id, o.action, o.actor, o.after)
		FROM operator_actions o WHERE o.action IN ('release_held', 'attach', 'explain') AND NOT EXISTS (
			SELECT FROM ` + booked + ` WHERE t.reference = CASE o.action WHEN 'explain' THEN o.after ->> 'line' ELSE o.after ->> 'charge' END
			AND a.class = CASE o.action WHEN 'explain' THEN 'suspense' ELSE 'held_funds' END)
		UNION ALL
		SELECT format('act %s (%s by %s) is about warning %s, which is not there', o.id, o.action, o.actor, o.after ->> 'warning')
		FROM operator_actions o WHERE o.action IN ('warning_dismissed', 'warning_reopened') AND NOT EXISTS (SELECT FROM fraud_warnings w WHERE w.provider_ref = o.after ->> 'warning')
		UNION ALL
		SELECT format('act %s (%s by %s) %s: no anomaly called for it', o.id, o.action, o.actor, o.after) FROM operator_actions o
		WHERE o.action NOT IN ('refund', 'warning_dismissed', 'warning_reopened', 'support_ended', 'tax_report') AND NOT EXISTS (SELECT FROM anomalies a WHERE CASE o.action
			WHEN 'resolve' THEN o.after ->> 'anomaly' = a.kind || ':' || a.reference
			WHEN 'explain' THEN a.kind = 'ledger_difference' AND split_part(a.reference, ':', 2) = o.after ->> 'line'
			WHEN 'refund_repeat' THEN a.kind = 'refund_failed' AND a.reference = o.after ->> 'refund'
			WHEN 'refund_by_hand' THEN a.kind = 'refund_failed' AND a.reference = o.after ->> 'refund'
			ELSE a.kind IN ('held_money', 'unknown_charge') AND a.reference = o.after ->> 'charge' END)`},
}
