package main

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"
	"talkoot.fi/kit/tracing"
	"talkoot.fi/kit/tracing/otlp"

	"talkoot.fi/content/internal/app"
	"talkoot.fi/content/internal/media/files"
	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/internal/seed"
	"talkoot.fi/content/internal/web"
	"talkoot.fi/content/internal/zone"
	"talkoot.fi/content/migrations"
)

// warmConns is how many connections to PostgreSQL stand ready however long nobody comes: what the home page reads at once.
const warmConns = 6

// migrate brings the database up to date. Several processes may do it at once.
func migrate(ctx context.Context, environ []string) error {
	var c struct{ Database }
	if err := conf.Load(&c, environ); err != nil {
		return err
	}
	return dbx.Migrate(ctx, c.URL.Reveal(), migrations.FS)
}

// memoryLimit is the process's soft limit in bytes when GOMEMLIMIT sets none: what it keeps, and four sign-ins at
// once, with room to spare. Near it the garbage collector works harder; only pictures that are being decoded may
// exceed it.
const memoryLimit = 160 << 20

// sharedFor is how old an answer from the shared cache may be; ten times as old while this process writes nothing.
// With a second, a crowd of readers costs as much as one reader; any payment takes longer.
const sharedFor = time.Second

// serve answers requests until ctx ends, then lets accepted requests finish.
func serve(ctx context.Context, environ []string, log *slog.Logger) (err error) {
	conf.BoundMemory(memoryLimit)
	var c ServeConfig
	if err := conf.Load(&c, environ); err != nil {
		return err
	}
	key, olderKeys, err := session.ParseKeys(c.SessionKey.List())
	if err != nil {
		return err
	}
	secret, olderSecrets := c.ServiceSecret.Keys()
	endTraces, err := otlp.Start(ctx, c.Traces, tracing.Process{Service: "content", Name: "serve", Secret: secret}, log)
	if err != nil {
		return err
	}
	defer endTraces()
	location, err := zone.Load()
	if err != nil {
		return err
	}
	db, err := c.open(ctx, "serve", log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dbx.Close(db)) }()
	replica, err := c.openReplica(db, log)
	if err != nil {
		return err
	}
	if replica != nil {
		defer func() { err = errors.Join(err, replica.Close()) }()
	}
	if !c.Sandbox {
		if err := seed.Refuse(ctx, db); err != nil {
			return err
		}
	}
	jobs.LogRedisTo(log)
	redis, err := jobs.OpenRedis(c.RedisURL.Reveal()) // connects when it is first used
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, redis.Close()) }()
	shareKey, err := hkdf.Key(sha256.New, key.Seed(), nil, "names of link previews", sha256.Size)
	if err != nil {
		return fmt.Errorf("derive the key of link previews: %w", err)
	}
	pictures, err := files.Open(ctx, files.Options{BlobURL: c.BlobURL, Cloud: objectStorage, Log: log, Now: clock, ShareKey: shareKey})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pictures.Close()) }()

	proxies, err := httpx.ParseProxies(c.Proxies)
	if err != nil {
		return err
	}
	handler, err := app.New(ctx, app.Options{
		Log: log, Now: clock, DB: db, Replica: replica, Limiter: ratelimit.New(redis, clock, log), Files: pictures, SigningKey: key,
		OlderKeys: olderKeys, SealingKeys: c.SealingKey.All(), ServiceSecret: secret, OlderSecrets: olderSecrets, WebDir: c.WebDir,
		Payments: closing.ClientConfig{URL: c.PaymentsURL.String(), Secret: secret, Now: clock},
		Web: web.Config{PublicURL: c.PublicURL, StripePublishableKey: c.StripeKey, StripeScript: c.StripeScript, CardURL: c.CardURL,
			SandboxURL: c.SandboxURL, ProviderTerms: map[string]string{"mangopay": c.MangopayTerms}},
		Forum:       c.forum(),
		CORSOrigins: c.CORSOrigins, TrustedProxies: proxies, Zone: location, PledgeHold: c.PledgeHold,
		PledgeFirstHold: c.PledgeFirstHold, Shared: sharedFor, Limits: app.Limits{
			Pledges: ratelimit.Per(c.PledgesAMinute, time.Minute),
			Likes:   ratelimit.Per(c.LikesAMinute, time.Minute),
			Drafts:  ratelimit.Per(c.DraftsAnHour, time.Hour),
			Edits:   ratelimit.Limit{Rate: c.EditsAnHour, Period: time.Hour, Burst: c.EditsAnHour/6 + 1},
			Reviews: ratelimit.Per(c.ReviewsAnHour, time.Hour),
			Uploads: ratelimit.Per(c.UploadsAnHour, time.Hour),
			SignIn:  ratelimit.Per(c.SignInsAMinute, time.Minute),
			Reads: app.ReadLimits{Lists: ratelimit.Per(c.ListsAMinute, time.Minute),
				Searches: ratelimit.Per(c.SearchesAMinute, time.Minute)},
		},
	})
	if err != nil {
		return err
	}
	log.InfoContext(ctx, "content service listens", "addr", c.Addr)
	all, ctx := errgroup.WithContext(ctx)
	all.Go(func() error { return dbx.KeepWarm(ctx, db, warmConns) })
	if replica != nil {
		all.Go(func() error { return replica.Watch(ctx) })
		all.Go(func() error { return replica.KeepWarm(ctx, warmConns) })
	}
	all.Go(func() error { return httpx.Run(ctx, handler, c.Addr, c.Leave) })
	return all.Wait()
}
