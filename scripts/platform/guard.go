//go:build unix

package platform

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

const guardMargin = 5 * time.Second

// guard is a small process that outlives the launcher. It is told of every process that is started and stopped; when
// its pipe closes, because the launcher has ended for whatever reason, it ends those that are left. It holds the
// guard's lock until then, so that a new run waits for it.
type guard struct {
	cmd  *exec.Cmd
	mu   sync.Mutex
	pipe io.WriteCloser
}

func startGuard(ctx context.Context, opts Options) (*guard, error) {
	lock, err := lockForGuard(ctx, opts.data("guard.lock"))
	if err != nil {
		return nil, err
	}
	defer lock.Close()                                   // the guard has its own descriptor, and with it the lock
	cmd := exec.Command(opts.bin("run"), "guard")        //nolint:noctx,gosec // our own; ends with its pipe
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // out of reach of the terminal's Ctrl-C
	cmd.ExtraFiles = []*os.File{lock}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start guard: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start guard: %w", err)
	}
	return &guard{cmd: cmd, pipe: pipe}, nil
}

// watch tells the guard of a process. A group is ended with all its members, PostgreSQL by its postmaster alone.
func (g *guard) watch(pid int, group bool) error {
	kind := "single"
	if group {
		kind = "group"
	}
	return g.say("+ %d %s\n", pid, kind)
}

func (g *guard) forget(pid int) error { return g.say("- %d\n", pid) }

func (g *guard) say(format string, args ...any) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, err := fmt.Fprintf(g.pipe, format, args...); err != nil {
		return fmt.Errorf("tell guard: %w", err)
	}
	return nil
}

// stop has it end whatever is left and waits for it.
func (g *guard) stop() error {
	if err := g.pipe.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("stop guard: %w", err)
	}
	return g.cmd.Wait()
}

// Guard is the guard process itself: it reads process ids from in and, at its end, ends those that are left, gently
// first. Signals of the terminal must not reach it.
func Guard(in io.Reader) {
	left := map[int]string{}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 2 {
			continue
		}
		pid, err := strconv.Atoi(fields[1])
		if err != nil || pid <= 1 {
			continue
		}
		if fields[0] == "+" && len(fields) == 3 {
			left[pid] = fields[2]
		} else {
			delete(left, pid)
		}
	}
	for pid, kind := range left {
		if kind == "group" {
			signal(-pid, syscall.SIGTERM)
		} else {
			signal(pid, syscall.SIGINT)
		}
	}
	deadline := time.Now().Add(stopLimit) // a process of its own, without a clock to inject
	for len(left) > 0 && time.Now().Before(deadline) {
		for pid, kind := range left {
			if !alive(pid, kind) {
				delete(left, pid)
			}
		}
		time.Sleep(pollEvery)
	}
	for pid, kind := range left {
		if kind == "group" {
			signal(-pid, syscall.SIGKILL)
		} else {
			signal(pid, syscall.SIGKILL)
		}
	}
}

func alive(pid int, kind string) bool {
	if kind == "group" {
		pid = -pid
	}
	return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

// signal ignores the answer: a process that is gone is what we want.
func signal(pid int, sig syscall.Signal) { _ = syscall.Kill(pid, sig) }
