package payees

import (
	"time"

	"talkoot.fi/payments/internal/provider"
)

// State of an account.
type State string

// The states.
const (
	Making     State = "making" // the provider has not answered yet
	Begun      State = "begun"
	Checking   State = "checking"
	Ready      State = "ready"
	Restricted State = "restricted" // it was ready, and is not any more
	Closed     State = "closed"
)

const (
	// missApart is how far apart answers that an account is not there are counted; the sweep asks about it as often.
	missApart = time.Hour
	// missesToClose is how many of them in a row are believed: a provider that answers wrongly is mended by then.
	missesToClose = 6
)

// miss is what an account becomes by the answer that it is not there, and whether that is believed: when it was answered often enough, hours
// apart, or isGone, because the provider has said of itself that it was disconnected.
func (p Payee) miss(isGone bool, now time.Time) (after Payee, isBelieved bool) {
	if p.MissedAt == nil || now.Sub(*p.MissedAt) >= missApart {
		p.Misses, p.MissedAt = p.Misses+1, &now
	}
	return p, isGone || p.Misses >= missesToClose
}

// next is the whole state machine: what an account becomes by what its provider says. Closed is for good.
func next(was State, seen provider.PayeeState) State {
	switch {
	case was == Closed || seen == provider.PayeeClosed:
		return Closed
	case seen == provider.PayeeReady:
		return Ready
	case was == Ready || was == Restricted:
		return Restricted
	case seen == provider.PayeeChecking:
		return Checking
	}
	return Begun
}
