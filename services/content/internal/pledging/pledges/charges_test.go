package pledges

import (
	"math/rand/v2"
	"testing"
)

// What becomes of the money of a further charge: the whole rule.
func TestRaiseTakes_OnlyWhatWasAskedForAndStillFits(t *testing.T) {
	fits := raiseFacts{Raise: AwaitingPayment, Pledge: Paid, IsSameSum: true, IsUnchanged: true, IsFunding: true}
	for what, c := range map[string]struct {
		change func(*raiseFacts)
		want   Outcome
	}{
		"it waits":                           {func(*raiseFacts) {}, Applied},
		"not begun as far as we know":        {func(f *raiseFacts) { f.Raise = Created }, Applied},
		"a bank has confirmed it":            {func(f *raiseFacts) { f.Raise = Processing }, Applied},
		"it had lapsed, and still fits":      {func(f *raiseFacts) { f.Raise = Expired }, Applied},
		"its bank had refused":               {func(f *raiseFacts) { f.Raise = Failed }, Applied},
		"taken already":                      {func(f *raiseFacts) { f.Raise = Paid }, Ignored},
		"back already":                       {func(f *raiseFacts) { f.Raise = Refunded }, Ignored},
		"given up":                           {func(f *raiseFacts) { f.IsReleased = true }, PledgeClosed},
		"its pledge was taken back":          {func(f *raiseFacts) { f.Raise, f.Pledge = Withdrawn, Withdrawn }, PledgeClosed},
		"another sum":                        {func(f *raiseFacts) { f.IsSameSum = false }, PledgeClosed},
		"the pledge was changed since":       {func(f *raiseFacts) { f.IsUnchanged = false }, PledgeClosed},
		"a bank contests the pledge":         {func(f *raiseFacts) { f.Pledge = Disputed }, PledgeClosed},
		"a part of the pledge went back":     {func(f *raiseFacts) { f.Pledge = PartlyRefunded }, PledgeClosed},
		"the pledge went back":               {func(f *raiseFacts) { f.Pledge = Refunded }, PledgeClosed},
		"its campaign takes nothing":         {func(f *raiseFacts) { f.IsFunding = false }, PledgeClosed},
		"late, its campaign takes late":      {func(f *raiseFacts) { f.IsFunding, f.TakesLate, f.Raise = false, true, Processing }, Applied},
		"late, and no bank had it in time":   {func(f *raiseFacts) { f.IsFunding, f.TakesLate = false, true }, PledgeClosed},
		"late, and goes back to its backers": {func(f *raiseFacts) { f.IsFunding, f.Raise = false, Processing }, PledgeClosed},
	} {
		f := fits
		c.change(&f)
		if got := f.takes(); got != c.want {
			t.Errorf("%s: %s, want %s", what, got, c.want)
		}
	}
}

// What has become of the money of all charges of a pledge.
func TestSumUp_OverAllCharges(t *testing.T) {
	first := charge{PaidMinor: 100}
	back := func(c charge, all, ofChange int64) charge { c.RefundedMinor, c.ChangedMinor = all, ofChange; return c }
	less := func(c charge, by int64) charge { c.LessMinor = by; return c }
	contested := func(c charge) charge { c.IsContested = true; return c }
	further := charge{PaidMinor: 40}
	for what, c := range map[string]struct {
		charges []charge
		amount  int64
		want    returned
	}{
		"nothing went back":                           {[]charge{first, further}, 140, returned{0, 0, 140}},
		"one that was changed to less":                {[]charge{back(first, 30, 30)}, 70, returned{0, 30, 70}},
		"more, then less, from the newest":            {[]charge{first, back(further, 40, 40)}, 100, returned{0, 40, 100}},
		"more, then less, from both":                  {[]charge{back(first, 10, 10), back(further, 40, 40)}, 90, returned{0, 50, 90}},
		"less, whose difference is on its way":        {[]charge{first, further}, 100, returned{0, 0, 100}},
		"a part went back for another reason":         {[]charge{first, back(further, 15, 0)}, 140, returned{15, 0, 125}},
		"all of one charge":                           {[]charge{back(first, 100, 0), further}, 140, returned{100, 0, 40}},
		"all of both":                                 {[]charge{back(first, 100, 0), back(further, 40, 0)}, 140, returned{140, 0, 0}},
		"all of both after a change to less":          {[]charge{back(first, 100, 0), less(back(further, 40, 40), 40)}, 100, returned{100, 40, 0}},
		"all was back, then less, then more":          {[]charge{less(back(first, 100, 0), 30), further}, 110, returned{70, 30, 40}},
		"a part was back, then less, then more":       {[]charge{less(back(first, 80, 0), 30), further}, 110, returned{70, 10, 40}},
		"the same, and the rest came back":            {[]charge{less(back(first, 100, 20), 30), further}, 110, returned{70, 30, 40}},
		"a part beside the difference, then more":     {[]charge{less(back(first, 60, 0), 30), further}, 110, returned{60, 0, 50}},
		"more, then less, both were back; then more":  {[]charge{back(first, 100, 0), less(back(further, 40, 0), 60), further}, 120, returned{80, 60, 40}},
		"a bank has one":                              {[]charge{first, contested(further)}, 140, returned{0, 0, 100}},
		"a bank has both":                             {[]charge{contested(first), contested(further)}, 140, returned{0, 0, 0}},
		"a bank has one, a part of the other is back": {[]charge{back(first, 25, 0), contested(further)}, 140, returned{25, 0, 75}},
		"another sum than the pledge's was paid":      {[]charge{back(first, 120, 0)}, 100, returned{100, 0, 0}},
	} {
		if got := sumUp(c.charges, c.amount); got != c.want {
			t.Errorf("%s: %+v, want %+v", what, got, c.want)
		}
	}
}

// In the end a pledge has what was paid and did not go back, whatever raises, changes and other refunds there were, and in whatever order.
func TestSumUp_WhatStaysIsWhatDidNotGoBack(t *testing.T) {
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 0))
		charges, amount := []charge{{PaidMinor: 50}}, int64(50)
		for range 1 + r.IntN(7) {
			c := &charges[r.IntN(len(charges))]
			switch minor := 1 + r.Int64N(30); r.IntN(3) {
			case 0:
				charges, amount = append(charges, charge{PaidMinor: minor}), amount+minor
			case 1: // as the payment service gives it, from the newest charge
				minor = min(minor, amount-1)
				charges[len(charges)-1].LessMinor += minor
				amount -= minor
				for i := len(charges) - 1; i >= 0; i-- {
					gives := min(minor, charges[i].PaidMinor-charges[i].RefundedMinor)
					charges[i].RefundedMinor, charges[i].ChangedMinor, minor = charges[i].RefundedMinor+gives, charges[i].ChangedMinor+gives, minor-gives
				}
			case 2:
				c.RefundedMinor += min(minor, c.PaidMinor-c.RefundedMinor)
			}
		}
		var stays int64
		for _, c := range charges {
			stays += c.PaidMinor - c.RefundedMinor
		}
		if got := sumUp(charges, amount); amount-got.refundedMinor != stays || got.uncontestedMinor != stays {
			t.Fatalf("seed %d: %+v of %d: %+v, want %d to stay", seed, charges, amount, got, stays)
		}
	}
}
