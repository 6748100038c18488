package refunds

import (
	"slices"
	"testing"

	"talkoot.fi/payments/internal/book/ledger"
)

// What is owed has a refund that wants it, and a refund is promised no more than it asks for.
func TestAgreed_OfWhatIsOwedByTheRefundsThatWantIt(t *testing.T) {
	t.Parallel()
	row := func(status Status, minor int64, owed bool) Refund {
		r := Refund{ID: string(status), Status: status, Owed: owed}
		r.Amount.Minor = minor
		return r
	}
	for name, tc := range map[string]struct {
		owed, hold int64
		rows       []Refund
		unwanted   int64
		promised   []string
	}{
		"nothing":              {},
		"owed and promised":    {owed: 1900, rows: []Refund{row(Failed, 1900, true)}},
		"on its way":           {owed: 1900, rows: []Refund{row(Pending, 1900, true)}},
		"wanted by none":       {owed: 300, unwanted: 300},
		"its refund has ended": {owed: 300, rows: []Refund{row(Canceled, 1900, false)}, unwanted: 300},
		"it has gone out":      {owed: 300, rows: []Refund{row(Pending, 1900, false), row(Succeeded, 500, false)}, unwanted: 300},
		"wanted by none, while a bank has a part": {owed: 300, hold: 3200, unwanted: 300},
		"more than is promised":                   {owed: 2200, rows: []Refund{row(Failed, 1900, true)}, unwanted: 300},
		"less than a refund wants":                {owed: 1600, rows: []Refund{row(Failed, 1900, false)}, promised: []string{"failed"}},
		"nothing yet of what a refund wants":      {rows: []Refund{row(Creating, 1900, false)}, promised: []string{"creating"}},
		"more than refunds want":                  {owed: 2200, rows: []Refund{row(Failed, 1900, false)}, unwanted: 300, promised: []string{"failed"}},
		"wanted, while a bank has a part":         {owed: 300, hold: 3200, rows: []Refund{row(Failed, 1900, false)}},
		"one promised, one that waits": {owed: 1000, rows: []Refund{row(Failed, 1000, true), row(Creating, 500, false)},
			promised: []string{"creating"}},
		"one promised, one that wants less than is": {owed: 1900, rows: []Refund{row(Failed, 1000, true), row(Creating, 500, false)},
			unwanted: 400, promised: []string{"creating"}},
	} {
		unwanted, promised := agreed(ledger.Position{Owed: tc.owed, Hold: tc.hold}, tc.rows)
		var got []string
		for _, r := range promised {
			got = append(got, r.ID)
		}
		if unwanted != tc.unwanted || !slices.Equal(got, tc.promised) {
			t.Errorf("%s: %d is wanted by none and %v are to be promised, want %d and %v", name, unwanted, got, tc.unwanted, tc.promised)
		}
	}
}
