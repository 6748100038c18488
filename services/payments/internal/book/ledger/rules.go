package ledger

// Kind of a movement.
type Kind string

// The kinds of movements; Rules says what each posts.
const (
	Charge                Kind = "charge"
	ProviderFee           Kind = "provider_fee"
	RefundBegun           Kind = "refund_begun"
	RefundWithdrawn       Kind = "refund_withdrawn"
	Refund                Kind = "refund"
	RefundFailed          Kind = "refund_failed"
	RefundByHand          Kind = "refund_by_hand"
	HeldAccepted          Kind = "held_accepted"
	HeldReturned          Kind = "held_returned"
	DisputeOpened         Kind = "dispute_opened"
	DisputeContested      Kind = "dispute_contested"
	DisputeWon            Kind = "dispute_won"
	DisputeLost           Kind = "dispute_lost"
	DisputeLostReversed   Kind = "dispute_lost_reversed"
	DebitReturned         Kind = "debit_returned"
	DisputeFee            Kind = "dispute_fee"
	DisputeFeeReturned    Kind = "dispute_fee_returned"
	OtherFee              Kind = "other_fee"
	OtherFeeReturned      Kind = "other_fee_returned"
	Settlement            Kind = "settlement"
	DebtOffset            Kind = "debt_offset"
	ReserveUsed           Kind = "reserve_used"
	ReserveReleased       Kind = "reserve_released"
	WriteOff              Kind = "write_off"
	Transfer              Kind = "transfer"
	TransferReversed      Kind = "transfer_reversed"
	CreatorPayout         Kind = "creator_payout"
	CreatorPayoutReturned Kind = "creator_payout_returned"
	CreatorPayoutKept     Kind = "creator_payout_kept"

	OurPayout       Kind = "our_payout"
	OurPayoutFailed Kind = "our_payout_failed"
	TopUp           Kind = "top_up"
	PlaceMove       Kind = "place_move"
	ProviderInvoice Kind = "provider_invoice"
	ProviderCredit  Kind = "provider_credit"
	Unexplained     Kind = "unexplained"
	UnexplainedOut  Kind = "unexplained_out"
	Explained       Kind = "explained"
	ExplainedOut    Kind = "explained_out"
)

// Position is how much of a charge's money is on which account, in minor units; positive on the account's normal side.
type Position struct {
	Funds, Disputed, Owed, Held, Hold int64
	// What was settled and has not gone back since: the creator's part (payable and reserved, less their debt, also what was given up of
	// that), our fee and its tax.
	Creator, Revenue, VAT int64
	// Debt is what the creator still owes us of it.
	Debt int64
	// GivenUp is what they owed us of it and two people gave up.
	GivenUp int64
}

// Settled is what was settled of the charge and has not gone back since.
func (p Position) Settled() int64 { return p.Creator + p.Revenue + p.VAT }

// Given is what a rule works with.
type Given struct {
	Amount   int64    // positive minor units
	Position Position // of the charge, before
	To       Class    // where a charge, or what is wanted no more, goes: Funds, Owed or Held; Loss for a refund that was made twice; Suspense for an invoice that was deducted
	Shares   Shares   // of a settlement; of an invoice its tax
	Opening  []Leg    // of what is reversed: its own legs; of a dispute: all that it has moved so far, a leg each class
}

// Rule is what a kind of movement posts.
type Rule struct {
	Kind Kind
	Says string
	// Forced movements were made by the provider or a bank and are booked even when they overdraw an account.
	Forced bool
	// positioned rules look at where the charge's money stands.
	positioned bool
	// ofDispute rules look at what their dispute has moved so far.
	ofDispute bool
	// pooled movements are of many charges' money, and name none.
	pooled bool
	legs   func(g Given) []Leg
	// Examples are worked: the same figures stand in proto-docs/ledger.md.
	Examples []Example
}

// Example is a rule at work.
type Example struct {
	When  string
	Given Given
	Legs  []Leg
}

// byKind finds a kind's rule.
var byKind = func() map[Kind]Rule {
	out := map[Kind]Rule{}
	for _, r := range Rules() {
		out[r.Kind] = r
	}
	return out
}()
