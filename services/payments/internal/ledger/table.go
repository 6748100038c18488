package ledger

// Rules is the table of all kinds of movements. Sums of the examples are cents.
func Rules() []Rule {
	paid, back := Position{Funds: 10000}, Position{}
	opened := []Leg{{Hold, 10000}, {Clearing, -10000}, {Funds, 10000}, {Disputed, -10000}}
	bare := []Leg{{Hold, 10000}, {Clearing, -10000}}
	return []Rule{
		{Kind: Charge, Forced: true, Says: "The provider took a backer's money: for the campaign, or as a second payment " +
			"that is owed back at once, or as money that fits nothing and is held.",
			legs: charged,
			Examples: []Example{
				{"it counts", Given{Amount: 10000, To: Funds}, []Leg{{Clearing, 10000}, {Funds, -10000}}},
				{"a second payment", Given{Amount: 2500, To: Owed}, []Leg{{Clearing, 2500}, {Owed, -2500}}},
				{"it does not fit", Given{Amount: 2500, To: Held}, []Leg{{Clearing, 2500}, {Held, -2500}}},
			}},
		{Kind: ProviderFee, Forced: true, Says: "What the provider keeps of a charge; the platform bears it.",
			legs:     move(Fees, Clearing),
			Examples: []Example{{"", Given{Amount: 175}, []Leg{{Fees, 175}, {Clearing, -175}}}}},
		{Kind: RefundBegun, positioned: true, Says: "Money is promised back. One that was made in the provider's own pages " +
			"is forced.", legs: refundBegun,
			Examples: []Example{
				{"", Given{Amount: 3000, Position: paid}, []Leg{{Funds, 3000}, {Owed, -3000}}},
				{"made elsewhere, more than is left", Given{Amount: 3000, Position: Position{Funds: 1000}},
					[]Leg{{Funds, 1000}, {Loss, 2000}, {Owed, -3000}}},
				{"made twice: the backer had it another way", Given{Amount: 3000, Position: paid, To: Loss},
					[]Leg{{Loss, 3000}, {Owed, -3000}}},
			}},
		{Kind: RefundWithdrawn, Says: "A refund is taken back: a dispute has come first, or it was made in the provider's " +
			"own pages and has failed. " +
			"Then all goes where its promise came from; or, if the backer had been told of it, only what was a loss. That is " +
			"taken back too when a bank returns the money which pays for it.",
			legs: withdrawn,
			Examples: []Example{
				{"", Given{Amount: 3000}, []Leg{{Owed, 3000}, {Funds, -3000}}},
				{"made elsewhere, more than was left", Given{Amount: 3000,
					Opening: []Leg{{Funds, 1000}, {Loss, 2000}, {Owed, -3000}}},
					[]Leg{{Owed, 3000}, {Funds, -1000}, {Loss, -2000}}},
				{"the same, and the backer had been told: 1000 stay owed",
					Given{Amount: 2000, Opening: []Leg{{Funds, 1000}, {Loss, 2000}, {Owed, -3000}}},
					[]Leg{{Owed, 2000}, {Loss, -2000}}},
			}},
		{Kind: Refund, positioned: true, Forced: true, Says: "The provider took a refund from our balance.", legs: refund,
			Examples: []Example{
				{"", Given{Amount: 3000, Position: Position{Funds: 7000, Owed: 3000}}, []Leg{{Owed, 3000}, {Clearing, -3000}}},
				{"nothing was owed any more", Given{Amount: 3000, Position: back}, []Leg{{Loss, 3000}, {Clearing, -3000}}},
			}},
		{Kind: RefundFailed, Forced: true, Says: "A refund did not reach the backer and came back to us: it is owed still. " +
			"What of it was a loss is withdrawn next.", legs: move(Clearing, Owed),
			Examples: []Example{{"", Given{Amount: 3000}, []Leg{{Clearing, 3000}, {Owed, -3000}}}}},
		{Kind: RefundByHand, Says: "A person sent a failed refund from our bank account.", legs: move(Owed, Bank),
			Examples: []Example{{"", Given{Amount: 3000}, []Leg{{Owed, 3000}, {Bank, -3000}}}}},
		{Kind: HeldAccepted, Says: "A person found that held money is the payment's after all.", legs: move(Held, Funds),
			Examples: []Example{{"", Given{Amount: 2500}, []Leg{{Held, 2500}, {Funds, -2500}}}}},
		{Kind: HeldReturned, Says: "A person has held money sent back; a refund follows.", legs: move(Held, Owed),
			Examples: []Example{{"", Given{Amount: 2500}, []Leg{{Held, 2500}, {Owed, -2500}}}}},
		{Kind: DisputeOpened, positioned: true, Forced: true, Says: "A bank took money back, until it decides.",
			legs: disputeOpened,
			Examples: []Example{
				{"", Given{Amount: 10000, Position: paid}, opened},
				{"refunded before", Given{Amount: 10000, Position: back}, bare},
				{"a refund had failed", Given{Amount: 10000, Position: Position{Funds: 7000, Owed: 3000}},
					[]Leg{{Hold, 10000}, {Clearing, -10000}, {Funds, 7000}, {Owed, 3000}, {Disputed, -10000}}},
			}},
		{Kind: DisputeContested, positioned: true, Forced: true,
			Says: "Money came back to the charge, by a failed refund, while its bank has it: the bank has contested that " +
				"too.",
			legs: disputeContested,
			Examples: []Example{{"", Given{Amount: 3000, Position: Position{Owed: 3000, Disputed: 7000, Hold: 10000}},
				[]Leg{{Owed, 3000}, {Disputed, -3000}}}}},
		{Kind: DisputeWon, positioned: true, ofDispute: true, Forced: true, Says: "The bank gave it back.", legs: disputeWon,
			Examples: []Example{
				{"", Given{Amount: 10000, Position: Position{Disputed: 10000, Hold: 10000}, Opening: opened},
					[]Leg{{Clearing, 10000}, {Hold, -10000}, {Disputed, 10000}, {Funds, -10000}}},
				{"refunded before", Given{Amount: 10000, Position: Position{Hold: 10000}, Opening: bare},
					[]Leg{{Clearing, 10000}, {Hold, -10000}}},
				{"a part of it, and 3000 were refunded before", Given{Amount: 4000, Position: Position{Disputed: 7000, Hold: 10000},
					Opening: []Leg{{Hold, 10000}, {Clearing, -10000}, {Funds, 7000}, {Disputed, -7000}}},
					[]Leg{{Clearing, 4000}, {Hold, -4000}, {Disputed, 1000}, {Funds, -1000}}},
			}},
		{Kind: DisputeLost, positioned: true, ofDispute: true, Forced: true,
			Says: "The bank keeps it: the backer has it from there.", legs: disputeLost,
			Examples: []Example{
				{"", Given{Amount: 10000, Position: Position{Disputed: 10000, Hold: 10000}, Opening: opened},
					[]Leg{{Disputed, 10000}, {Hold, -10000}}},
				{"refunded before: the backer has it twice", Given{Amount: 10000, Position: Position{Hold: 10000}, Opening: bare},
					[]Leg{{Loss, 10000}, {Hold, -10000}}},
			}},
		{Kind: DisputeLostReversed, Forced: true, Says: "A lost dispute was won on appeal: the decision is taken back, and " +
			"won follows.", legs: negated,
			Examples: []Example{{"", Given{Amount: 10000, Opening: []Leg{{Disputed, 10000}, {Hold, -10000}}},
				[]Leg{{Disputed, -10000}, {Hold, 10000}}}}},
		{Kind: DisputeFee, Forced: true, Says: "What the provider keeps for a dispute; the platform bears it.",
			legs:     move(Fees, Clearing),
			Examples: []Example{{"", Given{Amount: 2000}, []Leg{{Fees, 2000}, {Clearing, -2000}}}}},
		{Kind: DisputeFeeReturned, Forced: true, Says: "And gave back.", legs: move(Clearing, Fees),
			Examples: []Example{{"", Given{Amount: 2000}, []Leg{{Clearing, 2000}, {Fees, -2000}}}}},
		{Kind: OtherFee, Forced: true, Says: "What the provider keeps for anything else: a refund, a payout; the platform " +
			"bears it.", legs: move(Fees, Clearing),
			Examples: []Example{{"", Given{Amount: 25}, []Leg{{Fees, 25}, {Clearing, -25}}}}},
		{Kind: OtherFeeReturned, Forced: true, Says: "And gave back.", legs: move(Clearing, Fees),
			Examples: []Example{{"", Given{Amount: 25}, []Leg{{Clearing, 25}, {Fees, -25}}}}},
		{Kind: OurPayout, Forced: true, Says: "The provider sent money of ours to our bank.", legs: move(Bank, Clearing),
			Examples: []Example{{"", Given{Amount: 300}, []Leg{{Bank, 300}, {Clearing, -300}}}}},
		{Kind: OurPayoutFailed, Forced: true, Says: "It did not arrive and came back.", legs: move(Clearing, Bank),
			Examples: []Example{{"", Given{Amount: 300}, []Leg{{Clearing, 300}, {Bank, -300}}}}},
		{Kind: TopUp, Forced: true, Says: "Our bank sent money to the provider.", legs: move(Clearing, Bank),
			Examples: []Example{{"", Given{Amount: 11175}, []Leg{{Clearing, 11175}, {Bank, -11175}}}}},
		{Kind: Unexplained, Forced: true, Says: "The provider added money for a reason that no rule knows: a person " +
			"explains it.", legs: move(Clearing, Suspense),
			Examples: []Example{{"", Given{Amount: 120}, []Leg{{Clearing, 120}, {Suspense, -120}}}}},
		{Kind: UnexplainedOut, Forced: true, Says: "The provider took money for a reason that no rule knows: a person " +
			"explains it.", legs: move(Suspense, Clearing),
			Examples: []Example{{"", Given{Amount: 120}, []Leg{{Suspense, 120}, {Clearing, -120}}}}},
		{Kind: Explained, Says: "Reclassification: a person found what was added to be a fee that came back.",
			legs:     move(Suspense, Fees),
			Examples: []Example{{"", Given{Amount: 120}, []Leg{{Suspense, 120}, {Fees, -120}}}}},
		{Kind: ExplainedOut, Says: "Reclassification: a person found what was taken to be the provider's fee.",
			legs:     move(Fees, Suspense),
			Examples: []Example{{"", Given{Amount: 120}, []Leg{{Fees, 120}, {Suspense, -120}}}}},
	}
}
