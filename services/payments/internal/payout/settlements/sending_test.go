package settlements_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/payments/internal/charging/holds"
	"talkoot.fi/payments/internal/charging/routing"
	"talkoot.fi/payments/internal/payout/settlements"
	"talkoot.fi/payments/internal/providers/mangopay"
	"talkoot.fi/sandbox/standin"
)

// go_ has a run looked at now.
func (w *runs) go_(id string) {
	w.of.T.Helper()
	if err := w.of.App.Settlements.Resume(w.of.T.Context(), id, approver, why); err != nil {
		w.of.T.Fatal(err)
	}
	w.mustWork()
}

// restore has the creator be verified again.
func (w *world) restore() {
	w.T.Helper()
	if err := w.At.SetKYC(w.Wallet.Owner, "REGULAR"); err != nil {
		w.T.Fatal(err)
	}
	if err := w.App.Payees.Changed(w.T.Context(), mangopay.Name, w.Wallet.Owner, false); err != nil {
		w.T.Fatal(err)
	}
}

// booksOne books one line of an approved run, as a worker that ends then.
func (w *runs) booksOne(id string) {
	w.of.T.Helper()
	o := w.of.App.Settlements.Options
	o.Chunk = 1
	if err := settlements.New(o).BookOnce(w.of.T.Context(), id); err != nil {
		w.of.T.Fatal(err)
	}
}

// Whatever becomes of the answers to a transfer and a payout, each is made once.
func TestSend_AnswersAreLost_IsMadeOnce(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{standin.CutAfter, standin.CutBefore, "500", "500_after", "500_stored", "503"} {
		for _, call := range []string{"/transfers", "/payouts/bankwire"} {
			t.Run(fault+call, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, 100)
				w.end()
				r := w.approved()
				times := 3 // as often as the adapter tries
				if fault == "500_stored" {
					times = 1 // which it does not try again
				}
				w.Fails(fault, times, http.MethodPost, call)
				_ = w.work()
				for range 4 {
					w.Pass(11 * time.Minute)
					_ = w.work()
				}
				w.arrive()
				w.arrive()
				shown := w.want(r.ID, settlements.Paid, "")
				if n := len(shown.Moves); n > 3 || n < 2 {
					t.Errorf("%d moves", n)
				}
				w.WantLedger(map[string]int64{
					"provider_clearing:mangopay:" + w.Wallet.ID: 500, "provider_clearing:mangopay:fees": 500, "platform_revenue": -398, "vat:FI": -102, "reserve:mangopay:3": -500,
				})
				w.audit()
			})
		}
	}
}

// What stands in the way of sending is told, nothing leaves, and it goes on when that is mended.
func TestSend_WaitsAndSaysWhy(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.end()
	r := w.approved()
	w.booksOne(r.ID)
	at := w.At
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	waits := func(reason settlements.Reason, detail string) {
		t.Helper()
		w.go_(r.ID)
		if shown := w.want(r.ID, settlements.Booked, reason); detail != "" && shown.Detail != detail {
			t.Errorf("%s says %q, want %q", reason, shown.Detail, detail)
		}
		if n := w.Count("settlement_moves"); n != 0 {
			t.Fatalf("%s: %d moves", reason, n)
		}
	}
	ok(w.App.Routes.Switch(t.Context(), w.App.DB, routing.Switch{Provider: mangopay.Name, Reason: why, Actor: approver}))
	waits(settlements.ProviderOff, "")
	ok(w.App.Routes.Switch(t.Context(), w.App.DB, routing.Switch{Provider: mangopay.Name, IsOn: true, Reason: why, Actor: approver}))
	ok(holds.Set(t.Context(), w.App.DB, campaign, holds.Word{Number: 1, IsOnHold: true}, w.Now))
	waits(settlements.CampaignOnHold, "")
	ok(holds.Set(t.Context(), w.App.DB, campaign, holds.Word{Number: 2}, w.Now))
	ok(at.BlockOutflows(w.Wallet.Owner, true))
	waits(settlements.Need, "blocked_outflows")
	ok(at.BlockOutflows(w.Wallet.Owner, false))
	ok(at.RevokeConsents(w.Wallet.Owner))
	waits(settlements.Need, "consents")
	ok(at.Enrol(w.Wallet.Owner, true))
	w.Downgrade()
	waits(settlements.AccountNotReady, "restricted")
	w.restore()
	w.Fails("404", 1, http.MethodGet, "/users/"+w.Wallet.Owner)
	ok(w.App.Payees.Changed(t.Context(), mangopay.Name, w.Wallet.Owner, false))
	waits(settlements.AccountNotReady, "missing")
	w.restore()
	var list []struct {
		ID string `json:"Id"`
	}
	w.Provide(http.MethodGet, "/users/"+w.Wallet.Owner+"/recipients", "", &list)
	w.Provide(http.MethodPut, "/recipients/"+list[0].ID, `{"Status":"DEACTIVATED"}`, nil)
	waits(settlements.Need, "bank_account")
	w.Bank("FI4950009420028730")
	waits(settlements.Need, "bank_new")
	w.Pass(72 * time.Hour)
	ok(w.App.Payees.SetAccounts(t.Context(), campaign, 2, map[string]string{mangopay.Name: ""}))
	waits(settlements.NoAccount, "")
	ok(w.App.Payees.SetAccounts(t.Context(), campaign, 3, map[string]string{mangopay.Name: w.Wallet.Owner}))
	// Somebody has moved money at the provider, and the book does not know.
	move := func(from, to string) {
		w.Provide(http.MethodPost, "/transfers", `{"AuthorId":"`+w.Wallet.Owner+`","DebitedWalletId":"`+from+`","CreditedWalletId":"`+to+`",
			"DebitedFunds":{"Currency":"EUR","Amount":100},"Fees":{"Currency":"EUR","Amount":0},"ScaContext":"USER_NOT_PRESENT"}`, nil)
	}
	move(w.Wallet.ID, w.own)
	waits(settlements.BalanceDiffers, w.Wallet.ID+" has 99.00 EUR, the book 100.00 EUR")
	move(w.own, w.Wallet.ID)
	w.Exec(`INSERT INTO settlement_moves (run_id, kind, try, provider, payee_ref, from_place, destination, amount_minor, fee_minor, currency, state, at)
		SELECT id, 'payout', 1, provider, payee_ref, place, 'x', 1, 0, currency, 'open', now() FROM settlement_runs`)
	w.go_(r.ID)
	w.want(r.ID, settlements.Booked, settlements.AnotherIsSent)
	w.Exec(`DELETE FROM settlement_moves`)
	w.go_(r.ID)
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
}

