//go:build unix

package harness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Operate runs one of the payment service's commands for operators, as they would on its host, and returns its
// standard output.
func (r *Harness) Operate(ctx context.Context, command string, args ...string) (string, error) {
	if err := r.appoint(ctx); err != nil {
		return "", err
	}
	if slices.Contains(args, "-note") && !slices.Contains(args, "-actor") {
		args = append(slices.Clone(args), "-actor", Operator)
	}
	return r.operate(ctx, command, args...)
}

// appoint makes those operators who are none yet: a drill may have the database away meanwhile.
func (r *Harness) appoint(ctx context.Context) error {
	r.operators.Lock()
	defer r.operators.Unlock()
	for names := []string{Operator, Second, Third}; r.appointed < len(names); r.appointed++ {
		_, err := r.operate(ctx, "operator", "-user", strconv.Itoa(1<<40+r.appointed), "-name", names[r.appointed], "-on", "-actor", Operator, "-note", "of the harness")
		if err != nil {
			return err
		}
	}
	return nil
}

// Operator answers for money, and does what names nobody else; Second and Third approve what Operator has proposed.
const (
	Operator = "maija"
	Second   = "aino"
	Third    = "eero"
)

func (r *Harness) operate(ctx context.Context, command string, args ...string) (string, error) {
	cmd := r.command(ctx, append([]string{command}, args...)...)
	var said, complained bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &complained
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("payments %s: %w: %s", command, err, strings.TrimSpace(complained.String()))
	}
	return said.String(), nil
}

// StartWorker starts another worker of the payment service beside the platform's own; stop ends it.
func (r *Harness) StartWorker(ctx context.Context) (stop func() error, err error) {
	cmd := r.command(ctx, "work")
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start another worker: %w", err)
	}
	return func() error {
		err := cmd.Process.Signal(syscall.SIGTERM)
		var ended *exec.ExitError
		if waited := cmd.Wait(); !errors.As(waited, &ended) {
			err = errors.Join(err, waited)
		}
		return err
	}, nil
}

// command is one of the payment service's, with the environment of its host.
func (r *Harness) command(ctx context.Context, args ...string) *exec.Cmd {
	env := maps.Clone(r.Env)
	env["DATABASE_URL"] = env["PAYMENTS_SERVICE_DATABASE_URL"]
	delete(env, "SESSION_KEY")
	cmd := exec.CommandContext(ctx, filepath.Join(r.bin, "payments"), args...) //nolint:gosec // built by Start
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	for key, value := range env {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	return cmd
}
