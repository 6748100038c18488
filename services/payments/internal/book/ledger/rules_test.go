package ledger

import (
	"iter"
	"math/rand/v2"
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
	for _, r := range Rules() {
		if !r.positioned || !r.Forced && r.Kind != RefundBegun {
			continue
		}
		for p := range positions() {
			for _, amount := range []int64{1, 50, 100, 250} {
				g := Given{Amount: amount, Position: p}
				switch r.Kind {
				case DisputeWon, DisputeLost:
					g.Opening = byKind[DisputeOpened].Legs(g)
				case DisputeLostReversed:
					opened := byKind[DisputeOpened].Legs(g)
					g.Opening = byKind[DisputeLost].Legs(Given{Amount: amount, Position: after(p, opened), Opening: opened})
					g.Position = after(p, opened)
				default:
				}
				g.Position = after(g.Position, g.Opening)
				if left := after(g.Position, r.Legs(g)); least(left) < 0 {
					t.Fatalf("%s of %d from %+v leaves %+v", r.Kind, amount, g.Position, left)
				}
			}
		}
	}
}

// positions are those that a charge may have, before and after its settlement.
func positions() iter.Seq[Position] {
	sums := []int64{0, 1, 30, 100}
	return func(yield func(Position) bool) {
		for _, funds := range sums {
			for _, owed := range sums {
				for _, held := range sums {
					for _, settled := range []Position{{}, {Creator: 95, Revenue: 4, VAT: 1}, {Creator: 1, VAT: 1, Debt: 30}, {Debt: 7}, {Debt: 7, GivenUp: 30}} {
						settled.Funds, settled.Owed, settled.Held = funds, owed, held
						if !yield(settled) {
							return
						}
					}
				}
			}
		}
	}
}

func least(p Position) int64 {
	return min(p.Funds, p.Owed, p.Held, p.Disputed, p.Hold, p.Creator, p.Revenue, p.VAT, p.Debt, p.GivenUp)
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
		case Payable, Reserve:
			p.Creator -= l.Minor
		case Debt:
			p.Creator, p.Debt = p.Creator-l.Minor, p.Debt+l.Minor
		case Revenue:
			p.Revenue -= l.Minor
		case VAT:
			p.VAT -= l.Minor
		case Loss:
			if l.GivenUp {
				p.Creator, p.GivenUp = p.Creator-l.Minor, p.GivenUp+l.Minor
			}
		case Clearing, Bank, InputVAT, Suspense, AtCreator, CreatorHeld, Fees:
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

// A settled charge that goes back in parts, however they are cut, leaves nothing with anybody: no cent is lost or found.
func TestRules_SettledChargeGoesBackInParts_EachGivesAllThatItHad(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)
	for range 500 {
		whole := 1 + random.Int64N(20000)
		fee := random.Int64N(whole/10 + 1)
		vat := random.Int64N(fee + 1)
		p := after(Position{Funds: whole}, byKind[Settlement].Legs(Given{Amount: whole,
			Shares: Shares{Revenue: fee - vat, VAT: vat, Reserve: random.Int64N(whole - fee + 1)}}))
		if p != (Position{Creator: whole - fee, Revenue: fee - vat, VAT: vat}) {
			t.Fatalf("settled: %+v", p)
		}
		for left := whole; left > 0; {
			part := 1 + random.Int64N(left)
			kind := []Kind{RefundBegun, Refund, DebitReturned}[random.IntN(3)]
			p = after(p, byKind[kind].Legs(Given{Amount: part, Position: Position{
				Creator: p.Creator, Revenue: p.Revenue, VAT: p.VAT, Debt: p.Debt}}))
			left -= part
			if least(p) < 0 || p.Settled() != left {
				t.Fatalf("%d of %d left: %+v", left, whole, p)
			}
		}
		if p.Creator != 0 || p.Revenue != 0 || p.VAT != 0 || p.Debt != whole-fee {
			t.Fatalf("all has gone back: %+v", p)
		}
	}
}

