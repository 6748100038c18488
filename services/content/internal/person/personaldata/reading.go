package personaldata

import (
	"sync"
	"time"

	"talkoot.fi/kit/apperr"
)

// atOnce is how many files this process reads at once: each holds one of its ten connections to the database.
const atOnce = 3

// Refusals of reading.enter.
var (
	errReading = apperr.New(apperr.TooManyRequests).RetryAfter(5 * time.Second)
	errBusy    = apperr.New(apperr.Busy).RetryAfter(5 * time.Second)
)

// reading counts whose files are being read.
type reading struct {
	mu     sync.Mutex
	people map[int64]bool
}

// enter begins to read a person's file; leave ends it. Errors: TooManyRequests while another one of theirs is read; Busy
// when there are atOnce already.
func (r *reading) enter(userID int64) (leave func(), err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.people[userID]:
		return nil, errReading
	case len(r.people) >= atOnce:
		return nil, errBusy
	}
	r.people[userID] = true
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.people, userID)
	}, nil
}
