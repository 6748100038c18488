package settlements_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/settlements"
	"talkoot.fi/payments/internal/providers/mangopay"
	"talkoot.fi/payments/internal/providers/stripe"
	"talkoot.fi/sandbox/standin"
	sandboxA "talkoot.fi/sandbox/stripe"
)

// Random lives of a campaign's money after its end: people propose, approve and end runs, backers get money back, banks take and give back,
// the worker is killed, calls fail or their answers are lost, payouts fail and come back, months pass, what was kept back is released or pays
// debts, and others are given up; every third life is one of monthly support. After each step nothing is overdrawn, and what was sent is what was
// approved; at the end the book is the provider's to the cent. LIVES=n runs as many.
func TestRuns_RandomLives(t *testing.T) {
	t.Parallel()
	lives := 2
	if n, err := strconv.Atoi(os.Getenv("LIVES")); err == nil {
		lives = n
	}
	for seed := range 3 * lives { // pledges at each provider, and months of support, in turn
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			l := newLife(t, uint64(seed))
			for range 50 {
				l.step()
				l.check()
			}
			l.finish()
		})
	}
}

// bankers is what a provider and its banks do in a life.
type bankers interface {
	openDispute(charge string) (id string)
	decideDispute(id string, isWon bool) error
	fails(random *rand.Rand) (what string)
	takeBack(random *rand.Rand) (is bool)    // somebody takes a part of what was sent back, in the provider's pages
	endPayOut(newest settlements.Move) error // which is on its way, or has arrived
	theirTime()                              // what is due there is done
	calm() error
	consents() error // the creator does, to whatever their provider wants again
	audit()
}

func (w *world) decideDispute(id string, isWon bool) error {
	return w.At.DecideDispute(id, map[bool]string{true: "WON", false: "LOST"}[isWon])
}

func (w *world) fails(random *rand.Rand) string {
	fault := []string{standin.CutAfter, standin.CutBefore, "500", "500_after", "500_stored", "503"}[random.IntN(6)]
	path := []string{"/transfers", "/payouts", "/wallets", "/users"}[random.IntN(4)]
	w.Fails(fault, 1+random.IntN(3), []string{http.MethodPost, ""}[random.IntN(2)], path)
	return fault + " of " + path
}

func (w *world) endPayOut(newest settlements.Move) error {
	if newest.State == "open" {
		return w.At.SettlePayOut(newest.Ref, "130006")
	}
	if parts := newest.AmountMinor % 4; parts > 1 { // it comes back in parts; what depends on the payout alone makes a seed one life
		return w.At.ReturnPayOut(newest.Ref, "OTHER", newest.AmountMinor-max(newest.AmountMinor/(parts+1), 1))
	}
	return w.At.ReturnPayOut(newest.Ref, "OTHER", min(newest.AmountMinor%3*7, newest.AmountMinor-1)) // banks keep a fee of some
}

func (w *world) takeBack(random *rand.Rand) bool {
	w.ok(w.At.Calm()) // they have no part in a fault of ours
	there, ref := w.held(w.own), w.transferRef()
	if there == 0 || ref == "" || w.Count(`settlement_moves WHERE state = 'open'`) > 0 {
		return false
	}
	part := 1 + random.Int64N(there)
	if random.IntN(3) == 0 {
		if _, status := w.tryByHand("/transfers/"+ref+"/refunds", part, 0, ""); status != "SUCCEEDED" {
			return false // less of it is left
		}
	} else {
		w.byHand("/transfers", part, random.Int64N(part), w.Wallet.ID)
	}
	w.isTakenByHand = true
	if random.IntN(2) == 0 { // else the hook is lost, and the daily comparison books it
		_ = w.App.Settlements.Heard(w.T.Context(), mangopay.Name, w.own)
	}
	return true
}

func (w *worldA) takeBack(random *rand.Rand) bool {
	made := w.Sandbox.Snapshot().Transfers
	if len(made) == 0 {
		return false
	}
	of := made[random.IntN(len(made))]
	if w.Sandbox.ReverseTransfer(sandboxA.ReversalOrder{Transfer: of.ID, Amount: 1 + random.Int64N(of.Amount)}) != nil {
		return false // the account has less
	}
	if random.IntN(2) == 0 { // else the hook is lost, and the daily comparison books it
		_ = w.App.Settlements.Heard(w.T.Context(), stripe.Name, of.ID)
	}
	return true
}

func (w *world) theirTime() { w.RunDue() }

