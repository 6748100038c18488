package settlements

// State of a run. What it waits for, when it does not go on, is its reason, which does not change where it is.
type State string

// The states; constraint settlement_runs_state has the same.
const (
	Counting State = "counting" // a person wants it; its money is not certain yet
	Proposed State = "proposed" // its lines are frozen
	Approved State = "approved" // by as many people as it needs; its lines are being booked
	Booked   State = "booked"   // all are
	Sending  State = "sending"  // to the creator's own account at the provider
	Sent     State = "sent"
	Paying   State = "paying" // to their bank
	Paid     State = "paid"   // as far as is known: a bank may send it back
	Void     State = "void"
)

// Event is what happens to a run.
type Event string

// The events.
const (
	Begun     Event = "begun"      // a person wants it
	Frozen    Event = "frozen"     // its lines are, or have changed and are again
	Agreed    Event = "agreed"     // enough people have approved it
	AllBooked Event = "all_booked" // every line is booked or has left
	Asked     Event = "asked"      // the provider is asked to send it
	Refused   Event = "refused"    // the provider has not
	Arrived   Event = "arrived"    // it is on the creator's own account
	AskedOut  Event = "asked_out"  // the provider is asked to pay it out
	OutFailed Event = "out_failed" // it was not paid out
	PaidOut   Event = "paid_out"
	CameBack  Event = "came_back" // the bank has sent it back
	NoneLeft  Event = "none_left" // all of it has paid the creator's debts, or was taken back
	Voided    Event = "voided"
)

// transitions is the whole state machine: which event leads from a state to which.
//
//nolint:gochecknoglobals // a table
var transitions = map[State]map[Event]State{
	"":       {Begun: Counting},
	Counting: {Frozen: Proposed, Voided: Void},
	Proposed: {Frozen: Proposed, Agreed: Approved, Voided: Void},
	Approved: {Frozen: Proposed, AllBooked: Booked, Voided: Void},
	Booked:   {Asked: Sending, NoneLeft: Paid},
	Sending:  {Arrived: Sent, Refused: Booked},
	Sent:     {AskedOut: Paying, NoneLeft: Paid},
	Paying:   {PaidOut: Paid, OutFailed: Sent},
	Paid:     {CameBack: Sent},
	Void:     {},
}

// Next is the state after an event; false when the event cannot happen then.
func Next(from State, e Event) (State, bool) {
	to, can := transitions[from][e]
	return to, can
}

// Reason is why a run does not go on.
type Reason string

// The reasons.
const (
	PaymentsOpen       Reason = "payments_open"       // a payer can still pay
	PaymentsProcessing Reason = "payments_processing" // a bank has not confirmed a payment yet
	EventsUntold       Reason = "events_untold"       // the content service has not heard of all payments
	CampaignOnHold     Reason = "campaign_on_hold"
	NotOffered         Reason = "not_offered" // creators cannot be paid by this provider yet
	NoAccount          Reason = "no_account"
	AccountNotReady    Reason = "account_not_ready" // detail: its state, or missing
	AccountChanged     Reason = "account_changed"   // it is not the one that was approved
	ApprovalMissing    Reason = "approval_missing"  // who approved it answers for money no more; detail: how many do, of how many
	BankChanged        Reason = "bank_changed"      // since people looked at the run last; detail: which it is now
	MoneyElsewhere     Reason = "money_elsewhere"   // charges are in a place that is not the account's
	MoreThanAccepted   Reason = "more_than_accepted"
	NothingToSettle    Reason = "nothing_to_settle"
	ProviderOff        Reason = "provider_off"
	Need               Reason = "need"            // the creator is to do something; detail: which
	BalanceDiffers     Reason = "balance_differs" // detail: theirs and ours
	BalanceShort       Reason = "balance_short"   // it is not there, or cannot be sent yet
	BelowZero          Reason = "below_zero"      // the creator's own account there is: the provider would keep what is sent
	TaxData            Reason = "tax_data"        // the law has its creator say first who they are
	AnotherIsSent      Reason = "another_is_sent" // something else is on its way to the creator
	TransferRefused    Reason = "transfer_refused"
	PayoutFailed       Reason = "payout_failed"   // detail: the provider's word
	PayoutReturned     Reason = "payout_returned" // detail: the bank's
	AmountDiffers      Reason = "amount_differs"  // the provider has made something else than was asked
	PaidDebts          Reason = "paid_debts"      // all of it has paid what the creator owed us
	TakenBack          Reason = "taken_back"      // what of it was on the creator's account is ours to send again
)
