package audit

import "testing"

// A debt that was given up comes back in parts when its dispute is won on appeal: the campaign's funds are what they were before it was lost.
func TestBalances_OfADebtThatWasGivenUpAndIsWonOnAppeal(t *testing.T) {
	p := posting{}
	for _, m := range []movement{
		{kind: "charge", legs: []leg{{funds, funds, -7600}, {clearing, clearing, 7600}}},
		{kind: "settlement", legs: []leg{{funds, funds, 7600}, {payable, payable, -6840}, {revenue, revenue, -302}, {reserve, reserve, -380}, {vat, vat, -78}}},
		{kind: "dispute_opened", legs: []leg{{hold, hold, 7600}, {clearing, clearing, -7600}}},
		{kind: "dispute_lost", legs: []leg{{debt, debt, 7220}, {hold, hold, -7600}, {revenue, revenue, 302}, {vat, vat, 78}}},
	} {
		p.add(m)
	}
	if got := p.campaigns(); got != 0 {
		t.Errorf("when it is lost %d are left", got)
	}
	p.add(movement{kind: "write_off", legs: []leg{{debt, debt, -2451}, {"loss", givenUp, 2451}}})
	if got := p.campaigns(); got != 0 {
		t.Errorf("when it is given up %d are left", got)
	}
	p.add(movement{kind: "dispute_lost_reversed", legs: []leg{{debt, debt, -4769}, {"loss", givenUp, -2451}, {hold, hold, 7600}, {revenue, revenue, -302}, {vat, vat, -78}}})
	if got := p.campaigns(); got != 7600 {
		t.Errorf("when it is won %d are left", got)
	}
}
