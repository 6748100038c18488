package audit

// receiptChecks are about what receipts say, in the content service's database alone.
var receiptChecks = []query{
	// Numbers are given in the order in which we hear of payments; the year is that of the day on which it was paid, in Finland.
	{"receipts' numbers say their year and their order", `
		WITH receipts AS (
			SELECT 'pledge ' || p.id AS of, receipt_number AS number, paid_at, t.at AS heard, 'TK' AS form FROM pledges p
			JOIN LATERAL (SELECT at FROM pledge_transitions WHERE pledge_id = p.id AND to_status = 'paid' ORDER BY id LIMIT 1) t ON true
			WHERE receipt_number IS NOT NULL
			UNION ALL
			SELECT format('month %s of subscription %s', c.period, c.subscription_id), c.receipt_number, c.paid_at, e.received_at, 'TM' FROM subscription_charges c
			JOIN subscription_events e ON e.payment_id = c.payment_id AND e.type = 'payment.succeeded' AND e.outcome = 'applied'),
		numbered AS (SELECT *, CASE WHEN number ~ ('^' || form || '-[0-9]{4}-[0-9]{6,}$') THEN split_part(number, '-', 3)::bigint END AS n FROM receipts)
		SELECT format('the receipt of %s, paid at %s, is %s', of, paid_at, number) FROM numbered
		WHERE n IS NULL OR split_part(number, '-', 2) <> extract(year FROM paid_at AT TIME ZONE 'Europe/Helsinki')::text
			OR n > CASE form WHEN 'TK' THEN (SELECT last_value FROM receipt_numbers) ELSE (SELECT last_value FROM subscription_receipt_numbers) END
		UNION ALL
		SELECT format('receipt %s of %s was given at %s, the one before it at %s', number, of, heard, earlier)
		FROM (SELECT *, lag(heard) OVER (PARTITION BY form ORDER BY n) AS earlier FROM numbered) o WHERE NOT ` + before("earlier", "heard")},
	{"a month's receipt says what its event told", `
		SELECT format('month %s of subscription %s was paid at %s with "%s", its event says %s and "%s"', c.period, c.subscription_id, c.paid_at, c.payment_method,
			e.body ->> 'occurred_at', e.body ->> 'method')
		FROM subscription_charges c JOIN subscription_events e ON e.payment_id = c.payment_id AND e.type = 'payment.succeeded' AND e.outcome = 'applied'
		WHERE c.paid_at <> (e.body ->> 'occurred_at')::timestamptz OR c.payment_method <> coalesce(e.body ->> 'method', '')
		UNION ALL
		SELECT format('month %s of subscription %s is of campaign %s, its subscription of %s', c.period, s.id, c.campaign_id, s.campaign_id)
		FROM subscription_charges c JOIN subscriptions s ON s.id = c.subscription_id WHERE c.campaign_id <> s.campaign_id`},
	// The reward's price has the tax; what is above it is free support. An older month may have had another reward.
	{"the newest month's receipt is of what was chosen", `
		SELECT format('month %s of subscription %s: "%s" with a tax of %s at %s, chosen was "%s" with %s at %s', c.period, s.id, c.title, c.vat_minor, c.vat_tenths,
			b.title, tax.wanted, b.rate)
		FROM subscriptions s
		JOIN LATERAL (SELECT body FROM subscription_events WHERE subscription_id = s.id AND outcome = 'applied'
			AND type IN ('subscription.activated', 'subscription.renewed', 'subscription.level_changed') ORDER BY sequence DESC LIMIT 1) e ON true
		JOIN subscription_charges c ON c.subscription_id = s.id AND c.period = (e.body ->> 'period')::int AND c.amount_minor = s.amount_minor
		CROSS JOIN LATERAL (SELECT coalesce(s.bought ->> 'title', '') AS title, coalesce((s.bought ->> 'vat_tenths')::numeric, 0) AS rate,
			least(coalesce((s.bought ->> 'amount_minor')::numeric, 0), c.amount_minor) AS price) b
		CROSS JOIN LATERAL (SELECT div(2 * b.price * b.rate + 1000 + b.rate, 2 * (1000 + b.rate)) AS wanted) tax
		WHERE e.body ->> 'cause' IN ('activated', 'renewed') AND (c.title, c.vat_minor, c.vat_tenths) <> (b.title, tax.wanted, b.rate)`},
	{"what a pledge bought is what it says", `
		SELECT format('pledge %s is of %s pieces at %s, its first line of %s', p.id, p.quantity, p.bought ->> 'amount_minor', p.lines -> 0 ->> 'amount_minor')
		FROM pledges p WHERE p.reward_id IS NOT NULL AND p.bought IS NOT NULL
			AND (p.lines -> 0 ->> 'amount_minor')::bigint <> p.quantity * (p.bought ->> 'amount_minor')::bigint
		UNION ALL
		SELECT format('%s %s: money went back for "%s", the last event says "%s"', o.what, o.id, o.reason, e.reasons) FROM (
			SELECT 'pledge' AS what, id, payment_id, refund_reason AS reason FROM pledges
			UNION ALL SELECT 'month of subscription', subscription_id, payment_id, refund_reason FROM subscription_charges) o
		LEFT JOIN LATERAL (SELECT array_agg(reason) AS reasons FROM (SELECT DISTINCT ON (payment_id) body ->> 'refund_reason' AS reason FROM (
			SELECT payment_id, sequence, body, type, outcome FROM payment_events WHERE payment_id = o.payment_id
				OR payment_id IN (SELECT payment_id FROM pledge_raises r WHERE r.pledge_id = o.id AND r.status = 'paid')
			UNION ALL SELECT payment_id, sequence, body, type, outcome FROM subscription_events WHERE payment_id = o.payment_id) x
			WHERE type = 'payment.refunded' AND outcome = 'applied' AND body ->> 'refund_reason' <> 'changed' ORDER BY payment_id, sequence DESC) l) e ON true
		WHERE o.reason <> ALL (coalesce(e.reasons, '{""}')) AND o.payment_id <> ''
		UNION ALL
		SELECT format('%s %s of campaign %s has reward %s of campaign %s', o.what, o.id, o.campaign_id, r.id, r.campaign_id) FROM (
			SELECT 'pledge' AS what, id, campaign_id, reward_id FROM pledges UNION ALL SELECT 'subscription', id, campaign_id, reward_id FROM subscriptions) o
		JOIN rewards r ON r.id = o.reward_id WHERE r.campaign_id <> o.campaign_id`},
}

