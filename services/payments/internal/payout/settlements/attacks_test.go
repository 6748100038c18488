package settlements_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"regexp"
	"sync"
	"testing"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/charging/routing"
	"talkoot.fi/payments/internal/desk"
	"talkoot.fi/payments/internal/payout/settlements"
	"talkoot.fi/payments/internal/providers/mangopay"
	"talkoot.fi/payments/internal/providers/stripe"
	sandbox "talkoot.fi/sandbox/stripe"
)

// Two approvals are two people's who answer for money when the second one comes, each of what the run is then: not one person's under two
// spellings, not of who has left meanwhile, not of a run that has changed and changed back, and not of one whose money would go to a bank
// account that nobody has seen.
func TestApprove_CountsPeopleWhoSawTheRunAsItIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 5000, 100)
	w.end()
	r := w.propose()
	appoint := func(is bool) {
		t.Helper()
		err := desk.Appoint(t.Context(), w.App.DB, desk.Operator{UserID: 501, Name: "Ilkka Mäkelä", IsOperator: is, Actor: maker, Note: why, At: w.Now()})
		if err != nil {
			t.Fatal(err)
		}
	}
	approvals := func(when string, n int) settlements.Run {
		t.Helper()
		shown := w.want(r.ID, settlements.Proposed, "")
		if len(shown.Approvals) != n {
			t.Fatalf("%s: approved by %q, want %d", when, shown.Approvals, n)
		}
		return shown.Run
	}
	appoint(true)
	for _, spelling := range []string{"Ilkka Mäkelä", "ILKKA MÄKELÄ", "Ilkka  Ma\u0308kela\u0308", " ilkka mäkelä"} {
		w.approve(r, spelling, nil)
	}
	approvals("one person in four spellings", 1)

	contested := w.dispute(w.payments[1])
	w.Settle()
	w.approve(r, second, settlements.ErrChanged)
	w.decide(contested, w.payments[1], "WON")
	w.Settle()
	w.approve(approvals("without the contested charge", 0), second, settlements.ErrChanged)
	back := approvals("as it was before", 0)
	w.approve(back, second, nil)
	approvals("approved as it was before, and once as it is", 1)

	w.Bank("FI4950009420028730")
	w.approve(back, "Ilkka Mäkelä", settlements.ErrChanged)
	back = approvals("to another bank account", 0)
	w.Exec(`INSERT INTO settlement_rates (from_day, fee_points, vat_points, vat_country, reserve_points, actor, note, at)
		SELECT (ended_at AT TIME ZONE 'Europe/Helsinki')::date, 400, 2550, 'FI', 500, 'maija', 'dated back', now() FROM campaign_endings`)
	w.approve(back, "Ilkka Mäkelä", settlements.ErrChanged)
	r = approvals("by other rates", 0)
	if r.FeeMinor != 20400 {
		t.Errorf("by 4 %% it is %+v", r)
	}
	appoint(true)
	w.approve(r, "ilkka mäkelä", nil)
	appoint(false)
	for _, spelling := range []string{"ilkka mäkelä", "ILKKA MÄKELÄ"} {
		w.approve(r, spelling, settlements.ErrNoOperator)
	}
	approvals("who has left approves nothing any more", 0)
	w.approve(r, second, nil)
	approvals("and another one is the first", 1)
	w.approve(r, approver, nil)
	w.want(r.ID, settlements.Approved, "")
}

