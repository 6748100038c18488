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
	Reached    map[string]int
	Statements int
	notes      []string
	log, state string
}

// Live lives the life of a seed. An error means that it could not be lived, not that something was found.
func (n *Lane) Live(ctx context.Context, seed uint64) (Result, error) {
	return n.live(ctx, seed, draw(seed, Operations))
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
	r = Result{Seed: seed, Operations: operations, Findings: l.findings, Reached: l.reached, Statements: l.statements, notes: l.notes, log: l.log.String()}
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

// Story tells a life with findings, operation by operation.
func (r Result) Story() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, %d operations\n", r.Seed, len(r.Operations))
	for i, o := range r.Operations {
		if len(r.Findings) > 0 && i > r.Findings[0].Step {
			break
		}
		note := ""
		if i < len(r.notes) {
			note = r.notes[i]
		}
		fmt.Fprintf(&b, "  %s  → %s\n", o, note)
	}
	if len(r.notes) > len(r.Operations) {
		fmt.Fprintf(&b, "  at the end → %s\n", r.notes[len(r.Operations)])
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "  FOUND %s\n", f)
	}
	return b.String()
}
