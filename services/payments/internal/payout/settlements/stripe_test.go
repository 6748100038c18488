package settlements_test

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/charging/routing"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/payout/settlements"
	"talkoot.fi/payments/internal/providers/stripe"
	"talkoot.fi/sandbox/standin"
	sandbox "talkoot.fi/sandbox/stripe"
)

// The example of proto-docs/flows/settlement.md at provider A: our fee stays in our balance, and one transfer and one payout are made.
func TestRun_AtA_FromPledgesToTheCreatorsBank(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100, 50)
	w.end()
	r := w.approved()
	w.mustWork()
	w.want(r.ID, settlements.Paying, "")
	w.WantLedger(map[string]int64{
		"provider_clearing:stripe:main": 15000 - 275 - 13500, "provider_fees:stripe": 275, "platform_revenue": -598, "vat:FI": -152,
		"reserve:stripe:3": -750, "at_creator:stripe:3": 13500, "creator_held:stripe:3": -13500,
	})
	w.arrive()
	shown := w.want(r.ID, settlements.Paid, "")
	w.WantLedger(map[string]int64{
		"provider_clearing:stripe:main": 1225, "provider_fees:stripe": 275, "platform_revenue": -598, "vat:FI": -152, "reserve:stripe:3": -750,
	})
	if len(shown.Charges) != 2 || len(shown.Moves) != 2 || shown.Bank.LastFour != "3000" || shown.Bank.Country != "DE" {
		t.Errorf("shown with %d charges, %d moves, to %s", len(shown.Charges), len(shown.Moves), shown.Bank.Label())
	}
	if made := w.Sandbox.Snapshot().Transfers; len(made) != 1 || made[0].TransferGroup != r.ID || made[0].Destination != w.account {
		t.Errorf("transferred %+v", made)
	}
	if list, err := w.App.Settlements.Propose(t.Context(), campaign, maker, why); err != nil || len(list) != 0 {
		t.Errorf("proposed once more: %+v, %v", list, err)
	}
	w.audit()
}

// Whatever becomes of the answers to a transfer and a payout at provider A, each is made once.
func TestSend_AtA_AnswersAreLost_IsMadeOnce(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{standin.CutAfter, standin.CutBefore, "409", "429", "500", "500_stored", "503"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			w := newWorldA(t, 100)
			_, err := w.Sandbox.TopUp(100_000) // a second transfer would find money
			w.ok(err)
			w.end()
			r := w.approved()
			times := 3 // as often as the adapter tries
			if fault == "500_stored" {
				times = 1 // which it does not try again
			}
			w.Fault(fault, times, http.MethodPost, "/v1/transfers")
			w.Fault(fault, times, http.MethodPost, "/v1/payouts")
			_ = w.work()
			for range 6 {
				w.Pass(11 * time.Minute)
				_ = w.work()
			}
			w.arrive()
			w.arrive()
			shown := w.want(r.ID, settlements.Paid, "")
			if n := len(shown.Moves); n > 4 || n < 2 {
				t.Errorf("%d moves", n)
			}
			w.audit()
		})
	}
}

// What stands in the way of sending at provider A is told, nothing leaves, and it goes on when that is mended.
func TestSend_AtA_WaitsAndSaysWhy(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	w.end()
	r := w.approved()
	w.booksOne(r.ID)
	at, of := w.Sandbox, sandbox.AccountChange{Account: w.account}
	waits := func(reason settlements.Reason, detail string) {
		t.Helper()
		w.Pass(11 * time.Minute) // what was heard of an account is old by then
		w.go_(r.ID)
		if shown := w.want(r.ID, settlements.Booked, reason); detail != "" && !strings.HasPrefix(shown.Detail, detail) {
			t.Errorf("%s says %q, want %q", reason, shown.Detail, detail)
		}
		if n := len(at.Snapshot().Transfers); n != 0 {
			t.Fatalf("%s: %d transfers", reason, n)
		}
	}
	w.ok(w.App.Routes.Switch(t.Context(), w.App.DB, routing.Switch{Provider: stripe.Name, Reason: why, Actor: approver}))
	waits(settlements.ProviderOff, "")
	w.ok(w.App.Routes.Switch(t.Context(), w.App.DB, routing.Switch{Provider: stripe.Name, IsOn: true, Reason: why, Actor: approver}))
	w.LoseWebhooks()
	w.ok(at.RestrictAccount(of))
	w.go_(r.ID) // at once: what we have heard of it is that it is ready
	w.want(r.ID, settlements.Booked, settlements.Need)
	waits(settlements.AccountNotReady, "restricted")
	w.ok(at.ClearAccount(of))
	w.ok(at.CurrencyOfAccount(w.account, "sek"))
	waits(settlements.AccountNotReady, "restricted")
	w.ok(at.CurrencyOfAccount(w.account, "eur"))
	w.Fault("404", 1, http.MethodGet, "/v1/accounts/"+w.account)
	waits(settlements.AccountNotReady, "missing")
	w.ok(w.App.Payees.Changed(t.Context(), stripe.Name, w.account, false))
	w.ok(at.MoveAccount(sandbox.AccountLine{Account: w.account, Amount: -500}))
	waits(settlements.BelowZero, w.account+" has -5.00 EUR")
	w.ok(at.MoveAccount(sandbox.AccountLine{Account: w.account, Amount: 600}))
	waits(settlements.BalanceDiffers, w.account+" has 1.00 EUR, the book 0.00 EUR")
	w.ok(at.MoveAccount(sandbox.AccountLine{Account: w.account, Amount: -100}))
	_, err := at.AddLine(sandbox.LineOrder{Amount: -1000})
	w.ok(err)
	waits(settlements.BalanceDiffers, "main has 88.25 EUR, the book 98.25 EUR")
	_, err = at.AddLine(sandbox.LineOrder{Amount: 1500}) // what has come in and is not booked stops nothing
	w.ok(err)
	w.ok(at.CloseBorder(of))
	waits(settlements.TransferRefused, "")
	w.onboard(78) // the campaign is paid by somebody else's account: nobody has approved that
	w.ok(w.App.Payees.SetAccounts(t.Context(), campaign, 2, map[string]string{stripe.Name: w.account}))
	waits(settlements.AccountChanged, "")
	w.ok(w.App.Payees.SetAccounts(t.Context(), campaign, 3, map[string]string{stripe.Name: ""}))
	waits(settlements.NoAccount, "")
}