func (w *world) calm() error {
	err := w.At.Calm()
	if err == nil && w.isTakenByHand { // whose hook may be lost: the daily comparison books it
		w.isTakenByHand = false
		_, err = w.App.Reconcile.Lines(w.T.Context(), w.App.Providers[mangopay.Name], time.Now().Add(-time.Hour), w.Now().Add(time.Hour))
	}
	return err
}

func (w *world) consents() error { return w.At.Enrol(w.Wallet.Owner, true) }

func (w *worldA) openDispute(charge string) string {
	w.T.Helper()
	d, err := w.Sandbox.OpenDispute(sandboxA.DisputeOrder{Charge: charge})
	w.ok(err)
	return d.ID
}

func (w *worldA) decideDispute(id string, isWon bool) error {
	_, err := w.Sandbox.DecideDispute(sandboxA.DisputeDecision{Dispute: id, Status: map[bool]string{true: "won", false: "lost"}[isWon]})
	return err
}

func (w *worldA) fails(random *rand.Rand) string {
	fault := []string{standin.CutAfter, standin.CutBefore, "409", "500", "500_stored", "503"}[random.IntN(6)]
	path := []string{"/v1/transfers", "/v1/payouts", "/v1/balance", "/v1/accounts"}[random.IntN(4)] // the first is of reversals, too
	w.Fault(fault, 1+random.IntN(3), []string{http.MethodPost, ""}[random.IntN(2)], path)
	return fault + " of " + path
}

func (w *worldA) endPayOut(newest settlements.Move) error {
	_, err := w.Sandbox.FailPayout(sandboxA.PayoutFailure{Payout: newest.Ref})
	return err
}

func (w *worldA) theirTime() { w.runDue(0) }

func (w *worldA) calm() error {
	// What banks took of what was paid out already is missing: a person tops it up.
	_, err := w.Sandbox.TopUp(100_000)
	err = errors.Join(err, w.Sandbox.Calm())
	if err == nil {
		_, err = w.App.Reconcile.Lines(w.T.Context(), w.Stripe(), w.Now().AddDate(-2, 0, 0), w.Now().Add(time.Hour)) // which books it
	}
	return err
}

func (w *worldA) consents() error { return nil }

type life struct {
	*runs
	*paymentstest.World
	bankers
	provider string
	monthly  *monthly // nil of a life of pledges
	long     int      // how often months have passed
	random   *rand.Rand
	killer   *paymentstest.Killer
	worker   *settlements.Service
	disputes map[string]string // of payments, while a bank decides
	done     []string
}

func newLife(t *testing.T, seed uint64) *life {
	t.Helper()
	l := &life{random: rand.New(rand.NewPCG(seed, 26)), killer: &paymentstest.Killer{After: seed%2 == 0}, disputes: map[string]string{}, provider: mangopay.Name}
	switch seed % 3 {
	case 0:
		w := newWorld(t, 100, 50, 30, 77)
		l.runs, l.World, l.bankers = &w.runs, w.World, w
	case 1:
		w := newWorldA(t, 100, 50, 30, 77)
		l.runs, l.World, l.bankers, l.provider = &w.runs, w.World, w, stripe.Name
		if l.random.IntN(2) == 0 { // what is sent stays on the creator's account for a while
			w.ok(w.Sandbox.DelayAccount(sandboxA.AccountChange{Account: w.account, DeadlineSeconds: 40 * 3600}))
		}
	default:
		l.monthly = newMonthly(t)
		w := l.monthly.world
		l.runs, l.World, l.bankers = &w.runs, w.World, w
		for i, euros := range []int64{100, 50, 30, 77} {
			l.monthly.took(euros*100, calendar.Add(l.monthly.before, 9*i))
		}
	}
	o := l.Another(l.Now, func(c *app.Config) { c.Tracer = l.killer }).Settlements.Options
	o.Chunk = 2
	l.worker = settlements.New(o)
	if l.random.IntN(2) == 0 {
		l.disputes[l.payments[3]] = l.openDispute(l.chargeOf(l.payments[3]))
		l.seeDispute(l.payments[3])
	}
	if l.monthly == nil {
		l.end()
	}
	if l.monthly == nil && l.random.IntN(2) == 0 { // a payout has failed: its money is on the creator's account for long
		l.approved()
		l.mustWork()
		switch w := l.bankers.(type) {
		case *worldA:
			if w.payout() != "" { // else it is there for a while anyway
				w.failPayout("no_account")
				w.Settle()
			}
		case *world:
			if w.Count(`settlement_moves WHERE kind = 'payout' AND state = 'open'`) > 0 {
				w.failPayout()
			}
		}
	}
	return l
}

