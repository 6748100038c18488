package audit

// Querier is exported for tests, which run the checks inside a transaction that they roll back.
type Querier = querier

// RunOn runs all checks on two databases as the given transactions see them.
var RunOn = run

// Names are those of all checks, in their order.
func Names() (names []string) {
	for _, list := range [][]query{ledgerChecks, paymentChecks, refundChecks, disputeChecks, workChecks, peopleChecks, monthChecks,
		pledgeChecks, subscriptionChecks, campaignChecks, holdChecks, chargeHoldChecks} {
		for _, c := range list {
			names = append(names, c.name)
		}
	}
	for _, list := range [][]comparison{serviceChecks, supportChecks, providerChecks, soleChecks} {
		for _, c := range list {
			names = append(names, c.name)
		}
	}
	return names
}
