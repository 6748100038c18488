//go:build unix

package audit_test

// settlementFaults are planted into a run whose money has reached its creator, and into what the book has of it.
func settlementFaults(w *world) []corruption {
	const (
		lines    = "a run is what its lines are, and what was released"
		whose    = "a line is a paid pledge of its run's campaign, or a month of its support"
		rates    = "a run is divided by the rates of its campaign's end, or its month's"
		approved = "a run is approved by others than its proposer"
		booked   = "a line is booked as it is frozen"
		sent     = "what is sent to creators is what runs say"
		inBook   = "what was sent to creators is booked"
		debts    = "what of a run has paid debts is in the ledger"
		covers   = "what is payable to a creator covers what is to be sent"
		goesOn   = "a run goes on, or waits for somebody"
		history  = "a run's history leads to where it is"
		day      = "what a run keeps back has its day"
		kept     = "what was kept back is in the ledger as it stands"
		fee      = "a run's fee has its document"
		givenUp  = "a creator's debt is given up by two people"
		back     = "what was taken back is of its run's transfer"
		custody  = "creators have at Mangopay what the ledger says"
		same     = "Mangopay's transactions are the ledger's movements"
	)
	own := func(minor int) func(string, object) []object {
		return only("wallets", named("Id", w.text(w.pay, `SELECT to_place FROM settlement_runs`)), with("Balance", object{"Currency": "EUR", "Amount": minor}))
	}
	return []corruption{
		{what: "a run pays a cent more than its lines", check: lines, payments: `UPDATE settlement_runs SET net_minor = net_minor + 1, gross_minor = gross_minor + 1`},
		{what: "a run takes a cent more of tax", check: lines, payments: `UPDATE settlement_runs SET vat_minor = vat_minor + 1`},
		{what: "a line is gone", check: lines, payments: `DELETE FROM settlement_lines WHERE charge_ref = (SELECT max(charge_ref) FROM settlement_lines)`},
		{what: "a run sends what was released and did not take it", check: lines, payments: `
			UPDATE settlement_runs SET released_minor = 300, net_minor = net_minor + 300`},
		{what: "what was released is sent by its own run", check: lines, payments: `UPDATE settlement_reserves SET sent_by = run_id WHERE released_minor > 0`},
		{what: "what was released is in a run that is over", check: lines, payments: `
			INSERT INTO settlement_runs (id, campaign_id, provider, number, state, currency, proposed_by, created_at, updated_at)
			SELECT 'void', campaign_id, provider, 2, 'void', currency, 'maija', created_at, updated_at FROM settlement_runs;
			UPDATE settlement_reserves SET sent_by = 'void' WHERE released_minor > 0`},
		{what: "a run sends what was not restored", check: lines, payments: `
			INSERT INTO settlement_restored SELECT min(t.id), min(r.id) FROM ledger_transactions t, settlement_runs r WHERE t.kind = 'settlement'`},
		{what: "what a run takes of what was restored is not in its sums", check: lines, payments: `
			UPDATE ledger_transactions SET kind = 'refund_withdrawn' WHERE id = (SELECT min(id) FROM ledger_transactions WHERE kind = 'settlement');
			INSERT INTO settlement_restored SELECT min(t.id), min(r.id) FROM ledger_transactions t, settlement_runs r WHERE t.kind = 'refund_withdrawn'`},
		{what: "a run of pledges is said to be a month's", check: whose, payments: `UPDATE settlement_runs SET month = '2026-10-01'`},
		{what: "a month was settled twice", check: whose, payments: `DROP INDEX settlement_runs_of_month;
			UPDATE settlement_runs SET month = '2026-10-01';
			INSERT INTO settlement_runs (id, campaign_id, provider, month, number, state, currency, proposed_by, created_at, updated_at)
			SELECT 'again', campaign_id, provider, month, 2, 'counting', currency, 'maija', created_at, updated_at FROM settlement_runs`},
		{what: "a month goes by the rates of another day", check: rates, payments: `UPDATE settlement_runs SET month = '2019-10-01'`},
		{what: "more is kept back than of its lines", check: day, payments: `UPDATE settlement_reserves SET kept_minor = kept_minor + 1, next_at = due_on WHERE released_minor = 0`},
		{what: "what is kept back of a debit is due as of a card", check: day, payments: `UPDATE settlement_reserves SET due_on = due_on - 300 WHERE released_minor = 0`},
		{what: "what was kept back is forgotten", check: day, payments: `DELETE FROM settlement_reserves WHERE released_minor = 0`},
		{what: "nobody looks at what is kept back", check: day, payments: `
			UPDATE settlement_reserves SET used_minor = kept_minor - 1, next_at = '2020-01-01' WHERE released_minor = 0`},
		{what: "what is kept back waits longer and nothing stands against it", check: day, payments: `
			UPDATE settlement_reserves SET used_minor = kept_minor - 1, next_at = due_on + 30 WHERE released_minor = 0`},
		{what: "it was released before its day", check: day, payments: `UPDATE settlement_reserves SET released_at = released_at - interval '3 days' WHERE released_minor > 0`},
		{what: "a run's fee has no document", check: fee, payments: `DELETE FROM fee_documents`},
		{what: "a document says another tax", check: fee, payments: `UPDATE fee_documents SET vat_minor = vat_minor + 1, net_minor = net_minor - 1`},
		{what: "a document is of another day", check: fee, payments: `UPDATE fee_documents SET issued_on = issued_on - 1, year = extract(year FROM issued_on - 1)`},
		{what: "a number of the year's series is left out", check: fee, payments: `UPDATE fee_documents SET number = number + 1`},
		{what: "a release is not in the ledger", check: kept, payments: `UPDATE ledger_transactions SET reference = 'x' WHERE kind = 'reserve_released'`},
		{what: "a release is in the ledger and not noted", check: kept, payments: `
			UPDATE settlement_reserves SET released_minor = 0, released_at = NULL, next_at = due_on WHERE released_minor > 0`},
		{what: "more was released than the ledger has", check: kept, payments: `
			UPDATE settlement_reserves SET released_minor = released_minor + 1, kept_minor = kept_minor + 1 WHERE released_minor > 0`},
		{what: "it was released to somebody else", check: kept, payments: `UPDATE ledger_transactions SET payee_id = payee_id + 1000 WHERE kind = 'reserve_released'`},
		{what: "a debt that was paid is not noted", check: kept, payments: `UPDATE settlement_reserves SET used_minor = used_minor - 1, next_at = due_on WHERE released_minor = 0`},
		{what: "the ledger has less kept back", check: kept, payments: `
			UPDATE ledger_entries SET amount_minor = amount_minor + 1 WHERE amount_minor < 0 AND account_id IN (SELECT id FROM ledger_accounts WHERE class = 'reserve')`},
		{what: "one person gave a debt up", check: givenUp, payments: `ALTER TABLE debt_write_offs DROP CONSTRAINT debt_write_offs_not_own;
			UPDATE debt_write_offs SET ended_by = ' MAIJA'; UPDATE ledger_transactions SET actor = ' MAIJA' WHERE kind = 'write_off'`},
		{what: "more was given up than was approved", check: givenUp, payments: `UPDATE debt_write_offs SET amount_minor = amount_minor - 1`},
		{what: "a debt was given up that nobody has approved", check: givenUp, payments: `UPDATE debt_write_offs SET state = 'proposed', ended_by = '', ended_at = NULL`},
		{what: "a debt was given up without a proposal", check: givenUp, payments: `DELETE FROM debt_write_offs`},
		{what: "something was taken back that was not sent", check: back, payments: `
			INSERT INTO transfer_reversals (id, run_id, provider, payee_id, payee_ref, transfer_ref, amount_minor, currency, is_ours, state, ref, at, ended_at)
			SELECT 'x', id, provider, payee_id, payee_ref, 'x', 1, currency, false, 'done', 'x', created_at, created_at FROM settlement_runs`},
		{what: "a line is another campaign's pledge", check: whose, payments: `UPDATE settlement_lines SET payment_id = @plain_payment`},
		{what: "a run is of a campaign that goes on", check: whose, payments: `UPDATE settlement_runs SET campaign_id = @toinen`},
		{what: "a campaign's money is its backers' and on its way to its creator", check: whose, payments: `UPDATE campaign_endings SET goes_to = 'backers'`},
		{what: "a run goes by rates that held later", check: rates, payments: `
			INSERT INTO settlement_rates SELECT '2020-01-02', fee_points, vat_points, vat_country, reserve_points, actor, note, at FROM settlement_rates`},
		{what: "the rates of a day were changed afterwards", check: rates, payments: `UPDATE settlement_rates SET fee_points = 400`},
		{what: "another tax is in the fee", check: rates, payments: `UPDATE settlement_rates SET vat_points = 2400`},
		{what: "less is kept back", check: rates, payments: `
			UPDATE settlement_lines SET reserve_minor = reserve_minor - 1, net_minor = net_minor + 1 WHERE charge_ref = (SELECT max(charge_ref) FROM settlement_lines)`},
		{what: "one line bears another's fee", check: rates, payments: `
			UPDATE settlement_lines SET fee_minor = fee_minor + 200, net_minor = net_minor - 200 WHERE gross_minor = 6000;
			UPDATE settlement_lines SET fee_minor = fee_minor - 200, net_minor = net_minor + 200, vat_minor = 0 WHERE gross_minor = 4000;
			UPDATE settlement_lines SET vat_minor = 102 WHERE gross_minor = 6000`},
		{what: "nobody has approved a run", check: approved, payments: `DELETE FROM settlement_approvals`},
		{what: "something else was approved", check: approved, payments: `UPDATE settlement_runs SET hash = 'x'`},
		{what: "a run was approved by who proposed it", check: approved, payments: `
			ALTER TABLE settlement_approvals DROP CONSTRAINT settlement_approvals_not_own;
			UPDATE settlement_approvals SET actor = ' Maija'`},
		{what: "who approved a run was no operator", check: approved, payments: `UPDATE settlement_approvals SET actor = 'somebody'`},
		{what: "one person approved a large sum", check: approved, payments: `UPDATE settlement_lines SET gross_minor = gross_minor + 600000, net_minor = net_minor + 600000`},
		{what: "a line is not in the ledger", check: booked, payments: `UPDATE ledger_transactions SET reference = 'x' WHERE kind = 'settlement' AND amount_minor = 6000`},
		{what: "a line is booked with another fee", check: booked, payments: `
			UPDATE settlement_lines SET fee_minor = fee_minor - 1, net_minor = net_minor + 1 WHERE gross_minor = 6000`},
		{what: "a line is booked for somebody else", check: booked, payments: `UPDATE settlement_runs SET payee_id = payee_id + 1000`},
		{what: "a line of a run that is paid was never booked", check: booked, payments: `UPDATE settlement_lines SET booked_at = NULL WHERE gross_minor = 4000`},
		{what: "a line was booked and the run is still proposed", check: booked, payments: `UPDATE settlement_runs SET state = 'proposed'`},
		{what: "a line of an earlier version was booked", check: booked, payments: `UPDATE settlement_runs SET version = version + 1`},
		{what: "a cent less was sent", check: sent, payments: `UPDATE settlement_moves SET amount_minor = amount_minor - 1 WHERE kind = 'transfer'`},
		{what: "it was sent to another account", check: sent, payments: `UPDATE settlement_moves SET payee_ref = 'user_m_x' WHERE kind = 'payout'`},
		{what: "it left another wallet", check: sent, payments: `UPDATE settlement_moves SET from_place = @plain_wallet WHERE kind = 'transfer'`},
		{what: "a run was sent twice", check: sent, payments: `DROP INDEX settlement_moves_sent;
			INSERT INTO settlement_moves SELECT run_id, kind, 2, provider, payee_ref, from_place, destination, amount_minor, fee_minor, currency, state, 'xfer_m_x', code, at,
				burned_at, ended_at, returned_ref FROM settlement_moves WHERE kind = 'transfer'`},
		{what: "a run is paid and nothing was paid out", check: sent, payments: `DELETE FROM settlement_moves WHERE kind = 'payout'`},
		{what: "a run is sending and nothing was asked", check: sent, payments: `UPDATE settlement_runs SET state = 'sending'`},
		{what: "a transfer is booked with another sum", check: inBook, payments: `UPDATE ledger_transactions SET amount_minor = amount_minor - 1 WHERE kind = 'transfer'`},
		{what: "our part of a transfer is not booked", check: inBook, payments: `UPDATE ledger_transactions SET reference = 'x' WHERE kind = 'place_move' AND reference LIKE '%:fee'`},
		{what: "a payout is not booked", check: inBook, payments: `UPDATE ledger_transactions SET kind = 'transfer_reversed' WHERE kind = 'creator_payout'`},
		{what: "a payout came back and is not booked", check: inBook, payments: `UPDATE settlement_moves SET state = 'returned', returned_ref = 'refund_m_x', returned_minor = amount_minor WHERE kind = 'payout';
			INSERT INTO settlement_returns SELECT provider, 'refund_m_x', run_id, kind, try, amount_minor, 'x', at FROM settlement_moves WHERE kind = 'payout'`},
		{what: "the parts of a payout that came back are not its sum", check: sent, payments: `UPDATE settlement_moves SET state = 'returned', returned_ref = 'refund_m_x', returned_minor = amount_minor WHERE kind = 'payout';
			INSERT INTO settlement_returns SELECT provider, 'refund_m_x', run_id, kind, try, amount_minor - 1, 'x', at FROM settlement_moves WHERE kind = 'payout'`},
		{what: "a bank has kept something and its run pays all out again", check: sent, payments: `ALTER TABLE settlement_moves DROP CONSTRAINT settlement_moves_came_back;
			INSERT INTO settlement_moves SELECT run_id, kind, try + 1, provider, payee_ref, from_place, destination, amount_minor, fee_minor, currency, state, 'payout_m_x', code, at,
				burned_at, ended_at FROM settlement_moves WHERE kind = 'payout';
			UPDATE settlement_moves SET state = 'returned', returned_ref = 'refund_m_x', returned_minor = amount_minor - 15 WHERE kind = 'payout' AND try = 1;
			INSERT INTO settlement_returns SELECT provider, 'refund_m_x', run_id, kind, try, amount_minor - 15, 'x', at FROM settlement_moves WHERE kind = 'payout' AND try = 1`},
		{what: "what a bank has kept is booked of no payout", check: inBook, payments: `UPDATE ledger_transactions SET kind = 'creator_payout_kept' WHERE kind = 'creator_payout'`},
		{what: "a transfer is of no run", check: inBook, payments: `UPDATE settlement_moves SET ref = 'xfer_m_x' WHERE kind = 'transfer'`},
		{what: "a run says that it has paid debts", check: debts, payments: `UPDATE settlement_runs SET offset_minor = 1`},
		{what: "more is to be sent than is payable", check: covers, payments: `UPDATE settlement_runs SET state = 'booked'`},
		{what: "a run has stopped", check: goesOn, payments: `UPDATE settlement_runs SET next_at = '2020-01-01'`},
		{what: "nobody looks at a run", check: goesOn, payments: `UPDATE settlement_runs SET state = 'booked', next_at = NULL`},
		{what: "a payout is on its way for weeks", check: goesOn, payments: `UPDATE settlement_moves SET state = 'open', ended_at = NULL, at = '2020-01-01' WHERE kind = 'payout'`},
		{what: "a run was moved by hand", check: history, payments: `UPDATE settlement_runs SET state = 'sent'`},
		{what: "a step of a run is missing", check: history, payments: `DELETE FROM settlement_steps WHERE event = 'agreed'`},
		{what: "a run took a step that there is not", check: history, payments: `UPDATE settlement_steps SET event = 'frozen' WHERE event = 'all_booked'`},
		{what: "a creator has money there that the book has not", check: custody, providerB: own(1)},
		{what: "the book has a payout that did not leave", check: custody, payments: `
			UPDATE ledger_entries SET amount_minor = amount_minor + 1 WHERE amount_minor < 0 AND account_id IN (SELECT id FROM ledger_accounts WHERE class = 'at_creator')`},
		{what: "a transfer there is of another sum", check: same, payments: `
			UPDATE ledger_entries SET amount_minor = amount_minor + 1 WHERE amount_minor < 0 AND transaction_id = (SELECT id FROM ledger_transactions WHERE kind = 'transfer')
				AND account_id IN (SELECT id FROM ledger_accounts WHERE class = 'provider_clearing')`},
	}
}
