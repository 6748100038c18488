package openledger_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/paymentstest"
)

// Anybody is given the sealed days, the latest first and a hundred at once; a day that is none is refused.
func TestLedgerDays_AreForEverybody_AHundredAtOnce(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	err := w.App.DB.Exec(`INSERT INTO ledger_days (day, transactions, previous_hash, hash, sealed_at)
		SELECT '2026-01-01'::date + n, n, '', lpad(to_hex(n), 64, '0'), now() FROM generate_series(0, 101) n`).Error
	if err != nil {
		t.Fatal(err)
	}
	days := func(query string) (answer api.LedgerDaysAnswer) {
		t.Helper()
		status, body := w.Send(http.MethodGet, w.API.URL+"/api/ledger/days"+query, "", nil, nil)
		if status != http.StatusOK || json.Unmarshal(body, &answer) != nil {
			t.Fatalf("%d %s", status, body)
		}
		return answer
	}
	first := days("")
	if n := len(first.Days); n != 100 || !first.HasMore || first.Days[0].Day.String() != "2026-04-12" || first.Days[0].Transactions != 101 {
		t.Errorf("%d days, more %t: %+v", n, first.HasMore, first.Days[0])
	}
	if rest := days("?before=" + first.Days[99].Day.String()); len(rest.Days) != 2 || rest.HasMore || rest.Days[1].Day.String() != "2026-01-01" {
		t.Errorf("%+v", rest)
	}
	if none := days("?before=0001-01-02"); none.Days == nil || len(none.Days) != 0 {
		t.Errorf("%+v", none)
	}
	for _, bad := range []string{"yesterday", "2026-02-30", "", "2026-11-29T00:00:00Z", "10000-01-01", "-0001-01-01", "%00", "2026-1-1", "0000-01-01"} {
		if status, body := w.Send(http.MethodGet, w.API.URL+"/api/ledger/days?before="+bad, "", nil, nil); status != http.StatusBadRequest && status != http.StatusUnprocessableEntity {
			t.Errorf("before %q: %d %s", bad, status, body)
		}
	}
}
