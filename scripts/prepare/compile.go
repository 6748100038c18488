//go:build unix

package main

import (
	"context"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"talkoot.fi/scripts/programs"
)

// countEvery is how often a long build says how far it is.
const countEvery = 10 * time.Second

// compile builds the programs. When it takes long, it says how many packages are compiled.
func (p *preparation) compile(ctx context.Context) error {
	var compiled atomic.Int64
	var telling sync.WaitGroup
	ctx, done := context.WithCancel(ctx)
	telling.Go(func() { p.tellCompiled(ctx, &compiled) })
	err := programs.Build(ctx, p.root, filepath.Join(p.root, "bin"), func() { compiled.Add(1) })
	done()
	telling.Wait()
	if err == nil {
		p.out.Say("The programs are built")
	}
	return err
}

// tellCompiled prints the count until ctx ends. Packages that Go's cache has are in the total alone.
func (p *preparation) tellCompiled(ctx context.Context, compiled *atomic.Int64) {
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
			if total, err = programs.Count(ctx, p.root); err != nil {
				return // the build fails, too, and says why
			}
		}
		p.out.Say("Compiling the programs: %d of %d packages", compiled.Load(), total)
	}
}
