//go:build unix

package audit_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/scripts/audit"
)

// TestAudit_FindsWhatIsPlantedAtProviderB has the real services write what is paid at provider B, finds no fault in it, and then plants one
// after the other, all in one world.
func TestAudit_FindsWhatIsPlantedAtProviderB(t *testing.T) {
	w := newWorldB(t)
	w.liveB()
	report, err := audit.Run(t.Context(), w.sourcesB(prompt{w}))
	if err != nil || report.Err() != nil {
		t.Fatalf("consistent data: %v, %v", err, report.Err())
	}
	answers, planted := map[string][]byte{}, map[string]bool{}
	spoilt := [2]*pgx.Conn{w.withoutTriggers(w.contentURL), w.withoutTriggers(w.paymentsURL)}
	for _, c := range slices.Concat(payInFaults(w), moneyBackAtBFaults(w), peopleAtBFaults(w), ownersAtBFaults(w), settlementFaults(w)) {
		planted[c.check] = true
		t.Run(c.what, func(t *testing.T) { w.plant(t, c, spoilt, answers) })
	}
	for _, name := range slices.Concat(audit.MangopayNames(), audit.SettlementNames()) {
		if !planted[name] {
			t.Errorf("nothing is planted for the check %q", name)
		}
	}
}

// ofB is a name of the world, which is a text.
func (w *world) ofB(name string) string { return w.names[name].(string) } //nolint:forcetypeassert // these names are texts

// retagged has a line say something else of what it is.
func retagged(field, value string) func(object) []object {
	return func(o object) []object {
		text, _ := o["Tag"].(string)
		var parts []string
		for part := range strings.SplitSeq(text, "&") {
			if strings.HasPrefix(part, field+"=") {
				part = field + "=" + value
			}
			parts = append(parts, part)
		}
		o["Tag"] = strings.Join(parts, "&")
		return []object{o}
	}
}

// againAs adds a copy of an object under another id, with the given fields.
func againAs(id string, fields object) func(object) []object {
	return func(o object) []object {
		other := maps.Clone(o)
		maps.Copy(other, fields)
		other["Id"], other["TransactionId"] = id, id
		return []object{other, o}
	}
}

// withAll sets fields.
func withAll(fields object) func(object) []object {
	return func(o object) []object {
		maps.Copy(o, fields)
		return []object{o}
	}
}

const (
	transactionsOfB = "Mangopay's transactions are the ledger's movements"
	walletsOfB      = "Mangopay's wallets hold what the ledger says"
	disputesOfB     = "Mangopay's disputes are ours"
	refundsOfB      = "Mangopay's refunds are ours"
	attemptsOfB     = "a pay-in at Mangopay is its attempt's"
	onceAtB         = "a payment is taken once at Mangopay"
	authorsOfB      = "what pays at Mangopay is its payer's"
	instrumentsOfB  = "a pay-in is paid as its attempt says"
	keptAtB         = "a kept card can be charged for its person"
	payersOfB       = "a payer at Mangopay is whom they were made for"
	ownersOfB       = "a creator's account is as Mangopay has it"
	walletOwnersOfB = "a wallet at Mangopay is its owner's"
	banksOfB        = "a creator's bank account is as Mangopay has it"
	hooksOfB        = "Mangopay tells us of its events"
)

