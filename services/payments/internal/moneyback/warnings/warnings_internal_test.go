package warnings

import "testing"

// Where a warning goes from each state, whatever is known of its charge: a dispute counts before a refund, both before
// the provider's word, and that not while a bank only asks.
func TestStatus_FollowsFromItsCharge_AndNeverOpensAgain(t *testing.T) {
	t.Parallel()
	all := []facts{{}, {isOver: true}, {isRefunded: true}, {isRefunded: true, isOver: true}, {isDisputed: true}, {isDisputed: true, isRefunded: true, isOver: true}, {isAsked: true, isOver: true}}
	for from, want := range map[Status][]Status{
		"":        {Open, Lapsed, Refunded, Refunded, Disputed, Disputed, Open},
		Open:      {Open, Lapsed, Refunded, Refunded, Disputed, Disputed, Open},
		Dismissed: {Dismissed, Dismissed, Refunded, Refunded, Disputed, Disputed, Dismissed},
		Lapsed:    {Lapsed, Lapsed, Refunded, Refunded, Disputed, Disputed, Lapsed},
		Refunded:  {Refunded, Refunded, Refunded, Refunded, Disputed, Disputed, Refunded},
		Disputed:  {Disputed, Disputed, Disputed, Disputed, Disputed, Disputed, Disputed},
	} {
		for i, f := range all {
			if got := from.after(f); got != want[i] {
				t.Errorf("%q after %+v is %q, want %q", from, f, got, want[i])
			}
		}
	}
}
