package audit

// booked are the entries with their transactions and accounts.
const booked = `ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id`

// attached is true of a transaction t of a charge that an operator has since attached to another payment: t keeps the
// payment that it was booked for.
const attached = `EXISTS (SELECT FROM operator_actions o WHERE o.action = 'attach' AND o.after ->> 'charge' = t.charge_ref
	AND o.after ->> 'from' = t.payment_id)`

// ledgerChecks are about the ledger by itself, and about the charges and fees in it. What each kind of movement must
// post is checked by replay, with rules.go.
var ledgerChecks = []query{
	{"the chart of accounts is kept", `
		SELECT format('account %s (%s) is %s, %s, guarded %s', a.name, a.currency, a.class, a.type, a.guarded)
		FROM ledger_accounts a LEFT JOIN (VALUES
			('provider_clearing', 'asset', false), ('dispute_hold', 'asset', true), ('bank', 'asset', false), ('vat_input', 'asset', false),
			('backer_funds', 'liability', true), ('disputed_funds', 'liability', true), ('owed_to_backers', 'liability', true),
			('held_funds', 'liability', true), ('suspense', 'liability', false), ('provider_fees', 'expense', false), ('loss', 'expense', false),
			('creator_payable', 'liability', true), ('reserve', 'liability', true), ('creator_debt', 'asset', true),
			('at_creator', 'asset', false), ('creator_held', 'liability', false), ('platform_revenue', 'income', false), ('vat', 'liability', false)
		) AS chart (class, type, guarded) USING (class, type, guarded)
		WHERE chart.class IS NULL OR split_part(a.name, ':', 1) <> a.class OR a.guarded <> EXISTS (SELECT FROM ledger_guards WHERE account_id = a.id)`},
	{"every transaction is whole and balances", `
		SELECT format('transaction %s (%s %s): %s entries of %s, off by %s', t.id, t.kind, t.reference, count(e.id), t.legs, coalesce(sum(e.amount_minor), 0))
		FROM ledger_transactions t LEFT JOIN ledger_entries e ON e.transaction_id = t.id
		GROUP BY t.id HAVING coalesce(sum(e.amount_minor), 0) <> 0 OR count(e.id) <> t.legs
		UNION ALL
		SELECT format('entry %s of transaction %s has no transaction or no account', e.id, e.transaction_id)
		FROM ledger_entries e LEFT JOIN ledger_transactions t ON t.id = e.transaction_id LEFT JOIN ledger_accounts a ON a.id = e.account_id
		WHERE t.id IS NULL OR a.id IS NULL`},
	{"every transaction is in one currency", `
		SELECT format('transaction %s (%s %s) is in %s, an entry in %s on an account in %s', t.id, t.kind, t.reference, t.currency, e.currency, a.currency)
		FROM ` + booked + ` WHERE (e.currency, a.currency) <> (t.currency, t.currency)
		UNION ALL
		SELECT format('transaction %s (%s %s) is in %s, payment %s in %s', t.id, t.kind, t.reference, t.currency, p.id, p.currency)
		FROM ledger_transactions t JOIN attempts c ON c.provider = t.provider AND c.charge_ref = t.charge_ref
		JOIN payments p ON p.paid_attempt_id = c.id WHERE t.currency <> p.currency`},
	{"no guarded account is on its wrong side", `
		SELECT format('%s (%s) stands at %s', a.name, a.currency, sum(e.amount_minor)) FROM ` + booked + `
		WHERE a.guarded GROUP BY a.id HAVING (a.type = 'asset') = (sum(e.amount_minor) < 0) AND sum(e.amount_minor) <> 0
		UNION ALL
		SELECT format('%s (%s) stands at %s of charge %s', a.name, a.currency, sum(e.amount_minor), t.charge_ref) FROM ` + booked + `
		WHERE a.guarded AND a.class NOT IN ('creator_payable', 'reserve') GROUP BY a.id, t.provider, t.charge_ref
		HAVING (a.type = 'asset') = (sum(e.amount_minor) < 0) AND sum(e.amount_minor) <> 0`},
	{"what is at a creator's is held for them", `
		SELECT format('%s of %s: %s there, %s held', v.provider, v.payee, v.there, v.held) FROM (
			SELECT t.provider, split_part(a.name, ':', 3) AS payee, t.currency, sum(e.amount_minor) FILTER (WHERE a.class = 'at_creator') AS there,
			       -sum(e.amount_minor) FILTER (WHERE a.class = 'creator_held') AS held
			FROM ` + booked + ` WHERE a.class IN ('at_creator', 'creator_held') GROUP BY 1, 2, 3) v
		WHERE v.there IS DISTINCT FROM v.held`},
	{"a movement is booked once", `
		SELECT format('%s %s %s is booked %s times', provider, kind, reference, count(*)) FROM ledger_transactions
		GROUP BY provider, kind, reference HAVING count(*) > 1`},
	// A closing (proto-docs/ledger.md) takes the place of the entries up to it wherever a balance is read. Here they are walked through with the closings between
	// them.
	{"each closing of an account is the sum of its entries up to there", `
		SELECT format('%s (%s) was closed up to entry %s at %s, and its entries add up to %s', coalesce(a.name, 'no account'), a.currency, l.id, l.closed, l.minor)
		FROM (SELECT account_id, id, closed, coalesce(sum(amount_minor) OVER (PARTITION BY account_id ORDER BY id, closed IS NOT NULL ROWS UNBOUNDED PRECEDING), 0) AS minor
			FROM (SELECT account_id, id, amount_minor, NULL::bigint AS closed FROM ledger_entries
				UNION ALL SELECT account_id, up_to, NULL, balance_minor FROM ledger_closings) b) l
		LEFT JOIN ledger_accounts a ON a.id = l.account_id WHERE l.closed <> l.minor
		UNION ALL
		SELECT format('account %s is closed up to entry %s, the last one is %s', c.account_id, c.up_to, e.last)
		FROM ledger_closings c CROSS JOIN (SELECT coalesce(max(id), 0) AS last FROM ledger_entries) e WHERE c.up_to > e.last`},
	// A reversal names a movement of the right kind and charge; all reversals of a movement add up to at most its
	// amount.
	{"nothing is reversed twice", `
		SELECT format('transaction %s (%s) reverses %s, which is no such movement of charge "%s"', t.id, t.kind, t.reverses, t.charge_ref)
		FROM ledger_transactions t LEFT JOIN ledger_transactions o ON o.id = t.reverses
		WHERE t.reverses IS NOT NULL AND (o.provider, o.charge_ref, o.kind) IS DISTINCT FROM (t.provider, t.charge_ref,
			CASE t.kind WHEN 'dispute_lost_reversed' THEN 'dispute_lost' WHEN 'refund_withdrawn' THEN 'refund_begun' WHEN 'provider_credit' THEN 'provider_invoice' WHEN 'explained' THEN 'unexplained' WHEN 'explained_out' THEN 'unexplained_out'
			ELSE 'dispute_opened' END)
		UNION ALL
		SELECT format('transaction %s (%s) is reversed by %s of its %s', o.id, o.kind, sum(r.amount_minor), o.amount_minor)
		FROM ledger_transactions o JOIN ledger_transactions r ON r.reverses = o.id AND r.kind NOT IN ('dispute_lost', 'dispute_contested')
		GROUP BY o.id HAVING sum(CASE r.kind WHEN 'dispute_opened' THEN -r.amount_minor ELSE r.amount_minor END) > o.amount_minor
		UNION ALL
		SELECT format('transaction %s (%s) does not say what it reverses', t.id, t.kind)
		FROM ledger_transactions t WHERE t.kind IN ('dispute_lost_reversed', 'provider_credit', 'explained', 'explained_out') AND t.reverses IS NULL`},
	// Of each invoice of a provider, and each credit of one, there is one movement: its sums, where it was paid from, when and by whom.
	{"what providers bill is booked as it is kept", `
		WITH booked AS (SELECT t.*, coalesce(sum(e.amount_minor) FILTER (WHERE a.class = 'provider_fees'), 0) AS fees,
				coalesce(sum(e.amount_minor) FILTER (WHERE a.class = 'vat_input'), 0) AS vat, coalesce(bool_or(a.class = 'suspense'), false) AS is_deducted
			FROM ledger_transactions t LEFT JOIN ledger_entries e ON e.transaction_id = t.id LEFT JOIN ledger_accounts a ON a.id = e.account_id
			WHERE t.kind IN ('provider_invoice', 'provider_credit') GROUP BY t.id),
		kept AS (SELECT i.*, o.number AS of_number, o.is_deducted AS of_deducted, o.currency AS of_currency, o.corrects AS of_corrects,
				CASE WHEN i.corrects IS NULL THEN 1 ELSE -1 END AS sign FROM provider_invoices i LEFT JOIN provider_invoices o ON o.id = i.corrects)
		SELECT format('%s %s %s of %s with %s of tax, deducted %s, for %s, of "%s" by %s at %s; in the ledger %s %s: %s and %s, deducted %s, for %s, at %s',
			CASE k.sign WHEN 1 THEN 'invoice' ELSE 'credit' END, k.provider, k.number, k.amount_minor, k.vat_minor, k.is_deducted, k.period, k.of_number, k.actor,
			k.at, b.kind, b.reference, b.fees, b.vat, b.is_deducted, b.happened_at, b.booked_at)
		FROM kept k FULL JOIN booked b ON b.provider = k.provider AND b.reference = k.number
		LEFT JOIN ledger_transactions r ON r.id = b.reverses
		WHERE k.number IS NULL OR b.reference IS NULL
			OR (b.kind, b.currency, b.fees, b.vat, b.amount_minor, b.is_deducted, b.actor, b.note, b.booked_at, b.happened_at) IS DISTINCT FROM (
				CASE k.sign WHEN 1 THEN 'provider_invoice' ELSE 'provider_credit' END, k.currency, k.sign * k.amount_minor, k.sign * k.vat_minor,
				k.amount_minor + k.vat_minor, k.is_deducted, k.actor, k.note, k.at, least(k.at, (k.period + interval '1 month')::timestamp AT TIME ZONE 'UTC'))
			OR k.corrects IS NOT NULL AND (k.of_number IS DISTINCT FROM r.reference OR k.of_corrects IS NOT NULL
				OR (k.of_deducted, k.of_currency) IS DISTINCT FROM (k.is_deducted, k.currency))
		UNION ALL
		SELECT format('of invoice %s %s %s and %s of tax were taken back, it is of %s and %s', o.provider, o.number, sum(i.amount_minor), sum(i.vat_minor),
			o.amount_minor, o.vat_minor)
		FROM provider_invoices i JOIN provider_invoices o ON o.id = i.corrects GROUP BY o.id
		HAVING sum(i.amount_minor) > o.amount_minor OR sum(i.vat_minor) > o.vat_minor`},
	{"every success is one charge in the ledger", `
		SELECT format('attempt %s of payment %s took %s %s by charge "%s", in the ledger is %s', c.id, c.payment_id, c.amount_minor, c.currency, c.charge_ref,
			coalesce(format('%s %s of payment %s', t.amount_minor, t.currency, t.payment_id), 'nothing'))
		FROM attempts c LEFT JOIN ledger_transactions t ON t.provider = c.provider AND t.kind = 'charge' AND t.reference = c.charge_ref
		WHERE c.status IN ('succeeded', 'held') AND (t.id IS NULL OR c.charge_ref = '' OR (t.amount_minor, t.currency) <> (c.amount_minor, c.currency))
		UNION ALL
		SELECT format('charge %s of %s %s belongs to no attempt that took money', t.reference, t.amount_minor, t.currency)
		FROM ledger_transactions t LEFT JOIN attempts c ON c.provider = t.provider AND c.charge_ref = t.reference AND c.status IN ('succeeded', 'held')
		WHERE t.kind = 'charge' AND c.id IS NULL
		UNION ALL
		SELECT format('charge %s is of %s attempts', charge_ref, count(*)) FROM attempts WHERE charge_ref <> ''
		GROUP BY provider, charge_ref HAVING count(*) > 1`},
	{"a charge's movements are its payment's", `
		SELECT format('transaction %s (%s %s) is of payment "%s", charge %s of payment %s', t.id, t.kind, t.reference, t.payment_id, c.charge_ref, c.payment_id)
		FROM ledger_transactions t JOIN attempts c ON c.provider = t.provider AND c.charge_ref = t.charge_ref
		WHERE t.charge_ref <> '' AND t.payment_id IS DISTINCT FROM c.payment_id AND NOT ` + attached + `
		UNION ALL
		SELECT format('transaction %s (%s %s) is of charge "%s", which no attempt has', t.id, t.kind, t.reference, t.charge_ref)
		FROM ledger_transactions t LEFT JOIN attempts c ON c.provider = t.provider AND c.charge_ref = t.charge_ref AND t.charge_ref <> ''
		WHERE c.id IS NULL AND (t.charge_ref <> '' OR t.payment_id IS NOT NULL)`},
	{"every fee is in the ledger", `
		SELECT format('attempt %s (%s) cost %s, in the ledger is %s', c.id, c.charge_ref, c.fee_minor, coalesce(t.amount_minor::text, 'nothing'))
		FROM attempts c LEFT JOIN ledger_transactions t ON t.provider = c.provider AND t.kind = 'provider_fee' AND t.reference = c.charge_ref
		WHERE c.status IN ('succeeded', 'held') AND coalesce(t.amount_minor, 0) <> coalesce(c.fee_minor, 0)
		UNION ALL
		SELECT format('fee %s of %s belongs to no attempt that took money', t.reference, t.amount_minor)
		FROM ledger_transactions t LEFT JOIN attempts c ON c.provider = t.provider AND c.charge_ref = t.reference AND c.status IN ('succeeded', 'held')
		WHERE t.kind = 'provider_fee' AND c.id IS NULL`},
	{"nothing of money is later than now", `
		SELECT format('%s %s: %s', v.what, v.id, v.at) FROM (
			SELECT 'transaction' AS what, id::text, at FROM ledger_transactions CROSS JOIN LATERAL (VALUES (booked_at), (happened_at)) AS t (at)
			UNION ALL SELECT 'closing of account', account_id::text, made_at FROM ledger_closings
			UNION ALL SELECT 'payment', id, at FROM payments CROSS JOIN LATERAL (VALUES (created_at), (updated_at), (closing_at)) AS t (at)
			UNION ALL SELECT 'step of payment', payment_id, at FROM payment_transitions
			UNION ALL SELECT 'attempt', id::text, at FROM attempts CROSS JOIN LATERAL (VALUES (created_at), (updated_at)) AS t (at)
			UNION ALL SELECT 'refund', id, at FROM refunds CROSS JOIN LATERAL (VALUES (created_at), (updated_at), (settled_at)) AS t (at)
			UNION ALL SELECT 'dispute', id::text, at FROM disputes CROSS JOIN LATERAL (VALUES (opened_at), (created_at), (updated_at)) AS t (at)
			UNION ALL SELECT 'anomaly', id::text, at FROM anomalies CROSS JOIN LATERAL (VALUES (found_at), (seen_at), (resolved_at)) AS t (at)
			UNION ALL SELECT 'act', id::text, at FROM operator_actions
			UNION ALL SELECT 'webhook', event_key, received_at FROM webhook_events
			UNION ALL SELECT 'pass ' || name, slot, at FROM reconcile_runs CROSS JOIN LATERAL (VALUES (started_at), (finished_at)) AS t (at)) v
		WHERE v.at > @ahead`},
}

