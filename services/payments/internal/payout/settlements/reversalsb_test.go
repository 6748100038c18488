package settlements_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"talkoot.fi/kit/jobs"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/settlements"
	"talkoot.fi/payments/internal/providers/mangopay"
	"talkoot.fi/sandbox/standin"
)

// stranded is a campaign at provider B whose payout has failed: its money is in the creator's own wallet, and the run waits for a person.
func stranded(t *testing.T, euros ...int64) (*world, settlements.Run) {
	t.Helper()
	w := newWorld(t, euros...)
	w.end()
	r := w.approved()
	w.mustWork()
	w.failPayout()
	w.want(r.ID, settlements.Sent, settlements.PayoutFailed)
	return w, r
}

// failPayout has the payout that is on its way come to nothing, and the worker see it.
func (w *world) failPayout() {
	w.T.Helper()
	var ref string
	w.Scan(&ref, `SELECT ref FROM settlement_moves WHERE kind = 'payout' AND state = 'open'`)
	w.ok(w.At.SettlePayOut(ref, "121004"))
	w.Pass(61 * time.Minute)
	w.mustWork()
}

func (w *world) ok(err error) {
	w.T.Helper()
	if err != nil {
		w.T.Fatal(err)
	}
}

func (w *world) book(account string) (minor int64) {
	w.T.Helper()
	w.Scan(&minor, `SELECT coalesce(sum(e.amount_minor), 0)::bigint FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE a.name = ?`, account)
	return minor
}

// wantOwed requires what the creator owes, what is kept back from them, what is payable, what is in their own wallet, and what in the campaign's, here and there.
func (w *world) wantOwed(debt, reserve, payable, at, campaigns int64) {
	w.T.Helper()
	got := [5]int64{w.book("creator_debt:mangopay:3"), -w.book("reserve:mangopay:3"), -w.book("creator_payable:mangopay:3"), w.book("at_creator:mangopay:3"),
		w.book("provider_clearing:mangopay:" + w.Wallet.ID)}
	if want := [5]int64{debt, reserve, payable, at, campaigns}; got != want {
		w.T.Errorf("owed, kept back, payable, in their wallet, in the campaign's: %v, want %v", got, want)
	}
	if there := [2]int64{w.held(w.own), w.held(w.Wallet.ID)}; there != [2]int64{at, campaigns} {
		w.T.Errorf("the wallets have %v, want %d and %d", there, at, campaigns)
	}
}

func (w *world) reversals(n int) []settlements.Reversal {
	w.T.Helper()
	var list []settlements.Reversal
	w.Scan(&list, `SELECT * FROM transfer_reversals ORDER BY at, id`)
	if len(list) != n {
		w.T.Fatalf("taken back: %+v, want %d", list, n)
	}
	return list
}

// byHand is what somebody does by a call of the provider's that nobody here has made.
func (w *world) byHand(path string, minor, fee int64, to string) (id string) {
	w.T.Helper()
	id, status := w.tryByHand(path, minor, fee, to)
	if status != "SUCCEEDED" {
		w.T.Fatalf("%s is %s", path, status)
	}
	return id
}

func (w *world) tryByHand(path string, minor, fee int64, to string) (id, status string) {
	w.T.Helper()
	var made struct{ ID, Status string }
	body := fmt.Sprintf(`{"AuthorId":%q,"DebitedFunds":{"Currency":"EUR","Amount":%d},"Fees":{"Currency":"EUR","Amount":%d}`, w.Wallet.Owner, minor, fee)
	if to != "" {
		body += fmt.Sprintf(`,"DebitedWalletId":%q,"CreditedWalletId":%q`, w.own, to)
	}
	w.Provide(http.MethodPost, path, body+"}", &made)
	return made.ID, made.Status
}

// told is a hook of provider B's, which has us look.
func (w *world) told(kind, object string) {
	w.T.Helper()
	status, answer := w.Send(http.MethodGet, w.API.URL+"/api/webhooks/mangopay?EventType="+kind+"&RessourceId="+object+"&Date=1", "", nil, nil)
	if status != http.StatusOK {
		w.T.Fatalf("the hook was answered %d %s", status, answer)
	}
	w.Settle()
}

