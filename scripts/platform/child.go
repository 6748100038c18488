//go:build unix

package platform

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"talkoot.fi/kit/localpg"
)

// command says what to run and where its output goes.
type command struct {
	name    string // put before its lines in echo
	args    []string
	env     map[string]string
	logFile string
	echo    io.Writer // receives its output too; nil: only the file
	stdout  io.Writer // receives its standard output instead of the file; nil: it goes to the file, too
}

// child is a started command in a process group of its own.
type child struct {
	cmd    *exec.Cmd
	exited chan struct{}
	err    error // valid once exited is closed
}

func (s *starter) run(c command) (*child, error) {
	log, err := openLog(c.logFile)
	if err != nil {
		return nil, err
	}
	var out io.Writer = log
	if c.echo != nil {
		out = io.MultiWriter(log, &prefixed{prefix: fmt.Sprintf("%-13s | ", c.name), out: c.echo})
	}
	cmd := exec.Command(c.args[0], c.args[1:]...) //nolint:noctx,gosec // ended by signals; the command line is ours
	cmd.Dir = "/"
	cmd.Env = environ(c.env)
	cmd.Stdout, cmd.Stderr = out, out
	if c.stdout != nil {
		cmd.Stdout = &prefixed{out: c.stdout}
	}
	cmd.WaitDelay = time.Second // for what a grandchild still holds open
	ownGroup(cmd)
	localpg.EndWithParent(cmd, syscall.SIGTERM)
	if err := s.start(cmd); err != nil {
		return nil, errors.Join(err, log.Close())
	}
	started := &child{cmd: cmd, exited: make(chan struct{})}
	go func() {
		started.err = errors.Join(cmd.Wait(), log.Close())
		close(started.exited)
	}()
	return started, nil
}

func (c *child) PID() int                { return c.cmd.Process.Pid }
func (c *child) Exited() <-chan struct{} { return c.exited }

func (c *child) Stop(ctx context.Context) error {
	signal(-c.PID(), syscall.SIGTERM)
	select {
	case <-c.exited:
		return nil
	case <-ctx.Done():
		return c.Kill()
	}
}

func (c *child) Kill() error {
	select {
	case <-c.exited: // its number may be someone else's by now
	default:
		signal(-c.PID(), syscall.SIGKILL)
		<-c.exited
	}
	return nil
}

// runToEnd runs a command that ends by itself, such as a migration, and stops it when ctx ends.
func (s *starter) runToEnd(ctx context.Context, g *guard, c command) error {
	started, err := s.run(c)
	if err != nil {
		return fmt.Errorf("start %s: %w", c.name, err)
	}
	if err := g.watch(started.PID(), true); err != nil {
		return errors.Join(err, started.Kill())
	}
	select {
	case <-started.exited:
	case <-ctx.Done():
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopLimit)
		defer cancel()
		return errors.Join(ctx.Err(), started.Stop(stopping), g.forget(started.PID()))
	}
	if err := g.forget(started.PID()); err != nil {
		return err
	}
	if started.err != nil {
		return fmt.Errorf("%s: %w\n%s", c.name, started.err, lastLines(c.logFile, errorLines))
	}
	return nil
}

func ownGroup(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
}

// environ adds what a program needs to run at all.
func environ(env map[string]string) []string {
	list := []string{"LANG=C.UTF-8"}
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "GOCOVERDIR", "SSL_CERT_FILE", "SSL_CERT_DIR"} {
		if value, set := os.LookupEnv(name); set {
			list = append(list, name+"="+value)
		}
	}
	for name, value := range env {
		list = append(list, name+"="+value)
	}
	return list
}
