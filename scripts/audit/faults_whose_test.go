//go:build unix

package audit_test

// whoseFaults are planted into what says whose money it is, when it moved, and what people were told.
func whoseFaults() []corruption {
	const (
		backer  = "money is from its order's backer"
		payee   = "money is for its campaign's creator"
		taken   = "a month is charged to its payer's card"
		card    = "a subscription's card is its payer's"
		above   = "nobody is charged above their limit"
		held    = "a month is held by a limit that it crosses"
		copied  = "an order's copy says what the order says"
		refused = "money is refused by who heard of it"
		another = `UPDATE subscriptions SET card_ref = (SELECT card_ref FROM subscriptions WHERE id = @rising)`
	)
	return []corruption{
		{what: "an address is written at another host than mail for it is sent to", check: "an address is written at the host that mail for it is sent to",
			content: `UPDATE users SET email = 'saver@gｍail.example' WHERE id = @saver_user`},
		{what: "a pledge is another account's", check: backer, content: `UPDATE pledges SET user_id = @saver_user WHERE id = @given`},
		{what: "a pledge's payment is another account's", check: backer, payments: `UPDATE payments SET backer_user_id = @saver_user WHERE id = @given_payment`},
		{what: "a guest's pledge is given to an account", check: backer, content: `UPDATE pledges SET user_id = @saver_user WHERE id = @plain`},
		{what: "a payment is for somebody else", check: payee, payments: `UPDATE payments SET payee_user_id = @saver_user WHERE id = @plain_payment`},
		{what: "a payment is for nobody", check: payee, payments: `UPDATE payments SET payee_user_id = NULL WHERE id = @plain_payment`},
		{what: "a subscription is for somebody else", check: payee, payments: `UPDATE subscriptions SET payee_user_id = @saver_user WHERE id = @supporter`},
		{what: "a payment is of another payer", check: taken, payments: `
			UPDATE payments SET customer_ref = (SELECT customer_ref FROM subscriptions WHERE id = @rising) WHERE id = @supporter_second`},
		{what: "the provider took a month from another payer", check: taken, provider: ofPayers("customer", "cus_another")},
		{what: "the provider took a month by another card", check: taken, provider: ofPayers("payment_method", "pm_another")},
		{what: "a try was of another person's card", check: taken, payments: `UPDATE subscription_tries SET card_ref = 'pm_another' WHERE outcome = 'taken'`},
		{what: "a month keeps another card than it was paid with", check: taken, payments: `
			UPDATE subscription_periods SET paid_card = 'pm_another' WHERE payment_id = @supporter_second`},
		{what: "a payment was to be taken from a registered card", check: taken, payments: `
			UPDATE attempts SET instrument_ref = 'pm_another' WHERE payment_id = @supporter_second`},
		{what: "a subscription's payer is nobody's", check: card, payments: `
			DELETE FROM payers WHERE ref = (SELECT customer_ref FROM subscriptions WHERE id = @supporter)`},
		{what: "a subscription has another person's card", check: card, payments: another + ` WHERE id = @supporter`},
		{what: "a subscription has another person's card and payer", check: card, payments: another + `, customer_ref = (
			SELECT customer_ref FROM subscriptions WHERE id = @rising) WHERE id = @supporter`},
		{what: "an account's subscription has a stranger's payer", check: card, payments: `
			UPDATE subscriptions SET customer_ref = (SELECT customer_ref FROM subscriptions WHERE id = @saver) WHERE id = @giver`},
		{what: "a payer is another account's", check: "a payer is whom they were made for", payments: `
			UPDATE payers SET owner = 'user:99' WHERE ref = (SELECT customer_ref FROM subscriptions WHERE id = @saver)`},
		{what: "a person was charged above their limit", check: above, payments: `UPDATE spending_limits SET amount_minor = 500 WHERE user_id = @giver_user`},
		{what: "a month was charged with another one", check: above, payments: `
			UPDATE payments SET amount_minor = amount_minor + 5000 WHERE id = @given_payment`},
		{what: "a month is held and nobody has a limit", check: held, payments: `DELETE FROM spending_limits WHERE user_id = @saver_user`},
		{what: "a month is held although it fits", check: held, payments: `UPDATE spending_limits SET amount_minor = 100000 WHERE user_id = @saver_user`},
		{what: "a month is held out of nowhere", check: held, payments: `UPDATE subscriptions SET held_period = next_period WHERE id = @supporter`},
		{what: "support's card is in other words", check: copied, content: `UPDATE subscriptions SET payment_method = 'Visa ···· 1111' WHERE id = @supporter`},
		{what: "support's next charge is another day", check: copied, content: `UPDATE subscriptions SET next_charge_on = next_charge_on + 1 WHERE id = @supporter`},
		{what: "support is held on another day", check: copied, content: `UPDATE subscriptions SET held_on = held_on + 1 WHERE id = @saver`},
		{what: "a pledge was paid another way", check: copied, content: `UPDATE pledges SET payment_method = 'Visa ···· 1111' WHERE id = @plain`},
		{what: "money that was taken is marked as refused", check: refused, payments: `UPDATE payments SET refused = true WHERE id = @plain_payment`},
		{what: "an event was heard in other words", check: "what was told lately is what was heard", content: `
			UPDATE payment_events SET body = body || '{"provider": "another"}' WHERE payment_id = @recent_payment`},
	}
}