// A refund or a lost dispute of settled money that is taken back leaves everybody with what they had, also when the
// creator has paid their debt meanwhile: then it is payable to them.
func TestRules_TakenBackAndGivenAgain_IsNothing(t *testing.T) {
	t.Parallel()
	before := Position{Creator: 9500, Revenue: 398, VAT: 102}
	for _, amount := range []int64{1, 3000, 9999, 10000} {
		for _, paid := range []int64{0, 1, 9500} {
			bare := byKind[DisputeOpened].Legs(Given{Amount: amount, Position: before})
			for kind, undo := range map[Kind]Kind{RefundBegun: RefundWithdrawn, DisputeLost: DisputeLostReversed} {
				start, g := before, Given{Amount: amount, Position: before}
				if kind == DisputeLost {
					start = after(before, bare)
					g.Position, g.Opening = start, bare
				}
				taken := byKind[kind].Legs(g)
				middle := after(start, taken)
				offset := min(paid, middle.Debt)
				if offset > 0 {
					middle = after(middle, byKind[DebtOffset].Legs(Given{Amount: offset, Position: middle}))
				}
				legs := byKind[undo].Legs(Given{Amount: amount, Position: middle, Opening: taken})
				if got := after(middle, legs); got != start {
					t.Errorf("%s of %d, %d paid: from %+v over %+v to %+v", kind, amount, offset, start, middle, got)
				}
				if got := -sum(legs, Payable); got != offset {
					t.Errorf("%s of %d: %d are payable again of %d that were paid", kind, amount, got, offset)
				}
			}
		}
	}
}

// What is on creators' accounts is theirs: each movement of it stands on both accounts of the pair, as opposites.
func TestRules_CustodyIsAPairOfOpposites(t *testing.T) {
	t.Parallel()
	moving := 0
	for _, r := range Rules() {
		for _, e := range r.Examples {
			at, held := sum(r.Legs(e.Given), AtCreator), sum(r.Legs(e.Given), CreatorHeld)
			if at != -held {
				t.Errorf("%s: %d at the creator's, %d held for them", r.Kind, at, held)
			}
			if at != 0 {
				moving++
			}
		}
	}
	if moving != 5 {
		t.Errorf("%d kinds move creators' own money", moving)
	}
}

// What a debt that was given up would have brought back is ours when a bank gives the charge back: the creator was paid it before.
func TestRules_GivenUpAndGivenAgain_IsNothing(t *testing.T) {
	t.Parallel()
	before := Position{Creator: 9500, Revenue: 398, VAT: 102}
	for _, amount := range []int64{1, 3000, 10000} {
		for _, paid := range []int64{0, 1, 2000} { // of the debt, before the rest is given up
			bare := byKind[DisputeOpened].Legs(Given{Amount: amount, Position: before})
			for kind, undo := range map[Kind]Kind{RefundBegun: RefundWithdrawn, DisputeLost: DisputeLostReversed} {
				start, g := before, Given{Amount: amount, Position: before}
				if kind == DisputeLost {
					start = after(before, bare)
					g.Position, g.Opening = start, bare
				}
				taken := byKind[kind].Legs(g)
				middle := after(start, taken)
				offset := min(paid, middle.Debt)
				if offset > 0 {
					middle = after(middle, byKind[DebtOffset].Legs(Given{Amount: offset, Position: middle}))
				}
				if middle.Debt > 0 {
					middle = after(middle, byKind[WriteOff].Legs(Given{Amount: middle.Debt, Position: middle}))
				}
				if want := start.Settled() - amount; middle.Settled() != want {
					t.Errorf("%s of %d, the rest of it given up: %d are settled, want %d", kind, amount, middle.Settled(), want)
				}
				legs := byKind[undo].Legs(Given{Amount: amount, Position: middle, Opening: taken})
				if got := after(middle, legs); got != start {
					t.Errorf("%s of %d, %d paid: from %+v over %+v to %+v", kind, amount, offset, start, middle, got)
				}
				if got := -sum(legs, Payable); got != offset {
					t.Errorf("%s of %d: %d are payable to who has paid %d", kind, amount, got, offset)
				}
			}
		}
	}
}