// payInFaults are planted into what was paid.
func payInFaults(w *world) []corruption {
	plain := func(change func(object) []object) func(string, object) []object {
		return only("report", named("TransactionId", w.ofB("plain_charge")), change)
	}
	looked := func(name string, change func(object) []object) func(string, object) []object {
		return only("payins", named("Id", w.ofB(name)), change)
	}
	return []corruption{
		{what: "it went to another campaign's wallet", check: transactionsOfB, providerB: plain(with("CreditedWalletId", w.names["elsewhere_wallet"]))},
		{what: "it is booked to another campaign's wallet", check: "a charge is in a wallet of its campaign", payments: `
			UPDATE ledger_entries e SET account_id = (SELECT id FROM ledger_accounts WHERE name = 'provider_clearing:mangopay:' || @elsewhere_wallet)
			FROM ledger_transactions t, ledger_accounts a WHERE t.id = e.transaction_id AND a.id = e.account_id AND t.kind = 'charge' AND t.reference = @plain_charge
				AND a.class = 'provider_clearing'`},
		{what: "less came there", check: attemptsOfB, providerB: plain(with("CreditedFundsAmount", "2499"))},
		{what: "a fee was kept of it", check: attemptsOfB, providerB: plain(with("FeesAmount", "25"))},
		{what: "it is in another currency there", check: attemptsOfB, providerB: plain(with("CreditedFundsCurrency", "SEK"))},
		{what: "our attempt took another sum", check: attemptsOfB, payments: `UPDATE attempts SET amount_minor = amount_minor + 1 WHERE money_ref = @plain_intent`},
		{what: "it is for another payment", check: attemptsOfB, providerB: looked("plain_intent", retagged("payment", w.ofB("part_payment")))},
		{what: "it is for another campaign", check: attemptsOfB, providerB: looked("plain_intent", retagged("campaign", "99"))},
		{what: "it is of another attempt", check: attemptsOfB, providerB: looked("plain_intent", retagged("attempt", "payment%3Ax%3Acard%3A1"))},
		{what: "it is for another pledge", check: attemptsOfB, providerB: looked("plain_intent", retagged("subject", "pledge%3Ax"))},
		{what: "our attempt is another payment's", check: attemptsOfB, payments: `UPDATE attempts SET payment_id = @part_payment, number = 9 WHERE money_ref = @plain_intent`},
		{what: "it succeeded there and never here", check: attemptsOfB, payments: `UPDATE attempts SET status = 'canceled' WHERE money_ref = @plain_intent`},
		{what: "it is of no attempt of ours", check: attemptsOfB, payments: `DELETE FROM attempts WHERE money_ref = @plain_intent`},
		{what: "it was taken twice there", check: onceAtB, providerB: looked("part_intent", retagged("payment", w.ofB("plain_payment")))},
		{what: "a second one is in no book", check: transactionsOfB, providerB: plain(againAs("payin_m_again", nil))},
		{what: "it failed there and counts as paid", check: transactionsOfB, providerB: plain(gone)},
		{what: "it happened on another day", check: transactionsOfB, payments: `
			UPDATE ledger_transactions SET happened_at = happened_at - interval '1 day' WHERE reference = @plain_charge AND kind = 'charge'`},
		{what: "another payer paid it", check: authorsOfB, providerB: plain(with("AuthorId", w.names["maija_account"]))},
		{what: "nobody paid it", check: authorsOfB, providerB: plain(with("AuthorId", "user_m_nobody"))},
		{what: "its payer was made for another pledge", check: authorsOfB, providerB: only("users", named("Tag", "pledge:"+w.ofB("plain")), with("Tag", "pledge:x"))},
		{what: "an account's pledge was paid by a stranger's payer", check: authorsOfB, providerB: only("report", named("TransactionId", w.ofB("kept_charge")),
			with("AuthorId", w.names["oona_account"]))},
		{what: "another card paid it", check: instrumentsOfB, providerB: looked("plain_intent", with("CardId", "card_m_another"))},
		{what: "it was to be paid by another card", check: instrumentsOfB, payments: `UPDATE attempts SET instrument_ref = 'cards/x' WHERE money_ref = @plain_intent`},
		{what: "a page was paid by a registered card", check: instrumentsOfB, providerB: looked("page_intent", with("ExecutionType", "DIRECT"))},
		{what: "a debit was paid by card", check: instrumentsOfB, providerB: looked("debited_intent", with("PaymentType", "CARD"))},
		{what: "a card's payment counts as a debit", check: instrumentsOfB, payments: `UPDATE attempts SET method = 'debit' WHERE money_ref = @plain_intent`},
		{what: "a debit that failed there is on its way here", check: instrumentsOfB, providerB: looked("waiting_intent", with("Status", "FAILED"))},
		{what: "a debit that succeeded there is on its way here", check: instrumentsOfB, providerB: looked("waiting_intent", with("Status", "SUCCEEDED"))},
		{what: "a debit that is on its way is not there", check: instrumentsOfB, providerB: looked("waiting_intent", gone)},
		{what: "a debit is by another payer's mandate", check: instrumentsOfB, providerB: only("mandates", named("Id", w.ofB("debited_mandate")),
			with("UserId", w.names["oona_account"]))},
		{what: "a debit is on its way by a mandate that has ended", check: instrumentsOfB, providerB: only("mandates", named("Id", w.ofB("waiting_mandate")),
			with("Status", "FAILED"))},
		{what: "a debit's mandate is not there", check: instrumentsOfB, providerB: only("mandates", named("Id", w.ofB("waiting_mandate")), gone)},
		{what: "a debit is on its way for too long", check: "no payment is open past its time", payments: `
			UPDATE payments SET closes_at = closes_at - interval '60 days' WHERE id = @waiting_payment`},
		{what: "nobody looks at a debit that is on its way", check: "everything open has a next check", payments: `
			UPDATE payments SET next_check_at = next_check_at + interval '30 days' WHERE id = @waiting_payment`},
		{what: "a payment's provider is another one", check: "the attempt that counts is its payment's", payments: `
			UPDATE payments SET provider = 'stripe' WHERE id = @plain_payment`},
		{what: "an event of a payment was skipped", check: "the inbox has every event, once", payments: `
			UPDATE payments SET event_sequence = event_sequence + 1 WHERE id = @plain_payment`},
	}
}

