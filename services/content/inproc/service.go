// Package inproc is the content service run by hand, step by step, for simulations and tests of the whole platform; not
// used in production.
//
// What runs in the background in production (the outbox relay, the sweep of reservations, stage changes) runs here
// when it is called, on the caller's clock. It holds no rules: requests go through the real handler, and the steps are
// the domains' own functions. A Service that was killed in the middle of a statement (Config.Tracer) is thrown away,
// and a new one is made on the same database.
package inproc

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/outbox"
	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/app"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/schedule"
	"talkoot.fi/content/internal/mail/addresslinks"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/media/files"
	"talkoot.fi/content/internal/paymentsclient"
	"talkoot.fi/content/internal/person/sessions"
	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/pledging/subscriptions"
	"talkoot.fi/content/internal/web"
	"talkoot.fi/content/internal/zone"
)

const (
	defaultHold = 30 * time.Minute
	firstHold   = 5 * time.Minute
	// relayBatch is how many messages one pass delivers at most.
	relayBatch = 1000
)

// Config is what a Service is made of; zeros take the defaults in brackets.
type Config struct {
	// DatabaseURL is of a database with talkoot.fi/content/migrations in it.
	DatabaseURL string
	// MaxConns bounds the pool [10].
	MaxConns int
	// Tracer sees every statement and may stop it, as dbx.Config says; none when nil.
	Tracer pgx.QueryTracer
	// RedisURL is where requests are counted for rate limits; when empty they are counted in the process.
	RedisURL string
	// ServiceSecret is shared with the payment service, at least 32 bytes.
	ServiceSecret string
	// PaymentsURL is the payment service's address [http://payments.invalid], Payments the transport of calls to it [Go's
	// default].
	PaymentsURL string
	Payments    http.RoundTripper
	// PublicURL begins the links in mails [http://talkoot.invalid].
	PublicURL string
	// PledgeHold is how long an unpaid pledge keeps its reward after its payment has begun [30 min]; before that it keeps
	// it for 5 min, or PledgeHold if that is shorter.
	PledgeHold time.Duration
	// Mail receives the mails instead of a mail server; an error leaves the mail in the outbox. When nil, mails are
	// dropped.
	Mail func(context.Context, Mail) error
	Now  func() time.Time
	Log  *slog.Logger // may be nil
}

// Mail is a message as its receiver gets it. Kind is the outbox's: mail.receipt, mail.refund, mail.monthly_receipt, …
type Mail struct{ Kind, PledgeID, SubscriptionID, To, Subject, Text string }

// Service is the content service. It is safe for concurrent use.
type Service struct {
	db      *gorm.DB
	now     func() time.Time
	zone    *time.Location
	handler http.Handler
	pledges *pledges.Service
	monthly *subscriptions.Service
	relay   *outbox.Relay
	client  *paymentsclient.Client
	close   []func() error // in the order of opening
}

// New connects to the database and makes every part. The caller closes it.
func New(ctx context.Context, c Config) (_ *Service, err error) {
	c.setDefaults()
	s := &Service{now: c.Now}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.zone, err = zone.Load(); err != nil {
		return nil, err
	}
	if s.db, err = dbx.Open(ctx, dbx.Config{URL: c.DatabaseURL, AppName: "content inproc", MaxConns: c.MaxConns,
		Tracer: c.Tracer}, c.Log); err != nil {
		return nil, err
	}
	s.close = append(s.close, func() error { return dbx.Close(s.db) })
	if s.handler, err = s.newHandler(ctx, c); err != nil {
		return nil, err
	}
	s.pledges = pledges.New(pledges.Options{DB: s.db, Log: c.Log, Now: c.Now, Zone: s.zone, Hold: c.PledgeHold,
		FirstHold: min(firstHold, c.PledgeHold), LapseAtOnce: 1}) // in one order, so that a simulation repeats itself
	s.monthly = subscriptions.New(subscriptions.Options{DB: s.db, Log: c.Log, Now: c.Now, Zone: s.zone})
	if s.client, err = closing.NewClient(c.payments()); err != nil {
		return nil, err
	}
	s.relay, err = s.newRelay(c)
	return s, err
}

