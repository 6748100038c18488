//go:build unix

package dbtest

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// Whoever waited for the start lock while a server ended must not take the ending keeper for a running one. The moment
// between the two locks is short, so it is tried many times.
func TestRelease_NobodyWhoWaitedMeetsTheEndedKeeper(t *testing.T) {
	dir := t.TempDir()
	start, keeper := filepath.Join(dir, startLock), filepath.Join(dir, keeperLock)
	for range 2000 {
		own, err := lock(keeper, syscall.LOCK_EX)
		if err != nil {
			t.Fatal(err)
		}
		starting, err := lock(start, syscall.LOCK_EX)
		if err != nil {
			t.Fatal(err)
		}
		met := make(chan error, 1)
		go func() {
			waited, err := lock(start, syscall.LOCK_EX)
			if err != nil {
				met <- err
				return
			}
			probe, err := lock(keeper, syscall.LOCK_EX|syscall.LOCK_NB)
			if err == nil {
				err = probe.Close()
			}
			met <- errors.Join(err, waited.Close())
		}()
		if err := release(own, starting); err != nil {
			t.Fatal(err)
		}
		if err := <-met; err != nil {
			t.Fatal(err)
		}
	}
}
