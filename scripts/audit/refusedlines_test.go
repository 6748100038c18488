package audit

import "testing"

// What was refused has moved nothing of the platform's own wallets, and has no time at which it did.
func TestMangopayState_LeavesOutWhatWasRefused(t *testing.T) {
	var m mangopayState
	fields := map[string]string{"Status": "FAILED", "Type": "TRANSFER", "Nature": "SETTLEMENT", "CreditedWalletId": "CREDIT_EUR"}
	if err := m.add(func(name string) string { return fields[name] }, true); err != nil || len(m.lines) > 0 {
		t.Errorf("it is %+v, %v", m.lines, err)
	}
}
