//go:build unix

package audit_test

// moneyBackFaults are planted into refunds and disputes.
func moneyBackFaults() []corruption {
	const (
		refunds  = "refunds stand as the ledger says"
		fit      = "refunds fit their charge"
		total    = "a payment's refunded sum is its refunds'"
		disputes = "disputes stand as the ledger says"
		hold     = "a hold is what open disputes have taken"
		warnings = "warnings of fraud fit their charge"
		warned   = "a warning of fraud stands as its charge does"
		waits    = "no refund waits without a reason"
	)
	return []corruption{
		{what: "a refund is not booked", check: refunds, payments: unbook(`kind = 'refund' AND reference = @full_refund_ref`)},
		{what: "a refund and all that was booked of it are gone", check: "the provider's refunds are ours", payments: unbook(`kind = 'refund' AND reference = @full_refund_ref`) + `;
			` + unbook(`kind = 'refund_begun' AND reference LIKE @full_refund || ':%'`) + `;
			DELETE FROM refunds WHERE id = @full_refund`},
		{what: "a refund was never made", check: "the provider's refunds are ours",
			payments: `UPDATE refunds SET provider_ref = 're_never' WHERE id = @full_refund`},
		{what: "a failed refund stays settled", check: refunds, payments: `UPDATE refunds SET status = 'succeeded' WHERE id = @hand_refund`},
		{what: "a failed refund stays settled, in the ledger too", check: "the provider's refunds are ours", payments: `
			UPDATE refunds SET status = 'succeeded', actor = '' WHERE id = @hand_refund;
			` + unbook(`kind = 'refund_by_hand'`) + `;
			` + unbook(`kind = 'refund_failed' AND charge_ref = @hand_charge`)},
		{what: "a refund by hand is not booked", check: refunds, payments: unbook(`kind = 'refund_by_hand'`)},
		{what: "a failed refund that came back is not booked", check: refunds, payments: unbook(`kind = 'refund_failed' AND charge_ref = @repeated_charge`)},
		{what: "a loss stands of a refund that came back", check: "what is owed is what refunds promise",
			payments: unbook(`kind = 'refund_withdrawn' AND charge_ref = @back_charge`)},
		{what: "a refund that came back takes the campaign's money, not the loss",
			check: "each movement posts what its rule says",
			payments: `UPDATE ledger_entries SET account_id = (SELECT min(id) FROM ledger_accounts WHERE class = 'backer_funds') WHERE amount_minor < 0
				AND transaction_id = (SELECT id FROM ledger_transactions WHERE kind = 'refund_withdrawn' AND charge_ref = @back_charge)`},
		{what: "a refund's promise is not booked", check: "what is owed is what refunds promise", payments: unbook(`kind = 'refund_begun' AND reference LIKE @full_refund || ':%'`)},
		{what: "a settled refund is owed still", check: "what is owed is what refunds promise", payments: `UPDATE refunds SET owed = true WHERE id = @full_refund`},
		{what: "a refund is of more than its charge", check: fit, payments: `UPDATE refunds SET amount_minor = 400000 WHERE id = @full_refund`},
		{what: "a refund is in another currency", check: fit, payments: `UPDATE refunds SET currency = 'SEK' WHERE id = @full_refund`},
		{what: "a refund is another payment's", check: fit, payments: `UPDATE refunds SET payment_id = @plain_payment WHERE id = @full_refund`},
		{what: "a refund is repeated by nothing", check: fit, payments: `UPDATE refunds SET repeats = NULL WHERE repeats = @repeated_refund`},
		{what: "a refund is repeated by a smaller one", check: fit, payments: `UPDATE refunds SET amount_minor = 100 WHERE repeats = @repeated_refund`},
		{what: "a payment has more refunded than its refunds", check: total, payments: `UPDATE payments SET amount_refunded_minor = 1100 WHERE id = @part_payment`},
		{what: "a payment has less refunded than its refunds", check: total, payments: `UPDATE payments SET amount_refunded_minor = 900 WHERE id = @part_payment`},
		{what: "a refund was settled and does not say when", check: total, payments: `UPDATE refunds SET settled_at = NULL WHERE id = @full_refund`},
		{what: "a refund waits for its provider's time, and is looked at another day", check: waits, payments: `
			UPDATE refunds SET status = 'creating', provider_ref = NULL, settled_at = NULL, next_check_at = now(), deferred_until = now() + interval '5 days' WHERE id = @full_refund`},
		{what: "a refund waits for its provider's time for a year", check: waits, payments: `
			UPDATE refunds SET status = 'creating', provider_ref = NULL, settled_at = NULL, next_check_at = updated_at + interval '1 year',
				deferred_until = updated_at + interval '1 year' WHERE id = @full_refund`},
		{what: "a refund is never sent", check: waits, payments: `UPDATE refunds SET status = 'creating', provider_ref = NULL, next_check_at = created_at WHERE id = @full_refund`},
		{what: "a refund is at the bank a month too long", check: waits, payments: `UPDATE refunds SET created_at = created_at - interval '31 days' WHERE status = 'pending'`},
		{what: "a refund has failed", check: waits, payments: `UPDATE refunds SET status = 'failed' WHERE id = @hand_refund`},
		{what: "a dispute is not booked", check: disputes, payments: unbook(`kind = 'dispute_opened' AND charge_ref = @disputed_charge`)},
		{what: "a dispute is not known", check: "the provider's disputes are ours", payments: unbook(`kind LIKE 'dispute%' AND charge_ref = @disputed_charge`) + `;
			DELETE FROM disputes WHERE provider_ref = @disputed_dispute`},
		{what: "a dispute stands otherwise than at the bank", check: "the provider's disputes are ours",
			payments: `UPDATE disputes SET status = 'lost' WHERE provider_ref = @disputed_dispute`},
		{what: "a warning of fraud is of a charge that was never made", check: warnings, payments: `UPDATE fraud_warnings SET attempt_id = 0 WHERE provider_ref = @warned_warning`},
		{what: "a warning of fraud is of an attempt that took nothing", check: warnings, payments: `
			UPDATE fraud_warnings SET attempt_id = (SELECT min(id) FROM attempts WHERE status = 'canceled') WHERE provider_ref = @warned_warning`},
		{what: "a warning of fraud is another payment's", check: warnings, payments: `UPDATE fraud_warnings SET payment_id = @plain_payment WHERE provider_ref = @warned_warning`},
		{what: "a warning of fraud was refunded without a refund", check: warned, payments: `
			UPDATE fraud_warnings SET status = 'refunded', ended_at = created_at WHERE provider_ref = @warned_warning`},
		{what: "the refund of a warning of fraud is gone", check: warned, payments: `DELETE FROM refunds WHERE payment_id = @warned_back_payment`},
		{what: "a warning of fraud is open after all has gone back", check: warned, payments: `
			UPDATE fraud_warnings SET status = 'open', ended_at = NULL WHERE provider_ref = @warned_back_warning`},
		{what: "a warning of fraud is open, and its charge disputed", check: warned, payments: `
			UPDATE fraud_warnings SET status = 'open', ended_at = NULL WHERE provider_ref = @warned_late_warning`},
		{what: "nobody has dismissed a warning of fraud", check: warned, payments: `DELETE FROM operator_actions WHERE action = 'warning_dismissed'`},
		{what: "a warning of fraud is not known", check: "the provider's warnings of fraud are ours", payments: `DELETE FROM fraud_warnings WHERE provider_ref = @warned_warning`},
		{what: "a warning of fraud gives another reason", check: "the provider's warnings of fraud are ours",
			payments: `UPDATE fraud_warnings SET reason = 'misc' WHERE provider_ref = @warned_warning`},
		{what: "a dispute's fee is not told", check: disputes, payments: `UPDATE disputes SET fee_minor = 0 WHERE provider_ref = @lost_dispute`},
		{what: "a dispute has taken less than was booked", check: disputes, payments: `UPDATE disputes SET withdrawn_minor = 100 WHERE provider_ref = @lost_dispute`},
		{what: "a lost dispute's hold stays", check: hold, payments: unbook(`kind = 'dispute_lost' AND charge_ref = @lost_charge`)},
		{what: "a lost dispute is not told", check: disputes, payments: unbook(`kind = 'dispute_lost' AND charge_ref = @lost_charge`)},
		{what: "a won dispute's money is booked as an open one's", check: hold, payments: unbook(`kind = 'dispute_won' AND charge_ref = @won_charge`)},
		{what: "a dispute is another payment's", check: "disputes fit their charge", payments: `UPDATE disputes SET payment_id = @plain_payment WHERE provider_ref = @lost_dispute`},
		{what: "a dispute is in another currency", check: "disputes fit their charge", payments: `UPDATE disputes SET currency = 'SEK' WHERE provider_ref = @lost_dispute`},
	}
}