// moneyBackAtBFaults are planted into what went back, or was taken back.
func moneyBackAtBFaults(w *world) []corruption {
	refund := func(change func(object) []object) func(string, object) []object {
		return only("report", named("TransactionId", w.ofB("part_refund")), change)
	}
	dispute := func(name string, change func(object) []object) func(string, object) []object {
		return only("disputes", named("Id", w.ofB(name+"_dispute")), change)
	}
	settlement := func(o object) bool { return o["Nature"] == "SETTLEMENT" }
	long := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC).Unix()
	return []corruption{
		{what: "a refund was made twice there", check: refundsOfB, providerB: refund(againAs("refund_m_again", nil))},
		{what: "a refund is not there", check: refundsOfB, providerB: refund(gone)},
		{what: "a refund is of another sum there", check: refundsOfB, providerB: refund(with("DebitedFundsAmount", "1001"))},
		{what: "a refund is in another currency there", check: refundsOfB, providerB: refund(with("DebitedFundsCurrency", "SEK"))},
		{what: "a refund was sent as another one", check: refundsOfB, providerB: only("refunds", named("Id", w.ofB("part_refund")), retagged("refund", "another"))},
		{what: "a refund was sent for another payment", check: refundsOfB, providerB: only("refunds", named("Id", w.ofB("part_refund")), retagged("payment", w.ofB("plain_payment")))},
		{what: "a refund is of another attempt here", check: refundsOfB, payments: `UPDATE refunds SET attempt_id = (
			SELECT paid_attempt_id FROM payments WHERE id = @plain_payment) WHERE provider_ref = @part_refund`},
		{what: "a refund was taken from another campaign's wallet", check: refundsOfB, providerB: refund(with("DebitedWalletId", w.names["elsewhere_wallet"]))},
		{what: "a refund went to another payer", check: refundsOfB, providerB: refund(with("AuthorId", w.names["oona_account"]))},
		{what: "a refund is on its way here and has succeeded there", check: refundsOfB, payments: `
			UPDATE refunds SET status = 'pending', next_check_at = now() WHERE provider_ref = @part_refund`},
		{what: "a refund is of nothing here", check: refundsOfB, payments: `DELETE FROM refunds WHERE provider_ref = @part_refund`},
		{what: "a dispute is not there any more", check: disputesOfB, providerB: dispute("lost", gone)},
		{what: "a dispute is of another sum there", check: disputesOfB, providerB: dispute("lost", with("DisputedFunds", object{"Amount": 1, "Currency": "EUR"}))},
		{what: "a dispute that was lost here is won there", check: disputesOfB, providerB: dispute("lost", with("ResultCode", "WON"))},
		{what: "a dispute that was won here is not decided there", check: disputesOfB, providerB: dispute("won", with("Status", "PENDING_BANK_ACTION"))},
		{what: "a dispute is for another reason there", check: disputesOfB, providerB: dispute("lost", with("DisputeReason", object{"DisputeReasonType": "DUPLICATE"}))},
		{what: "a dispute is of another pay-in there", check: disputesOfB, providerB: dispute("lost", with("InitialTransactionId", w.names["plain_charge"]))},
		{what: "a dispute has taken nothing there", check: disputesOfB, providerB: dispute("lost", with("RepudiationId", nil))},
		{what: "a debit that came back is a loss of ours here", check: disputesOfB, payments: `UPDATE disputes SET status = 'lost' WHERE provider_ref = @returned_dispute`},
		{what: "what a bank keeps was never moved there", check: transactionsOfB, providerB: only("report", settlement, gone)},
		{what: "what a bank keeps was moved twice there", check: transactionsOfB, providerB: only("report", settlement, againAs("settlement_m_again", nil))},
		{what: "what a bank keeps was moved from another wallet", check: transactionsOfB, providerB: only("report", settlement,
			with("DebitedWalletId", w.names["elsewhere_wallet"]))},
		{what: "what a bank keeps counts as moved twice", check: "what a bank keeps is moved to where it was taken", payments: `
			UPDATE disputes SET repaid_minor = repaid_minor * 2 WHERE provider_ref = @lost_dispute`},
		{what: "what a bank keeps was to be moved and nobody does", check: "what a bank keeps is moved to where it was taken", payments: `
			UPDATE disputes SET repaid_minor = 0, repay_at = NULL WHERE provider_ref = @lost_dispute`},
		{what: "money went from one wallet to another", check: transactionsOfB, providerB: only("report", named("TransactionId", w.ofB("plain_charge")),
			againAs("transfer_m_1", object{"Type": "TRANSFER", "Tag": "", "DebitedWalletId": w.names["plain_wallet"],
				"CreditedWalletId": w.names["elsewhere_wallet"], "ExecutionDate": long}))},
		{what: "a creator was paid out from a campaign's wallet", check: transactionsOfB, providerB: only("report", named("TransactionId", w.ofB("part_refund")),
			againAs("payout_m_1", object{"Nature": "REGULAR", "Tag": "", "ExecutionDate": long}))},
		{what: "a campaign's wallet has less than it was given", check: walletsOfB, providerB: only("wallets", func(o object) bool { return o["Id"] == w.names["plain_wallet"] },
			with("Balance", object{"Amount": 1, "Currency": "EUR"}))},
		{what: "the platform's own wallet has another sum", check: walletsOfB, providerB: only("own wallets", named("FundsType", "CREDIT"),
			with("Balance", object{"Amount": 1, "Currency": "EUR"}))},
	}
}
