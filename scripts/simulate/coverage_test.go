package simulate

import (
	"strings"
	"testing"
)

// longRun is how many runs have to bring about all that a simulation is about.
const longRun = 150

// pledgingReaches are what runs about pledges must have brought about, by the beginnings of what is counted: a simulation that does not
// reach a state cannot find faults in it.
var pledgingReaches = []string{
	// Money at provider A.
	"attempt: stripe card succeeded", "attempt: stripe page succeeded", "attempt: stripe unasked", "refund: stripe requested succeeded",
	"refund: stripe duplicate", "refund: stripe pledge_closed", "dispute: stripe won", "dispute: stripe lost",
	// Money at provider B.
	"attempt: mangopay card succeeded", "attempt: mangopay page succeeded", "attempt: mangopay debit succeeded", "attempt: mangopay unasked",
	"at B: PAYIN REGULAR CARD DIRECT SUCCEEDED", "at B: PAYIN REGULAR CARD DIRECT FAILED", "at B: PAYIN REGULAR CARD WEB SUCCEEDED",
	"at B: PAYIN REGULAR DIRECT_DEBIT DIRECT SUCCEEDED", "at B: PAYIN REGULAR DIRECT_DEBIT DIRECT FAILED",
	"B: registration refused", "B: kept card used", "B: mandate confirmed true", "B: mandate confirmed false", "B: challenge answered true",
	"B: challenge answered false", "B: bank of a debit said 000000", "B: bank of a debit said 001830",
	"at B: PAYOUT REFUND SUCCEEDED", "at B: PAYOUT REFUND FAILED 001405", // refused: the debit is younger than a week
	"refund: mangopay requested succeeded", "refund: mangopay duplicate", "refund: mangopay pledge_closed", "B: refund in the dashboard",
	"B: dispute CONTESTABLE", "B: dispute NOT_CONTESTABLE", "B: dispute RETRIEVAL", "dispute: mangopay won", "dispute: mangopay lost",
	"dispute: mangopay closed", "dispute: mangopay returned", "at B: TRANSFER SETTLEMENT SUCCEEDED", "ledger: place_move", "ledger: debit_returned",
	// Campaigns that end.
	"ending: reached to creator", "ending: not_reached to creator", "ending: not_reached to backers", "ending: canceled to backers",
	"refund: stripe withdrawn succeeded", "refund: mangopay withdrawn succeeded", "refund: stripe campaign_failed succeeded", "refund: mangopay campaign_failed succeeded", "refund: stripe campaign_canceled succeeded",
	"pledge: disputed to withdrawn",
	// Their money reaches its creator, and so does what was kept back.
	"settlements: proposal", "settlements: approval", "ledger: transfer", "ledger: creator_payout", "ledger: reserve_released",
	// Creators and routing.
	"creators: LIGHT", "creators: REGULAR", "operators: stripe switched to false", "operators: mangopay switched to false",
	// Signals and faults.
	"webhooks: taken of stripe", "webhooks: taken of mangopay", "webhooks: not taken of mangopay", "webhooks: lost of mangopay",
	"webhooks: doubled of mangopay", "webhooks: forged", "faults: provider B 401", "faults: provider B 429", "faults: provider B 500",
	"faults: provider B 500_stored", "faults: provider B cut_after", "faults: provider B answers FAILED",
	"crash: payments before", "crash: payments after", "crash: content before", "crash: content after", "interleaved: pairs that took turns",
	"interleaved: pairs that waited for a lock",
}

// payoutReaches are the same of runs about payouts.
var payoutReaches = []string{
	"settlements: proposal", "settlements: approval", "settlements: resumed", "settlements: given up", "payouts: failed",
	"payouts: taken back by hand at A", "payouts: taken back by hand at B", "reversal: stripe done by us", "reversal: mangopay done by us",
	"reversal: stripe done by others", "reversal: mangopay done by others", "reversal: mangopay in another campaign's place", "reversal: paid a part", "reversal: paid all",
	"reversal: mangopay refused", "ledger: transfer", "ledger: transfer_reversed", "ledger: debt_offset", "ledger: reserve_used", "ledger: reserve_released",
	"ledger: creator_payout", "ledger: creator_payout_returned", "ledger: write_off", "faults: of payouts: cut_after", "crash: payments before", "crash: payments after",
}

// wantReached fails a long run that has left something out.
func wantReached(t testing.TB, all *tally, wanted []string) {
	t.Helper()
	if all.runs < longRun {
		return
	}
	for _, want := range wanted {
		n := 0
		for what, times := range all.reached {
			if strings.HasPrefix(what, want) {
				n += times
			}
		}
		if n == 0 {
			t.Errorf("in %d runs this never happened: %s", all.runs, want)
		}
	}
}

func TestCoverage_ALongRunThatLeavesSomethingOutIsRed(t *testing.T) {
	for runs, isRed := range map[int]bool{longRun: true, longRun - 1: false} {
		asked := &asking{TB: t}
		wantReached(asked, &tally{runs: runs, reached: map[string]int{"B: kept card used": 1}}, []string{"B: kept card", "B: page"})
		if (asked.red == 1) != isRed {
			t.Errorf("%d runs: %d were missed", runs, asked.red)
		}
	}
}

// asking counts what a test would have failed for.
type asking struct {
	testing.TB
	red int
}

func (a *asking) Errorf(string, ...any) { a.red++ }
func (*asking) Helper()                 {}
