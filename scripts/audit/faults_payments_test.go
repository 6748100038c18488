//go:build unix

package audit_test

// paymentFaults are planted into payments, their attempts, and the work that the service has scheduled.
func paymentFaults() []corruption {
	const (
		counts  = "the attempt that counts is its payment's"
		history = "a payment's history is whole"
		next    = "everything open has a next check"
		moved   = "what a bank keeps is moved to where it was taken"
	)
	return []corruption{
		{what: "a paid attempt points at another payment of the provider", check: "each success at the provider is ours",
			payments: `UPDATE attempts SET money_ref = 'pi_elsewhere', object_ref = 'pi_elsewhere' WHERE charge_ref = @plain_charge`},
		{what: "two paid attempts have each other's payments of the provider", check: "each success at the provider is ours", payments: `
			UPDATE attempts SET money_ref = 'x', object_ref = 'x' WHERE charge_ref = @plain_charge;
			UPDATE attempts SET money_ref = @plain_intent, object_ref = @plain_intent WHERE charge_ref = @other_charge;
			UPDATE attempts SET money_ref = @other_intent, object_ref = @other_intent WHERE charge_ref = @plain_charge`},
		{what: "two paid attempts have each other's payments", check: "each success at the provider is ours", payments: `
			UPDATE attempts SET payment_id = @other_payment, number = 2 WHERE charge_ref = @plain_charge;
			UPDATE attempts SET payment_id = @plain_payment WHERE charge_ref = @other_charge;
			UPDATE payments SET paid_attempt_id = (SELECT id FROM attempts WHERE charge_ref = @other_charge) WHERE id = @plain_payment;
			UPDATE payments SET paid_attempt_id = (SELECT id FROM attempts WHERE charge_ref = @plain_charge) WHERE id = @other_payment`},
		{what: "a payment counts another payment's attempt", check: counts,
			payments: `UPDATE payments SET paid_attempt_id = (SELECT paid_attempt_id FROM payments WHERE id = @other_payment) WHERE id = @plain_payment`},
		{what: "a payment counts its second success", check: counts,
			payments: `UPDATE payments SET paid_attempt_id = (SELECT id FROM attempts WHERE charge_ref = @second_charge) WHERE id = @twice_payment`},
		{what: "a paid attempt is not of its payment's sum", check: counts, payments: `UPDATE attempts SET amount_minor = 2400 WHERE charge_ref = @plain_charge`},
		{what: "a paid attempt is in another currency", check: counts, payments: `UPDATE attempts SET currency = 'SEK' WHERE charge_ref = @plain_charge`},
		{what: "a form's payment is another than its object", check: counts, payments: `UPDATE attempts SET object_ref = 'pi_elsewhere' WHERE charge_ref = @plain_charge`},
		{what: "a paid payment without an attempt", check: "a payment stands as its money does", payments: `
			ALTER TABLE payments DROP CONSTRAINT payments_paid;
			UPDATE payments SET paid_attempt_id = NULL WHERE id = @plain_payment`},
		{what: "a disputed payment is said to be paid", check: "a payment stands as its money does",
			payments: `UPDATE payments SET status = 'succeeded' WHERE id = @disputed_payment`},
		{what: "a period has two payments", check: "a subject is paid once", payments: `
			ALTER TABLE payments DROP CONSTRAINT payments_subject;
			INSERT INTO payments SELECT (jsonb_populate_record(p, '{"id": "00000000000000000000000two"}')).* FROM payments p WHERE id = @open_payment`},
		{what: "a payment began after its subject was closed", check: "a subject is paid once",
			payments: `INSERT INTO closed_subjects SELECT subject_kind, subject_id, created_at - interval '1 hour' FROM payments WHERE id = @plain_payment`},
		{what: "the history of a payment is gone", check: history, payments: `DELETE FROM payment_transitions WHERE payment_id = @plain_payment`},
		{what: "the history of all payments is gone", check: history, payments: `TRUNCATE payment_transitions`},
		{what: "the first step of a payment is gone", check: history, payments: `DELETE FROM payment_transitions WHERE payment_id = @plain_payment AND from_status = ''`},
		{what: "a step in the middle is gone", check: history, payments: `DELETE FROM payment_transitions WHERE payment_id = @won_payment AND to_status = 'disputed'`},
		{what: "a step is earlier than the one before", check: history,
			payments: `UPDATE payment_transitions SET at = at - interval '1 day' WHERE payment_id = @plain_payment AND to_status = 'succeeded'`},
		{what: "a payment is where its history did not lead", check: history, payments: `UPDATE payments SET status = 'requires_action' WHERE id = @lapsed_payment`},
		{what: "a payment is open a month too long", check: "no payment is open past its time", payments: `
			UPDATE payments SET closes_at = closes_at - interval '1 month', payable_until = payable_until - interval '1 month' WHERE id = @open_payment`},
		{what: "a payment is in processing a month too long", check: "no payment is open past its time",
			payments: `UPDATE payments SET status = 'processing', closes_at = closes_at - interval '1 month' WHERE id = @open_payment`},
		{what: "a payment that is over can still be paid with us", check: "a payment that is over has no open attempt",
			payments: `UPDATE attempts SET status = 'open', next_check_at = created_at WHERE payment_id = @lapsed_payment`},
		{what: "a refund at the bank is never asked for", check: next, payments: `
			ALTER TABLE refunds DROP CONSTRAINT refunds_due;
			UPDATE refunds SET next_check_at = NULL WHERE status = 'pending'`},
		{what: "a dispute is never asked about", check: next, payments: `UPDATE disputes SET next_check_at = NULL WHERE provider_ref = @disputed_dispute`},
		{what: "what a bank keeps is never moved to where it was taken", check: moved,
			payments: `UPDATE disputes SET repay_minor = withdrawn_minor WHERE provider_ref = @disputed_dispute`},
		{what: "money was moved for a dispute, and the ledger has none of it", check: moved,
			payments: `UPDATE disputes SET repay_minor = 100, repaid_minor = 100 WHERE provider_ref = @disputed_dispute`},
		{what: "an open payment is asked about next year", check: next,
			payments: `UPDATE payments SET next_check_at = next_check_at + interval '1 year' WHERE id = @open_payment`},
		{what: "an open payment was not checked for a month", check: next, payments: `UPDATE payments SET next_check_at = next_check_at - interval '1 month' WHERE id = @open_payment`},
		{what: "a fee is never learned", check: next, payments: `UPDATE attempts SET fee_minor = NULL WHERE charge_ref = @plain_charge`},
		{what: "an attempt of a payment that is over is never ended", check: next,
			payments: `UPDATE attempts SET status = 'open', next_check_at = NULL WHERE payment_id = @lapsed_payment`},
		{what: "a webhook waits", check: "no webhook waits", payments: `UPDATE webhook_events SET status = 'received' WHERE money_ref = @plain_intent`},
		{what: "an event is not delivered", check: "nothing that payments sends is stuck", payments: `UPDATE outbox SET done_at = NULL WHERE id = (SELECT max(id) FROM outbox)`},
		{what: "no reconciliation has run for a month", check: "the ledger is compared daily",
			payments: `UPDATE reconcile_runs SET started_at = started_at - interval '1 month', finished_at = finished_at - interval '1 month'`},
		{what: "no reconciliation was ever finished", check: "the ledger is compared daily", payments: `UPDATE reconcile_runs SET finished_at = NULL`},
		{what: "no reconciliation has ever run", check: "the ledger is compared daily", payments: `DELETE FROM reconcile_runs`},
	}
}