func (w *world) transferRef() (ref string) {
	w.Scan(&ref, `SELECT ref FROM settlement_moves WHERE kind = 'transfer' AND state = 'done' ORDER BY at LIMIT 1`)
	return ref
}

// Of a charge that was settled more goes back than its campaign's wallet has: what its creator owes comes back there from their own wallet, and the backer's
// money leaves with it.
func TestReversal_AtB_BringsTheMoneyToWhereARefundLeaves(t *testing.T) {
	t.Parallel()
	w, r := stranded(t, 100, 50)
	w.sweepReserves()
	w.reversals(0) // nothing is owed
	w.refund(w.payments[0], 3000)
	w.wantOwed(2850, 750, 0, 13500, 750)
	w.sweepReserves()
	w.sweepReserves()
	w.wantOwed(0, 750, 0, 13500-2850, 750+2850)
	if v := w.reversals(1)[0]; v.AmountMinor != 2850 || v.PaidMinor != 2850 || v.State != settlements.ReversalDone || !v.IsOurs || v.Place != w.Wallet.ID || v.CampaignID != nil {
		t.Errorf("it is %+v", v)
	}
	if shown := w.want(r.ID, settlements.Sent, settlements.PayoutFailed); shown.ToPayOut() != 10650 {
		t.Errorf("the run is %+v", shown.Run)
	}
	w.audit()
	w.Pass(2 * time.Hour)
	w.Tidy()
	w.wantOwed(0, 750, 0, 10650, 600) // less our 150 of it, which have left for our own wallet
	w.ok(w.App.Settlements.Resume(t.Context(), r.ID, approver, why))
	w.mustWork()
	w.arrive()
	shown := w.want(r.ID, settlements.Paid, "")
	if last := shown.Moves[len(shown.Moves)-1]; last.AmountMinor != 10650 {
		t.Errorf("paid out %+v", last)
	}
	w.wantOwed(0, 750, 0, 0, 600)
	w.audit()
}

// What a creator owes of one campaign is taken from another one's run, to the wallet of the first, whose refund waits for it. What a third pays for nothing is
// payable where it lies.
func TestReversal_AtB_FromAnotherCampaignsRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.end()
	first := w.approved()
	w.mustWork()
	w.arrive()
	w.want(first.ID, settlements.Paid, "")
	second, _ := w.another(80)
	w.approve(second, approver, nil)
	w.mustWork()
	w.failPayout()
	w.want(second.ID, settlements.Sent, settlements.PayoutFailed)
	w.refund(w.payments[0], 5000)
	w.wantOwed(4750, 900, 0, 7200, 500) // and 400 of the other one are kept back
	w.sweepReserves()
	w.wantOwed(0, 900, 0, 7200-4750, 500+4750)
	if v := w.reversals(1)[0]; v.RunID != second.ID || v.Place != w.Wallet.ID || v.CampaignID == nil || *v.CampaignID != campaign {
		t.Errorf("it is %+v", v)
	}
	w.Pass(2 * time.Hour)
	w.Tidy()
	_, err := w.App.Deliver(t.Context(), 100)
	w.ok(err)
	w.wantOwed(0, 900, 0, 2450, 250)
	w.audit()
	w.byHand("/transfers", 450, 0, w.Wallet.ID)
	w.ok(w.App.Settlements.Heard(t.Context(), mangopay.Name, w.own))
	w.wantOwed(0, 900, 450, 2000, 700)
	list, err := w.App.Settlements.ProposeReleased(t.Context(), maker, why)
	w.ok(err)
	if len(list) != 1 || list[0].NetMinor != 450 || list[0].CampaignID != campaign || list[0].Place != w.Wallet.ID {
		t.Fatalf("proposed %+v, want the 450 from the wallet in which they are", list)
	}
	w.approve(list[0], approver, nil)
	w.ok(w.App.Settlements.Resume(t.Context(), second.ID, approver, why))
	w.mustWork()
	w.arrive()
	w.Pass(11 * time.Minute)
	w.mustWork()
	w.arrive()
	w.want(second.ID, settlements.Paid, "")
	w.want(list[0].ID, settlements.Paid, "")
	w.wantOwed(0, 900, 0, 0, 250)
	w.audit()
}

