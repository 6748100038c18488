//go:build unix

package audit_test

// payeeFaults are planted into what says by which accounts creators are paid.
func payeeFaults() []corruption {
	const (
		told    = "a creator's account is as it was told"
		atA     = "a creator has one account at provider A, which is as it is there"
		names   = "a campaign is paid by the accounts that it names"
		account = `INSERT INTO payees (id, user_id, provider, kind, ref, wallet_ref, state, event_sequence, created_at, updated_at) `
	)
	accounts := func(change func(o object) []object) func(string, object) []object {
		return only("accounts", func(object) bool { return true }, change)
	}
	return []corruption{
		{what: "provider A has two accounts of one creator", check: atA, provider: accounts(also("acct_again", func(object) {}))},
		{what: "provider A has an account of nobody's", check: atA, provider: accounts(with("metadata", object{"payee_id": "payee:x"}))},
		{what: "provider A has no account of a creator's", check: atA, provider: accounts(gone)},
		{what: "an account is ready here alone", check: atA, provider: accounts(with("payouts_enabled", false))},
		{what: "an account that is closed is there", check: atA, payments: `UPDATE payees SET state = 'closed' WHERE ref = @giver_at_a`},
		{what: "an account waits here alone", check: atA, payments: `UPDATE payees SET state = 'begun' WHERE ref = @giver_at_a`},
		{what: "an account has a key from before it", check: "an account is made by a key of its own time",
			payments: `UPDATE payees SET keyed_at = created_at - interval '1 day' WHERE ref = @giver_at_a`},
		{what: "an account was not found, and nobody asks about it", check: "an account that its provider does not have is asked about until that is sure",
			payments: `UPDATE payees SET misses = 1, missed_at = now() WHERE ref = @giver_at_a`},
		{what: "a creator was reminded before there was a campaign", check: "who is reminded of their account has a campaign that takes money",
			content: `INSERT INTO payout_reminders (campaign_id, told, at) SELECT id, 1, now() + interval '100 years' FROM campaigns LIMIT 1`},
		{what: "the content service has not heard of an account", check: told, payments: account + `VALUES ('a', 3, 'mangopay', 'natural', 'user_m_1', 'wlt_1', 'ready', 1, now(), now())`},
		{what: "the content service has an account of its own", check: told, content: `
			INSERT INTO payout_accounts (user_id, provider, account_id, wallet_id, state, sequence) SELECT @giver_user, 'mangopay', 'user_m_1', 'wlt_1', 'ready', 1`},
		{what: "a campaign is paid by an account that it does not name", check: names, payments: `INSERT INTO campaign_accounts VALUES (@monthly, 'mangopay', 'user_m_1', 1)`},
		{what: "the payment service has not heard of a campaign's account", check: names, content: `
			UPDATE campaigns SET payment_user_id = 'user_m_1', payment_wallet_id = 'wlt_1', payment_accounts_number = 1 WHERE id = @monthly`},
		{what: "charges are in no wallet of their campaign", check: "a charge is in a wallet of its campaign",
			payments: account + `VALUES ('a', NULL, 'stripe', 'natural', 'acct_1', 'wlt_1', 'ready', 0, now(), now())`},
		{what: "payments were begun at a provider that was off", check: "nothing begins at a provider that is switched off",
			payments: `INSERT INTO provider_switches (provider, is_on, reason, actor, at) VALUES ('stripe', false, 'test', 'test', '2020-01-01')`},
		{what: "a wallet is of an account that was never made", check: "a wallet is of an account that its provider has made",
			payments: account + `VALUES ('a', 3, 'mangopay', 'natural', '', '', 'making', 0, now(), now()); INSERT INTO campaign_wallets VALUES (1, 'a', 'wlt_1')`},
		{what: "a campaign is paid by nobody's account", check: "a campaign is paid by an account of its creator",
			payments: `INSERT INTO campaign_accounts VALUES (@monthly, 'mangopay', 'user_m_1', 1)`},
		{what: "a payer is of nobody", check: "who pays has one payer at a provider", payments: `INSERT INTO payers (owner, provider, ref) VALUES ('x', 'stripe', 'cus_x')`},
		{what: "somebody switched a provider", check: "who switched a provider is known, and why",
			payments: `INSERT INTO provider_switches (provider, is_on, reason, actor, at) VALUES ('stripe', false, 'test', '', now())`},
	}
}
