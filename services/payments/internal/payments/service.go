package payments

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
)

// Grace is how long after the end of what the content service keeps for the backer a payment may still arrive before its
// attempts are ended.
const Grace = 5 * time.Minute

// Deps is what the service works with. All but the waits are needed.
type Deps struct {
	DB *gorm.DB
	// Providers by their names; empty when all are off. New payments go to Default.
	Providers map[string]provider.Provider
	Default   string
	Content   *contentclient.Client
	Queue     *jobs.Client
	// Wake functions are called after a commit that left work behind and must not block.
	WakeEvents func()
	WakeTidy   func()
	// Limiter counts declines for all processes together; without Redis each counts alone [in this process].
	Limiter *ratelimit.Limiter
	// DeclinesPerHour is how many refused cards one network may see; one card a third, one campaign ten times as many [30].
	DeclinesPerHour int
	// PublicURL is the web app's address, for the way back from a hosted page.
	PublicURL string
	Now       func() time.Time
	Log       *slog.Logger
	// PageWait is how long a request waits for its hosted page [1.5 s].
	PageWait time.Duration
	// CallWait bounds all of a request's calls to the provider together [9 s].
	CallWait time.Duration
	// Workers is how many pieces of work Tidy does at once [4].
	Workers int
}

// Service is the domain; it is safe for concurrent use.
type Service struct{ Deps }

// New checks what it is given.
func New(d Deps) (*Service, error) {
	if d.DB == nil || d.Content == nil || d.Queue == nil || d.WakeEvents == nil || d.WakeTidy == nil || d.PublicURL == "" || d.Now == nil || d.Log == nil {
		return nil, errors.New("payments: something that the service needs is missing")
	}
	if d.PageWait == 0 {
		d.PageWait = 1500 * time.Millisecond
	}
	if d.CallWait == 0 {
		d.CallWait = 9 * time.Second
	}
	if d.Workers == 0 {
		d.Workers = 4
	}
	if d.Limiter == nil {
		d.Limiter = ratelimit.NewLocal(d.Now)
	}
	if d.DeclinesPerHour == 0 {
		d.DeclinesPerHour = 30
	}
	d.PublicURL = strings.TrimSuffix(d.PublicURL, "/")
	return &Service{Deps: d}, nil
}

// clock is the time as PostgreSQL keeps it.
func (s *Service) clock() time.Time { return s.Now().UTC().Truncate(time.Microsecond) }

// provider finds one by its name. Error: ConfigurationError (provider_off).
func (s *Service) provider(name string) (provider.Provider, error) {
	if p, on := s.Providers[name]; on {
		return p, nil
	}
	return nil, apperr.New(apperr.ConfigurationError).WithCode("provider_off")
}

// Tidy asks a worker to make, end and send what is due now.
func Tidy() jobs.Task[struct{}] {
	return jobs.Define[struct{}]("payments:tidy", jobs.Options{Queue: jobs.Critical, MaxRetry: jobs.NoRetry, Timeout: 5 * time.Second})
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

// detached keeps a step going that must not be cut when the caller hangs up, with a limit of its own.
func detached(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), limit)
}
