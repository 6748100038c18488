//go:build unix

package audit_test

// reminderFaults are planted into what waits for a way to pay, and into what is kept for the next time.
func reminderFaults() []corruption {
	const (
		waits    = "who waits to pay is told, and forgotten"
		tells    = "the inbox says what became of payments"
		kept     = "what is kept for somebody is their payer's"
		reminder = `INSERT INTO payment_reminders (campaign_id, email, language, created_at, due_at) `
		ended    = `UPDATE campaigns SET stage = 5, updated_at = '2020-01-01' WHERE id = @campaign;
			`
		stranded = `INSERT INTO payment_events SELECT (jsonb_populate_record(e, '{"event_id": "evt_again", "type": "payment.stranded"}')).* FROM payment_events e
			WHERE payment_id = @open_payment AND type = 'payment.started'`
	)
	return []corruption{
		{what: "a reminder waits for a campaign that can be paid", check: waits, content: reminder + `VALUES (@campaign, 'a@example.org', 'fi', '2020-01-01', NULL)`},
		{what: "a reminder is due and is not mailed", check: waits, content: `INSERT INTO unpayable_campaigns VALUES (@campaign, now());
			` + reminder + `VALUES (@campaign, 'a@example.org', 'fi', now(), '2020-01-01')`},
		{what: "a reminder of a campaign that is over is kept", check: waits, content: ended + `INSERT INTO unpayable_campaigns VALUES (@campaign, now());
			` + reminder + `VALUES (@campaign, 'a@example.org', 'fi', '2020-01-01', NULL)`},
		{what: "a refusal outlives its campaign", check: waits, content: ended + `INSERT INTO reminder_refusals VALUES (@campaign, '\x00', now())`},
		{what: "a campaign that is over cannot be paid just now", check: waits, content: ended + `INSERT INTO unpayable_campaigns VALUES (@campaign, now())`},
		{what: "a backer counts as told of another way, and was not", check: tells, payments: `UPDATE payments SET stranded_at = created_at WHERE id = @open_payment`},
		{what: "a backer was told of another way, and will be again", check: tells, content: stranded},
		{what: "a backer was told of another way twice", check: tells,
			payments: `UPDATE payments SET stranded_at = created_at WHERE id = @open_payment`,
			content: stranded + `;
			` + `INSERT INTO payment_events SELECT (jsonb_populate_record(e, '{"event_id": "evt_twice"}')).* FROM payment_events e WHERE event_id = 'evt_again'`},
		{what: "an account is kept for somebody without a payer", check: kept, payments: `INSERT INTO kept_accounts VALUES ('mangopay', 'bankacc_x', 99, now())`},
		{what: "a card is kept for somebody without a payer", check: kept, payments: `
			INSERT INTO kept_cards (provider, ref, user_id, label, exp_year, exp_month, fingerprint, kept_at) VALUES ('stripe', 'pm_x', 99, '', 2030, 1, '', now())`},
	}
}
