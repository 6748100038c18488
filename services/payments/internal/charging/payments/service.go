package payments

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/jobs"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
)

// Grace is how long a payment may still be paid after PayableUntil, when the content service ceases to hold the reward
// for it; then its attempts are ended.
const Grace = 5 * time.Minute

// CallWait bounds all of a request's calls to the provider together, unless configured otherwise.
const CallWait = 9 * time.Second

// Options are the parts of a Service. All are needed but those with a default, which stands in brackets.
type Options struct {
	DB *gorm.DB
	// Providers by their names; empty when all are off. Router says which takes what begins now.
	Providers map[string]Provider
	Router    Router
	// IsPaidInto tells whether money in a place of a provider's balance is a campaign's [it always is].
	IsPaidInto func(ctx context.Context, db *gorm.DB, provider, place string, campaignID int64) (bool, error)
	Content    *contentclient.Client
	Queue      *jobs.Client
	// Wake functions are called after a commit that left work behind and must not block.
	WakeEvents func()
	WakeTidy   func()
	// Limiter counts declines for all processes together; without Redis each counts alone [in this process].
	Limiter *ratelimit.Limiter
	// DeclinesPerHour is how many refused cards one network may see; one card a third, one campaign ten times as many
	// [30].
	DeclinesPerHour int
	// PublicURL is the web app's address, for the way back from a hosted page.
	PublicURL string
	Now       func() time.Time
	Log       *slog.Logger
	// PageWait is how long a request waits for its hosted page [1.5 s].
	PageWait time.Duration
	// CallWait bounds all of a request's calls to the provider together [CallWait].
	CallWait time.Duration
	// RefundsPerMinute is how many refunds of whole campaigns each provider gets in a minute, by its name [as many as there are].
	RefundsPerMinute map[string]int
	// Workers is how many pieces of work Tidy does at once [4].
	Workers int
}

// Service is the domain; it is safe for concurrent use.
type Service struct {
	db                   *gorm.DB
	providers            map[string]Provider
	router               Router
	isPaidInto           func(ctx context.Context, db *gorm.DB, provider, place string, campaignID int64) (bool, error)
	content              *contentclient.Client
	queue                *jobs.Client
	wakeEvents, wakeTidy func()
	limiter              *ratelimit.Limiter
	declinesPerHour      int
	refundsPerMinute     map[string]int
	respreadAt           atomic.Int64 // Unix nanoseconds
	// splitting bounds the refunds that are split over charges at once, each of which keeps a connection while it needs another.
	splitting          chan struct{}
	publicURL          string           // without a final slash
	now                func() time.Time // as PostgreSQL keeps it
	log                *slog.Logger
	pageWait, callWait time.Duration
	workers            int
	followers          map[string]Follower // by subject kind
	// registering are the registrations that were begun, with whose each is; registered is what came of them.
	registering recent[registering]
	registered  recent[provider.Instrument]
}

// New checks what it is given.
func New(o Options) (*Service, error) {
	if o.DB == nil || o.Content == nil || o.Queue == nil || o.WakeEvents == nil || o.WakeTidy == nil || o.Router == nil ||
		o.PublicURL == "" || o.Now == nil || o.Log == nil {
		return nil, errors.New("payments: something that the service needs is missing")
	}
	if o.Limiter == nil {
		o.Limiter = ratelimit.NewLocal(o.Now)
	}
	if o.IsPaidInto == nil {
		o.IsPaidInto = func(context.Context, *gorm.DB, string, string, int64) (bool, error) { return true, nil }
	}
	return &Service{
		db: o.DB, providers: o.Providers, router: o.Router, isPaidInto: o.IsPaidInto, content: o.Content, queue: o.Queue, wakeEvents: o.WakeEvents,
		wakeTidy: o.WakeTidy,
		limiter:  o.Limiter, declinesPerHour: cmp.Or(o.DeclinesPerHour, 30), refundsPerMinute: o.RefundsPerMinute, splitting: make(chan struct{}, 2), publicURL: strings.TrimSuffix(o.PublicURL, "/"),
		now: func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) }, log: o.Log,
		pageWait: cmp.Or(o.PageWait, 1500*time.Millisecond), callWait: cmp.Or(o.CallWait, CallWait),
		workers: cmp.Or(o.Workers, 4), followers: map[string]Follower{},
	}, nil
}

// Tidy asks a worker to make, end and send what is due now.
func Tidy() jobs.Task[struct{}] {
	return jobs.Define[struct{}]("payments:tidy", jobs.Options{Queue: jobs.Critical, MaxRetry: jobs.NoRetry,
		Timeout: 5 * time.Second})
}

// PageJob names the attempt whose hosted page is to be made.
type PageJob struct {
	AttemptID int64 `json:"attempt_id"`
}

// MakePages is the job behind the hosted page: at most five retries, two seconds apart.
func MakePages() jobs.Task[PageJob] {
	return jobs.Define[PageJob]("payments:page", jobs.Options{
		Queue: jobs.Default, MaxRetry: maxPageTries - 1, Timeout: 30 * time.Second, RetryDelay: 2 * time.Second,
	})
}

// saveTimeout bounds writing down what the provider has just made, also when the caller has hung up.
const saveTimeout = 5 * time.Second

// detached is a context for a step that has to be finished even when the caller hangs up; limit bounds it.
func detached(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), limit)
}
