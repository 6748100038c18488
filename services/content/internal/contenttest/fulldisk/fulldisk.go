//go:build unix

// Package fulldisk lets a test see what happens when a disk is full, without filling one: it limits the size of files that
// the process may write (RLIMIT_FSIZE), so that a write fails in the middle.
//
// The limit holds for the whole process, also for the log that go test keeps of what a cached test has read, and a failed
// write to that fails the test's package. So such a test runs in a process of its own, which keeps no such log.
package fulldisk

import (
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// alone names the test that a process was started for.
const alone = "FULLDISK_TEST"

// OwnProcess reports whether the test is running in a process of its own; its caller returns if not. In the usual process
// it starts that one, waits for it and fails if it fails.
func OwnProcess(t *testing.T) bool {
	t.Helper()
	if os.Getenv(alone) == t.Name() {
		return true
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), self, "-test.run", "^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), alone+"="+t.Name())
	output, err := child.CombinedOutput()
	if err != nil || !strings.Contains(string(output), "--- PASS: "+t.Name()) {
		t.Errorf("in its own process: %v\n%s", err, output)
	}
	return false
}

// Limit runs f while no file can grow beyond that many bytes. The test has to be in its OwnProcess.
func Limit(t *testing.T, bytes uint64, f func()) {
	t.Helper()
	if os.Getenv(alone) != t.Name() {
		t.Fatal("this process is shared with go test's log")
	}
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	limited := before
	limited.Cur = bytes
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limited); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
			t.Fatal(err)
		}
	}()
	f()
}
