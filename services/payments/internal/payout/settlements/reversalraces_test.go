package settlements_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"talkoot.fi/kit/jobs"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/charging/routing"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/settlements"
	"talkoot.fi/payments/internal/providers/stripe"
	"talkoot.fi/sandbox/standin"
	sandbox "talkoot.fi/sandbox/stripe"
)

// While a part of a transfer is being taken back, nothing else pays the debt that it is for and nothing else leaves; what has ended the debt meanwhile
// leaves the money payable; and whatever comes, no cent is lost or there twice.
func TestReversal_WhatHappensWhileItIsAsked(t *testing.T) {
	t.Parallel()
	sweep := func(ctx context.Context, w *worldA) { w.ok(jobs.UntilNone(w.App.Settlements.SweepReserves)(ctx)) }
	for name, c := range map[string]struct {
		before, meanwhile          func(t *testing.T, w *worldA)
		debt, reserve, payable, at int64
		after                      func(t *testing.T, w *worldA)
	}{
		"another worker looks": {nil, func(_ *testing.T, w *worldA) { sweep(w.T.Context(), w); w.reversals(1) }, 0, 750, 0, 10650, nil},
		"the run is to be paid out": {nil, func(t *testing.T, w *worldA) {
			id := w.reversals(1)[0].RunID
			w.go_(id)
			w.want(id, settlements.Sent, settlements.AnotherIsSent)
		}, 0, 750, 0, 10650, func(t *testing.T, w *worldA) {
			w.Pass(11 * time.Minute)
			w.mustWork()
			w.arrive()
			if shown := w.want(w.reversals(1)[0].RunID, settlements.Paid, ""); shown.Moves[len(shown.Moves)-1].AmountMinor != 10650 {
				t.Errorf("paid out %+v", shown.Moves)
			}
		}},
		"the next settlement would pay it": {func(t *testing.T, w *worldA) { w.other(t) }, func(t *testing.T, w *worldA) {
			w.mustWork()
			if w.Count(`settlement_runs WHERE campaign_id = 8 AND state = 'booked' AND reason = 'another_is_sent' AND offset_minor = 0`) != 1 {
				t.Error("the other run has not waited")
			}
		}, 0, 1150, 7200, 10650, func(t *testing.T, w *worldA) {
			w.Pass(11 * time.Minute)
			w.mustWork()
			if w.Count(`settlement_moves WHERE kind = 'transfer' AND state = 'done' AND amount_minor = 7200`) != 1 {
				t.Error("the other run has paid what was paid")
			}
		}},
		"people give it up": {func(t *testing.T, w *worldA) {
			_, err := w.App.Settlements.ProposeWriteOff(t.Context(), stripe.Name, owner, money.New(2000, money.EUR), maker, why)
			w.ok(err) // which has what was kept back pay 750
		}, func(t *testing.T, w *worldA) {
			var id string
			w.Scan(&id, `SELECT id FROM debt_write_offs`)
			if _, err := w.App.Settlements.ApproveWriteOff(t.Context(), id, approver, why); !isErr(err, settlements.ErrNotOwed) {
				t.Errorf("given up: %v", err)
			}
			_, err := w.App.Settlements.ProposeWriteOff(t.Context(), stripe.Name, owner, money.New(1, money.EUR), maker, why)
			if !isErr(err, settlements.ErrNotOwed) {
				t.Errorf("proposed: %v", err)
			}
			if list, err := w.App.Settlements.Debts(t.Context()); err != nil || len(list) != 1 || list[0].Minor != 2100 || list[0].Coming != 2100 {
				t.Errorf("they owe %+v, %v", list, err)
			}
		}, 0, 0, 0, 11400, nil},
		"the debt has ended": {func(_ *testing.T, w *worldA) { w.lost(w.payments[1]) }, func(t *testing.T, w *worldA) {
			w.Decide(w.DisputesAt(w.intentOf(1))[0].ID, "won") // on appeal
			w.Settle()
			if owed := w.book("creator_debt:stripe:3"); owed != 2850 {
				t.Fatalf("%d are owed", owed)
			}
		}, 0, 750, 4750, 13500 - 4750 - 2850, func(t *testing.T, w *worldA) {
			list, err := w.App.Settlements.ProposeReleased(t.Context(), maker, why)
			w.ok(err)
			if len(list) != 1 || list[0].ReleasedMinor != 4750 || list[0].NetMinor != 4750 {
				t.Errorf("proposed %+v, want a run of what was taken back for nothing", list)
			}
		}},
		"the money has left": {nil, func(_ *testing.T, w *worldA) {
			w.ok(w.Sandbox.MoveAccount(sandbox.AccountLine{Account: w.account, Amount: -13500}))
		}, 2100, 0, 0, 13500, func(t *testing.T, w *worldA) {
			if v := w.reversals(1)[0]; v.State != settlements.ReversalRefused || v.Code != "balance_short" {
				t.Errorf("it is %+v", v)
			}
			w.ok(w.Sandbox.MoveAccount(sandbox.AccountLine{Account: w.account, Amount: 13500}))
			w.Pass(23 * time.Hour)
			w.sweepReserves()
			w.reversals(1) // once a day
			w.Pass(2 * time.Hour)
			w.sweepReserves()
			w.wantOwed(0, 0, 0, 11400)
		}},
		"the money has left, and is back before the payout": {nil, func(_ *testing.T, w *worldA) {
			w.ok(w.Sandbox.MoveAccount(sandbox.AccountLine{Account: w.account, Amount: -13500}))
		}, 2100, 0, 0, 13500, func(_ *testing.T, w *worldA) {
			w.ok(w.Sandbox.MoveAccount(sandbox.AccountLine{Account: w.account, Amount: 13500}))
			w.Pass(2 * time.Hour)
			w.go_(w.reversals(1)[0].RunID) // which finds it there, and takes it back first
			w.arrive()
			w.wantOwed(0, 0, 0, 0)
			w.reversals(2)
		}},
		"the money has left, and the payout is at once": {nil, func(_ *testing.T, w *worldA) {
			w.ok(w.Sandbox.MoveAccount(sandbox.AccountLine{Account: w.account, Amount: -13500}))
		}, 2100, 0, 0, 13500, func(_ *testing.T, w *worldA) {
			w.ok(w.Sandbox.MoveAccount(sandbox.AccountLine{Account: w.account, Amount: 13500}))
			w.go_(w.reversals(1)[0].RunID) // a provider that has just refused keeps no payout
			w.arrive()
			w.wantOwed(2100, 0, 0, 0) // it is owed, and the next run pays it
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _ := strandedA(t, 100, 50)
			w.refund(w.payments[0], 3000)
			if c.before != nil {
				c.before(t, w)
			}
			times := 0
			transport := &meanwhile{path: "/v1/transfers/" + w.transferRef() + "/reversals", do: func() { times++; c.meanwhile(t, w) }}
			o := w.Another(w.Now, func(c *app.Config) { c.StripeTransport = transport }).Settlements.Options
			w.ok(jobs.UntilNone(settlements.New(o).SweepReserves)(t.Context()))
			w.Settle()
			if times != 1 {
				t.Fatal("nothing was asked for")
			}
			w.wantOwed(c.debt, c.reserve, c.payable, c.at)
			if c.after != nil {
				c.after(t, w)
			}
			w.audit()
		})
	}
}

