package books

// contentChecks hold in the content service's database alone.
var contentChecks = []check{
	{"stock is held by exactly the pledges that hold it", `
		SELECT format('reward %s: %s reserved, pledges hold %s, stock %s', r.id, r.stock_reserved, coalesce(p.held, 0), r.stock)
		FROM rewards r
		LEFT JOIN (SELECT reward_id, sum(quantity) AS held FROM pledges WHERE stock_held GROUP BY reward_id) p ON p.reward_id = r.id
		WHERE r.stock_reserved <> coalesce(p.held, 0) OR (r.stock > 0 AND r.stock_reserved > r.stock)`},
	{"stock is held by the statuses that hold it", `
		SELECT format('pledge %s is %s and stock_held is %s', p.id, p.status, p.stock_held)
		FROM pledges p JOIN rewards r ON r.id = p.reward_id AND r.stock > 0
		WHERE p.stock_held <> (p.status NOT IN ('failed', 'expired', 'refunded'))`},
	{"rewards count those who paid for them", `
		SELECT format('reward %s: counts %s backers, %s paid', r.id, r.backers, count(p.id))
		FROM rewards r LEFT JOIN pledges p ON p.reward_id = r.id AND p.status IN ('paid', 'partly_refunded', 'disputed')
		GROUP BY r.id HAVING r.backers <> count(p.id)`},
	{"totals are what pledges add up to", `
		SELECT format('campaign %s: %s is %s, adds up to %s', t.campaign_id, v.total, v.kept, v.computed)
		FROM campaign_totals t
		LEFT JOIN (
			SELECT campaign_id,
			       sum(amount_minor - amount_refunded_minor) FILTER (WHERE status IN ('paid', 'partly_refunded')) AS reached,
			       sum(amount_minor) FILTER (WHERE status = 'processing') AS settling,
			       count(*) FILTER (WHERE status IN ('paid', 'partly_refunded', 'disputed')) AS backers
			FROM pledges GROUP BY campaign_id) p USING (campaign_id)
		CROSS JOIN LATERAL (VALUES
			('funding_reached', t.funding_reached_minor, coalesce(p.reached, 0)),
			('funding_settling', t.funding_settling_minor, coalesce(p.settling, 0)),
			('backers', t.backers, coalesce(p.backers, 0))) AS v (total, kept, computed)
		WHERE v.kept <> v.computed`},
	{"lists show the totals", `
		SELECT format('campaign %s: %s has %s, totals %s', c.id, v.place, v.shown, v.total)
		FROM campaigns c
		JOIN campaign_totals t ON t.campaign_id = c.id
		CROSS JOIN LATERAL (SELECT CASE WHEN c.hide_funding_amount THEN 0 ELSE t.funding_reached_minor END AS total) x
		CROSS JOIN LATERAL (
			SELECT format('the listing by tag %s and category %s', tag_id, category_id) AS place, funding_reached_minor AS shown, x.total
			FROM campaign_listings WHERE campaign_id = c.id
			UNION ALL
			SELECT format('the preview in %s', language), 100 * (preview ->> 'funding_reached')::numeric, x.total
			FROM campaign_previews WHERE campaign_id = c.id) v
		WHERE v.shown <> v.total`},
	{"a pledge's last transition is its status", `
		SELECT format('pledge %s is %s, its history ends in %s', p.id, p.status, coalesce(t.to_status, 'nothing'))
		FROM pledges p LEFT JOIN LATERAL (
			SELECT to_status FROM pledge_transitions WHERE pledge_id = p.id ORDER BY id DESC LIMIT 1) t ON true
		WHERE t.to_status IS DISTINCT FROM p.status`},
	{"receipts are given once", `
		SELECT format('receipt %s of %s pledges', receipt_number, count(*)) FROM pledges WHERE receipt_number IS NOT NULL
		GROUP BY receipt_number HAVING count(*) > 1`},
	{"no mail is stuck", `
		SELECT format('mail %s (%s) after %s tries: %s', id, kind, attempts, coalesce(last_error, '')) FROM outbox WHERE done_at IS NULL`},
}

// isSettledByHand tells that refund r failed and that a person has seen to it, by sending the money another way.
const isSettledByHand = `(r.status = 'failed' AND EXISTS (SELECT 1 FROM anomalies n
	WHERE n.kind = 'refund_failed' AND n.reference = r.id AND n.resolved_at IS NOT NULL))`

