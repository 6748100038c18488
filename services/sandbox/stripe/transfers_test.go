package stripe_test

import (
	"slices"
	"testing"

	stripego "github.com/stripe/stripe-go/v76"

	"talkoot.fi/sandbox/stripe"
)

// payable makes a connected account that can be paid.
func (b *fixture) payable() string {
	b.t.Helper()
	a, err := b.api.Accounts.New(&stripego.AccountParams{Type: stripego.String("express"), Country: stripego.String("FI"), BusinessType: stripego.String("individual"),
		Capabilities: &stripego.AccountCapabilitiesParams{CardPayments: &stripego.AccountCapabilitiesCardPaymentsParams{Requested: stripego.Bool(true)},
			Transfers: &stripego.AccountCapabilitiesTransfersParams{Requested: stripego.Bool(true)}}})
	if err != nil {
		b.t.Fatal(err)
	}
	if err := b.sandbox.OnboardAccount(a.ID); err != nil {
		b.t.Fatal(err)
	}
	return a.ID
}

func (b *fixture) tryTransfer(to string, amount int64) (*stripego.Transfer, error) {
	params := &stripego.TransferParams{Amount: &amount, Currency: stripego.String("eur"), Destination: &to, TransferGroup: stripego.String("run_1"),
		Metadata: map[string]string{"try": "1"}}
	return b.api.Transfers.New(params)
}

func (b *fixture) transfer(to string, amount int64) *stripego.Transfer {
	b.t.Helper()
	made, err := b.tryTransfer(to, amount)
	if err != nil {
		b.t.Fatal(err)
	}
	return made
}

// has is what an account has in euros; our own is "".
func (b *fixture) has(account string) (available, pending, reserved int64) {
	b.t.Helper()
	params := &stripego.BalanceParams{}
	if account != "" {
		params.SetStripeAccount(account)
	}
	got, err := b.api.Balance.Get(params)
	if err != nil {
		b.t.Fatal(err)
	}
	sum := func(list []*stripego.Amount) (minor int64) {
		for _, one := range list {
			minor += one.Amount
		}
		return minor
	}
	return sum(got.Available), sum(got.Pending), sum(got.ConnectReserved)
}

func (b *fixture) wantBalance(account string, available, pending, reserved int64) {
	b.t.Helper()
	if a, p, r := b.has(account); a != available || p != pending || r != reserved {
		b.t.Errorf("%q has %d, %d pending, %d reserved; want %d, %d, %d", account, a, p, r, available, pending, reserved)
	}
}

// From our balance to a connected account, to its bank and back: each step moves both balances and has its lines.
func TestTransfer_GoesToTheAccountAndItsBankAndComesBack(t *testing.T) {
	b := start(t, stripe.Options{})
	to := b.payable()
	b.topup(5000)
	tr := b.transfer(to, 3000)
	b.wantBalance("", 2000, 0, 0)
	b.wantBalance(to, 3000, 0, 0)
	if tr.Destination.ID != to || tr.TransferGroup != "run_1" || tr.Metadata["try"] != "1" || tr.DestinationPayment == nil || tr.Reversed {
		t.Errorf("%+v", tr)
	}
	list := b.api.Transfers.List(&stripego.TransferListParams{TransferGroup: stripego.String("run_1"), Destination: &to})
	if !list.Next() || list.Transfer().ID != tr.ID || list.Next() || list.Err() != nil {
		t.Errorf("listed otherwise: %v", list.Err())
	}
	back, err := b.api.TransferReversals.New(&stripego.TransferReversalParams{ID: &tr.ID, Amount: stripego.Int64(1000)})
	if err != nil || back.Amount != 1000 || back.Transfer.ID != tr.ID {
		t.Fatalf("%+v %v", back, err)
	}
	b.wantBalance("", 3000, 0, 0)
	b.wantBalance(to, 2000, 0, 0)
	if _, err := b.api.TransferReversals.New(&stripego.TransferReversalParams{ID: &tr.ID, Amount: stripego.Int64(2001)}); stripeError(t, err).Param != "amount" {
		t.Error(err)
	}
	var types []string
	for _, one := range b.transactions(&stripego.BalanceTransactionListParams{}) {
		types = append(types, string(one.Type)+" "+string(one.ReportingCategory))
	}
	if want := []string{"transfer_refund transfer_reversal", "transfer transfer", "topup topup"}; !slices.Equal(types, want) {
		t.Errorf("our lines are %q", types)
	}
	params := &stripego.PayoutParams{Amount: stripego.Int64(2000), Currency: stripego.String("eur")}
	params.SetStripeAccount(to)
	po, err := b.api.Payouts.New(params)
	if err != nil {
		t.Fatal(err)
	}
	b.wantBalance(to, 0, 0, 0)
	if _, err := b.api.Payouts.Get(po.ID, nil); stripeError(t, err).HTTPStatusCode != 404 {
		t.Error("a payout of an account is ours")
	}
	if _, err := b.api.TransferReversals.New(&stripego.TransferReversalParams{ID: &tr.ID}); stripeError(t, err).Code != stripego.ErrorCodeBalanceInsufficient {
		t.Errorf("more comes back than the account has: %v", err)
	}
	b.control("clock", `{"advance_seconds": 259200}`)
	b.eventually(func() bool {
		params := &stripego.PayoutParams{}
		params.SetStripeAccount(to)
		got, err := b.api.Payouts.Get(po.ID, params)
		return err == nil && got.Status == "paid"
	}, "the payout is paid")
	b.control("payouts/fail", `{"payout":"`+po.ID+`","code":"no_account"}`)
	b.wantBalance(to, 2000, 0, 0)
	lines := &stripego.BalanceTransactionListParams{}
	lines.SetStripeAccount(to)
	types = nil
	for _, one := range b.transactions(lines) {
		types = append(types, string(one.Type))
	}
	if want := []string{"payout_failure", "payout", "payment_refund", "payment"}; !slices.Equal(types, want) {
		t.Errorf("its lines are %q", types)
	}
}

