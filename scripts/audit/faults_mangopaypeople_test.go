//go:build unix

package audit_test

// peopleAtBFaults are planted into who pays at provider B, and what is kept of them.
func peopleAtBFaults(w *world) []corruption {
	const onePayer = "who pays has one payer at a provider"
	card := func(change func(object) []object) func(string, object) []object {
		return only("cards", func(object) bool { return true }, change)
	}
	saver := "user:" + w.text(w.db, `SELECT id::text FROM users WHERE email = 'saver@example.org'`)
	return []corruption{
		{what: "a kept card is another payer's", check: keptAtB, providerB: card(with("UserId", w.names["oona_account"]))},
		{what: "a kept card was ended there and is offered here", check: keptAtB, providerB: card(with("Active", false))},
		{what: "a kept card is not there and is offered here", check: keptAtB, providerB: card(gone)},
		{what: "a kept card is shown as another one", check: keptAtB, providerB: card(with("Alias", "497010XXXXXX9999"))},
		{what: "a kept card is another piece of plastic", check: keptAtB, payments: `UPDATE kept_cards SET fingerprint = 'x'`},
		{what: "a kept card is offered to somebody else", check: keptAtB, payments: `UPDATE kept_cards SET user_id = @maija_user`},
		{what: "a payer was made for somebody else", check: payersOfB, providerB: only("users", named("Tag", saver), with("Tag", "user:999"))},
		{what: "a payer is given to another account", check: payersOfB, payments: `
			UPDATE payers SET owner = 'user:' || CAST(@maija_user AS bigint) WHERE owner = 'user:' || CAST(@saver_user AS bigint)`},
		{what: "a payer was closed there and pays here", check: payersOfB, providerB: only("users", named("Tag", saver), with("UserStatus", "CLOSED"))},
		{what: "a payer is not there", check: payersOfB, providerB: only("users", named("Tag", saver), gone)},
		{what: "a creator's account pays as a payer", check: payersOfB, providerB: only("users", named("Tag", saver), with("UserCategory", "OWNER"))},
		{what: "a payer is nobody's", check: onePayer, payments: `UPDATE payers SET owner = 'nobody' WHERE owner = 'user:' || CAST(@saver_user AS bigint)`},
		{what: "an account has a second payer, by its pledge", check: onePayer, payments: `
			INSERT INTO payers (owner, provider, ref) VALUES ('pledge:' || @kept, 'mangopay', 'user_m_second')`},
		{what: "a payer is of a pledge that never began", check: onePayer, payments: `INSERT INTO payers (owner, provider, ref) VALUES ('pledge:x', 'mangopay', 'user_m_x')`},
		{what: "nobody is told of an event", check: hooksOfB, providerB: only("hooks", named("EventType", "PAYIN_NORMAL_SUCCEEDED"), gone)},
		{what: "an event's hook is off", check: hooksOfB, providerB: only("hooks", named("EventType", "DISPUTE_CREATED"), with("Status", "DISABLED"))},
		{what: "an event is told to somebody else", check: hooksOfB, providerB: only("hooks", named("EventType", "USER_KYC_LIGHT"),
			with("Url", "https://else.example/"))},
		{what: "an event's hook is invalid", check: hooksOfB, providerB: only("hooks", named("EventType", "MANDATE_FAILED"), with("Validity", "INVALID"))},
		{what: "a page is open for weeks beside a payment that is over", check: "a payment that is over has no open attempt", payments: `
			UPDATE attempts SET status = 'open', next_check_at = created_at, created_at = created_at - interval '15 days'
			WHERE id = (SELECT min(id) FROM attempts WHERE provider = 'mangopay' AND status = 'succeeded')`},
		{what: "a call to charge is under way for ever beside a payment that is over", check: "a payment that is over has no open attempt", payments: `
			UPDATE attempts SET status = 'creating', next_check_at = created_at WHERE id = (SELECT min(id) FROM attempts WHERE provider = 'mangopay' AND status = 'succeeded')`},
		{what: "a hook was stored and never taken", check: "no webhook waits", payments: `
			UPDATE webhook_events SET status = 'received' WHERE provider = 'mangopay' AND type = 'PAYIN_NORMAL_SUCCEEDED'`},
		{what: "a hook is of another type than it says", check: "operators' work is in its order", payments: `
			UPDATE webhook_events SET type = 'PAYIN_NORMAL_FAILED' WHERE provider = 'mangopay' AND type = 'PAYIN_NORMAL_SUCCEEDED'`},
		{what: "a hook is about something else than it says", check: "operators' work is in its order", payments: `
			UPDATE webhook_events SET object_ref = 'x' WHERE provider = 'mangopay' AND type = 'PAYIN_NORMAL_SUCCEEDED'`},
	}
}