// propose proposes what there is: of the campaign, or of its months, and what was released.
func (l *life) propose() (runs []settlements.Run, err error) {
	ctx := l.T.Context()
	if l.monthly != nil {
		runs, _, err = l.App.Settlements.ProposeMonth(ctx, l.monthly.before, 0, maker, why)
		return runs, err
	}
	if l.random.IntN(2) == 0 {
		return l.App.Settlements.ProposeReleased(ctx, maker, why)
	}
	return l.App.Settlements.Propose(ctx, campaign, maker, why)
}

// later lets months pass. Of monthly support some are paid meanwhile.
func (l *life) later(months int) {
	if l.long += months; l.long > 11 { // the provider has no report of more
		return
	}
	l.fatal(l.calm())
	for range months {
		if l.monthly != nil {
			l.monthly.next()
			l.monthly.took(500+l.random.Int64N(4000), l.monthly.before)
		} else {
			l.Pass(30 * 24 * time.Hour)
		}
	}
	l.theirTime()
	l.fatal(l.consents()) // which ends after half a year
}

// giveUp has two people give up a part of what the creator owes.
func (l *life) giveUp() {
	ctx := l.T.Context()
	list, err := l.App.Settlements.Debts(ctx)
	l.fatal(err)
	if len(list) == 0 {
		return
	}
	id, err := l.App.Settlements.ProposeWriteOff(ctx, l.provider, owner, money.New(1+l.random.Int64N(list[0].Minor), money.EUR), maker, why)
	l.did("give up: %v", err)
	if err == nil {
		_, err = l.App.Settlements.ApproveWriteOff(ctx, id, second, why)
		l.fatal(err)
	}
}

func (l *life) did(what string, args ...any) { l.done = append(l.done, fmt.Sprintf(what, args...)) }

func (l *life) payment() string { return l.payments[l.random.IntN(len(l.payments))] }

func (l *life) open() (run settlements.Run, is bool) {
	list, err := l.App.Settlements.List(l.T.Context(), 0)
	if err != nil {
		l.T.Fatal(err)
	}
	if len(list) == 0 {
		return run, false
	}
	return list[l.random.IntN(len(list))], true
}

func (l *life) step() {
	ctx := l.T.Context()
	run, isOpen := l.open()
	switch n := l.random.IntN(20); {
	case n < 2:
		l.did("propose")
		_, err := l.propose()
		l.fatal(err)
	case n == 16:
		months := 1 + l.random.IntN(4)
		l.did("%d months", months)
		l.later(months)
	case n == 17 && l.random.IntN(2) == 0:
		l.giveUp()
	case n == 19 && l.random.IntN(2) == 0:
		is := l.Count(`operators WHERE user_id = 601 AND is_operator AND number = (SELECT max(number) FROM operators WHERE user_id = 601)`) == 0
		l.did("the approver answers for money: %t", is)
		l.operates(601, approver, is)
	case n == 17:
		statement := 1 + l.random.IntN(25)
		was := l.killer.Kill(ctx, statement, func(ctx context.Context) { _, _ = l.worker.SweepReserves(ctx) })
		l.did("kill the release at %d: %t", statement, was)
		l.Bury()
	case n == 18:
		_, err := l.worker.SweepReserves(ctx)
		l.did("release: %v", err)
		if l.provider == mangopay.Name { // at A the provider is asked, which may fail
			l.fatal(err)
		}
	case n < 5 && isOpen:
		_, err := l.App.Settlements.Approve(ctx, run.ID, run.Hash, approver, why)
		l.did("approve: %v", err)
	case n == 5 && isOpen && l.random.IntN(4) == 0:
		l.did("cancel: %v", l.App.Settlements.Cancel(ctx, run.ID, maker, why))
	case n == 6:
		_, _, err := l.App.Payments.Refund(ctx, l.payment(), refunds.Wish{AmountMinor: 1 + l.random.Int64N(3000), Reason: refunds.Requested})
		l.did("refund: %v", err)
		l.Tidy()
		_, err = l.App.Deliver(ctx, 100)
		l.fatal(err)
	case n == 7:
		p := l.payment()
		if d := l.disputes[p]; d != "" {
			isWon := l.random.IntN(2) == 0
			l.did("decide, won: %t", isWon)
			delete(l.disputes, p)
			_ = l.decideDispute(d, isWon) // it may have been decided meanwhile
			l.seeDispute(p)
		} else if l.Count("disputes WHERE payment_id = ?", p)+l.Count("refunds WHERE payment_id = ?", p) == 0 {
			l.did("dispute")
			l.disputes[p] = l.openDispute(l.chargeOf(p))
			l.seeDispute(p)
		}
	case n == 8:
		l.did("fault %s", l.fails(l.random))
	case n == 9:
		statement := 1 + l.random.IntN(40)
		was := l.killer.Kill(ctx, statement, func(ctx context.Context) { _, _ = l.worker.Sweep(ctx) })
		l.did("kill at %d: %t", statement, was)
		l.Bury()
	case n == 10 && l.random.IntN(2) == 0:
		l.did("taken back in their pages: %t", l.takeBack(l.random))
	case n == 10 && isOpen:
		l.did("resume: %v", l.App.Settlements.Resume(ctx, run.ID, approver, why))
	case n == 11:
		l.endNewest()
	case n == 12:
		l.did("two days")
		l.Pass(50 * time.Hour)
		l.theirTime()
	default:
		l.Pass(time.Duration(l.random.IntN(15)) * time.Minute)
		_, err := l.worker.Sweep(ctx)
		l.did("work: %v", err)
	}
}

