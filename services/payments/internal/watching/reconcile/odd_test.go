package reconcile_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"testing"
	"time"

	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/reconcile"
)

// The provider may book one refund twice: then the sums differ, whatever the lines are called.
func TestLedgerPass_MovementThatTheProviderBookedTwice_Differs(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	_, id, _ := w.Paid()
	w.Refund(id, 2000, refunds.Requested)
	w.Settle()
	b.Set(nil, func(r *http.Request, body []byte) []byte {
		var list map[string]any
		if r.URL.Path != "/v1/balance_transactions" || json.Unmarshal(body, &list) != nil {
			return body
		}
		lines := list["data"].([]any)
		for _, line := range lines {
			if one := line.(map[string]any); one["type"] == "refund" {
				other := maps.Clone(one)
				other["id"] = fmt.Sprint(one["id"]) + "b"
				list["data"] = append(lines, other)
			}
		}
		out, err := json.Marshal(list)
		if err != nil {
			t.Error(err)
		}
		return out
	})
	w.Pass(time.Hour)
	w.Compare()
	if n := w.Anomalies("ledger_difference"); n != 1 {
		t.Errorf("%d differences", n)
	}
	b.Set(nil, nil)
	w.Pass(time.Hour)
	w.Compare()
	w.Audit()
}

// silent is a provider that answers nothing.
type silent struct{ provider.Provider }

func (silent) Name() string { return "silent" }

func (silent) EachPayment(context.Context, time.Time, func(provider.Snapshot) error) error {
	return errors.New("credentials are rejected")
}

// A provider that does not answer keeps no other from being looked at, and no other's pass from being finished.
func TestPasses_OneProviderIsSilent_TheOthersAreLookedAt(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	all := maps.Clone(w.App.Providers)
	all["silent"] = silent{w.Stripe()}
	passes := reconcile.New(reconcile.Options{DB: w.App.DB, Payments: w.App.Payments, Providers: provider.Parts[reconcile.Provider](all), Now: w.Now,
		Log: slog.New(slog.DiscardHandler)})
	w.LoseWebhooks()
	pledge := w.Pledge()
	w.MustPay(w.MustSetup(pledge))
	if err := passes.RunDue(t.Context()); err == nil {
		t.Error("nothing is said of the provider that does not answer")
	}
	w.Settle()
	w.WantStatus(pledge, "succeeded")
	for name, want := range map[string]int{"stripe": 2, "silent": 0} {
		if n := w.Count("reconcile_runs WHERE finished_at IS NOT NULL AND provider = ?", name); n != want {
			t.Errorf("%d passes at %s are finished, want %d", n, name, want)
		}
	}
}
