package simulate

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Operations is how many a life has.
const Operations = 120

// Result is what became of a life.
type Result struct {
	Seed       uint64
	Operations []operation
	Findings   []Finding // none is the only good answer
	// Reached counts the states that the life went through.
	Reached    map[string]int
	Statements int
	notes      []string
	log, state string
}

// Live runs the life of a seed. An error means that it could not be run, not that something was found.
func (n *Lane) Live(ctx context.Context, seed uint64) (Result, error) {
	return n.live(ctx, seed, draw(seed, Operations))
}

// Relive runs it with only those of its operations whose indices are kept.
func (n *Lane) Relive(ctx context.Context, seed uint64, kept []int) (Result, error) {
	all := draw(seed, Operations)
	var operations []operation
	for _, i := range kept {
		if i < 0 || i >= len(all) {
			return Result{}, fmt.Errorf("a life has no operation %d", i)
		}
		operations = append(operations, all[i])
	}
	return n.live(ctx, seed, operations)
}

func (n *Lane) live(ctx context.Context, seed uint64, operations []operation) (r Result, err error) {
	l, err := newLife(ctx, n, seed)
	if err != nil {
		return r, fmt.Errorf("begin life %d: %w", seed, err)
	}
	defer func() { err = errors.Join(err, l.end()) }()
	if err := l.run(ctx, operations); err != nil {
		return r, fmt.Errorf("live life %d: %w", seed, err)
	}
	r = Result{Seed: seed, Operations: operations, Findings: l.findings, Reached: l.reached, Statements: l.statements,
		notes: l.notes, log: shortened(l.log.String())}
	if len(r.Findings) > 0 {
		r.state, err = l.state(ctx)
	}
	return r, err
}

// run does the operations and what follows, up to the first finding.
func (l *life) run(ctx context.Context, operations []operation) error {
	for i, o := range operations {
		l.step = i
		if err := l.perform(ctx, o); err != nil {
			return err
		}
		if err := l.checkStep(ctx); err != nil || l.hasFindings() {
			return err
		}
	}
	l.step = len(operations)
	if err := l.settle(ctx); err != nil || l.hasFindings() {
		return err
	}
	return l.checkEnd(ctx)
}

// Story tells a life with findings, operation by operation: what was done, what it came to, the services' logs, and
// what the databases held at last.
func (r Result) Story() string {
	var b strings.Builder
	kept := make([]string, len(r.Operations))
	for i, o := range r.Operations {
		kept[i] = fmt.Sprint(o.index)
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "FOUND %s\n", f)
	}
	fmt.Fprintf(&b, "seed %d, %d operations; again: make simulate SEED=%d KEEP=%s\n", r.Seed, len(r.Operations), r.Seed,
		strings.Join(kept, ","))
	for i, o := range r.Operations {
		if len(r.Findings) > 0 && i > r.Findings[0].Step {
			break
		}
		note := ""
		if i < len(r.notes) {
			note = r.notes[i]
		}
		fmt.Fprintf(&b, "  %2d: %s → %s\n", i, o, note)
	}
	if len(r.notes) > len(r.Operations) {
		fmt.Fprintf(&b, "  at the end → %s\n", r.notes[len(r.Operations)])
	}
	fmt.Fprintf(&b, "Logs, by operation:\n%s\nAt last:\n%s", r.log, r.state)
	return b.String()
}

// shortened leaves out the middle of a long log: what does not come to rest says the same thing a thousand times.
func shortened(log string) string {
	const ends = 50
	lines := strings.Split(log, "\n")
	if len(lines) <= 2*ends {
		return log
	}
	return strings.Join(lines[:ends], "\n") + "\n…\n" + strings.Join(lines[len(lines)-ends:], "\n")
}
