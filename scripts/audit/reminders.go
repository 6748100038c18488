package audit

// reminderChecks are about who waits until a campaign can be paid, in the content service's database alone.
var reminderChecks = []query{
	{"who waits to pay is told, and forgotten", `
		SELECT format('reminder %s has waited since %s for campaign %s, which can be paid', r.id, r.created_at, c.id) FROM payment_reminders r
		JOIN campaigns c ON c.id = r.campaign_id
		WHERE r.due_at IS NULL AND r.created_at < @lapsed AND c.hold = '' AND NOT EXISTS (SELECT FROM unpayable_campaigns u WHERE u.campaign_id = c.id)
		UNION ALL
		SELECT format('reminder %s is due since %s, and no mail waits for it', r.id, r.due_at) FROM payment_reminders r
		WHERE r.due_at < @lapsed AND NOT EXISTS (SELECT FROM outbox o
			WHERE o.kind = 'mail.payable_again' AND o.payload ->> 'reminder_id' = r.id::text AND o.done_at IS NULL)
		UNION ALL
		SELECT format('campaign %s takes nothing any more (stage %s), and has %s', c.id, c.stage, k.what) FROM campaigns c JOIN (
			SELECT campaign_id, 'reminder ' || id AS what FROM payment_reminders
			UNION ALL SELECT campaign_id, 'a refusal of reminders' FROM reminder_refusals
			UNION ALL SELECT campaign_id, 'that it cannot be paid' FROM unpayable_campaigns) k ON k.campaign_id = c.id
		WHERE c.stage NOT IN (2, 6) AND c.updated_at < @lapsed OR c.stage = 2 AND c.funding_deadline < @lapsed`},
}

// keptChecks are about what people are offered once more, in the payment service's database alone; whose a card is, the provider is asked.
var keptChecks = []query{
	{"what is kept for somebody is their payer's", `
		SELECT format('%s %s is kept for user %s, who has no payer at %s', k.what, k.ref, k.user_id, k.provider) FROM (
			SELECT 'card' AS what, ref, user_id, provider FROM kept_cards UNION ALL SELECT 'account', ref, user_id, provider FROM kept_accounts) k
		WHERE NOT EXISTS (SELECT FROM payers y WHERE y.owner = 'user:' || k.user_id AND y.provider = k.provider)`},
}
