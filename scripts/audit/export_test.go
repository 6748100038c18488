package audit

// Querier is what a database is to the checks, so that a test can have them look into a transaction that it rolls back.
type Querier = querier

// RunOn makes all checks on two databases as they are in the given transactions.
var RunOn = run

// Names are those of all checks, in their order.
func Names() (names []string) {
	for _, list := range [][]query{ledgerChecks, paymentChecks, refundChecks, disputeChecks, workChecks, peopleChecks,
		pledgeChecks, campaignChecks} {
		for _, c := range list {
			names = append(names, c.name)
		}
	}
	for _, list := range [][]comparison{serviceChecks, providerChecks, soleChecks} {
		for _, c := range list {
			names = append(names, c.name)
		}
	}
	return names
}
