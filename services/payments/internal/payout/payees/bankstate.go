package payees

import (
	"time"

	"talkoot.fi/payments/internal/provider"
)

// BankState is how far a bank account is; constraint payee_banks_state has the same.
type BankState string

// The states.
const (
	BankAsking   BankState = "asking"  // the provider has not answered yet
	BankPending  BankState = "pending" // its owner has to confirm it
	BankActive   BankState = "active"  // it is the one in use
	BankEnding   BankState = "ending"  // it is in use no more, and the provider is to be told
	BankEnded    BankState = "ended"
	BankCanceled BankState = "canceled" // its owner has not confirmed it
	BankRefused  BankState = "refused"  // the provider does not take it
	BankUnmade   BankState = "unmade"   // it has not reached the provider
)

// BankEvent is what happens to a bank account.
type BankEvent string

// The events. The first four are what the provider says of one that it has.
const (
	SeenPending  BankEvent = BankEvent(provider.BankPending)
	SeenActive   BankEvent = BankEvent(provider.BankActive)
	SeenCanceled BankEvent = BankEvent(provider.BankCanceled)
	SeenEnded    BankEvent = BankEvent(provider.BankEnded)
	SeenNowhere  BankEvent = "nowhere" // the provider has none, and no call can be on its way
	NotTaken     BankEvent = "not_taken"
	Dropped      BankEvent = "dropped" // another one takes its place, or its person wants it no more
)

// bankStates is the whole state machine: which event leads from a state to which; any other changes nothing. One of which we have said that
// it is not there is never paid to, though it turns up later.
//
//nolint:gochecknoglobals // a table
var bankStates = map[BankState]map[BankEvent]BankState{
	BankAsking: {SeenPending: BankPending, SeenActive: BankActive, SeenCanceled: BankCanceled, SeenEnded: BankEnded, SeenNowhere: BankUnmade,
		NotTaken: BankRefused},
	BankPending: {SeenActive: BankActive, SeenCanceled: BankCanceled, SeenEnded: BankEnded, SeenNowhere: BankEnded, Dropped: BankEnding},
	BankActive:  {SeenCanceled: BankEnded, SeenEnded: BankEnded, SeenNowhere: BankEnded, Dropped: BankEnding},
	BankEnding:  {SeenCanceled: BankEnded, SeenEnded: BankEnded, SeenNowhere: BankEnded},
	BankUnmade:  {SeenPending: BankEnding, SeenActive: BankEnding, SeenCanceled: BankCanceled, SeenEnded: BankEnded},
	BankRefused: {SeenPending: BankEnding, SeenActive: BankEnding, SeenCanceled: BankCanceled, SeenEnded: BankEnded},
	BankEnded:   {SeenActive: BankEnding},
}

// nextBank is a bank account's state after an event.
func nextBank(was BankState, e BankEvent) BankState {
	if to, changes := bankStates[was][e]; changes {
		return to
	}
	return was
}

// changedFor is how long nothing is paid out to a bank account that has taken another's place. A thief who has got into a creator's account
// has to wait as long for the money as its owner has to read the mail about it: a weekend and a day.
const changedFor = 3 * 24 * time.Hour

// paysFrom is when payouts to a bank account begin that is in use since a moment: of the first one that a creator has at once, because there is
// none whose money it could take.
func paysFrom(activeAt time.Time, isFirst bool) time.Time {
	if isFirst {
		return activeAt
	}
	return activeAt.Add(changedFor)
}
