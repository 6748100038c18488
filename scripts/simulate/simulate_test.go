package simulate

import (
	"flag"
	"testing"
	"time"

	contentmigrations "talkoot.fi/content/migrations"
	payments "talkoot.fi/payments/inproc"

	"talkoot.fi/kit/dbtest"
)

func newLane(t testing.TB) *Lane {
	t.Helper()
	n, err := NewLane(t.Context(), Databases{
		ContentURL: dbtest.New(t, contentmigrations.FS).URL, PaymentsURL: dbtest.New(t, payments.Migrations).URL,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
	return n
}

func TestSmallest(t *testing.T) {
	n := newLane(t)
	var ops []operation
	for i, k := range []string{"create a pledge", "set up the form", "drain webhooks", "relay payment events", "confirm with a good card", "deliver the oldest webhook", "drain webhooks", "relay payment events", "relay content's messages", "read the pledge", "refund", "tidy", "reconcile", "relay payment events"} {
		ops = append(ops, operation{kind: k, index: i})
	}
	for range 3 {
		r, err := n.live(t.Context(), 1, ops)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(r.Story(), r.log, r.Statements)
	}
}

func TestLives(t *testing.T) {
	n := newLane(t)
	for seed := *firstSeed; seed < *firstSeed+*lives; seed++ {
		begun := time.Now()
		r, err := n.Live(t.Context(), seed)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(seed, r.Statements, time.Since(begun))
		if len(r.Findings) > 0 {
			t.Log(r.Findings)
			if r, err = n.Shrink(t.Context(), r, *shrinkFor); err != nil {
				t.Fatal(err)
			}
			t.Error("\n"+r.Story(), "\n"+r.log, "\n"+r.state)
			break
		}
	}
}

var (
	firstSeed = flag.Uint64("seed", 0, "")
	lives     = flag.Uint64("lives", 20, "")
	shrinkFor = flag.Duration("shrink", 30*time.Second, "")
)