// It goes as far as the money does: never above what is owed, what of the transfer is left, or what the wallet has.
func TestReversal_AtB_GoesAsFarAsTheMoneyDoes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		happens                    func(w *world)
		debt, reserve, payable, at int64
		taken                      int64
		state                      settlements.State
		reason                     settlements.Reason
	}{
		"a part of it is owed": {func(w *world) { w.refund(w.payments[1], 100) }, 0, 750, 0, 13405, 95, settlements.Sent, settlements.PayoutFailed},
		"all of it is owed, and more": {func(w *world) { w.refund(w.payments[0], 10000); w.refund(w.payments[1], 5000) }, 0, 0, 0, 0, 13500, settlements.Paid,
			settlements.PaidDebts},
		"a bank has kept a charge": {func(w *world) { w.decide(w.dispute(w.payments[0]), w.payments[0], "LOST") }, 0, 750, 0, 4000, 9500, settlements.Sent,
			settlements.PayoutFailed},
		"their wallet is not ours to look into": {func(w *world) {
			w.ok(w.At.RevokeConsents(w.Wallet.Owner))
			w.refund(w.payments[1], 2000)
		}, 1150, 0, 0, 13500, 0, settlements.Sent, settlements.PayoutFailed},
		"something else was taken out of it": {func(w *world) {
			w.byHand("/transfers", 500, 500-1, w.Wallet.ID) // which nobody has told us of
			w.refund(w.payments[1], 2000)
		}, 1150, 0, 0, 13500, 0, settlements.Sent, settlements.PayoutFailed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, r := stranded(t, 100, 50)
			c.happens(w)
			for range 3 {
				w.sweepReserves()
			}
			taken := int64(0)
			list, err := settlements.ReversalsOf(t.Context(), w.App.DB, r.ID)
			w.ok(err)
			for _, v := range list {
				taken += v.AmountMinor
			}
			got := [5]int64{w.book("creator_debt:mangopay:3"), -w.book("reserve:mangopay:3"), -w.book("creator_payable:mangopay:3"), w.book("at_creator:mangopay:3"), taken}
			if want := [5]int64{c.debt, c.reserve, c.payable, c.at, c.taken}; got != want {
				t.Errorf("owed, kept back, payable, in their wallet, taken back: %v (%+v), want %v", got, list, want)
			}
			w.want(r.ID, c.state, c.reason)
		})
	}
}

// Whatever becomes of the answer, it is made once and pays once.
func TestReversal_AtB_AnswersAreLost_IsMadeOnce(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{standin.CutAfter, standin.CutBefore, "429", "500", "500_after", "500_stored", "503"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			w, r := stranded(t, 100, 50)
			w.refund(w.payments[0], 3000)
			times := manyTimes
			if fault == "500_stored" {
				times = 1 // which it does not try again
			}
			w.Fails(fault, times, http.MethodPost, "/transfers")
			for range 8 {
				_, _ = w.App.Settlements.SweepReserves(t.Context())
				if open := w.Count(`transfer_reversals WHERE state = 'open'`); open > 0 && w.book("creator_debt:mangopay:3") != 2850 {
					t.Fatal("what is to be taken back was paid otherwise meanwhile")
				}
				w.Pass(11 * time.Minute)
			}
			w.ok(w.At.Calm())
			w.Pass(25 * time.Hour) // a key that keeps a failure is waited for, and the provider has forgotten all of them
			w.sweepReserves()
			w.sweepReserves()
			if got := w.held(w.own); got != 10650 {
				t.Errorf("their wallet has %d", got)
			}
			if debt := w.book("creator_debt:mangopay:3"); debt != 0 {
				t.Errorf("%d are owed", debt)
			}
			w.want(r.ID, settlements.Sent, settlements.PayoutFailed)
			w.audit()
		})
	}
}

// The worker is killed at each statement of a sweep that takes back: nothing is taken or paid twice, and in the end all is.
func TestReversal_AtB_KilledAtEachStatement(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]bool{"before it": false, "after it": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _ := stranded(t, 100, 50)
			w.refund(w.payments[0], 3000)
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
			w.wantOwed(0, 750, 0, 10650, 750+2850)
			w.reversals(1)
			if kills < 15 {
				t.Errorf("only %d kills", kills)
			}
			t.Logf("%d kills", kills)
			w.audit()
		})
	}
}

