package settlements

import "testing"

func TestStage_OfEachStateAndReason(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		state  State
		reason Reason
		detail string
		want   Stage
	}{
		{Counting, "", "", StageChecking},
		{Counting, PaymentsProcessing, "", StageChecking},
		{Counting, NoAccount, "", StageNeedsYou},
		{Proposed, "", "", StageChecking},
		{Approved, "", "", StageChecking},
		{Booked, "", "", StageLeaving},
		{Booked, ProviderOff, "", StageLeaving},
		{Booked, BalanceDiffers, "", StageLeaving},
		{Booked, Need, "bank_account", StageNeedsYou},
		{Booked, Need, "identity", StageNeedsYou},
		{Booked, Need, "bank_new", StageLeaving},
		{Booked, Need, "blocked_outflows", StageLeaving},
		{Booked, AccountNotReady, "restricted", StageNeedsYou},
		{Booked, AccountNotReady, "missing", StageLeaving},
		{Sending, "", "", StageLeaving},
		{Sent, "", "", StageLeaving},
		{Sent, PayoutFailed, "121030", StageNeedsYou},
		{Sent, PayoutReturned, "closed", StageNeedsYou},
		{Paying, "", "", StagePaying},
		{Paid, "", "", StageArrived},
		{Paid, PaidDebts, "", StageSetOff},
	} {
		if got := (Payout{State: tc.state, Reason: tc.reason, Detail: tc.detail}).stage(); got != tc.want {
			t.Errorf("%s (%s %s) is %s, want %s", tc.state, tc.reason, tc.detail, got, tc.want)
		}
	}
	if got := (Payout{State: Sent, Reason: PayoutReturned, HasOther: true}).stage(); got != StageLeaving {
		t.Errorf("a payout that came back, with another bank account, is %s", got)
	}
}
