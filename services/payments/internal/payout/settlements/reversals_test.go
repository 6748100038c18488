package settlements_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/settlements"
	"talkoot.fi/payments/internal/providers/stripe"
	"talkoot.fi/sandbox/standin"
	sandbox "talkoot.fi/sandbox/stripe"
)

// strandedA is a campaign at provider A whose payout has failed: its money is on the creator's account there, and the run waits for a person.
func strandedA(t *testing.T, euros ...int64) (*worldA, settlements.Run) {
	t.Helper()
	w := newWorldA(t, euros...)
	w.end()
	r := w.approved()
	w.mustWork()
	w.failPayout("no_account")
	w.Settle()
	w.want(r.ID, settlements.Sent, settlements.PayoutFailed)
	return w, r
}

// account is what an account of the book has.
func (w *worldA) book(account string) (minor int64) {
	w.T.Helper()
	w.Scan(&minor, `SELECT coalesce(sum(e.amount_minor), 0)::bigint FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE a.name = ?`, account)
	return minor
}

// wantOwed requires what the creator owes, what is kept back from them, what is payable, and what is on their account.
func (w *worldA) wantOwed(debt, reserve, payable, at int64) {
	w.T.Helper()
	got := [4]int64{w.book("creator_debt:stripe:3"), -w.book("reserve:stripe:3"), -w.book("creator_payable:stripe:3"), w.book("at_creator:stripe:3")}
	if want := [4]int64{debt, reserve, payable, at}; got != want {
		w.T.Errorf("owed, kept back, payable, on their account: %v, want %v", got, want)
	}
}

func (w *worldA) reversals(n int) []settlements.Reversal {
	w.T.Helper()
	var id string
	w.Scan(&id, `SELECT min(id) FROM settlement_runs WHERE state <> 'void'`)
	list, err := settlements.ReversalsOf(w.T.Context(), w.App.DB, id)
	if err != nil || len(list) != n {
		w.T.Fatalf("taken back: %+v, %v, want %d", list, err, n)
	}
	return list
}

func (w *worldA) transferRef() (ref string) {
	w.Scan(&ref, `SELECT ref FROM settlement_moves WHERE kind = 'transfer' AND state = 'done' ORDER BY at LIMIT 1`)
	return ref
}

func (w *worldA) takeBackInTheirPages(minor int64) {
	w.T.Helper()
	w.ok(w.Sandbox.ReverseTransfer(sandbox.ReversalOrder{Transfer: w.transferRef(), Amount: minor}))
	w.Settle()
}

// The worked example of proto-docs/flows/settlement.md: what a creator owes us is taken back from what is still on their account, before anything that
// is kept back pays it, and the rest is paid out to them.
func TestReversal_PaysTheDebtFromWhatIsStillThere(t *testing.T) {
	t.Parallel()
	w, r := strandedA(t, 100, 50)
	w.sweepReserves()
	w.reversals(0) // nothing is owed
	w.refund(w.payments[0], 3000)
	w.wantOwed(2850, 750, 0, 13500)
	w.sweepReserves()
	w.sweepReserves()
	w.wantOwed(0, 750, 0, 13500-2850)
	if v := w.reversals(1)[0]; v.AmountMinor != 2850 || v.PaidMinor != 2850 || v.State != settlements.ReversalDone || !v.IsOurs {
		t.Errorf("it is %+v", v)
	}
	if shown := w.want(r.ID, settlements.Sent, settlements.PayoutFailed); shown.ToPayOut() != 10650 || shown.NextAt != nil {
		t.Errorf("the run is %+v", shown.Run)
	}
	w.audit()
	w.go_(r.ID)
	w.arrive()
	shown := w.want(r.ID, settlements.Paid, "")
	if last := shown.Moves[len(shown.Moves)-1]; last.AmountMinor != 10650 {
		t.Errorf("paid out %+v", last)
	}
	w.wantOwed(0, 750, 0, 0)
	w.audit()
}