// Between our look at an account and the transfer it may be stopped: the provider refuses, nothing has left, and it goes on when it is mended.
func TestSend_AtA_RestrictedUnderOurHands_WaitsForTheCreator(t *testing.T) {
	t.Parallel()
	var w *worldA
	transport := &meanwhile{path: "/v1/transfers", do: func() {
		w.ok(w.Sandbox.RestrictAccount(sandbox.AccountChange{Account: w.account}))
	}}
	w = newWorldA(t, 100)
	w.end()
	r := w.approved()
	o := w.Another(w.Now, func(c *app.Config) { c.StripeTransport = transport }).Settlements.Options
	ctx := t.Context()
	for range 4 {
		_, err := settlements.New(o).Sweep(ctx)
		w.ok(err)
	}
	if shown := w.want(r.ID, settlements.Booked, settlements.Need); shown.Detail != "details" || len(shown.Moves) != 1 || shown.Moves[0].State != "burned" {
		t.Errorf("it waits %+v, %+v", shown.Run, shown.Moves)
	}
	if n := len(w.Sandbox.Snapshot().Transfers); n != 0 {
		t.Errorf("%d transfers", n)
	}
	w.ok(w.Sandbox.ClearAccount(sandbox.AccountChange{Account: w.account}))
	w.Settle()
	w.Pass(11 * time.Minute)
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	w.audit()
}

// meanwhile does something just before the first call to a path.
type meanwhile struct {
	path string
	next http.RoundTripper // nil is the default one
	once sync.Once
	do   func()
}

func (m *meanwhile) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPost && r.URL.Path == m.path {
		m.once.Do(m.do)
	}
	return cmp.Or(m.next, http.DefaultTransport).RoundTrip(r) //nolint:wrapcheck // it is the transport
}

// A run waits until each of its charges can be sent on: what is available meanwhile is other campaigns'.
func TestSend_AtA_BeforeItsMoneyIsAvailable_Waits(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 200) // this can be sent, and is of the run as well
	w.paidBy(8)
	w.pay(8, 50)
	w.Pass(2 * 24 * time.Hour)
	w.endOther(8)
	list, err := w.App.Settlements.Propose(t.Context(), 8, maker, why)
	w.ok(err)
	r := list[0]
	w.approve(r, approver, nil)
	w.mustWork()
	charge := ""
	w.Scan(&charge, `SELECT charge_ref FROM settlement_lines WHERE run_id = ?`, r.ID)
	if shown := w.want(r.ID, settlements.Booked, settlements.BalanceShort); !strings.HasPrefix(shown.Detail, charge+" can be sent from") {
		t.Errorf("it waits for %s", shown.Detail)
	}
	w.Pass(6 * 24 * time.Hour)
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	w.audit()
}

// What a transfer brings may be on the creator's account later: the payout waits for it.
func TestPayOut_AtA_WaitsUntilTheAccountHasIt(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	w.ok(w.Sandbox.DelayAccount(sandbox.AccountChange{Account: w.account, DeadlineSeconds: 2 * 24 * 3600}))
	w.end()
	r := w.approved()
	w.mustWork()
	w.want(r.ID, settlements.Sent, settlements.BalanceShort)
	w.Pass(3 * 24 * time.Hour)
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	w.audit()
}

