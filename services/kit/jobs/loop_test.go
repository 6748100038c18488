package jobs_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"talkoot.fi/kit/jobs"
)

// rows are what is due, in their order, and who has them.
type rows struct {
	mu       sync.Mutex
	due      []int
	limits   []int
	working  int
	mostWork int
	done     []int
	fault    error
}

func (r *rows) claim(_ context.Context, limit int) ([]int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.limits = append(r.limits, limit)
	n := min(limit, len(r.due))
	got := slices.Clone(r.due[:n])
	r.due = r.due[n:]
	return got, r.fault
}

// work takes as many seconds as the row's number.
func (r *rows) work(_ context.Context, row int) {
	r.mu.Lock()
	r.working++
	r.mostWork = max(r.mostWork, r.working)
	r.mu.Unlock()
	time.Sleep(time.Duration(row) * time.Second)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.working--
	r.done = append(r.done, row)
}

// A claim that leases more than it was asked for leaves nothing behind, and the loop goes on.
func TestLoop_RowsPastTheLimitWaitForASlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &rows{due: []int{1, 1, 1, 1, 1, 1, 1}}
		l := jobs.NewLoop(2, func(ctx context.Context, limit int) ([]int, error) { return r.claim(ctx, 3*limit) }, r.work)
		for range 3 {
			if _, err := l.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			l.Wait()
			r.mu.Lock()
			r.due = append(r.due, 1)
			r.mu.Unlock()
		}
		if len(r.done) != 9 || r.mostWork != 2 {
			t.Errorf("%d rows were worked on, at most %d at once", len(r.done), r.mostWork)
		}
	})
}

func TestLoop_ASlowRowHoldsUpNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &rows{due: []int{60, 1, 1, 1, 1}}
		l := jobs.NewLoop(2, r.claim, r.work)
		began := time.Now()
		if found, err := l.Start(t.Context()); err != nil || !found {
			t.Fatal(found, err)
		}
		if took := time.Since(began); took != 4*time.Second { // the other slot is free again
			t.Errorf("all are claimed after %s", took)
		}
		l.Wait()
		if took := time.Since(began); took != time.Minute || len(r.done) != 5 || r.mostWork != 2 {
			t.Errorf("%+v after %s", r.done, took)
		}
		for _, limit := range r.limits {
			if limit > 2 {
				t.Errorf("%d are claimed with two slots", limit)
			}
		}
	})
}

func TestLoop_StartsNothingNewWhenItIsStopped_AndFinishesWhatHasBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &rows{due: []int{5, 5, 5}}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		l := jobs.NewLoop(1, r.claim, r.work)
		if _, err := l.Start(ctx); err != nil {
			t.Fatal(err)
		}
		l.Wait()
		if len(r.done) != 1 || len(r.due) != 2 {
			t.Errorf("done %v, left %v", r.done, r.due)
		}
	})
}

func TestLoop_Paced_ClaimsOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &rows{due: []int{1, 1, 1}}
		began := time.Now()
		l := jobs.NewLoop(8, r.claim, r.work).Paced(func(context.Context) error { time.Sleep(10 * time.Second); return nil })
		if _, err := l.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		l.Wait()
		if took := time.Since(began); took != 40*time.Second || !slices.Equal(r.limits, []int{1, 1, 1, 1}) || r.mostWork != 1 {
			t.Errorf("limits %v, %d at once, after %s", r.limits, r.mostWork, took)
		}
	})
}

// A claim may fail after it has leased some: those are worked on, and every slot is free again.
func TestLoop_AFaultOfAClaimIsTold_AndCostsNoSlot(t *testing.T) {
	r := &rows{due: []int{0}, fault: errors.New("the database is away")}
	l := jobs.NewLoop(2, r.claim, r.work)
	for range 5 {
		if _, err := l.Start(t.Context()); !errors.Is(err, r.fault) {
			t.Fatal(err)
		}
	}
	l.Wait()
	if len(r.done) != 1 || len(r.limits) != 5 {
		t.Errorf("%+v", r)
	}
}

func TestRecovered_APanicIsAnErrorWithItsPlace(t *testing.T) {
	err := jobs.Recovered(func() error { panic("no such row") })
	if err == nil || !strings.Contains(err.Error(), "no such row") || !strings.Contains(err.Error(), "loop_test.go") {
		t.Error(err)
	}
	if err := jobs.Recovered(func() error { return context.Canceled }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
