package uploads

import (
	"sync"
	"time"

	"talkoot.fi/kit/apperr"
)

// How many pictures are on their way at a time: of a person, from one network, and in all. They bound what temporary
// files take.
const perPerson, perNetwork, atOnce = 4, 12, 40

const (
	// patience is how long an upload keeps its seat however slow it is.
	patience = 20 * time.Second
	// slow is the rate in bytes a second of the largest picture in the five minutes that an upload may take (kit/httpx).
	slow = maxBytes / 300
)

// errBusy is the refusal when too many pictures are on their way.
var errBusy = apperr.New(apperr.Busy).RetryAfter(5 * time.Second)

// seats are the pictures that are on their way. When all are taken, whoever comes gets the seat of the slowest one that
// is slow and has had patience: people who send next to nothing would else keep everybody out for minutes.
type seats struct {
	mu    sync.Mutex
	taken map[*seat]bool
	of    map[string]int // by person and by network, also those whose seat was given away, until they end
}

// seat is one picture on its way.
type seat struct {
	seats         *seats
	user, network string
	began         time.Time
	bytes         int
}

// take takes a seat. Error: Busy.
func (s *seats) take(user, network string, now time.Time) (*seat, error) {
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
	one := &seat{seats: s, user: user, network: network, began: now}
	s.taken[one] = true
	s.of[user]++
	s.of[network]++
	return one, nil
}

// slowest is the seat to give away; nil for none.
func (s *seats) slowest(now time.Time) (found *seat) {
	least := float64(slow)
	for one := range s.taken {
		age := now.Sub(one.began)
		if rate := float64(one.bytes) / age.Seconds(); age >= patience && rate < least {
			found, least = one, rate
		}
	}
	return found
}

// count notes bytes that have come. Error: Busy when the seat was given to somebody else.
func (o *seat) count(bytes int) error {
	o.seats.mu.Lock()
	defer o.seats.mu.Unlock()
	if !o.seats.taken[o] {
		return errBusy
	}
	o.bytes += bytes
	return nil
}

func (o *seat) leave() {
	o.seats.mu.Lock()
	defer o.seats.mu.Unlock()
	delete(o.seats.taken, o)
	for _, who := range []string{o.user, o.network} {
		if o.seats.of[who]--; o.seats.of[who] == 0 {
			delete(o.seats.of, who)
		}
	}
}
