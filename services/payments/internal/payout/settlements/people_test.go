package settlements_test

import (
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/desk"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/endings"
	"talkoot.fi/payments/internal/payout/settlements"
	"talkoot.fi/payments/internal/providers/mangopay"
)

// One person up to 5,000 €, two above; never the one who proposed it; each approves what they saw.
func TestApprove_TwoAbove5000AndNeverTheProposer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 5000, 100)
	w.end()
	r := w.propose()
	for _, who := range []string{maker, " Maija ", "MAIJA"} {
		w.approve(r, who, settlements.ErrOwnProposal)
	}
	stale := r
	stale.Hash = strings.Repeat("0", 64)
	w.approve(stale, approver, settlements.ErrChanged)
	w.approve(r, "", settlements.ErrNoPerson)
	for _, who := range []string{approver, "AINO ", approver} { // one person three times is one
		w.approve(r, who, nil)
	}
	w.mustWork()
	w.want(r.ID, settlements.Proposed, "")

	w.refund(w.payments[1], 1000) // between two approvals
	w.approve(r, second, settlements.ErrChanged)
	changed := w.want(r.ID, settlements.Proposed, "")
	if changed.GrossMinor != 509000 || changed.Version != 2 || len(changed.Approvals) != 0 {
		t.Errorf("it is now %+v", changed.Run)
	}
	w.approve(changed.Run, second, nil)
	w.mustWork()
	w.want(r.ID, settlements.Proposed, "")
	w.approve(changed.Run, approver, nil)
	w.approve(changed.Run, "third", settlements.ErrNotThen)
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	for _, query := range []string{
		`INSERT INTO settlement_approvals (run_id, hash, proposed_by, actor, note, at) SELECT id, 'x', proposed_by, ' MAIJA', '', now() FROM settlement_runs`,
		`INSERT INTO settlement_approvals (run_id, hash, proposed_by, actor, note, at) SELECT id, 'x', 'somebody', 'maija', '', now() FROM settlement_runs`,
		`INSERT INTO settlement_moves SELECT run_id, kind, 9, provider, payee_ref, from_place, destination, 1, 0, currency, 'open', '', '', now(), NULL, NULL, ''
			FROM settlement_moves UNION ALL SELECT run_id, kind, 10, provider, payee_ref, from_place, destination, 1, 0, currency, 'open', '', '', now(), NULL, NULL, '' FROM settlement_moves`,
	} {
		if err := w.DB.Gorm.WithContext(t.Context()).Exec(query).Error; err == nil {
			t.Errorf("the database takes %s", query)
		}
	}
	w.audit()
}