// waitsForDispute tells that the provider does not take refund r before a bank has decided.
const waitsForDispute = `(r.status = 'creating' AND EXISTS (SELECT 1 FROM disputes d WHERE d.attempt_id = r.attempt_id AND d.status = 'open'))`

// paymentChecks hold in the payment service's database alone.
var paymentChecks = []check{
	{"every ledger transaction balances", `
		SELECT format('ledger transaction %s is off by %s', t.id, coalesce(sum(e.amount_minor), 0))
		FROM ledger_transactions t LEFT JOIN ledger_entries e ON e.transaction_id = t.id
		GROUP BY t.id HAVING coalesce(sum(e.amount_minor), 0) <> 0 OR count(e.id) < 2`},
	{"every success is in the ledger, once", `
		SELECT format('attempt %s (%s): charged %s, in the ledger %s times', a.id, a.charge_id, a.amount_minor, count(t.id))
		FROM attempts a LEFT JOIN ledger_transactions t ON t.kind = 'charge' AND t.reference = a.charge_id
		WHERE a.status = 'succeeded' GROUP BY a.id HAVING count(t.id) <> 1`},
	{"every settled refund is in the ledger, once", `
		SELECT format('refund %s (%s): in the ledger %s times', r.id, r.provider_id, count(t.id))
		FROM refunds r LEFT JOIN ledger_transactions t ON t.kind = 'refund' AND t.reference = r.provider_id
		WHERE r.status = 'succeeded' GROUP BY r.id HAVING count(t.id) <> 1`},
	{"one success counts, others go back", `
		SELECT format('payment %s: %s successes, %s given back', p.id, count(a.id), count(r.id))
		FROM payments p JOIN attempts a ON a.payment_id = p.id AND a.status = 'succeeded'
		LEFT JOIN refunds r ON r.attempt_id = a.id AND a.id <> p.paid_attempt_id
			AND (r.status IN ('pending', 'succeeded', 'canceled') OR ` + isSettledByHand + ` OR ` + waitsForDispute + `)
		GROUP BY p.id HAVING count(a.id) - count(r.id) > 1`},
	{"refunds never exceed the payment", `
		SELECT format('payment %s: %s refunded of %s', id, amount_refunded_minor, amount_minor) FROM payments WHERE amount_refunded_minor > amount_minor`},
	{"no refund is stuck", `
		SELECT format('refund %s is %s', r.id, r.status) FROM refunds r
		WHERE r.status IN ('creating', 'failed') AND NOT (` + isSettledByHand + ` OR ` + waitsForDispute + `)`},
	{"disputes are what the ledger says", `
		SELECT format('payment %s: disputes have taken %s and cost %s, in the ledger %s and %s', p.id, d.withdrawn, d.fee, coalesce(l.withdrawn, 0), coalesce(l.fee, 0))
		FROM payments p
		LEFT JOIN (SELECT payment_id, sum(withdrawn_minor) AS withdrawn, sum(fee_minor) AS fee FROM disputes GROUP BY 1) d ON d.payment_id = p.id
		LEFT JOIN (
			SELECT t.payment_id, -sum(e.amount_minor) FILTER (WHERE t.kind IN ('dispute', 'dispute_reversal')) AS withdrawn,
			       -sum(e.amount_minor) FILTER (WHERE t.kind IN ('dispute_fee', 'dispute_fee_reversal')) AS fee
			FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id
			WHERE a.name LIKE 'provider_clearing:%' AND t.kind LIKE 'dispute%' GROUP BY 1) l ON l.payment_id = p.id
		WHERE (coalesce(d.withdrawn, 0), coalesce(d.fee, 0)) <> (coalesce(l.withdrawn, 0), coalesce(l.fee, 0))`},
	{"a payment is disputed while a bank has its money", `
		SELECT format('payment %s is %s', p.id, p.status) FROM payments p
		WHERE p.status <> 'refunded' AND (p.status = 'disputed') <> EXISTS (
			SELECT 1 FROM disputes d WHERE d.attempt_id = p.paid_attempt_id AND d.status IN ('open', 'lost'))`},
	{"no webhook waits", `
		SELECT format('webhook %s (%s) after %s tries: %s', event_id, type, attempts, last_error) FROM webhook_events WHERE status = 'received'`},
	{"no event is undelivered", `
		SELECT format('event %s (%s) after %s tries: %s', id, kind, attempts, coalesce(last_error, '')) FROM outbox WHERE done_at IS NULL`},
	{"no anomaly is open", `
		SELECT format('%s %s: %s', kind, reference, detail) FROM anomalies WHERE resolved_at IS NULL`},
}
