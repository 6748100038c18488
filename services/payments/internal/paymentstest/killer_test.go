package paymentstest_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
)

// What a killed piece of work does beside itself ends too, at its next statement, and nothing else does.
func TestKiller_EndsTheOtherGoroutinesOfTheWork(t *testing.T) {
	t.Parallel()
	k := &paymentstest.Killer{}
	w := paymentstest.New(t, func(c *app.Config) { c.Tracer = k })
	var ran atomic.Int64
	statement := func(ctx context.Context) {
		if w.App.DB.WithContext(ctx).Exec(`SELECT 1`).Error == nil {
			ran.Add(1)
		}
	}
	var beside sync.WaitGroup
	wasKilled := k.Kill(t.Context(), 2, func(ctx context.Context) {
		killed := make(chan struct{})
		beside.Go(func() {
			<-killed
			statement(ctx)
			t.Error("it goes on beside")
		})
		statement(ctx)
		defer close(killed)
		statement(ctx)
		t.Error("it goes on")
	})
	beside.Wait()
	statement(t.Context())
	if !wasKilled || ran.Load() != 2 {
		t.Errorf("killed: %t, %d statements ran", wasKilled, ran.Load())
	}
	if k.Kill(t.Context(), 2, statement) {
		t.Error("what was over before was killed")
	}
}
