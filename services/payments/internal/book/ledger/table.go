package ledger

import "slices"

// Rules is the table of all kinds of movements. Sums of the examples are cents.
func Rules() []Rule { return slices.Concat(chargeRules(), settledRules(), balanceRules()) }

// chargeRules are about backers' money, as it comes and goes back.
func chargeRules() []Rule {
	paid, back := Position{Funds: 10000}, Position{}
	opened := []Leg{dr(Hold, 10000), cr(Clearing, 10000), dr(Funds, 10000), cr(Disputed, 10000)}
	bare := []Leg{dr(Hold, 10000), cr(Clearing, 10000)}
	sent := Position{Creator: 9500, Revenue: 398, VAT: 102}
	return []Rule{
		{Kind: Charge, Forced: true, Says: "The provider took a backer's money: for the campaign, or as a second payment " +
			"that is owed back at once, or as money that fits nothing and is held.",
			legs: charged,
			Examples: []Example{
				{"it counts", Given{Amount: 10000, To: Funds}, []Leg{dr(Clearing, 10000), cr(Funds, 10000)}},
				{"a second payment", Given{Amount: 2500, To: Owed}, []Leg{dr(Clearing, 2500), cr(Owed, 2500)}},
				{"it does not fit", Given{Amount: 2500, To: Held}, []Leg{dr(Clearing, 2500), cr(Held, 2500)}},
			}},
		{Kind: ProviderFee, Forced: true, Says: "What the provider keeps of a charge; the platform bears it.",
			legs:     move(Fees, Clearing),
			Examples: []Example{{"", Given{Amount: 175}, []Leg{dr(Fees, 175), cr(Clearing, 175)}}}},
		{Kind: RefundBegun, positioned: true, Says: "Money is promised back. One that was made in the provider's own pages " +
			"is forced.", legs: refundBegun,
			Examples: []Example{
				{"", Given{Amount: 3000, Position: paid}, []Leg{dr(Funds, 3000), cr(Owed, 3000)}},
				{"made elsewhere, more than is left", Given{Amount: 3000, Position: Position{Funds: 1000}},
					[]Leg{dr(Funds, 1000), dr(Loss, 2000), cr(Owed, 3000)}},
				{"after the settlement: each gives its part", Given{Amount: 3000, Position: sent},
					[]Leg{dr(Debt, 2850), dr(Revenue, 119), dr(VAT, 31), cr(Owed, 3000)}},
				{"made twice: the backer had it another way", Given{Amount: 3000, Position: paid, To: Loss},
					[]Leg{dr(Loss, 3000), cr(Owed, 3000)}},
			}},
		{Kind: RefundWithdrawn, positioned: true, Says: "A refund is taken back: a dispute has come first, or it was made in the provider's " +
			"own pages and has failed. " +
			"Then all goes where its promise came from; or, if the backer had been told of it, only what was a loss. That is " +
			"taken back too when a bank returns the money which pays for it. What no refund wants any more, because a bank gave the " +
			"backer more, is the campaign's again, or held for a person.",
			legs: withdrawn,
			Examples: []Example{
				{"", Given{Amount: 3000}, []Leg{dr(Owed, 3000), cr(Funds, 3000)}},
				{"wanted by none, of a charge that does not count", Given{Amount: 300, To: Held}, []Leg{dr(Owed, 300), cr(Held, 300)}},
				{"made elsewhere, more than was left", Given{Amount: 3000,
					Opening: []Leg{dr(Funds, 1000), dr(Loss, 2000), cr(Owed, 3000)}},
					[]Leg{dr(Owed, 3000), cr(Funds, 1000), cr(Loss, 2000)}},
				{"the same, and the backer had been told: 1000 stay owed",
					Given{Amount: 2000, Opening: []Leg{dr(Funds, 1000), dr(Loss, 2000), cr(Owed, 3000)}},
					[]Leg{dr(Owed, 2000), cr(Loss, 2000)}},
				{"after the settlement, and the creator has paid 2000 of their debt meanwhile",
					Given{Amount: 3000, Position: Position{Creator: 6650, Revenue: 279, VAT: 71, Debt: 850},
						Opening: []Leg{dr(Debt, 2850), dr(Revenue, 119), dr(VAT, 31), cr(Owed, 3000)}},
					[]Leg{dr(Owed, 3000), cr(Debt, 850), cr(Payable, 2000), cr(Revenue, 119), cr(VAT, 31)}},
				{"the same, and the rest of it was given up: that was our loss",
					Given{Amount: 3000, Position: Position{Creator: 6650, Revenue: 279, VAT: 71, GivenUp: 850},
						Opening: []Leg{dr(Debt, 2850), dr(Revenue, 119), dr(VAT, 31), cr(Owed, 3000)}},
					[]Leg{dr(Owed, 3000), givenUp(-850), cr(Payable, 2000), cr(Revenue, 119), cr(VAT, 31)}},
			}},
		{Kind: Refund, positioned: true, Forced: true, Says: "The provider took a refund from our balance.", legs: refund,
			Examples: []Example{
				{"", Given{Amount: 3000, Position: Position{Funds: 7000, Owed: 3000}}, []Leg{dr(Owed, 3000), cr(Clearing, 3000)}},
				{"nothing was owed any more", Given{Amount: 3000, Position: back}, []Leg{dr(Loss, 3000), cr(Clearing, 3000)}},
			}},
		{Kind: RefundFailed, Forced: true, Says: "A refund did not reach the backer and came back to us: it is owed still. " +
			"What of it was a loss is withdrawn next.", legs: move(Clearing, Owed),
			Examples: []Example{{"", Given{Amount: 3000}, []Leg{dr(Clearing, 3000), cr(Owed, 3000)}}}},
		{Kind: RefundByHand, Says: "A person sent a failed refund from our bank account.", legs: move(Owed, Bank),
			Examples: []Example{{"", Given{Amount: 3000}, []Leg{dr(Owed, 3000), cr(Bank, 3000)}}}},
		{Kind: HeldAccepted, Says: "A person found that held money is the payment's after all.", legs: move(Held, Funds),
			Examples: []Example{{"", Given{Amount: 2500}, []Leg{dr(Held, 2500), cr(Funds, 2500)}}}},
		{Kind: HeldReturned, Says: "A person has held money sent back; a refund follows.", legs: move(Held, Owed),
			Examples: []Example{{"", Given{Amount: 2500}, []Leg{dr(Held, 2500), cr(Owed, 2500)}}}},
		{Kind: DisputeOpened, positioned: true, Forced: true, Says: "A bank took money back, until it decides.",
			legs: disputeOpened,
			Examples: []Example{
				{"", Given{Amount: 10000, Position: paid}, opened},
				{"refunded before", Given{Amount: 10000, Position: back}, bare},
				{"a refund had failed", Given{Amount: 10000, Position: Position{Funds: 7000, Owed: 3000}},
					[]Leg{dr(Hold, 10000), cr(Clearing, 10000), dr(Funds, 7000), dr(Owed, 3000), cr(Disputed, 10000)}},
			}},
		{Kind: DisputeContested, positioned: true, Forced: true,
			Says: "Money came back to the charge, by a failed refund, while its bank has it: the bank has contested that " +
				"too.",
			legs: contested,
			Examples: []Example{{"", Given{Amount: 3000, Position: Position{Owed: 3000, Disputed: 7000, Hold: 10000}},
				[]Leg{dr(Owed, 3000), cr(Disputed, 3000)}}}},
		{Kind: DisputeWon, positioned: true, ofDispute: true, Forced: true, Says: "The bank gave it back.", legs: disputeWon,
			Examples: []Example{
				{"", Given{Amount: 10000, Position: Position{Disputed: 10000, Hold: 10000}, Opening: opened},
					[]Leg{dr(Clearing, 10000), cr(Hold, 10000), dr(Disputed, 10000), cr(Funds, 10000)}},
				{"refunded before", Given{Amount: 10000, Position: Position{Hold: 10000}, Opening: bare},
					[]Leg{dr(Clearing, 10000), cr(Hold, 10000)}},
				{"a part of it, and 3000 were refunded before", Given{Amount: 4000, Position: Position{Disputed: 7000, Hold: 10000},
					Opening: []Leg{dr(Hold, 10000), cr(Clearing, 10000), dr(Funds, 7000), cr(Disputed, 7000)}},
					[]Leg{dr(Clearing, 4000), cr(Hold, 4000), dr(Disputed, 1000), cr(Funds, 1000)}},
			}},
		{Kind: DisputeLost, positioned: true, ofDispute: true, Forced: true,
			Says: "The bank keeps it: the backer has it from there.", legs: disputeLost,
			Examples: []Example{
				{"", Given{Amount: 10000, Position: Position{Disputed: 10000, Hold: 10000}, Opening: opened},
					[]Leg{dr(Disputed, 10000), cr(Hold, 10000)}},
				{"after the settlement", Given{Amount: 10000, Position: Position{Creator: 9500, Revenue: 398, VAT: 102, Hold: 10000},
					Opening: bare}, []Leg{dr(Debt, 9500), dr(Revenue, 398), dr(VAT, 102), cr(Hold, 10000)}},
				{"refunded before: the backer has it twice", Given{Amount: 10000, Position: Position{Hold: 10000}, Opening: bare},
					[]Leg{dr(Loss, 10000), cr(Hold, 10000)}},
			}},
		{Kind: DebitReturned, positioned: true, Forced: true, Says: "A backer's bank took a direct debit back for good.",
			legs: debitReturned,
			Examples: []Example{
				{"", Given{Amount: 10000, Position: paid}, []Leg{dr(Funds, 10000), cr(Clearing, 10000)}},
				{"after the settlement", Given{Amount: 10000, Position: sent},
					[]Leg{dr(Debt, 9500), dr(Revenue, 398), dr(VAT, 102), cr(Clearing, 10000)}},
				{"refunded before: the backer has it twice", Given{Amount: 10000, Position: back},
					[]Leg{dr(Loss, 10000), cr(Clearing, 10000)}},
			}},
		{Kind: DisputeLostReversed, positioned: true, Forced: true, Says: "A lost dispute was won on appeal: the decision is taken back, and " +
			"won follows.", legs: disputeLostReversed,
			Examples: []Example{{"", Given{Amount: 10000, Opening: []Leg{dr(Disputed, 10000), cr(Hold, 10000)}},
				[]Leg{cr(Disputed, 10000), dr(Hold, 10000)}}}},
	}
}
