package subscriptions_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/charging/subscriptions"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/paymentstest"
)

// together runs both at once, and waits for them.
func together(fns ...func()) {
	var group sync.WaitGroup
	for _, fn := range fns {
		group.Go(fn)
	}
	group.Wait()
}

// withLimitLocked runs fn while somebody else holds Aino's limit.
func withLimitLocked(w *paymentstest.World, fn func()) {
	w.T.Helper()
	tx := w.DB.Gorm.WithContext(w.T.Context()).Begin()
	defer tx.Rollback()
	if err := tx.Exec(`SELECT FROM spending_limits WHERE user_id = ? FOR UPDATE`, aino).Error; err != nil {
		w.T.Fatal(err)
	}
	fn()
}

// awaitBlocked waits until n others wait for locks of this database.
func awaitBlocked(w *paymentstest.World, n int) {
	w.T.Helper()
	w.Eventually(fmt.Sprintf("%d to wait for a lock", n), func() bool {
		return w.Count(`pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) >= n
	})
}

func TestTwoSubscriptionsOfOneDay_ByTwoWorkers_OneIsCharged(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	one, two := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino)), w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
	w.SetLimit(aino, 1500, false)
	other := w.Another(w.Now)
	w.GoTo(calendar.At(day(2027, 2, 10), 9).Add(time.Second)) // both steps at once: nobody has looked the day before
	steps := func(s *subscriptions.Service) func() {
		return func() {
			if err := s.Steps(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
	together(steps(w.App.Subscriptions), steps(other.Subscriptions))
	w.Settle()
	if n := charges(w); n != 3 {
		t.Errorf("%d charges", n)
	}
	if n := w.Count(`subscriptions WHERE held_period = 2`); n != 1 {
		t.Errorf("%d are held", n)
	}
	wantHeld(w, max(one, two), 2, 1500, 2000)
	w.Audit()
}

func TestTwoTabs_RaisingTwoLevelsAtOnce_OneIsRefused(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	ids := []string{w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino)), w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))}
	w.SetLimit(aino, 2500, false)
	codes := make([]string, 2)
	raise := func(i int) func() {
		return func() { _, codes[i], _ = w.Act(http.MethodPost, ids[i], "/modify-level", `{"amount":15}`) }
	}
	var group sync.WaitGroup
	withLimitLocked(w, func() {
		group.Go(raise(0))
		group.Go(raise(1))
		awaitBlocked(w, 2)
	})
	group.Wait()
	if codes[0]+codes[1] != "spending_limit_exceeded" {
		t.Errorf("answered %q", codes)
	}
	if n := w.Count(`subscriptions WHERE next_level IS NOT NULL`); n != 1 {
		t.Errorf("%d levels were raised", n)
	}
	w.Audit()
}

func TestTwoTabs_BeginningAtOnce_OneIsRefused(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	w.GoTo(noon(anchor))
	w.SetLimit(aino, 5500, true)
	month, pledge := w.Subscription(paymentstest.OfUser(aino)), w.Content.Pledge(w.Now(), paymentstest.OfUser(aino))
	var a, b paymentstest.SetupAnswer
	together(func() { a = w.SetupMonth(month) }, func() { b = w.Setup(pledge) })
	if codes := a.Code + b.Code; codes != "spending_limit_exceeded" || a.Status+b.Status != http.StatusOK+http.StatusConflict {
		t.Errorf("answered %d %s and %d %s", a.Status, a.Code, b.Status, b.Code)
	}
	if n := w.Count(`payments`); n != 1 {
		t.Errorf("%d payments", n)
	}
}

// The limit is raised while a worker is about to hold the month: it is not left waiting for an answer that was given.
func TestLimit_RaisedWhileAMonthIsWeighed_HoldsNothing(t *testing.T) {
	t.Parallel()
	w, id := limited(t, 900)
	w.GoTo(calendar.At(day(2027, 2, 9), 10))
	var group sync.WaitGroup
	withLimitLocked(w, func() {
		group.Go(func() {
			if err := w.App.Subscriptions.Steps(t.Context()); err != nil {
				t.Error(err)
			}
		})
		awaitBlocked(w, 1)
		group.Go(func() { w.SetLimit(aino, 1000, false) })
		awaitBlocked(w, 2)
	})
	group.Wait()
	w.Settle()
	wantHeld(w, id, 0, 0, 0)
	onDay(w, day(2027, 2, 10))
	wantMonths(w, id, 2)
	w.WantTold(id, "activated", "limit_reached", "charge_coming", "renewed")
	w.Audit()
}

// The other way round: it is lowered while the charge of the day is weighed, and holds what comes after that.
func TestLimit_LoweredWhileAMonthBegins_HoldsTheNext(t *testing.T) {
	t.Parallel()
	w, id := limited(t, 1000)
	onDay(w, day(2027, 2, 9))
	w.GoTo(calendar.At(day(2027, 2, 10), 10))
	var group sync.WaitGroup
	withLimitLocked(w, func() {
		group.Go(func() {
			if err := w.App.Subscriptions.Steps(t.Context()); err != nil {
				t.Error(err)
			}
		})
		awaitBlocked(w, 1)
		group.Go(func() { w.SetLimit(aino, 900, false) })
		awaitBlocked(w, 2)
	})
	group.Wait()
	w.Settle()
	wantMonths(w, id, 2)
	overDays(w, day(2027, 3, 11))
	wantHeld(w, id, 3, 900, 1000)
	wantMonths(w, id, 2)
	w.Audit()
}

// Month after month the worker is killed, each time at the next of the statements that holding a month takes.
func TestWorker_KilledWhileItHoldsAMonth_TellsItOnceAndChargesNothing(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]bool{"before it runs": false, "after it took effect": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := &paymentstest.Killer{After: after}
			w := paymentstest.New(t, func(c *app.Config) { c.Tracer = k })
			w.GoTo(noon(anchor))
			id := w.Subscribed(paymentstest.Visa, paymentstest.OfUser(aino))
			if err := w.RenewCard(id, 2099, 12); err != nil {
				t.Fatal(err)
			}
			w.Settle()
			w.SetLimit(aino, 900, false)
			const most = 75
			for statement := 1; ; statement++ {
				period := statement + 1
				w.GoTo(calendar.At(calendar.Period(anchor, period), 9).Add(time.Second))
				wasKilled := k.Kill(t.Context(), statement, func(ctx context.Context) { _ = w.App.Subscriptions.Steps(ctx) })
				w.Bury()
				w.Pass(2 * time.Minute) // its leases
				w.Settle()
				wantHeld(w, id, period, 900, 1000)
				told := 0
				for _, e := range w.Told(id) {
					if e.Cause == "limit_reached" {
						told++
					}
				}
				if told != statement || charges(w) != 1 {
					t.Fatalf("killed at statement %d: told %d times of %d months, %d charges", statement, told, statement, charges(w))
				}
				if !wasKilled {
					break
				}
				if statement == most {
					t.Fatalf("more than %d statements", most)
				}
			}
			w.Audit()
		})
	}
}

// Whoever has an account and no limit costs one statement more on the day, as one question for all that may be.
func TestRenewal_WithoutALimit_AsksForItOnce(t *testing.T) {
	t.Parallel()
	count := func(whose ...func(*contentclient.Order)) int {
		w := paymentstest.New(t)
		w.GoTo(noon(anchor))
		id := w.Subscribed(paymentstest.Visa, whose...)
		onDay(w, day(2027, 2, 9))
		w.GoTo(calendar.At(day(2027, 2, 10), 9).Add(time.Second))
		ctx, statements := dbx.CountStatements(t.Context())
		if err := w.App.Subscriptions.Steps(ctx); err != nil {
			t.Fatal(err)
		}
		wantMonths(w, id, 2)
		return statements.Count()
	}
	without, with := count(), count(paymentstest.OfUser(aino))
	if t.Logf("%d statements, with an account %d", without, with); with != without+1 {
		t.Errorf("%d statements, with an account %d", without, with)
	}
}
