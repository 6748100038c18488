//go:build unix

package dbtest

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
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

// The idle time runs from the end of the last process that was seen to use the server, not from one before it.
func TestAwaitUnused_WaitsTheIdleTimeAfterTheLastUser(t *testing.T) {
	dir := t.TempDir()
	hurried := patience{look: 5 * time.Millisecond, idle: time.Second, linger: time.Hour}
	type end struct {
		starting *os.File
		at       time.Time
		err      error
	}
	ended := make(chan end, 1)
	go func() {
		starting, err := awaitUnused(dir, nil, hurried)
		ended <- end{starting, time.Now(), err}
	}()
	time.Sleep(hurried.idle / 3) // nobody has used it at first
	users, err := lock(filepath.Join(dir, usersLock), syscall.LOCK_SH)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(hurried.idle * 9 / 10) // the first idle time is over a moment after the user has gone
	lastUse := time.Now()
	if err := users.Close(); err != nil {
		t.Fatal(err)
	}
	got := <-ended
	if got.err != nil {
		t.Fatal(got.err)
	}
	if waited := got.at.Sub(lastUse); waited < hurried.idle/3 {
		t.Errorf("ended %s after its last user", waited)
	}
	if err := got.starting.Close(); err != nil {
		t.Error(err)
	}
}
