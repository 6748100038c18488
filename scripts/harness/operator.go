//go:build unix

package harness

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Operate runs one of the payment service's commands for operators, as they would on its host, and returns its
// standard output.
func (r *Harness) Operate(ctx context.Context, command string, args ...string) (string, error) {
	env := maps.Clone(r.Env)
	env["DATABASE_URL"] = env["PAYMENTS_SERVICE_DATABASE_URL"]
	delete(env, "SESSION_KEY")
	program := filepath.Join(r.bin, "payments")
	cmd := exec.CommandContext(ctx, program, append([]string{command}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	for key, value := range env {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	var said, complained bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &complained
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("payments %s: %w: %s", command, err, strings.TrimSpace(complained.String()))
	}
	return said.String(), nil
}
