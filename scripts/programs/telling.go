package programs

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// countEvery is how often a long build says how far it is.
const countEvery = 10 * time.Second

// BuildTelling compiles programs into bin/ of the checkout. When it takes long, it says how many packages are compiled.
func BuildTelling(ctx context.Context, repoRoot string, programs []string, say func(format string, args ...any)) error {
	var compiled atomic.Int64
	var telling sync.WaitGroup
	counting, done := context.WithCancel(ctx)
	telling.Go(func() { tell(counting, repoRoot, programs, &compiled, say) })
	err := Build(ctx, repoRoot, filepath.Join(repoRoot, "bin"), programs, func() { compiled.Add(1) })
	done()
	telling.Wait()
	return err
}

// tell says the count until ctx ends. Packages that Go's cache has are in the total alone.
func tell(ctx context.Context, repoRoot string, programs []string, compiled *atomic.Int64, say func(format string, args ...any)) {
	tick := time.NewTicker(countEvery)
	defer tick.Stop()
	total := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if total == 0 {
			var err error
			if total, err = count(ctx, repoRoot, programs); err != nil {
				return // the build fails, too, and says why
			}
		}
		say("Compiling the programs: %d of %d packages", compiled.Load(), total)
	}
}

// count is how many packages programs consist of.
func count(ctx context.Context, repoRoot string, programs []string) (int, error) {
	args := append([]string{"list", "-deps"}, programs...)
	cmd := exec.CommandContext(ctx, "go", args...) // our own words
	cmd.Dir = repoRoot
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("list the programs' packages: %w", err)
	}
	return bytes.Count(out, []byte("\n")), nil
}
