package stripe_test

import (
	"slices"
	"testing"

	stripego "github.com/stripe/stripe-go/v76"

	"talkoot.fi/sandbox/stripe"
)

func (b *fixture) topup(amount int64) *stripego.Topup {
	b.t.Helper()
	tu, err := b.api.Topups.New(&stripego.TopupParams{Amount: &amount, Currency: stripego.String("eur"), Description: stripego.String("Topping up")})
	if err != nil || tu.Status != "succeeded" {
		b.t.Fatalf("%+v %v", tu, err)
	}
	return tu
}

func (b *fixture) tryPayout(amount int64) (*stripego.Payout, error) {
	return b.api.Payouts.New(&stripego.PayoutParams{Amount: &amount, Currency: stripego.String("eur"), Metadata: map[string]string{"run": "3"}})
}

func (b *fixture) payout(amount int64) *stripego.Payout {
	b.t.Helper()
	po, err := b.tryPayout(amount)
	if err != nil {
		b.t.Fatal(err)
	}
	return po
}

func (b *fixture) payoutIs(id string, status stripego.PayoutStatus) *stripego.Payout {
	b.t.Helper()
	var po *stripego.Payout
	b.eventually(func() (ok bool) {
		var err error
		po, err = b.api.Payouts.Get(id, nil)
		return err == nil && po.Status == status
	}, "the payout is "+string(status))
	return po
}

func TestPayout_TakesTheMoneyAtOnceAndArrivesDaysLater(t *testing.T) {
	b := start(t, stripe.Options{})
	b.topup(5000)
	po := b.payout(2000)
	if po.Status != "pending" || po.Automatic || po.Type != "bank_account" || po.Metadata["run"] != "3" || po.Destination.ID == "" ||
		po.ArrivalDate <= po.Created || po.ArrivalDate > po.Created+2*86400 {
		t.Fatalf("%+v", po)
	}
	txn, err := b.api.BalanceTransactions.Get(po.BalanceTransaction.ID, nil)
	if err != nil || txn.Type != "payout" || txn.ReportingCategory != "payout" || txn.Amount != -2000 || txn.Fee != 0 || txn.Source.ID != po.ID {
		t.Errorf("%+v %v", txn, err)
	}
	if held := b.heldInAll(); held != 3000 {
		t.Errorf("the balance is %d", held)
	}
	b.control("clock", `{"advance_seconds": 43200}`)
	b.payoutIs(po.ID, "in_transit")
	b.control("clock", `{"advance_seconds": 129600}`)
	b.payoutIs(po.ID, "paid")
	if got, want := b.eventsAbout(po.ID), []string{"payout.created", "payout.paid", "payout.updated"}; !slices.Equal(got, want) {
		t.Errorf("events %v", got)
	}
}

func TestPayout_NeedsMoneyThatIsAvailable(t *testing.T) {
	b := start(t, stripe.Options{})
	b.pay("pm_card_visa") // 960, in seven days
	_, err := b.tryPayout(960)
	if e := stripeError(t, err); e.HTTPStatusCode != 400 || e.Code != stripego.ErrorCodeBalanceInsufficient || e.Type != stripego.ErrorTypeInvalidRequest {
		t.Errorf("%v", e)
	}
	b.control("clock", `{"advance_seconds": 604800}`)
	_, err = b.tryPayout(961)
	if e := stripeError(t, err); e.Code != stripego.ErrorCodeBalanceInsufficient {
		t.Errorf("%v", e)
	}
	b.payout(960)
	if held := b.heldInAll(); held != 0 {
		t.Errorf("the balance is %d", held)
	}
}

func TestPayout_IsCanceledWhilePendingOnly(t *testing.T) {
	b := start(t, stripe.Options{})
	b.topup(5000)
	po, late := b.payout(2000), b.payout(1000)
	params := &stripego.PayoutParams{}
	params.AddExpand("failure_balance_transaction")
	got, err := b.api.Payouts.Cancel(po.ID, params)
	if err != nil || got.Status != "canceled" || got.FailureBalanceTransaction.Type != "payout_cancel" || got.FailureBalanceTransaction.Amount != 2000 {
		t.Fatalf("%+v %v", got, err)
	}
	b.control("clock", `{"advance_seconds": 43200}`)
	b.payoutIs(late.ID, "in_transit")
	for _, id := range []string{po.ID, late.ID} {
		_, err := b.api.Payouts.Cancel(id, nil)
		if e := stripeError(t, err); e.HTTPStatusCode != 400 {
			t.Error(e)
		}
	}
	if held := b.heldInAll(); held != 4000 {
		t.Errorf("the balance is %d", held)
	}
	b.control("clock", `{"advance_seconds": 604800}`)
	b.payoutIs(late.ID, "paid")
	b.payoutIs(po.ID, "canceled")
}

