package settlements_test

import (
	"testing"
	"time"

	"talkoot.fi/payments/internal/payout/settlements"
	"talkoot.fi/payments/internal/providers/mangopay"
)

// other is an account of the creator's at provider B, that they had as user 5 before they joined the two.
type other struct{ ref, own, wallet string }

// joins has the campaign be paid from now on by another account, which its creator made as another user and then joined with their own.
func (w *world) joins() (o other) {
	w.T.Helper()
	o = w.hands()
	if err := w.App.Payees.Merge(w.T.Context(), 5, 3); err != nil {
		w.T.Fatal(err)
	}
	return o
}

// hands has the campaign be paid from now on by an account of user 5.
func (w *world) hands() (o other) {
	t := w.T
	t.Helper()
	o.ref = w.Verified(5)
	w.BankOf(5, "FI1410093000123458")
	if err := w.App.Payees.SetAccounts(t.Context(), campaign, 2, map[string]string{mangopay.Name: o.ref}); err != nil {
		t.Fatal(err)
	}
	wallet, err := w.App.Payees.Wallet(t.Context(), mangopay.Name, campaign)
	if err != nil || wallet.Ref == w.Wallet.ID {
		t.Fatalf("the campaign's wallet is %+v, %v", wallet, err)
	}
	o.wallet = wallet.Ref
	w.Scan(&o.own, `SELECT wallet_ref FROM payees WHERE ref = ?`, o.ref)
	return o
}

// runOf is the run of a campaign by its number.
func (w *world) runOf(number int) settlements.Shown {
	w.T.Helper()
	var id string
	w.Scan(&id, `SELECT id FROM settlement_runs WHERE campaign_id = 7 AND number = ?`, number)
	if id == "" {
		w.T.Fatalf("nobody has proposed run %d", number)
	}
	return w.run(id)
}

func (w *world) leftOut() {
	w.T.Helper()
	if err := w.App.Settlements.ProposeLeftOut(w.T.Context()); err != nil {
		w.T.Fatal(err)
	}
}

// The account of a campaign is changed while people pay: what lies in each wallet is paid to whose it is, by a run each, the second of which nobody
// has to think of; and so is what they keep back.
func TestRun_MoneyInTwoWallets_IsPaidFromEach(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	o := w.joins()
	w.pay(50)
	w.end()
	first := w.propose()
	if first.State != settlements.Proposed || first.Place != o.wallet || first.PayeeRef != o.ref || first.ToPlace != o.own || first.GrossMinor != 5000 || first.Lines != 1 {
		t.Fatalf("the first run is %+v", first)
	}
	w.leftOut()
	if n := w.Count(`settlement_runs`); n != 1 {
		t.Errorf("%d runs before the first is booked", n)
	}
	w.paid(first)
	w.leftOut()
	second := w.runOf(2).Run
	if second.State != settlements.Proposed || second.Place != w.Wallet.ID || second.PayeeRef != w.Wallet.Owner || second.ToPlace != w.own || second.GrossMinor != 10000 {
		t.Fatalf("the second run is %+v", second)
	}
	w.paid(second)
	w.leftOut()
	if n := w.Count(`settlement_runs`); n != 2 {
		t.Errorf("%d runs of two wallets", n)
	}
	w.WantLedger(map[string]int64{"provider_clearing:mangopay:" + w.Wallet.ID: 500, "provider_clearing:mangopay:" + o.wallet: 250,
		"provider_clearing:mangopay:fees": 750, "platform_revenue": -597, "vat:FI": -153, "reserve:mangopay:3": -750})
	w.days(121)
	third := w.propose()
	w.paid(third)
	fourth := w.propose()
	w.paid(fourth)
	if third.Place != o.wallet || third.ReleasedMinor != 250 || fourth.Place != w.Wallet.ID || fourth.ReleasedMinor != 500 {
		t.Errorf("what was kept back is sent by %+v and %+v", third, fourth)
	}
	w.WantLedger(map[string]int64{"provider_clearing:mangopay:fees": 750, "platform_revenue": -597, "vat:FI": -153})
	w.Audit()
}

// An account that is closed keeps what lies in its wallet waiting, and nothing else; a run that was approved stays with the wallet it was approved for.
func TestRun_OneOfTwoAccountsIsClosed_TheOthersMoneyIsPaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	o := w.joins()
	w.pay(50)
	w.end()
	r := w.approved()
	if err := w.App.Payees.SetAccounts(t.Context(), campaign, 3, map[string]string{mangopay.Name: w.Wallet.Owner}); err != nil {
		t.Fatal(err)
	}
	w.mustWork()
	w.arrive()
	if shown := w.want(r.ID, settlements.Paid, ""); shown.PayeeRef != o.ref {
		t.Errorf("it was paid to %s", shown.PayeeRef)
	}
	w.Downgrade()
	w.leftOut()
	waits := w.runOf(2)
	if waits.State != settlements.Counting || waits.Reason != settlements.AccountNotReady {
		t.Errorf("the second run is %s (%s)", waits.State, waits.Reason)
	}
	w.days(121)
	w.go_(waits.ID)
	if sends := w.want(waits.ID, settlements.Proposed, ""); sends.Place != o.wallet || sends.ReleasedMinor != 250 || sends.GrossMinor != 0 {
		t.Errorf("it sends %+v", sends.Run)
	}
	w.Audit()
}

// What lies in another person's wallet is sent to nobody until a person has looked.
func TestRun_MoneyInAnotherPersonsWallet_Waits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.hands()
	w.end()
	r := w.propose()
	w.want(r.ID, settlements.Counting, settlements.MoneyElsewhere)
	w.Pass(time.Hour)
	w.mustWork()
	w.want(r.ID, settlements.Counting, settlements.MoneyElsewhere)
	w.Audit()
}
