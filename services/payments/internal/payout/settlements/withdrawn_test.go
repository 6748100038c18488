package settlements_test

import (
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/payout/settlements"
)

// withdraw has the backer of a payment take their pledge back, told twice, as a word that is delivered at least once may be.
func (w *world) withdraw(payment string) (pledge string) {
	w.T.Helper()
	w.Scan(&pledge, `SELECT subject_id FROM payments WHERE id = ?`, payment)
	for range 2 {
		if _, _, err := w.App.Payments.WithdrawPledge(w.T.Context(), payments.Subject{Kind: "pledge", ID: pledge}); err != nil {
			w.T.Fatal(err)
		}
		w.Tidy()
		if _, err := w.App.Deliver(w.T.Context(), 100); err != nil {
			w.T.Fatal(err)
		}
	}
	return pledge
}

func (w *world) debt() (minor int64) {
	w.Scan(&minor, `SELECT coalesce(sum(e.amount_minor), 0)::bigint FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id
		WHERE a.class = 'creator_debt'`)
	return minor
}

// A backer withdraws by law after the campaign: wherever their money is, all of it goes back, once. Of what was settled we give up our fee, and
// the rest is the creator's debt, which the reserve in the campaign's wallet lets us send at once.
func TestWithdrawn_AfterTheCampaign_FromEachPosition(t *testing.T) {
	t.Parallel()
	for what, position := range map[string]struct {
		take func(w *world) (run string)
		debt int64
	}{
		"charged":  {func(*world) string { return "" }, 0},
		"proposed": {func(w *world) string { return w.propose().ID }, 0},
		"approved": {func(w *world) string { return w.approved().ID }, 0},
		"settled": {func(w *world) string {
			r := w.approved()
			w.booksOne(r.ID)
			w.booksOne(r.ID)
			return r.ID
		}, 475},
		"sent": {func(w *world) string {
			r := w.approved()
			w.mustWork()
			return w.want(r.ID, settlements.Paying, "").ID
		}, 475},
		"paid": {func(w *world) string {
			r := w.approved()
			w.mustWork()
			w.arrive()
			return w.want(r.ID, settlements.Paid, "").ID
		}, 475},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 5, 100)
			w.end()
			run := position.take(w)
			pledge := w.withdraw(w.payments[0])
			w.WantStatus(pledge, "refunded")
			if n := w.Count("refunds WHERE reason = 'withdrawn'"); n != 1 {
				t.Errorf("%d refunds", n)
			}
			if debt := w.debt(); debt != position.debt {
				t.Errorf("the creator owes %d, want %d", debt, position.debt)
			}
			w.audit()
			if what != "settled" {
				return
			}
			w.Pass(3 * time.Minute)
			w.mustWork()
			w.arrive()
			w.want(run, settlements.Paid, "")
			if debt := w.debt(); debt != 0 {
				t.Errorf("%d are owed still, and the run could have paid it", debt)
			}
			w.audit()
		})
	}
}

// Where what is left in the campaign's wallet does not cover it, the refund waits for it: it is owed to the backer, not lost, and made once.
func TestWithdrawn_AfterThePayout_WaitsForItsCover(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100, 50)
	w.end()
	r := w.approved()
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	pledge := w.withdraw(w.payments[0])
	w.WantStatus(pledge, "succeeded")
	var owed int64
	w.Scan(&owed, `SELECT -coalesce(sum(e.amount_minor), 0)::bigint FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id
		WHERE a.class = 'owed_to_backers'`)
	if n := w.Count("refunds WHERE status = 'creating' AND next_check_at IS NOT NULL AND amount_minor = 10000"); n != 1 || owed != 10000 {
		t.Errorf("%d refunds wait, %d are owed to backers", n, owed)
	}
	w.pay(100) // the wallet has money again
	w.Pass(2 * time.Hour)
	w.Settle()
	w.WantStatus(pledge, "refunded")
	if n := w.Count("refunds"); n != 1 {
		t.Errorf("%d refunds", n)
	}
	w.audit()
}
