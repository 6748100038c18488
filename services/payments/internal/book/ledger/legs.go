package ledger

import "slices"

// Leg is one side of a posting: debit positive, credit negative.
type Leg struct {
	Class Class
	Minor int64
	// Left says that a movement between two places of a provider's balance leaves this one.
	Left bool
	// GivenUp says of a loss that it is a debt which two people gave up: its creator keeps what they were paid.
	GivenUp bool
}

func dr(c Class, minor int64) Leg { return Leg{Class: c, Minor: minor} }

func cr(c Class, minor int64) Leg { return Leg{Class: c, Minor: -minor} }

// Legs are what the rule posts; they add up to nothing, and those of one class are one.
func (r Rule) Legs(g Given) []Leg {
	var out []Leg
	for _, l := range r.legs(g) {
		i := slices.IndexFunc(out, func(o Leg) bool { return o.Class == l.Class && o.Left == l.Left && o.GivenUp == l.GivenUp })
		if i < 0 {
			out = append(out, l)
			continue
		}
		out[i].Minor += l.Minor
	}
	return slices.DeleteFunc(out, func(l Leg) bool { return l.Minor == 0 })
}

// move is the usual rule: from the credited to the debited class.
func move(debit, credit Class) func(Given) []Leg {
	return func(g Given) []Leg { return []Leg{dr(debit, g.Amount), cr(credit, g.Amount)} }
}

// share is a class with what it has left to be taken.
type share struct {
	class Class
	left  int64
}

// takeBack takes a sum from the classes in their order, each as far as it has something left; rest is what none of them
// had.
func takeBack(amount int64, from ...share) (legs []Leg, rest int64) {
	for _, s := range from {
		if n := min(amount, max(s.left, 0)); n > 0 {
			legs, amount = append(legs, dr(s.class, n)), amount-n
		}
	}
	return legs, amount
}

// reversed turns each leg round.
func reversed(legs []Leg) []Leg {
	out := make([]Leg, len(legs))
	for i, l := range legs {
		out[i] = l
		out[i].Minor = -l.Minor
	}
	return out
}

// sum is what legs have of a class.
func sum(legs []Leg, class Class) (minor int64) {
	for _, l := range legs {
		if l.Class == class {
			minor += l.Minor
		}
	}
	return minor
}
