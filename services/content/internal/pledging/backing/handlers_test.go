package backing

import (
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/pledging/subscriptions"
)

func TestSupport_WhoseFirstMonthABankHas_IsProcessing(t *testing.T) {
	a := answer(nil, []subscriptions.OwnIn{{Status: subscriptions.Created, IsProcessing: true}, {Status: subscriptions.Paused}})
	if a.Subscriptions[0].Status != api.OwnSupportInStatusProcessing || a.Subscriptions[1].Status != api.OwnSupportInStatusPaused {
		t.Errorf("%+v", a.Subscriptions)
	}
}
