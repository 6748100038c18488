package ledger

import "slices"

// Kind of a movement.
type Kind string

// The kinds of movements; Rules says what each posts.
const (
	Charge              Kind = "charge"
	ProviderFee         Kind = "provider_fee"
	RefundBegun         Kind = "refund_begun"
	RefundWithdrawn     Kind = "refund_withdrawn"
	Refund              Kind = "refund"
	RefundFailed        Kind = "refund_failed"
	RefundByHand        Kind = "refund_by_hand"
	HeldAccepted        Kind = "held_accepted"
	HeldReturned        Kind = "held_returned"
	DisputeOpened       Kind = "dispute_opened"
	DisputeContested    Kind = "dispute_contested"
	DisputeWon          Kind = "dispute_won"
	DisputeLost         Kind = "dispute_lost"
	DisputeLostReversed Kind = "dispute_lost_reversed"
	DisputeFee          Kind = "dispute_fee"
	DisputeFeeReturned  Kind = "dispute_fee_returned"
	OtherFee            Kind = "other_fee"
	OtherFeeReturned    Kind = "other_fee_returned"
	OurPayout           Kind = "our_payout"
	OurPayoutFailed     Kind = "our_payout_failed"
	TopUp               Kind = "top_up"
	Unexplained         Kind = "unexplained"
	UnexplainedOut      Kind = "unexplained_out"
	Explained           Kind = "explained"
	ExplainedOut        Kind = "explained_out"
)

// Position is how much of a charge's money is on which account, in minor units; positive on the account's normal side.
type Position struct {
	Funds, Disputed, Owed, Held, Hold int64
}

// Given is what a rule works with.
type Given struct {
	Amount   int64    // positive minor units
	Position Position // of the charge, before
	To       Class    // where a charge goes: Funds, Owed or Held; Loss for a refund that was made twice
	Opening  []Leg    // of what is reversed: its own legs; of a dispute: all that it has moved so far, a leg each class
}

// Leg is one side of a posting: debit positive, credit negative.
type Leg struct {
	Class Class
	Minor int64
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
	legs      func(g Given) []Leg
	// Examples are worked: the same figures stand in proto-docs/ledger.md.
	Examples []Example
}

// Example is a rule at work.
type Example struct {
	When  string
	Given Given
	Legs  []Leg
}

// Legs are what the rule posts; they add up to nothing, and those of one class are one.
func (r Rule) Legs(g Given) []Leg {
	var out []Leg
	for _, l := range r.legs(g) {
		i := slices.IndexFunc(out, func(o Leg) bool { return o.Class == l.Class })
		if i < 0 {
			out = append(out, l)
			continue
		}
		out[i].Minor += l.Minor
	}
	return slices.DeleteFunc(out, func(l Leg) bool { return l.Minor == 0 })
}

// move is the usual rule: from the credited to the debited class.
func move(debit, credit Class) func(Given) []Leg {
	return func(g Given) []Leg { return []Leg{{debit, g.Amount}, {credit, -g.Amount}} }
}

// charged books a charge to the account that Given.To names.
func charged(g Given) []Leg { return move(Clearing, g.To)(g) }

// share is a class with what it has left to be taken.
type share struct {
	class Class
	left  int64
}

// takeBack takes a sum from the classes in their order, each as far as it has something left; rest is what none of them
// had.
func takeBack(amount int64, from ...share) (legs []Leg, rest int64) {
	for _, s := range from {
		if n := min(amount, max(s.left, 0)); n > 0 {
			legs, amount = append(legs, Leg{s.class, n}), amount-n
		}
	}
	return legs, amount
}

// disputeContested moves money that came back to the charge (a refund that failed) to the disputed account, while the
// bank has withdrawn more than is booked there.
func disputeContested(g Given) []Leg {
	p := g.Position
	taken, rest := takeBack(g.Amount, share{Funds, p.Funds}, share{Owed, p.Owed}, share{Held, p.Held})
	return append(taken, Leg{Disputed, rest - g.Amount})
}

