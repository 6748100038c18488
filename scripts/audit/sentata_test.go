//go:build unix

package audit_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	content "talkoot.fi/content/inproc"
	payments "talkoot.fi/payments/inproc"
	"talkoot.fi/sandbox/stripe"
	"talkoot.fi/scripts/audit"
)

// reachedA has a campaign end well and its money reach its creator by provider A: the first payout fails, the second arrives, and one more campaign's
// is on its way.
func (w *world) reachedA() {
	w.t.Helper()
	w.fund()
	w.member("signe")
	w.accountAtA("signe")
	w.rest()
	for i, name := range []string{"valmis", "toinen"} {
		now := w.now()
		var err error
		w.campaign, err = w.content.NewCampaign(w.ctx(), content.CampaignSpec{Slug: name, GoalMinor: 10_00, FirstDay: now, LastDay: now.AddDate(0, 0, 1),
			Rewards: []content.RewardSpec{{AmountMinor: 20_00, Stock: 100}}})
		w.must(err)
		_, err = w.db.Exec(w.ctx(), `UPDATE rewards SET added_costs = '[{"amount_minor": 350, "description": {"FI": "Posti"}}]' WHERE campaign_id = $1`, w.campaign.ID)
		w.must(err)
		_, err = w.db.Exec(w.ctx(), `UPDATE campaign_team SET user_id = $1 WHERE campaign_id = $2 AND position = 0`, w.names["signe_user"], w.campaign.ID)
		w.must(err)
		w.as(w.signIn("signe"), func() {
			w.call(w.content.Handler(), "POST", fmt.Sprintf("/campaigns/%d/set_payment_account/", w.campaign.ID),
				object{"stripe_account_id": w.names["signe_at_a"]}, http.StatusOK, nil)
		})
		w.rest()
		w.paid(fmt.Sprint("settled", i), 60, goodCard)
		w.paid(fmt.Sprint("settled_too", i), 40, goodCard)
		w.days(9)
		_, err = w.content.EndDue(w.ctx())
		w.must(err)
		w.rest()
		runs, err := w.payments.ProposeSettlement(w.ctx(), w.campaign.ID, payments.Operator{Actor: "maija", Note: "test"})
		w.must(err)
		w.want(len(runs) == 1, "%d runs", len(runs))
		w.must(w.payments.ApproveSettlement(w.ctx(), runs[0].ID, runs[0].Hash, payments.Operator{Actor: "aino", Note: "test"}))
		w.rest()
		if i > 0 {
			return
		}
		_, err = w.sandbox.FailPayout(stripe.PayoutFailure{Payout: w.sandbox.Snapshot().Payouts[0].ID})
		w.must(err)
		w.rest()
		w.must(w.sandbox.ReverseTransfer(stripe.ReversalOrder{Transfer: w.sandbox.Snapshot().Transfers[0].ID, Amount: 1_00})) // which is payable again
		w.rest()
		w.refund("settled0", 4_00) // of which the creator's part is taken back
		w.must(w.payments.ResumeSettlement(w.ctx(), runs[0].ID, payments.Operator{Actor: "aino", Note: "test"}))
		w.rest()
		w.days(3)
	}
}

