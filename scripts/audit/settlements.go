package audit

// restored is what became payable to a creator again, since a debt ended that they had paid, or more was taken back of a transfer than they owed, with the
// run that sends it.
const restored = `SELECT t.id, t.provider, t.currency, p.campaign_id, p.subject_kind, CAST(split_part(a.name, ':', 3) AS bigint) AS payee_id, -sum(e.amount_minor) AS minor,
		max(s.run_id) AS run_id
	FROM ` + booked + ` JOIN payments p ON p.id = t.payment_id LEFT JOIN settlement_restored s ON s.transaction_id = t.id
	WHERE t.kind IN ('refund_withdrawn', 'dispute_lost_reversed') AND a.class = 'creator_payable' GROUP BY t.id, a.name, p.id HAVING sum(e.amount_minor) < 0
	UNION ALL SELECT t.id, t.provider, t.currency, coalesce(v.campaign_id, r.campaign_id), CASE WHEN r.month IS NULL THEN 'pledge' ELSE 'subscription' END, v.payee_id, v.amount_minor - v.paid_minor, s.run_id
	FROM transfer_reversals v JOIN settlement_runs r ON r.id = v.run_id
	JOIN ledger_transactions t ON (t.provider, t.kind, t.reference) = (v.provider, 'transfer_reversed', v.ref)
	LEFT JOIN settlement_restored s ON s.transaction_id = t.id WHERE v.state = 'done' AND v.paid_minor < v.amount_minor`