// It goes as far as the money does: never above what is owed, what of the transfer is left, or what the account has available.
func TestReversal_GoesAsFarAsTheMoneyDoes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		happens                    func(w *worldA)
		debt, reserve, payable, at int64
		taken                      int64
		state                      settlements.State
		reason                     settlements.Reason
	}{
		"a part of it is owed": {func(w *worldA) { w.refund(w.payments[1], 100) }, 0, 750, 0, 13405, 95, settlements.Sent, settlements.PayoutFailed},
		"all of it is owed, and more": {func(w *worldA) { w.refund(w.payments[0], 10000); w.refund(w.payments[1], 5000) }, 0, 0, 0, 0, 13500, settlements.Paid,
			settlements.PaidDebts},
		"a bank has kept a charge": {func(w *worldA) { w.lost(w.payments[0]) }, 0, 750, 0, 4000, 9500, settlements.Sent, settlements.PayoutFailed},
		"a part was taken back in the provider's pages before": {func(w *worldA) { w.takeBackInTheirPages(13000); w.refund(w.payments[1], 2000) }, 650, 0, 13000, 0, 13500,
			settlements.Paid, settlements.TakenBack},
		"the account is below zero": {func(w *worldA) {
			w.ok(w.Sandbox.MoveAccount(sandbox.AccountLine{Account: w.account, Amount: -13501}))
			w.refund(w.payments[1], 2000)
		}, 1150, 0, 0, 13500, 0, settlements.Sent, settlements.PayoutFailed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, r := strandedA(t, 100, 50)
			c.happens(w)
			for range 3 {
				w.sweepReserves()
			}
			w.wantOwed(c.debt, c.reserve, c.payable, c.at)
			taken := int64(0)
			list, err := settlements.ReversalsOf(t.Context(), w.App.DB, r.ID)
			w.ok(err)
			for _, v := range list {
				taken += v.AmountMinor
			}
			if taken != c.taken {
				t.Errorf("taken back %d (%+v), want %d", taken, list, c.taken)
			}
			w.want(r.ID, c.state, c.reason)
		})
	}
}

// manyTimes is more often than a call is tried at once: the client repeats one with a key whose connection was cut.
const manyTimes = 12

// Whatever becomes of the answer, it is made once and pays once.
func TestReversal_AnswersAreLost_IsMadeOnce(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{standin.CutAfter, standin.CutBefore, "409", "429", "500", "500_stored", "503"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			w, r := strandedA(t, 100, 50)
			w.refund(w.payments[0], 3000)
			w.LoseWebhooks()
			times := manyTimes
			if fault == "500_stored" {
				times = 1 // which it does not try again
			}
			w.Fault(fault, times, http.MethodPost, "/v1/transfers/"+w.transferRef()+"/reversals")
			for range 8 {
				_, _ = w.App.Settlements.SweepReserves(t.Context())
				if open := w.Count(`transfer_reversals WHERE state = 'open'`); open > 0 && w.book("creator_debt:stripe:3") != 2850 {
					t.Fatal("what is to be taken back was paid otherwise meanwhile")
				}
				w.Pass(11 * time.Minute)
			}
			w.sweepReserves()
			w.wantOwed(0, 750, 0, 10650)
			taken := int64(0)
			for _, tr := range w.Sandbox.Snapshot().Transfers {
				taken += tr.AmountReversed
			}
			if taken != 2850 {
				t.Errorf("%d were taken back there", taken)
			}
			w.want(r.ID, settlements.Sent, settlements.PayoutFailed)
			w.audit()
		})
	}
}

// The worker is killed at each statement of a sweep that takes back: nothing is taken or paid twice, and in the end all is.
func TestReversal_KilledAtEachStatement(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]bool{"before it": false, "after it": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _ := strandedA(t, 100, 50)
			w.refund(w.payments[0], 3000)
			w.LoseWebhooks()
			killer := &paymentstest.Killer{After: after}
			killed := w.Another(w.Now, func(c *app.Config) { c.Tracer = killer })
			kills := 0
			for statement := 1; ; statement++ {
				if !killer.Kill(t.Context(), statement, func(ctx context.Context) { _, _ = killed.Settlements.SweepReserves(ctx) }) {
					break
				}
				kills++
				w.Bury()
				w.Pass(3 * time.Minute) // its lease ends
			}
			w.sweepReserves()
			w.wantOwed(0, 750, 0, 10650)
			w.reversals(1)
			if kills < 15 {
				t.Errorf("only %d kills", kills)
			}
			t.Logf("%d kills", kills)
			w.audit()
		})
	}
}

