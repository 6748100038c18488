package ledger

import "slices"

// The rules of charges, and of what goes back of them by refund or by a backer's bank.

// charged books a charge to the account that Given.To names.
func charged(g Given) []Leg { return move(Clearing, g.To)(g) }

// refundBegun moves money to what we owe to backers: what is left of the charge, then what was settled of it. The rest
// of a refund made in the provider's own pages is our loss; so is all of one that the backer had already been paid
// another way (To is Loss).
func refundBegun(g Given) []Leg {
	if g.To == Loss {
		return []Leg{dr(Loss, g.Amount), cr(Owed, g.Amount)}
	}
	p := g.Position
	return goesBack(g, Owed, share{Funds, p.Funds}, share{Held, p.Held}, share{Disputed, p.Disputed})
}

// goesBack credits an account with a sum of a charge: from the classes in their order, then from what was settled, and the rest is
// our loss.
func goesBack(g Given, to Class, from ...share) []Leg {
	legs, rest := takeBack(g.Amount, from...)
	settled, rest := takeSettled(rest, g.Position)
	return slices.Concat(legs, settled, []Leg{dr(Loss, rest), cr(to, g.Amount)})
}

// withdrawn undoes refundBegun: the money is the campaign's again, or held, or, with Opening, goes back to the accounts that its
// promise came from. When only a part is taken back, that is first what was a loss.
func withdrawn(g Given) []Leg {
	if len(g.Opening) == 0 {
		to := Funds
		if g.To == Held {
			to = Held
		}
		return []Leg{dr(Owed, g.Amount), cr(to, g.Amount)}
	}
	lost, rest := takeBack(g.Amount, share{Loss, sum(g.Opening, Loss)})
	settled, rest := giveSettled(rest, g.Opening, g.Position)
	others, rest := takeBack(rest, share{Disputed, sum(g.Opening, Disputed)},
		share{Held, sum(g.Opening, Held)}, share{Funds, sum(g.Opening, Funds)})
	return slices.Concat([]Leg{dr(Owed, g.Amount-rest)}, reversed(lost), settled, reversed(others))
}

// refund is what the provider took from our balance for a backer.
func refund(g Given) []Leg {
	p := g.Position
	return goesBack(g, Clearing, share{Owed, p.Owed}, share{Funds, p.Funds}, share{Held, p.Held}, share{Disputed, p.Disputed})
}

// debitReturned is a charge that the backer's bank took back for good, without a dispute.
func debitReturned(g Given) []Leg {
	p := g.Position
	return goesBack(g, Clearing, share{Funds, p.Funds}, share{Owed, p.Owed}, share{Held, p.Held}, share{Disputed, p.Disputed})
}

// contested moves what is left of the charge to the disputed account: the campaign's money first, then what a failed
// refund still owes, then held money.
func contested(g Given) []Leg {
	p := g.Position
	taken, rest := takeBack(g.Amount, share{Funds, p.Funds}, share{Owed, p.Owed}, share{Held, p.Held})
	return append(taken, cr(Disputed, g.Amount-rest))
}

// disputeOpened puts what the bank withdrew on hold, and contests what is left of the charge. What had been refunded or
// settled before is on hold only.
func disputeOpened(g Given) []Leg {
	return append(contested(g), dr(Hold, g.Amount), cr(Clearing, g.Amount))
}

// disputeWon returns money to the accounts that disputeOpened took it from, in the opposite order. When the bank
// returns only a part, that part first covers what had been refunded besides: as long as the backer has no more than
// they paid, we have lost nothing. What is more than was on hold reduces an earlier loss.
func disputeWon(g Given) []Leg {
	held := min(g.Amount, g.Position.Hold)
	legs := []Leg{dr(Clearing, g.Amount), cr(Hold, held), cr(Loss, g.Amount-held)}
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
	return slices.Concat(legs, reversed(gives), []Leg{dr(Disputed, back)})
}

// disputeLost ends the hold: the disputed money stays with the backer, and what was settled is taken back. What had been
// refunded to them before, they now have twice; that is our loss.
func disputeLost(g Given) []Leg {
	fromDispute := min(-sum(g.Opening, Disputed), g.Amount, g.Position.Disputed)
	settled, rest := takeSettled(g.Amount-fromDispute, g.Position)
	return append(settled, dr(Disputed, fromDispute), dr(Loss, rest), cr(Hold, g.Amount))
}

// disputeLostReversed takes disputeLost back. What the creator has paid of their debt meanwhile is theirs again, what was given up of it ours.
func disputeLostReversed(g Given) []Leg {
	var others []Leg
	for _, l := range g.Opening {
		if l.Class != Debt {
			others = append(others, l)
		}
	}
	return append(reversed(others), creditCreator(sum(g.Opening, Debt), g.Position)...)
}