// A payout that fails, and one that fails weeks after it was paid, of which the provider tells: the run says so and waits for a person, and pays
// out once more.
func TestPayOut_AtA_FailsAndFailsAfterItWasPaid(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	w.end()
	r := w.approved()
	w.mustWork()
	w.failPayout("no_account")
	w.Settle()
	if shown := w.want(r.ID, settlements.Sent, settlements.PayoutFailed); shown.Detail != "no_account" || shown.NextAt != nil {
		t.Errorf("it is %+v", shown.Run)
	}
	w.audit()
	for _, days := range []time.Duration{20, 90} { // longer than we look by ourselves
		w.go_(r.ID)
		w.arrive()
		w.want(r.ID, settlements.Paid, "")
		w.Pass(days * 24 * time.Hour)
		w.mustWork()
		w.failPayout("account_closed")
		w.Settle()
		if shown := w.want(r.ID, settlements.Sent, settlements.PayoutReturned); shown.Detail != "account_closed" || shown.NextAt != nil {
			t.Errorf("it is %+v", shown.Run)
		}
		w.audit()
	}
	w.go_(r.ID)
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	w.Settle()
	var told []string
	for _, e := range w.Content.Payees() {
		if p := e.Payout; p != nil {
			told = append(told, fmt.Sprintf("%s %d to %s%s", p.Outcome, p.AmountMinor, p.Country, p.LastFour))
		}
	}
	want := "failed 9000 to DE3000, arrived 9000 to DE3000, returned 9000 to DE3000, arrived 9000 to DE3000, returned 9000 to DE3000, arrived 9000 to DE3000"
	if got := strings.Join(told, ", "); got != want {
		t.Errorf("the creator was told %q, want %q", got, want)
	}
	if got := w.shown(owner); !strings.Contains(got, "arrived") || !strings.Contains(got, "DE3000") {
		t.Errorf("they see %s", got)
	}
	w.audit()
}

// Another bank account at provider A after a run was booked has people look at the run again, and its owner has three days to hear of it, as at B.
func TestPayOut_AtA_ToABankAccountThatHasChanged_WaitsForPeopleAndForItsOwner(t *testing.T) {
	t.Parallel()
	for name, isTold := range map[string]bool{"told": true, "untold": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorldA(t, 100)
			w.end()
			r := w.approved()
			w.booksOne(r.ID)
			w.Pass(3 * time.Minute)
			if !isTold {
				w.LoseWebhooks()
			}
			w.ok(w.Sandbox.BankOfAccount(w.account, "FI4950009420028730"))
			if isTold {
				w.AwaitWebhooks()
				w.Drain()
			} else {
				w.mustWork() // we have heard of the account a moment ago, and the provider says otherwise
				if shown := w.want(r.ID, settlements.Booked, settlements.Need); shown.Detail != "bank_account" {
					t.Errorf("it waits for %s", shown.Detail)
				}
				w.Pass(11 * time.Minute)
			}
			w.mustWork()
			if shown := w.want(r.ID, settlements.Booked, settlements.BankChanged); shown.Detail != "FI ···· 8730" || shown.NextAt != nil {
				t.Errorf("it waits %+v", shown.Run)
			}
			w.go_(r.ID)
			if shown := w.want(r.ID, settlements.Booked, settlements.Need); shown.Detail != "bank_new" {
				t.Errorf("it waits for %s", shown.Detail)
			}
			w.Pass(4 * 24 * time.Hour)
			w.mustWork()
			w.arrive()
			w.want(r.ID, settlements.Paid, "")
			w.audit()
		})
	}
}

// A bank account that is given to provider A between our look and the payout is not paid to: nothing has left, and nobody is told of a payout that failed.
func TestPayOut_AtA_BankAccountChangedUnderOurHands_IsNotPaidTo(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	w.end()
	r := w.approved()
	transport := &meanwhile{path: "/v1/payouts", do: func() { w.ok(w.Sandbox.BankOfAccount(w.account, "FI4950009420028730")) }}
	o := w.Another(w.Now, func(c *app.Config) { c.StripeTransport = transport }).Settlements.Options
	for range 6 {
		_, err := settlements.New(o).Sweep(t.Context())
		w.ok(err)
	}
	if shown := w.want(r.ID, settlements.Sent, settlements.Need); shown.Detail != "bank_account" {
		t.Errorf("it waits for %s", shown.Detail)
	}
	w.AwaitWebhooks()
	w.Drain()
	w.Pass(11 * time.Minute)
	w.mustWork()
	w.want(r.ID, settlements.Sent, settlements.BankChanged)
	for _, e := range w.Content.Payees() {
		if e.Payout != nil {
			t.Errorf("the creator was told %+v", e.Payout)
		}
	}
	w.audit()
}

