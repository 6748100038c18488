package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/servicetoken"
)

// Database says how a process reaches PostgreSQL.
type Database struct {
	URL      conf.Secret `env:"DATABASE_URL" required:"true" help:"postgres://user:password@host:port/database"`
	MaxConns int         `env:"DATABASE_CONNS" default:"20" help:"connections of this process; all processes together must stay below the server's max_connections"`
}

// Place is the platform's address and time zone.
type Place struct {
	PublicURL string `env:"PUBLIC_URL" default:"http://localhost:8080" help:"the address that people see, without a final slash"`
	TimeZone  string `env:"TIME_ZONE" default:"Europe/Helsinki" help:"the zone that calendar days belong to"`
}

// Money says whether payments are real or go to the sandbox.
type Money struct {
	Sandbox   bool   `env:"SANDBOX" help:"1 says that this is no real platform; the demo content goes nowhere else"`
	StripeKey string `env:"STRIPE_PUBLISHABLE_KEY" help:"pk_…, what browsers show the payment provider; no card form without it"`
}

// liveKeyPrefix begins the payment provider's keys that charge real cards.
const liveKeyPrefix = "pk_live_"

func (m *Money) validate() error {
	if m.Sandbox && strings.HasPrefix(m.StripeKey, liveKeyPrefix) {
		return errors.New("SANDBOX is set, and STRIPE_PUBLISHABLE_KEY moves real money: unset one of them")
	}
	return nil
}

// ServeConfig is what `content serve` needs.
type ServeConfig struct {
	Database
	Place
	Money
	Addr     string      `env:"ADDR" default:"127.0.0.1:8081" help:"address to listen on"`
	RedisURL conf.Secret `env:"REDIS_URL" default:"redis://127.0.0.1:6379/0" help:"counts tries for all processes together; the service runs without it"`
	BlobURL  string      `env:"BLOB_URL" required:"true" help:"where pictures are kept, file:///path or an object store"`
	WebDir   string      `env:"WEB_DIR" default:"frontend/dist" help:"the built web app"`

	SessionKey    conf.Secret `env:"SESSION_KEY" required:"true" help:"Ed25519 key of session tokens: PEM (openssl genpkey -algorithm ed25519) or the seed in base64"`
	ServiceSecret conf.Secret `env:"SERVICE_SECRET" required:"true" help:"shared with the payment service, at least 32 bytes"`

	StripeScript string   `env:"STRIPE_JS_URL" help:"where the payment provider's script is; the provider's own when not set"`
	SandboxURL   string   `env:"SANDBOX_URL" help:"origin of the stand-in for the outside world; not set with real keys"`
	Proxies      []string `env:"TRUSTED_PROXIES" help:"networks whose X-Forwarded-For is believed, comma-separated; loopback when not set"`
	CORSOrigins  []string `env:"CORS_ORIGINS" help:"foreign origins whose pages may read answers, comma-separated"`

	PledgeHold      time.Duration `env:"PLEDGE_HOLD" default:"30m" help:"how long an unpaid pledge keeps its reward once its payment has begun"`
	PledgeFirstHold time.Duration `env:"PLEDGE_FIRST_HOLD" default:"5m" help:"how long it keeps it before that"`
	PledgesAMinute  int           `env:"RATE_LIMIT_PLEDGES" default:"60" help:"pledges a minute from one address"`
	SignInsAMinute  int           `env:"RATE_LIMIT_SIGN_IN" default:"30" help:"sign-ins, and registrations, a minute from one address; wrong passwords have pauses that grow, whatever this says"`
	LikesAMinute    int           `env:"RATE_LIMIT_LIKES" default:"30" help:"likes, given and taken back, a minute by one person; from one address five times as many"`
	ListsAMinute    int           `env:"RATE_LIMIT_LISTS" default:"1200" help:"lists a minute from one address, in each process"`
	SearchesAMinute int           `env:"RATE_LIMIT_SEARCHES" default:"120" help:"searches, and lists from their thousandth place, a minute from one address, in each process"`
}

