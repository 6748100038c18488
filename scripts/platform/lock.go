//go:build unix

package platform

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// RunningError says that another process runs a platform in this data folder.
type RunningError struct {
	// WebURL is empty while that platform is still starting.
	WebURL string
}

func (e *RunningError) Error() string {
	if e.WebURL == "" {
		return "Talkoot is already being started in this folder"
	}
	return "Talkoot is already running: " + e.WebURL
}

// runLock marks a data folder as in use. The kernel takes it back when its holders end, however they end.
type runLock struct{ file *os.File }

// Running returns a RunningError when a platform runs in the data folder, without touching it.
func Running(dataDir string) error {
	f, err := os.Open(filepath.Join(dataDir, "run.lock"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open lock: %w", err)
	}
	defer f.Close()
	return tryLock(f)
}

// tryLock locks the open file or returns a RunningError with what its holder wrote into it.
func tryLock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) // #nosec G115 -- a descriptor fits
	if errors.Is(err, syscall.EWOULDBLOCK) {
		address, err := io.ReadAll(f)
		if err != nil {
			return fmt.Errorf("read who holds the lock: %w", err)
		}
		return &RunningError{WebURL: strings.TrimSpace(string(address))}
	}
	if err != nil {
		return fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	return nil
}

// lockData takes the folder or returns a RunningError.
func lockData(path string) (*runLock, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	if err := tryLock(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if err := f.Truncate(0); err != nil {
		return nil, errors.Join(fmt.Errorf("clear lock: %w", err), f.Close())
	}
	return &runLock{file: f}, nil
}

func (l *runLock) announce(webURL string) error {
	if _, err := l.file.WriteAt([]byte(webURL+"\n"), 0); err != nil {
		return fmt.Errorf("write address into lock: %w", err)
	}
	return nil
}

func (l *runLock) release() error {
	return errors.Join(l.file.Truncate(0), l.file.Close())
}

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