// What somebody takes out of a creator's wallet by hand, by a transfer or by undoing ours, is booked as it is, once, however often it is told; without a debt it
// is payable again. One whose hook was lost is booked by the daily comparison.
func TestReversal_AtB_MadeByHand_IsBookedOnce(t *testing.T) {
	t.Parallel()
	w, r := stranded(t, 100, 50)
	one := w.byHand("/transfers", 500, 0, w.Wallet.ID)
	w.told("TRANSFER_NORMAL_SUCCEEDED", one)
	w.wantOwed(0, 750, 500, 13000, 1250)
	w.told("TRANSFER_REFUND_SUCCEEDED", w.byHand("/transfers/"+w.transferRef()+"/refunds", 300, -20, ""))
	w.told("TRANSFER_NORMAL_SUCCEEDED", one)
	w.told("TRANSFER_NORMAL_SUCCEEDED", w.transferRef()) // which has brought it there
	w.wantOwed(0, 750, 800, 12700, 1570)
	w.byHand("/transfers", 200, 50, w.Wallet.ID) // its hook is lost
	for range 2 {
		_, err := w.App.Reconcile.Lines(t.Context(), w.App.Providers[mangopay.Name], w.Now().Add(-3*time.Hour), w.Now().Add(time.Hour))
		w.ok(err)
		w.ok(w.App.Settlements.Heard(t.Context(), mangopay.Name, w.own))
		w.ok(w.App.Settlements.Heard(t.Context(), mangopay.Name, w.transferRef()))
	}
	for _, v := range w.reversals(3) {
		if v.IsOurs || v.PaidMinor != 0 || v.State != settlements.ReversalDone || v.RunID != r.ID {
			t.Errorf("it is %+v", v)
		}
	}
	w.wantOwed(0, 750, 1000, 12500, 1720)
	w.audit()
	w.refund(w.payments[1], 1000) // which what is payable does not pay: it is another run's
	w.sweepReserves()
	w.wantOwed(0, 750, 1000, 12500-950, 1720-1000+950)
	w.audit()
}

// While a part is being taken back nothing leaves their wallet, and nothing else pays the debt that it is for.
func TestReversal_AtB_WhatHappensWhileItIsAsked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		meanwhile func(w *world, r settlements.Run)
		at        int64
	}{
		"another worker looks": {func(w *world, _ settlements.Run) {
			w.ok(jobs.UntilNone(w.App.Settlements.SweepReserves)(w.T.Context()))
			w.reversals(1)
		}, 10650},
		"the run is to be paid out": {func(w *world, r settlements.Run) {
			w.ok(w.App.Settlements.Resume(w.T.Context(), r.ID, approver, why))
			w.mustWork()
			w.want(r.ID, settlements.Sent, settlements.AnotherIsSent)
		}, 10650},
		"the next settlement would pay it": {func(w *world, _ settlements.Run) {
			next, _ := w.another(40)
			w.approve(next, approver, nil)
			w.mustWork()
			if shown := w.want(next.ID, settlements.Booked, settlements.AnotherIsSent); shown.OffsetMinor != 0 {
				w.T.Errorf("it has paid %d", shown.OffsetMinor)
			}
		}, 10650},
		"the hook comes before the answer": {func(w *world, _ settlements.Run) {
			w.byHand("/transfers", 10, 0, w.Wallet.ID)
			w.ok(w.App.Settlements.Heard(w.T.Context(), mangopay.Name, w.own))
		}, 10640},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, r := stranded(t, 100, 50)
			w.refund(w.payments[0], 3000)
			times := 0
			transport := &meanwhile{path: "/v2.01/talkoot/transfers", next: w.At.Transport(), do: func() { times++; c.meanwhile(w, r) }}
			o := w.Another(w.Now, func(c *app.Config) { c.MangopayTransport = transport }).Settlements.Options
			w.ok(jobs.UntilNone(settlements.New(o).SweepReserves)(t.Context()))
			w.Settle()
			if times != 1 {
				t.Fatalf("it was asked for %d times", times)
			}
			if debt, at := w.book("creator_debt:mangopay:3"), w.book("at_creator:mangopay:3"); debt != 0 || at != c.at {
				t.Errorf("%d are owed, %d are theirs, want %d", debt, at, c.at)
			}
			w.audit()
		})
	}
}