// A payout that fails, and one that comes back weeks later, twice: the run says so and waits for a person, and pays out once more.
func TestPayOut_FailsAndComesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.end()
	r := w.approved()
	w.mustWork()
	newest := func() (ref string) {
		w.Scan(&ref, `SELECT ref FROM settlement_moves WHERE kind = 'payout' ORDER BY try DESC LIMIT 1`)
		return ref
	}
	if err := w.At.SettlePayOut(newest(), "121030"); err != nil {
		t.Fatal(err)
	}
	w.Pass(2 * time.Hour)
	w.mustWork()
	if shown := w.want(r.ID, settlements.Sent, settlements.PayoutFailed); shown.Detail != "121030" || shown.NextAt != nil {
		t.Errorf("it is %+v", shown.Run)
	}
	w.audit()
	for range 2 {
		w.go_(r.ID)
		w.arrive()
		w.want(r.ID, settlements.Paid, "")
		w.Pass(20 * 24 * time.Hour)
		w.mustWork()
		if err := w.At.ReturnPayOut(newest(), "BANKACCOUNT_HAS_BEEN_CLOSED", 0); err != nil {
			t.Fatal(err)
		}
		w.Pass(25 * time.Hour)
		w.mustWork()
		if shown := w.want(r.ID, settlements.Sent, settlements.PayoutReturned); shown.Detail != "BANKACCOUNT_HAS_BEEN_CLOSED" || shown.NextAt != nil {
			t.Errorf("it is %+v", shown.Run)
		}
		w.audit()
	}
	w.go_(r.ID)
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	w.Pass(61 * 24 * time.Hour)
	w.mustWork()
	if shown := w.want(r.ID, settlements.Paid, ""); shown.NextAt != nil {
		t.Errorf("it is still looked at")
	}
	// Nobody looks any more, and it comes back all the same: the provider's word has us look, whoever's it was.
	if err := w.At.ReturnPayOut(newest(), "BANKACCOUNT_HAS_BEEN_CLOSED", 0); err != nil {
		t.Fatal(err)
	}
	var back []struct {
		ID string `json:"Id"`
	}
	w.Provide(http.MethodGet, "/payouts/"+newest()+"/refunds", "", &back)
	for _, object := range []string{"nobodys", back[0].ID, back[0].ID} {
		w.Send(http.MethodGet, w.API.URL+"/api/webhooks/mangopay?EventType=PAYOUT_REFUND_SUCCEEDED&RessourceId="+object+"&Date=1", "", nil, nil)
		w.Drain()
		w.mustWork()
	}
	w.want(r.ID, settlements.Sent, settlements.PayoutReturned)
	w.go_(r.ID)
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	var told []string
	w.Settle()
	for _, e := range w.Content.Payees() {
		if p := e.Payout; p != nil {
			told = append(told, fmt.Sprintf("%s %d of %d to %s%s", p.Outcome, p.AmountMinor, p.CampaignID, p.Country, p.LastFour))
		}
	}
	if got, want := strings.Join(told, ", "), fmt.Sprintf("failed 9000 of %[1]d to FI0785, arrived 9000 of %[1]d to FI0785, returned 9000 of %[1]d to FI0785, "+
		"arrived 9000 of %[1]d to FI0785, returned 9000 of %[1]d to FI0785, arrived 9000 of %[1]d to FI0785, returned 9000 of %[1]d to FI0785, "+
		"arrived 9000 of %[1]d to FI0785", campaign); got != want {
		t.Errorf("the creator was told %q, want %q", got, want)
	}
	if n := w.Count("ledger_transactions WHERE kind = 'creator_payout'") - w.Count("ledger_transactions WHERE kind = 'creator_payout_returned'"); n != 1 {
		t.Errorf("%d payouts have arrived", n)
	}
	w.audit()
}

