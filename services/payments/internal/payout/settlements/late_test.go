package settlements_test

import (
	"testing"
	"time"

	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/payout/settlements"
)

// What a bank confirms only after its campaign was decided about is its creator's too, and leaves with the rest: it is not held against what the
// content service had accepted by then.
func TestRun_AtA_WhatABankConfirmsAfterTheEnd_IsPaidOut(t *testing.T) {
	t.Parallel()
	w := newWorldA(t, 100)
	pledge := w.Content.Pledge(w.Now(), func(o *contentclient.Order) { o.AmountMinor, o.CampaignID = 5000, campaign })
	w.Confirm(w.MustSetup(pledge), "pm_card_bankTakesLater")
	w.Settle()
	w.WantStatus(pledge, "processing")
	w.Pass(14 * 24 * time.Hour) // as long as a campaign waits for banks
	w.end()
	r := w.propose()
	w.want(r.ID, settlements.Counting, settlements.PaymentsProcessing)
	w.runDue(time.Hour)
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	w.Pass(ripe)
	w.go_(r.ID)
	r = w.want(r.ID, settlements.Proposed, "").Run
	if r.GrossMinor != 15000 {
		t.Errorf("it is of %d", r.GrossMinor)
	}
	w.approve(r, approver, nil)
	w.mustWork()
	w.arrive()
	w.want(r.ID, settlements.Paid, "")
	w.audit()
}
