//go:build unix

package platform

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"
)

const (
	stopLimit  = 10 * time.Second // from the gentle signal to the kill
	readyLimit = 60 * time.Second
	pollEvery  = 20 * time.Millisecond
	errorLines = 12 // of a log, in an error's text
)

// running is a started process, until it ends.
type running interface {
	PID() int
	Exited() <-chan struct{}
	// Stop ends it gently and kills it when ctx ends first.
	Stop(ctx context.Context) error
	Kill() error
}

// Proc is one process of the platform. Its methods are safe for concurrent use.
type Proc struct {
	Name    string
	LogFile string

	launch  func(ctx context.Context) (running, error)
	ready   func(ctx context.Context) error // nil: as soon as it runs
	group   bool                            // signalled with its whole process group
	guard   *guard
	crashed chan<- *Proc

	mu      sync.Mutex
	current running // nil when it does not run
	wanted  bool    // false once Stop or Kill was called: its end is then expected
}

// Start launches the process and returns once it is ready. An error ends with the last lines of its log.
func (p *Proc) Start(ctx context.Context) error {
	current, err := p.begin(ctx)
	if err != nil {
		return err
	}
	if p.ready == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, readyLimit)
	defer cancel()
	ready := make(chan error, 1)
	go func() { ready <- p.ready(ctx) }()
	select {
	case err = <-ready:
	case <-current.Exited():
		err = errors.New("it ended")
	}
	if err != nil {
		return fmt.Errorf("%s did not start: %w\n%s", p.Name, err, lastLines(p.LogFile, errorLines))
	}
	return nil
}

func (p *Proc) begin(ctx context.Context) (running, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current != nil {
		return nil, fmt.Errorf("%s runs already", p.Name)
	}
	current, err := p.launch(ctx)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", p.Name, err)
	}
	p.current, p.wanted = current, true
	if err := p.guard.watch(current.PID(), p.group); err != nil {
		return nil, err
	}
	go p.follow(current)
	return current, nil
}

// follow waits for the process to end, and reports an end that nobody asked for.
func (p *Proc) follow(current running) {
	<-current.Exited()
	p.mu.Lock()
	unasked := false
	if p.current == current { // else it was stopped, and may run again
		unasked = p.wanted
		p.current, p.wanted = nil, false
	}
	p.mu.Unlock()
	if err := p.guard.forget(current.PID()); err != nil {
		unasked = true // without its guard the platform must not go on
	}
	if unasked {
		select {
		case p.crashed <- p:
		default: // the first is enough
		}
	}
}

// Stop ends the process gently; a process that does not run is no error.
func (p *Proc) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stopLimit)
	defer cancel()
	return p.end(func(current running) error { return current.Stop(ctx) })
}

// Kill ends the process, and all of its group, as kill -9 does, and waits for its end.
func (p *Proc) Kill() error { return p.end(running.Kill) }

// Restart stops the process if it runs, and starts it.
func (p *Proc) Restart(ctx context.Context) error {
	return errors.Join(p.Stop(ctx), p.Start(ctx))
}

// Signal sends sig to the process alone, for faults such as SIGSTOP.
func (p *Proc) Signal(sig syscall.Signal) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current == nil {
		return fmt.Errorf("signal %s: it does not run", p.Name)
	}
	return syscall.Kill(p.current.PID(), sig)
}

// PID is 0 when the process does not run.
func (p *Proc) PID() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current == nil {
		return 0
	}
	return p.current.PID()
}

func (p *Proc) end(how func(running) error) error {
	p.mu.Lock()
	current := p.current
	p.wanted = false
	p.mu.Unlock()
	if current == nil {
		return nil
	}
	if err := how(current); err != nil {
		return fmt.Errorf("end %s: %w", p.Name, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current == current {
		p.current = nil // follow may come a moment later; a Start must not find the old process
	}
	return nil
}