// Who joins two accounts of theirs here leaves no debt behind, and what came back before does not stand in the way: the book knows an account
// at the provider by the number that its owner had first.
func TestRun_OfWhoHasJoinedTwoAccounts_PaysWhatTheyOweUnderTheEarlierNumber(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.end()
	first := w.paid(w.propose())
	var ref string
	w.Scan(&ref, `SELECT ref FROM settlement_moves WHERE kind = 'payout'`)
	if err := w.At.ReturnPayOut(ref, "BANKACCOUNT_HAS_BEEN_CLOSED", 0); err != nil {
		t.Fatal(err)
	}
	w.Pass(25 * time.Hour)
	w.mustWork()
	w.want(first.ID, settlements.Sent, settlements.PayoutReturned)
	if err := w.App.Payees.Merge(t.Context(), owner, 77); err != nil {
		t.Fatal(err)
	}
	w.refund(w.payments[0], 3000)
	second, _ := w.another(50)
	w.approve(second, approver, nil)
	w.mustWork()
	w.arrive()
	if shown := w.want(second.ID, settlements.Paid, ""); shown.OffsetMinor != 2850 || shown.NetMinor != 4500 {
		t.Errorf("it is %+v", shown.Run)
	}
	w.audit()
}

// A creator whose account at provider A is gone, with money on it, is paid their next campaign by another account: what is on the lost one is
// compared with that alone.
func TestRun_AtA_AfterTheirAccountIsGone_IsPaidByAnother(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	w.end()
	first := w.approved()
	w.mustWork()
	w.failPayout("account_closed")
	w.runDue(time.Hour)
	w.mustWork()
	w.want(first.ID, settlements.Sent, settlements.PayoutFailed)
	gone := w.account
	w.ok(w.Sandbox.DeauthorizeAccount(sandbox.AccountChange{Account: gone}))
	w.ok(w.App.Payees.Changed(t.Context(), stripe.Name, gone, true))
	w.go_(first.ID)
	w.want(first.ID, settlements.Sent, settlements.AccountNotReady)

	w.onboard(owner)
	w.paidBy(8)
	w.pay(8, 50)
	w.Pass(ripe)
	w.endOther(8)
	list, err := w.App.Settlements.Propose(t.Context(), 8, maker, why)
	w.ok(err)
	w.approve(list[0], approver, nil)
	w.mustWork()
	w.arrive()
	w.want(list[0].ID, settlements.Paid, "")
	w.Audit()
}

// Whose account at provider A is gone for good before their run was sent is paid by the one that has taken its place, once people have approved it for
// that: who approved it for the first one has not.
func TestSend_AtA_AfterTheirAccountIsGone_IsApprovedForAnother(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	w.end()
	r := w.approved()
	w.booksOne(r.ID)
	w.booksOne(r.ID)
	w.ok(w.Sandbox.CloseBorder(sandbox.AccountChange{Account: w.account}))
	w.Pass(3 * time.Minute)
	w.mustWork()
	w.want(r.ID, settlements.Booked, settlements.TransferRefused)
	w.ok(w.Sandbox.DeauthorizeAccount(sandbox.AccountChange{Account: w.account}))
	w.ok(w.App.Payees.Changed(t.Context(), stripe.Name, w.account, true))
	w.go_(r.ID)
	w.want(r.ID, settlements.Booked, settlements.AccountNotReady)
	w.onboard(owner)
	w.ok(w.App.Payees.SetAccounts(t.Context(), campaign, 2, map[string]string{stripe.Name: w.account, mangopay.Name: ""}))
	w.go_(r.ID)
	if waits := w.want(r.ID, settlements.Booked, settlements.Need); waits.Detail != "bank_new" { // its bank account has taken another's place, too
		t.Errorf("it waits for %s", waits.Detail)
	}
	w.Pass(4 * 24 * time.Hour)
	w.mustWork()
	shown := w.want(r.ID, settlements.Booked, settlements.ApprovalMissing)
	if shown.PayeeRef != w.account || len(shown.Approvals) != 0 || w.Count(`settlement_moves WHERE payee_ref = ?`, w.account) != 0 {
		t.Fatalf("it is %+v, approved by %v", shown.Run, shown.Approvals)
	}
	w.approve(r, second, settlements.ErrChanged)
	w.approve(shown.Run, maker, settlements.ErrOwnProposal)
	w.approve(shown.Run, second, nil)
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	w.wantOwed(0, 500, 0, 0)
	w.audit()
}