func TestPayout_FailsAlsoAfterItWasPaid(t *testing.T) {
	b := start(t, stripe.Options{})
	b.topup(5000)
	paid := b.payout(2000)
	b.control("clock", `{"advance_seconds": 172800}`)
	b.payoutIs(paid.ID, "paid")
	pending := b.payout(1000)
	for _, po := range []*stripego.Payout{paid, pending} {
		b.control("payouts/fail", `{"payout":"`+po.ID+`","code":"no_account"}`)
		got := b.payoutIs(po.ID, "failed")
		txn, err := b.api.BalanceTransactions.Get(got.FailureBalanceTransaction.ID, nil)
		if err != nil || got.FailureCode != "no_account" || got.FailureMessage == "" || txn.Type != "payout_failure" ||
			txn.ReportingCategory != "payout_reversal" || txn.Amount != po.Amount || txn.Source.ID != po.ID {
			t.Errorf("%+v %+v %v", got, txn, err)
		}
		if types := b.eventsAbout(po.ID); !slices.Contains(types, "payout.failed") {
			t.Errorf("events %v", types)
		}
	}
	if held := b.heldInAll(); held != 5000 {
		t.Errorf("the balance is %d", held)
	}
	for name, in := range map[string]stripe.PayoutFailure{
		"twice": {Payout: paid.ID}, "unknown": {Payout: "po_none"}, "unknown code": {Payout: paid.ID, Code: "mood"},
	} {
		if _, err := b.sandbox.FailPayout(in); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func TestPayouts_AreFilteredByStatusArrivalAndCreation(t *testing.T) {
	b := start(t, stripe.Options{})
	b.topup(5000)
	old := b.payout(100)
	b.control("clock", `{"advance_seconds": 864000}`)
	b.payoutIs(old.ID, "paid")
	fresh := b.payout(200)
	for name, tc := range map[string]struct {
		params stripego.PayoutListParams
		want   string
	}{
		"paid":     {stripego.PayoutListParams{Status: stripego.String("paid")}, old.ID},
		"pending":  {stripego.PayoutListParams{Status: stripego.String("pending")}, fresh.ID},
		"arrival":  {stripego.PayoutListParams{ArrivalDate: &old.ArrivalDate}, old.ID},
		"arriving": {stripego.PayoutListParams{ArrivalDateRange: &stripego.RangeQueryParams{GreaterThan: old.ArrivalDate}}, fresh.ID},
		"created":  {stripego.PayoutListParams{CreatedRange: &stripego.RangeQueryParams{GreaterThanOrEqual: fresh.Created}}, fresh.ID},
	} {
		it := b.api.Payouts.List(&tc.params)
		if !it.Next() || it.Payout().ID != tc.want || it.Next() || it.Err() != nil {
			t.Errorf("%s: %v", name, it.Err())
		}
	}
}

func TestPayouts_RefuseParametersThatTheAccountDoesNotSupport(t *testing.T) {
	b := start(t, stripe.Options{})
	b.topup(5000)
	for name, change := range map[string]func(*stripego.PayoutParams){
		"currency":    func(p *stripego.PayoutParams) { p.Currency = stripego.String("xyz") },
		"amount":      func(p *stripego.PayoutParams) { p.Amount = stripego.Int64(0) },
		"method":      func(p *stripego.PayoutParams) { p.Method = stripego.String("instant") },
		"source_type": func(p *stripego.PayoutParams) { p.SourceType = stripego.String("fpx") },
		"destination": func(p *stripego.PayoutParams) { p.Destination = stripego.String("ba_other") },
	} {
		params := &stripego.PayoutParams{Amount: stripego.Int64(100), Currency: stripego.String("eur")}
		change(params)
		_, err := b.api.Payouts.New(params)
		if e := stripeError(t, err); e.Param != name {
			t.Errorf("%s: %v", name, e)
		}
	}
}

func TestTopup_IsOnTheBalanceAtOnce(t *testing.T) {
	b := start(t, stripe.Options{})
	tu := b.topup(5000)
	txn, err := b.api.BalanceTransactions.Get(tu.BalanceTransaction.ID, nil)
	if err != nil || txn.Type != "topup" || txn.ReportingCategory != "topup" || txn.Amount != 5000 || txn.Status != "available" || txn.Source.ID != tu.ID {
		t.Errorf("%+v %v", txn, err)
	}
	it := b.api.Topups.List(&stripego.TopupListParams{AmountRange: &stripego.RangeQueryParams{GreaterThan: 4999}})
	if !it.Next() || it.Topup().ID != tu.ID || it.Next() || it.Err() != nil {
		t.Error(it.Err())
	}
	if got, want := b.eventsAbout(tu.ID), []string{"topup.created", "topup.succeeded"}; !slices.Equal(got, want) {
		t.Errorf("events %v", got)
	}
}

func TestPayout_ArrivesBeforeItsDayWhenItIsTold(t *testing.T) {
	b := start(t, stripe.Options{})
	paid := b.pay("pm_card_bypassPending")
	held, err := b.api.Balance.Get(nil)
	if err != nil || held.Pending[0].Amount != 0 || held.Available[0].Amount != paid.Amount-40 {
		t.Fatalf("the balance is %+v, %v", held, err)
	}
	po := b.payout(500)
	b.control("payouts/settle", `{"payout":"`+po.ID+`"}`)
	b.payoutIs(po.ID, "paid")
	b.control("clock", `{"advance_seconds": 604800}`)
	if types := slices.Sorted(slices.Values(b.eventsAbout(po.ID))); !slices.Equal(types, []string{"payout.created", "payout.paid", "payout.updated"}) {
		t.Errorf("events %v", types)
	}
	for _, id := range []string{po.ID, "po_none"} {
		if _, err := b.sandbox.SettlePayout(stripe.PayoutArrival{Payout: id}); err == nil {
			t.Errorf("%s arrives again", id)
		}
	}
}