// other is another campaign of the same creator, of 80 €, whose run is approved and not begun.
func (w *worldA) other(t *testing.T) {
	t.Helper()
	w.paidBy(8)
	w.pay(8, 80)
	w.Pass(ripe)
	w.endOther(8)
	list, err := w.App.Settlements.Propose(t.Context(), 8, maker, why)
	w.ok(err)
	w.approve(list[0], approver, nil)
}

// What was taken back and not answered may be told of before it is asked about: it is booked by that, and asked for no more.
func TestReversal_ToldBeforeItIsAnswered_IsBookedOnce(t *testing.T) {
	t.Parallel()
	w, _ := strandedA(t, 100, 50)
	w.refund(w.payments[0], 3000)
	w.Fault(standin.CutAfter, manyTimes, http.MethodPost, "/v1/transfers/"+w.transferRef()+"/reversals")
	_, _ = w.App.Settlements.SweepReserves(t.Context())
	w.Settle() // the hook
	w.wantOwed(0, 750, 0, 10650)
	w.Pass(time.Hour)
	w.sweepReserves()
	if v := w.reversals(1)[0]; v.State != settlements.ReversalDone || !v.IsOurs {
		t.Errorf("it is %+v", v)
	}
	w.wantOwed(0, 750, 0, 10650)
	w.audit()
}