// A bank that sends a payout back keeps its fee: the creator bears it, who has named the account, and the next payout is of what is left. What is no
// bank's fee waits for a person, whose word has it go on in the same way.
func TestPayOut_ThatComesBackWithLess_IsPaidOutLessWhatTheBankKept(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		kept   int64
		reason settlements.Reason
		out    int64 // of the second payout
	}{
		"a fee":               {15, settlements.PayoutReturned, 8985},
		"more than a fee":     {5001, settlements.AmountDiffers, 3999},
		"more than was sent":  {-10, settlements.AmountDiffers, 9000},
		"the most of banks":   {5000, settlements.PayoutReturned, 4000},
		"all but the last ct": {8999, settlements.AmountDiffers, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 100)
			w.end()
			r := w.approved()
			w.mustWork()
			w.arrive()
			ref := w.want(r.ID, settlements.Paid, "").Moves[1].Ref
			if err := w.At.ReturnPayOut(ref, "AC04_CLOSED_ACCOUNT", one.kept); err != nil {
				t.Fatal(err)
			}
			w.Pass(25 * time.Hour)
			w.mustWork()
			if shown := w.want(r.ID, settlements.Sent, one.reason); shown.ToPayOut() != one.out || shown.NextAt != nil {
				t.Errorf("it is %+v", shown.Run)
			}
			w.audit()
			w.go_(r.ID)
			w.arrive()
			shown := w.want(r.ID, settlements.Paid, "")
			if last := shown.Moves[2]; last.AmountMinor != one.out || last.State != "done" {
				t.Errorf("the second payout is %+v", last)
			}
			if n := w.Count("ledger_transactions WHERE kind = 'creator_payout_kept' AND amount_minor = ?", max(one.kept, 0)); (n == 1) != (one.kept > 0) {
				t.Errorf("what the bank has kept is booked %d times", n)
			}
			own, err := w.App.Settlements.Of(t.Context(), owner)
			if err != nil || len(own) != 1 || own[0].BankKept != max(one.kept, 0) || own[0].Collected != own[0].Fee+own[0].Reserve+own[0].SetOff+own[0].BankKept+own[0].Net {
				t.Errorf("its creator sees %+v, %v", own, err)
			}
			w.audit()
		})
	}
}

// A bank sends a payout back in two parts: each is booked once, whenever it comes, and what is paid out again is never more than what came back.
func TestPayOut_ThatComesBackInParts_IsPaidOutAsItCame(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		between func(w *world, id string) // what happens between the two
		first   int64                     // of the payout after that
		again   int64                     // of the next
	}{
		"at once":                          {func(*world, string) {}, 9000, 0},
		"while a person is waited for":     {func(w *world, _ string) { w.Pass(25 * time.Hour); w.mustWork() }, 9000, 0},
		"when the first was paid out anew": {func(w *world, id string) { w.Pass(25 * time.Hour); w.mustWork(); w.go_(id); w.arrive() }, 6000, 3000},
	} {
		for how, hear := range map[string]bool{"hooks are lost": false, "hooks come": true} {
			t.Run(name+", "+how, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, 100)
				w.end()
				r := w.approved()
				w.mustWork()
				w.arrive()
				ref := w.want(r.ID, settlements.Paid, "").Moves[1].Ref
				for i, kept := range []int64{3000, 6000} {
					if err := w.At.ReturnPayOut(ref, "AC04_CLOSED_ACCOUNT", kept); err != nil {
						t.Fatal(err)
					}
					if i == 0 {
						c.between(w, r.ID)
					}
					for range 2 {
						if hear {
							if err := w.App.Settlements.Heard(t.Context(), mangopay.Name, ref); err != nil {
								t.Fatal(err)
							}
						}
					}
				}
				w.Pass(25 * time.Hour)
				w.mustWork()
				if hear {
					w.audit()
				}
				w.go_(r.ID)
				w.arrive()
				w.arrive() // what came since is counted before
				if shown := w.want(r.ID, settlements.Paid, ""); len(shown.Moves) != 3+int(min(c.again, 1)) || shown.Moves[2].AmountMinor != c.first ||
					c.again > 0 && shown.Moves[3].AmountMinor != c.again || shown.BankKeptMinor != 0 || shown.ToPayOut() != 0 {
					t.Errorf("it is %+v, with %+v", shown.Run, shown.Moves)
				}
				if n := w.Count("settlement_returns"); n != 2 || w.Count("ledger_transactions WHERE kind = 'creator_payout_returned'") != 2 {
					t.Errorf("%d parts are kept", n)
				}
				own, err := w.App.Settlements.Of(t.Context(), owner)
				if err != nil || len(own) != 1 || own[0].BankKept != 0 || own[0].Net != 9000 {
					t.Errorf("its creator sees %+v, %v", own, err)
				}
				w.audit()
			})
		}
	}
}

