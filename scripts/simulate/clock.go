package simulate

import (
	"sync/atomic"
	"time"
)

// birth is when every life begins.
var birth = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

// clock is a life's time. Each look at it takes a microsecond, so that no two rows are made at the same moment and their
// order is that of their making.
type clock struct{ micros atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.micros.Store(birth.UnixMicro())
	return c
}

// read is a look of a service at the clock.
func (c *clock) read() time.Time { return time.UnixMicro(c.micros.Add(1)).UTC() }

// peek is the time without taking any.
func (c *clock) peek() time.Time { return time.UnixMicro(c.micros.Load()).UTC() }

func (c *clock) pass(d time.Duration) { c.micros.Add(d.Microseconds()) }
