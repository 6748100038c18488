//go:build unix

package audit_test

import "fmt"

// book is SQL that posts a movement of the charge of the pledge "plain", in minor units.
func (w *world) book(kind, reference string, minor int, debit, credit string) string {
	return fmt.Sprintf(`WITH made AS (
		INSERT INTO ledger_transactions (provider, kind, reference, payment_id, charge_ref, amount_minor, currency, legs, happened_at, booked_at)
		SELECT 'stripe', '%s', '%s', id, @plain_charge, %d, 'EUR', 2, created_at, created_at FROM payments WHERE id = @plain_payment RETURNING id)
		INSERT INTO ledger_entries (transaction_id, account_id, currency, amount_minor)
		SELECT made.id, a.id, 'EUR', CASE a.name WHEN '%s' THEN %d ELSE -%d END FROM made, ledger_accounts a WHERE a.name IN ('%s', '%s')`,
		kind, reference, minor, debit, minor, minor, debit, credit)
}

// unbook is SQL that removes a movement with its entries.
func unbook(where string) string {
	return `DELETE FROM ledger_entries WHERE transaction_id IN (SELECT id FROM ledger_transactions WHERE ` + where + `);
		DELETE FROM ledger_transactions WHERE ` + where
}

const (
	plainCharge = `kind = 'charge' AND reference = @plain_charge`
	plainLegs   = `transaction_id = (SELECT id FROM ledger_transactions WHERE ` + plainCharge + `)`
)

