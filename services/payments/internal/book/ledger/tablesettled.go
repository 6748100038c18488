package ledger

// settledRules are about money that is a creator's. The fee of the examples is 5 %, with 25.5 % of tax in it.
func settledRules() []Rule {
	one := func(r Rule, amount int64, legs ...Leg) Rule {
		r.Examples = []Example{{"", Given{Amount: amount}, legs}}
		return r
	}
	return []Rule{
		{Kind: Settlement, positioned: true, Says: "A charge of a campaign that has ended well is divided: our fee, its tax, " +
			"what is kept back, and what is payable to the creator.", legs: settled,
			Examples: []Example{{"", Given{Amount: 10000, Shares: Shares{Revenue: 398, VAT: 102, Reserve: 500}},
				[]Leg{dr(Funds, 10000), cr(Revenue, 398), cr(VAT, 102), cr(Reserve, 500), cr(Payable, 9000)}}}},
		one(Rule{Kind: DebtOffset, positioned: true, Says: "What a creator owes us of a charge is paid by what is payable to them.",
			legs: move(Payable, Debt)}, 500, dr(Payable, 500), cr(Debt, 500)),
		one(Rule{Kind: ReserveUsed, positioned: true, Says: "The same, by what was kept back.", legs: move(Reserve, Debt)},
			500, dr(Reserve, 500), cr(Debt, 500)),
		one(Rule{Kind: WriteOff, positioned: true, Says: "Two people gave up a creator's debt.",
			legs: func(g Given) []Leg { return []Leg{givenUp(g.Amount), cr(Debt, g.Amount)} }}, 9000, givenUp(9000), cr(Debt, 9000)),
		one(Rule{Kind: ReserveReleased, pooled: true, Says: "What was kept back is needed no longer.", legs: move(Reserve, Payable)},
			500, dr(Reserve, 500), cr(Payable, 500)),
		one(Rule{Kind: Transfer, pooled: true, Says: "Money was sent to the creator's own account at the provider.", legs: transferred},
			9000, dr(Payable, 9000), cr(Clearing, 9000), dr(AtCreator, 9000), cr(CreatorHeld, 9000)),
		one(Rule{Kind: TransferReversed, pooled: true, Forced: true, Says: "And taken back from there: it is payable again, and may pay a debt.",
			legs: func(g Given) []Leg { return reversed(transferred(g)) }},
			2850, dr(Clearing, 2850), cr(Payable, 2850), dr(CreatorHeld, 2850), cr(AtCreator, 2850)),
		one(Rule{Kind: CreatorPayout, pooled: true, Forced: true, Says: "The provider sent a creator's money to their bank.",
			legs: move(CreatorHeld, AtCreator)}, 9000, dr(CreatorHeld, 9000), cr(AtCreator, 9000)),
		one(Rule{Kind: CreatorPayoutReturned, pooled: true, Forced: true, Says: "It did not arrive and is on their account again.",
			legs: move(AtCreator, CreatorHeld)}, 9000, dr(AtCreator, 9000), cr(CreatorHeld, 9000)),
		one(Rule{Kind: CreatorPayoutKept, pooled: true, Forced: true, Says: "What a bank has kept of it for sending it back: its creator, who has named the bank " +
			"account, bears it.", legs: move(CreatorHeld, AtCreator)}, 15, dr(CreatorHeld, 15), cr(AtCreator, 15)),
	}
}
