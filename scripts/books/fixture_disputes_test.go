//go:build unix

package books_test

// disputed has the pledge's charge disputed, with this end, everywhere.
func (p *platform) disputed(status string) {
	p.t.Helper()
	p.addDispute("pi_1", status)
	if status == "won" {
		return
	}
	p.inPayments(`UPDATE payments SET status = 'disputed'`)
	p.inContent(`UPDATE pledges SET status = 'disputed'`)
	p.inContent(`INSERT INTO pledge_transitions (pledge_id, from_status, to_status, cause, at) VALUES ($1, 'paid', 'disputed', 'payment.disputed', now())`, pledgeID)
	p.inContent(`UPDATE campaign_totals SET funding_reached_minor = 0`)
	p.listsShow(0)
}

// addDispute has a charge disputed, with this end, in our book and at the provider.
func (p *platform) addDispute(intentID, status string) {
	p.t.Helper()
	moved := []map[string]any{{"amount": -2500, "fee": 1500}}
	p.bookDispute("dispute", "txn_1", 2500)
	p.bookDispute("dispute_fee", "txn_1", 1500)
	withdrawn, fee, theirs := 2500, 1500, status
	switch status {
	case "open":
		theirs = "under_review"
	case "won":
		moved = append(moved, map[string]any{"amount": 2500, "fee": -1500})
		p.bookDispute("dispute_reversal", "txn_2", -2500)
		p.bookDispute("dispute_fee_reversal", "txn_2", -1500)
		withdrawn, fee = 0, 0
	}
	p.inPayments(`INSERT INTO disputes (payment_id, attempt_id, provider_id, status, reason, amount_minor, currency, withdrawn_minor, fee_minor, opened_at, created_at, updated_at)
		SELECT $1, id, 'dp_1', $2, 'fraudulent', 2500, 'EUR', $3, $4, now(), now(), now() FROM attempts WHERE provider_id = $5`,
		paymentID, status, withdrawn, fee, intentID)
	p.disputes = append(p.disputes, map[string]any{"id": "dp_1", "payment_intent": intentID, "status": theirs, "balance_transactions": moved})
}

// bookDispute books what a dispute takes from the provider's balance; less than nought comes back.
func (p *platform) bookDispute(kind, reference string, amount int64) {
	p.t.Helper()
	p.inPayments(`WITH made AS (INSERT INTO ledger_transactions (kind, reference, payment_id, currency, occurred_at) VALUES ($1, $2, $3, 'EUR', now()) RETURNING id)
		INSERT INTO ledger_entries (transaction_id, account_id, currency, amount_minor)
		SELECT made.id, a.id, 'EUR', CASE a.kind WHEN 'asset' THEN -$4::bigint ELSE $4::bigint END FROM made, ledger_accounts a`, kind, reference, paymentID, amount)
}