// disputeOpened puts what the bank withdrew on hold, and moves what is left of the charge to the disputed account: the
// campaign's money first, then what a failed refund still owes, then held money. What had been refunded before is on
// hold only.
func disputeOpened(g Given) []Leg {
	p := g.Position
	taken, rest := takeBack(g.Amount, share{Funds, p.Funds}, share{Owed, p.Owed}, share{Held, p.Held})
	return append(taken, Leg{Hold, g.Amount}, Leg{Clearing, -g.Amount}, Leg{Disputed, rest - g.Amount})
}

// disputeWon returns money to the accounts that disputeOpened took it from, in the opposite order. When the bank
// returns only a part, that part first covers what had been refunded besides: as long as the backer has no more than
// they paid, we have lost nothing. What is more than was on hold reduces an earlier loss.
func disputeWon(g Given) []Leg {
	held := min(g.Amount, g.Position.Hold)
	legs := []Leg{{Clearing, g.Amount}, {Hold, -held}, {Loss, held - g.Amount}}
	var taken []share
	total, bare := int64(0), int64(0)
	for _, l := range g.Opening {
		switch l.Class {
		case Funds, Owed, Held:
			taken, total = append(taken, share{l.Class, l.Minor}), total+l.Minor
		case Hold, Disputed:
			bare += l.Minor
		default:
		}
	}
	back := min(max(g.Amount-bare, 0), total, g.Position.Disputed)
	slices.Reverse(taken)
	gives, _ := takeBack(back, taken...)
	for _, l := range gives {
		legs = append(legs, Leg{l.Class, -l.Minor})
	}
	return append(legs, Leg{Disputed, back})
}

// disputeLost ends the hold: the disputed money stays with the backer. What had been refunded to them before, they now
// have twice; that is our loss.
func disputeLost(g Given) []Leg {
	contested := int64(0)
	for _, l := range g.Opening {
		if l.Class == Disputed {
			contested = -l.Minor
		}
	}
	contested = min(contested, g.Amount, g.Position.Disputed)
	return []Leg{{Disputed, contested}, {Loss, g.Amount - contested}, {Hold, -g.Amount}}
}

func negated(g Given) []Leg {
	out := make([]Leg, len(g.Opening))
	for i, l := range g.Opening {
		out[i] = Leg{l.Class, -l.Minor}
	}
	return out
}

// withdrawn undoes refundBegun: the money is the campaign's again, or, with Opening, goes back to the accounts that its
// promise came from. When only a part is taken back, that is first what was a loss.
func withdrawn(g Given) []Leg {
	if len(g.Opening) == 0 {
		return []Leg{{Owed, g.Amount}, {Funds, -g.Amount}}
	}
	var came [4]share
	for i, class := range []Class{Loss, Disputed, Held, Funds} {
		came[i].class = class
		for _, l := range g.Opening {
			if l.Class == class {
				came[i].left = l.Minor
			}
		}
	}
	back, rest := takeBack(g.Amount, came[:]...)
	legs := []Leg{{Owed, g.Amount - rest}}
	for _, l := range back {
		legs = append(legs, Leg{l.Class, -l.Minor})
	}
	return legs
}

// refundBegun moves money to what we owe to backers. A refund made in the provider's own pages takes what is left of
// the charge, and the rest is our loss; so is all of one that the backer had already been paid another way (To is
// Loss).
func refundBegun(g Given) []Leg {
	if g.To == Loss {
		return []Leg{{Loss, g.Amount}, {Owed, -g.Amount}}
	}
	legs, rest := takeBack(g.Amount, share{Funds, g.Position.Funds}, share{Held, g.Position.Held},
		share{Disputed, g.Position.Disputed})
	return append(legs, Leg{Loss, rest}, Leg{Owed, -g.Amount})
}

// refund is what the provider took from our balance for a backer.
func refund(g Given) []Leg {
	p := g.Position
	legs, rest := takeBack(g.Amount, share{Owed, p.Owed}, share{Funds, p.Funds}, share{Held, p.Held},
		share{Disputed, p.Disputed})
	return append(legs, Leg{Loss, rest}, Leg{Clearing, -g.Amount})
}

// byKind finds a kind's rule.
var byKind = func() map[Kind]Rule {
	out := map[Kind]Rule{}
	for _, r := range Rules() {
		out[r.Kind] = r
	}
	return out
}()
