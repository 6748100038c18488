//go:build unix

package audit_test

// takenBackFaults are planted into what a backer took back.
func takenBackFaults() []corruption {
	const (
		back = "what backers took back goes back"
		told = "what was taken back says when, and its backer was told"
	)
	return []corruption{
		{what: "a pledge was taken back and nothing goes back", check: back, payments: `UPDATE refunds SET reason = 'requested' WHERE id = @taken_refund;
			UPDATE payments SET status = 'succeeded' WHERE id = @taken_payment`},
		{what: "money goes back for a pledge that nobody took back", check: back, payments: `UPDATE refunds SET reason = 'withdrawn' WHERE id = @full_refund`},
		{what: "nobody took back what goes back", check: back, content: `UPDATE pledge_transitions SET to_status = 'refunded' WHERE pledge_id = @taken AND to_status = 'withdrawn'`},
		{what: "a pledge was taken back at another time", check: told, content: `UPDATE pledges SET released_at = released_at - interval '1 day' WHERE id = @taken`},
		{what: "who took a pledge back was not told", check: told, content: `DELETE FROM outbox WHERE dedupe_key = 'mail.withdrawal:' || @taken`},
		{what: "a refund of what was taken back is another charge's", check: "what went back went after it came",
			payments: `UPDATE refunds SET attempt_id = (SELECT paid_attempt_id FROM payments WHERE id = @plain_payment) WHERE id = @taken_refund`},
	}
}