// An answer that was lost is looked for also when the provider has forgotten its key, since nobody asked for days.
func TestReversal_AnswerLostForDays_IsMadeOnce(t *testing.T) {
	t.Parallel()
	w, _ := strandedA(t, 100, 50)
	w.refund(w.payments[0], 3000)
	w.LoseWebhooks()
	w.Fault(standin.CutAfter, manyTimes, http.MethodPost, "/v1/transfers/"+w.transferRef()+"/reversals")
	_, _ = w.App.Settlements.SweepReserves(t.Context())
	if v := w.reversals(1)[0]; v.State != settlements.ReversalOpen {
		t.Fatalf("it is %+v", v)
	}
	w.ok(w.Sandbox.Calm())
	w.Pass(50 * time.Hour)
	w.sweepReserves()
	w.reversals(1)
	if back := w.Sandbox.Snapshot().Transfers[0].AmountReversed; back != 2850 {
		t.Errorf("%d were taken back there", back)
	}
	w.wantOwed(0, 750, 0, 10650)
	w.audit()
}

// A refusal is an answer, but what the provider has is believed before it: one that it has made all the same is booked when it is seen.
func TestReversal_RefusedAndMadeAllTheSame_IsBooked(t *testing.T) {
	t.Parallel()
	w, _ := strandedA(t, 100, 50)
	w.refund(w.payments[0], 3000)
	w.LoseWebhooks()
	w.Fault(standin.CutAfter, manyTimes, http.MethodPost, "/v1/transfers/"+w.transferRef()+"/reversals")
	_, _ = w.App.Settlements.SweepReserves(t.Context())
	w.Exec(`UPDATE transfer_reversals SET state = 'refused', next_at = NULL, ended_at = now(), code = 'x'`)
	w.ok(w.App.Settlements.Heard(t.Context(), stripe.Name, w.transferRef()))
	w.wantOwed(0, 750, 0, 10650)
	w.reversals(1)
	w.audit()
}

// Nothing is asked of a provider that is switched off.
func TestReversal_IsAskedOnlyWhereItIsOffered(t *testing.T) {
	t.Parallel()
	w, _ := strandedA(t, 100)
	w.refund(w.payments[0], 3000)
	turn := func(is bool) {
		w.ok(w.App.Routes.Switch(t.Context(), w.App.DB, routing.Switch{Provider: stripe.Name, IsOn: is, Reason: why, Actor: approver}))
	}
	turn(false)
	w.sweepReserves()
	w.reversals(0)
	turn(true)
	w.sweepReserves()
	w.reversals(1)
	w.wantOwed(0, 0, 0, 9000-2350) // what was kept back has paid 500 meanwhile
	w.audit()
}

