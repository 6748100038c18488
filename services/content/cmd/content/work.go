package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"
	"gorm.io/gorm"

	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/tracing"
	"talkoot.fi/kit/tracing/otlp"

	"talkoot.fi/content/internal/app"
	"talkoot.fi/content/internal/campaign/review"
	"talkoot.fi/content/internal/campaign/schedule"
	"talkoot.fi/content/internal/campaign/team"
	"talkoot.fi/content/internal/discovery/recommend"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/mail/addresslinks"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/mail/undeliverable"
	"talkoot.fi/content/internal/media/files"
	"talkoot.fi/content/internal/paymentsclient"
	"talkoot.fi/content/internal/person/forum"
	"talkoot.fi/content/internal/person/personaldata"
	"talkoot.fi/content/internal/person/sessions"
	"talkoot.fi/content/internal/person/verifications"
	"talkoot.fi/content/internal/pledging/accounts"
	"talkoot.fi/content/internal/pledging/claims"
	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/pledging/receiptlinks"
	"talkoot.fi/content/internal/pledging/reminders"
	"talkoot.fi/content/internal/pledging/subscriptions"
	"talkoot.fi/content/internal/pledging/supportlinks"
	"talkoot.fi/content/internal/writing/presence"
	"talkoot.fi/content/internal/zone"
)

const (
	lapseEvery = 5 * time.Second
	openEvery  = 5 * time.Second // how late a campaign may open on its first day
	// payableEvery is how late a page may say that its campaign cannot be paid, or can again. Checkout asks itself.
	payableEvery = time.Minute
	tidyEvery    = 10 * time.Minute
	remindEvery  = time.Hour
	tellEvery    = time.Minute
	// recountEvery is how late suggestions may know what people back and like.
	recountEvery = 10 * time.Second
	// refreshEvery is how late suggestions may know what has opened, and what a tag has got.
	refreshEvery = 15 * time.Second
	// idempotencyKept is how long a repeated request gets the first answer.
	idempotencyKept = 24 * time.Hour
)

// work delivers the outbox (mails, closed payments), opens campaigns on their first day, lets reservations lapse,
// counts what is backed and liked together and deletes what has expired until ctx ends, then lets started work finish. Any number of such processes may run.
func work(ctx context.Context, environ []string, log *slog.Logger) (err error) {
	var c WorkConfig
	if err := conf.Load(&c, environ); err != nil {
		return err
	}
	secret, older := c.ServiceSecret.Keys()
	endTraces, err := otlp.Start(ctx, c.Traces, tracing.Process{Service: "content", Name: "work", Secret: secret}, log)
	if err != nil {
		return err
	}
	defer endTraces()
	location, err := zone.Load()
	if err != nil {
		return err
	}
	db, err := c.open(ctx, "work", log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dbx.Close(db)) }()
	pictures, err := files.Open(ctx, files.Options{BlobURL: c.BlobURL, Cloud: objectStorage, Log: log, Now: clock})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pictures.Close()) }()
	links, err := addresslinks.New(secret, older...)
	if err != nil {
		return err
	}
	tokens, err := ordertoken.New(secret, clock, older...)
	if err != nil {
		return err
	}
	reach := closing.ClientConfig{URL: c.PaymentsURL.String(), Secret: secret, Now: clock}
	payments, err := closing.NewClient(reach)
	if err != nil {
		return err
	}
	sender, err := mails.NewSender(mails.Options{DB: db, SMTPURL: c.SMTPURL.Reveal(), From: c.MailFrom,
		PublicURL: c.PublicURL, Zone: location, Links: links, OrderTokens: tokens, Now: clock})
	if err != nil {
		return err
	}
	relay, err := app.NewRelay(app.RelayOptions{DB: db, Log: log, Now: clock, Mails: sender, RemovePicture: pictures.Remove,
		Payments: reach})
	if err != nil {
		return err
	}
	support := pledges.New(pledges.Options{DB: db, Log: log, Now: clock, Zone: location, OutboxAdded: relay.Wake})
	monthly := subscriptions.New(subscriptions.Options{DB: db, Log: log, Now: clock, Zone: location, OutboxAdded: relay.Wake})

	all, ctx := errgroup.WithContext(ctx)
	all.Go(func() error { return relay.Run(ctx) })
	for _, sweep := range sweeps(db, location, support, monthly, payments) {
		all.Go(func() error { return jobs.Every(ctx, log, sweep) })
	}
	if c.Addr != "" {
		metrics := prometheus.NewRegistry()
		metrics.MustRegister(app.NewQueueMetrics(db, clock, log))
		if err := dbx.RegisterPool(metrics, db, "content"); err != nil {
			return err
		}
		all.Go(func() error {
			return httpx.Run(ctx, httpx.New(httpx.Options{Log: log, Now: clock, Name: "content-work", Metrics: metrics}), c.Addr, 0)
		})
	}
	log.InfoContext(ctx, "content worker runs", "addr", c.Addr)
	return all.Wait()
}