// Two campaigns of one creator are sent one after the other, and each run is what it was.
func TestSend_AtA_TwoRunsOfOneCreator_GoOneAfterTheOther(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	w.end()
	w.paidBy(8)
	w.pay(8, 50)
	w.Pass(ripe)
	w.endOther(8)
	first := w.approved()
	list, err := w.App.Settlements.Propose(t.Context(), 8, maker, why)
	w.ok(err)
	w.approve(list[0], approver, nil)
	w.mustWork()
	var reasons []string
	w.Scan(&reasons, `SELECT state || ' ' || reason FROM settlement_runs ORDER BY 1`)
	if got := strings.Join(reasons, ", "); got != "paying , sent another_is_sent" {
		t.Errorf("they are %s", got)
	}
	for range 4 {
		w.arrive()
	}
	w.want(first.ID, settlements.Paid, "")
	w.want(list[0].ID, settlements.Paid, "")
	if n := len(w.Sandbox.Snapshot().Transfers); n != 2 {
		t.Errorf("%d transfers", n)
	}
	w.audit()
}

// A refund after the payout is a debt, which the creator's next run pays first; a dispute in between has the first one wait for a top-up.
func TestRun_AtA_PaysWhatTheCreatorOwes(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	w.end()
	r := w.approved()
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	_, err := w.Sandbox.TopUp(10000)
	w.ok(err)
	w.refund(w.payments[0], 3000)
	w.Settle()
	w.paidBy(8)
	w.pay(8, 50)
	w.Pass(ripe)
	w.endOther(8)
	list, err := w.App.Settlements.Propose(t.Context(), 8, maker, why)
	w.ok(err)
	w.approve(list[0], approver, nil)
	w.mustWork()
	w.arrive()
	if shown := w.want(list[0].ID, settlements.Paid, ""); shown.OffsetMinor != 2850 || shown.NetMinor != 4500 {
		t.Errorf("it is %+v", shown.Run)
	}
	w.audit()
}

// Whatever comes back of a charge after its run was paid out, the backer has it, and each who had a part of the charge gives theirs.
func TestRun_AtA_AndThenMoneyGoesBack(t *testing.T) {
	t.Parallel()
	type story struct {
		*worldA
		payment, intent string
	}
	lost := func(w story) {
		dispute := w.DisputeByHand(w.intent, 0)
		w.Settle()
		w.Decide(dispute, "lost")
		w.Settle()
	}
	const all = 4750 // the creator's part of 50 euros
	for name, c := range map[string]struct {
		happen                   func(w story)
		debt, revenue, vat, gone int64
		isDisputed               bool
	}{
		"a part is given back":                            {func(w story) { w.refund(w.payment, 3000) }, 2850, 80, 20, 3000, false},
		"all is given back":                               {func(w story) { w.refund(w.payment, 5000) }, all, 0, 0, 5000, false},
		"somebody gives back in the provider's own pages": {func(w story) { w.RefundByHand(w.intent, 3000); w.Settle() }, 2850, 80, 20, 3000, false},
		"a bank takes it":                                 {lost, all, 0, 0, 5000, true},
		"a bank asks and gives it back": {func(w story) {
			dispute := w.DisputeByHand(w.intent, 0)
			w.Settle()
			w.Decide(dispute, "won")
			w.Settle()
		}, 0, 199, 51, 0, false},
		"a bank asks, and what is to be given back waits until it takes the money": {func(w story) {
			dispute := w.DisputeByHand(w.intent, 0)
			w.Settle()
			w.refund(w.payment, 3000)
			w.Decide(dispute, "lost")
			w.Settle()
		}, all, 0, 0, 5000, true},
		"given back in part, and then a bank takes all": {func(w story) { w.refund(w.payment, 3000); lost(w) }, all, 0, 0, 5000, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorldA(t, 50)
			w.end()
			r := w.approved()
			w.mustWork()
			w.arrive()
			w.want(r.ID, settlements.Paid, "")
			_, err := w.Sandbox.TopUp(20000)
			w.ok(err)
			var intent string
			w.Scan(&intent, `SELECT money_ref FROM attempts WHERE payment_id = ?`, w.payments[0])
			c.happen(story{w, w.payments[0], intent})
			w.Settle()
			w.audit() // which books the top-up
			fees := int64(paymentstest.Fee)
			if c.isDisputed {
				fees += paymentstest.DisputeFee
			}
			w.WantLedger(map[string]int64{"provider_clearing:stripe:main": 20000 + 5000 - 4500 - c.gone - fees, "provider_fees:stripe": fees, "bank": -20000,
				"reserve:stripe:3": -250, "creator_debt:stripe:3": c.debt, "platform_revenue": -c.revenue, "vat:FI": -c.vat})
		})
	}
}