// Four workers at once do one thing once.
func TestSweep_OfManyWorkers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 10, 20, 30)
	w.end()
	r := w.approved()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 5 {
				if _, err := w.App.Settlements.Sweep(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	w.mustWork()
	w.arrive()
	if shown := w.want(r.ID, settlements.Paid, ""); len(shown.Moves) != 2 {
		t.Errorf("%d moves", len(shown.Moves))
	}
	w.audit()
}

// Another bank account after a run was booked has people look at the run again, and its owner has three days to hear of it. After a payout that
// has come back it is the new one that is paid to.
func TestPayOut_ToABankAccountThatHasChanged_WaitsForPeopleAndForItsOwner(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.end()
	r := w.approved()
	w.booksOne(r.ID) // before that it would be proposed anew
	w.Pass(3 * time.Minute)
	w.Bank("FI4950009420028730")
	w.mustWork()
	if shown := w.want(r.ID, settlements.Booked, settlements.BankChanged); shown.Detail != "FI ···· 8730" || shown.NextAt != nil {
		t.Errorf("it waits %+v", shown.Run)
	}
	w.Pass(4 * 24 * time.Hour)
	w.mustWork()
	w.want(r.ID, settlements.Booked, settlements.BankChanged) // time is no look
	w.Bank("FI2112345600000785")                              // between a person's look and their word
	if err := w.App.Settlements.Resume(t.Context(), r.ID, approver, why); !isErr(err, settlements.ErrChanged) {
		t.Errorf("to an account that nobody has seen: %v", err)
	}
	if shown := w.want(r.ID, settlements.Booked, settlements.BankChanged); shown.Detail != "FI ···· 0785" || shown.NextAt != nil {
		t.Errorf("it waits %+v", shown.Run)
	}
	w.go_(r.ID)
	w.Pass(4 * 24 * time.Hour)
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")

	var ref, to string
	w.Scan(&ref, `SELECT ref FROM settlement_moves WHERE kind = 'payout'`)
	if err := w.At.ReturnPayOut(ref, "BANKACCOUNT_HAS_BEEN_CLOSED", 0); err != nil {
		t.Fatal(err)
	}
	w.Pass(25 * time.Hour)
	w.mustWork()
	w.want(r.ID, settlements.Sent, settlements.PayoutReturned)
	if shown, err := w.App.Payees.ShownBanks(t.Context(), w.payee()); err != nil || len(shown) != 1 || !shown[0].HasFailed {
		t.Errorf("their owner sees %+v, %v", shown, err)
	}
	newest := w.Bank("FI2112345600000785")
	w.go_(r.ID)
	if shown := w.want(r.ID, settlements.Sent, settlements.Need); shown.Detail != "bank_new" || shown.NextAt.Sub(*newest.PaysFrom).Abs() > time.Minute {
		t.Errorf("it waits %+v, the account is paid to from %s", shown.Run, newest.PaysFrom)
	}
	w.Pass(3*24*time.Hour - time.Minute)
	w.mustWork()
	w.want(r.ID, settlements.Sent, settlements.Need)
	w.Pass(2 * time.Minute)
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	if w.Scan(&to, `SELECT destination FROM settlement_moves WHERE kind = 'payout' ORDER BY try DESC LIMIT 1`); to != newest.Ref {
		t.Errorf("it is paid out to %s, want %s", to, newest.Ref)
	}
	w.audit()
}

// payee is our id of the creator's account.
func (w *world) payee() (id string) {
	w.Scan(&id, `SELECT id FROM payees`)
	return id
}