// What was sent at provider A is compared with the runs, with the ledger and with what accounts have; each fault is found.
func TestAudit_FindsWhatIsPlantedIntoWhatIsSentAtA(t *testing.T) {
	w := newWorld(t)
	w.reachedA()
	if report, err := audit.Run(t.Context(), w.sources()); err != nil || report.Err() != nil {
		t.Fatalf("consistent data: %v, %v", err, report.Err())
	}
	const (
		transfers = "a transfer at provider A is what a run has sent"
		payouts   = "a payout at provider A is what a run has paid out"
		custody   = "creators have at provider A what the ledger says"
		banks     = "a creator's bank account is as provider A has it"
		lines     = "the provider's lines are the ledger's movements"
		paidTo    = "a payout goes to a bank account of its creator that was in use"
		sent      = "what is sent to creators is what runs say"
		back      = "what was taken back at provider A is here as it is there"
		ofRun     = "what was taken back is of its run's transfer"
		inBook    = "what was sent to creators is booked"
		debts     = "what of a run has paid debts is in the ledger"
		goesOn    = "a run goes on, or waits for somebody"
		released  = "a run is what its lines are, and what was released"
	)
	if n := w.text(w.pay, `SELECT string_agg(amount_minor || ' ' || paid_minor || ' ' || is_ours, ', ' ORDER BY is_ours) FROM transfer_reversals WHERE state = 'done'`); n != "100 0 false, 380 380 true" {
		t.Fatalf("taken back: %s", n)
	}
	reversals := func(change func(object) []object) func(string, object) []object {
		return func(list string, o object) []object {
			if !strings.HasSuffix(list, "/reversals") {
				return []object{o}
			}
			return change(o)
		}
	}
	status := func(is string) func(object) bool {
		return func(o object) bool { return o["status"] == is && o["destination"] != nil }
	}
	all := func(object) bool { return true }
	account := only("accounts", named("id", w.names["signe_at_a"].(string)), func(o object) []object { //nolint:forcetypeassert // it is its id
		bank := o["external_accounts"].(object)["data"].([]any)[0].(object) //nolint:forcetypeassert // the wire's
		bank["last4"] = "9999"
		return []object{o}
	})
	none := only("accounts", named("id", w.names["signe_at_a"].(string)), with("external_accounts", object{"data": []any{}})) //nolint:forcetypeassert // it is its id
	spoilt, answers := [2]*pgx.Conn{w.withoutTriggers(w.contentURL), w.withoutTriggers(w.paymentsURL)}, map[string][]byte{}
	planted := map[string]bool{}
	for _, c := range []corruption{
		{what: "a transfer there is of a cent more", check: transfers, provider: only("transfers", all, with("amount", 9001))},
		{what: "a transfer there went to another account", check: transfers, provider: only("transfers", all, with("destination", "acct_x"))},
		{what: "a transfer there is in another currency", check: transfers, provider: only("transfers", all, with("currency", "sek"))},
		{what: "a transfer there is of another run", check: transfers, provider: only("transfers", all, with("transfer_group", "x"))},
		{what: "a transfer was made twice there", check: transfers, provider: only("transfers", all, also("tr_again", func(object) {}))},
		{what: "a transfer is not there", check: transfers, provider: only("transfers", all, gone)},
		{what: "a transfer was taken back there, and not here", check: transfers, provider: only("transfers", all, with("amount_reversed", 100))},
		{what: "a run knows nothing of its transfer", check: transfers, payments: `UPDATE settlement_moves SET state = 'refused' WHERE kind = 'transfer'`},
		{what: "a payout there is of a cent more", check: payouts, provider: only("payouts", status("paid"), with("amount", 9001))},
		{what: "a payout there went elsewhere", check: payouts, provider: only("payouts", status("paid"), with("destination", "ba_x"))},
		{what: "a payout has failed there and arrived here", check: payouts, provider: only("payouts", status("paid"), with("status", "failed"))},
		{what: "a payout has arrived there and failed here", check: payouts, provider: only("payouts", status("failed"), with("status", "paid"))},
		{what: "a payout was made twice there", check: payouts, provider: only("payouts", status("paid"), also("po_again", func(object) {}))},
		{what: "a payout is not there", check: payouts, provider: only("payouts", status("paid"), gone)},
		{what: "a payout is of another run", check: payouts, provider: only("payouts", status("paid"), with("metadata", object{"settlement": "settlement=x&try=1"}))},
		{what: "the book has more at a creator than is there", check: custody, payments: `
			UPDATE ledger_entries SET amount_minor = amount_minor + 1 WHERE account_id IN (SELECT id FROM ledger_accounts WHERE class = 'at_creator') AND amount_minor > 0`},
		{what: "a payout has left there, and here nothing is on its way", check: custody, payments: `UPDATE settlement_moves SET state = 'done', ended_at = at WHERE kind = 'payout' AND state = 'open'`},
		{what: "a creator's bank account is another one there", check: banks, provider: account},
		{what: "a creator has no bank account there", check: banks, provider: none},
		{what: "a bank account is not in use here", check: banks, payments: `UPDATE payee_banks SET state = 'ended' WHERE state = 'active'`},
		{what: "a transfer is booked with another sum", check: lines, payments: `
			UPDATE ledger_entries SET amount_minor = amount_minor + 1 WHERE amount_minor < 0 AND transaction_id IN (SELECT id FROM ledger_transactions WHERE kind = 'transfer')
				AND account_id IN (SELECT id FROM ledger_accounts WHERE class = 'provider_clearing')`},
		{what: "a line of a transfer is not there", check: lines, provider: only("balance_transactions", named("type", "transfer"), gone)},
		{what: "a payout went elsewhere", check: paidTo, payments: `UPDATE settlement_moves SET destination = 'ba_x' WHERE kind = 'payout'`},
		{what: "what was taken back is not here", check: back, payments: `DELETE FROM transfer_reversals WHERE is_ours`},
		{what: "what others have taken back is not here", check: back, payments: `DELETE FROM transfer_reversals WHERE NOT is_ours`},
		{what: "what was taken back is not there", check: back, provider: reversals(gone)},
		{what: "a cent less was taken back there", check: back, provider: reversals(with("amount", 379))},
		{what: "a cent more was taken back here", check: back, payments: `UPDATE transfer_reversals SET amount_minor = amount_minor + 1 WHERE is_ours`},
		{what: "more was taken back than the transfer's reversals say", check: back, provider: only("transfers", all, with("amount_reversed", 500))},
		{what: "what was taken back is of another transfer here", check: back, payments: `UPDATE transfer_reversals SET transfer_ref = 'tr_x'`},
		{what: "what was taken back is of a transfer that its run has not sent", check: ofRun, payments: `UPDATE transfer_reversals SET transfer_ref = 'tr_x'`},
		{what: "it was taken back from somebody else", check: ofRun, payments: `UPDATE transfer_reversals SET payee_id = payee_id + 1`},
		{what: "more was taken back than was sent", check: ofRun, payments: `UPDATE transfer_reversals SET amount_minor = amount_minor + 900000 WHERE is_ours`},
		{what: "a run is over of which not all was taken back", check: ofRun, payments: `
			UPDATE settlement_runs SET reason = 'taken_back' WHERE id IN (SELECT run_id FROM transfer_reversals)`},
		{what: "what was taken back is not booked", check: inBook, payments: `UPDATE ledger_transactions SET reference = 'x' WHERE kind = 'transfer_reversed' AND amount_minor = 380`},
		{what: "what was taken back is booked with another sum", check: inBook, payments: `
			UPDATE ledger_transactions SET amount_minor = amount_minor + 1 WHERE kind = 'transfer_reversed' AND amount_minor = 380`},
		{what: "what was taken back has paid a cent less than the book says", check: debts, payments: `UPDATE transfer_reversals SET paid_minor = paid_minor - 1 WHERE is_ours`},
		{what: "what was taken back is paid out as well", check: sent, payments: `
			UPDATE settlement_moves SET amount_minor = amount_minor + 380 WHERE kind = 'payout' AND state = 'done'`},
		{what: "what was taken back is asked for since long", check: goesOn, payments: `
			UPDATE transfer_reversals SET state = 'open', ref = '', paid_minor = 0, ended_at = NULL, next_at = '2020-01-01' WHERE is_ours`},
		{what: "a run sends what was taken back and has not taken it", check: released, payments: `
			INSERT INTO settlement_restored SELECT t.id, max(r.id) FROM ledger_transactions t, settlement_runs r WHERE t.kind = 'transfer_reversed' AND t.amount_minor = 100 GROUP BY t.id`},
		{what: "a line of what was taken back is not there", check: lines, provider: only("balance_transactions", named("type", "transfer_refund"), gone)},
		{what: "it left another place", check: sent, payments: `UPDATE settlement_moves SET from_place = 'x' WHERE kind = 'transfer'`},
	} {
		planted[c.check] = true
		t.Run(c.what, func(t *testing.T) { w.plant(t, c, spoilt, answers) })
	}
	for _, name := range audit.SentAtANames() {
		if !planted[name] {
			t.Errorf("nothing is planted for the check %q", name)
		}
	}
}