// Many workers at once, and hooks with them: it is taken back once, pays once, and the rest is paid out once.
func TestReversal_ManyAtOnce(t *testing.T) {
	t.Parallel()
	w, r := strandedA(t, 100, 50)
	w.refund(w.payments[0], 3000)
	w.refund(w.payments[1], 1000)
	id, err := w.App.Settlements.ProposeWriteOff(t.Context(), stripe.Name, owner, money.New(3000, money.EUR), maker, why) // what was kept back pays 750
	w.ok(err)
	w.ok(w.App.Settlements.Resume(t.Context(), r.ID, approver, why))
	var all sync.WaitGroup
	for range 4 {
		for _, do := range []func(ctx context.Context) error{
			func(ctx context.Context) error { _, err := w.App.Settlements.SweepReserves(ctx); return err },
			func(ctx context.Context) error { _, err := w.App.Settlements.Sweep(ctx); return err },
			func(ctx context.Context) error { return w.App.Settlements.Heard(ctx, stripe.Name, w.transferRef()) },
			func(ctx context.Context) error {
				_, _ = w.App.Settlements.ApproveWriteOff(ctx, id, approver, why)
				return nil
			},
		} {
			all.Go(func() {
				if err := do(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	w.Pass(11 * time.Minute)
	w.Settle()
	w.sweepReserves()
	w.Pass(11 * time.Minute)
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	// 3050 are owed after what was kept back: they were taken back, or people have given 3000 of them up and 50 were.
	var givenUp int64
	w.Scan(&givenUp, `SELECT coalesce(sum(amount_minor), 0)::bigint FROM ledger_transactions WHERE kind = 'write_off'`)
	if taken := w.reversals(1)[0].AmountMinor; taken+givenUp != 3050 || givenUp != 0 && givenUp != 3000 {
		t.Errorf("%d taken back, %d given up", taken, givenUp)
	}
	w.wantOwed(0, 0, 0, 0)
	w.audit()
}

// A worker is killed at each statement of hearing what somebody has taken back: it is booked once.
func TestReversal_HeardAndKilledAtEachStatement(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]bool{"before it": false, "after it": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _ := strandedA(t, 100, 50)
			w.refund(w.payments[0], 300)
			w.LoseWebhooks()
			w.ok(w.Sandbox.ReverseTransfer(sandbox.ReversalOrder{Transfer: w.transferRef(), Amount: 500}))
			killer := &paymentstest.Killer{After: after}
			killed := w.Another(w.Now, func(c *app.Config) { c.Tracer = killer })
			kills, ref := 0, w.transferRef()
			for statement := 1; killer.Kill(t.Context(), statement, func(ctx context.Context) { _ = killed.Settlements.Heard(ctx, stripe.Name, ref) }); statement++ {
				kills++
				w.Bury()
			}
			if v := w.reversals(1)[0]; v.PaidMinor != 285 || v.AmountMinor != 500 || kills < 8 {
				t.Errorf("after %d kills it is %+v", kills, v)
			}
			w.wantOwed(0, 750, 215, 13000)
			w.audit()
		})
	}
}

// The whole table: what is not here cannot happen.
func TestNextReversal_IsThisTable(t *testing.T) {
	t.Parallel()
	want := map[[2]string]settlements.ReversalState{
		{"", "asked"}: "open", {"", "made"}: "done",
		{"open", "made"}: "done", {"open", "denied"}: "refused", {"open", "lost"}: "burned",
		{"refused", "made"}: "done", {"burned", "made"}: "done",
	}
	for _, from := range []string{"", "open", "done", "refused", "burned"} {
		for _, event := range []string{"asked", "made", "denied", "lost"} {
			to, can := settlements.NextReversal(settlements.ReversalState(from), settlements.ReversalEvent(event))
			if w, is := want[[2]string{from, event}]; can != is || to != w {
				t.Errorf("%s after %q: %q (%t), want %q", event, from, to, can, w)
			}
		}
	}
}

// A provider that does not answer keeps nothing of others waiting: what they have kept back and is due is looked at in the same sweep.
func TestReversal_ProviderDoesNotAnswer_KeepsNothingElseWaiting(t *testing.T) {
	t.Parallel()
	w, r := strandedA(t, 100, 50)
	w.refund(w.payments[0], 3000)
	w.HoldCampaign(1, true) // so that what is looked at waits for that
	w.Exec(`INSERT INTO settlement_runs (id, campaign_id, provider, number, state, currency, proposed_by, payee_id, payee_ref, place, hash, version, rates_from, gross_minor,
			reserve_minor, created_at, updated_at)
		SELECT 'another', campaign_id, provider, 2, 'paid', currency, proposed_by, payee_id + 1, 'acct_x', place, hash, version, rates_from, 200, 200, created_at, updated_at
		FROM settlement_runs WHERE id = ?`, r.ID)
	w.Exec(`INSERT INTO settlement_reserves (run_id, due_on, kept_minor, next_at) VALUES ('another', '2026-01-01', 100, ?), ('another', '2026-01-02', 100, ?)`, w.Now(), w.Now())
	w.Fault("503", 1000, http.MethodGet, "/v1/balance")
	if err := jobs.UntilNone(w.App.Settlements.SweepReserves)(t.Context()); err == nil {
		t.Error("nobody is told that the provider does not answer")
	}
	if n := w.Count(`settlement_reserves WHERE waits_for = 'campaign_on_hold'`); n != 2 {
		t.Errorf("%d of 2 were looked at", n)
	}
	w.wantOwed(2100, 0, 0, 13500)
}