// What changes before a run is booked is approved anew; what a bank contests leaves it, and joins the next run when it is given back.
func TestRun_ChangesBeforeItIsBooked(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100, 50, 30)
	w.end()
	r := w.approved()
	w.refund(w.payments[2], 0)
	contested := w.dispute(w.payments[1])
	w.Pass(11 * time.Minute) // until the content service had heard of it, the run waited
	w.mustWork()
	again := w.want(r.ID, settlements.Proposed, "")
	if again.GrossMinor != 10000 || again.Version != 2 || len(again.Charges) != 2 { // the refunded one is seen, with nothing
		t.Fatalf("proposed anew: %+v", again)
	}
	if n := w.Count("ledger_transactions WHERE kind = 'settlement'"); n != 0 {
		t.Errorf("%d lines of what was not approved", n)
	}
	w.approve(again.Run, approver, nil)
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")

	// After it was paid out a backer gets a part back: the creator owes it, and their next run pays it.
	w.refund(w.payments[0], 3000)
	leftOut := func(want int) {
		t.Helper()
		for range 2 {
			if err := w.App.Settlements.ProposeLeftOut(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if n := w.Count(`settlement_runs`); n != want {
			t.Fatalf("%d runs, want %d", n, want)
		}
	}
	leftOut(1)
	w.decide(contested, w.payments[1], "WON")
	leftOut(2) // nobody has to think of it
	next := w.approved()
	if next.ProposedBy != settlements.Worker || next.Number != 2 || next.GrossMinor != 5000 || next.Lines != 1 {
		t.Fatalf("the supplementary run is %+v", next)
	}
	w.mustWork()
	w.arrive()
	if paid := w.want(next.ID, settlements.Paid, ""); paid.OffsetMinor != 2850 || paid.NetMinor != 4500 {
		t.Errorf("it is %+v", paid.Run)
	}
	w.WantLedger(map[string]int64{
		"provider_clearing:mangopay:" + w.Wallet.ID: 600, "provider_clearing:mangopay:fees": 750, "platform_revenue": -478, "vat:FI": -122,
		"reserve:mangopay:3": -750,
	})
	leftOut(2)
	w.audit()
}

// While a run is booked in pieces a charge changes: it leaves the run, and the others go on.
func TestRun_AChargeThatChangesWhileItIsBooked_Leaves(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 10, 20, 30)
	w.end()
	r := w.approved()
	last := ""
	w.Scan(&last, `SELECT payment_id FROM settlement_lines ORDER BY charge_ref DESC LIMIT 1`)
	w.booksOne(r.ID)
	w.refund(last, 100)
	w.Pass(3 * time.Minute) // the lease of the worker that ended
	if err := w.App.Settlements.Cancel(t.Context(), r.ID, maker, why); !isErr(err, settlements.ErrNotThen) {
		t.Errorf("a run of which something is booked was ended: %v", err)
	}
	w.mustWork()
	shown := w.want(r.ID, settlements.Paying, "")
	var gone, sum int64
	w.Scan(&gone, `SELECT gross_minor FROM settlement_lines WHERE left_at IS NOT NULL`)
	for _, l := range shown.Charges {
		if l.BookedAt != nil {
			sum += l.NetMinor
		}
	}
	if shown.NetMinor != sum || shown.GrossMinor != 6000-gone || shown.Moves[0].AmountMinor != sum {
		t.Errorf("%+v, sent %d; the lines are %d without %d", shown.Run, shown.Moves[0].AmountMinor, sum, gone)
	}
	w.arrive()
	if err := w.App.Settlements.ProposeLeftOut(t.Context()); err != nil {
		t.Fatal(err)
	}
	next := w.approved()
	if next.ProposedBy != settlements.Worker {
		t.Error("what has left a run waits for a person")
	}
	w.mustWork()
	w.arrive()
	if paid := w.want(next.ID, settlements.Paid, ""); paid.GrossMinor != gone-100 {
		t.Errorf("the next run is %+v", paid.Run)
	}
	w.audit()
}

func TestPropose_SaysWhyItWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.Pass(time.Hour) // as long as a campaign is not decided about after its last second
	if _, err := w.App.Settlements.Propose(t.Context(), campaign, maker, why); !isErr(err, settlements.ErrNoEnding) {
		t.Errorf("a campaign that goes on: %v", err)
	}
	open := w.Pledge()
	if err := w.App.Payees.SetAccounts(t.Context(), campaign, 2, map[string]string{mangopay.Name: ""}); err != nil {
		t.Fatal(err)
	}
	w.end()
	r := w.propose()
	w.want(r.ID, settlements.Counting, settlements.NoAccount)
	if again := w.propose(); again.ID != r.ID {
		t.Errorf("proposed twice: %s, %s", r.ID, again.ID)
	}
	if err := w.App.Payees.SetAccounts(t.Context(), campaign, 3, map[string]string{mangopay.Name: w.Wallet.Owner}); err != nil {
		t.Fatal(err)
	}
	w.Downgrade()
	w.go_(r.ID)
	if shown := w.want(r.ID, settlements.Counting, settlements.AccountNotReady); shown.Detail != "restricted" {
		t.Errorf("it says %q", shown.Detail)
	}
	w.restore()
	w.HoldCampaign(1, true)
	w.go_(r.ID)
	w.want(r.ID, settlements.Counting, settlements.CampaignOnHold)
	w.HoldCampaign(2, false)
	w.Begin(open)
	w.go_(r.ID)
	w.want(r.ID, settlements.Counting, settlements.PaymentsOpen)
	w.ClosePayment(open)
	w.Settle()
	w.Exec(`ALTER TABLE campaign_endings DISABLE TRIGGER ALL`)
	w.Exec(`UPDATE campaign_endings SET accepted_minor = 9999`)
	w.go_(r.ID)
	w.want(r.ID, settlements.Counting, settlements.MoreThanAccepted)
	w.Exec(`UPDATE campaign_endings SET accepted_minor = 10000`)
	w.go_(r.ID)
	w.want(r.ID, settlements.Proposed, "")
	if err := w.App.Settlements.Cancel(t.Context(), r.ID, approver, why); err != nil {
		t.Error(err)
	}
	w.want(r.ID, settlements.Void, "")
	if next := w.propose(); next.Number != 2 || next.State != settlements.Proposed {
		t.Errorf("proposed after the first was ended: %+v", next)
	}
	w.audit()
}

