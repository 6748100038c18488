package audit

import "context"

// claimChecks are about claims, in the content service's database alone.
var claimChecks = []query{
	{"a claim is where its last step led", `
		SELECT format('claim %s is %s, its last step led to %s', c.reference, c.state, coalesce(m.to_state, 'nothing'))
		FROM claims c LEFT JOIN LATERAL (SELECT to_state FROM claim_messages WHERE claim_id = c.id ORDER BY id DESC LIMIT 1) m ON true
		WHERE m.to_state IS DISTINCT FROM c.state
		UNION ALL
		SELECT format('claim %s waits in %s since %s, its time is over', reference, state, due_at) FROM claims
		WHERE state IN ('open', 'resend_offered', 'part_offered', 'promised') AND due_at < @yesterday`},
	{"what claims came to is agreed once", `
		SELECT format('claim %s came to %s, %s of it are agreed to go back', c.reference, m.minor, r.minor) FROM claims c
		CROSS JOIN LATERAL (SELECT coalesce(sum(amount_minor), 0) AS minor FROM claim_messages WHERE claim_id = c.id AND to_state IN ('agreed', 'decided')) m
		CROSS JOIN LATERAL (SELECT coalesce(sum(amount_minor), 0) AS minor FROM agreed_refunds WHERE claim_id = c.id) r WHERE m.minor <> r.minor`},
	{"the payment service hears of what is agreed", `
		SELECT format('refund %s was agreed at %s, and the payment service was not told', r.id, r.created_at) FROM agreed_refunds r
		WHERE r.begun_minor IS NULL AND r.created_at < @yesterday
		UNION ALL
		SELECT format('pledge %s was changed at %s, and the payment service was not told', pledge_id, at) FROM pledge_changes
		WHERE from_minor > to_minor AND begun_minor IS NULL AND at < @yesterday
		UNION ALL
		SELECT format('of change %s %s was begun, it is %s less', id, begun_minor, from_minor - to_minor) FROM pledge_changes WHERE begun_minor > from_minor - to_minor
		UNION ALL
		SELECT format('of refund %s %s was begun, %s was agreed', id, begun_minor, amount_minor) FROM agreed_refunds WHERE begun_minor > amount_minor`},
}

var claimComparisons = []comparison{{"what is agreed goes back once, and nothing else for that", sameAgreed}}

// agreedRefund is money that goes back because people agreed, as one service says.
type agreedRefund struct {
	ID, Pledge, Reason string
	Minor              int64
}

func (s *snapshot) readAgreed(ctx context.Context, contentDB, paymentsDB querier) (err error) {
	s.contentAgreed, err = rows[agreedRefund](ctx, contentDB, "agreed refunds", `SELECT id, pledge_id AS pledge, reason, begun_minor AS minor
		FROM agreed_refunds WHERE begun_minor > 0
		UNION ALL SELECT id, pledge_id, 'changed', begun_minor FROM pledge_changes WHERE begun_minor > 0 ORDER BY 1`)
	if err != nil {
		return err
	}
	s.paymentsAgreed, err = rows[agreedRefund](ctx, paymentsDB, "agreed refunds", `SELECT r.request_key AS id, coalesce(p.further_of, p.subject_id) AS pledge, r.reason, sum(r.amount_minor)::bigint AS minor
		FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE r.repeats IS NULL AND r.request_key <> '' GROUP BY 1, 2, 3 ORDER BY 1`)
	return err
}

// sameAgreed wants one refund for each agreement that the payment service has begun one for, of its sum and reason, and no other refund that
// says it follows from an agreement. One that was begun and whose answer is on its way is known there alone, for a moment.
func sameAgreed(s *snapshot, found func(format string, args ...any)) {
	begun, agreed := map[agreedRefund]bool{}, map[string]bool{}
	for _, r := range s.paymentsAgreed {
		begun[r] = true
	}
	for _, r := range s.contentAgreed {
		agreed[r.ID] = true
		if !begun[r] {
			found("%+v was agreed and begun; the payment service has no such refund", r)
		}
	}
	for _, r := range s.paymentsAgreed {
		if (r.Reason == "claim" || r.Reason == "by_creator" || r.Reason == "changed") && !agreed[r.ID] {
			found("%+v goes back for an agreement that nobody made", r)
		}
	}
}
