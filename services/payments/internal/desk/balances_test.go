package desk_test

import (
	"net/http"
	"sort"
	"testing"
	"time"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/paymentstest"
)

// What was in a place is shown as the comparison has kept it, with the open anomaly of what differs; no provider is asked for it.
func TestBalances_AreShownAsTheyWereKept(t *testing.T) {
	t.Parallel()
	w, b := paymentstest.NewBetween(t)
	w.Paid()
	for range 2 {
		w.Pass(24 * time.Hour)
		w.Compare()
	}
	w.Exec(`UPDATE balance_days SET book_minor = book_minor - 300, verdict = 'book' WHERE day = (SELECT max(day) FROM balance_days)`)
	w.Exec(`INSERT INTO balance_days SELECT provider, 'unread', currency, day, 4900, 4900, 0, NULL, compared_at, 'unknown' FROM balance_days
		WHERE day = (SELECT min(day) FROM balance_days)`)
	w.Exec(`INSERT INTO anomalies (kind, provider, reference, detail, found_at, seen_at) VALUES ('balance_difference', 'stripe', 'main', '{}', now(), now())`)
	b.Set(func(http.ResponseWriter, *http.Request) bool { t.Error("a provider was asked"); return false }, nil)
	var shown api.DeskBalances
	get(w, "balances", &shown)
	if shown.Total != len(shown.Days) || len(shown.Days) < 2 {
		t.Fatalf("%+v", shown)
	}
	d := shown.Days[0]
	if d.BookMinor != 4600 || d.ObjectsMinor != 4900 || *d.BalanceMinor != 4900 || d.Verdict != "book" || d.AnomalyID == nil || d.AsOf.Sub(d.Day.Time) > 24*time.Hour {
		t.Errorf("%+v", d)
	}
	if next := shown.Days[1]; next.AnomalyID != nil || next.Verdict != "agrees" || !next.Day.Before(d.Day.Time) {
		t.Errorf("%+v", next)
	}
	var differing api.DeskBalances
	if get(w, "balances?differing=true", &differing); differing.Total != 1 || len(differing.Days) != 1 {
		t.Errorf("%+v", differing)
	}
	if status, _ := call(w, paymentstest.SessionOf(saara, true), "GET", "balances", "", nil); status != 403 {
		t.Errorf("who is no admin: %d", status)
	}
}

// A hundred days of three thousand places are shown within a fifth of a second.
func TestBalances_OfManyPlaces_AreShownAtOnce(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.Exec(`INSERT INTO balance_days (provider, place, currency, day, book_minor, objects_minor, foreign_minor, balance_minor, compared_at, verdict)
		SELECT 'mangopay', 'wallet-' || p, 'EUR', date '2026-01-01' + d, 100, 100, 0, 100, now(), CASE WHEN (p + d) % 500 = 0 THEN 'book' ELSE 'agrees' END
		FROM generate_series(1, 3000) p, generate_series(1, 100) d`)
	w.Exec(`ANALYZE balance_days`)
	for _, path := range []string{"balances", "balances?differing=true", "balances?offset=5000"} {
		var took []time.Duration
		for range 5 {
			var shown api.DeskBalances
			began := time.Now()
			get(w, path, &shown)
			took = append(took, time.Since(began))
			if len(shown.Days) != 50 {
				t.Fatalf("%s: %d rows", path, len(shown.Days))
			}
		}
		sort.Slice(took, func(i, j int) bool { return took[i] < took[j] })
		t.Logf("%s: %s", path, took)
	}
}