// A refund after a line was booked makes a debt, which the run pays before it sends.
func TestRun_ARefundWhileItIsBooked_IsPaidByTheRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100, 50)
	w.end()
	r := w.approved()
	w.booksOne(r.ID)
	w.booksOne(r.ID)
	w.refund(w.payments[0], 3000)
	w.Pass(3 * time.Minute)
	w.mustWork()
	w.arrive()
	shown := w.want(r.ID, settlements.Paid, "")
	if shown.OffsetMinor != 2850 || shown.Moves[0].AmountMinor != 13500-2850 || shown.Moves[0].FeeMinor != 600 {
		t.Errorf("sent %+v of %+v", shown.Moves[0], shown.Run)
	}
	w.WantLedger(map[string]int64{
		"provider_clearing:mangopay:" + w.Wallet.ID: 750, "provider_clearing:mangopay:fees": 600, "platform_revenue": -478, "vat:FI": -122,
		"reserve:mangopay:3": -750,
	})
	w.audit()
}

// another makes a second campaign of the same creator, which has ended with one pledge, and proposes its run.
func (w *world) another(euros int64) (run settlements.Run, payment string) {
	t := w.T
	t.Helper()
	const other = 8
	if err := w.App.Payees.SetAccounts(t.Context(), other, 1, map[string]string{mangopay.Name: w.Wallet.Owner}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.App.Payees.Wallet(t.Context(), mangopay.Name, other); err != nil {
		t.Fatal(err)
	}
	pledge := w.Content.Pledge(w.Now(), func(o *contentclient.Order) { o.CampaignID, o.AmountMinor = other, euros*100 })
	paid := w.Pay(w.Order(pledge, paymentstest.PlainCard))
	w.Settle()
	err := w.App.Endings.End(t.Context(), endings.Ending{CampaignID: other, Outcome: endings.Reached, GoesTo: endings.ToCreator, EndedAt: w.Now(), Accepted: 1,
		AcceptedMinor: euros * 100, Currency: "EUR"})
	if err != nil {
		t.Fatal(err)
	}
	list, err := w.App.Settlements.Propose(t.Context(), other, maker, why)
	if err != nil || len(list) != 1 {
		t.Fatalf("proposed %+v, %v", list, err)
	}
	return list[0], paid.Payment.ID
}

// A creator has two campaigns: the second run waits until the first has arrived, and pays what they owe of the first.
func TestRun_OfTwoCampaigns_OneAtATime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.end()
	first := w.approved()
	w.mustWork()
	w.want(first.ID, settlements.Paying, "")
	second, _ := w.another(40)
	w.approve(second, approver, nil)
	w.mustWork()
	w.want(second.ID, settlements.Booked, settlements.AnotherIsSent)
	w.arrive()
	w.want(first.ID, settlements.Paid, "")
	w.Pass(time.Hour)
	w.mustWork()
	w.want(second.ID, settlements.Paying, "")
	w.arrive()
	w.want(second.ID, settlements.Paid, "")
	w.audit()
}

// An operator who is also the campaign's creator does not approve their own money, whoever has proposed it.
func TestApprove_IsNotByWhomItPays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.end()
	r := w.propose()
	for user, name := range map[int64]string{owner: "Maija Meri", 501: approver} {
		err := desk.Appoint(t.Context(), w.App.DB, desk.Operator{UserID: user, Name: name, IsOperator: true, Actor: maker, Note: why, At: w.Now()})
		if err != nil {
			t.Fatal(err)
		}
	}
	w.approve(r, "maija MERI", settlements.ErrOwnMoney)
	w.approve(r, approver, nil)
	w.want(r.ID, settlements.Approved, "")
}

