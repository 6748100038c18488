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
	runFor    = flag.Duration("for", 0, "live lives of random seeds for so long")
	lives     = flag.Int("lives", 0, "live so many lives of random seeds")
	seed      = flag.String("seed", "", "live the life of this seed")
	keep      = flag.String("keep", "", "with -seed: of its operations only these, separated by commas")
	shrinkFor = flag.Duration("shrink", 2*time.Minute,
		"look so long for a shorter list of operations of a life that fails")
)

const (
	// livesPerLane is after how many lives a lane gets new databases: tables that are emptied again and again collect dead
	// rows.
	livesPerLane = 40
	// fixedSeeds and randomSeeds are how many seeds a test run takes: the same ones each time, and new ones.
	fixedSeeds, randomSeeds = 6, 4
)

func TestMain(m *testing.M) {
	redis.SetLogger(silent{}) // Redis is down for all lives, which its client would tell again and again
	os.Exit(m.Run())
}

type silent struct{}

func (silent) Printf(context.Context, string, ...any) {}

func newLane(t testing.TB) *Lane {
	t.Helper()
	n, err := NewLane(t.Context(), Databases{
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

// seeds gives the next life's seed until there is none.
func seeds(t *testing.T) func() (uint64, bool) {
	var mu sync.Mutex
	given, until := 0, time.Now().Add(*runFor)
	return func() (uint64, bool) {
		mu.Lock()
		defer mu.Unlock()
		given++
		switch {
		case t.Failed():
			return 0, false
		case *runFor > 0 && *lives > 0:
			return uint64(rand.Uint32()), time.Now().Before(until) && given <= *lives
		case *runFor > 0:
			return uint64(rand.Uint32()), time.Now().Before(until)
		case *lives > 0:
			return uint64(rand.Uint32()), given <= *lives
		case given <= fixedSeeds:
			return uint64(given), true
		}
		return uint64(rand.Uint32()), given <= fixedSeeds+randomSeeds
	}
}

// tally is what all lives came to.
type tally struct {
	mu                sync.Mutex
	lives, statements int
	reached           map[string]int
}

func (y *tally) add(r Result) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.lives++
	y.statements += r.Statements
	for what, n := range r.Reached {
		y.reached[what] += n
	}
}

func TestLives(t *testing.T) {
	if *seed != "" {
		relive(t)
		return
	}
	begun, next, all := time.Now(), seeds(t), &tally{reached: map[string]int{}}
	if testing.Verbose() {
		report(t, all, begun)
	}
	for i := range runtime.GOMAXPROCS(0) {
		t.Run(fmt.Sprintf("lane %d", i+1), func(t *testing.T) {
			t.Parallel()
			for more := true; more; {
				t.Run("databases", func(t *testing.T) {
					n := newLane(t)
					for range livesPerLane {
						var s uint64
						if s, more = next(); !more {
							return
						}
						r, err := n.Live(t.Context(), s)
						if err != nil {
							t.Fatal(err)
						}
						all.add(r)
						if len(r.Findings) > 0 {
							t.Errorf("seed %d: %v", s, r.Findings)
							if r, err = n.Shrink(t.Context(), r, *shrinkFor); err != nil {
								t.Fatal(err)
							}
							t.Fatalf("shortened:\n%s", r.Story())
						}
					}
				})
			}
		})
	}
}

// relive lives one life, that of -seed, and tells it when it fails.
func relive(t *testing.T) {
	s, err := strconv.ParseUint(*seed, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	n := newLane(t)
	r, err := n.Live(t.Context(), s)
	if *keep != "" {
		var kept []int
		for _, part := range strings.Split(*keep, ",") {
			i, bad := strconv.Atoi(part)
			err = errors.Join(err, bad)
			kept = append(kept, i)
		}
		if err == nil {
			r, err = n.Relive(t.Context(), s, kept)
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
		t.Fatal(r.Story())
	}
	t.Log(r.Story())
}

// report prints every minute how far it is, and at the end what was reached: a simulation that reaches nothing finds
// nothing.
func report(t *testing.T, all *tally, begun time.Time) {
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
				fmt.Printf("%s: %d lives, %d operations\n", time.Since(begun).Round(time.Second), all.lives, all.lives*Operations)
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
		fmt.Printf("%d lives, %d operations, %d statements in %s: %.2f lives a second\n", all.lives, all.lives*Operations,
			all.statements,
			took.Round(time.Second), float64(all.lives)/took.Seconds())
	})
}

func TestLife_IsTheSameAgain(t *testing.T) {
	n := newLane(t)
	first, err := n.Live(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	again, err := n.Live(t.Context(), 3)
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

// ourID is one of the ids that are no two times the same.
var ourID = regexp.MustCompile(`[0-9a-hjkmnp-tv-z]{26}`)

func withoutIDs(text string) string { return ourID.ReplaceAllString(text, "…") }
