package audit

// everPaid is true of a pledge p that was ever paid, even if it was refunded since.
const everPaid = `(p.status IN ('paid', 'partly_refunded', 'disputed')
	OR EXISTS (SELECT FROM pledge_transitions t WHERE t.pledge_id = p.id AND t.to_status = 'paid')
	OR EXISTS (SELECT FROM payment_events e WHERE e.pledge_id = p.id AND e.type = 'payment.succeeded' AND e.outcome = 'applied'))`

// pledgeChecks hold in the content service's database alone.
var pledgeChecks = []query{
	// Each transition starts from the status in which the previous one ended; the last one ends in the pledge's.
	{"a pledge's history is whole", `
		WITH steps AS (SELECT *, lag(to_status, 1, '') OVER (PARTITION BY pledge_id ORDER BY id) AS before FROM pledge_transitions)
		SELECT format('pledge %s goes from "%s" to %s when it is "%s"', pledge_id, from_status, to_status, before) FROM steps WHERE from_status <> before
		UNION ALL
		SELECT format('pledge %s is %s, its history ends in %s', p.id, p.status, coalesce(t.to_status, 'nothing'))
		FROM pledges p LEFT JOIN LATERAL (
			SELECT to_status FROM pledge_transitions WHERE pledge_id = p.id ORDER BY id DESC LIMIT 1) t ON true
		WHERE t.to_status IS DISTINCT FROM p.status`},
	{"what pledges did is what events told", `
		SELECT format('pledge %s became %s by event "%s", which is not among the applied ones', t.pledge_id, t.to_status, t.event_id)
		FROM pledge_transitions t LEFT JOIN payment_events e ON e.event_id = t.event_id AND e.pledge_id = t.pledge_id AND e.outcome = 'applied'
		WHERE t.cause LIKE 'payment.%' AND e.event_id IS NULL
		UNION ALL
		SELECT format('event %s (%s) was applied to pledge %s and has left no step', e.event_id, e.type, e.pledge_id)
		FROM payment_events e WHERE e.outcome = 'applied' AND NOT (` + ofRaise + ` AND (e.type NOT IN ('payment.refunded', 'payment.disputed', 'payment.reinstated')
			OR EXISTS (SELECT FROM pledge_raises r WHERE r.id = e.body ->> 'subject_id' AND r.status <> 'paid')))
		AND NOT EXISTS (SELECT FROM pledge_transitions t WHERE t.event_id = e.event_id AND t.pledge_id = e.pledge_id)`},
	{"receipts are given to all who paid, once", `
		SELECT format('receipt %s has %s pledges', receipt_number, count(*)) FROM pledges WHERE receipt_number IS NOT NULL
		GROUP BY receipt_number HAVING count(*) > 1
		UNION ALL
		SELECT format('pledge %s was paid and has receipt "%s" of "%s"', p.id, p.receipt_number, p.paid_at)
		FROM pledges p WHERE ` + everPaid + ` AND (coalesce(p.receipt_number, '') = '' OR p.paid_at IS NULL)
		UNION ALL
		SELECT format('pledge %s was never paid and has receipt "%s" of "%s"', p.id, p.receipt_number, p.paid_at)
		FROM pledges p WHERE NOT ` + everPaid + ` AND (p.receipt_number IS NOT NULL OR p.paid_at IS NOT NULL)
		UNION ALL
		SELECT format('pledge %s: its receipt is of %s, it was paid %s', p.id, p.paid_at, t.at)
		FROM pledges p JOIN LATERAL (SELECT at FROM pledge_transitions WHERE pledge_id = p.id AND to_status = 'paid' ORDER BY id LIMIT 1) t ON true
		WHERE p.paid_at <> t.at`},
	// Only of the last week, because the outbox deletes sent messages after that.
	{"backers are told of their money", `
		SELECT format('event %s (%s) of pledge %s: no %s was sent', e.event_id, e.type, e.pledge_id, m.kind)
		FROM payment_events e JOIN (VALUES ('payment.succeeded', 'mail.receipt'), ('payment.refunded', 'mail.refund')) AS m (type, kind) USING (type)
		LEFT JOIN outbox o ON o.dedupe_key = m.kind || ':' || e.event_id
		WHERE e.outcome = 'applied' AND e.received_at > @weekAgo AND o.id IS NULL AND NOT (e.type = 'payment.succeeded' AND ` + ofRaise + `)`},
	// Only of the last week, as above.
	{"what was taken back says when, and its backer was told", `
		SELECT format('pledge %s was taken back at %s and given up at "%s"', t.pledge_id, t.at, p.released_at)
		FROM pledge_transitions t JOIN pledges p ON p.id = t.pledge_id
		WHERE t.to_status = 'withdrawn' AND t.from_status <> 'withdrawn' AND t.at IS DISTINCT FROM p.released_at
		UNION ALL
		SELECT format('pledge %s was taken back at %s, and no mail has said so', t.pledge_id, t.at)
		FROM pledge_transitions t LEFT JOIN outbox o ON o.dedupe_key = 'mail.withdrawal:' || t.pledge_id
		WHERE t.to_status = 'withdrawn' AND t.from_status <> 'withdrawn' AND t.at > @weekAgo AND o.id IS NULL`},
	// Only of the last week, as above.
	{"what was changed led to what a pledge is, and its backer was told", `
		WITH steps AS (SELECT c.id, c.number, c.pledge_id, c.from_minor, c.to_minor, c.before -> 'lines' AS lines,
			lag(c.to_minor, 1, p.charged_minor - coalesce((SELECT sum(r.amount_minor) FROM pledge_raises r WHERE r.pledge_id = p.id AND r.status = 'paid'), 0)::bigint) OVER w AS before, lead(c.from_minor, 1, p.amount_minor) OVER w AS after, row_number() OVER w AS place
			FROM pledge_changes c JOIN pledges p ON p.id = c.pledge_id WINDOW w AS (PARTITION BY c.pledge_id ORDER BY c.number))
		SELECT format('change %s (%s) of pledge %s goes from %s to %s, it was %s and is %s', id, number, pledge_id, from_minor, to_minor, before, after) FROM steps
		WHERE number <> place OR from_minor <> before OR to_minor <> after
		   OR from_minor <> (SELECT coalesce(sum((l ->> 'amount_minor')::bigint), 0) FROM jsonb_array_elements(lines) l)
		UNION ALL
		SELECT format('pledge %s is of %s, %s was paid, %s of the difference is back', p.id, p.amount_minor, p.charged_minor, p.change_refunded_minor) FROM pledges p
		WHERE (p.charged_minor IS NOT NULL) <> EXISTS (SELECT FROM pledge_changes WHERE pledge_id = p.id)
		   OR p.change_refunded_minor > coalesce(p.charged_minor, p.amount_minor) - p.amount_minor
		UNION ALL
		SELECT format('pledge %s was changed at %s, and no mail has said so', c.pledge_id, c.at)
		FROM pledge_changes c LEFT JOIN outbox o ON o.dedupe_key = 'mail.pledge_changed:' || c.id WHERE c.at > @weekAgo AND o.id IS NULL`},
	{"backer numbers are given once", `
		SELECT format('campaign %s: number %s has %s pledges', campaign_id, backer_number, count(*)) FROM pledges
		WHERE backer_number IS NOT NULL GROUP BY campaign_id, backer_number HAVING count(*) > 1
		UNION ALL
		SELECT format('pledge %s was paid, and nothing that its backer paid to the campaign has a backer number', min(p.id)) FROM pledges p WHERE ` + everPaid + `
		GROUP BY p.campaign_id, CASE WHEN p.user_id IS NOT NULL THEN p.user_id::text WHEN p.email <> '' THEN '@' || lower(p.email)
			ELSE '#' || coalesce(p.erased_with, p.id) END
		HAVING count(p.backer_number) = 0`},
	// The pledge keeps the prices that the backer saw; its tax rate is in the next check.
	{"a pledge's price adds up", `
		SELECT format('pledge %s is of %s, its lines add up to %s', p.id, p.amount_minor, l.total)
		FROM pledges p CROSS JOIN LATERAL (SELECT coalesce(sum((l ->> 'amount_minor')::bigint), 0) AS total FROM jsonb_array_elements(p.lines) l) l
		WHERE l.total <> p.amount_minor
		UNION ALL
		SELECT format('pledge %s is in %s, its campaign in %s', p.id, p.currency, c.currency)
		FROM pledges p JOIN campaigns c ON c.id = p.campaign_id WHERE p.currency <> c.currency
		UNION ALL
		SELECT format('pledge %s: %s refunded of %s', id, amount_refunded_minor, amount_minor) FROM pledges
		WHERE amount_refunded_minor NOT BETWEEN 0 AND amount_minor`},
	// Tax is included in the reward and its added cost, not in free support; half a cent goes up.
	{"the tax in a pledge is that of what was bought", `
		SELECT format('pledge %s: tax of %s in %s, wanted %s', p.id, p.vat_minor, taxed.minor, tax.wanted)
		FROM pledges p
		CROSS JOIN LATERAL (
			SELECT coalesce(sum((l ->> 'amount_minor')::numeric), 0) AS minor FROM jsonb_array_elements(p.lines) WITH ORDINALITY AS x (l, place)
			WHERE p.reward_id IS NOT NULL AND (place = 1 OR l ->> 'label' NOT IN ('Vapaa lisä', 'Extra support', 'Extra stöd'))) taxed
		CROSS JOIN LATERAL (SELECT coalesce((p.bought ->> 'vat_tenths')::numeric, 0) AS rate) rate
		CROSS JOIN LATERAL (SELECT div(2 * taxed.minor * rate + 1000 + rate, 2 * (1000 + rate)) AS wanted) tax
		WHERE p.vat_minor <> tax.wanted`},
	{"no pledge waits past its time", `
		SELECT format('pledge %s is %s, reserved until %s', id, status, reserved_until) FROM pledges
		WHERE status IN ('created', 'awaiting_payment') AND reserved_until < @lapsed
		UNION ALL
		SELECT format('pledge %s is in processing since %s', p.id, t.at)
		FROM pledges p JOIN LATERAL (SELECT max(at) AS at FROM pledge_transitions WHERE pledge_id = p.id AND to_status = 'processing') t ON true
		WHERE p.status = 'processing' AND t.at < @bankAgo`},
	{"nothing that content sends is stuck", `
		SELECT format('message %s (%s) after %s tries: %s', id, kind, attempts, coalesce(last_error, '')) FROM outbox WHERE done_at IS NULL`},
	{"nothing of pledges is later than now", `
		SELECT format('%s %s: %s', v.what, v.id, v.at) FROM (
			SELECT 'pledge' AS what, id, at FROM pledges CROSS JOIN LATERAL (VALUES (created_at), (updated_at), (paid_at), (released_at)) AS t (at)
			UNION ALL SELECT 'step of pledge', pledge_id, at FROM pledge_transitions
			UNION ALL SELECT 'event', event_id, received_at FROM payment_events) v
		WHERE v.at > @ahead`},
}
