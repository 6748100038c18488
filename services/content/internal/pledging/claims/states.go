package claims

import "slices"

// State is how far a claim is; constraint claims_state has the same.
type State string

// The states.
const (
	Open          State = "open"           // waits for the creator
	ResendOffered State = "resend_offered" // waits for the backer
	PartOffered   State = "part_offered"   // waits for the backer
	Promised      State = "promised"       // a new parcel is on its way
	WithStaff     State = "with_staff"
	Agreed        State = "agreed"  // money goes back
	Decided       State = "decided" // by staff
	Closed        State = "closed"  // withdrawn, or the backer got what was promised, or all went back another way
)

// IsOver reports whether nobody is waited for.
func (s State) IsOver() bool { return s == Agreed || s == Decided || s == Closed }

// Role is who acts.
type Role string

// The roles; constraint claim_messages_role has the same.
const (
	Backer  Role = "backer"
	Creator Role = "creator" // anybody of the campaign's team
	Staff   Role = "staff"
	Clock   Role = "clock"
)

// Act is a step, or a message, which is none.
type Act string

// The acts.
const (
	Make        Act = "make"
	Message     Act = "message"
	OfferResend Act = "offer_resend"
	OfferPart   Act = "offer_part"
	Refund      Act = "refund"  // all that is left
	Decline     Act = "decline" // with a reason; staff decide then
	Contest     Act = "contest" // the creator says that the new parcel has come
	Accept      Act = "accept"
	Refuse      Act = "refuse"
	Received    Act = "received"
	Object      Act = "object" // to a decision
	Withdraw    Act = "withdraw"
	Decide      Act = "decide"
	Silence     Act = "silence"   // the state's time is over
	Overtaken   Act = "overtaken" // all went back another way
)

// actors says whose each act is. Messages are everybody's.
var actors = map[Act]Role{
	Make: Backer, Accept: Backer, Refuse: Backer, Received: Backer, Object: Backer, Withdraw: Backer,
	OfferResend: Creator, OfferPart: Creator, Refund: Creator, Decline: Creator, Contest: Creator,
	Decide: Staff, Silence: Clock, Overtaken: Clock,
}

// transitions is where each act leads; what is missing is not allowed. A creator may give all back in any state that is not over. Silence
// takes an offer: the money comes, and the backer can claim again.
var transitions = map[State]map[Act]State{
	"": {Make: Open},
	Open: {OfferResend: ResendOffered, OfferPart: PartOffered, Refund: Agreed, Decline: WithStaff, Received: Closed, Withdraw: Closed,
		Silence: WithStaff, Overtaken: Closed},
	ResendOffered: {OfferResend: ResendOffered, OfferPart: PartOffered, Refund: Agreed, Decline: WithStaff, Accept: Promised, Refuse: WithStaff,
		Received: Closed, Withdraw: Closed, Silence: Promised, Overtaken: Closed},
	PartOffered: {OfferResend: ResendOffered, OfferPart: PartOffered, Refund: Agreed, Decline: WithStaff, Accept: Agreed, Refuse: WithStaff,
		Received: Closed, Withdraw: Closed, Silence: Agreed, Overtaken: Closed},
	Promised:  {Refund: Agreed, Contest: WithStaff, Received: Closed, Withdraw: Closed, Silence: Agreed, Overtaken: Closed},
	WithStaff: {Refund: Agreed, Decide: Decided, Received: Closed, Withdraw: Closed, Overtaken: Closed},
	Decided:   {Object: WithStaff},
	Agreed:    {},
	Closed:    {},
}

// next is where an act of somebody leads from a state; false when it is not allowed. A message leaves it where it is.
func next(from State, act Act, role Role) (State, bool) {
	if act == Message {
		return from, role != Clock && from != "" && !from.IsOver()
	}
	to, allowed := transitions[from][act]
	return to, allowed && actors[act] == role
}

// mayOf lists what somebody may do in a state, in the order of the acts' names.
func mayOf(from State, role Role) (may []string) {
	for act := range actors {
		if _, allowed := next(from, act, role); allowed {
			may = append(may, string(act))
		}
	}
	if _, allowed := next(from, Message, role); allowed {
		may = append(may, string(Message))
	}
	slices.Sort(may)
	return may
}
