package subscriptions

import (
	"log/slog"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/campaign/variations"
)

const (
	// payableFor is how long a new subscription waits for its first month to be paid.
	payableFor = time.Hour
	// lapseAfter is how much later it expires: a payment that was begun in time may be told some minutes later.
	lapseAfter = 15 * time.Minute
)

// Service is what the rules need.
type Service struct {
	db     *gorm.DB
	log    *slog.Logger
	now    func() time.Time
	zone   *time.Location
	hasher variations.VisitorHasher
	// outboxAdded wakes the relay of the outbox after a commit that put something into it.
	outboxAdded func()
}

// Options are the parts of a Service.
type Options struct {
	DB            *gorm.DB
	Log           *slog.Logger
	Now           func() time.Time
	Zone          *time.Location
	VisitorHasher variations.VisitorHasher // needed only by a service that makes subscriptions
	OutboxAdded   func()                   // may be nil
}

// New makes the service.
func New(o Options) *Service {
	if o.OutboxAdded == nil {
		o.OutboxAdded = func() {}
	}
	now := func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) } // what PostgreSQL keeps
	return &Service{db: o.DB, log: o.Log, now: now, zone: o.Zone, hasher: o.VisitorHasher, outboxAdded: o.OutboxAdded}
}
