package payees

import "talkoot.fi/payments/internal/provider"

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
