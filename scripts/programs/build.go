// Package programs builds the platform's programs from the checkout. It imports only the standard library, because
// scripts/prepare imports it, which must build fast on a machine without caches.
package programs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
)

// packages are the programs that a platform consists of.
func packages() []string {
	return []string{
		"talkoot.fi/content/cmd/content",
		"talkoot.fi/payments/cmd/payments",
		"talkoot.fi/sandbox/cmd/sandbox",
		"talkoot.fi/scripts/run",
		"talkoot.fi/scripts/demopledges",
	}
}

// Build compiles the programs of the checkout into dir. Go's cache makes it quick when nothing changed.
func Build(ctx context.Context, repoRoot, dir string) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return fmt.Errorf("make folder for programs: %w", err)
	}
	args := append([]string{"build", "-o", dir + string(os.PathSeparator)}, packages()...)
	cmd := exec.CommandContext(ctx, "go", args...) // the folder is the caller's choice
	cmd.Dir = repoRoot
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the programs: %w\n%s", err, out)
	}
	return nil
}
