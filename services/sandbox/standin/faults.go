package standin

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// The faults that every stand-in has. Those that answer an error are the provider's own.
const (
	CutBefore = "cut_before" // the connection ends, no effect
	CutAfter  = "cut_after"  // the effect happens, then the connection ends
)

// FaultRule fails the next Times calls that match; Method and Path (a prefix) may be empty. Kind is one of the README's.
type FaultRule struct {
	Kind   string `json:"kind"`
	Times  int    `json:"times"`
	Method string `json:"method"`
	Path   string `json:"path"`
}

// LatencyRule slows calls by MS; Times 0 means every call until cleared.
type LatencyRule struct {
	MS    int64 `json:"ms"`
	Times int   `json:"times"`
}

// Faults is what the controls have asked for; nothing is on by itself.
type Faults struct {
	mu      sync.Mutex
	rules   []FaultRule
	latency *LatencyRule
	calls   int64
}

// Fault is what happens to one call; the zero value is nothing.
type Fault struct {
	Kind string
	wait time.Duration
}

// Add makes calls fail as the rule says, whose kind is one of kinds. Of several rules that match a call the first added
// applies.
func (f *Faults) Add(in FaultRule, kinds []string) error {
	if !slices.Contains(kinds, in.Kind) {
		return BadControl("kind must be one of " + strings.Join(kinds, ", "))
	}
	if in.Times < 1 {
		in.Times = 1
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rules = append(f.rules, in)
	return nil
}

// Slow sets the latency; MS 0 ends it.
func (f *Faults) Slow(in LatencyRule) error {
	if in.MS < 0 || in.Times < 0 {
		return BadControl("ms and times must not be negative")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.latency = &in
	if in.MS == 0 {
		f.latency = nil
	}
	return nil
}

// On is what is on.
func (f *Faults) On() (rules []FaultRule, latency *LatencyRule) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.latency != nil {
		copied := *f.latency
		latency = &copied
	}
	return slices.Clone(f.rules), latency
}

func (f *Faults) calm() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rules, f.latency = nil, nil
}

// Calls is how many calls there were since the start.
func (f *Faults) Calls() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls
}

// Take tells what happens to a call, and counts it.
func (f *Faults) Take(method, path string) Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	var out Fault
	if l := f.latency; l != nil {
		out.wait = time.Duration(l.MS) * time.Millisecond
		if l.Times > 0 {
			if l.Times--; l.Times == 0 {
				f.latency = nil
			}
		}
	}
	for i := range f.rules {
		r := &f.rules[i]
		if r.Method != "" && r.Method != method || !strings.HasPrefix(path, r.Path) {
			continue
		}
		out.Kind = r.Kind
		if r.Times--; r.Times == 0 {
			f.rules = slices.Delete(f.rules, i, i+1)
		}
		break
	}
	return out
}

// Before waits, or cuts the connection, before the call is looked at.
func (f Fault) Before(ctx context.Context) {
	if f.wait > 0 {
		timer := time.NewTimer(f.wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	if f.Kind == CutBefore {
		panic(http.ErrAbortHandler)
	}
}

// After cuts the connection once the call has had its effect.
func (f Fault) After() {
	if f.Kind == CutAfter {
		panic(http.ErrAbortHandler)
	}
}
