//go:build unix

package audit_test

// takenBackFaults are planted into what a backer took back.
func takenBackFaults() []corruption {
	const (
		back     = "what backers took back goes back"
		rest     = "what banks have of a pledge is not its backer's to take back"
		told     = "what was taken back says when, and its backer was told"
		led      = "what was changed led to what a pledge is, and its backer was told"
		paidFor  = "a pledge is what its further charges have paid for"
		waits    = "a further charge waits alone, and not past its time"
		events   = "a further charge is what events told"
		agreeing = "further charges and their payments agree"
		same     = "what is agreed goes back once, and nothing else for that"
	)
	return []corruption{
		{what: "a pledge was taken back and nothing goes back", check: back, payments: `UPDATE refunds SET reason = 'requested' WHERE id = @taken_refund;
			UPDATE payments SET status = 'succeeded' WHERE id = @taken_payment`},
		{what: "money goes back for a pledge that nobody took back", check: back, payments: `UPDATE refunds SET reason = 'withdrawn' WHERE id = @full_refund`},
		{what: "nobody took back what goes back", check: back, content: `UPDATE pledge_transitions SET to_status = 'refunded' WHERE pledge_id = @taken AND to_status = 'withdrawn'`},
		{what: "what a bank returns of what was taken back would be nobody's", check: back, payments: `UPDATE payments SET taken_back = false WHERE id = @torn_further_payment`},
		{what: "what nobody took back goes to its backer when a bank returns it", check: back, payments: `UPDATE payments SET taken_back = true WHERE id = @plain_payment`},
		{what: "a pledge was taken back of which banks had everything", check: rest, content: `UPDATE payment_events SET type = 'payment.disputed'
			WHERE payment_id = @torn_payment AND type = 'payment.succeeded'`},
		{what: "less of a pledge counts than no bank has", check: rest, content: `UPDATE pledges SET uncontested_minor = uncontested_minor - 1 WHERE id = @halved`},
		{what: "a bank has returned a charge, and its pledge does not count it", check: rest, content: `UPDATE payment_events SET type = 'payment.reinstated'
			WHERE payment_id = @halved_further_payment AND type = 'payment.disputed'`},
		{what: "a pledge was taken back at another time", check: told, content: `UPDATE pledges SET released_at = released_at - interval '1 day' WHERE id = @taken`},
		{what: "who took a pledge back was not told", check: told, content: `DELETE FROM outbox WHERE dedupe_key = 'mail.withdrawal:' || @taken`},
		{what: "a pledge was changed from another sum", check: led, content: `UPDATE pledge_changes SET from_minor = from_minor + 100`},
		{what: "a pledge was changed to another sum", check: led, content: `UPDATE pledge_changes SET to_minor = to_minor - 100`},
		{what: "a change is missing", check: led, content: `DELETE FROM pledge_changes`},
		{what: "a change is told as the second", check: led, content: `UPDATE pledge_changes SET number = 2 WHERE pledge_id = @changed`},
		{what: "a pledge was changed from other lines", check: led, content: `UPDATE pledge_changes SET before = jsonb_set(before, '{lines}', '[]')`},
		{what: "who changed a pledge was not told", check: led, content: `DELETE FROM outbox WHERE dedupe_key LIKE 'mail.pledge_changed:%'`},
		{what: "less was paid of a changed pledge", check: "a payment's order is its pledge's", content: `ALTER TABLE pledges DROP CONSTRAINT pledges_change_refund;
			UPDATE pledges SET charged_minor = charged_minor - 1 WHERE id = @changed`},
		{what: "what a change came to has not gone back", check: "pledge and payment have the same refunded", content: `UPDATE pledges SET change_refunded_minor = 0 WHERE id = @changed`},
		{what: "the payment service never heard of a change", check: "the payment service hears of what is agreed",
			content: `UPDATE pledge_changes SET begun_minor = NULL, at = '2020-01-01'`},
		{what: "a change has no refund", check: same, payments: `UPDATE refunds SET reason = 'requested' WHERE reason = 'changed'`},
		{what: "money goes back for a change that nobody made", check: same, content: `UPDATE pledge_changes SET begun_minor = NULL`},
		{what: "more was charged further than a pledge has become", check: paidFor, content: `UPDATE pledge_raises SET amount_minor = amount_minor + 100`},
		{what: "a further charge has changed nothing", check: paidFor, content: `UPDATE pledge_raises SET status = 'expired', paid_at = NULL`},
		{what: "a bank has less of a pledge than it says", check: paidFor, content: `ALTER TABLE pledges DROP CONSTRAINT pledges_uncontested;
			UPDATE pledges SET uncontested_minor = amount_minor WHERE id = @changed`},
		{what: "a further charge waits for ever", check: waits, content: `UPDATE pledge_raises SET status = 'created', paid_at = NULL, reserved_until = '2020-01-01'`},
		{what: "a further charge keeps an address", check: waits, content: `UPDATE pledge_raises SET details = '{"address_city": "Kuopio"}'`},
		{what: "no event has said that a further charge is paid", check: events, content: `UPDATE payment_events SET outcome = 'ignored'
			WHERE type = 'payment.succeeded' AND body ->> 'subject_id' = @further`},
		{what: "a further charge is of no pledge", check: agreeing, payments: `UPDATE payments SET further_of = NULL WHERE id = @further_payment`},
		{what: "of a further charge nothing is back", check: agreeing, content: `UPDATE pledge_raises SET refunded_minor = 0, changed_minor = 0`},
		{what: "a refund of what was taken back is another charge's", check: "what went back went after it came",
			payments: `UPDATE refunds SET attempt_id = (SELECT paid_attempt_id FROM payments WHERE id = @plain_payment) WHERE id = @taken_refund`},
	}
}
