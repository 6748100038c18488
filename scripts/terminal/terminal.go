// Package terminal prints the progress of a start, each line with the time since the start.
package terminal

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"time"
)

// begunVariable is the environment variable with the time of the start, in seconds since 1970. start.sh sets it for
// all programs of one start.
const begunVariable = "BEGUN"

// Lines prefixes each write with the time since the start. It is safe for concurrent use.
type Lines struct {
	mu    sync.Mutex
	out   io.Writer
	begun time.Time
}

// New counts from the time that the environment's BEGUN gives, else from now.
func New(out io.Writer) *Lines {
	begun := time.Now() // shown to people, never compared
	if seconds, err := strconv.ParseInt(os.Getenv(begunVariable), 10, 64); err == nil {
		begun = time.Unix(seconds, 0)
	}
	return &Lines{out: out, begun: begun}
}

// Write adds the time to b, which is one or more whole lines.
func (l *Lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := fmt.Fprintf(l.out, "%4.0f s  %s", time.Since(l.begun).Seconds(), b); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Say writes a line; a failure to write it is ignored.
func (l *Lines) Say(format string, args ...any) {
	_, _ = fmt.Fprintf(l, format+"\n", args...)
}
