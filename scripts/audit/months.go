package audit

// livingSubscription are the statuses of a subscription of the payment service that goes on.
const livingSubscription = `('active', 'past_due', 'paused')`

// dayOf is the day of a month of subscription s: the anchor's day of the month, or its last.
func dayOf(period string) string {
	return `(s.anchor_day + make_interval(months => ` + period + ` - 1))::date`
}

// monthAt is when the charge of a month of subscription s begins, in Finland.
func monthAt(period string) string {
	return `((` + dayOf(period) + ` + interval '9 hours') AT TIME ZONE 'Europe/Helsinki')`
}

// daysAfter is the same hour some days after that from which the tries of month m are reckoned: its own, or the later one on which it
// began.
func daysAfter(days string) string {
	return `((m.day + make_interval(days => ` + days + `, hours => 9)) AT TIME ZONE 'Europe/Helsinki')`
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
	{"a month is paid by its subscription's backer", `
		SELECT format('payment %s is of user "%s", its subscription %s of "%s"', p.id, p.backer_user_id, s.id, s.backer_user_id)
		FROM subscriptions s JOIN payments p ON (p.subject_kind, p.subject_id) = ('subscription', s.id)
		WHERE p.backer_user_id IS DISTINCT FROM s.backer_user_id`},
	{"a month's day follows from the first", `
		SELECT format('month %s of subscription %s from %s is on %s, its payment on %s', m.period, s.id, s.anchor_day, m.day, p.period_day)
		FROM subscriptions s JOIN subscription_periods m ON m.subscription_id = s.id JOIN payments p ON p.id = m.payment_id
		WHERE s.anchor_day IS NOT NULL AND (p.period_day IS DISTINCT FROM ` + dayOf("m.period") + ` OR m.day IS DISTINCT FROM CASE m.period WHEN 1 THEN p.period_day
			ELSE greatest(p.period_day, (m.begun_at AT TIME ZONE 'Europe/Helsinki')::date) END)`},
	{"nothing is tried before its time or after the end", `
		SELECT format('try %s of month %s of subscription %s was begun at %s: due at %s, ended at %s', t.number, t.period, s.id, t.begun_at, ` + monthAt("t.period") + `, e.at)
		FROM subscription_tries t JOIN subscriptions s ON s.id = t.subscription_id
		LEFT JOIN LATERAL (SELECT min(at) AS at FROM subscription_transitions x WHERE x.subscription_id = s.id AND x.to_status IN ('canceled', 'expired')) e ON true
		WHERE t.begun_at > e.at OR t.begun_at < ` + monthAt("t.period") + ` - @slack * interval '1 second'
		UNION ALL
		SELECT format('try %s of month %s of subscription %s is not answered since %s', number, period, subscription_id, begun_at) FROM subscription_tries
		WHERE outcome = 'unknown' AND begun_at < @lapsed`},
	// Another card, or a bank's word of its successor, is tried at once.
	{"a refused card rests until a day for it", `
		SELECT format('try %s of month %s of subscription %s was begun at %s, the one before at %s was refused', t.number, t.period, s.id, t.begun_at, b.begun_at)
		FROM subscription_tries t JOIN subscriptions s ON s.id = t.subscription_id
		JOIN subscription_tries b ON (b.subscription_id, b.period, b.number, b.card_ref, b.outcome) = (t.subscription_id, t.period, t.number - 1, t.card_ref, 'declined')
		JOIN subscription_periods m ON (m.subscription_id, m.period) = (t.subscription_id, t.period)
		WHERE NOT EXISTS (SELECT FROM unnest('{1,3,5,7}'::int[]) AS of (days)
			WHERE ` + daysAfter("of.days") + ` BETWEEN b.begun_at AND t.begun_at + @slack * interval '1 second')
		AND NOT EXISTS (SELECT FROM subscription_transitions x WHERE x.subscription_id = s.id AND x.cause IN ('card', 'card renewed')
			AND x.at BETWEEN b.begun_at - @slack * interval '1 second' AND t.begun_at + @slack * interval '1 second')`},
	{"an unpaid month has its time, and no more", `
		SELECT format('subscription %s was past_due at %s for its month %s of %s', x.subscription_id, x.at, m.period, m.day)
		FROM subscription_transitions x JOIN subscription_periods m ON (m.subscription_id, m.period) = (x.subscription_id, x.period)
		WHERE x.to_status = 'past_due' AND x.from_status <> 'past_due' AND x.at < ` + daysAfter("8") + ` - @slack * interval '1 second'
		UNION ALL
		SELECT format('subscription %s is active, its month %s of %s is not paid', s.id, m.period, m.day)
		FROM subscriptions s JOIN subscription_periods m ON m.subscription_id = s.id AND m.status = 'open' AND m.period > 1
		JOIN payments p ON p.id = m.payment_id AND p.status <> 'processing'
		WHERE s.status = 'active' AND NOT m.is_held AND ` + daysAfter("8") + ` < @yesterday
		UNION ALL
		SELECT format('subscription %s is past_due since %s', id, past_due_at) FROM subscriptions WHERE past_due_at < @yesterday - interval '30 days'`},
	// So that nobody pays twice in a few days. What the backer takes back on the day itself is charged. The first month is settled
	// on its own day.
	{"a month that passed while another was to be paid is left out", `
		SELECT format('month %s of subscription %s is of %s, the one before was settled at "%s"', m.period, s.id, ` + dayOf("m.period") + `, b.settled_at)
		FROM subscription_periods m JOIN subscriptions s ON s.id = m.subscription_id CROSS JOIN LATERAL (SELECT period, settled_at FROM subscription_periods
			WHERE subscription_id = m.subscription_id AND period < m.period ORDER BY period DESC LIMIT 1) b
		WHERE b.settled_at IS NULL OR b.period > 1 AND ` + dayOf("m.period") + ` < (b.settled_at AT TIME ZONE 'Europe/Helsinki')::date`},
	// A month that is held above the spending limit waits until the next one comes.
	{"every subscription has its next step", `
		SELECT format('subscription %s is %s, its next step "%s", its month %s at %s', s.id, s.status, s.step_at, s.next_period, ` + monthAt("s.next_period") + `)
		FROM subscriptions s
		WHERE s.status IN ` + livingSubscription + ` AND (s.step_at IS NULL AND NOT EXISTS (SELECT FROM payments p JOIN subscription_periods m ON m.payment_id = p.id
				WHERE m.subscription_id = s.id AND m.status = 'open' AND p.status = 'processing')
			OR s.ends_on IS NULL AND s.step_at > ` + monthAt("s.next_period + CASE WHEN s.held_period = s.next_period THEN 1 ELSE 0 END") + ` AND NOT EXISTS (SELECT FROM subscription_periods m WHERE m.subscription_id = s.id AND m.status = 'open'))
		OR s.step_at < @lapsed`},
	{"a level begins with a month", `
		SELECT format('subscription %s costs %s, its last month %s cost %s', s.id, s.level ->> 'amount_minor', m.period, p.amount_minor)
		FROM subscriptions s JOIN LATERAL (SELECT period, payment_id FROM subscription_periods WHERE subscription_id = s.id ORDER BY period DESC LIMIT 1) m ON true
		JOIN payments p ON p.id = m.payment_id
		WHERE (s.level ->> 'amount_minor')::bigint <> p.amount_minor OR s.level ->> 'currency' <> p.currency OR s.next_level ->> 'currency' <> p.currency`},
}