// A day of the book is hashed once it is over (proto-docs/ledger.md): its text is restated here.
var dayChecks = []query{
	{"each sealed day of the book is as it was sealed", `
		SELECT format('%s was sealed with %s transactions as %s; it has %s now', d.day, d.transactions, d.hash, now.transactions)
		FROM ledger_days d CROSS JOIN LATERAL (
			SELECT count(*) AS transactions, coalesce(string_agg(line || E'\n', '' ORDER BY hour, id), '') AS text FROM (
				SELECT t.id, date_trunc('hour', t.booked_at) AS hour, json_build_array(t.id, t.provider, t.kind, t.reference, t.payment_id, t.charge_ref, t.amount_minor,
					t.currency, t.legs, t.reverses, t.payee_id, t.vat_country, t.actor, t.note,
					to_char(t.happened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), to_char(t.booked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
					(SELECT json_agg(json_build_array(e.id, a.name, a.type, a.currency, e.currency, e.amount_minor) ORDER BY e.id)
						FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE e.transaction_id = t.id))::text AS line
				FROM ledger_transactions t WHERE (t.booked_at AT TIME ZONE 'Europe/Helsinki')::date = d.day) lines) now
		WHERE d.hash <> encode(sha256(convert_to(to_char(d.day, 'YYYY-MM-DD') || E'\n' || d.previous_hash || E'\n' || now.text, 'UTF8')), 'hex')
			OR d.transactions <> now.transactions`},
	{"sealed days follow one another", `
		SELECT format('%s follows on %s', day, coalesce(before::text, 'nothing')) FROM (
			SELECT day, previous_hash, lag(day) OVER (ORDER BY day) AS before, coalesce(lag(hash) OVER (ORDER BY day), '') AS hash_before FROM ledger_days) d
		WHERE previous_hash <> hash_before OR day <> coalesce(before + 1, day)
		UNION ALL
		SELECT format('%s was sealed at %s, before it was over', day, sealed_at) FROM ledger_days
		WHERE sealed_at < (day + 1)::timestamp AT TIME ZONE 'Europe/Helsinki'
		UNION ALL
		SELECT format('transaction %s of %s is on no sealed day', min(t.id), min(t.booked_at)) FROM ledger_transactions t
		WHERE t.booked_at < @yesterday AND NOT EXISTS (SELECT FROM ledger_days d WHERE d.day = (t.booked_at AT TIME ZONE 'Europe/Helsinki')::date
			AND d.sealed_at > t.booked_at)
			AND ((t.booked_at AT TIME ZONE 'Europe/Helsinki')::date + 1)::timestamp AT TIME ZONE 'Europe/Helsinki' < @yesterday
		HAVING count(*) > 0`},
}
