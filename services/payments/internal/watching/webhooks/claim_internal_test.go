package webhooks

import (
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/payments/migrations"
)

func TestClaim_LeasesNoMoreThanItIsAskedFor(t *testing.T) {
	t.Parallel()
	db, now := dbtest.New(t, migrations.FS).Gorm, time.Now().UTC()
	err := db.Exec(`INSERT INTO webhook_events (provider, event_key, type, about, api_version, livemode, object_ref, money_ref, body, status, received_at, next_attempt_at)
		SELECT 'stripe', 'evt_' || n, 'payment_intent.succeeded', 'payment', '', false, 'pi', 'pi', '', CASE WHEN n % 3 = 0 THEN 'processed' ELSE 'received' END, @at, @at
		FROM generate_series(1, 60) n`, map[string]any{"at": now.Add(-time.Minute)}).Error
	if err != nil {
		t.Fatal(err)
	}
	// The plan that PostgreSQL makes of a table that it has no statistics of.
	plan := db.Begin()
	defer plan.Rollback()
	for _, way := range []string{"hashjoin", "mergejoin", "hashagg", "sort"} {
		if err := plan.Exec("SET LOCAL enable_" + way + " = off").Error; err != nil {
			t.Fatal(err)
		}
	}
	s := &Service{db: plan, now: func() time.Time { return now }}
	for left := 40; left > 0; left -= 8 {
		events, err := s.claim(t.Context(), 8)
		if err != nil || len(events) != 8 {
			t.Fatalf("%d of the %d that are left were claimed for 8 (%v)", len(events), left, err)
		}
	}
}