// sweeps is the periodic work.
func sweeps(db *gorm.DB, zone *time.Location, support *pledges.Service, monthly *subscriptions.Service, payments *paymentsclient.Client) []jobs.Sweep {
	return []jobs.Sweep{
		{Name: "check_payable_campaigns", Interval: payableEvery, Work: func(ctx context.Context) error {
			return reminders.Check(ctx, db, payments, clock())
		}},
		{Name: "remind_of_accounts", Interval: remindEvery, Work: jobs.UntilNone(func(ctx context.Context) (int, error) {
			return accounts.Remind(ctx, db, clock())
		})},
		{Name: "lapse_pledges", Interval: lapseEvery, Work: jobs.UntilNone(support.Lapse)},
		{Name: "end_subscriptions", Interval: lapseEvery, Work: jobs.UntilNone(monthly.EndDue)},
		{Name: "open_campaigns", Interval: openEvery, Work: jobs.UntilNone(func(ctx context.Context) (int, error) {
			return schedule.OpenDue(ctx, db, clock())
		})},
		{Name: "end_campaigns", Interval: openEvery, Work: jobs.UntilNone(func(ctx context.Context) (int, error) {
			return schedule.EndDue(ctx, db, payments, clock())
		})},
		{Name: "move_claims", Interval: tellEvery, Work: jobs.UntilNone(claims.New(db, clock, zone).Sweep)},
		{Name: "tell_staff_of_changes", Interval: tellEvery, Work: jobs.UntilNone(func(ctx context.Context) (int, error) {
			return review.TellStaff(ctx, db, clock(), zone)
		})},
		{Name: "recount_recommendations", Interval: recountEvery, Work: func(ctx context.Context) error {
			_, err := recommend.Recount(ctx, db)
			return err
		}},
		{Name: "refresh_recommendations", Interval: refreshEvery, Work: func(ctx context.Context) error {
			_, err := recommend.Refresh(ctx, db, clock())
			return err
		}},
		{Name: "tidy_erased_accounts", Interval: tidyEvery, Work: func(ctx context.Context) error {
			return personaldata.Tidy(ctx, db, support, monthly, payments)
		}},
		{Name: "prune_open_editors", Interval: lapseEvery, Work: func(ctx context.Context) error { return presence.Prune(ctx, db, clock()) }},
		{Name: "prune_receipts", Interval: tidyEvery, Work: support.PruneReceipts},
		{Name: "prune_monthly_receipts", Interval: tidyEvery, Work: monthly.PruneReceipts},
		{Name: "prune_invitations", Interval: tidyEvery, Work: func(ctx context.Context) error {
			return errors.Join(team.Prune(ctx, db, clock()), experiments.PruneInvitations(ctx, db, clock()))
		}},
		{Name: "prune_sessions", Interval: tidyEvery, Work: func(ctx context.Context) error {
			return sessions.Prune(ctx, db, clock())
		}},
		{Name: "prune_refused_addresses", Interval: tidyEvery, Work: func(ctx context.Context) error {
			return undeliverable.Prune(ctx, db, clock())
		}},
		{Name: "prune_email_links", Interval: tidyEvery, Work: func(ctx context.Context) error {
			return verifications.Prune(ctx, db, clock())
		}},
		{Name: "prune_subscription_links", Interval: tidyEvery, Work: func(ctx context.Context) error {
			return supportlinks.Prune(ctx, db, clock())
		}},
		{Name: "prune_receipt_links", Interval: tidyEvery, Work: func(ctx context.Context) error {
			return receiptlinks.Prune(ctx, db, clock())
		}},
		{Name: "prune_forum_nonces", Interval: tidyEvery, Work: func(ctx context.Context) error {
			return forum.Prune(ctx, db, clock())
		}},
		{Name: "prune_idempotency_keys", Interval: tidyEvery, Work: func(ctx context.Context) error {
			_, err := idem.Prune(ctx, db, clock().Add(-idempotencyKept))
			return err
		}},
	}
}
