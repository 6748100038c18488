package payees

import (
	"testing"

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