func (l *life) fatal(err error) {
	l.T.Helper()
	if err != nil {
		l.T.Fatal(err, l.done)
	}
}

func (l *life) seeDispute(payment string) {
	_, err := l.App.Payments.Advance(l.T.Context(), payment, "dispute")
	l.fatal(err)
	_, err = l.App.Deliver(l.T.Context(), 100)
	l.fatal(err)
}

// endNewest has the newest payout fail, or come back after it has arrived.
func (l *life) endNewest() {
	var newest settlements.Move
	l.Scan(&newest, `SELECT ref, state, ended_at, amount_minor FROM settlement_moves WHERE kind = 'payout' AND state IN ('open', 'done', 'returned') AND ref <> ''
		ORDER BY at DESC OFFSET least(?, (SELECT greatest(count(*) - 1, 0) FROM settlement_moves WHERE kind = 'payout' AND state IN ('open', 'done', 'returned') AND ref <> '')) LIMIT 1`,
		l.random.IntN(2))
	switch {
	case newest.State == "returned" && l.provider == stripe.Name: // it has come back whole
	case newest.State != "open" && newest.EndedAt != nil && newest.EndedAt.Before(l.Now().AddDate(0, 0, -50)): // nobody looks any more
	case newest.State != "":
		l.did("payout that is %s fails: %v", newest.State, l.endPayOut(newest))
	}
}

// check is what holds at any moment.
func (l *life) check() {
	l.T.Helper()
	for rule, query := range map[string]string{
		"what was sent is at most what was approved": `(SELECT 1 FROM settlement_moves m JOIN settlement_runs r ON r.id = m.run_id WHERE m.state IN ('open', 'done')
			AND (m.amount_minor > r.net_minor OR NOT EXISTS (SELECT FROM settlement_approvals a WHERE a.run_id = r.id AND a.hash = r.hash))) x`,
		"nothing guarded is overdrawn": `(SELECT 1 FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE a.guarded GROUP BY a.id, a.type
			HAVING CASE a.type WHEN 'asset' THEN sum(e.amount_minor) ELSE -sum(e.amount_minor) END < 0) x`,
		"custody is opposite": `(SELECT 1 FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE a.class IN ('at_creator', 'creator_held') HAVING sum(e.amount_minor) <> 0) x`,
		"payable covers what is to be sent": `(SELECT 1 FROM settlement_runs r JOIN settlement_lines l ON l.run_id = r.id AND l.version = r.version AND l.booked_at IS NOT NULL
			WHERE r.state IN ('approved', 'booked', 'sending') HAVING sum(l.net_minor) - coalesce((SELECT sum(offset_minor) FROM settlement_runs WHERE state IN ('approved', 'booked', 'sending')), 0)
			+ coalesce((SELECT sum(k.released_minor) FROM settlement_reserves k LEFT JOIN settlement_runs b ON b.id = k.sent_by
				WHERE coalesce(b.state, 'counting') IN ('counting', 'proposed', 'approved', 'booked', 'sending')), 0)
			> (SELECT coalesce(-sum(e.amount_minor), 0) FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id AND a.class = 'creator_payable')) x`,
		"what is kept back is in the book": `(SELECT 1 FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id AND a.class = 'reserve'
			HAVING -sum(e.amount_minor) <> (SELECT coalesce(sum(kept_minor - used_minor - released_minor), 0) FROM settlement_reserves) + (SELECT coalesce(sum(l.reserve_minor), 0)
				FROM settlement_runs r JOIN settlement_lines l ON l.run_id = r.id AND l.version = r.version AND l.booked_at IS NOT NULL WHERE r.state = 'approved')) x`,
		"what was taken back is of its transfer, and pays at most itself": `(SELECT 1 FROM transfer_reversals v JOIN settlement_moves m ON m.run_id = v.run_id AND m.kind = 'transfer'
			AND m.state = 'done' WHERE v.state = 'done' GROUP BY m.run_id, m.amount_minor HAVING sum(v.amount_minor) > m.amount_minor OR sum(v.paid_minor) > sum(v.amount_minor)) x`,
		"what was released is sent once": `(SELECT 1 FROM settlement_runs r LEFT JOIN settlement_reserves k ON k.sent_by = r.id WHERE r.state NOT IN ('counting', 'void')
			GROUP BY r.id HAVING r.released_minor <> coalesce(sum(k.released_minor), 0) + (SELECT coalesce(sum(v.amount_minor - v.paid_minor), 0) FROM settlement_restored s
				JOIN ledger_transactions t ON t.id = s.transaction_id JOIN transfer_reversals v ON v.ref = t.reference WHERE s.run_id = r.id)) x`,
	} {
		if n := l.Count(query); n > 0 {
			l.T.Fatalf("%s: not so after %v", rule, l.done)
		}
	}
}