// A run that waits for a look at the bank account that its creator has just given is not let go by that creator, who is an operator too: who has taken
// over their account can do both.
func TestResume_IsNotByWhomItPays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.end()
	r := w.approved()
	w.booksOne(r.ID)
	w.Pass(3 * time.Minute)
	err := desk.Appoint(t.Context(), w.App.DB, desk.Operator{UserID: owner, Name: "Maija Meri", IsOperator: true, Actor: maker, Note: why, At: w.Now()})
	if err != nil {
		t.Fatal(err)
	}
	w.Bank("FI4950009420028730")
	w.mustWork()
	w.want(r.ID, settlements.Booked, settlements.BankChanged)
	if err := w.App.Settlements.Resume(t.Context(), r.ID, "maija MERI", why); !isErr(err, settlements.ErrOwnMoney) {
		t.Errorf("by whom it pays: %v", err)
	}
	w.mustWork()
	w.want(r.ID, settlements.Booked, settlements.BankChanged)
	if err := w.App.Settlements.Resume(t.Context(), r.ID, approver, why); err != nil {
		t.Error(err)
	}
}

// Only who answers for money approves, and only while they do: what they approved before is not sent by their word once they do not, nor is what was
// approved under a name that never was an operator's.
func TestApprove_CountsWhileItsPersonAnswersForMoney(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		until settlements.State // where the run is when its approver ceases to be one
		work  func(w *world, r settlements.Run)
	}{
		"before it is booked": {settlements.Approved, func(*world, settlements.Run) {}},
		"before it is sent":   {settlements.Booked, func(w *world, r settlements.Run) { w.booksOne(r.ID); w.booksOne(r.ID); w.Pass(3 * time.Minute) }},
		"before it is paid out": {settlements.Sent, func(w *world, r settlements.Run) {
			w.mustWork()
			w.arrive()
			if err := w.At.ReturnPayOut(w.want(r.ID, settlements.Paid, "").Moves[1].Ref, "AC04_CLOSED_ACCOUNT", 0); err != nil {
				w.T.Fatal(err)
			}
			w.Pass(25 * time.Hour)
			w.mustWork()
			w.want(r.ID, settlements.Sent, settlements.PayoutReturned)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 100)
			w.end()
			r := w.propose()
			w.approve(r, "somebody", settlements.ErrNoOperator)
			if err := w.DB.Gorm.WithContext(t.Context()).Exec(`INSERT INTO settlement_approvals (run_id, hash, proposed_by, actor, note, at)
				SELECT id, hash, proposed_by, 'somebody', '', now() FROM settlement_runs`).Error; err == nil {
				t.Error("the database takes an approval of nobody's")
			}
			w.Exec(`ALTER TABLE settlement_approvals DISABLE TRIGGER settlement_approvals_operator`) // one of before there was a trigger
			w.Exec(`INSERT INTO settlement_approvals (run_id, hash, proposed_by, actor, note, at) SELECT id, hash, proposed_by, 'somebody', '', now() FROM settlement_runs`)
			w.Exec(`ALTER TABLE settlement_approvals ENABLE TRIGGER settlement_approvals_operator`)
			w.approve(r, approver, nil)
			c.work(w, r)
			w.operates(601, approver, false)
			w.Exec(`UPDATE settlement_runs SET next_at = ?`, w.Now())
			w.mustWork()
			if is := w.want(r.ID, c.until, settlements.ApprovalMissing); is.Detail != "0 of 1" || len(is.Approvals) != 0 {
				t.Errorf("it says %q, approved by %v", is.Detail, is.Approvals)
			}
			if n := w.Count(`settlement_moves WHERE state = 'open'`); n != 0 {
				t.Errorf("%d things are on their way", n)
			}
			w.approve(r, second, nil)
			w.mustWork()
			w.want(r.ID, settlements.Paying, "")
		})
	}
}
