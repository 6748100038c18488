//go:build unix

package audit_test

// contentFaults are planted into the content service's database alone.
func contentFaults() []corruption {
	const (
		history  = "a pledge's history is whole"
		receipts = "receipts are given to all who paid, once"
		totals   = "totals are what pledges and subscriptions add up to"
		price    = "a pledge's price adds up"
		tax      = "the tax in a pledge is that of what was bought"
		waits    = "no pledge waits past its time"
		told     = "backers are told of their money"
		belongs  = "campaigns are listed where they belong"
		// An experiment that counts a like.
		experiment = `INSERT INTO experiments (slug, stage, language, place, image, show_in, links, like_count, created_at)
			VALUES ('koe', 0, 'fi', '', 'scene-koe.svg', '{}', '[]', 1, now());`
		noRule = `ALTER TABLE pledges DROP CONSTRAINT pledges_paid_has_receipt;
			`
	)
	return []corruption{
		{what: "the history of a pledge is gone", check: history, content: `DELETE FROM pledge_transitions WHERE pledge_id = @plain`},
		{what: "the history of all pledges is gone", check: history, content: `DELETE FROM pledge_transitions`},
		{what: "the first step of a pledge is gone", check: history, content: `DELETE FROM pledge_transitions WHERE pledge_id = @plain AND from_status = ''`},
		{what: "a pledge is where its history did not lead", check: history, content: `UPDATE pledges SET status = 'partly_refunded' WHERE id = @plain`},
		{what: "an event was applied and is kept as ignored", check: "what pledges did is what events told",
			content: `UPDATE payment_events SET outcome = 'ignored' WHERE pledge_id = @plain AND type = 'payment.succeeded'`},
		{what: "the inbox is emptied", check: "what pledges did is what events told", content: `DELETE FROM payment_events`},
		{what: "receipts were never written", check: receipts, content: noRule + `UPDATE pledges SET receipt_number = NULL, paid_at = NULL`},
		{what: "a receipt has no number", check: receipts, content: noRule + `UPDATE pledges SET receipt_number = NULL WHERE id = @plain`},
		{what: "a refunded pledge has lost its receipt", check: receipts, content: `UPDATE pledges SET receipt_number = NULL, paid_at = NULL WHERE id = @full`},
		{what: "a receipt is two pledges'", check: receipts, content: `
			ALTER TABLE pledges DROP CONSTRAINT pledges_receipt_number_key;
			UPDATE pledges SET receipt_number = (SELECT receipt_number FROM pledges WHERE id = @plain) WHERE id = @other`},
		{what: "a receipt of an unpaid pledge", check: receipts, content: `UPDATE pledges SET receipt_number = 'TK-0', paid_at = updated_at WHERE id = @lapsed`},
		{what: "a receipt is of another day", check: receipts, content: `UPDATE pledges SET paid_at = paid_at - interval '1 day' WHERE id = @plain`},
		{what: "a receipt was never mailed", check: told, content: `DELETE FROM outbox WHERE kind = 'mail.receipt' AND payload ->> 'pledge_id' = @recent`},
		{what: "a backer was never told that money went back", check: told, content: `DELETE FROM outbox WHERE kind = 'mail.refund' AND payload ->> 'pledge_id' = @recent`},
		{what: "two backers have one number", check: "backer numbers are given once",
			content: `UPDATE pledges SET backer_number = (SELECT backer_number FROM pledges WHERE id = @plain) WHERE id = @other`},
		{what: "a backer has no number", check: "backer numbers are given once", content: `UPDATE pledges SET backer_number = NULL WHERE id = @plain`},
		{what: "a pledge is of more than its lines", check: price, content: `UPDATE pledges SET amount_minor = 2600 WHERE id = @plain`},
		{what: "a pledge is in another currency than its campaign", check: price, content: `UPDATE pledges SET currency = 'SEK' WHERE id = @plain`},
		{what: "a pledge has more back than it gave", check: price, content: `
			ALTER TABLE pledges DROP CONSTRAINT pledges_refund;
			UPDATE pledges SET amount_refunded_minor = 10000 WHERE id = @full`},
		{what: "a pledge has no tax", check: tax, content: `UPDATE pledges SET vat_minor = 0 WHERE id = @plain`},
		{what: "a pledge has the tax of its free support too", check: tax, content: `UPDATE pledges SET vat_minor = 508 WHERE id = @plain`},
		{what: "a pledge has the rate that its reward got later", check: tax, content: `UPDATE pledges SET bought = jsonb_set(bought, '{vat_tenths}', '140') WHERE id = @plain`},
		{what: "a pledge's tax is a cent too high", check: tax, content: `UPDATE pledges SET vat_minor = vat_minor + 1 WHERE id = @plain`},
		{what: "a pledge waits a month too long", check: waits, content: `UPDATE pledges SET reserved_until = reserved_until - interval '1 month' WHERE id = @open`},
		{what: "a pledge is in processing a month too long", check: waits, content: `
			UPDATE pledges SET status = 'processing', held_from = '' WHERE id = @open;
			INSERT INTO pledge_transitions (pledge_id, from_status, to_status, cause, at)
			SELECT id, 'awaiting_payment', 'processing', 'payment.processing', created_at - interval '1 month' FROM pledges WHERE id = @open`},
		{what: "a mail is not sent", check: "nothing that content sends is stuck", content: `UPDATE outbox SET done_at = NULL WHERE payload ->> 'pledge_id' = @recent`},
		{what: "an event of next year", check: "nothing of pledges is later than now",
			content: `UPDATE payment_events SET received_at = received_at + interval '1 year' WHERE pledge_id = @plain`},
		{what: "more stock is reserved than pledges hold", check: "stock is held by exactly the pledges that hold it",
			content: `UPDATE rewards SET stock_reserved = stock_reserved + 1`},
		{what: "a paid pledge holds no stock", check: "stock is held by the statuses that hold it", content: `
			UPDATE pledges SET stock_held = false WHERE id = @plain;
			UPDATE rewards SET stock_reserved = stock_reserved - 1 WHERE id = @reward`},
		{what: "a reward counts too many backers", check: "rewards count those who paid for them", content: `UPDATE rewards SET backers = backers + 1`},
		{what: "a campaign has reached too much", check: totals, content: `UPDATE campaign_totals SET funding_reached_minor = funding_reached_minor + 100`},
		{what: "a campaign has too much in processing", check: totals, content: `UPDATE campaign_totals SET funding_settling_minor = 1`},
		{what: "a campaign has too many backers", check: totals, content: `UPDATE campaign_totals SET backers = backers + 1`},
		{what: "a campaign counts a person for each of their pledges", check: totals,
			content: `UPDATE pledges SET email = (SELECT upper(email) FROM pledges WHERE id = @plain) WHERE id = @other`},
		{what: "a reward counts a person for each of their pledges", check: "rewards count those who paid for them",
			content: `UPDATE pledges SET email = (SELECT upper(email) FROM pledges WHERE id = @plain) WHERE id = @other`},
		{what: "a campaign will give a backer's number again", check: totals, content: `UPDATE campaign_totals SET last_backer_number = last_backer_number - 1 WHERE campaign_id = @campaign`},
		{what: "a campaign has likes of nobody", check: totals, content: `UPDATE campaign_totals SET likes = 1`},
		{what: "a like of a campaign is counted and gone", check: totals, content: `
			INSERT INTO users (email, password_hash, first_name, last_name, verified, created_at) VALUES ('tykkaaja@example.org', '', 'T', 'T', true, now());
			INSERT INTO campaign_likes (campaign_id, user_id, created_at, counted) SELECT c.id, u.id, now(), true FROM campaigns c, users u
			WHERE u.email = 'tykkaaja@example.org'`},
		{what: "a listing is ordered by other likes", check: "lists show the likes", content: `UPDATE campaign_listings SET popularity = popularity + 1 WHERE category_id = 0`},
		{what: "a preview shows other likes", check: "lists show the likes", content: `
			UPDATE campaign_previews SET preview = CAST(CAST(preview AS jsonb) || '{"likes": 7}' AS json) WHERE language = 'en'`},
		{what: "an experiment has likes of nobody", check: "experiments count the likes that they have", content: experiment},
		{what: "an experiment counts a like that waits for its person's address", check: "experiments count the likes that they have", content: experiment + `
			INSERT INTO users (email, password_hash, first_name, last_name, created_at) VALUES ('odottaja@example.org', '', 'O', 'O', now());
			INSERT INTO experiment_likes (experiment_id, user_id, created_at, counted) SELECT e.id, u.id, now(), false FROM experiments e, users u
			WHERE u.email = 'odottaja@example.org'`},
		{what: "a campaign has no totals", check: totals, content: `DELETE FROM campaign_totals`},
		{what: "a listing shows another sum", check: "lists show the totals", content: `UPDATE campaign_listings SET funding_reached_minor = 0 WHERE category_id = 0`},
		{what: "a preview shows another sum", check: "lists show the totals", content: `
			UPDATE campaign_previews SET preview = CAST(CAST(preview AS jsonb) || '{"funding_reached": 0}' AS json) WHERE language = 'sv'`},
		{what: "a closed campaign is listed as open", check: belongs, content: `UPDATE campaigns SET stage = 5`},
		{what: "a campaign is not in its category's lists", check: belongs, content: `DELETE FROM campaign_listings WHERE category_id <> 0`},
		{what: "a campaign is in the lists of a tag that it has no more", check: belongs, content: `
			INSERT INTO campaign_listings (campaign_id, tag_id, category_id, stage, popularity, funding_reached_minor)
			SELECT campaign_id, 999, 0, stage, popularity, funding_reached_minor FROM campaign_listings WHERE tag_id = 0 AND category_id = 0`},
		{what: "a campaign is settled before its pledges", check: "a settled campaign has no undecided pledge", content: `UPDATE campaigns SET stage = 3`},
	}
}

