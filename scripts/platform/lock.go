//go:build unix

package platform

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lockForGuard waits until the guard of a run that was killed has cleaned up behind it.
func lockForGuard(ctx context.Context, path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open guard's lock: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, stopLimit+guardMargin)
	defer cancel()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) // #nosec G115 -- a descriptor fits
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(errors.New("the last run is still being cleaned up; try again in a moment"), f.Close())
		case <-tick.C:
		}
	}
}
