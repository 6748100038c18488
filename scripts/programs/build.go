// Package programs builds the platform's programs from the checkout. It imports only the standard library, because
// scripts/prepare imports it, which must build fast on a machine without caches.
package programs

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Site are the programs that answer the address of a platform, and Money those that take its money: a first start has the one serve while
// the other still compile. All is both.
func Site() []string { return []string{"talkoot.fi/content/cmd/content", "talkoot.fi/scripts/run"} }

// Money: see Site.
func Money() []string {
	return []string{"talkoot.fi/payments/cmd/payments", "talkoot.fi/sandbox/cmd/sandbox", "talkoot.fi/scripts/demopledges"}
}

// All is what a platform consists of.
func All() []string { return append(Site(), Money()...) }

// compiling lets the compiler collect its garbage less often, which takes a third of its time at the default of 100, for a
// few hundred MB more. Above 1 GiB it collects as often as ever. The variables must not reach programs that stay.
func compiling() []string { return append(os.Environ(), "GOGC=400", "GOMEMLIMIT=1GiB") }

// Build compiles programs of the checkout into dir, without what only debuggers read. Go's cache makes it quick when
// nothing changed. Compiled is told of each package that had to be compiled; it may be nil.
func Build(ctx context.Context, repoRoot, dir string, programs []string, compiled func()) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return fmt.Errorf("make folder for programs: %w", err)
	}
	args := append([]string{"build", "-v", "-ldflags=-s -w", "-o", dir + string(os.PathSeparator)}, programs...)
	cmd := exec.CommandContext(ctx, "go", args...) // the folder is the caller's choice
	cmd.Dir, cmd.Env = repoRoot, compiling()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return fmt.Errorf("build the programs: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("build the programs: %w", err)
	}
	var said bytes.Buffer
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		// With -v a line is the path of a package; what else is said has spaces.
		if line := lines.Text(); strings.ContainsAny(line, " \t") {
			fmt.Fprintln(&said, line)
		} else if compiled != nil {
			compiled()
		}
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("build the programs: %w\n%s", err, said.Bytes())
	}
	return nil
}
