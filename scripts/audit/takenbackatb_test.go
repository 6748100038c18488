//go:build unix

package audit_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	payments "talkoot.fi/payments/inproc"
	"talkoot.fi/scripts/audit"
)

// strandedB has a payout at provider B fail, and what the creator owes be taken back from their own wallet before the rest is paid out.
func (w *world) strandedB() {
	w.t.Helper()
	w.comesBackAtB()
	w.refund("settled", 4_00) // of which the creator's part is taken back
	w.pass(2 * time.Hour)
	w.rest()
	w.must(w.payments.ResumeSettlement(w.ctx(), w.ofB("run"), payments.Operator{Actor: "aino", Note: "test"}))
	w.rest()
	w.twoDays()
}

// comesBackAtB has a payout at provider B fail, so that its money is in its creator's own wallet.
func (w *world) comesBackAtB() {
	w.t.Helper()
	w.fund()
	w.sentAtB()
	w.must(w.providerB.SettlePayOut(w.text(w.pay, `SELECT ref FROM settlement_moves WHERE kind = 'payout'`), "121004"))
	w.pass(2 * time.Hour)
	w.rest()
}

// twoDays pass, with their daily passes.
func (w *world) twoDays() {
	w.t.Helper()
	for range 2 {
		w.pass(27 * time.Hour)
		w.rest()
		w.must(w.payments.Reconcile(w.ctx()))
		w.rest()
	}
}

// A creator's own wallet is no place of the book's: what waits there is compared as what is at the creator, however long it waits.
func TestAudit_MoneyThatWaitsInACreatorsOwnWallet_IsNoFinding(t *testing.T) {
	w := newWorldB(t)
	w.comesBackAtB()
	w.twoDays()
	report, err := audit.Run(t.Context(), w.sourcesB(prompt{w}))
	if err != nil || report.Err() != nil {
		t.Errorf("%v, %v", err, report.Err())
	}
	if at := w.text(w.pay, `SELECT (sum(e.amount_minor) > 0)::text FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE a.class = 'at_creator'`); at != "true" {
		t.Error("nothing waits")
	}
}

// What was taken back of a creator's own wallet at provider B is compared with the run, the book and what the wallets have moved; each fault is found.
func TestAudit_FindsWhatIsPlantedIntoWhatIsTakenBackAtB(t *testing.T) {
	w := newWorldB(t)
	w.strandedB()
	if report, err := audit.Run(t.Context(), w.sourcesB(prompt{w})); err != nil || report.Err() != nil {
		t.Fatalf("consistent data: %v, %v", err, report.Err())
	}
	if n := w.text(w.pay, `SELECT string_agg(amount_minor || ' ' || paid_minor || ' ' || is_ours || ' ' || state, ', ') FROM transfer_reversals`); n != "380 380 true done" {
		t.Fatalf("taken back: %s", n)
	}
	const (
		lines  = "Mangopay's transactions are the ledger's movements"
		ofRun  = "what was taken back is of its run's transfer"
		inBook = "what was sent to creators is booked"
		debts  = "what of a run has paid debts is in the ledger"
		sent   = "what is sent to creators is what runs say"
		goesOn = "a run goes on, or waits for somebody"
	)
	line := func(change func(object) []object) func(string, object) []object {
		return only("report", named("TransactionId", w.text(w.pay, `SELECT ref FROM transfer_reversals`)), change)
	}
	spoilt, answers := [2]*pgx.Conn{w.withoutTriggers(w.contentURL), w.withoutTriggers(w.paymentsURL)}, map[string][]byte{}
	for _, c := range []corruption{
		{what: "it was not taken back there", check: lines, providerB: line(gone)},
		{what: "a cent less was taken back there", check: lines, providerB: line(with("CreditedFundsAmount", "379"))},
		{what: "it went to another wallet there", check: lines, providerB: line(with("CreditedWalletId", "wlt_m_x"))},
		{what: "a part of it is our own money there", check: lines, providerB: line(withAll(object{"CreditedFundsAmount": "370", "FeesAmount": "10"}))},
		{what: "it was taken back twice there", check: lines, providerB: line(againAs("xfer_m_again", object{}))},
		{what: "it is not here", check: inBook, payments: `DELETE FROM transfer_reversals`},
		{what: "a cent more was taken back here", check: inBook, payments: `UPDATE transfer_reversals SET amount_minor = amount_minor + 1`},
		{what: "it is in another wallet here", check: inBook, payments: `UPDATE transfer_reversals SET place = 'wlt_m_x'`},
		{what: "it is not booked", check: inBook, payments: `UPDATE ledger_transactions SET reference = 'x' WHERE kind = 'transfer_reversed'`},
		{what: "it is in a wallet of no run", check: ofRun, payments: `UPDATE transfer_reversals SET place = 'wlt_m_x'`},
		{what: "it is another campaign's", check: ofRun, payments: `UPDATE transfer_reversals SET campaign_id = 999`},
		{what: "it is of another transfer", check: ofRun, payments: `UPDATE transfer_reversals SET transfer_ref = 'xfer_m_x'`},
		{what: "it has paid a cent less than the book says", check: debts, payments: `UPDATE transfer_reversals SET paid_minor = paid_minor - 1`},
		{what: "it was paid out all the same", check: sent, payments: `UPDATE settlement_moves SET amount_minor = amount_minor + 380 WHERE kind = 'payout' AND state = 'done'`},
		{what: "nobody asks what became of it", check: goesOn, payments: `
			UPDATE transfer_reversals SET state = 'open', ref = '', paid_minor = 0, ended_at = NULL, next_at = '2020-01-01'`},
	} {
		t.Run(c.what, func(t *testing.T) { w.plant(t, c, spoilt, answers) })
	}
}
