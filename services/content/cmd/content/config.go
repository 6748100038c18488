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
	"talkoot.fi/kit/tracing"

	"talkoot.fi/content/internal/person/forum"
)

// The configuration is one struct for each subcommand, read by conf.Load. A field's comment says what it is for, with
// its unit; its tags have the variable, the default, and a help for faults where the value has a form.

// Database says how a process reaches PostgreSQL.
type Database struct {
	// URL is the database's address.
	URL conf.Secret `env:"DATABASE_URL" required:"true" help:"postgres://user:password@host:port/database"`
	// MaxConns is the size of this process's pool; the pools of all processes together must stay below the server's
	// max_connections.
	MaxConns int `env:"DATABASE_CONNS" default:"20" min:"1"`
}

// Place is the platform's address.
type Place struct {
	// PublicURL is the address that people see, without a final slash.
	PublicURL string `env:"PUBLIC_URL" default:"http://localhost:8080"`
}

// Money says whether payments are real or go to the sandbox.
type Money struct {
	// Sandbox says that no real money moves here. Demo content is refused without it.
	Sandbox bool `env:"SANDBOX" help:"1 for a sandbox"`
	// StripeKey is what browsers show the payment provider; without it there is no card form.
	StripeKey string `env:"STRIPE_PUBLISHABLE_KEY" help:"pk_…"`
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
	// Traces are where traces are sent, and which.
	Traces tracing.Config
	// Addr is the address to listen on.
	Addr string `env:"ADDR" default:"127.0.0.1:8081" help:"host:port; :8081 in a container"`
	// Leave is how long /readyz says no before the process stops accepting requests.
	Leave time.Duration `env:"DRAIN_PAUSE" default:"0s" help:"5s behind a proxy that asks /readyz"`
	// ReadURL is a streaming replica of the database, for what all who are not signed in read; it has a pool of MaxConns of its own.
	ReadURL conf.Secret `env:"DATABASE_READ_URL" help:"postgres://user:password@host:port/database"`
	// RedisURL is where requests are counted for the rate limits of all processes; the service runs without it.
	RedisURL conf.Secret `env:"REDIS_URL" default:"redis://127.0.0.1:6379/0" help:"redis://host:port/0"`
	// BlobURL is where pictures are stored.
	BlobURL string `env:"BLOB_URL" required:"true" help:"file:///path; an object store in a program built with -tags cloud"`
	// WebDir is the folder of the built web app.
	WebDir string `env:"WEB_DIR" default:"frontend/dist"`

	// SessionKey is the Ed25519 key that signs session tokens; behind a comma those of before.
	SessionKey conf.Secret `env:"SESSION_KEY" required:"true" help:"PEM (openssl genpkey -algorithm ed25519) or a seed in base64; behind a comma those of before"`
	// SealingKey seals the secrets of code apps; without it a key that follows from SessionKey does.
	SealingKey conf.Secret `env:"SEALING_KEY" help:"at least 32 bytes; behind a comma those of before"`
	// ServiceSecret is shared with the payment service; behind a comma those of before, or the next one.
	ServiceSecret conf.Secret `env:"SERVICE_SECRET" required:"true" help:"at least 32 bytes; behind a comma those of before"`
	// PaymentsURL is the payment service, reached directly, which keeps people's spending limits.
	PaymentsURL url.URL `env:"PAYMENTS_URL" required:"true" help:"http://host:port"`

	// StripeScript is the address of the payment provider's script; the provider's own when empty.
	StripeScript string `env:"STRIPE_JS_URL"`
	// CardURL is the origin of provider B that takes cards from the browser; empty without provider B.
	CardURL string `env:"MANGOPAY_CARD_URL" help:"https://host"`
	// MangopayTerms is the address of the terms that creators accept whom provider B pays.
	MangopayTerms string `env:"MANGOPAY_TERMS_URL" default:"https://mangopay.com/terms-and-conditions" help:"https://…"`
	// SandboxURL is the origin of the sandbox, which also stands for the video platforms; empty with real keys.
	SandboxURL string `env:"SANDBOX_URL"`
	// Proxies are the networks whose X-Forwarded-For is trusted; loopback when empty.
	Proxies []string `env:"TRUSTED_PROXIES" help:"10.0.0.0/8,…"`
	// CORSOrigins are other origins whose pages may read answers.
	CORSOrigins []string `env:"CORS_ORIGINS" help:"https://host,…"`

	// ForumSecret is shared with the discussion forum (DiscourseConnect); without it there is no forum.
	ForumSecret conf.Secret `env:"DISCOURSE_CONNECT_SECRET" help:"at least 32 bytes"`
	// ForumReturnURLs are the addresses at the forum that log-ins may return to.
	ForumReturnURLs []string `env:"FORUM_RETURN_URLS" help:"https://forum.example/session/sso_login,…"`

	// PledgeHold is how long an unpaid pledge keeps its reward once its payment has begun, from when it was made.
	PledgeHold time.Duration `env:"PLEDGE_HOLD" default:"30m"`
	// PledgeFirstHold is how long it keeps its reward if no payment begins, also from when it was made.
	PledgeFirstHold time.Duration `env:"PLEDGE_FIRST_HOLD" default:"5m"`

	// PledgesAMinute limits pledges from one address.
	PledgesAMinute int `env:"RATE_LIMIT_PLEDGES" default:"60" min:"1"`
	// SignInsAMinute limits sign-ins, and registrations, from one address. Wrong passwords have pauses of their own.
	SignInsAMinute int `env:"RATE_LIMIT_SIGN_IN" default:"30" min:"1"`
	// LikesAMinute limits likes and unlikes by one person; from one address five times as many are allowed.
	LikesAMinute int `env:"RATE_LIMIT_LIKES" default:"30" min:"1"`
	// DraftsAnHour limits campaigns begun by one person.
	DraftsAnHour int `env:"RATE_LIMIT_DRAFTS" default:"30" min:"1"`
	// EditsAnHour limits one person's changes of campaigns, rewards and posts; a sixth of them may come at once.
	EditsAnHour int `env:"RATE_LIMIT_EDITS" default:"1200" min:"1"`
	// ReviewsAnHour limits how often one person asks for reviews.
	ReviewsAnHour int `env:"RATE_LIMIT_REVIEWS" default:"10" min:"1"`
	// UploadsAnHour limits pictures sent by one person.
	UploadsAnHour int `env:"RATE_LIMIT_UPLOADS" default:"200" min:"1"`
	// ListsAMinute limits lists read from one address, in each process.
	ListsAMinute int `env:"RATE_LIMIT_LISTS" default:"1200" min:"1"`
	// SearchesAMinute limits searches, and pages from a list's thousandth place on, from one address, in each process.
	SearchesAMinute int `env:"RATE_LIMIT_SEARCHES" default:"120" min:"1"`
}