// settlementChecks are about the money of campaigns on its way to their creators, in the payment service's database alone.
var settlementChecks = []query{
	{"a payout goes to a bank account of its creator that was in use", `
		SELECT format('payout %s of run %s at %s went to %s, which is no bank account of %s that was paid to then', m.try, m.run_id, m.at, m.destination, m.payee_ref)
		FROM settlement_moves m WHERE m.kind = 'payout' AND NOT EXISTS (SELECT FROM payee_banks b JOIN payees y ON y.id = b.payee_id
			WHERE y.provider = m.provider AND y.ref = m.payee_ref AND b.ref = m.destination AND b.pays_from <= m.at)`},
	{"a bank account that takes another's place is paid to later", `
		SELECT format('bank account %s is paid to from %s, it is in use since %s and is not the first of its account', b.id, b.pays_from, b.active_at)
		FROM payee_banks b WHERE b.pays_from < b.active_at + interval '3 days'
			AND EXISTS (SELECT FROM payee_banks o WHERE o.payee_id = b.payee_id AND o.active_at < b.active_at)`},
	{"a run is what its lines are, and what was released", `
		SELECT format('run %s is of %s lines and %s with %s = %s fee (%s tax) + %s + %s, its lines are %s and %s = %s (%s) + %s + %s', r.id, r.lines, r.gross_minor,
			r.released_minor, r.fee_minor, r.vat_minor, r.reserve_minor, r.net_minor, l.lines, l.gross, l.fee, l.vat, l.reserve, l.net)
		FROM settlement_runs r CROSS JOIN LATERAL (SELECT count(*) AS lines, coalesce(sum(gross_minor) FILTER (WHERE left_at IS NULL), 0) AS gross,
				coalesce(sum(fee_minor) FILTER (WHERE left_at IS NULL), 0) AS fee, coalesce(sum(vat_minor) FILTER (WHERE left_at IS NULL), 0) AS vat,
				coalesce(sum(reserve_minor) FILTER (WHERE left_at IS NULL), 0) AS reserve, coalesce(sum(net_minor) FILTER (WHERE left_at IS NULL), 0) AS net
			FROM settlement_lines WHERE run_id = r.id AND version = r.version) l
		WHERE r.state NOT IN ('counting', 'approved', 'void')
			AND (r.lines, r.gross_minor, r.fee_minor, r.vat_minor, r.reserve_minor, r.net_minor) IS DISTINCT FROM (l.lines, l.gross, l.fee, l.vat, l.reserve, l.net + r.released_minor)
		UNION ALL
		SELECT format('run %s sends %s of earlier runs, %s are released and %s restored', r.id, r.released_minor, k.minor, b.minor) FROM settlement_runs r
		CROSS JOIN LATERAL (SELECT coalesce(sum(released_minor), 0) AS minor FROM settlement_reserves WHERE sent_by = r.id) k
		CROSS JOIN LATERAL (SELECT coalesce(sum(minor), 0) AS minor FROM (` + restored + `) o WHERE run_id = r.id) b
		WHERE r.state NOT IN ('counting', 'void') AND k.minor + b.minor <> r.released_minor
		UNION ALL
		SELECT format('run %s (%s, campaign %s, user %s) sends what movement %s has not restored to its creator', r.id, r.state, r.campaign_id, r.payee_id, s.transaction_id)
		FROM settlement_restored s JOIN settlement_runs r ON r.id = s.run_id LEFT JOIN (` + restored + `) o ON o.id = s.transaction_id
		WHERE r.state IN ('counting', 'void') OR (o.provider, o.currency, o.payee_id, o.campaign_id, o.subject_kind) IS DISTINCT FROM
			(r.provider, r.currency, r.payee_id, r.campaign_id, CASE WHEN r.month IS NULL THEN 'pledge' ELSE 'subscription' END)
		UNION ALL
		SELECT format('what run %s kept back until %s is sent by run %s, which is %s of campaign %s to %s from %s', k.run_id, k.due_on, s.id, s.state, s.campaign_id, s.payee_ref, s.place)
		FROM settlement_reserves k JOIN settlement_runs r ON r.id = k.run_id JOIN settlement_runs s ON s.id = k.sent_by
		WHERE s.state IN ('counting', 'void') OR s.id = r.id
			OR (s.campaign_id, s.provider, s.payee_id, s.place, s.currency) <> (r.campaign_id, r.provider, r.payee_id, r.place, r.currency)`},
	{"a line is a paid pledge of its run's campaign, or a month of its support", `
		SELECT format('line %s of run %s, campaign %s at %s until %s, is of payment %s: %s of campaign %s, charge "%s" at %s on %s', l.charge_ref, r.id, r.campaign_id, r.provider,
			r.month, p.id, p.subject_kind, p.campaign_id, a.charge_ref, a.provider, p.paid_on)
		FROM settlement_lines l JOIN settlement_runs r ON r.id = l.run_id LEFT JOIN payments p ON p.id = l.payment_id LEFT JOIN attempts a ON a.id = p.paid_attempt_id
		WHERE (p.campaign_id, p.subject_kind, a.provider, a.charge_ref) IS DISTINCT FROM (r.campaign_id, CASE WHEN r.month IS NULL THEN 'pledge' ELSE 'subscription' END, r.provider, l.charge_ref)
			OR r.month IS NOT NULL AND p.paid_on >= r.month + interval '1 month'
		UNION ALL
		SELECT format('run %s is of campaign %s, whose money is the %s', r.id, r.campaign_id, coalesce(e.goes_to, 'nobody''s: it goes on'))
		FROM settlement_runs r LEFT JOIN campaign_endings e ON e.campaign_id = r.campaign_id WHERE r.month IS NULL AND e.goes_to IS DISTINCT FROM 'creator'
		UNION ALL
		SELECT format('run %s is of %s, run %s before it of %s', r.id, r.month, o.id, o.month) FROM settlement_runs r JOIN settlement_runs o USING (campaign_id, provider)
		WHERE o.number < r.number AND o.month >= r.month AND o.state <> 'void' AND r.state <> 'void'`},
	{"a run is divided by the rates of its campaign's end, or its month's", `
		SELECT format('run %s of campaign %s goes by the rates from %s, it ended on %s, when those from %s held', r.id, r.campaign_id, r.rates_from, d.day, d.rates)
		FROM settlement_runs r CROSS JOIN LATERAL (
			SELECT e.day, (SELECT max(from_day) FROM settlement_rates WHERE from_day <= e.day) AS rates FROM (
				SELECT (ended_at AT TIME ZONE 'Europe/Helsinki')::date AS day FROM campaign_endings WHERE r.month IS NULL AND campaign_id = r.campaign_id
				UNION ALL SELECT (r.month + interval '1 month')::date - 1 WHERE r.month IS NOT NULL) e) d
		WHERE r.state <> 'counting' AND r.version > 0 AND r.rates_from IS DISTINCT FROM d.rates
		UNION ALL
		SELECT format('run %s takes %s with %s of tax of %s and keeps %s back, by its rates %s, %s, %s', w.id, w.fee, w.vat, w.gross, w.reserve, w.must_fee,
			w.must_fee - round(w.must_fee * 10000.0 / (10000 + w.vat_points)), w.must_reserve)
		FROM (SELECT r.id, sum(l.gross_minor) AS gross, sum(l.fee_minor) AS fee, sum(l.vat_minor) AS vat, sum(l.reserve_minor) AS reserve, s.vat_points,
				round(sum(l.gross_minor) * s.fee_points / 10000.0) AS must_fee, round(sum(l.gross_minor) * s.reserve_points / 10000.0) AS must_reserve
			FROM settlement_runs r JOIN settlement_rates s ON s.from_day = r.rates_from JOIN settlement_lines l ON l.run_id = r.id AND l.version = r.version
			GROUP BY r.id, s.from_day) w
		WHERE (w.fee, w.reserve) <> (w.must_fee, w.must_reserve) OR abs(w.vat - (w.must_fee - w.must_fee * 10000.0 / (10000 + w.vat_points))) > 0.5
		UNION ALL
		SELECT format('line %s of run %s: %s of %s is fee, %s of it tax, %s kept back; its part of the whole is %s, %s, %s', l.charge_ref, l.run_id, l.fee_minor, l.gross_minor,
			l.vat_minor, l.reserve_minor, l.gross_minor * w.fee / w.gross, l.gross_minor * w.vat / w.gross, l.gross_minor * w.reserve / w.gross)
		FROM settlement_lines l JOIN (SELECT run_id, version, sum(gross_minor)::numeric AS gross, sum(fee_minor) AS fee, sum(vat_minor) AS vat, sum(reserve_minor) AS reserve
			FROM settlement_lines GROUP BY 1, 2) w USING (run_id, version)
		WHERE w.gross > 0 AND (abs(l.fee_minor - l.gross_minor * w.fee / w.gross) > 1 OR abs(l.vat_minor - l.gross_minor * w.vat / w.gross) > 2
			OR abs(l.reserve_minor - l.gross_minor * w.reserve / w.gross) > 2)`},
	{"a run is approved by others than its proposer", `
		SELECT format('run %s of %s is %s; who approved it: %s', r.id, w.gross, r.state, coalesce(a.people, 'nobody'))
		FROM settlement_runs r JOIN LATERAL (SELECT sum(gross_minor) AS gross, bool_or(booked_at IS NOT NULL) AS has_booked FROM settlement_lines
			WHERE run_id = r.id AND version = r.version) w ON true
		LEFT JOIN LATERAL (SELECT count(DISTINCT lower(btrim(actor))) AS n, string_agg(actor, ', ') AS people, min(at) AS first FROM settlement_approvals a
			WHERE EXISTS (SELECT FROM operators o WHERE o.is_operator AND lower(btrim(o.name)) = lower(btrim(a.actor)) AND o.at <= a.at) AND run_id = r.id AND hash = r.hash AND lower(btrim(actor)) <> lower(btrim(r.proposed_by))) a ON true
		WHERE (r.state NOT IN ('counting', 'proposed', 'void') OR w.has_booked) AND a.n < CASE WHEN coalesce(w.gross, 0) + r.released_minor > 500000 THEN 2 ELSE 1 END
			AND NOT (r.state = 'booked' AND EXISTS (SELECT FROM settlement_steps s WHERE s.run_id = r.id AND s.reason = 'account_changed')) -- it waits for its approval for another account
		UNION ALL
		SELECT format('run %s was proposed by %s and approved by %s', a.run_id, r.proposed_by, a.actor)
		FROM settlement_approvals a JOIN settlement_runs r ON r.id = a.run_id WHERE lower(btrim(a.actor)) = lower(btrim(r.proposed_by)) OR a.proposed_by <> r.proposed_by`},
	{"a line is booked as it is frozen", `
		WITH posted AS (
			SELECT t.provider, t.reference, t.charge_ref, t.payment_id, t.amount_minor, t.payee_id,
				coalesce(-sum(e.amount_minor) FILTER (WHERE a.class IN ('platform_revenue', 'vat')), 0) AS fee,
				coalesce(-sum(e.amount_minor) FILTER (WHERE a.class = 'vat'), 0) AS vat, coalesce(-sum(e.amount_minor) FILTER (WHERE a.class = 'reserve'), 0) AS reserve,
				coalesce(-sum(e.amount_minor) FILTER (WHERE a.class = 'creator_payable'), 0) AS net
			FROM ` + booked + ` WHERE t.kind = 'settlement' GROUP BY t.id),
		lines AS (SELECT l.*, r.provider, r.payee_id, r.state, r.id || ':' || l.charge_ref AS reference, l.version = r.version AS is_now
			FROM settlement_lines l JOIN settlement_runs r ON r.id = l.run_id)
		SELECT format('line %s of run %s is booked at %s: %s = %s (%s) + %s + %s for %s, in the ledger %s = %s (%s) + %s + %s for %s', l.charge_ref, l.run_id, l.booked_at,
			l.gross_minor, l.fee_minor, l.vat_minor, l.reserve_minor, l.net_minor, l.payee_id, p.amount_minor, p.fee, p.vat, p.reserve, p.net, p.payee_id)
		FROM lines l LEFT JOIN posted p ON p.provider = l.provider AND p.reference = l.reference
		WHERE l.booked_at IS NOT NULL AND l.gross_minor > 0 AND (p.charge_ref, p.payment_id, p.amount_minor, p.fee, p.vat, p.reserve, p.net, p.payee_id)
				IS DISTINCT FROM (l.charge_ref, l.payment_id, l.gross_minor, l.fee_minor, l.vat_minor, l.reserve_minor, l.net_minor, l.payee_id)
			OR l.booked_at IS NOT NULL AND NOT l.is_now
		UNION ALL
		SELECT format('line %s of run %s is not booked, the run is %s', l.charge_ref, l.run_id, l.state) FROM lines l
		WHERE l.is_now AND l.booked_at IS NULL AND l.left_at IS NULL AND l.state NOT IN ('counting', 'proposed', 'approved', 'void')
		UNION ALL
		SELECT format('line %s of run %s is over, the run is %s', l.charge_ref, l.run_id, l.state) FROM lines l
		WHERE (l.booked_at IS NOT NULL OR l.left_at IS NOT NULL) AND l.state IN ('counting', 'proposed')
		UNION ALL
		SELECT format('settlement %s of %s is of no booked line of its run', p.reference, p.amount_minor) FROM posted p
		JOIN settlement_runs r ON r.id = split_part(p.reference, ':', 1)
		WHERE NOT EXISTS (SELECT FROM lines l WHERE l.reference = p.reference AND l.booked_at IS NOT NULL AND l.gross_minor > 0)`},
	{"what is sent to creators is what runs say", `
		SELECT format('%s %s of run %s (%s): %s and %s for us from %s to %s, the run is %s of %s less %s', m.kind, m.try, m.run_id, m.state, m.amount_minor, m.fee_minor,
			m.from_place, m.destination, r.state, r.net_minor, r.offset_minor)
		FROM settlement_moves m JOIN settlement_runs r ON r.id = m.run_id
		WHERE (m.provider, m.currency) IS DISTINCT FROM (r.provider, r.currency) OR m.kind = 'transfer' AND (m.from_place <> r.place OR m.fee_minor > r.fee_minor)
			OR NOT (m.kind = 'transfer' AND m.state IN ('burned', 'refused')) -- which another account may have taken the place of
				AND (m.payee_ref, CASE m.kind WHEN 'transfer' THEN m.destination ELSE m.from_place END) IS DISTINCT FROM (r.payee_ref, r.to_place)
			OR m.kind = 'payout' AND m.fee_minor <> 0
			OR m.state <> 'burned' AND m.state <> 'refused' AND m.amount_minor <> r.net_minor - r.offset_minor - coalesce((
				SELECT sum(greatest(k.amount_minor - coalesce((SELECT sum(x.amount_minor) FROM settlement_returns x
					WHERE (x.run_id, x.kind, x.try) = (k.run_id, k.kind, k.try) AND x.at <= m.at), 0), 0))
				FROM settlement_moves k WHERE k.run_id = m.run_id AND k.kind = m.kind AND k.try < m.try AND k.state IN ('done', 'returned')), 0)
				- CASE m.kind WHEN 'payout' THEN coalesce((SELECT sum(v.amount_minor) FROM transfer_reversals v WHERE v.run_id = m.run_id AND v.state = 'done' AND v.ended_at <= m.at), 0)
					ELSE 0 END
		UNION ALL
		SELECT format('payout %s of run %s came back with %s, its parts are %s', m.try, m.run_id, m.returned_minor, x.minor)
		FROM settlement_moves m CROSS JOIN LATERAL (SELECT coalesce(sum(amount_minor), 0) AS minor, count(*) FILTER (WHERE ref = m.returned_ref) AS first
			FROM settlement_returns x WHERE (x.run_id, x.kind, x.try) = (m.run_id, m.kind, m.try)) x
		WHERE m.kind = 'payout' AND (x.minor <> m.returned_minor OR x.first <> CASE m.state WHEN 'returned' THEN 1 ELSE 0 END)
		UNION ALL
		SELECT format('run %s is %s, with %s transfers and %s payouts open, %s and %s done', r.id, r.state, o.transfers, o.payouts, o.sent, o.paid)
		FROM settlement_runs r CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE kind = 'transfer' AND state = 'open') ::int AS transfers,
				count(*) FILTER (WHERE kind = 'payout' AND state = 'open')::int AS payouts, count(*) FILTER (WHERE kind = 'transfer' AND state = 'done')::int AS sent,
				least(count(*) FILTER (WHERE kind = 'payout' AND state = 'done'), CASE WHEN count(*) FILTER (WHERE state = 'returned') > 0 AND r.state <> 'paid' THEN 0 ELSE 1 END)::int
					AS paid FROM settlement_moves WHERE run_id = r.id) o
		WHERE (o.transfers, o.payouts, o.sent, o.paid) <> CASE r.state WHEN 'sending' THEN (1, 0, 0, 0) WHEN 'sent' THEN (0, 0, 1, 0) WHEN 'paying' THEN (0, 1, 1, 0)
			WHEN 'paid' THEN CASE WHEN r.offset_minor = r.net_minor THEN (0, 0, 0, 0) WHEN r.reason IN ('paid_debts', 'taken_back') THEN (0, 0, 1, o.paid) ELSE (0, 0, 1, 1) END ELSE (0, 0, 0, 0) END`},
	{"what was sent to creators is booked", `
		WITH must AS (
			SELECT m.provider, 'transfer' AS kind, m.ref, m.amount_minor, r.payee_id, 'provider_clearing:' || m.provider || ':' || m.from_place AS account, -m.amount_minor AS minor
			FROM settlement_moves m JOIN settlement_runs r ON r.id = m.run_id WHERE m.kind = 'transfer' AND m.state = 'done'
			UNION ALL
			SELECT m.provider, 'place_move', m.ref || ':fee', m.fee_minor, NULL, 'provider_clearing:' || m.provider || ':' || m.from_place, -m.fee_minor
			FROM settlement_moves m WHERE m.kind = 'transfer' AND m.state = 'done' AND m.fee_minor > 0
			UNION ALL
			SELECT m.provider, 'creator_payout', m.ref, m.amount_minor, r.payee_id, 'at_creator:' || m.provider || ':' || r.payee_id, -m.amount_minor
			FROM settlement_moves m JOIN settlement_runs r ON r.id = m.run_id WHERE m.kind = 'payout' AND m.state IN ('done', 'returned')
			UNION ALL
			SELECT m.provider, 'creator_payout_returned', x.ref, w.minor, r.payee_id, 'at_creator:' || m.provider || ':' || r.payee_id, w.minor
			FROM settlement_returns x JOIN settlement_moves m USING (run_id, kind, try) JOIN settlement_runs r ON r.id = m.run_id
			CROSS JOIN LATERAL (SELECT CASE x.ref WHEN m.returned_ref THEN greatest(m.amount_minor, x.amount_minor) ELSE x.amount_minor END AS minor) w
			UNION ALL
			SELECT m.provider, 'creator_payout_kept', x.ref, m.amount_minor - x.amount_minor, r.payee_id, 'at_creator:' || m.provider || ':' || r.payee_id,
				x.amount_minor - m.amount_minor
			FROM settlement_returns x JOIN settlement_moves m USING (run_id, kind, try) JOIN settlement_runs r ON r.id = m.run_id
			WHERE x.ref = m.returned_ref AND x.amount_minor < m.amount_minor
			UNION ALL
			SELECT v.provider, 'transfer_reversed', v.ref, v.amount_minor, v.payee_id, 'at_creator:' || v.provider || ':' || v.payee_id, -v.amount_minor
			FROM transfer_reversals v WHERE v.state = 'done'
			UNION ALL
			SELECT v.provider, 'transfer_reversed', v.ref, v.amount_minor, v.payee_id, 'provider_clearing:' || v.provider || ':' || v.place, v.amount_minor
			FROM transfer_reversals v WHERE v.state = 'done')
		SELECT format('%s %s of %s for %s should move %s by %s, in the ledger is %s for %s, which moves it by %s', m.kind, m.ref, m.amount_minor, m.payee_id, m.account, m.minor,
			t.amount_minor, t.payee_id, e.minor)
		FROM must m LEFT JOIN ledger_transactions t ON t.provider = m.provider AND t.kind = m.kind AND t.reference = m.ref
		LEFT JOIN LATERAL (SELECT sum(x.amount_minor) AS minor FROM ledger_entries x JOIN ledger_accounts a ON a.id = x.account_id AND a.name = m.account
			WHERE x.transaction_id = t.id) e ON true
		WHERE (t.amount_minor, t.payee_id, e.minor) IS DISTINCT FROM (m.amount_minor, m.payee_id, m.minor)
		UNION ALL
		SELECT format('%s %s of %s is of no run', t.kind, t.reference, t.amount_minor) FROM ledger_transactions t
		WHERE t.kind IN ('transfer', 'transfer_reversed', 'creator_payout', 'creator_payout_returned', 'creator_payout_kept')
			AND NOT EXISTS (SELECT FROM must m WHERE m.provider = t.provider AND m.kind = t.kind AND m.ref = t.reference)`},
	{"what of a run has paid debts is in the ledger", `
		SELECT format('%s of run %s has paid debts, in the ledger %s', r.offset_minor, r.id, o.minor) FROM settlement_runs r
		CROSS JOIN LATERAL (SELECT coalesce(sum(amount_minor), 0) AS minor FROM ledger_transactions
			WHERE kind = 'debt_offset' AND provider = r.provider AND split_part(reference, ':', 1) = r.id) o
		WHERE o.minor <> r.offset_minor
		UNION ALL
		SELECT format('%s of reversal %s of run %s has paid debts, in the ledger %s', v.paid_minor, v.ref, v.run_id, o.minor) FROM transfer_reversals v
		CROSS JOIN LATERAL (SELECT coalesce(sum(amount_minor), 0) AS minor FROM ledger_transactions
			WHERE kind = 'debt_offset' AND provider = v.provider AND split_part(reference, ':', 1) = v.id) o
		WHERE o.minor <> v.paid_minor`},
	{"what was taken back is of its run's transfer", `
		SELECT format('reversal %s (%s) of %s is of transfer %s to %s for %s, run %s has sent %s to %s for %s', v.id, v.state, v.amount_minor, v.transfer_ref, v.payee_ref, v.payee_id,
			v.run_id, m.ref, m.payee_ref, r.payee_id)
		FROM transfer_reversals v JOIN settlement_runs r ON r.id = v.run_id LEFT JOIN settlement_moves m ON m.run_id = v.run_id AND m.kind = 'transfer' AND m.state = 'done'
		WHERE (v.provider, v.transfer_ref, v.payee_ref, v.payee_id, v.currency) IS DISTINCT FROM (r.provider, m.ref, m.payee_ref, r.payee_id, r.currency)
		UNION ALL
		SELECT format('reversal %s of run %s is of campaign %s, in %s', v.id, v.run_id, coalesce(v.campaign_id, r.campaign_id), v.place)
		FROM transfer_reversals v JOIN settlement_runs r ON r.id = v.run_id
		WHERE NOT EXISTS (SELECT FROM settlement_runs o WHERE (o.provider, o.campaign_id, o.place) = (v.provider, coalesce(v.campaign_id, r.campaign_id), v.place))
		UNION ALL
		SELECT format('%s were taken back of run %s, which has sent %s', v.minor, m.run_id, m.amount_minor) FROM settlement_moves m
		JOIN (SELECT run_id, sum(amount_minor) AS minor FROM transfer_reversals WHERE state IN ('open', 'done') GROUP BY 1) v USING (run_id)
		WHERE m.kind = 'transfer' AND m.state = 'done' AND v.minor > m.amount_minor
		UNION ALL
		SELECT format('run %s is over (%s), of %s that it has sent %s were taken back', r.id, r.reason, m.amount_minor, v.minor)
		FROM settlement_runs r JOIN settlement_moves m ON m.run_id = r.id AND m.kind = 'transfer' AND m.state = 'done'
		CROSS JOIN LATERAL (SELECT coalesce(sum(amount_minor), 0) + coalesce((SELECT sum(amount_minor - returned_minor) FROM settlement_moves WHERE run_id = r.id AND state = 'returned'), 0) AS minor
			FROM transfer_reversals WHERE run_id = r.id AND state = 'done') v
		WHERE r.state = 'paid' AND r.reason IN ('paid_debts', 'taken_back') AND v.minor < m.amount_minor`},
	{"what is payable to a creator covers what is to be sent", `
		SELECT format('%s is to be sent to user %s at %s, %s is payable', w.minor, w.payee_id, w.provider, b.minor)
		FROM (SELECT provider, payee_id, currency, sum(minor) AS minor FROM (
			SELECT r.provider, r.payee_id, r.currency, l.net - r.offset_minor AS minor FROM settlement_runs r
			CROSS JOIN LATERAL (SELECT coalesce(sum(net_minor), 0) AS net FROM settlement_lines WHERE run_id = r.id AND version = r.version AND booked_at IS NOT NULL) l
			WHERE r.state IN ('approved', 'booked', 'sending')
			UNION ALL
			SELECT r.provider, r.payee_id, r.currency, k.released_minor FROM settlement_reserves k JOIN settlement_runs r ON r.id = k.run_id
			LEFT JOIN settlement_runs s ON s.id = k.sent_by WHERE coalesce(s.state, 'counting') IN ('counting', 'proposed', 'approved', 'booked', 'sending')
			UNION ALL
			SELECT o.provider, o.payee_id, o.currency, o.minor FROM (` + restored + `) o
			LEFT JOIN settlement_runs s ON s.id = o.run_id WHERE coalesce(s.state, 'counting') IN ('counting', 'proposed', 'approved', 'booked', 'sending')) p GROUP BY 1, 2, 3) w
		CROSS JOIN LATERAL (SELECT coalesce(-sum(e.amount_minor), 0) AS minor FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id
			WHERE a.name = 'creator_payable:' || w.provider || ':' || w.payee_id AND a.currency = w.currency) b
		WHERE b.minor < w.minor`},
	{"a run goes on, or waits for somebody", `
		SELECT format('run %s of campaign %s is %s (%s) and was to go on at %s', id, campaign_id, state, reason, next_at) FROM settlement_runs WHERE next_at < @yesterday
		UNION ALL
		SELECT format('run %s of campaign %s is %s (%s) and nobody looks at it', id, campaign_id, state, reason) FROM settlement_runs
		WHERE next_at IS NULL AND NOT (state IN ('proposed', 'paid', 'void') OR state = 'sent' AND reason IN ('payout_failed', 'payout_returned') OR reason IN ('amount_differs', 'bank_changed'))
		UNION ALL
		SELECT format('%s of run %s is on its way since %s', kind, run_id, at) FROM settlement_moves WHERE state = 'open' AND at < @yesterday::timestamptz - interval '9 days'
		UNION ALL
		SELECT format('reversal %s of run %s is asked for since %s, and was to be looked at at %s', id, run_id, at, next_at) FROM transfer_reversals
		WHERE next_at < @yesterday OR state = 'open' AND at < @yesterday::timestamptz - interval '9 days'`},
	{"a run's history leads to where it is", `
		SELECT format('run %s is %s, its last step led to %s', r.id, r.state, coalesce(s.to_state, 'nowhere')) FROM settlement_runs r
		LEFT JOIN LATERAL (SELECT to_state FROM settlement_steps WHERE run_id = r.id ORDER BY id DESC LIMIT 1) s ON true WHERE s.to_state IS DISTINCT FROM r.state
		UNION ALL
		SELECT format('step %s (%s) of run %s leads from %s to %s, the one before to %s', id, event, run_id, from_state, to_state, was) FROM (
			SELECT *, lag(to_state, 1, '') OVER (PARTITION BY run_id ORDER BY id) AS was FROM settlement_steps) s
		WHERE from_state <> was OR (event, from_state, to_state) NOT IN (SELECT * FROM (VALUES ('begun', '', 'counting'), ('frozen', 'counting', 'proposed'),
			('frozen', 'proposed', 'proposed'), ('frozen', 'approved', 'proposed'), ('agreed', 'proposed', 'approved'), ('voided', 'counting', 'void'), ('voided', 'proposed', 'void'),
			('voided', 'approved', 'void'), ('all_booked', 'approved', 'booked'), ('asked', 'booked', 'sending'), ('none_left', 'booked', 'paid'), ('arrived', 'sending', 'sent'),
			('refused', 'sending', 'booked'), ('none_left', 'booked', 'paid'), ('none_left', 'sent', 'paid'), ('asked_out', 'sent', 'paying'), ('paid_out', 'paying', 'paid'), ('out_failed', 'paying', 'sent'), ('came_back', 'paid', 'sent')) AS x)
			AND NOT (event IN ('waits', 'resumed') AND from_state = to_state)`},
	{"what a run keeps back has its day", `
		WITH must AS (
			SELECT l.run_id, CASE WHEN a.method = 'debit' THEN (b.day + s.reserve_debit_months * interval '1 month')::date ELSE b.day + s.reserve_days END AS due_on,
				sum(l.reserve_minor) AS minor
			FROM settlement_runs r JOIN settlement_rates s ON s.from_day = r.rates_from
			JOIN settlement_lines l ON l.run_id = r.id AND l.version = r.version AND l.booked_at IS NOT NULL
			JOIN payments p ON p.id = l.payment_id JOIN attempts a ON a.id = p.paid_attempt_id
			CROSS JOIN LATERAL (SELECT (max(at) AT TIME ZONE 'Europe/Helsinki')::date AS day FROM settlement_steps WHERE run_id = r.id AND event = 'all_booked') b
			WHERE r.state NOT IN ('counting', 'proposed', 'approved', 'void') GROUP BY 1, 2 HAVING sum(l.reserve_minor) > 0)
		SELECT format('run %s keeps %s back until %s, its lines %s until %s', coalesce(m.run_id, k.run_id), k.kept_minor, k.due_on, m.minor, m.due_on)
		FROM must m FULL JOIN settlement_reserves k ON k.run_id = m.run_id AND k.due_on = m.due_on WHERE m.minor IS DISTINCT FROM k.kept_minor
		UNION ALL
		SELECT format('what run %s kept back until %s was to be looked at at %s', run_id, due_on, next_at) FROM settlement_reserves WHERE next_at < @yesterday
		UNION ALL
		SELECT format('what run %s kept back until %s was released at %s', run_id, due_on, released_at) FROM settlement_reserves
		WHERE released_at < due_on::timestamp AT TIME ZONE 'Europe/Helsinki'
		UNION ALL
		SELECT format('run %s keeps %s back until %s and waits until %s', run_id, kept_minor - used_minor, due_on, next_at) FROM settlement_reserves
		WHERE waits_for = '' AND next_at > (due_on + 1)::timestamp AT TIME ZONE 'Europe/Helsinki' + interval '1 hour'`},
	{"a run's fee has its document", `
		SELECT format('run %s has a fee of %s (%s of tax) from %s on, its document %s says %s + %s on %s', coalesce(m.id, d.run_id), m.fee_minor, m.vat_minor, m.day,
			d.year || '-' || d.number, d.net_minor, d.vat_minor, d.issued_on)
		FROM (SELECT r.id, r.currency, r.fee_minor, r.vat_minor, s.vat_points, s.vat_country, b.day FROM settlement_runs r JOIN settlement_rates s ON s.from_day = r.rates_from
			CROSS JOIN LATERAL (SELECT (max(at) AT TIME ZONE 'Europe/Helsinki')::date AS day FROM settlement_steps WHERE run_id = r.id AND event = 'all_booked') b
			WHERE r.state NOT IN ('counting', 'proposed', 'approved', 'void') AND r.fee_minor > 0) m
		FULL JOIN fee_documents d ON d.run_id = m.id
		WHERE (m.fee_minor, m.vat_minor, m.currency, m.vat_points, m.vat_country, m.day) IS DISTINCT FROM (d.net_minor + d.vat_minor, d.vat_minor, d.currency, d.vat_points, d.vat_country, d.issued_on)
		UNION ALL
		SELECT format('document %s-%s comes after %s of %s', year, number, was, earlier) FROM (
			SELECT year, number, issued_on, lag(number, 1, 0) OVER s AS was, lag(issued_on) OVER s AS earlier FROM fee_documents WINDOW s AS (PARTITION BY year ORDER BY number)) d
		WHERE number <> was + 1 OR issued_on < earlier`},
	{"what was kept back is in the ledger as it stands", `
		WITH moved AS (
			SELECT t.kind, t.reference, t.provider, t.amount_minor, t.payee_id, split_part(t.reference, ':', 1) AS run_id, split_part(t.reference, ':', 2) AS due_on
			FROM ledger_transactions t WHERE t.kind IN ('reserve_used', 'reserve_released'))
		SELECT format('of what run %s kept back until %s, %s have paid debts and %s are released, in the ledger %s and %s', k.run_id, k.due_on, k.used_minor, k.released_minor, m.used, m.released)
		FROM settlement_reserves k JOIN settlement_runs r ON r.id = k.run_id
		CROSS JOIN LATERAL (SELECT coalesce(sum(amount_minor) FILTER (WHERE kind = 'reserve_used'), 0) AS used, coalesce(sum(amount_minor) FILTER (WHERE kind = 'reserve_released'), 0) AS released
			FROM moved WHERE run_id = k.run_id AND due_on = k.due_on::text AND provider = r.provider AND payee_id = r.payee_id) m
		WHERE (m.used, m.released) <> (k.used_minor, k.released_minor)
		UNION ALL
		SELECT format('%s %s of %s is of nothing that a run has kept back', kind, reference, amount_minor) FROM moved m
		WHERE NOT EXISTS (SELECT FROM settlement_reserves k WHERE k.run_id = m.run_id AND k.due_on::text = m.due_on)
		UNION ALL
		SELECT format('%s is %s, runs keep %s back there', a.name, a.minor, k.minor)
		FROM (SELECT a.name, a.currency, -sum(e.amount_minor) AS minor, -coalesce(sum(e.amount_minor) FILTER (WHERE t.kind = 'settlement'
				AND NOT EXISTS (SELECT FROM settlement_runs r WHERE r.id = split_part(t.reference, ':', 1))), 0) AS other
			FROM ` + booked + ` WHERE a.class = 'reserve' GROUP BY a.id) a
		CROSS JOIN LATERAL (SELECT a.other + coalesce(sum(k.kept_minor - k.used_minor - k.released_minor), 0) AS minor FROM settlement_reserves k JOIN settlement_runs r ON r.id = k.run_id
			WHERE a.name = 'reserve:' || r.provider || ':' || r.payee_id AND a.currency = r.currency AND r.state <> 'approved') k
		WHERE a.minor <> k.minor + coalesce((SELECT sum(l.reserve_minor) FROM settlement_runs r JOIN settlement_lines l ON l.run_id = r.id AND l.version = r.version AND l.booked_at IS NOT NULL
			WHERE r.state = 'approved' AND a.name = 'reserve:' || r.provider || ':' || r.payee_id AND a.currency = r.currency), 0)`},
	{"a creator's debt is given up by two people", `
		SELECT format('write-off %s of %s is %s, proposed by %s and ended by "%s"; in the ledger are %s', w.id, w.amount_minor, w.state, w.proposed_by, w.ended_by, t.minor)
		FROM debt_write_offs w CROSS JOIN LATERAL (SELECT coalesce(sum(amount_minor), 0) AS minor, coalesce(bool_and(t.actor = w.ended_by), true) AS is_theirs FROM ledger_transactions t
			WHERE t.kind = 'write_off' AND split_part(t.reference, ':', 1) = w.id AND (t.provider, t.payee_id, t.currency) = (w.provider, w.payee_id, w.currency)) t
		WHERE NOT t.is_theirs OR t.minor <> CASE w.state WHEN 'approved' THEN w.amount_minor ELSE 0 END OR w.state = 'approved' AND lower(btrim(w.proposed_by)) = lower(btrim(w.ended_by))
		UNION ALL
		SELECT format('%s of %s that nobody has approved were given up', t.reference, t.amount_minor) FROM ledger_transactions t
		WHERE t.kind = 'write_off' AND NOT EXISTS (SELECT FROM debt_write_offs w WHERE w.id = split_part(t.reference, ':', 1))`},
}
