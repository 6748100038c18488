package simulate

import (
	"sync/atomic"
	"time"
)

// startTime is when every run begins.
var startTime = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

// clock is the virtual time of a run. Each reading moves it on by a microsecond, so that no two rows have the same
// time and rows sort by when they were written.
type clock struct{ micros atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.micros.Store(startTime.UnixMicro())
	return c
}

// read is how services read the clock: it moves on by a microsecond.
func (c *clock) read() time.Time { return time.UnixMicro(c.micros.Add(1)).UTC() }

// peek reads the clock without moving it.
func (c *clock) peek() time.Time { return time.UnixMicro(c.micros.Load()).UTC() }

func (c *clock) pass(d time.Duration) { c.micros.Add(d.Microseconds()) }