// A transfer is taken back in parts: each is there once per key, is read and listed newest first, belongs to its line, and is told of. What the account
// has not, or the transfer has not left, is refused and moves nothing.
func TestReversal_IsAPartOfItsTransferAndMadeOnce(t *testing.T) {
	b := start(t, stripe.Options{})
	to := b.payable()
	b.topup(5000)
	tr, other := b.transfer(to, 3000), b.transfer(to, 1000)
	reverse := func(key string, amount int64) (*stripego.TransferReversal, error) {
		params := &stripego.TransferReversalParams{ID: &tr.ID, Amount: &amount, Metadata: map[string]string{"key": key}}
		params.SetIdempotencyKey(key)
		return b.api.TransferReversals.New(params)
	}
	first, err := reverse("one", 1000)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := reverse("one", 1000); err != nil || again.ID != first.ID {
		t.Fatalf("the same key made %+v, %v", again, err)
	}
	b.wantBalance(to, 3000, 0, 0)
	if err := b.sandbox.ReverseTransfer(stripe.ReversalOrder{Transfer: tr.ID}); err != nil {
		t.Fatal(err)
	}
	b.wantBalance(to, 1000, 0, 0)
	b.wantBalance("", 4000, 0, 0)
	whole, err := b.api.Transfers.Get(tr.ID, nil)
	if err != nil || !whole.Reversed || whole.AmountReversed != 3000 || len(whole.Reversals.Data) != 2 || whole.Reversals.Data[0].Amount != 2000 {
		t.Errorf("the transfer is %+v, %v", whole, err)
	}
	var listed []string
	params := &stripego.TransferReversalListParams{ID: &tr.ID}
	params.Limit = stripego.Int64(1)
	list := b.api.TransferReversals.List(params)
	for list.Next() {
		listed = append(listed, list.TransferReversal().ID)
	}
	if list.Err() != nil || len(listed) != 2 || listed[1] != first.ID {
		t.Errorf("listed %q, %v", listed, list.Err())
	}
	got, err := b.api.TransferReversals.Get(first.ID, &stripego.TransferReversalParams{ID: &tr.ID})
	if err != nil || got.Amount != 1000 || got.Metadata["key"] != "one" {
		t.Errorf("read %+v, %v", got, err)
	}
	if _, err := b.api.TransferReversals.Get(first.ID, &stripego.TransferReversalParams{ID: &other.ID}); stripeError(t, err).HTTPStatusCode != 404 {
		t.Error("it is read as another transfer's")
	}
	lines := &stripego.BalanceTransactionListParams{Type: stripego.String("transfer_refund")}
	lines.AddExpand("data.source")
	for _, line := range b.transactions(lines) {
		if back := line.Source.TransferReversal; back == nil || back.Transfer.ID != tr.ID || back.Amount != line.Amount {
			t.Errorf("line %s is of %+v", line.ID, line.Source)
		}
	}
	if _, err := reverse("two", 1); stripeError(t, err).Param != "amount" {
		t.Errorf("more than is left: %v", err)
	}
	if err := b.sandbox.MoveAccount(stripe.AccountLine{Account: to, Amount: -1}); err != nil {
		t.Fatal(err)
	}
	if err := b.sandbox.ReverseTransfer(stripe.ReversalOrder{Transfer: other.ID}); err == nil {
		t.Error("more than the account has comes back")
	}
	b.wantBalance(to, 999, 0, 0)
	if told := b.eventsAbout(tr.ID); !slices.Equal(told, []string{"transfer.created", "transfer.reversed", "transfer.reversed"}) {
		t.Errorf("told of %q", told)
	}
}