func ledgerFaults(w *world) []corruption {
	clearing, funds, owed := "provider_clearing:stripe:main", fmt.Sprintf("backer_funds:stripe:%d",
		w.campaign.ID), "owed_to_backers:stripe"
	const (
		whole    = "every transaction is whole and balances"
		once     = "every success is one charge in the ledger"
		rule     = "each movement posts what its rule says"
		currency = "every transaction is in one currency"
	)
	const closed = "each closing of an account is the sum of its entries up to there"
	sealed, chain := "each sealed day of the book is as it was sealed", "sealed days follow one another"
	return []corruption{
		{what: "a sealed movement has another note", check: sealed, payments: `UPDATE ledger_transactions SET note = 'nothing' WHERE ` + plainCharge},
		{what: "a sealed movement is of another day", check: sealed, payments: `UPDATE ledger_transactions SET booked_at = booked_at - interval '1 day' WHERE ` + plainCharge},
		{what: "a movement is booked on a sealed day later", check: sealed, payments: w.book("charge", "ch_later", 100, clearing, funds)},
		{what: "a seal is another", check: sealed, payments: `UPDATE ledger_days SET hash = repeat('0', 64) WHERE day = (SELECT max(day) FROM ledger_days)`},
		{what: "a sealed day is gone", check: chain, payments: `DELETE FROM ledger_days WHERE day = (SELECT min(day) + 1 FROM ledger_days)`},
		{what: "a seal follows from another day's", check: chain, payments: `UPDATE ledger_days SET previous_hash = repeat('0', 64) WHERE day = (SELECT min(day) + 1 FROM ledger_days)`},
		{what: "a day was sealed before it was over", check: chain, payments: `UPDATE ledger_days SET sealed_at = sealed_at - interval '2 days'`},
		{what: "no day is sealed", check: chain, payments: `DELETE FROM ledger_days`},
		{what: "a closing has another balance", check: closed, payments: `UPDATE ledger_closings SET balance_minor = balance_minor + 1
			WHERE (account_id, up_to) = (SELECT account_id, up_to FROM ledger_closings ORDER BY up_to DESC, account_id LIMIT 1)`},
		{what: "an entry that was closed over is gone", check: closed, payments: `DELETE FROM ledger_entries WHERE id = (SELECT min(e.id) FROM ledger_entries e
			JOIN ledger_closings c ON c.account_id = e.account_id AND c.up_to >= e.id)`},
		{what: "a closing was made before an entry up to it came to light", check: closed, payments: `UPDATE ledger_closings c SET balance_minor = balance_minor - e.amount_minor
			FROM ledger_entries e WHERE e.account_id = c.account_id AND e.id = (SELECT min(e.id) FROM ledger_entries e
				JOIN ledger_closings c ON c.account_id = e.account_id AND c.up_to >= e.id)`},
		{what: "an account is closed up to an entry that there is not", check: closed, payments: `UPDATE ledger_closings SET up_to = (SELECT max(id) + 1 FROM ledger_entries),
			balance_minor = (SELECT sum(amount_minor) FROM ledger_entries e WHERE e.account_id = ledger_closings.account_id)
			WHERE (account_id, up_to) = (SELECT account_id, up_to FROM ledger_closings ORDER BY up_to DESC, account_id LIMIT 1)`},
		{what: "a closing is of another account", check: closed, payments: `UPDATE ledger_closings SET account_id = (SELECT max(id) FROM ledger_accounts)
			WHERE (account_id, up_to) = (SELECT account_id, up_to FROM ledger_closings ORDER BY up_to DESC, account_id LIMIT 1)`},
		{what: "a closing is of no account", check: closed, payments: `UPDATE ledger_closings SET account_id = 0
			WHERE (account_id, up_to) = (SELECT account_id, up_to FROM ledger_closings ORDER BY up_to DESC, account_id LIMIT 1)`},
		{what: "a closing was made tomorrow", check: "nothing of money is later than now", payments: `UPDATE ledger_closings SET made_at = now() + interval '1 day'`},
		{what: "a leg is gone", check: whole, payments: `DELETE FROM ledger_entries WHERE amount_minor > 0 AND ` + plainLegs},
		{what: "a leg is of another sum", check: whole, payments: `UPDATE ledger_entries SET amount_minor = 2600 WHERE amount_minor > 0 AND ` + plainLegs},
		{what: "all entries are gone", check: whole, payments: `DELETE FROM ledger_entries`},
		{what: "a balanced pair is added later", check: whole, payments: `INSERT INTO ledger_entries (transaction_id, account_id, currency, amount_minor)
			SELECT transaction_id, account_id, currency, -sign(amount_minor) FROM ledger_entries WHERE ` + plainLegs},
		{what: "a balanced pair is added later, and counted", check: rule, payments: `INSERT INTO ledger_entries (transaction_id, account_id, currency, amount_minor)
			SELECT transaction_id, account_id, currency, -sign(amount_minor) FROM ledger_entries WHERE ` + plainLegs + `;
			UPDATE ledger_transactions SET legs = 4 WHERE ` + plainCharge},
		{what: "an entry has no transaction", check: whole, payments: `DELETE FROM ledger_transactions WHERE ` + plainCharge},
		{what: "a header is of another sum", check: once, payments: `UPDATE ledger_transactions SET amount_minor = 2600 WHERE ` + plainCharge},
		{what: "25.00 booked as 2.50 in balance, all legs", check: rule, payments: `UPDATE ledger_entries SET amount_minor = amount_minor / 10 WHERE ` + plainLegs},
		{what: "25.00 booked as 2.50 in balance, all legs and the header", check: once, payments: `
			UPDATE ledger_entries SET amount_minor = amount_minor / 10 WHERE ` + plainLegs + `;
			UPDATE ledger_transactions SET amount_minor = 250 WHERE ` + plainCharge},
		{what: "25.00 booked as 2.50 in every table of both services", check: "each success at the provider is ours", payments: `
			UPDATE ledger_entries SET amount_minor = amount_minor / 10 WHERE ` + plainLegs + `;
			UPDATE ledger_transactions SET amount_minor = 250 WHERE ` + plainCharge + `;
			UPDATE attempts SET amount_minor = 250 WHERE charge_ref = @plain_charge;
			UPDATE payments SET amount_minor = 250 WHERE id = @plain_payment`,
			content: `UPDATE pledges SET amount_minor = 250 WHERE id = @plain`},
		{what: "a charge on another campaign's account", check: rule, payments: `
			INSERT INTO ledger_accounts (name, class, type, currency, guarded) VALUES ('backer_funds:stripe:99', 'backer_funds', 'liability', 'EUR', true);
			UPDATE ledger_entries SET account_id = (SELECT max(id) FROM ledger_accounts) WHERE amount_minor < 0 AND ` + plainLegs},
		{what: "an account is renamed", check: rule, payments: `UPDATE ledger_accounts SET name = 'backer_funds:stripe:7' WHERE id = (SELECT min(id) FROM ledger_accounts WHERE class = 'backer_funds')`},
		{what: "an account has the name of another class", check: "the chart of accounts is kept",
			payments: `UPDATE ledger_accounts SET name = 'bank:stripe' WHERE class = 'provider_fees'`},
		{what: "an account may be overdrawn that must not", check: "the chart of accounts is kept",
			payments: `UPDATE ledger_accounts SET guarded = false WHERE class = 'backer_funds'`},
		{what: "a guard is gone", check: "the chart of accounts is kept", payments: `DELETE FROM ledger_guards`},
		{what: "a charge is another provider's", check: once, payments: `UPDATE ledger_transactions SET provider = 'mangopay' WHERE ` + plainCharge},
		{what: "a transaction is in another currency than its entries", check: currency, payments: `UPDATE ledger_transactions SET currency = 'SEK' WHERE ` + plainCharge},
		{what: "an entry is in another currency", check: currency, payments: `UPDATE ledger_entries SET currency = 'SEK' WHERE ` + plainLegs},
		{what: "a whole charge is in another currency", check: currency, payments: `
			INSERT INTO ledger_accounts (name, class, type, currency, guarded)
			SELECT name, class, type, 'SEK', guarded FROM ledger_accounts WHERE class IN ('provider_clearing', 'backer_funds');
			UPDATE ledger_entries e SET currency = 'SEK', account_id = (SELECT s.id FROM ledger_accounts s JOIN ledger_accounts a USING (name)
				WHERE a.id = e.account_id AND s.currency = 'SEK') WHERE ` + plainLegs + `;
			UPDATE ledger_transactions SET currency = 'SEK' WHERE ` + plainCharge},
		{what: "a fee is missing", check: "every fee is in the ledger", payments: unbook(`kind = 'provider_fee' AND reference = @plain_charge`)},
		{what: "a fee is missing, and its attempt says that there was none",
			check: "the provider's lines are the ledger's movements",
			payments: unbook(`kind = 'provider_fee' AND reference = @plain_charge`) + `;
			UPDATE attempts SET fee_minor = 0 WHERE charge_ref = @plain_charge`},
		{what: "a fee is booked twice", check: "every fee is in the ledger", payments: w.book("provider_fee", "ch_again", 60,
			"provider_fees:stripe", clearing)},
		{what: "a charge is booked twice", check: "a movement is booked once", payments: `
			ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_once;
			` + w.book("charge", "again", 2500, clearing, funds) + `;
			UPDATE ledger_transactions SET reference = @plain_charge WHERE reference = 'again'`},
		{what: "a charge that never was", check: once, payments: w.book("charge", "ch_never", 2500, clearing, funds)},
		{what: "a charge is deleted, entries and all", check: once, payments: unbook(plainCharge)},
		{what: "a charge is deleted from every table of payments", check: "the provider's lines are the ledger's movements",
			payments: unbook(`charge_ref = @plain_charge`) + `;
			DELETE FROM payment_transitions WHERE payment_id = @plain_payment;
			DELETE FROM attempts WHERE payment_id = @plain_payment;
			DELETE FROM payments WHERE id = @plain_payment`},
		{what: "a movement of no kind", check: rule, payments: w.book("gift", "g", 100, clearing, funds)},
		{what: "funds are overdrawn", check: "no guarded account is on its wrong side",
			payments: w.book("refund_begun", "x:1", 10000, funds, owed)},
		{what: "money is owed without a refund", check: "what is owed is what refunds promise",
			payments: w.book("refund_begun", "x:1", 500, funds, owed)},
		{what: "a refund takes the place of another's promise", check: "every refund in the ledger has a refund",
			payments: w.book("refund_begun", "x:1", 500, funds, owed)},
		{what: "a ledger refund that never was", check: "every refund in the ledger has a refund",
			payments: w.book("refund", "re_never", 2500, funds, clearing)},
		{what: "a second charge is the campaign's", check: "one success counts, others go back", payments: `
			UPDATE ledger_entries SET account_id = (SELECT min(id) FROM ledger_accounts WHERE class = 'backer_funds') WHERE amount_minor < 0
			AND transaction_id = (SELECT id FROM ledger_transactions WHERE kind = 'charge' AND reference = @second_charge)`},
		{what: "a charge is booked for another payment", check: "a charge's movements are its payment's",
			payments: `UPDATE ledger_transactions SET payment_id = @other_payment WHERE ` + plainCharge},
		{what: "a movement is of a charge that nobody has", check: "a charge's movements are its payment's",
			payments: `UPDATE ledger_transactions SET charge_ref = 'ch_nobody' WHERE kind = 'refund' AND reference = @full_refund_ref`},
		{what: "a dispute is won twice", check: "nothing is reversed twice", payments: `
			INSERT INTO ledger_transactions (provider, kind, reference, payment_id, charge_ref, amount_minor, currency, legs, reverses, happened_at, booked_at)
			SELECT provider, kind, 'txn_again', payment_id, charge_ref, amount_minor, currency, legs, reverses, happened_at, booked_at
			FROM ledger_transactions WHERE kind = 'dispute_won' AND charge_ref = @won_charge`},
		{what: "a decision is about another charge", check: "nothing is reversed twice", payments: `
			UPDATE ledger_transactions SET reverses = (SELECT id FROM ledger_transactions WHERE kind = 'dispute_opened' AND charge_ref = @lost_charge)
			WHERE kind = 'dispute_won' AND charge_ref = @won_charge`},
		{what: "a settled charge is another creator's", check: rule,
			payments: `UPDATE ledger_transactions SET payee_id = payee_id + 1 WHERE kind = 'settlement' AND charge_ref = @settled_charge`},
		{what: "what goes back of a settled charge is another creator's", check: rule,
			payments: `UPDATE ledger_transactions SET payee_id = payee_id + 1 WHERE kind = 'refund_begun' AND charge_ref = @settled_charge`},
		{what: "a creator gives less than their part", check: rule, payments: `
			UPDATE ledger_entries e SET amount_minor = e.amount_minor + CASE a.class WHEN 'creator_debt' THEN -1 ELSE 1 END
			FROM ledger_transactions t, ledger_accounts a WHERE t.id = e.transaction_id AND a.id = e.account_id AND t.kind = 'refund_begun'
			AND t.charge_ref = @settled_charge AND a.class IN ('creator_debt', 'platform_revenue')`},
		{what: "more is payable than there is", check: "no guarded account is on its wrong side", payments: `
			UPDATE ledger_entries e SET amount_minor = e.amount_minor * 100 FROM ledger_transactions t
			WHERE t.id = e.transaction_id AND t.kind = 'debt_offset'`},
		{what: "money is at a creator's that is not held for them", check: "what is at a creator's is held for them", payments: `
			INSERT INTO ledger_accounts (name, class, type, currency, guarded) VALUES ('at_creator:stripe:1', 'at_creator', 'asset', 'EUR', false);
			` + w.book("transfer", "tr_1", 100, "at_creator:stripe:1", clearing)},
		{what: "a movement of next year", check: "nothing of money is later than now",
			payments: `UPDATE ledger_transactions SET happened_at = happened_at + interval '1 year' WHERE ` + plainCharge},
		{what: "a payment of next year", check: "nothing of money is later than now",
			payments: `UPDATE payments SET created_at = created_at + interval '1 year' WHERE id = @plain_payment`},
	}
}