// ofPayers gives the provider's successful payments that have a payer another value.
func ofPayers(field, value string) func(string, object) []object {
	return only("payment_intents", func(o object) bool { return o["status"] == "succeeded" && o["customer"] != nil }, with(field, value))
}

// timeFaults are planted into times, receipts and what was told.
func timeFaults() []corruption {
	const (
		began    = "payments began and changed with their history"
		back     = "what went back went after it came"
		months   = "months and tries follow each other"
		acts     = "operators' work is in its order"
		numbers  = "receipts' numbers say their year and their order"
		told     = "a month's receipt says what its event told"
		newest   = "the newest month's receipt is of what was chosen"
		bought   = "what a pledge bought is what it says"
		last     = "support stands as its last event told"
		orders   = "pledges and support began and changed with their history"
		followed = "what orders did is what events told"
		shown    = "lists show the campaign's goal and days"
		swapped  = `UPDATE subscription_charges c SET receipt_number = o.receipt_number FROM subscription_charges o
			WHERE c.subscription_id = @supporter AND o.subscription_id = @supporter AND c.period <> o.period`
	)
	return []corruption{
		{what: "a payment began before its history", check: began, payments: `UPDATE payments SET created_at = created_at - interval '1 day' WHERE id = @plain_payment`},
		{what: "a payment closes before it can be paid", check: began, payments: `UPDATE payments SET closes_at = payable_until - interval '1 hour' WHERE id = @open_payment`},
		{what: "an attempt has another's key", check: began, payments: `UPDATE attempts SET idempotency_key = 'payment:x:form:1' WHERE payment_id = @plain_payment`},
		{what: "a payment was paid in another month", check: "a payment was paid on the day of its charge", payments: `
			UPDATE payments SET paid_on = paid_on - 31 WHERE id = @plain_payment`},
		{what: "a payment has no day of its money", check: "a payment was paid on the day of its charge", payments: `
			UPDATE payments SET paid_on = NULL WHERE id = @plain_payment`},
		{what: "money moved before it was ordered", check: "money moved after its order, and was booked after it moved", payments: `
			UPDATE ledger_transactions SET happened_at = happened_at - interval '1 year' WHERE kind = 'charge' AND reference = @plain_charge`},
		{what: "a refund was settled before it was made", check: back, payments: `
			UPDATE refunds SET settled_at = created_at - interval '1 day' WHERE payment_id = @full_payment`},
		{what: "a refund gives another reason", check: back, payments: `UPDATE refunds SET reason = 'duplicate' WHERE payment_id = @full_payment`},
		{what: "a month was settled before it began", check: months, payments: `
			UPDATE subscription_periods SET settled_at = begun_at - interval '1 day' WHERE subscription_id = @supporter AND period = 2`},
		{what: "a try is of no month", check: months, payments: `UPDATE subscription_tries SET period = 9 WHERE subscription_id = @supporter`},
		{what: "a try is overdue", check: months, payments: `
			UPDATE subscription_periods SET next_try_at = next_try_at - interval '20 days' WHERE subscription_id = @failing AND next_try_at IS NOT NULL`},
		{what: "an act is about another payment", check: acts, payments: `UPDATE operator_actions SET payment_id = @plain_payment WHERE after ->> 'refund' = @full_refund`},
		{what: "an act is of another sum", check: acts, payments: `UPDATE operator_actions SET after = after || '{"amount": "1.00 EUR"}' WHERE after ->> 'refund' = @full_refund`},
		{what: "a webhook is of another type", check: acts, payments: `UPDATE webhook_events SET type = 'charge.refunded' WHERE type = 'payment_intent.succeeded'`},
		{what: "a receipt has another year", check: numbers, content: `UPDATE pledges SET receipt_number = replace(receipt_number, '-2026-', '-2025-') WHERE id = @plain`},
		{what: "a receipt has a number that was never given", check: numbers, content: `UPDATE pledges SET receipt_number = 'TK-2026-900000' WHERE id = @recent`},
		{what: "two months have each other's receipts", check: numbers, content: `
			ALTER TABLE subscription_charges DROP CONSTRAINT subscription_charges_receipt_number_key;
			` + swapped},
		{what: "a month was paid another day", check: told, content: `UPDATE subscription_charges SET paid_at = paid_at + interval '1 day' WHERE subscription_id = @supporter`},
		{what: "a month is of another campaign", check: told, content: `UPDATE subscription_charges SET campaign_id = @campaign WHERE subscription_id = @supporter`},
		{what: "a month has no tax", check: newest, content: `UPDATE subscription_charges SET vat_minor = 0 WHERE subscription_id = @supporter AND period = 2`},
		{what: "a month has a cent of tax too much", check: newest, content: `
			UPDATE subscription_charges SET vat_minor = vat_minor + 1 WHERE subscription_id = @supporter AND period = 2`},
		{what: "a month is of another reward", check: newest, content: `UPDATE subscription_charges SET title = 'Toinen' WHERE subscription_id = @supporter AND period = 2`},
		{what: "a pledge is of more pieces than its line", check: bought, content: `UPDATE pledges SET quantity = quantity + 1 WHERE id = @plain`},
		{what: "a pledge's reward is another campaign's", check: bought, content: `UPDATE rewards SET campaign_id = @monthly WHERE id = @reward`},
		{what: "money went back for another reason", check: bought, content: `UPDATE pledges SET refund_reason = 'duplicate' WHERE id = @full`},
		{what: "an event is of another number than it says", check: "an event says what its row says", content: `
			UPDATE payment_events SET body = body || '{"sequence": 9}' WHERE payment_id = @plain_payment`},
		{what: "support is charged next on no day", check: last, content: `UPDATE subscriptions SET next_charge_on = NULL WHERE id = @supporter`},
		{what: "nobody was told that a month is held", check: "supporters are told that a month is held", content: `
			DELETE FROM outbox WHERE payload ->> 'cause' = 'limit_reached'`},
		{what: "a mail names another sum", check: "mails say what events told", content: `
			UPDATE outbox SET payload = payload || '{"amount_minor": 1}' WHERE kind = 'mail.subscription'`},
		{what: "a step is by another event", check: followed, content: `UPDATE pledge_transitions SET cause = 'payment.disputed' WHERE pledge_id = @plain AND to_status = 'paid'`},
		{what: "a pledge was made before its history", check: orders, content: `UPDATE pledges SET created_at = created_at - interval '1 day' WHERE id = @plain`},
		{what: "support began on another day", check: orders, content: `UPDATE subscriptions SET begun_on = begun_on - 1 WHERE id = @supporter`},
		{what: "a list shows another goal", check: shown, content: `UPDATE campaigns SET target_goal_minor = 1 WHERE id = @campaign`},
		{what: "a campaign ends later than its day", check: shown, content: `UPDATE campaigns SET funding_deadline = funding_deadline + interval '1 day' WHERE id = @campaign`},
	}
}