func (c *Config) setDefaults() {
	for field, value := range map[*string]string{&c.PaymentsURL: "http://payments.invalid",
		&c.PublicURL: "http://talkoot.invalid"} {
		if *field == "" {
			*field = value
		}
	}
	if c.PledgeHold == 0 {
		c.PledgeHold = defaultHold
	}
	if c.Mail == nil {
		c.Mail = func(context.Context, Mail) error { return nil }
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
}

// payments is how the payment service is called.
func (c *Config) payments() closing.ClientConfig {
	return closing.ClientConfig{URL: c.PaymentsURL, Secret: []byte(c.ServiceSecret), Now: c.Now, Transport: c.Payments}
}

// newHandler makes the public and the internal calls. There is no built web app, and pictures live until Close.
func (s *Service) newHandler(ctx context.Context, c Config) (http.Handler, error) {
	limiter, err := s.limiter(c)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "talkoot-inproc-")
	if err != nil {
		return nil, err
	}
	s.close = append(s.close, func() error { return os.RemoveAll(folder) })
	pictures, err := files.Open(ctx, files.Options{BlobURL: "file://" + folder, Log: c.Log, Now: c.Now})
	if err != nil {
		return nil, err
	}
	s.close = append(s.close, pictures.Close)
	seed := sha256.Sum256([]byte("session key of inproc " + c.ServiceSecret)) // the same after a crash
	plenty := ratelimit.Per(1_000_000, time.Second)
	return app.New(ctx, app.Options{Log: c.Log, Now: c.Now, DB: s.db, Limiter: limiter, Files: pictures,
		SigningKey: ed25519.NewKeyFromSeed(seed[:]), ServiceSecret: []byte(c.ServiceSecret), WebDir: folder, Payments: c.payments(),
		Web: web.Config{PublicURL: c.PublicURL}, Zone: s.zone, PledgeHold: c.PledgeHold, PledgeFirstHold: min(firstHold, c.PledgeHold),
		Limits: app.Limits{Pledges: plenty, SignIn: plenty, Likes: plenty, Drafts: plenty, Uploads: plenty, Edits: plenty, Reviews: plenty,
			Reads: app.ReadLimits{Lists: plenty, Searches: plenty}}})
}

func (s *Service) newRelay(c Config) (*outbox.Relay, error) {
	links, err := addresslinks.New([]byte(c.ServiceSecret))
	if err != nil {
		return nil, err
	}
	tokens, err := ordertoken.New([]byte(c.ServiceSecret), c.Now)
	if err != nil {
		return nil, err
	}
	sender, err := mails.NewSender(mails.Options{DB: s.db, PublicURL: c.PublicURL, Zone: s.zone, Links: links, OrderTokens: tokens, Now: c.Now,
		Send: func(ctx context.Context, m mails.Mail) error {
			return c.Mail(ctx, Mail{Kind: m.Kind, PledgeID: m.PledgeID, SubscriptionID: m.SubscriptionID, To: m.To, Subject: m.Subject, Text: m.Text})
		}})
	if err != nil {
		return nil, err
	}
	return app.NewRelay(app.RelayOptions{DB: s.db, Log: c.Log, Now: c.Now, Mails: sender,
		RemovePicture: func(context.Context, string) error { return nil }, // they go with the folder
		Payments:      c.payments(),
		Concurrency:   1}) // deterministic: the same steps give the same run
}

// limiter counts requests in Redis, if there is one.
func (s *Service) limiter(c Config) (*ratelimit.Limiter, error) {
	if c.RedisURL == "" {
		return ratelimit.NewLocal(c.Now), nil
	}
	client, err := jobs.OpenRedis(c.RedisURL)
	if err != nil {
		return nil, err
	}
	s.close = append(s.close, client.Close)
	return ratelimit.New(client, c.Now, c.Log), nil
}

// Close closes every part, the last one opened first. It waits for running statements.
func (s *Service) Close() error {
	var faults []error
	for i := len(s.close) - 1; i >= 0; i-- {
		faults = append(faults, s.close[i]())
	}
	s.close = nil
	return errors.Join(faults...)
}

// Handler answers the public and the internal calls.
func (s *Service) Handler() http.Handler { return s.handler }

// RelayOnce delivers the due messages of the outbox (mails to Config.Mail, closed payments to the payment service) and
// returns how many it tried. Failed ones are due again after a pause.
func (s *Service) RelayOnce(ctx context.Context) (int, error) {
	return s.relay.RunOnce(ctx, relayBatch)
}

// OpenDue opens one batch of approved campaigns whose first day has come, and returns how many.
func (s *Service) OpenDue(ctx context.Context) (int, error) {
	return schedule.OpenDue(ctx, s.db, s.now())
}

// EndDue ends one batch of campaigns whose last day is over, and returns how many.
func (s *Service) EndDue(ctx context.Context) (int, error) {
	return schedule.EndDue(ctx, s.db, s.client, s.now())
}

// Lapse ends one batch of pledges that were not paid in time or whose campaign was closed, and returns how many.
func (s *Service) Lapse(ctx context.Context) (int, error) { return s.pledges.Lapse(ctx) }

// EndSubscriptions ends one batch of subscriptions that were not paid in time, whose campaign was closed or whose person was
// blocked, and returns how many.
func (s *Service) EndSubscriptions(ctx context.Context) (int, error) { return s.monthly.EndDue(ctx) }

// Block blocks the person with an address, or gives the account back.
func (s *Service) Block(ctx context.Context, email string, blocked bool) error {
	_, err := sessions.SetBlocked(ctx, s.db, email, blocked, s.now())
	return err
}

// Drift is a stored total that differs from the sum of its sources.
type Drift = campaigns.Drift

// Stale is a row of the read model of lists and pages that differs from what is computed from its sources.
type Stale = campaigns.Stale

// Stale lists the rows of that read model that are wrong. There must be none.
func (s *Service) Stale(ctx context.Context) ([]Stale, error) {
	return campaigns.RecomputePreviews(ctx, s.db)
}

// Recompute lists the stored totals that differ from the sums of their sources. There must be none.
func (s *Service) Recompute(ctx context.Context) ([]Drift, error) {
	return campaigns.Recompute(ctx, s.db)
}
