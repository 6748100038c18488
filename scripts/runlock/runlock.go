//go:build unix

// Package runlock marks a data folder as in use by one running platform.
package runlock

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

const name = "run.lock"

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

// Lock marks a data folder as in use. The kernel releases it when its holder exits, even if that is killed.
type Lock struct{ file *os.File }

// Check returns a RunningError when a platform runs in the data folder, without touching it.
func Check(dataDir string) error {
	f, err := os.Open(filepath.Join(dataDir, name))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open lock: %w", err)
	}
	defer f.Close() // only read from
	return try(f)
}

// Take locks the folder, which must exist, or returns a RunningError.
func Take(dataDir string) (*Lock, error) {
	f, err := os.OpenFile(filepath.Join(dataDir, name), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	if err := try(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if err := f.Truncate(0); err != nil {
		return nil, errors.Join(fmt.Errorf("clear lock: %w", err), f.Close())
	}
	return &Lock{file: f}, nil
}

// try locks the open file or returns a RunningError with what its holder wrote into it.
func try(f *os.File) error {
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

// Announce writes the platform's address into the lock, for whoever finds the folder in use.
func (l *Lock) Announce(webURL string) error {
	if _, err := l.file.WriteAt([]byte(webURL+"\n"), 0); err != nil {
		return fmt.Errorf("write address into lock: %w", err)
	}
	return nil
}

// Release frees the folder.
func (l *Lock) Release() error {
	return errors.Join(l.file.Truncate(0), l.file.Close())
}