// Validate checks rules between fields.
func (c *ServeConfig) Validate() error {
	faults := []error{c.Place.validate(), c.Money.validate(), c.Traces.Validate()}
	if c.SandboxURL != "" && !c.Sandbox {
		faults = append(faults, errors.New("SANDBOX_URL is set without SANDBOX: unset it, or set both"))
	}
	if u, err := url.Parse(c.CardURL); c.CardURL != "" && (err != nil || u.Host == "" || c.CardURL != u.Scheme+"://"+u.Host ||
		u.Scheme != "https" && !c.Sandbox) {
		faults = append(faults, errors.New("MANGOPAY_CARD_URL is no origin: set https://host without a path"))
	}
	if _, err := httpx.ParseProxies(c.Proxies); err != nil {
		faults = append(faults, fmt.Errorf("TRUSTED_PROXIES: %w", err))
	}
	if err := httpx.CheckAddr(c.Addr); err != nil {
		faults = append(faults, fmt.Errorf("ADDR: %w", err))
	}
	if c.Leave < 0 {
		faults = append(faults, errors.New("DRAIN_PAUSE must not be negative"))
	}
	faults = append(faults, checkServiceSecret(c.ServiceSecret), checkLength("SEALING_KEY", c.SealingKey), c.forum().Validate())
	if c.PledgeHold < time.Minute {
		faults = append(faults, errors.New("PLEDGE_HOLD must be at least 1m: a payment takes a while"))
	}
	if c.PledgeFirstHold < time.Minute || c.PledgeFirstHold > c.PledgeHold {
		faults = append(faults, errors.New("PLEDGE_FIRST_HOLD must be at least 1m and at most PLEDGE_HOLD"))
	}
	return errors.Join(faults...)
}

// forum is which forum there is.
func (c *ServeConfig) forum() forum.Config {
	return forum.Config{Secret: []byte(c.ForumSecret.Reveal()), ReturnURLs: c.ForumReturnURLs}
}

// WorkConfig is what `content work` needs.
type WorkConfig struct {
	Database
	Place
	// Traces are where traces are sent, and which.
	Traces tracing.Config
	// Addr is the address of /healthz, /readyz and /metrics; none when empty.
	Addr string `env:"WORK_ADDR" help:"host:port; :8083 in a container"`
	// SMTPURL is the mail server.
	SMTPURL conf.Secret `env:"SMTP_URL" required:"true" help:"smtp://[user:password@]host:port, or smtps://"`
	// MailFrom is the sender of mails.
	MailFrom string `env:"MAIL_FROM" default:"Talkoot <no-reply@talkoot.example>"`
	// PaymentsURL is the payment service, reached directly, which closes the payments of pledges that have ended.
	PaymentsURL url.URL `env:"PAYMENTS_URL" required:"true" help:"http://host:port"`
	// ServiceSecret is shared with the payment service; behind a comma those of before, or the next one.
	ServiceSecret conf.Secret `env:"SERVICE_SECRET" required:"true" help:"at least 32 bytes; behind a comma those of before"`
	// BlobURL is where pictures are stored; those of erased people are deleted.
	BlobURL string `env:"BLOB_URL" required:"true" help:"file:///path; an object store in a program built with -tags cloud"`
}

