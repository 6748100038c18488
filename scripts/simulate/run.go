package simulate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// theme is what runs are about.
type theme struct {
	// again is how make is told of it.
	again string
	// operations is how many a run has.
	operations int
	// kinds are all of them, alongside those that may be interleaved with another one, openings the first ones of a run.
	kinds               []kind
	alongside, openings []string
	// rounds is how often the clock may be moved at the end; 0 is mostRounds.
	rounds int
	// span is how much time the operations are spread over; 0 when time passes by operations alone.
	span time.Duration
	// takesB tells that provider B takes money too.
	takesB bool
	// begin makes what a run starts with.
	begin func(sim *simulation, ctx context.Context) error
}

// pledging is about pledges, from the form to the last cent.
func pledging() theme {
	return theme{operations: 150, takesB: true, kinds: kinds(), alongside: alongside(), openings: openings(),
		begin: (*simulation).beginPledging}
}

func (th theme) kind(name string) kind {
	for _, k := range th.kinds {
		if k.name == name {
			return k
		}
	}
	panic("no operation is called " + name)
}

// Result is the outcome of a run.
type Result struct {
	Seed       uint64
	theme      theme
	Operations []operation
	Findings   []Finding // empty when the run passed
	// Reached counts the states that the run went through.
	Reached    map[string]int
	Statements int
	notes      []string
	log, state string
}

// Run runs the operations of a seed. Faults are in the result; an error means that the run could not be made.
func (n *Runner) Run(ctx context.Context, th theme, seed uint64) (Result, error) {
	return n.run(ctx, th, seed, th.draw(seed))
}

// Replay runs only those operations of a seed whose indices are in kept.
func (n *Runner) Replay(ctx context.Context, th theme, seed uint64, kept []int) (Result, error) {
	all := th.draw(seed)
	var operations []operation
	for _, i := range kept {
		if i < 0 || i >= len(all) {
			return Result{}, fmt.Errorf("a run has no operation %d", i)
		}
		operations = append(operations, all[i])
	}
	return n.run(ctx, th, seed, operations)
}

func (n *Runner) run(ctx context.Context, th theme, seed uint64, operations []operation) (r Result, err error) {
	sim, err := newSimulation(ctx, n, th, seed)
	if err != nil {
		return r, fmt.Errorf("begin run %d: %w", seed, err)
	}
	defer func() { err = errors.Join(err, sim.end()) }()
	if err := sim.run(ctx, operations); err != nil {
		return r, fmt.Errorf("run %d: %w", seed, err)
	}
	r = Result{Seed: seed, theme: th, Operations: operations, Findings: sim.findings, Reached: sim.reached, Statements: sim.statements,
		notes: sim.notes, log: shortened(sim.log.String())}
	if len(r.Findings) > 0 {
		r.state, err = sim.state(ctx)
	}
	return r, err
}

// run does the operations, settles and checks the end, up to the first finding.
func (sim *simulation) run(ctx context.Context, operations []operation) error {
	for i, o := range operations {
		sim.step = i
		if err := sim.perform(ctx, o); err != nil {
			return err
		}
		if err := sim.checkStep(ctx); err != nil || sim.hasFindings() {
			return err
		}
	}
	sim.step = len(operations)
	if err := sim.live(ctx, startTime.Add(sim.theme.span)); err != nil || sim.hasFindings() {
		return err
	}
	if err := sim.settle(ctx); err != nil || sim.hasFindings() {
		return err
	}
	return sim.checkEnd(ctx)
}

// Trace is the text of a run: its findings, each operation with its result, the services' logs, and the databases'
// content at the end.
func (r Result) Trace() string {
	var b strings.Builder
	kept := make([]string, len(r.Operations))
	for i, o := range r.Operations {
		kept[i] = fmt.Sprint(o.index)
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "FOUND %s\n", f)
	}
	fmt.Fprintf(&b, "seed %d, %d operations; again: make simulate %sSEED=%d KEEP=%s\n", r.Seed, len(r.Operations), r.theme.again, r.Seed,
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

// shortened leaves out the middle of a long log: work that never ends logs the same line a thousand times.
func shortened(log string) string {
	const ends = 50
	lines := strings.Split(log, "\n")
	if len(lines) <= 2*ends {
		return log
	}
	return strings.Join(lines[:ends], "\n") + "\n…\n" + strings.Join(lines[len(lines)-ends:], "\n")
}
