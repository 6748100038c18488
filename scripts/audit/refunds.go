package audit

// position is SQL for the balance of attempt c's charge in one class of accounts, in minor units, credits positive. That the movement's charge is not
// empty has PostgreSQL use the index of charges: without it each of thousands of charges reads the whole book.
func position(class string) string {
	return `(SELECT coalesce(-sum(e.amount_minor), 0) FROM ` + booked + `
		WHERE t.provider = c.provider AND t.charge_ref = c.charge_ref AND t.charge_ref <> '' AND a.class = '` + class + `')`
}

// isDeferred is true of a refund that its provider takes at its next check, weeks from when it was asked at most.
const isDeferred = `coalesce(deferred_until = next_check_at AND deferred_until < updated_at + interval '5 weeks' AND deferred_until > @yesterday, false)`

// bankHasIt is true of a refund r while a dispute of its charge is undecided.
const bankHasIt = `EXISTS (SELECT FROM disputes d WHERE d.attempt_id = r.attempt_id AND (d.status = 'open' OR d.status NOT IN ('lost', 'returned') AND d.withdrawn_minor > 0))`

// refundChecks are about refunds, and the refunded sums of payments.
var refundChecks = []query{
	// A refund's status says which movements it has: taken from our balance, come back, sent another way.
	{"refunds stand as the ledger says", `
		SELECT format('refund %s (%s) of %s is %s; in the ledger: taken %s, failed %s, by hand %s', r.id, r.provider_ref, r.amount_minor, r.status,
			l.taken, l.failed, l.by_hand)
		FROM refunds r CROSS JOIN LATERAL (
			SELECT coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund' AND reference = r.provider_ref), 0) AS taken,
			       coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund_failed' AND reference = r.provider_ref), 0) AS failed,
			       coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund_by_hand' AND reference = r.id), 0) AS by_hand
			FROM ledger_transactions WHERE provider = r.provider AND kind IN ('refund', 'refund_failed', 'refund_by_hand')
			AND reference IN (r.provider_ref, r.id)) l
		CROSS JOIN LATERAL (VALUES (CASE r.status
			WHEN 'succeeded' THEN l.taken = r.amount_minor AND l.failed = 0 AND l.by_hand = 0
			WHEN 'by_hand' THEN l.by_hand = r.amount_minor AND (l.failed = l.taken OR r.made_twice AND l.taken = r.amount_minor)
			WHEN 'creating' THEN l.taken = 0 AND l.failed = 0 AND l.by_hand = 0
			WHEN 'pending' THEN l.taken IN (0, r.amount_minor) AND l.failed = 0 AND l.by_hand = 0 AND NOT (r.owed AND l.taken > 0)
			ELSE l.taken IN (0, r.amount_minor) AND (l.failed = l.taken OR r.made_twice) AND l.by_hand = 0 END)) AS v (fits)
		WHERE NOT v.fits`},
	// The posting that promises a refund (refund_begun) may be of less than the refund, when a part of it was owed
	// already. What is owed for refunds that a dispute or another refund has made needless is withdrawn in one posting for
	// all of them.
	{"every refund in the ledger has a refund", `
		SELECT format('transaction %s (%s %s) of %s %s: %s', t.id, t.kind, t.reference, t.amount_minor, t.currency,
			coalesce(format('refund %s is of %s %s and charge %s', r.id, r.amount_minor, r.currency, c.charge_ref), 'no refund has it'))
		FROM ledger_transactions t
		LEFT JOIN refunds r ON r.provider = t.provider AND CASE WHEN t.kind IN ('refund', 'refund_failed') THEN r.provider_ref = t.reference
			WHEN t.kind = 'refund_by_hand' THEN r.id = t.reference
			ELSE r.id = split_part(t.reference, ':', 1) AND EXISTS (SELECT FROM generate_series(1, r.bookings) n WHERE t.reference = r.id || ':' || n) END
		LEFT JOIN attempts c ON c.id = r.attempt_id
		WHERE t.kind IN ('refund', 'refund_failed', 'refund_by_hand', 'refund_begun', 'refund_withdrawn') AND NOT t.reference LIKE 'overtaken:%'
		AND ((r.currency, c.charge_ref) IS DISTINCT FROM (t.currency, t.charge_ref)
			OR CASE WHEN t.kind IN ('refund_begun', 'refund_withdrawn') THEN t.amount_minor > r.amount_minor ELSE t.amount_minor <> r.amount_minor END)
		UNION ALL
		SELECT format('transaction %s (%s %s) of charge %s: no refund of it was overtaken', t.id, t.kind, t.reference, t.charge_ref)
		FROM ledger_transactions t WHERE t.reference LIKE 'overtaken:%' AND (t.kind <> 'refund_withdrawn' OR NOT EXISTS (
			SELECT FROM refunds r JOIN attempts c ON c.id = r.attempt_id AND c.charge_ref = t.charge_ref AND r.status IN ('canceled', 'repeated')))`},
	// What stands in owed_to_backers is what refunds promise. When a bank has taken a part of a charge, less may be left
	// than a waiting refund asks for: that stays owed, and is promised when the refund is sent.
	{"what is owed is what refunds promise", `
		SELECT format('charge %s: %s owed, refunds promise %s', c.charge_ref, v.owed, v.promised)
		FROM attempts c CROSS JOIN LATERAL (
			SELECT ` + position("owed_to_backers") + ` AS owed, coalesce(sum(amount_minor) FILTER (WHERE owed), 0) AS promised,
			       coalesce(sum(amount_minor) FILTER (WHERE NOT owed AND status IN ('creating', 'failed')), 0) AS waiting
			FROM refunds r WHERE r.attempt_id = c.id) v
		WHERE v.owed - v.promised NOT BETWEEN 0 AND v.waiting
		UNION ALL
		SELECT format('refund %s is %s and its sum is owed still', id, status) FROM refunds WHERE owed AND status NOT IN ('creating', 'pending', 'failed')`},
	// Refunds can exceed their charge only when somebody refunded in the provider's dashboard; the excess is booked as
	// a loss. A refund is repeated by a smaller one when a dispute or the dashboard has returned a part of it
	// meanwhile, or when a part of it was such a loss.
	{"refunds fit their charge", `
		SELECT format('charge %s: refunds of %s, it took %s', c.charge_ref, v.refunds, c.amount_minor)
		FROM attempts c CROSS JOIN LATERAL (
			SELECT coalesce(sum(amount_minor), 0) AS refunds, (SELECT coalesce(-sum(e.amount_minor), 0) FROM ` + booked + `
				WHERE t.provider = c.provider AND t.charge_ref = c.charge_ref AND t.charge_ref <> '' AND a.class = 'loss' AND a.name <> '` + givenUp + `') AS gain
			FROM refunds WHERE attempt_id = c.id AND status IN ('creating', 'pending', 'succeeded', 'by_hand')) v
		WHERE v.refunds > c.amount_minor - v.gain
		UNION ALL
		SELECT format('refund %s of payment %s in %s, charge "%s" (%s) of payment %s in %s', r.id, r.payment_id, r.currency, c.charge_ref, c.status,
			c.payment_id, c.currency)
		FROM refunds r JOIN attempts c ON c.id = r.attempt_id
		LEFT JOIN LATERAL (SELECT r.payment_id, c.charge_ref) t ON true
		WHERE (r.currency, r.provider) <> (c.currency, c.provider) OR c.status NOT IN ('succeeded', 'held') OR r.payment_id <> c.payment_id AND NOT ` + attached + `
		UNION ALL
		SELECT format('refund %s is %s (%s); %s takes its place, of %s instead of %s', r.id, r.status, r.failure_code, n.id, n.amount_minor,
			r.amount_minor)
		FROM refunds r FULL JOIN refunds n ON n.repeats = r.id
		WHERE (r.status = 'repeated') IS DISTINCT FROM (n.id IS NOT NULL) AND r.id IS NOT NULL
		OR (n.currency, n.attempt_id) <> (r.currency, r.attempt_id)
		OR n.amount_minor <> r.amount_minor AND NOT (n.amount_minor < r.amount_minor AND r.failure_code IN ('charge_disputed', 'dispute_appealed', 'made_elsewhere', 'made_twice'))`},
	// A payment's refunded sum never falls: a refund that failed after it was settled is still in it. It is never above
	// the payment's own sum.
	{"a payment's refunded sum is its refunds'", `
		SELECT format('payment %s: %s refunded, its refunds have settled %s and lost %s again', p.id, p.amount_refunded_minor, r.settled, r.lost)
		FROM payments p CROSS JOIN LATERAL (
			SELECT coalesce(sum(amount_minor) FILTER (WHERE status IN ('succeeded', 'by_hand')), 0) AS settled,
			       coalesce(sum(amount_minor) FILTER (WHERE status NOT IN ('succeeded', 'by_hand') AND settled_at IS NOT NULL), 0) AS lost
			FROM refunds WHERE attempt_id = p.paid_attempt_id) r
		WHERE p.amount_refunded_minor NOT BETWEEN least(r.settled, p.amount_minor) AND least(r.settled + r.lost, p.amount_minor)
		UNION ALL
		SELECT format('refund %s is %s and has settled "%s"', id, status, settled_at) FROM refunds
		WHERE status IN ('succeeded', 'by_hand') AND settled_at IS NULL OR status = 'creating' AND settled_at IS NOT NULL`},
	{"no refund waits without a reason", `
		SELECT format('refund %s of %s is %s since %s (%s)', r.id, r.amount_minor, r.status, r.created_at, r.failure_code) FROM refunds r
		WHERE r.status = 'creating' AND NOT ` + bankHasIt + ` AND NOT ` + isDeferred + ` OR r.status = 'failed' AND NOT EXISTS (
			SELECT FROM operator_actions o WHERE o.action = 'resolve' AND o.after ->> 'anomaly' = 'refund_failed:' || r.id) OR r.status = 'pending' AND r.created_at < @refundAgo`},
}