// Validate checks rules between fields.
func (c *WorkConfig) Validate() error {
	faults := []error{c.validate(), checkServiceSecret(c.ServiceSecret), c.Traces.Validate()}
	if err := httpx.CheckAddr(c.Addr); c.Addr != "" && err != nil {
		faults = append(faults, fmt.Errorf("WORK_ADDR: %w", err))
	}
	return errors.Join(faults...)
}

func checkServiceSecret(s conf.Secret) error { return checkLength("SERVICE_SECRET", s) }

// checkLength wants enough bytes of each of a secret's values.
func checkLength(name string, s conf.Secret) error {
	for _, one := range s.List() {
		if len(one) < servicetoken.MinSecretBytes {
			return fmt.Errorf("%s must have at least %d bytes, each of them if there are several", name, servicetoken.MinSecretBytes)
		}
	}
	return nil
}

// SeedConfig is what `content seed` needs.
type SeedConfig struct {
	Database
	Place
	Money
	// BlobURL is where pictures are stored.
	BlobURL string `env:"BLOB_URL" required:"true" help:"file:///path; an object store in a program built with -tags cloud"`
	// SessionKey is that of `content serve`, with which the demo admin's code app is sealed.
	SessionKey conf.Secret `env:"SESSION_KEY" required:"true" help:"PEM (openssl genpkey -algorithm ed25519) or a seed in base64; behind a comma those of before"`
	// SealingKey seals the secrets of code apps; without it a key that follows from SessionKey does.
	SealingKey conf.Secret `env:"SEALING_KEY" help:"at least 32 bytes; behind a comma those of before"`
	// DemoDir is the folder of the demo content.
	DemoDir string `env:"DEMO_DIR" default:"scripts/demo"`
}

// Validate refuses a real platform: the password of the demo accounts is public.
func (c *SeedConfig) Validate() error {
	if !c.Sandbox {
		return errors.New("the demo content has accounts with a known password: set SANDBOX=1 to say that this platform is " +
			"a sandbox")
	}
	return errors.Join(c.Place.validate(), c.Money.validate())
}

// ResealConfig is what `content reseal` needs: the keys of `content serve`.
type ResealConfig struct {
	Database
	SessionKey conf.Secret `env:"SESSION_KEY" required:"true" help:"that of content serve"`
	SealingKey conf.Secret `env:"SEALING_KEY" help:"that of content serve"`
}

// Validate checks rules between fields.
func (c *ResealConfig) Validate() error { return checkLength("SEALING_KEY", c.SealingKey) }

// OperatorConfig is what `content admin`, `block`, `unblock` and `reset-second-step` need.
type OperatorConfig struct {
	Database
	// Sandbox says that no real money moves here.
	Sandbox bool `env:"SANDBOX" help:"1 for a sandbox"`
}

func (p *Place) validate() error {
	p.PublicURL = strings.TrimSuffix(p.PublicURL, "/")
	if !strings.HasPrefix(p.PublicURL, "http://") && !strings.HasPrefix(p.PublicURL, "https://") {
		return errors.New("PUBLIC_URL must begin with http:// or https://")
	}
	return nil
}

// serveTimeout is the statement timeout of requests: nobody waits longer for a page. Workers have dbx's default, and
// migrations have none.
const serveTimeout = 5 * time.Second

// openReplica makes the pool of the replica; nil without one.
func (c *ServeConfig) openReplica(db *gorm.DB, log *slog.Logger) (*dbx.Replica, error) {
	if !c.ReadURL.IsSet() {
		return nil, nil //nolint:nilnil // most installations have none
	}
	return dbx.OpenReplica(dbx.Config{URL: c.ReadURL.Reveal(), AppName: "content serve", MaxConns: c.MaxConns, StatementTimeout: serveTimeout}, db, log)
}

// open connects to the database, which must be there.
func (d *Database) open(ctx context.Context, process string, log *slog.Logger) (*gorm.DB, error) {
	c := dbx.Config{URL: d.URL.Reveal(), AppName: "content " + process, MaxConns: d.MaxConns}
	if process == "serve" {
		c.StatementTimeout = serveTimeout
	}
	return dbx.Open(ctx, c, log)
}
