package subscriptions

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"time"

	"golang.org/x/time/rate"
	"gorm.io/gorm"

	"talkoot.fi/kit/jobs"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
)

// Options are the parts of a Service. All are needed but PerSecond and AtOnce.
type Options struct {
	DB        *gorm.DB
	Payments  *payments.Service
	Providers map[string]Provider // by their names
	Content   *contentclient.Client
	// Wake functions are called after a commit that left work behind and must not block.
	WakeEvents, WakeSteps func()
	Now                   func() time.Time
	Log                   *slog.Logger
	// PerSecond is how many subscriptions one worker begins to charge in a second [5], evenly. It bounds what webhooks and
	// pledges feel when many months are due in the same minute, and the calls to the provider.
	PerSecond int
	// AtOnce is how many subscriptions one worker charges at once [16].
	AtOnce int
}

// Provider is what is asked of a payment provider here.
type Provider interface {
	Name() string
	Traits() provider.Traits
	provider.Instruments
}

// Service is the domain; it is safe for concurrent use.
type Service struct {
	db                    *gorm.DB
	payments              *payments.Service
	providers             map[string]Provider
	content               *contentclient.Client
	wakeEvents, wakeSteps func()
	now                   func() time.Time // as PostgreSQL keeps it
	log                   *slog.Logger
	atOnce                int
	pace                  *rate.Limiter // of Run
}

// New makes the service, and has it follow its payments.
func New(o Options) (*Service, error) {
	if o.DB == nil || o.Payments == nil || o.Content == nil || o.WakeEvents == nil || o.WakeSteps == nil || o.Now == nil ||
		o.Log == nil {
		return nil, errors.New("subscriptions: something that the service needs is missing")
	}
	s := &Service{
		db: o.DB, payments: o.Payments, providers: o.Providers, content: o.Content, wakeEvents: o.WakeEvents,
		wakeSteps: o.WakeSteps, now: func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) }, log: o.Log,
		atOnce: cmp.Or(o.AtOnce, 16), pace: rate.NewLimiter(rate.Limit(cmp.Or(o.PerSecond, 5)), 1),
	}
	o.Payments.Follow(contentclient.Subscription, follower{s})
	return s, nil
}

// Steps asks a worker to look at subscriptions that are due now.
func Steps() jobs.Task[struct{}] {
	return jobs.Define[struct{}]("subscriptions:steps", jobs.Options{Queue: jobs.Critical, MaxRetry: jobs.NoRetry,
		Timeout: 5 * time.Second})
}

// forLog names a subscription in logs, which hold no ids of what people pay for: the first 16 digits of the id's SHA-256, which
// select it by left(encode(sha256(convert_to(id, 'UTF8')), 'hex'), 16).
func forLog(id string) string {
	hash := sha256.Sum256([]byte(id))
	return hex.EncodeToString(hash[:8])
}

// subject is a month's payment.
func subject(id string, period int) payments.Subject {
	return payments.Subject{Kind: string(contentclient.Subscription), ID: id, Period: period}
}
