package audit

// livingSubscription are the statuses of a subscription of the payment service that goes on.
const livingSubscription = `('active', 'past_due', 'paused')`

// monthAt is when the charge of a month of subscription s begins, in Finland: on the anchor's day of the month, or its last.
func monthAt(period string) string {
	return `((s.anchor_day + make_interval(months => ` + period + ` - 1) + interval '9 hours') AT TIME ZONE 'Europe/Helsinki')`
}

// monthChecks are about monthly support, in the payment service's database alone.
var monthChecks = []query{
	{"the engine's history of a subscription is whole", `
		WITH steps AS (SELECT *, lag(to_status, 1, '') OVER (PARTITION BY subscription_id ORDER BY id) AS before FROM subscription_transitions)
		SELECT format('subscription %s goes from "%s" to %s when it is "%s"', subscription_id, from_status, to_status, before)
		FROM steps WHERE from_status <> before
		UNION ALL
		SELECT format('subscription %s is %s, its history ends in %s', s.id, s.status, coalesce(t.to_status, 'nothing'))
		FROM subscriptions s LEFT JOIN LATERAL (
			SELECT to_status FROM subscription_transitions WHERE subscription_id = s.id ORDER BY id DESC LIMIT 1) t ON true
		WHERE t.to_status IS DISTINCT FROM s.status`},
	{"a month and its payment agree", `
		SELECT format('month %s of subscription %s is %s%s, its payment %s is %s, of month %s of %s', m.period, m.subscription_id, m.status,
			CASE WHEN m.is_ending THEN ' and ending' ELSE '' END, p.id, p.status, p.period, p.subject_id)
		FROM subscription_periods m JOIN payments p ON p.id = m.payment_id
		WHERE (p.subject_kind, p.subject_id, p.period) <> ('subscription', m.subscription_id, m.period)
		OR CASE m.status WHEN 'paid' THEN p.paid_attempt_id IS NULL
			WHEN 'open' THEN p.status NOT IN ('created', 'requires_action', 'processing')
			ELSE p.status = 'succeeded' AND NOT EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id)
				OR p.status IN ('created', 'requires_action', 'processing') AND NOT m.is_ending AND p.closing_at IS NULL END
		UNION ALL
		SELECT format('payment %s is of month %s of subscription %s, which has none', p.id, p.period, p.subject_id)
		FROM payments p WHERE p.subject_kind = 'subscription' AND NOT EXISTS (SELECT FROM subscription_periods m WHERE m.payment_id = p.id)`},
	{"a month's day follows from the first", `
		SELECT format('month %s of subscription %s from %s is on %s, its payment on %s', m.period, s.id, s.anchor_day, m.day, p.period_day)
		FROM subscriptions s JOIN subscription_periods m ON m.subscription_id = s.id JOIN payments p ON p.id = m.payment_id
		WHERE s.anchor_day IS NOT NULL AND (m.day IS DISTINCT FROM (s.anchor_day + make_interval(months => m.period - 1))::date OR p.period_day IS DISTINCT FROM m.day)`},
	{"nothing is tried before its time or after the end", `
		SELECT format('try %s of month %s of subscription %s was begun at %s: due at %s, ended at %s', t.number, t.period, s.id, t.begun_at, ` + monthAt("t.period") + `, e.at)
		FROM subscription_tries t JOIN subscriptions s ON s.id = t.subscription_id
		LEFT JOIN LATERAL (SELECT min(at) AS at FROM subscription_transitions x WHERE x.subscription_id = s.id AND x.to_status IN ('canceled', 'expired')) e ON true
		WHERE t.begun_at > e.at OR t.begun_at < ` + monthAt("t.period") + ` - @slack * interval '1 second'
		UNION ALL
		SELECT format('try %s of month %s of subscription %s is not answered since %s', number, period, subscription_id, begun_at) FROM subscription_tries
		WHERE outcome = 'unknown' AND begun_at < @lapsed`},
	{"every subscription has its next step", `
		SELECT format('subscription %s is %s, its next step "%s", its month %s at %s', s.id, s.status, s.step_at, s.next_period, ` + monthAt("s.next_period") + `)
		FROM subscriptions s
		WHERE s.status IN ` + livingSubscription + ` AND (s.step_at IS NULL AND NOT EXISTS (SELECT FROM payments p JOIN subscription_periods m ON m.payment_id = p.id
				WHERE m.subscription_id = s.id AND m.status = 'open' AND p.status = 'processing')
			OR s.ends_on IS NULL AND s.step_at > ` + monthAt("s.next_period") + ` AND NOT EXISTS (SELECT FROM subscription_periods m WHERE m.subscription_id = s.id AND m.status = 'open'))
		OR s.step_at < @lapsed`},
	{"a level begins with a month", `
		SELECT format('subscription %s costs %s, its last month %s cost %s', s.id, s.level ->> 'amount_minor', m.period, p.amount_minor)
		FROM subscriptions s JOIN LATERAL (SELECT period, payment_id FROM subscription_periods WHERE subscription_id = s.id ORDER BY period DESC LIMIT 1) m ON true
		JOIN payments p ON p.id = m.payment_id
		WHERE (s.level ->> 'amount_minor')::bigint <> p.amount_minor OR s.level ->> 'currency' <> p.currency`},
}
