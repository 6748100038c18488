package anomalies_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/payments/internal/watching/anomalies"
	"talkoot.fi/payments/migrations"
)

// Whoever is called finds a page that says what to do.
func TestKinds_HaveARunbookEach(t *testing.T) {
	t.Parallel()
	index, err := os.ReadFile("../../../../../proto-docs/runbooks/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range anomalies.Kinds() {
		page, err := os.ReadFile("../../../../../proto-docs/runbooks/" + string(kind) + ".md")
		if err != nil || !strings.HasPrefix(string(page), "# "+string(kind)+": ") ||
			!strings.Contains(string(index), "["+string(kind)+"]") {
			t.Errorf("%s has no page of its own (%v)", kind, err)
		}
	}
}

// One that is told again is seen again; one that comes back after it was closed is opened anew.
func TestOpen_ToldAgain_IsOneAndComesBack(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	at := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	a := anomalies.Anomaly{Kind: anomalies.LedgerDifference, Provider: "stripe", Reference: "charge:ch_1",
		Detail: map[string]string{"ours": "1"}}
	for i, step := range []struct {
		do   func(now time.Time) (bool, error)
		news bool
	}{
		{func(now time.Time) (bool, error) { return anomalies.Open(t.Context(), db, a, now) }, true},
		{func(now time.Time) (bool, error) { return anomalies.Open(t.Context(), db, a, now) }, false},
		{func(now time.Time) (bool, error) {
			return false, anomalies.Mend(t.Context(), db, a.Kind, a.Provider, a.Reference, "equal", now)
		}, false},
		{func(now time.Time) (bool, error) { return anomalies.Open(t.Context(), db, a, now) }, true},
	} {
		if news, err := step.do(at.Add(time.Duration(i) * time.Hour)); err != nil || news != step.news {
			t.Fatalf("step %d: news %t, %v", i, news, err)
		}
	}
	list, err := anomalies.List(t.Context(), db, false)
	if err != nil || len(list) != 1 || list[0].Times != 2 || !list[0].FoundAt.Equal(at) ||
		!list[0].SeenAt.Equal(at.Add(3*time.Hour)) || list[0].Detail["ours"] != "1" {
		t.Errorf("%+v, %v", list, err)
	}
	if err := anomalies.Resolve(t.Context(), db, list[0].ID, "maija", "found the reason",
		at.Add(5*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if got, err := anomalies.ByID(t.Context(), db, list[0].ID); err != nil || got.ResolvedBy != "maija" ||
		got.Note != "found the reason" {
		t.Errorf("%+v, %v", got, err)
	}
}
