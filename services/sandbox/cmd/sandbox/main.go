// Command sandbox runs the stand-ins for the outside world: Stripe and Mangopay with their browser pages, a mail catcher with its
// inbox, the video platforms, a discussion forum, and the code app on a phone. It is for development and tests; it takes
// no live keys.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"talkoot.fi/sandbox/authenticator"
	"talkoot.fi/sandbox/forum"
	"talkoot.fi/sandbox/mail"
	"talkoot.fi/sandbox/mangopay"
	"talkoot.fi/sandbox/stripe"
	"talkoot.fi/sandbox/video"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Getenv); err != nil {
		fmt.Fprintln(os.Stderr, "sandbox:", err)
		os.Exit(1) //nolint:gocritic // the signal handler needs no undoing
	}
}

// config is the whole environment of the command.
type config struct {
	addr          string // ADDR
	smtpAddr      string // SMTP_ADDR
	stateDir      string // STATE_DIR; empty forgets everything at the end
	sync          bool   // STATE_SYNC=true: survive a power cut too, at the price of speed
	publicURL     string // PUBLIC_URL: how a browser reaches this command
	webhookURL    string // STRIPE_WEBHOOK_URL
	webhookSecret string // STRIPE_WEBHOOK_SECRET
	forumSecret   string // DISCOURSE_CONNECT_SECRET; no forum without it
	siteURL       string // SITE_URL: how a browser reaches the platform
	demoDir       string // DEMO_DIR: the demo content, whose accounts the authenticator has
	mangopay      mangopayConfig
	logLevel      slog.Level
}

// mangopayConfig is of the stand-in for Mangopay, which has an address of its own: its paths begin at the root, as Stripe's do.
type mangopayConfig struct {
	addr      string // MANGOPAY_ADDR; no stand-in without it
	publicURL string // MANGOPAY_PUBLIC_URL: how a browser reaches it
	clientID  string // MANGOPAY_CLIENT_ID
	apiKey    string // MANGOPAY_API_KEY
	hookURL   string // MANGOPAY_HOOK_URL: hooked for every event from the start; without it hooks are the API's only
	rateTimes int64  // MANGOPAY_RATE_TIMES: how many times the usual calls its rate headers allow
}

func readConfig(env func(string) string) (config, error) {
	or := func(name, fallback string) string {
		if v := env(name); v != "" {
			return v
		}
		return fallback
	}
	c := config{
		addr: or("ADDR", "127.0.0.1:8090"), smtpAddr: or("SMTP_ADDR", "127.0.0.1:8025"), stateDir: env("STATE_DIR"),
		publicURL: or("PUBLIC_URL", "http://localhost:8090"), webhookURL: env("STRIPE_WEBHOOK_URL"),
		webhookSecret: env("STRIPE_WEBHOOK_SECRET"), forumSecret: env("DISCOURSE_CONNECT_SECRET"),
		siteURL: or("SITE_URL", "http://localhost:8080"), sync: env("STATE_SYNC") == "true",
		demoDir: env("DEMO_DIR"),
		mangopay: mangopayConfig{
			addr: env("MANGOPAY_ADDR"), publicURL: or("MANGOPAY_PUBLIC_URL", "http://localhost:8091"), hookURL: env("MANGOPAY_HOOK_URL"),
			clientID: or("MANGOPAY_CLIENT_ID", "sandbox"), apiKey: or("MANGOPAY_API_KEY", "sandbox-key"),
		},
	}
	var faults []error
	if v := env("MANGOPAY_RATE_TIMES"); v != "" {
		var err error
		if c.mangopay.rateTimes, err = strconv.ParseInt(v, 10, 64); err != nil || c.mangopay.rateTimes < 1 {
			faults = append(faults, errors.New("MANGOPAY_RATE_TIMES must be a number from 1"))
		}
	}
	if v := env("STATE_SYNC"); v != "" && v != "true" && v != "false" {
		faults = append(faults, errors.New("STATE_SYNC must be true or false"))
	}
	if err := c.logLevel.UnmarshalText([]byte(or("LOG_LEVEL", "info"))); err != nil {
		faults = append(faults, fmt.Errorf("LOG_LEVEL: %w", err))
	}
	if key := env("STRIPE_SECRET_KEY"); strings.HasPrefix(key, "sk_live_") {
		faults = append(faults, errors.New("STRIPE_SECRET_KEY is a live key: the sandbox does not run beside one"))
	}
	return c, errors.Join(faults...)
}

