package simulate

import (
	"context"
	"slices"
	"strings"
	"time"
)

// Shrink looks for a shorter list of a failed run's operations that still breaks the same rule: it leaves out halves,
// then quarters and so on down to single ones, until none can be left out or the time is over.
func (n *Runner) Shrink(ctx context.Context, r Result, limit time.Duration) (Result, error) {
	until := time.Now().Add(limit)
	what := r.Findings[0].signature()
	if at := r.Findings[0].Step; at < len(r.Operations) { // what came later had no part in it
		r.Operations = r.Operations[:at+1]
	}
	for size := max(1, len(r.Operations)/2); ; {
		shorter := false
		for from := 0; from < len(r.Operations); {
			if time.Now().After(until) {
				return r, nil
			}
			to := min(from+size, len(r.Operations))
			try := append(append([]operation{}, r.Operations[:from]...), r.Operations[to:]...)
			again, err := n.run(ctx, r.theme, r.Seed, try)
			if err != nil {
				return r, err
			}
			if len(again.Findings) > 0 && again.Findings[0].signature() == what {
				r, shorter = again, true
				continue // what moved up to from is tried next
			}
			from = to
		}
		if size == 1 && !shorter {
			return r, nil
		}
		size = max(1, size/2)
	}
}

// signature is what two findings of one cause have in common: the rule and the words of the detail, without ids, sums
// and times. When the detail is a list of pending work, only the reason of its first item counts.
func (f Finding) signature() string {
	detail := f.Detail
	if _, list, isList := strings.Cut(detail, "; "); isList {
		first, _, _ := strings.Cut(list, "; ")
		parts := strings.Split(first, ": ")
		detail = parts[len(parts)-1]
	}
	words := slices.DeleteFunc(strings.Fields(f.Rule+" "+detail),
		func(w string) bool { return strings.ContainsAny(w, "0123456789") })
	return strings.Join(words, " ")
}