// What was kept back of a creator reaches them also when their account at provider A has been replaced by another one meanwhile.
func TestReserve_AtA_AfterTheirAccountIsGone_IsPaidToAnother(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	w.end()
	first := w.approved()
	w.mustWork()
	w.arrive()
	w.want(first.ID, settlements.Paid, "")
	gone := w.account
	w.ok(w.Sandbox.DeauthorizeAccount(sandbox.AccountChange{Account: gone}))
	w.ok(w.App.Payees.Changed(t.Context(), stripe.Name, gone, true))
	w.onboard(owner)
	w.ok(w.App.Payees.SetAccounts(t.Context(), campaign, 2, map[string]string{stripe.Name: w.account, mangopay.Name: ""}))
	w.Pass(121 * 24 * time.Hour)
	w.sweepReserves()
	list, err := w.App.Settlements.ProposeReleased(t.Context(), maker, why)
	w.ok(err)
	if len(list) != 1 || list[0].State != settlements.Proposed || list[0].ReleasedMinor != 500 || list[0].PayeeRef != w.account {
		t.Fatalf("proposed %+v", list)
	}
	w.approve(list[0], approver, nil)
	w.mustWork()
	w.arrive()
	w.want(list[0].ID, settlements.Paid, "")
	w.wantOwed(0, 0, 0, 0)
	w.audit()
}