// peopleFaults are planted into what is left to people, and into what they did.
func peopleFaults() []corruption {
	const (
		closed = "anomalies are closed by somebody who says why"
		kept   = "what people did is kept"
		effect = "what people did had an effect and a reason"
	)
	return []corruption{
		{what: "an anomaly is open", check: "no anomaly is open", payments: `UPDATE anomalies SET resolved_at = NULL, resolved_by = '' WHERE reference = @hand_refund`},
		{what: "an anomaly is closed by nobody", check: closed, payments: `
			ALTER TABLE anomalies DROP CONSTRAINT anomalies_resolved;
			UPDATE anomalies SET resolved_by = '' WHERE reference = @hand_refund`},
		{what: "an anomaly is closed without a reason", check: closed, payments: `UPDATE anomalies SET note = '' WHERE reference = @hand_refund`},
		{what: "an anomaly is closed by somebody who did nothing", check: closed, payments: `UPDATE anomalies SET resolved_by = 'eva' WHERE reference = @hand_refund`},
		{what: "what people did is gone", check: kept, payments: `TRUNCATE operator_actions`},
		{what: "a refund by hand is nobody's act", check: kept, payments: `DELETE FROM operator_actions WHERE action = 'refund_by_hand'`},
		{what: "a refund was asked for by nobody", check: kept, payments: `DELETE FROM operator_actions WHERE action = 'refund' AND payment_id = @full_payment`},
		{what: "held money is returned by nobody", check: kept, payments: `UPDATE operator_actions SET actor = 'eva' WHERE action = 'release_held'`},
		{what: "an act is nobody's", check: kept, payments: `
			ALTER TABLE operator_actions DROP CONSTRAINT operator_actions_actor;
			UPDATE operator_actions SET actor = '' WHERE action = 'attach'`},
		{what: "an act is about no refund", check: effect, payments: `
			INSERT INTO operator_actions (at, actor, note, action, payment_id, before, after)
			SELECT created_at, 'eva', 'because', 'refund', id, '{}', '{"refund": "none"}' FROM payments WHERE id = @plain_payment`},
		{what: "an act is about money that was not held", check: effect, payments: `
			UPDATE operator_actions SET after = after || '{"charge": "ch_none"}' WHERE action = 'release_held'`},
		{what: "an act had no reason", check: effect, payments: `DELETE FROM anomalies WHERE reference = @hand_refund`},
		{what: "an anomaly was closed that never was", check: effect, payments: `
			INSERT INTO operator_actions (at, actor, note, action, before, after)
			SELECT created_at, 'eva', 'because', 'resolve', '{}', '{"anomaly": "refund_failed:none"}' FROM payments WHERE id = @plain_payment`},
	}
}