// ownersAtBFaults are planted into who is paid at provider B.
func ownersAtBFaults(w *world) []corruption {
	const (
		told    = "a creator's account is as it was told"
		names   = "a campaign is paid by the accounts that it names"
		ofOwn   = "a campaign is paid by an account of its creator"
		switchB = "who switched a provider is known, and why"
	)
	account := func(change func(object) []object) func(string, object) []object {
		return only("users", named("Id", w.ofB("maija_account")), change)
	}
	wallet := func(change func(object) []object) func(string, object) []object {
		return only("wallets", named("Id", w.ofB("plain_wallet")), change)
	}
	bank := func(change func(object) []object) func(string, object) []object {
		return only("recipients", func(object) bool { return true }, change)
	}
	const paidTo, later = "a payout goes to a bank account of its creator that was in use", "a bank account that takes another's place is paid to later"
	return []corruption{
		{what: "a bank account is another owner's there", check: banksOfB, providerB: bank(with("UserId", w.names["oona_account"]))},
		{what: "a bank account is another number there", check: banksOfB, providerB: bank(with("LocalBankTransfer", object{"EUR": object{"IBAN": "FI4950009420028730"}}))},
		{what: "a bank account in use was ended there", check: banksOfB, providerB: bank(with("Status", "DEACTIVATED"))},
		{what: "a bank account in use is not there", check: banksOfB, providerB: bank(gone)},
		{what: "a bank account was made for another row", check: banksOfB, providerB: bank(with("Tag", "bank:x"))},
		{what: "somebody can be paid whom we do not know", check: banksOfB, payments: `UPDATE payee_banks SET ref = 'rec_m_x'`},
		{what: "a payout went elsewhere", check: paidTo, payments: `UPDATE settlement_moves SET destination = 'rec_m_x' WHERE kind = 'payout'`},
		{what: "a payout went too early", check: paidTo, payments: `UPDATE payee_banks SET pays_from = pays_from + interval '10 years'`},
		{what: "a changed bank account was paid to at once", check: later, payments: `INSERT INTO payee_banks SELECT 'x' || substr(id, 2), payee_id, '', country, last_four,
			'unmade', name_check, active_at + interval '1 hour', active_at + interval '1 hour', created_at, updated_at FROM payee_banks`},
		{what: "a campaign's wallet is another owner's there", check: walletOwnersOfB, providerB: wallet(with("Owners", []any{w.names["oona_account"]}))},
		{what: "a campaign's wallet is in another currency there", check: walletOwnersOfB, providerB: wallet(withAll(object{"Currency": "SEK",
			"Balance": object{"Amount": 0, "Currency": "SEK"}}))},
		{what: "a campaign's wallet is another campaign's there", check: walletOwnersOfB, providerB: wallet(with("Tag", "campaign:999"))},
		{what: "a campaign's wallet is another account's here", check: walletOwnersOfB, payments: `
			UPDATE campaign_wallets SET payee_id = (SELECT id FROM payees WHERE ref = @oona_account) WHERE ref = @plain_wallet`},
		{what: "a creator's wallet is a campaign's here", check: walletOwnersOfB, payments: `UPDATE payees SET wallet_ref = @elsewhere_wallet WHERE ref = @maija_account`},
		{what: "who is offered is not verified there", check: ownersOfB, providerB: account(with("KYCLevel", "LIGHT"))},
		{what: "who is offered waits for a step there", check: ownersOfB, providerB: account(with("UserStatus", "PENDING_USER_ACTION"))},
		{what: "an account was closed there and is offered here", check: ownersOfB, providerB: account(with("UserStatus", "CLOSED"))},
		{what: "an account is closed here and not there", check: ownersOfB, payments: `UPDATE payees SET state = 'closed' WHERE ref = @maija_account`},
		{what: "a payer is paid as a creator", check: ownersOfB, providerB: account(with("UserCategory", "PAYER"))},
		{what: "an account is not there", check: ownersOfB, providerB: account(gone)},
		{what: "an account was made for another row of ours", check: ownersOfB, providerB: account(with("Tag", "payee:x"))},
		{what: "two accounts have each other's place there", check: ownersOfB, payments: `
			UPDATE payees SET ref = ref || '-' WHERE ref IN (@maija_account, @oona_account);
			UPDATE payees SET ref = CASE ref WHEN @maija_account || '-' THEN @oona_account ELSE @maija_account END WHERE ref LIKE '%-'`},
		{what: "the content service has heard that an account is ready, and it is not", check: told, payments: `
			UPDATE payees SET state = 'restricted' WHERE ref = @maija_account`},
		{what: "the content service has another person's account", check: told, content: `
			UPDATE payout_accounts SET user_id = @saver_user WHERE account_id = @maija_account`},
		{what: "the content service has another wallet of an account", check: told, content: `UPDATE payout_accounts SET wallet_id = 'wlt_x' WHERE account_id = @maija_account`},
		{what: "the content service has missed an event of an account", check: told, payments: `
			UPDATE payees SET event_sequence = event_sequence + 1 WHERE ref = @maija_account`},
		{what: "a campaign is paid by another campaign's creator", check: ofOwn, payments: `
			UPDATE campaign_accounts SET account_ref = @oona_account WHERE provider = 'mangopay' AND campaign_id = @campaign`},
		{what: "a campaign is paid by an account that nobody has", check: ofOwn, payments: `
			UPDATE campaign_accounts SET account_ref = 'user_m_x' WHERE provider = 'mangopay' AND campaign_id = @campaign`},
		{what: "an account was given to somebody else", check: ofOwn, payments: `UPDATE payees SET user_id = @saver_user WHERE ref = @maija_account`},
		{what: "a campaign's account is at another provider here", check: names, payments: `
			UPDATE campaign_accounts SET provider = 'else' WHERE provider = 'mangopay' AND campaign_id = @campaign`},
		{what: "a campaign names another word than was heard", check: names, payments: `UPDATE campaign_accounts SET number = number + 1 WHERE campaign_id = @campaign`},
		{what: "a provider was switched by nobody", check: switchB, payments: `
			INSERT INTO provider_switches (provider, is_on, reason, actor, at) VALUES ('mangopay', false, 'test', '', now())`},
		{what: "a provider was switched for no reason", check: switchB, payments: `
			INSERT INTO provider_switches (provider, is_on, reason, actor, at) VALUES ('mangopay', false, ' ', 'anna', now())`},
		{what: "a provider was switched on that was never off", check: switchB, payments: `
			INSERT INTO provider_switches (provider, is_on, reason, actor, at) VALUES ('mangopay', true, 'test', 'anna', now())`},
		{what: "a pledge began at provider B while that was off", check: "nothing begins at a provider that is switched off", payments: `
			INSERT INTO provider_switches (provider, is_on, reason, actor, at) VALUES ('mangopay', false, 'test', 'test', '2020-01-01')`},
	}
}