// Operators and workers at once: one decides, and what is sent is sent once or not at all.
func TestRun_ManyAtOnce_EndsOneWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 3000, 3000)
	w.end()
	r := w.propose()
	var all sync.WaitGroup
	for _, who := range []string{maker, approver, second, approver, second} {
		all.Go(func() {
			_, err := w.App.Settlements.Approve(t.Context(), r.ID, r.Hash, who, why)
			if who == maker && err == nil || err != nil && !errors.Is(err, settlements.ErrOwnProposal) && !errors.Is(err, settlements.ErrNotThen) {
				t.Errorf("approved by %s: %v", who, err)
			}
		})
	}
	for range 2 {
		all.Go(func() {
			if err := w.App.Settlements.Cancel(t.Context(), r.ID, second, why); err != nil && !errors.Is(err, settlements.ErrNotThen) {
				t.Errorf("cancelled: %v", err)
			}
		})
		all.Go(func() {
			if _, err := w.App.Settlements.Sweep(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	w.mustWork()
	w.Pass(3 * time.Minute)
	w.mustWork()
	w.arrive()
	shown := w.run(r.ID)
	if isPaid := shown.State == settlements.Paid && len(shown.Moves) == 2 && len(shown.Approvals) == 2; !isPaid && (shown.State != settlements.Void || len(shown.Moves) > 0) {
		t.Errorf("it ended as %+v", shown)
	}
	w.audit()
}

// A campaign with money at both providers is settled at each by itself: one that is switched off keeps its part waiting, and no other.
func TestRun_AtBothProviders_OneOfThemOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	a := &worldA{World: w.World, runs: w.runs}
	a.onboard(owner)
	w.Settle()
	a.ok(w.App.Payees.SetAccounts(t.Context(), campaign, 2, map[string]string{mangopay.Name: w.Wallet.Owner, stripe.Name: a.account}))
	a.pay(campaign, 60)
	w.Pass(ripe)
	w.end()
	list, err := w.App.Settlements.Propose(t.Context(), campaign, maker, why)
	if err != nil || len(list) != 2 || list[0].Provider != mangopay.Name || list[0].GrossMinor != 10000 || list[1].GrossMinor != 6000 {
		t.Fatalf("proposed %+v, %v", list, err)
	}
	turn := func(isOn bool) {
		a.ok(w.App.Routes.Switch(t.Context(), w.App.DB, routing.Switch{Provider: mangopay.Name, IsOn: isOn, Reason: why, Actor: approver}))
	}
	turn(false)
	for _, r := range list {
		w.approve(r, approver, nil)
	}
	w.mustWork()
	a.runDue(arrives)
	w.mustWork()
	w.want(list[0].ID, settlements.Booked, settlements.ProviderOff)
	w.want(list[1].ID, settlements.Paid, "")
	turn(true)
	w.Pass(11 * time.Minute)
	w.mustWork()
	w.arrive()
	w.want(list[0].ID, settlements.Paid, "")
	w.audit()
}

// Nothing is sent to whoever has erased themselves, however far their run was: it waits, and is told.
func TestRun_OfWhoHasErasedThemselves_SendsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.end()
	r := w.approved()
	w.booksOne(r.ID)
	w.Pass(3 * time.Minute)
	if err := w.App.Payees.Erase(t.Context(), owner); err != nil {
		t.Fatal(err)
	}
	w.mustWork()
	shown := w.want(r.ID, settlements.Booked, settlements.NoAccount)
	if len(shown.Moves) > 0 || shown.NextAt == nil || shown.Bank.LastFour != "" {
		t.Errorf("it is %+v", shown)
	}
	w.audit()
}

// A cent less than a run is of is less: nothing leaves, and that cent lets it go.
func TestSend_AtA_ShortByACent_Waits(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	w.end()
	_, err := w.Sandbox.AddLine(sandbox.LineOrder{Amount: -825}) // of the 98.25 that are there 90.00 are the run's
	w.ok(err)
	_, err = w.Sandbox.AddLine(sandbox.LineOrder{Amount: -1})
	w.ok(err)
	compare := func() {
		t.Helper()
		_, err := w.App.Reconcile.Lines(t.Context(), w.Stripe(), time.Now().Add(-time.Hour), w.Now().Add(time.Hour))
		w.ok(err)
	}
	w.runDue(ripe)
	compare()
	r := w.approved()
	w.mustWork()
	if shown := w.want(r.ID, settlements.Booked, settlements.BalanceShort); shown.Detail != "main has 89.99 EUR of 90.00 EUR" || len(shown.Moves) > 0 {
		t.Errorf("it is %+v", shown)
	}
	_, err = w.Sandbox.AddLine(sandbox.LineOrder{Amount: 1})
	w.ok(err)
	w.runDue(ripe)
	compare()
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
}

// What the provider says to have made and nobody has asked for is booked by nobody: the run waits for a person, and nothing more is asked for.
func TestSend_AtA_OfAnotherSum_WaitsForAPerson(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	w.end()
	r := w.approved()
	o := w.Another(w.Now, func(c *app.Config) { c.StripeTransport = wrongly{} }).Settlements.Options
	for range 4 {
		_, err := settlements.New(o).Sweep(t.Context())
		w.ok(err)
	}
	if shown := w.want(r.ID, settlements.Sending, settlements.AmountDiffers); shown.NextAt != nil || len(shown.Moves) != 1 || shown.Moves[0].State != "open" {
		t.Errorf("it is %+v, %+v", shown.Run, shown.Moves)
	}
	w.Pass(24 * time.Hour)
	w.mustWork()
	if n := w.Count("ledger_transactions WHERE kind = 'transfer'"); n != 0 || len(w.Sandbox.Snapshot().Transfers) != 1 {
		t.Errorf("%d booked, %d sent", n, len(w.Sandbox.Snapshot().Transfers))
	}
	w.go_(r.ID) // it was read wrongly: there it is as it was asked for
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	w.audit()
}

// wrongly tells of transfers of a cent less.
type wrongly struct{}

func (wrongly) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || r.URL.Path != "/v1/transfers" {
		return res, err
	}
	raw, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	raw = regexp.MustCompile(`("amount": ?)9000\b`).ReplaceAll(raw, []byte("${1}8999"))
	res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	return res, err
}
