package conf

import (
	"math"
	"os"
	"runtime/debug"
)

// collectAt lets the heap grow to five times what lives before it is collected: what lives in our services is small, and
// most of a request's memory is garbage at its end. Measured: a fifth more lists a second, a tenth more webhooks.
const collectAt = 400

// BoundMemory sets when a serving process collects garbage, and its soft limit in bytes; near that the collector works
// harder. GOGC and GOMEMLIMIT go before it.
func BoundMemory(limit int64) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // the runtime has read GOMEMLIMIT; this is none
		debug.SetMemoryLimit(limit)
	}
}