// What somebody takes back in the provider's own pages is booked as it is, once, however often it is told; without a debt it is payable again, and another
// run sends it. One whose hook was lost is booked by the daily comparison.
func TestReversal_MadeInTheProvidersPages_IsBookedOnce(t *testing.T) {
	t.Parallel()
	w, r := strandedA(t, 100, 50)
	w.takeBackInTheirPages(500)
	w.takeBackInTheirPages(500) // another one of the same sum
	w.LoseWebhooks()
	w.ok(w.Sandbox.ReverseTransfer(sandbox.ReversalOrder{Transfer: w.transferRef(), Amount: 200}))
	for range 2 {
		_, err := w.App.Reconcile.Lines(t.Context(), w.Stripe(), w.Now().Add(-time.Hour), w.Now().Add(time.Hour))
		w.ok(err)
		w.ok(w.App.Settlements.Heard(t.Context(), stripe.Name, w.transferRef()))
	}
	for _, v := range w.reversals(3) {
		if v.IsOurs || v.PaidMinor != 0 || v.State != settlements.ReversalDone {
			t.Errorf("it is %+v", v)
		}
	}
	w.wantOwed(0, 750, 1200, 12300)
	w.audit()
	list, err := w.App.Settlements.ProposeReleased(t.Context(), maker, why)
	w.ok(err)
	if len(list) != 1 || list[0].NetMinor != 1200 || list[0].GrossMinor != 0 {
		t.Fatalf("proposed %+v, want the 1200 that are payable again", list)
	}
	w.approve(list[0], approver, nil)
	w.go_(r.ID)
	w.arrive()
	if shown := w.want(r.ID, settlements.Paid, ""); shown.Moves[len(shown.Moves)-1].AmountMinor != 12300 {
		t.Errorf("paid out %+v", shown.Moves)
	}
	w.Pass(11 * time.Minute) // another was on its way
	w.mustWork()
	w.arrive()
	if shown := w.want(list[0].ID, settlements.Paid, ""); shown.Moves[0].AmountMinor != 1200 {
		t.Errorf("sent %+v", shown.Moves)
	}
	w.wantOwed(0, 750, 0, 0)
	w.audit()
}

// What is taken back of a transfer after its money has left for the bank is booked as well: if that comes back, so much less of it is paid out.
func TestReversal_AfterThePayout_LessensWhatComesBack(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	w.end()
	r := w.approved()
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	w.ok(w.Sandbox.MoveAccount(sandbox.AccountLine{Account: w.account, Amount: 300}))
	w.takeBackInTheirPages(300)
	w.wantOwed(0, 500, 300, -300)
	w.want(r.ID, settlements.Paid, "")
	w.ok(w.Sandbox.MoveAccount(sandbox.AccountLine{Account: w.account, Amount: -300})) // it was not theirs
	w.failPayout("account_closed")
	w.Settle()
	w.go_(r.ID)
	w.arrive()
	shown := w.want(r.ID, settlements.Paid, "")
	if last := shown.Moves[len(shown.Moves)-1]; last.AmountMinor != 8700 {
		t.Errorf("paid out %+v", last)
	}
	w.wantOwed(0, 500, 300, 0)
}

// A payout does not leave with what its creator owes us: it is taken back first, and the rest is paid out.
func TestPayOut_TakesBackFirst(t *testing.T) {
	t.Parallel()
	for name, refunded := range map[string]int64{"a part": 3000, "all": 10000} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, r := strandedA(t, 100)
			w.refund(w.payments[0], refunded)
			w.go_(r.ID) // before what was kept back is looked at
			w.arrive()
			w.Pass(time.Minute)
			w.sweepReserves()
			owes := refunded * 95 / 100
			taken := min(owes, 9000)
			w.wantOwed(0, 500-(owes-taken), 0, 0)
			shown := w.run(r.ID)
			out := int64(0)
			for _, m := range shown.Moves {
				if m.Kind == "payout" && m.State == "done" {
					out += m.AmountMinor
				}
			}
			if shown.State != settlements.Paid || out != 9000-taken || w.reversals(1)[0].AmountMinor != taken {
				t.Errorf("it is %s (%s), %d paid out", shown.State, shown.Reason, out)
			}
			w.audit()
		})
	}
}