// disputeChecks are about disputes, and the statuses of payments.
var disputeChecks = []query{
	{"disputes stand as the ledger says", `
		SELECT format('charge %s: disputes have taken %s, cost %s and lost %s; in the ledger %s, %s and %s', c.charge_ref, d.withdrawn, d.fee, d.lost,
			l.withdrawn, l.fee, l.lost)
		FROM attempts c
		CROSS JOIN LATERAL (
			SELECT coalesce(sum(withdrawn_minor), 0) AS withdrawn, coalesce(sum(fee_minor), 0) AS fee,
			       coalesce(sum(withdrawn_minor) FILTER (WHERE status = 'lost'), 0) AS lost
			FROM disputes WHERE attempt_id = c.id) d
		CROSS JOIN LATERAL (
			SELECT coalesce(sum(CASE kind WHEN 'dispute_opened' THEN amount_minor WHEN 'debit_returned' THEN amount_minor WHEN 'dispute_won' THEN -amount_minor END), 0) AS withdrawn,
			       coalesce(sum(CASE kind WHEN 'dispute_fee' THEN amount_minor WHEN 'dispute_fee_returned' THEN -amount_minor END), 0) AS fee,
			       coalesce(sum(CASE kind WHEN 'dispute_lost' THEN amount_minor WHEN 'dispute_lost_reversed' THEN -amount_minor END), 0) AS lost
			FROM ledger_transactions t WHERE t.provider = c.provider AND t.charge_ref = c.charge_ref AND t.charge_ref <> '') l
		WHERE (d.withdrawn, d.fee, d.lost) <> (l.withdrawn, l.fee, l.lost)`},
	{"a hold is what open disputes have taken", `
		SELECT format('charge %s: %s on hold, undecided disputes have %s', c.charge_ref, v.hold, v.undecided)
		FROM attempts c CROSS JOIN LATERAL (
			SELECT -` + position("dispute_hold") + ` AS hold, coalesce(sum(withdrawn_minor) FILTER (WHERE status NOT IN ('lost', 'returned')), 0) AS undecided
			FROM disputes WHERE attempt_id = c.id) v
		WHERE v.hold <> v.undecided
		UNION ALL
		SELECT format('charge %s: %s is contested and no dispute is undecided', c.charge_ref, ` + position("disputed_funds") + `)
		FROM attempts c WHERE ` + position("disputed_funds") + ` <> 0
		AND NOT EXISTS (SELECT FROM disputes d WHERE d.attempt_id = c.id AND d.status NOT IN ('lost', 'returned') AND d.withdrawn_minor > 0)`},
	{"what a bank keeps is moved to where it was taken", `
		SELECT format('dispute %s: %s of %s were moved, next at "%s" after %s refusals', provider_ref, repaid_minor, repay_minor, repay_at, repay_refusals)
		FROM disputes WHERE repay_minor > repaid_minor AND (repay_at IS NULL OR repay_at < @yesterday OR repay_at > @tomorrow
			OR NOT EXISTS (SELECT FROM anomalies a WHERE a.kind = 'dispute_stuck' AND a.reference = provider_ref))
			OR repay_minor <= repaid_minor AND repay_at IS NOT NULL
		UNION ALL
		SELECT format('charge %s: %s were moved for its disputes, in the ledger %s; of %s that banks keep of backers'' money %s is to be', c.charge_ref,
			d.repaid, l.moved, l.kept, d.repay)
		FROM attempts c
		CROSS JOIN LATERAL (SELECT coalesce(sum(repaid_minor), 0) AS repaid, coalesce(sum(repay_minor), 0) AS repay FROM disputes WHERE attempt_id = c.id) d
		CROSS JOIN LATERAL (
			SELECT coalesce(sum(e.amount_minor) FILTER (WHERE t.kind = 'place_move' AND a.name LIKE '%:repudiation'), 0) AS moved,
				coalesce(sum(e.amount_minor) FILTER (WHERE t.provider = 'mangopay' AND t.kind IN ('debit_returned', 'dispute_lost', 'dispute_lost_reversed')
					AND a.class IN ('backer_funds', 'disputed_funds', 'owed_to_backers', 'held_funds')), 0) AS kept
			FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id
			WHERE t.provider = c.provider AND t.charge_ref = c.charge_ref AND t.charge_ref <> '') l
		WHERE d.repaid <> l.moved OR d.repay <> l.kept`},
	{"disputes fit their charge", `
		SELECT format('dispute %s of payment %s in %s (%s of %s), charge "%s" (%s) of payment %s in %s', d.provider_ref, d.payment_id, d.currency,
			d.withdrawn_minor, d.amount_minor, c.charge_ref, c.status, c.payment_id, c.currency)
		FROM disputes d JOIN attempts c ON c.id = d.attempt_id LEFT JOIN LATERAL (SELECT d.payment_id, c.charge_ref) t ON true
		WHERE (d.currency, d.provider) <> (c.currency, c.provider) OR c.status NOT IN ('succeeded', 'held') OR d.withdrawn_minor NOT BETWEEN 0 AND d.amount_minor
		OR d.payment_id <> c.payment_id AND NOT ` + attached},
	// A full refund decides the status; else a dispute, and then a partial refund.
	{"a payment stands as its money does", `
		SELECT format('payment %s is %s, its money says %s (%s of %s refunded)', p.id, p.status, v.wanted, p.amount_refunded_minor, p.amount_minor)
		FROM payments p CROSS JOIN LATERAL (VALUES (CASE
			WHEN p.amount_refunded_minor >= p.amount_minor THEN 'refunded'
			WHEN EXISTS (SELECT FROM disputes d WHERE d.attempt_id = p.paid_attempt_id AND d.status IN ('open', 'lost', 'returned')) THEN 'disputed'
			WHEN p.amount_refunded_minor > 0 THEN 'partly_refunded' ELSE 'succeeded' END)) AS v (wanted)
		WHERE p.paid_attempt_id IS NOT NULL AND p.status <> v.wanted
		UNION ALL
		SELECT format('payment %s is %s and no attempt paid it', id, status) FROM payments
		WHERE paid_attempt_id IS NULL AND (status IN ('succeeded', 'refunded', 'partly_refunded', 'disputed') OR amount_refunded_minor <> 0)`},
}
