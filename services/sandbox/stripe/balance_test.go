package stripe_test

import (
	"fmt"
	"slices"
	"testing"

	stripego "github.com/stripe/stripe-go/v76"

	"talkoot.fi/sandbox/stripe"
)

func (b *fixture) transactions(params *stripego.BalanceTransactionListParams) (found []*stripego.BalanceTransaction) {
	b.t.Helper()
	it := b.api.BalanceTransactions.List(params)
	for it.Next() {
		found = append(found, it.BalanceTransaction())
	}
	if it.Err() != nil {
		b.t.Fatal(it.Err())
	}
	return found
}

func TestBalanceTransactions_ExpandToTheWholeSource(t *testing.T) {
	b := start(t, stripe.Options{})
	pi, err := b.intent(func(p *stripego.PaymentIntentParams) {
		p.PaymentMethod, p.Confirm = stripego.String("pm_card_visa"), stripego.Bool(true)
		p.AddMetadata("pledge_id", "9")
	})
	if err != nil {
		t.Fatal(err)
	}
	b.refund(pi, 100)
	b.control("disputes", `{"charge":"`+b.pay("pm_card_visa").LatestCharge.ID+`"}`)
	b.topup(5000)
	b.payout(700)

	params := &stripego.BalanceTransactionListParams{}
	params.AddExpand("data.source")
	params.AddExpand("data.source.payment_intent") // a payout has none, which is no fault
	sources := map[stripego.BalanceTransactionType]*stripego.BalanceTransactionSource{}
	for _, txn := range b.transactions(params) {
		if sources[txn.Type] = txn.Source; txn.Source.ID == "" {
			t.Errorf("%s has no source", txn.Type)
		}
	}
	ch, r, d := sources["charge"].Charge, sources["refund"].Refund, sources["adjustment"].Dispute
	if ch == nil || ch.Metadata["pledge_id"] != "9" || ch.PaymentIntent.ID != pi.ID || ch.PaymentIntent.Amount != 1000 {
		t.Errorf("charge %+v", ch)
	}
	if r == nil || r.Amount != 100 || r.PaymentIntent.Metadata["pledge_id"] != "9" || d == nil || d.Amount != 1000 {
		t.Errorf("refund %+v, dispute %+v", r, d)
	}
	if po, tu := sources["payout"].Payout, sources["topup"].Topup; po == nil || po.Amount != 700 || tu == nil || tu.Amount != 5000 {
		t.Errorf("payout %+v, top-up %+v", po, tu)
	}
	params = &stripego.BalanceTransactionListParams{}
	params.AddExpand("data.colour")
	it := b.api.BalanceTransactions.List(params)
	if it.Next() || stripeError(t, it.Err()).HTTPStatusCode != 400 {
		t.Error("an unknown field expands")
	}
}

func TestBalanceTransactions_AreFiltered(t *testing.T) {
	b := start(t, stripe.Options{})
	first, second := b.pay("pm_card_visa"), b.pay("pm_card_visa")
	b.control("clock", `{"advance_seconds": 604800}`)
	r := b.refund(first, 100)
	automatic, err := b.sandbox.PayOut(stripe.PayoutOrder{})
	if err != nil || !automatic.Automatic || automatic.Amount != 1820 {
		t.Fatalf("%+v %v", automatic, err)
	}
	b.topup(500)
	manual := b.payout(200)
	for name, tc := range map[string]struct {
		params stripego.BalanceTransactionListParams
		want   []string
	}{
		"type":          {stripego.BalanceTransactionListParams{Type: stripego.String("refund")}, []string{r.ID}},
		"source":        {stripego.BalanceTransactionListParams{Source: &second.LatestCharge.ID}, []string{second.LatestCharge.ID}},
		"type of other": {stripego.BalanceTransactionListParams{Source: &second.LatestCharge.ID, Type: stripego.String("refund")}, nil},
		"created": {stripego.BalanceTransactionListParams{CreatedRange: &stripego.RangeQueryParams{LesserThan: r.Created}},
			[]string{first.LatestCharge.ID, second.LatestCharge.ID}},
		"payout": {stripego.BalanceTransactionListParams{Payout: &automatic.ID},
			[]string{first.LatestCharge.ID, second.LatestCharge.ID, r.ID, automatic.ID}},
	} {
		var got []string
		for _, txn := range b.transactions(&tc.params) {
			got = append(got, txn.Source.ID)
		}
		slices.Sort(got)
		slices.Sort(tc.want)
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
	for id, status := range map[string]int{"po_none": 404, manual.ID: 400} {
		it := b.api.BalanceTransactions.List(&stripego.BalanceTransactionListParams{Payout: &id})
		if it.Next() || stripeError(t, it.Err()).HTTPStatusCode != status {
			t.Errorf("payout %s: %v", id, it.Err())
		}
	}
	if next, err := b.sandbox.PayOut(stripe.PayoutOrder{}); err != nil || next.Amount != 300 {
		t.Errorf("the next one takes what is left: %+v %v", next, err)
	}
	if none, err := b.sandbox.PayOut(stripe.PayoutOrder{}); err == nil {
		t.Errorf("nothing is left: %+v", none)
	}
}

func TestSnapshot_AddsUpToTheBalanceAndNamesWhatBelongsTogether(t *testing.T) {
	b := start(t, stripe.Options{})
	pi, err := b.intent(func(p *stripego.PaymentIntentParams) {
		p.PaymentMethod, p.Confirm = stripego.String("pm_card_visa"), stripego.Bool(true)
		p.AddMetadata("pledge_id", "9")
	})
	if err != nil {
		t.Fatal(err)
	}
	r := b.refund(pi, 100)
	tu, po := b.topup(3000), b.payout(2000)
	d, err := b.sandbox.OpenDispute(stripe.DisputeOrder{Charge: pi.LatestCharge.ID})
	if err != nil {
		t.Fatal(err)
	}
	snapshot := b.sandbox.Snapshot()
	if snapshot.Net["eur"] != b.heldInAll() {
		t.Errorf("the snapshot says %d", snapshot.Net["eur"])
	}
	in, ch := snapshot.Intents[0], snapshot.Charges[0]
	if in.ID != pi.ID || in.Status != "succeeded" || in.Metadata["pledge_id"] != "9" || in.AmountReceived != 1000 || in.Created != pi.Created ||
		ch.Intent != pi.ID || ch.AmountRefunded != 100 || ch.Metadata["pledge_id"] != "9" || !ch.Disputed || ch.Dispute != d.ID {
		t.Errorf("%+v %+v", in, ch)
	}
	if re := snapshot.Refunds[0]; re.ID != r.ID || re.Charge != ch.ID || re.Intent != pi.ID || re.FailureBalanceTransaction != "" {
		t.Errorf("%+v", re)
	}
	if got := fmt.Sprint(snapshot.Disputes[0].Charge, snapshot.Payouts[0].ID, snapshot.Topups[0].ID); got != fmt.Sprint(ch.ID, po.ID, tu.ID) {
		t.Error(got)
	}
	var types []string
	for _, txn := range snapshot.BalanceTransactions {
		types = append(types, txn.Type)
	}
	if want := []string{"charge", "refund", "topup", "payout", "adjustment"}; !slices.Equal(types, want) {
		t.Errorf("oldest first: %v", types)
	}
}