// Validate checks rules between fields.
func (c *ServeConfig) Validate() error {
	faults := []error{c.Place.validate(), c.Money.validate()}
	if _, err := httpx.ParseProxies(c.Proxies); err != nil {
		faults = append(faults, fmt.Errorf("TRUSTED_PROXIES: %w", err))
	}
	faults = append(faults, checkServiceSecret(c.ServiceSecret))
	if c.PledgeHold < time.Minute {
		faults = append(faults, errors.New("PLEDGE_HOLD must be at least 1m: a payment takes a while"))
	}
	if c.PledgeFirstHold < time.Minute || c.PledgeFirstHold > c.PledgeHold {
		faults = append(faults, errors.New("PLEDGE_FIRST_HOLD must be at least 1m and at most PLEDGE_HOLD"))
	}
	if min(c.PledgesAMinute, c.SignInsAMinute, c.LikesAMinute, c.ListsAMinute, c.SearchesAMinute) < 1 {
		faults = append(faults, errors.New("RATE_LIMIT_PLEDGES, RATE_LIMIT_SIGN_IN, RATE_LIMIT_LIKES, RATE_LIMIT_LISTS and RATE_LIMIT_SEARCHES must be at least 1"))
	}
	return errors.Join(faults...)
}

// WorkConfig is what `content work` needs.
type WorkConfig struct {
	Database
	Place
	Addr     string      `env:"WORK_ADDR" help:"address of /healthz, /readyz and /metrics; none when not set"`
	SMTPURL  conf.Secret `env:"SMTP_URL" required:"true" help:"smtp://[user:password@]host:port, or smtps://"`
	MailFrom string      `env:"MAIL_FROM" default:"Talkoot <no-reply@talkoot.example>" help:"sender of mails"`

	PaymentsURL   url.URL     `env:"PAYMENTS_URL" required:"true" help:"the payment service, reached directly: it is told which payments nobody wants any more"`
	ServiceSecret conf.Secret `env:"SERVICE_SECRET" required:"true" help:"shared with the payment service, at least 32 bytes"`
}

// Validate checks what goes together.
func (c *WorkConfig) Validate() error {
	return errors.Join(c.validate(), checkServiceSecret(c.ServiceSecret))
}

func checkServiceSecret(s conf.Secret) error {
	if len(s.Reveal()) < servicetoken.MinSecretBytes {
		return fmt.Errorf("SERVICE_SECRET must have at least %d bytes", servicetoken.MinSecretBytes)
	}
	return nil
}

// SeedConfig is what `content seed` needs.
type SeedConfig struct {
	Database
	Place
	Money
	BlobURL string `env:"BLOB_URL" required:"true" help:"where pictures are kept"`
	DemoDir string `env:"DEMO_DIR" default:"scripts/demo" help:"the demo content"`
}

// Validate refuses to fill demo people with a known password into a real platform.
func (c *SeedConfig) Validate() error {
	if !c.Sandbox {
		return errors.New("the demo content has accounts with a known password: set SANDBOX=1 to say that this platform is a sandbox")
	}
	return errors.Join(c.Place.validate(), c.Money.validate())
}

// OperatorConfig is what `content admin`, `content block` and `content unblock` need.
type OperatorConfig struct {
	Database
	Sandbox bool `env:"SANDBOX" help:"1 says that this is no real platform"`
}

func (p *Place) validate() error {
	p.PublicURL = strings.TrimSuffix(p.PublicURL, "/")
	if !strings.HasPrefix(p.PublicURL, "http://") && !strings.HasPrefix(p.PublicURL, "https://") {
		return errors.New("PUBLIC_URL must begin with http:// or https://")
	}
	if _, err := time.LoadLocation(p.TimeZone); err != nil {
		return fmt.Errorf("TIME_ZONE: %w", err)
	}
	return nil
}

// zone is the location of TimeZone, which validate has checked.
func (p *Place) zone() (*time.Location, error) { return time.LoadLocation(p.TimeZone) }

// serveTimeout is the statement timeout of requests: nobody waits longer for a page. Workers have dbx's default, and
// migrations have none.
const serveTimeout = 5 * time.Second

// open connects to the database, which must be there.
func (d *Database) open(ctx context.Context, process string, log *slog.Logger) (*gorm.DB, error) {
	c := dbx.Config{URL: d.URL.Reveal(), AppName: "content " + process, MaxConns: d.MaxConns}
	if process == "serve" {
		c.StatementTimeout = serveTimeout
	}
	return dbx.Open(ctx, c, log)
}
