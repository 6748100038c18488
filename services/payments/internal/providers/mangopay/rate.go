package mangopay

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// slowBelow is the part of a window's calls below which those that are left are spread over the rest of the window.
	slowBelow = 0.1
	// longestSlow bounds the pause before one call: a payer waits for some of them.
	longestSlow = time.Second
)

// rate is what Mangopay has said of how many calls are left, in four windows of 15 minutes to a day; older answers have one value
// in place of four. docs.mangopay.com/api-reference/overview/rate-limiting
type rate struct {
	mu     sync.Mutex
	pause  time.Duration // before each call
	closed time.Time     // until then no call is made
}

// errClosed is an outage that ends by itself: too many calls were made.
type errClosed struct{ after time.Duration }

func (e errClosed) Error() string { return "too many calls were made, for " + e.after.String() }

// wait slows a call down, or refuses it while none is taken.
func (r *rate) wait(ctx context.Context, now time.Time) error {
	r.mu.Lock()
	pause, closed := r.pause, r.closed
	r.mu.Unlock()
	if now.Before(closed) {
		return errClosed{closed.Sub(now)}
	}
	if pause == 0 {
		return nil
	}
	return sleep(ctx, pause)
}

// see reads an answer's headers.
func (r *rate) see(h http.Header, status int, now time.Time) {
	used, left, reset := numbers(h.Get("X-RateLimit")), numbers(h.Get("X-RateLimit-Remaining")), numbers(h.Get("X-RateLimit-Reset"))
	n := min(len(used), len(left), len(reset))
	var pause time.Duration
	var closed time.Time
	for i := range n {
		end := time.Unix(int64(reset[i]), 0)
		rest := end.Sub(now)
		switch {
		case rest <= 0:
		case left[i] <= 0:
			if end.After(closed) {
				closed = end
			}
		case left[i] < slowBelow*(used[i]+left[i]):
			pause = max(pause, min(longestSlow, time.Duration(float64(rest)/left[i])))
		}
	}
	if status == http.StatusTooManyRequests && closed.IsZero() {
		closed = now.Add(longestSlow)
		if s, err := strconv.Atoi(h.Get("Retry-After")); err == nil && s > 0 {
			closed = now.Add(time.Duration(min(s, 3600)) * time.Second)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n > 0 {
		r.pause = pause
	}
	if closed.After(r.closed) {
		r.closed = closed
	}
}

// numbers reads a header of one number or several.
func numbers(header string) (out []float64) {
	for text := range strings.SplitSeq(header, ",") {
		n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || math.IsNaN(n) {
			return nil
		}
		out = append(out, n)
	}
	return out
}