func run(ctx context.Context, env func(string) string) (err error) {
	cfg, err := readConfig(env)
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: cfg.logLevel}))

	stripeDir, mangopayDir, mailDir := "", "", ""
	if dir := cfg.stateDir; dir != "" {
		stripeDir, mangopayDir, mailDir = filepath.Join(dir, "stripe"), filepath.Join(dir, "mangopay"), filepath.Join(dir, "mail")
	}
	provider, err := stripe.New(stripe.Options{
		StateDir: stripeDir, Sync: cfg.sync, Log: log, PublicURL: cfg.publicURL,
		WebhookURL: cfg.webhookURL, WebhookSecret: cfg.webhookSecret,
	})
	if err != nil {
		return fmt.Errorf("start Stripe stand-in: %w", err)
	}
	defer func() { err = errors.Join(err, provider.Close()) }()
	var second http.Handler
	if b := cfg.mangopay; b.addr != "" {
		provider, err := mangopay.New(mangopay.Options{
			StateDir: mangopayDir, Sync: cfg.sync, Log: log, ClientID: b.clientID, APIKey: b.apiKey, PublicURL: b.publicURL, HookURL: b.hookURL,
			RateTimes: b.rateTimes,
		})
		if err != nil {
			return fmt.Errorf("start Mangopay stand-in: %w", err)
		}
		defer func() { err = errors.Join(err, provider.Close()) }()
		second = provider.Handler()
	}
	catcher, err := mail.New(mail.Options{StateDir: mailDir, Sync: cfg.sync, Log: log})
	if err != nil {
		return fmt.Errorf("start mail catcher: %w", err)
	}
	defer func() { err = errors.Join(err, catcher.Close()) }()

	accounts, err := authenticator.Demo(cfg.demoDir)
	if err != nil {
		return err
	}

	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	mux.Handle("/mail/", catcher.Handler())
	mux.Handle("/authenticator/", authenticator.Handler(accounts, time.Now))
	mux.Handle("/video/", video.Handler())
	if cfg.forumSecret != "" {
		discussion := forum.New(forum.Options{Secret: cfg.forumSecret, SiteURL: cfg.siteURL, URL: cfg.publicURL, Now: time.Now})
		mux.Handle("/forum/", discussion.Handler())
	}
	mux.Handle("/", provider.Handler())
	return serve(ctx, cfg, log, mux, second, catcher)
}

const stopTime = 10 * time.Second

// serve listens until ctx ends, then lets open requests finish. second is Mangopay's handler, or nil.
func serve(ctx context.Context, cfg config, log *slog.Logger, handler, second http.Handler, catcher *mail.Catcher) error {
	var listen net.ListenConfig
	web, err := listen.Listen(ctx, "tcp", cfg.addr)
	if err != nil {
		return fmt.Errorf("listen on ADDR: %w", err)
	}
	post, err := listen.Listen(ctx, "tcp", cfg.smtpAddr)
	if err != nil {
		return errors.Join(fmt.Errorf("listen on SMTP_ADDR: %w", err), web.Close())
	}
	servers := []*http.Server{newServer(handler), newServer(second)}
	ended := make(chan error, 3)
	go func() { ended <- servers[0].Serve(web) }()
	go func() { ended <- catcher.Serve(post) }()
	if second != nil {
		also, err := listen.Listen(ctx, "tcp", cfg.mangopay.addr)
		if err != nil {
			return errors.Join(fmt.Errorf("listen on MANGOPAY_ADDR: %w", err), web.Close(), post.Close())
		}
		go func() { ended <- servers[1].Serve(also) }()
		log.Info("Mangopay stand-in ready", "url", cfg.mangopay.publicURL, "addr", also.Addr().String())
	}
	log.Info("sandbox ready", "url", cfg.publicURL, "addr", web.Addr().String(), "smtp", post.Addr().String())

	var failed error
	select {
	case <-ctx.Done():
	case failed = <-ended:
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	return errors.Join(failed, servers[0].Shutdown(stopping), servers[1].Shutdown(stopping), catcher.Shutdown(stopping))
}

func newServer(handler http.Handler) *http.Server {
	return &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
}