// finish has everything come to its end.
func (l *life) finish() {
	l.T.Helper()
	ctx := l.T.Context()
	l.fatal(l.calm())
	for p, d := range l.disputes {
		_ = l.decideDispute(d, true)
		l.seeDispute(p)
	}
	l.fatal(l.consents())
	l.operates(601, approver, true)
	for round := range 24 {
		if round == 12 { // and once more when what was kept back has become due
			l.later(4)
			l.sweepReserves()
		}
		list, err := l.propose()
		l.fatal(err)
		for _, r := range list {
			_, _ = l.App.Settlements.Approve(ctx, r.ID, r.Hash, approver, why)
		}
		l.Pass(50 * time.Hour)
		l.theirTime()
		l.Tidy()
		_, err = l.App.Deliver(ctx, 100)
		l.fatal(err)
		l.mustWork()
		list, err = l.App.Settlements.List(ctx, campaign)
		l.fatal(err)
		for _, r := range list {
			if err := l.App.Settlements.Resume(ctx, r.ID, approver, why); err != nil && !errors.Is(err, settlements.ErrNotThen) {
				l.T.Fatal(err)
			}
		}
		l.mustWork()
		l.check()
	}
	rest, err := l.App.Settlements.List(ctx, 0)
	l.fatal(err)
	for _, r := range rest {
		if r.Reason != settlements.BalanceShort { // what a backer got back was more than is left there: a person tops it up
			l.T.Errorf("run %d is %s (%s: %s) after %v", r.Number, r.State, r.Reason, r.Detail, l.done)
		}
	}
	l.sweepReserves()
	if n := l.Count(`settlement_reserves WHERE next_at < ? AND waits_for = ''`, l.Now().Add(-time.Hour)); n > 0 {
		l.T.Errorf("%d times something that was due is still kept back", n)
	}
	if n := l.Count(`settlement_moves WHERE state = 'open'`); n > 0 {
		l.T.Errorf("%d moves are open", n)
	}
	l.audit()
	var events string
	l.Scan(&events, `SELECT string_agg(event || ' ' || n, ', ' ORDER BY event) FROM (SELECT event, count(*) AS n FROM settlement_steps GROUP BY 1) s`)
	if n := l.Count(`transfer_reversals WHERE state = 'open'`); n > 0 {
		l.T.Errorf("%d reversals are open", n)
	}
	l.T.Logf("%d taken back, %d of them by others", l.Count("transfer_reversals WHERE state = 'done'"), l.Count("transfer_reversals WHERE NOT is_ours"))
	l.T.Logf("%d runs, %d moves, %d kept back, %d released, %d used, %d given up; %s", l.Count("settlement_runs"), l.Count("settlement_moves"), l.Count("settlement_reserves"),
		l.Count("settlement_reserves WHERE released_minor > 0"), l.Count("settlement_reserves WHERE used_minor > 0"), l.Count("debt_write_offs"), events)
	if l.T.Failed() {
		l.T.Log(l.done)
	}
}
