package ledger

// balanceRules are about our balance at a provider: its fees, our bank, and what nothing explains.
func balanceRules() []Rule {
	return []Rule{
		{Kind: DisputeFee, Forced: true, Says: "What the provider keeps for a dispute; the platform bears it.",
			legs:     move(Fees, Clearing),
			Examples: []Example{{"", Given{Amount: 2000}, []Leg{dr(Fees, 2000), cr(Clearing, 2000)}}}},
		{Kind: DisputeFeeReturned, Forced: true, Says: "And gave back.", legs: move(Clearing, Fees),
			Examples: []Example{{"", Given{Amount: 2000}, []Leg{dr(Clearing, 2000), cr(Fees, 2000)}}}},
		{Kind: OtherFee, Forced: true, Says: "What the provider keeps for anything else: a refund, a payout; the platform " +
			"bears it.", legs: move(Fees, Clearing),
			Examples: []Example{{"", Given{Amount: 25}, []Leg{dr(Fees, 25), cr(Clearing, 25)}}}},
		{Kind: OtherFeeReturned, Forced: true, Says: "And gave back.", legs: move(Clearing, Fees),
			Examples: []Example{{"", Given{Amount: 25}, []Leg{dr(Clearing, 25), cr(Fees, 25)}}}},
		{Kind: OurPayout, Forced: true, Says: "The provider sent money of ours to our bank.", legs: move(Bank, Clearing),
			Examples: []Example{{"", Given{Amount: 300}, []Leg{dr(Bank, 300), cr(Clearing, 300)}}}},
		{Kind: OurPayoutFailed, Forced: true, Says: "It did not arrive and came back.", legs: move(Clearing, Bank),
			Examples: []Example{{"", Given{Amount: 300}, []Leg{dr(Clearing, 300), cr(Bank, 300)}}}},
		{Kind: TopUp, Forced: true, Says: "Our bank sent money to the provider.", legs: move(Clearing, Bank),
			Examples: []Example{{"", Given{Amount: 11175}, []Leg{dr(Clearing, 11175), cr(Bank, 11175)}}}},
		{Kind: Unexplained, Forced: true, Says: "The provider added money for a reason that no rule knows: a person " +
			"explains it.", legs: move(Clearing, Suspense),
			Examples: []Example{{"", Given{Amount: 120}, []Leg{dr(Clearing, 120), cr(Suspense, 120)}}}},
		{Kind: UnexplainedOut, Forced: true, Says: "The provider took money for a reason that no rule knows: a person " +
			"explains it.", legs: move(Suspense, Clearing),
			Examples: []Example{{"", Given{Amount: 120}, []Leg{dr(Suspense, 120), cr(Clearing, 120)}}}},
		{Kind: Explained, Says: "Reclassification: a person found what was added to be a fee that came back.",
			legs:     move(Suspense, Fees),
			Examples: []Example{{"", Given{Amount: 120}, []Leg{dr(Suspense, 120), cr(Fees, 120)}}}},
		{Kind: ExplainedOut, Says: "Reclassification: a person found what was taken to be the provider's fee.",
			legs:     move(Fees, Suspense),
			Examples: []Example{{"", Given{Amount: 120}, []Leg{dr(Fees, 120), cr(Suspense, 120)}}}},
		{Kind: PlaceMove, Forced: true, Says: "Money went from one place of our balance to another.", legs: moved,
			Examples: []Example{{"", Given{Amount: 750}, []Leg{dr(Clearing, 750), {Class: Clearing, Minor: -750, Left: true}}}}},
		{Kind: ProviderInvoice, Says: "The provider has billed its fees with their tax, which is claimed back: our bank paid it, or the provider took " +
			"it from our balance, where its line stood unexplained until now.", legs: invoiced,
			Examples: []Example{
				{"", Given{Amount: 210}, []Leg{dr(Fees, 210), cr(Bank, 210)}},
				{"with tax", Given{Amount: 12550, Shares: Shares{VAT: 2550}}, []Leg{dr(Fees, 10000), dr(InputVAT, 2550), cr(Bank, 12550)}},
				{"deducted", Given{Amount: 12550, To: Suspense, Shares: Shares{VAT: 2550}}, []Leg{dr(Fees, 10000), dr(InputVAT, 2550), cr(Suspense, 12550)}},
			}},
		{Kind: ProviderCredit, Says: "An invoice was taken back, wholly or in part: by the provider's credit note, or because it was booked wrongly.",
			legs: func(g Given) []Leg { return reversed(invoiced(g)) },
			Examples: []Example{
				{"", Given{Amount: 12550, Shares: Shares{VAT: 2550}}, []Leg{dr(Bank, 12550), cr(Fees, 10000), cr(InputVAT, 2550)}},
				{"of one that was deducted", Given{Amount: 1255, To: Suspense, Shares: Shares{VAT: 255}},
					[]Leg{dr(Suspense, 1255), cr(Fees, 1000), cr(InputVAT, 255)}},
			}},
	}
}

// invoiced is what a provider's invoice posts. One that was deducted explains what the daily comparison has put into suspense.
func invoiced(g Given) []Leg {
	from := Bank
	if g.To == Suspense {
		from = Suspense
	}
	return []Leg{dr(Fees, g.Amount-g.Shares.VAT), dr(InputVAT, g.Shares.VAT), cr(from, g.Amount)}
}
