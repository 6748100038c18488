package reconcile

import (
	"maps"
	"testing"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/provider"
)

// What is no backer's money goes by its type and its way: the other way round it is something else, and what nothing
// explains is booked whole, fee included, for a person. A fee that no object tells goes by its line.
func TestMovements_GoByTypeAndWay(t *testing.T) {
	t.Parallel()
	eur := func(minor int64) money.Amount { return money.New(minor, money.EUR) }
	for name, c := range map[string]struct {
		kind        provider.LineKind
		amount, fee int64
		want        map[movement]money.Amount
	}{
		"payout": {provider.LinePayout, -300, 0,
			map[movement]money.Amount{{ledger.OurPayout, "po_1", ledger.MainPlace}: eur(-300)}},
		"payout with a fee": {provider.LinePayout, -300, 10,
			map[movement]money.Amount{{ledger.OurPayout, "po_1", ledger.MainPlace}: eur(-300), {ledger.OtherFee, "txn_1", ledger.MainPlace}: eur(-10)}},
		"debit of our bank": {provider.LinePayout, 500, 0, map[movement]money.Amount{{ledger.TopUp, "po_1", ledger.MainPlace}: eur(500)}},
		"payout came back": {provider.LinePayoutFailed, 300, 0,
			map[movement]money.Amount{{ledger.OurPayoutFailed, "po_1", ledger.MainPlace}: eur(300)}},
		"and its fee": {provider.LinePayoutFailed, 300, -10,
			map[movement]money.Amount{{ledger.OurPayoutFailed, "po_1", ledger.MainPlace}: eur(300), {ledger.OtherFeeReturned, "txn_1", ledger.MainPlace}: eur(10)}},
		"refund with a fee": {provider.LineRefund, -300, 25, map[movement]money.Amount{{ledger.Refund, "po_1", ledger.MainPlace}: eur(-300),
			{ledger.OtherFee, "txn_1", ledger.MainPlace}: eur(-25)}},
		"charge, fee back": {provider.LineCharge, 300, -25, map[movement]money.Amount{{ledger.Charge, "po_1", ledger.MainPlace}: eur(300),
			{ledger.OtherFeeReturned, "txn_1", ledger.MainPlace}: eur(25)}},
		"charge": {provider.LineCharge, 300, 25, map[movement]money.Amount{{ledger.Charge, "po_1", ledger.MainPlace}: eur(300),
			{ledger.ProviderFee, "po_1", ledger.MainPlace}: eur(-25)}},
		"top-up": {provider.LineTopUp, 700, 0, map[movement]money.Amount{{ledger.TopUp, "po_1", ledger.MainPlace}: eur(700)}},
		"top-up taken back": {provider.LineTopUp, -700, 0,
			map[movement]money.Amount{{ledger.UnexplainedOut, "txn_1", ledger.MainPlace}: eur(-700)}},
		"some fee": {provider.LineOther, 0, 120,
			map[movement]money.Amount{{ledger.UnexplainedOut, "txn_1", ledger.MainPlace}: eur(-120)}},
		"nothing":             {provider.LineOther, 0, 0, map[movement]money.Amount{}},
		"a payout of nothing": {provider.LinePayout, 0, 0, map[movement]money.Amount{}},
	} {
		got := movements(provider.Line{Ref: "txn_1", Source: "po_1", Kind: c.kind, Amount: eur(c.amount), Fee: eur(c.fee)})
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Another system may write payment_id on its charges too; it does not have our ids.
func TestTag_IsOursOnlyWithOurIDs(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{ids.New(): true, "": false, "order-4711": false,
		"payment-of-somebody-else-1": false} {
		if got := (provider.Tag{Payment: id}).IsOurs(); got != want {
			t.Errorf("%q: %t", id, got)
		}
	}
}
