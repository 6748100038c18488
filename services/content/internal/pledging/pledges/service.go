package pledges

import (
	"cmp"
	"log/slog"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/campaign/variations"
)

// Service is what the rules need: a database, a clock, the platform's time zone and how long rewards are held.
type Service struct {
	db   *gorm.DB
	log  *slog.Logger
	now  func() time.Time
	zone *time.Location
	// hold is how long an unpaid pledge keeps its reward from others, from when it was made; firstHold, until its payment
	// has begun.
	hold, firstHold time.Duration
	hasher          variations.VisitorHasher
	lapseAtOnce     int
	// outboxAdded wakes the relay of the outbox after a commit that put something into it.
	outboxAdded func()
}

// Options are the parts of a Service.
type Options struct {
	DB            *gorm.DB
	Log           *slog.Logger
	Now           func() time.Time
	Zone          *time.Location
	Hold          time.Duration            // 30 minutes unless configured
	FirstHold     time.Duration            // 5 minutes unless configured, at most Hold
	VisitorHasher variations.VisitorHasher // needed only by a service that makes pledges
	OutboxAdded   func()                   // may be nil
	// LapseAtOnce is how many lapsed pledges are moved at once [4]: a reward that many had in their hands is free again in
	// seconds, and whoever pledges for it meanwhile waits for a few short transactions at most.
	LapseAtOnce int
}

// New makes the service.
func New(o Options) *Service {
	if o.OutboxAdded == nil {
		o.OutboxAdded = func() {}
	}
	now := func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) } // what PostgreSQL keeps
	return &Service{db: o.DB, log: o.Log, now: now, zone: o.Zone, hold: o.Hold, firstHold: o.FirstHold, hasher: o.VisitorHasher,
		outboxAdded: o.OutboxAdded, lapseAtOnce: cmp.Or(o.LapseAtOnce, 4)}
}
