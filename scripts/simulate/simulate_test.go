package simulate

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	contentmigrations "talkoot.fi/content/migrations"
	"talkoot.fi/kit/dbtest"
	payments "talkoot.fi/payments/inproc"
)

// How `make simulate` differs from a test run.
var (
	runFor    = flag.Duration("for", 0, "run random seeds for this long")
	runs      = flag.Int("runs", 0, "run this many random seeds")
	seed      = flag.String("seed", "", "run this seed")
	years     = flag.Int("years", 0, "of each life of monthly support")
	keep      = flag.String("keep", "", "with -seed: of its operations only these, separated by commas")
	shrinkFor = flag.Duration("shrink", 2*time.Minute,
		"how long to look for a shorter list of operations of a run that fails")
)

const (
	// runsPerDatabase is after how many runs a runner gets new databases: tables that are emptied again and again
	// collect dead rows.
	runsPerDatabase = 40
	// fixedSeeds and randomSeeds are how many seeds a test run takes: the same ones each time, and new ones.
	fixedSeeds, randomSeeds = 3, 2
	fixedLives, randomLives = 1, 1
	// fixedPayouts and randomPayouts are the same for runs about payouts.
	fixedPayouts, randomPayouts = 2, 1
)

func TestMain(m *testing.M) {
	redis.SetLogger(silent{}) // Redis is down for all runs, which its client would log again and again
	os.Exit(m.Run())
}

type silent struct{}

func (silent) Printf(context.Context, string, ...any) {}

func newRunner(t testing.TB) *Runner {
	t.Helper()
	n, err := NewRunner(t.Context(), Databases{
		ContentURL: dbtest.New(t, contentmigrations.FS).URL, PaymentsURL: dbtest.New(t, payments.Migrations).URL,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return n
}

// seeds returns the next seed until there is none.
func seeds(t *testing.T, fixed, random int) func() (uint64, bool) {
	var mu sync.Mutex
	given, until := 0, time.Now().Add(*runFor)
	return func() (uint64, bool) {
		mu.Lock()
		defer mu.Unlock()
		given++
		switch {
		case t.Failed():
			return 0, false
		case *runFor > 0 && *runs > 0:
			return uint64(rand.Uint32()), time.Now().Before(until) && given <= *runs
		case *runFor > 0:
			return uint64(rand.Uint32()), time.Now().Before(until)
		case *runs > 0:
			return uint64(rand.Uint32()), given <= *runs
		case given <= fixed:
			return uint64(given), true
		}
		return uint64(rand.Uint32()), given <= fixed+random
	}
}

// tally adds up the results of all runs.
type tally struct {
	mu               sync.Mutex
	runs, statements int
	reached          map[string]int
}

func (y *tally) add(r Result) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.runs++
	y.statements += r.Statements
	for what, n := range r.Reached {
		y.reached[what] += n
	}
}

func TestSimulation(t *testing.T) { simulate(t, pledging(), fixedSeeds, randomSeeds, pledgingReaches) }

// Lives of campaigns' money after their end.
func TestPayoutSimulation(t *testing.T) {
	simulate(t, payingOut(), fixedPayouts, randomPayouts, payoutReaches)
}

// Lives of subscriptions: a year each in a test run, ten by make simulate.
func TestMonthlySimulation(t *testing.T) {
	simulate(t, supporting(max(*years, 1)), fixedLives, randomLives, nil)
}

// simulate runs seeds, many of which together must have reached what is listed.
func simulate(t *testing.T, th theme, fixed, random int, reaches []string) {
	if *seed != "" {
		replay(t, th)
		return
	}
	begun, next, all := time.Now(), seeds(t, fixed, random), &tally{reached: map[string]int{}}
	if testing.Verbose() {
		report(t, th, all, begun)
	}
	t.Cleanup(func() { wantReached(t, all, reaches) }) // when all runners have ended
	for i := range runtime.GOMAXPROCS(0) {
		t.Run(fmt.Sprintf("runner %d", i+1), func(t *testing.T) {
			t.Parallel()
			for more := true; more; {
				t.Run("databases", func(t *testing.T) {
					n := newRunner(t)
					for range runsPerDatabase {
						var s uint64
						if s, more = next(); !more {
							return
						}
						r, err := n.Run(t.Context(), th, s)
						if err != nil {
							t.Fatal(err)
						}
						all.add(r)
						if len(r.Findings) > 0 {
							t.Errorf("seed %d: %v", s, r.Findings)
							if r, err = n.Shrink(t.Context(), r, *shrinkFor); err != nil {
								t.Fatal(err)
							}
							t.Fatalf("shortened:\n%s", r.Trace())
						}
					}
				})
			}
		})
	}
}

// replay runs -seed and prints its trace. A run that fails is shrunk first, unless -keep is given.
func replay(t *testing.T, th theme) {
	s, err := strconv.ParseUint(*seed, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	n := newRunner(t)
	r, err := n.Run(t.Context(), th, s)
	if *keep != "" {
		var kept []int
		for _, part := range strings.Split(*keep, ",") {
			i, bad := strconv.Atoi(part)
			err = errors.Join(err, bad)
			kept = append(kept, i)
		}
		if err == nil {
			r, err = n.Replay(t.Context(), th, s, kept)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) > 0 && *keep == "" {
		t.Errorf("seed %d: %v", s, r.Findings)
		if r, err = n.Shrink(t.Context(), r, *shrinkFor); err != nil {
			t.Fatal(err)
		}
	}
	if len(r.Findings) > 0 {
		t.Fatal(r.Trace())
	}
	t.Log(r.Trace())
}

// report prints the progress every minute, and at the end how often each state was reached: a simulation that does not
// reach a state cannot find faults in it.
func report(t *testing.T, th theme, all *tally, begun time.Time) {
	stop := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		tick := time.NewTicker(time.Minute)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				all.mu.Lock()
				fmt.Printf("%s: %d runs, %d operations\n", time.Since(begun).Round(time.Second), all.runs, all.runs*th.operations)
				all.mu.Unlock()
			}
		}
	})
	t.Cleanup(func() {
		close(stop)
		group.Wait()
		for _, what := range slices.Sorted(maps.Keys(all.reached)) {
			fmt.Printf("  %8d  %s\n", all.reached[what], what)
		}
		took := time.Since(begun)
		fmt.Printf("%d runs, %d operations, %d statements in %s: %.2f runs a second\n", all.runs, all.runs*th.operations,
			all.statements,
			took.Round(time.Second), float64(all.runs)/took.Seconds())
	})
}

func TestRun_IsDeterminedByItsSeed(t *testing.T) {
	n := newRunner(t)
	first, err := n.Run(t.Context(), pledging(), 3)
	if err != nil {
		t.Fatal(err)
	}
	again, err := n.Run(t.Context(), pledging(), 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, note := range first.notes {
		if one, other := withoutIDs(note), withoutIDs(again.notes[i]); one != other {
			t.Fatalf("operation %d came to %q, then to %q", i, one, other)
		}
	}
	if first.Statements != again.Statements {
		t.Errorf("%d statements, then %d", first.Statements, again.Statements)
	}
}

// ourID matches our ids, which are random and differ between runs.
var ourID = regexp.MustCompile(`[0-9a-hjkmnp-tv-z]{26}`)

func withoutIDs(text string) string { return ourID.ReplaceAllString(text, "…") }