// toldChecks are about what the content service was told, in its database alone.
var toldChecks = []query{
	{"an event says what its row says", `
		SELECT format('event %s (%s, number %s) of %s and payment "%s" says %s', e.event_id, e.type, e.sequence, e.subject, e.payment_id, e.body) FROM (
			SELECT event_id, CASE WHEN ` + ofRaise + ` THEN body ->> 'subject_id' ELSE pledge_id END AS subject, payment_id, sequence, type, body FROM payment_events e
			UNION ALL SELECT event_id, subscription_id, payment_id, sequence, type, body FROM subscription_events) e
		WHERE (e.event_id, e.sequence::text, e.payment_id) IS DISTINCT FROM (e.body ->> 'event_id', e.body ->> 'sequence', coalesce(e.body ->> 'payment_id', ''))
			OR e.type <> coalesce(e.body ->> 'type', 'subscription.' || (e.body ->> 'cause'))
			OR e.subject <> coalesce(e.body ->> 'subject_id', e.body ->> 'subscription_id')`},
	{"what orders did is what events told", `
		SELECT format('a step of %s to %s of %s is by %s and event %s, which says %s of %s (%s)', t.subject, t.to_status, t.amount, t.cause, t.event_id, e.status, e.amount, e.type)
		FROM (
			SELECT pledge_id AS subject, to_status, NULL::bigint AS amount, cause, event_id FROM pledge_transitions WHERE event_id <> ''
			UNION ALL SELECT subscription_id, to_status, amount_minor, CASE WHEN cause LIKE 'payment.%' THEN cause ELSE 'subscription.' || cause END, event_id FROM subscription_transitions WHERE event_id <> '') t
		LEFT JOIN (
			SELECT event_id, type, NULL AS status, NULL::bigint AS amount, outcome FROM payment_events
			UNION ALL SELECT event_id, type, body ->> 'status', (body ->> 'amount_minor')::bigint, outcome FROM subscription_events) e
		ON e.event_id = t.event_id AND e.outcome = 'applied'
		WHERE e.event_id IS NULL OR e.type <> t.cause OR e.status <> t.to_status OR e.amount <> t.amount
		UNION ALL
		SELECT format('a step of pledge %s to %s is by %s, without an event', pledge_id, to_status, cause) FROM pledge_transitions WHERE event_id = '' AND cause LIKE 'payment.%'`},
	{"support stands as its last event told", `
		SELECT format('support %s is %s, next charged on "%s", held on "%s", paid until "%s", ends on "%s" (%s), card "%s" until "%s"; the last event told %s', s.id, s.status,
			s.next_charge_on, s.held_on, s.paid_until, s.ends_on, s.ended_because, s.payment_method, s.card_expires, e.body)
		FROM subscriptions s
		JOIN LATERAL (SELECT body FROM subscription_events WHERE subscription_id = s.id AND type LIKE 'subscription.%' AND outcome = 'applied' ORDER BY sequence DESC LIMIT 1) e ON true
		WHERE s.closed_at IS NULL AND (s.status, s.amount_minor, s.card_expires, s.ended_because) IS DISTINCT FROM
				(e.body ->> 'status', (e.body ->> 'amount_minor')::bigint, coalesce(e.body ->> 'card_expires', ''), coalesce(e.body ->> 'ended_because', ''))
			OR s.closed_at IS NULL AND (s.next_charge_on::text, s.held_on::text, s.paid_until::text, s.ends_on::text) IS DISTINCT FROM
				(e.body ->> 'next_charge_on', e.body ->> 'held_on', e.body ->> 'paid_until', e.body ->> 'ends_on')
			OR s.closed_at IS NULL AND e.body ->> 'method' <> '' AND s.payment_method <> e.body ->> 'method'
			OR s.due_on IS NOT NULL AND (s.next_charge_on IS NOT NULL OR s.held_on IS NOT NULL OR s.status NOT IN ('active', 'past_due'))
			OR s.next_try_on IS NOT NULL AND (s.due_on IS NULL OR s.next_try_on < s.due_on)
			OR e.body ->> 'cause' IN ('charge_failed', 'action_required', 'past_due') AND s.due_on IS NOT NULL AND s.next_try_on::text IS DISTINCT FROM e.body ->> 'next_try_on'`},
	{"mails say what events told", `
		SELECT format('message %s (%s) says %s, its event %s', o.id, o.kind, o.payload, e.body) FROM outbox o
		JOIN (SELECT event_id, body FROM payment_events UNION ALL SELECT event_id, body FROM subscription_events) e ON e.event_id = split_part(o.dedupe_key, ':', 2)
		WHERE EXISTS (SELECT FROM jsonb_each(o.payload) m JOIN jsonb_each(e.body) b USING (key) WHERE m.value <> b.value)
			OR o.payload #>> '{refund,minor}' <> coalesce(e.body ->> 'refund_minor', '') OR o.payload #>> '{refund,reason}' <> coalesce(e.body ->> 'refund_reason', '')
			OR o.payload ->> 'due_minor' <> coalesce(e.body ->> 'due_amount_minor', '') OR o.payload ->> 'next_minor' <> coalesce(e.body ->> 'next_amount_minor', '')`},
	// Only of the last week, because the outbox deletes sent messages after that.
	{"supporters are told that a month is held", `
		SELECT format('event %s: month of %s of subscription %s is held, and nobody was told', e.event_id, e.body ->> 'held_on', e.subscription_id)
		FROM subscription_events e JOIN subscriptions s ON s.id = e.subscription_id AND s.email <> ''
		LEFT JOIN outbox o ON o.dedupe_key = 'mail.subscription:' || e.event_id
		WHERE e.type = 'subscription.limit_reached' AND e.outcome = 'applied' AND e.received_at > @weekAgo AND o.id IS NULL`},
}
