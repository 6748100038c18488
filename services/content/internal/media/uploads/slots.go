package uploads

import (
	"sync"
	"time"

	"talkoot.fi/kit/apperr"
)

// The largest number of concurrent uploads of a person, from one network, and in all. They bound the disk space of
// temporary files.
const perPerson, perNetwork, atOnce = 4, 12, 40

const (
	// grace is how long an upload keeps its slot however slow it is.
	grace = 20 * time.Second
	// slowRate is the rate, in bytes a second, below which an upload can lose its slot: that of the largest picture in the
	// five minutes that an upload may take (kit/httpx).
	slowRate = maxBytes / 300
)

// errBusy refuses an upload when too many are running.
var errBusy = apperr.New(apperr.Busy).RetryAfter(5 * time.Second)

// slots counts the uploads that are running. When all slots are taken, a new upload gets that of the slowest one that
// is older than grace and below slowRate: otherwise senders of almost nothing could block everybody else for minutes.
type slots struct {
	mu    sync.Mutex
	taken map[*slot]bool
	of    map[string]int // running uploads by person and by network, including those that have lost their slot
}

// slot is one upload.
type slot struct {
	slots         *slots
	user, network string
	began         time.Time
	bytes         int
}

// acquire takes a slot. Error: Busy.
func (s *slots) acquire(user, network string, now time.Time) (*slot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of[user] >= perPerson || s.of[network] >= perNetwork {
		return nil, errBusy
	}
	if len(s.taken) >= atOnce {
		slowest := s.slowest(now)
		if slowest == nil {
			return nil, errBusy
		}
		delete(s.taken, slowest)
	}
	one := &slot{slots: s, user: user, network: network, began: now}
	s.taken[one] = true
	s.of[user]++
	s.of[network]++
	return one, nil
}

// slowest is the slot to give away; nil for none.
func (s *slots) slowest(now time.Time) (found *slot) {
	least := float64(slowRate)
	for one := range s.taken {
		age := now.Sub(one.began)
		if rate := float64(one.bytes) / age.Seconds(); age >= grace && rate < least {
			found, least = one, rate
		}
	}
	return found
}

// count notes bytes that have come. Error: Busy when the slot was given to somebody else.
func (o *slot) count(bytes int) error {
	o.slots.mu.Lock()
	defer o.slots.mu.Unlock()
	if !o.slots.taken[o] {
		return errBusy
	}
	o.bytes += bytes
	return nil
}

func (o *slot) release() {
	o.slots.mu.Lock()
	defer o.slots.mu.Unlock()
	delete(o.slots.taken, o)
	for _, who := range []string{o.user, o.network} {
		if o.slots.of[who]--; o.slots.of[who] == 0 {
			delete(o.slots.of, who)
		}
	}
}
