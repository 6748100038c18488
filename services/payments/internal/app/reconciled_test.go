package app

import (
	"log/slog"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/migrations"
)

// Each provider that is on has its own age: one whose comparisons never finish is not hidden behind another's.
func TestWorkMetrics_TellOfEachProvidersComparisons(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	now := time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	err := db.Exec(`INSERT INTO reconcile_runs (provider, name, slot, started_at, finished_at, foreign_count) VALUES
		('stripe', 'reconcile:ledger', '1', CAST(@now AS timestamptz) - interval '26 hours', CAST(@now AS timestamptz) - interval '25 hours', 9),
		('stripe', 'reconcile:ledger', '2', CAST(@now AS timestamptz) - interval '2 hours', CAST(@now AS timestamptz) - interval '1 hour', 3),
		('mangopay', 'reconcile:ledger', '1', CAST(@now AS timestamptz) - interval '50 hours', NULL, 0),
		('mangopay', 'reconcile:ledger', '2', CAST(@now AS timestamptz) - interval '26 hours', NULL, 0),
		('mangopay', 'reconcile:recent', '1', @now, @now, 7),
		('off', 'reconcile:ledger', '1', CAST(@now AS timestamptz) - interval '500 hours', NULL, 0)`, map[string]any{"now": now}).Error
	if err != nil {
		t.Fatal(err)
	}
	a := &App{DB: db, now: func() time.Time { return now }, log: slog.New(slog.DiscardHandler),
		Providers: map[string]provider.Provider{"stripe": nil, "mangopay": nil, "new": nil}}
	registry := prometheus.NewRegistry()
	registry.MustRegister(a.stateOfWork())
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			for _, l := range m.GetLabel() {
				got[f.GetName()+" "+l.GetValue()] = m.GetGauge().GetValue()
			}
		}
	}
	want := map[string]float64{
		"talkoot_payments_reconciliation_age_seconds stripe": 2 * 3600, "talkoot_payments_reconciliation_age_seconds mangopay": 50 * 3600,
		"talkoot_payments_reconciliation_foreign stripe": 3, "talkoot_payments_reconciliation_foreign mangopay": 0,
	}
	for name, value := range want {
		if g, there := got[name]; !there || g != value {
			t.Errorf("%s is %v (%t), want %v", name, g, there, value)
		}
	}
	if len(got) != len(want) {
		t.Errorf("told %v", got)
	}
}
