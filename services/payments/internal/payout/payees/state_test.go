package payees

import (
	"testing"
	"time"

	"talkoot.fi/payments/internal/provider"
)

func TestNext_OfEachStateByWhatTheProviderSays(t *testing.T) {
	t.Parallel()
	says := []provider.PayeeState{provider.PayeeBegun, provider.PayeeChecking, provider.PayeeReady, provider.PayeeClosed}
	for was, becomes := range map[State][4]State{
		Making:     {Begun, Checking, Ready, Closed},
		Begun:      {Begun, Checking, Ready, Closed},
		Checking:   {Begun, Checking, Ready, Closed},
		Ready:      {Restricted, Restricted, Ready, Closed},
		Restricted: {Restricted, Restricted, Ready, Closed},
		Closed:     {Closed, Closed, Closed, Closed},
	} {
		for i, seen := range says {
			if got := next(was, seen); got != becomes[i] {
				t.Errorf("%s, %s: %s, want %s", was, seen, got, becomes[i])
			}
		}
	}
}

func TestMiss_IsBelievedAfterHoursOrByTheProvidersOwnWord(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	before := func(d time.Duration) *time.Time {
		at := now.Add(-d)
		return &at
	}
	for name, tc := range map[string]struct {
		was        Payee
		isGone     bool
		misses     int
		isBelieved bool
	}{
		"the first":                      {Payee{}, false, 1, false},
		"the first, and it was said":     {Payee{}, true, 1, true},
		"again at once":                  {Payee{Misses: 1, MissedAt: before(0)}, false, 1, false},
		"again within the hour":          {Payee{Misses: 1, MissedAt: before(time.Hour - 1)}, false, 1, false},
		"again after an hour":            {Payee{Misses: 1, MissedAt: before(time.Hour)}, false, 2, false},
		"again after a day":              {Payee{Misses: 1, MissedAt: before(24 * time.Hour)}, false, 2, false},
		"the fifth":                      {Payee{Misses: 4, MissedAt: before(time.Hour)}, false, 5, false},
		"the sixth, within the hour":     {Payee{Misses: 5, MissedAt: before(time.Minute)}, false, 5, false},
		"the sixth":                      {Payee{Misses: 5, MissedAt: before(time.Hour)}, false, 6, true},
		"within the hour, and was said":  {Payee{Misses: 2, MissedAt: before(time.Minute)}, true, 2, true},
		"by a host whose clock is ahead": {Payee{Misses: 2, MissedAt: before(-time.Minute)}, false, 2, false},
	} {
		after, isBelieved := tc.was.miss(tc.isGone, now)
		if after.Misses != tc.misses || isBelieved != tc.isBelieved || after.MissedAt == nil {
			t.Errorf("%s: %d misses, believed %t", name, after.Misses, isBelieved)
		}
	}
}