// A payout to one of the documentation's bank accounts ends as that says.
func TestPayout_OfAnAccount_EndsAsItsIBANSays(t *testing.T) {
	b := start(t, stripe.Options{})
	for iban, want := range map[string]string{"DE89370400440532013000": "", "DE62370400440532013001": "no_account", "DE89370400440532013002": "account_closed"} {
		to := b.payable()
		if err := b.sandbox.BankOfAccount(to, iban); err != nil {
			t.Fatal(err)
		}
		b.topup(1000)
		b.transfer(to, 1000)
		params := &stripego.PayoutParams{Amount: stripego.Int64(1000), Currency: stripego.String("eur")}
		params.SetStripeAccount(to)
		po, err := b.api.Payouts.New(params)
		if err != nil {
			t.Fatal(err)
		}
		b.control("clock", `{"advance_seconds": 259200}`)
		b.eventually(func() bool {
			params := &stripego.PayoutParams{}
			params.SetStripeAccount(to)
			got, err := b.api.Payouts.Get(po.ID, params)
			return err == nil && (got.Status == "paid" || got.Status == "failed") && string(got.FailureCode) == want && (got.Status == "failed") == (want != "")
		}, "the payout to "+iban+" is over")
	}
}

// Who cannot take a transfer gets none, and of an account below zero as much of ours is kept.
func TestTransfer_IsRefusedAsStripeDoes(t *testing.T) {
	b := start(t, stripe.Options{})
	ready, gone, stopped, abroad := b.payable(), b.payable(), b.payable(), b.payable()
	b.topup(5000)
	for _, err := range []error{b.sandbox.DeauthorizeAccount(stripe.AccountChange{Account: gone}), b.sandbox.RestrictAccount(stripe.AccountChange{Account: stopped}),
		b.sandbox.CloseBorder(stripe.AccountChange{Account: abroad}), b.sandbox.MoveAccount(stripe.AccountLine{Account: stopped, Amount: -700})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	b.wantBalance("", 4300, 0, 700)
	b.wantBalance(stopped, -700, 0, 0)
	for to, want := range map[string]stripego.ErrorCode{ready: stripego.ErrorCodeBalanceInsufficient, gone: stripego.ErrorCodeResourceMissing,
		"acct_none": stripego.ErrorCodeResourceMissing, stopped: "insufficient_capabilities_for_transfer", abroad: ""} {
		_, err := b.tryTransfer(to, 4301)
		if e := stripeError(t, err); e.HTTPStatusCode != 400 || e.Code != want {
			t.Errorf("to %s: %v", to, e)
		}
	}
	params := &stripego.TransferParams{Amount: stripego.Int64(1), Currency: stripego.String("eur"), Destination: &ready}
	params.AddExtra("mood", "good")
	if _, err := b.api.Transfers.New(params); stripeError(t, err).Code != stripego.ErrorCodeParameterUnknown {
		t.Error("an unknown parameter is taken")
	}
	balance := &stripego.BalanceParams{}
	balance.SetStripeAccount(gone)
	if _, err := b.api.Balance.Get(balance); stripeError(t, err).Code != stripego.ErrorCodeAccountInvalid {
		t.Error("the balance of a gone account is told")
	}
}
