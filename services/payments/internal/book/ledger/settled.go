package ledger

import "talkoot.fi/kit/money"

// The rules of money that is settled: a creator's, with our fee and its tax.

// Shares are the parts of a charge's settlement besides the creator's, in minor units.
type Shares struct {
	Revenue int64 // the platform's fee without its tax
	VAT     int64 // the tax of that fee
	Reserve int64 // the creator's, kept back for what may come later
}

func (s Shares) sum() int64 { return s.Revenue + s.VAT + s.Reserve }

// settled divides the campaign's money of a charge; what nobody else has is payable to the creator.
func settled(g Given) []Leg {
	s := g.Shares
	return []Leg{dr(Funds, g.Amount), cr(Revenue, s.Revenue), cr(VAT, s.VAT), cr(Reserve, s.Reserve),
		cr(Payable, g.Amount-s.sum())}
}

// takeSettled takes a sum of a settled charge back, from the creator, our fee and its tax in proportion to what each
// still has of it. The creator's part is a debt, whatever they have been paid: paying it is a movement of its own. rest
// is what was not settled.
func takeSettled(amount int64, p Position) (legs []Leg, rest int64) {
	n := min(amount, p.Settled())
	if n <= 0 {
		return nil, amount
	}
	parts := split(n, p.Creator, p.Revenue, p.VAT)
	return []Leg{dr(Debt, parts[0]), dr(Revenue, parts[1]), dr(VAT, parts[2])}, amount - n
}

// CreatorsPart is how much of a refund of amount the creator would bear, from what was settled to them: it becomes their debt.
func CreatorsPart(amount int64, p Position) int64 {
	_, rest := takeBack(amount, share{Funds, p.Funds}, share{Held, p.Held}, share{Disputed, p.Disputed})
	legs, _ := takeSettled(rest, p)
	return sum(legs, Debt)
}

// giveSettled gives a sum back that takeSettled took with the legs of opening.
func giveSettled(amount int64, opening []Leg, p Position) (legs []Leg, rest int64) {
	debt, revenue, vat := sum(opening, Debt), sum(opening, Revenue), sum(opening, VAT)
	n := min(amount, debt+revenue+vat)
	if n <= 0 {
		return nil, amount
	}
	parts := split(n, debt, revenue, vat)
	return append(creditCreator(parts[0], p), cr(Revenue, parts[1]), cr(VAT, parts[2])), amount - n
}

// creditCreator lowers what the creator owes us of the charge, then what we have lost by giving it up; only what they have paid of it is
// payable to them again.
func creditCreator(minor int64, p Position) []Leg {
	debt := min(minor, p.Debt)
	lost := min(minor-debt, p.GivenUp)
	return []Leg{cr(Debt, debt), givenUp(-lost), cr(Payable, minor-debt-lost)}
}

// givenUp is a loss by a creator's debt that two people gave up, negative of one that has come back.
func givenUp(minor int64) Leg { return Leg{Class: Loss, Minor: minor, GivenUp: true} }

// split divides n, which is at most their sum, by weights that are not negative and not all nothing.
func split(n int64, weights ...int64) []int64 {
	parts, err := money.Amount{Minor: n}.Split(weights...)
	if err != nil {
		panic(err) // the callers' weights are parts of positions, and these are never negative
	}
	out := make([]int64, len(parts))
	for i, part := range parts {
		out[i] = part.Minor
	}
	return out
}

// transferred sends what is payable to the creator's account at the provider. What is there is theirs: we count it
// apart, as a pair that is always opposite.
func transferred(g Given) []Leg {
	return []Leg{dr(Payable, g.Amount), cr(Clearing, g.Amount), dr(AtCreator, g.Amount), cr(CreatorHeld, g.Amount)}
}

// moved takes money from one place of our balance to another.
func moved(g Given) []Leg {
	return []Leg{dr(Clearing, g.Amount), {Class: Clearing, Minor: -g.Amount, Left: true}}
}
