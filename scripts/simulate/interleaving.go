package simulate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// interleaving runs two operations statement by statement: before each statement a random stream decides which
// operation goes on. When a statement waits for a lock, the other operation goes on, and the first one when it is
// chosen again after it has got its lock. The order follows from the stream alone, whatever the machine is doing.
type interleaving struct {
	sim   *simulation
	mu    sync.Mutex
	tasks []*task
	wake  chan struct{}
	turns int
	// switches is how often the turn went to the other, waits how often because of a lock.
	switches, waits int
}

type taskState int

const (
	waiting taskState = iota // before a statement, until it is given the turn
	running                  // has the turn
	blocked                  // in a statement that waits for a lock
	done
)

// task is one of the operations.
type task struct {
	of          *interleaving
	state       taskState
	turn        chan struct{}
	pid         uint32
	inStatement bool
}

type taskKey struct{}

// taskOf finds the operation that a statement belongs to; nil for one that runs alone.
func taskOf(ctx context.Context) *task {
	t, _ := ctx.Value(taskKey{}).(*task)
	return t
}

const (
	// lockCheck is how long a statement runs until we look whether it waits for a lock.
	lockCheck = 2 * time.Millisecond
	// hangAfter is how long without progress counts as a hang; PostgreSQL ends a deadlock after a second.
	hangAfter = 20 * time.Second
)

// atOnce interleaves the operations until all have ended. The error says that they hang.
func (sim *simulation) atOnce(ctx context.Context, random *rand.Rand, ops ...func(ctx context.Context)) error {
	g := &interleaving{sim: sim, wake: make(chan struct{}, 1)}
	for _, op := range ops {
		t := &task{of: g, turn: make(chan struct{})}
		g.tasks = append(g.tasks, t)
		go func() {
			defer t.end()
			<-t.turn
			op(context.WithValue(ctx, taskKey{}, t))
		}()
	}
	stay := []float64{0.5, 0.8, 0.95}[random.IntN(3)]
	last := -1
	for {
		ready, over, err := g.settle(ctx)
		if err != nil || over {
			if g.switches > 1 {
				sim.count("interleaved", "pairs that took turns")
			}
			if g.waits > 0 {
				sim.count("interleaved", "pairs that waited for a lock")
			}
			return err
		}
		next := ready[0]
		if len(ready) == 2 {
			if next = last; last < 0 || random.Float64() >= stay {
				next = random.IntN(2)
			}
		}
		if next != last && last >= 0 {
			g.switches++
		}
		last = next
		if err := g.give(ctx, g.tasks[next]); err != nil {
			return err
		}
	}
}

// settle waits until no task is in the middle of a statement that will end by itself, and returns those that are
// before their next statement; over says that both have ended.
func (g *interleaving) settle(ctx context.Context) (ready []int, over bool, err error) {
	limit := time.Now().Add(hangAfter)
	for {
		ready, over = nil, true
		waits := false
		for i, t := range g.tasks {
			g.mu.Lock()
			state, pid := t.state, t.pid
			g.mu.Unlock()
			switch state {
			case waiting:
				ready, over = append(ready, i), false
			case blocked:
				over = false
				still, err := g.sim.runner.waitsForLock(ctx, pid)
				if err != nil {
					return nil, false, err
				}
				waits = waits || !still // it has got its lock, so its statement ends soon
			case running:
				over = false
			case done:
			}
		}
		if over || len(ready) > 0 && !waits {
			return ready, over, nil
		}
		if time.Now().After(limit) {
			return nil, false, fmt.Errorf("two operations at once hang")
		}
		select {
		case <-g.wake:
		case <-time.After(500 * time.Microsecond):
		}
	}
}

// give lets a task run until it is before its next statement, ends, or waits for a lock.
func (g *interleaving) give(ctx context.Context, t *task) error {
	g.mu.Lock()
	t.state = running
	g.mu.Unlock()
	g.turns++
	t.turn <- struct{}{}
	limit := time.Now().Add(hangAfter)
	for {
		late := false
		select {
		case <-g.wake:
		case <-time.After(lockCheck):
			late = true
		}
		g.mu.Lock()
		state, in, pid := t.state, t.inStatement, t.pid
		g.mu.Unlock()
		if state != running {
			return nil
		}
		if time.Now().After(limit) {
			return fmt.Errorf("an operation of two at once hangs")
		}
		if !late || !in {
			continue
		}
		waits, err := g.sim.runner.waitsForLock(ctx, pid)
		if err != nil {
			return err
		}
		if !waits {
			continue
		}
		g.mu.Lock()
		if t.state == running && t.inStatement {
			t.state = blocked
			g.waits++
			g.mu.Unlock()
			return nil
		}
		g.mu.Unlock()
	}
}

func (g *interleaving) notify() {
	select {
	case g.wake <- struct{}{}:
	default:
	}
}

// enter waits for the turn before a statement.
func (t *task) enter(pid uint32) {
	t.of.mu.Lock()
	t.pid, t.state = pid, waiting
	t.of.mu.Unlock()
	t.of.notify()
	<-t.turn
	t.of.mu.Lock()
	t.inStatement = true
	t.of.mu.Unlock()
}

// leave ends a statement; a task that was blocked and so lost its turn waits for the next one.
func (t *task) leave() {
	t.of.mu.Lock()
	t.inStatement = false
	lost := t.state == blocked
	if lost {
		t.state = waiting
	}
	t.of.mu.Unlock()
	if lost {
		t.of.notify()
		<-t.turn
	}
}

func (t *task) end() {
	t.of.mu.Lock()
	t.state = done
	t.of.mu.Unlock()
	t.of.notify()
}