// betweenFaults are planted so that the two services contradict each other.
func betweenFaults() []corruption {
	const (
		agree = "pledge and payment agree"
		order = "a payment's order is its pledge's"
		inbox = "the inbox has every event, once"
		tells = "the inbox says what became of payments"
	)
	return []corruption{
		{what: "a paid pledge has expired", check: agree, content: `UPDATE pledges SET status = 'expired' WHERE id = @plain`},
		{what: "a pledge waits whose payment has ended", check: agree, content: `UPDATE pledges SET status = 'awaiting_payment' WHERE id = @lapsed`},
		{what: "a pledge that nobody paid is paid", check: agree, content: `
			UPDATE pledges SET status = 'paid', receipt_number = 'TK-0', paid_at = updated_at WHERE id = @never`},
		{what: "a pledge names another payment", check: agree, content: `UPDATE pledges SET payment_id = @other_payment WHERE id = @plain`},
		{what: "a payment is of no pledge", check: agree, payments: `UPDATE payments SET subject_id = 'none' WHERE id = @plain_payment`},
		{what: "a refused payment never went back", check: agree, payments: `UPDATE payments SET status = 'succeeded' WHERE id = @refused_payment`},
		{what: "an order's copy is of another sum", check: order, payments: `UPDATE payments SET amount_minor = 2500 WHERE id = @open_payment`},
		{what: "an order's copy is in another currency", check: order, payments: `UPDATE payments SET currency = 'SEK' WHERE id = @open_payment`},
		{what: "an order's copy is for another campaign", check: order, payments: `UPDATE payments SET campaign_id = 99 WHERE id = @open_payment`},
		{what: "a pledge is of another campaign", check: order, content: `UPDATE pledges SET campaign_id = 99 WHERE id = @plain;
			INSERT INTO campaigns OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(c, '{"id": 99, "slug": "toinen"}')).* FROM campaigns c
			WHERE c.id = @campaign`},
		{what: "a pledge has less back than its payment", check: "pledge and payment have the same refunded",
			content: `UPDATE pledges SET amount_refunded_minor = 900 WHERE id = @part`},
		{what: "the inbox is emptied, unseen by content", check: inbox, content: `
			DELETE FROM payment_events;
			DELETE FROM pledge_transitions WHERE cause LIKE 'payment.%'`},
		{what: "an event was lost on its way", check: inbox,
			content:  `DELETE FROM payment_events WHERE payment_id = @plain_payment AND type = 'payment.succeeded'`,
			payments: `DELETE FROM outbox WHERE payload ->> 'payment_id' = @plain_payment AND payload ->> 'type' = 'payment.succeeded'`},
		{what: "a success was taken in twice", check: inbox, content: `
			INSERT INTO payment_events SELECT (jsonb_populate_record(e, '{"event_id": "evt_again"}')).* FROM payment_events e
			WHERE payment_id = @plain_payment AND type = 'payment.succeeded'`},
		{what: "an event told another sum", check: inbox,
			content: `UPDATE payment_events SET body = body || '{"amount_minor": 250}' WHERE payment_id = @plain_payment AND type = 'payment.succeeded'`},
		{what: "an event is of a payment that is not there", check: inbox, payments: `UPDATE payments SET event_sequence = 0, id = 'x' WHERE id = @open_payment`},
		{what: "an event was counted and never written", check: inbox, payments: `UPDATE payments SET event_sequence = event_sequence + 1 WHERE id = @plain_payment`},
		{what: "the inbox was told of less than went back", check: tells, content: `
			UPDATE payment_events SET body = body || '{"amount_refunded_minor": 900}' WHERE payment_id = @part_payment AND type = 'payment.refunded'`},
		{what: "the inbox has no success", check: tells,
			content: `UPDATE payment_events SET type = 'payment.started' WHERE payment_id = @plain_payment AND type = 'payment.succeeded'`},
		{what: "the inbox has not heard of a dispute", check: tells,
			content: `UPDATE payment_events SET type = 'payment.started' WHERE payment_id = @disputed_payment AND type = 'payment.disputed'`},
		{what: "a pledge has reached more than its campaign's funds",
			check:   "a campaign's funds are what its pledges reached",
			content: `UPDATE pledges SET amount_minor = 2600 WHERE id = @plain`},
		{what: "an expired pledge's money is its campaign's", check: "a campaign's funds are what its pledges reached",
			content: `UPDATE pledges SET status = 'expired' WHERE id = @plain`},
	}
}