// invoiceFaults are planted into what providers have billed.
func invoiceFaults() []corruption {
	const (
		kept     = "what providers bill is booked as it is kept"
		reversed = "nothing is reversed twice"
		rule     = "each movement posts what its rule says"
		entries  = `UPDATE ledger_entries e SET %s FROM ledger_transactions t, ledger_accounts a
			WHERE t.id = e.transaction_id AND a.id = e.account_id AND t.reference = 'S-1' AND a.class = '%s'`
	)
	return []corruption{
		{what: "an invoice is of another sum", check: kept, payments: `UPDATE provider_invoices SET amount_minor = amount_minor + 1 WHERE number = 'S-1'`},
		{what: "an invoice has another tax", check: kept, payments: `UPDATE provider_invoices SET vat_minor = 0 WHERE number = 'S-1'`},
		{what: "an invoice is of another month", check: kept, payments: `UPDATE provider_invoices SET period = '2026-01-01' WHERE number = 'S-1'`},
		{what: "an invoice is not booked", check: kept, payments: unbook(`reference = 'S-2'`)},
		{what: "an invoice is booked and not kept", check: kept, payments: `DELETE FROM provider_invoices WHERE number = 'S-2'`},
		{what: "a credit is of another invoice", check: kept, payments: `
			UPDATE provider_invoices SET corrects = (SELECT id FROM provider_invoices WHERE number = 'S-2') WHERE number = 'S-1-K'`},
		{what: "a credit is an invoice", check: kept, payments: `UPDATE provider_invoices SET corrects = NULL WHERE number = 'S-1-K'`},
		{what: "more is taken back than was billed", check: kept, payments: `
			INSERT INTO provider_invoices (provider, number, corrects, period, amount_minor, vat_minor, currency, is_deducted, request_key, actor, note, at)
			SELECT provider, 'S-1-K2', id, period, amount_minor, vat_minor, currency, is_deducted, 'k2', actor, note, at FROM provider_invoices WHERE number = 'S-1'`},
		{what: "an invoice was booked by somebody else", check: kept, payments: `UPDATE provider_invoices SET actor = 'kalle' WHERE number = 'S-1'`},
		{what: "a credit reverses something else", check: reversed, payments: `
			UPDATE ledger_transactions SET reverses = (SELECT min(id) FROM ledger_transactions WHERE kind = 'charge') WHERE reference = 'S-1-K'`},
		{what: "an invoice's tax is another account's", check: rule, payments: fmt.Sprintf(entries, "account_id = (SELECT id FROM ledger_accounts WHERE class = 'loss' LIMIT 1)", "vat_input")},
		{what: "an invoice took from a backer", check: rule, payments: fmt.Sprintf(entries, "account_id = (SELECT id FROM ledger_accounts WHERE name = 'owed_to_backers:stripe')", "bank")},
	}
}
