package ledger

import (
	"slices"
	"strings"
	"testing"
)

// Each worked example of the table is what its rule posts, and adds up to nothing.
func TestRules_ExamplesAreWhatTheRulesPost(t *testing.T) {
	t.Parallel()
	for _, r := range Rules() {
		if len(r.Examples) == 0 || r.Says == "" {
			t.Errorf("%s: no example, or no words", r.Kind)
		}
		for _, e := range r.Examples {
			got := r.Legs(e.Given)
			sum := int64(0)
			for _, l := range got {
				sum += l.Minor
			}
			if sum != 0 {
				t.Errorf("%s, %s: adds up to %d", r.Kind, e.When, sum)
			}
			if !slices.Equal(sorted(got), sorted(e.Legs)) {
				t.Errorf("%s, %s: posts %v, the example says %v", r.Kind, e.When, got, e.Legs)
			}
		}
	}
}

func sorted(legs []Leg) []Leg {
	out := slices.Clone(legs)
	slices.SortFunc(out, func(a, b Leg) int { return strings.Compare(string(a.Class), string(b.Class)) })
	return out
}

// Whatever stands where, a forced movement takes no more from a guarded account than the charge has there: banks and
// providers move money without asking, and booking it never fails.
func TestRules_ForcedMovementsNeverOverdraw(t *testing.T) {
	t.Parallel()
	sums := []int64{0, 1, 30, 100}
	for _, r := range Rules() {
		if !r.positioned {
			continue
		}
		for _, funds := range sums {
			for _, owed := range sums {
				for _, held := range sums {
					for _, amount := range []int64{1, 50, 100, 250} {
						p := Position{Funds: funds, Owed: owed, Held: held}
						g := Given{Amount: amount, Position: p}
						if r.Kind == DisputeWon || r.Kind == DisputeLost {
							opening := byKind[DisputeOpened].Legs(g)
							g.Opening, g.Position = opening, after(p, opening)
						}
						if left := after(g.Position, r.Legs(g)); min(left.Funds, left.Owed, left.Held, left.Disputed, left.Hold) < 0 {
							t.Fatalf("%s of %d from %+v leaves %+v", r.Kind, amount, g.Position, left)
						}
					}
				}
			}
		}
	}
}

// after is a position with legs posted.
func after(p Position, legs []Leg) Position {
	for _, l := range legs {
		switch l.Class {
		case Funds:
			p.Funds -= l.Minor
		case Disputed:
			p.Disputed -= l.Minor
		case Owed:
			p.Owed -= l.Minor
		case Held:
			p.Held -= l.Minor
		case Hold:
			p.Hold += l.Minor
		default:
		}
	}
	return p
}

// A dispute that is won leaves everything as it was, whatever stood where.
func TestRules_OpenedAndWonIsNothing(t *testing.T) {
	t.Parallel()
	for _, p := range []Position{{Funds: 100}, {Owed: 100}, {Held: 100}, {Funds: 60, Owed: 40},
		{Funds: 10, Owed: 20, Held: 30}, {}} {
		opening := byKind[DisputeOpened].Legs(Given{Amount: 100, Position: p})
		middle := after(p, opening)
		if got := after(middle, byKind[DisputeWon].Legs(Given{Amount: 100, Position: middle, Opening: opening})); got != p {
			t.Errorf("from %+v over %+v to %+v", p, middle, got)
		}
	}
}

// A bank that gives back more than it took makes a loss smaller; it overdraws no hold.
func TestRules_WonAboveTheHold_IsBooked(t *testing.T) {
	t.Parallel()
	opening := byKind[DisputeOpened].Legs(Given{Amount: 100, Position: Position{Funds: 100}})
	middle := after(Position{Funds: 100}, opening)
	legs := byKind[DisputeWon].Legs(Given{Amount: 103, Position: middle, Opening: opening})
	if got := after(middle, legs); got != (Position{Funds: 100}) {
		t.Errorf("stands at %+v after %v", got, legs)
	}
}
