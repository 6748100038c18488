package audit

// subscriptionChecks are about monthly support, in the content service's database alone.
var subscriptionChecks = []query{
	{"a subscription's history is whole", `
		WITH steps AS (SELECT *, lag(to_status, 1, '') OVER (PARTITION BY subscription_id ORDER BY id) AS before FROM subscription_transitions)
		SELECT format('subscription %s goes from "%s" to %s when it is "%s"', subscription_id, from_status, to_status, before)
		FROM steps WHERE from_status <> before
		UNION ALL
		SELECT format('subscription %s is %s of %s, its history ends in %s of %s', s.id, s.status, s.amount_minor, coalesce(t.to_status, 'nothing'), t.amount_minor)
		FROM subscriptions s LEFT JOIN LATERAL (
			SELECT to_status, amount_minor FROM subscription_transitions WHERE subscription_id = s.id ORDER BY id DESC LIMIT 1) t ON true
		WHERE (t.to_status, t.amount_minor) IS DISTINCT FROM (s.status, s.amount_minor)`},
	{"a month is paid by what events told", `
		SELECT format('month %s of subscription %s has %s, events told %s', coalesce(c.period, e.period), coalesce(c.subscription_id, e.subscription_id),
		    coalesce(c.amount_minor::text, 'nothing'), coalesce(e.amount::text, 'nothing'))
		FROM subscription_charges c FULL JOIN (
			SELECT subscription_id, payment_id, (body ->> 'period')::int AS period, (body ->> 'amount_minor')::bigint AS amount
			FROM subscription_events WHERE type = 'payment.succeeded' AND outcome = 'applied') e
		    ON (e.subscription_id, e.period, e.payment_id) = (c.subscription_id, c.period, c.payment_id)
		WHERE c.amount_minor IS DISTINCT FROM e.amount`},
	{"what went back of a month is what events told", `
		SELECT format('month %s of subscription %s: %s back, events told %s', c.period, c.subscription_id, c.amount_refunded_minor, coalesce(e.back, 0))
		FROM subscription_charges c LEFT JOIN (
			SELECT payment_id, max((body ->> 'amount_refunded_minor')::bigint) AS back FROM subscription_events
			WHERE type = 'payment.refunded' AND coalesce(body ->> 'refund_reason', '') <> 'duplicate' GROUP BY payment_id) e USING (payment_id)
		WHERE c.amount_refunded_minor <> least(coalesce(e.back, 0), c.amount_minor)`},
	{"monthly receipts are given once", `
		SELECT format('receipt %s has %s months', receipt_number, count(*)) FROM subscription_charges GROUP BY receipt_number HAVING count(*) > 1
		UNION ALL
		SELECT format('month %s of subscription %s has receipt "%s"', period, subscription_id, receipt_number)
		FROM subscription_charges WHERE receipt_number !~ '^TM-[0-9]{4}-[0-9]{6,}$'`},
	// What is above the reward's price is free support, without tax; half a cent goes up.
	{"the tax in a month is at most that of its whole amount", `
		SELECT format('month %s of subscription %s: tax of %s in %s', period, subscription_id, vat_minor, amount_minor) FROM subscription_charges
		WHERE vat_minor NOT BETWEEN 0 AND div(2 * amount_minor * vat_tenths::numeric + 1000 + vat_tenths, 2 * (1000 + vat_tenths))`},
	// Only of the last week, because the outbox deletes sent messages after that. A month that its subscription has not taken has no
	// receipt: its money goes straight back.
	{"supporters are told of their money", `
		SELECT format('event %s (%s) of subscription %s: no %s was sent', e.event_id, e.type, e.subscription_id, m.kind)
		FROM subscription_events e
		JOIN (VALUES ('payment.succeeded', 'mail.monthly_receipt'), ('payment.refunded', 'mail.monthly_refund'),
			('payment.failed', 'mail.subscription')) AS m (type, kind) USING (type)
		JOIN subscriptions s ON s.id = e.subscription_id AND s.email <> ''
		LEFT JOIN outbox o ON o.dedupe_key = m.kind || ':' || e.event_id
		WHERE e.outcome = 'applied' AND e.received_at > @weekAgo AND o.id IS NULL AND (e.type <> 'payment.succeeded' OR EXISTS (
			SELECT FROM subscription_events t WHERE t.subscription_id = e.subscription_id AND t.type IN ('subscription.activated', 'subscription.renewed')
			AND t.body ->> 'period' = e.body ->> 'period'))`},
	{"no subscription lives past its time", `
		SELECT format('subscription %s is created, to be paid until %s', id, payable_until) FROM subscriptions
		WHERE status = 'created' AND NOT is_processing AND payable_until < @lapsed
		UNION ALL
		SELECT format('subscription %s is %s, its campaign %s is closed', s.id, s.status, c.id)
		FROM subscriptions s JOIN campaigns c ON c.id = s.campaign_id AND c.stage = 5
		WHERE s.status IN ('created', 'active', 'past_due', 'paused')`},
	{"nothing of subscriptions is later than now", `
		SELECT format('%s %s: %s', v.what, v.id, v.at) FROM (
			SELECT 'subscription' AS what, id, at FROM subscriptions CROSS JOIN LATERAL (VALUES (created_at), (updated_at), (closed_at)) AS t (at)
			UNION ALL SELECT 'step of subscription', subscription_id, at FROM subscription_transitions
			UNION ALL SELECT 'month of subscription', subscription_id, paid_at FROM subscription_charges
			UNION ALL SELECT 'event', event_id, received_at FROM subscription_events) v
		WHERE v.at > @ahead`},
}
