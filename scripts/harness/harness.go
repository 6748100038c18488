//go:build unix

// Package harness starts the whole platform for tests, drills and benchmarks, and adds what only they need: control of
// the sandbox's provider, access to both databases, ways to make pending work due at once, and the audit.
//
// The platform is the real one (package platform): built binaries, random ports, a temporary data folder. Rate limits
// are lifted, because all load comes from one machine, and sweepers run more often.
package harness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"talkoot.fi/kit/localpg"
	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/dataset"
	"talkoot.fi/scripts/platform"
	"talkoot.fi/scripts/programs"
)

// Options of Start; all may be left out.
type Options struct {
	// Env wins over the harness's own settings.
	Env map[string]string
	// Postgres are settings of the embedded PostgreSQL.
	Postgres map[string]string
	// Seed fills in the demo content; its backers have not paid (platform.SeedBackers).
	Seed bool
	// Out receives what is being done; nil is silence.
	Out io.Writer
	// People is how many visitors there are at once, 64 when not set.
	People int
	// Keep leaves the data folder with its logs behind at Stop.
	Keep bool
	// Checkout is the folder of the checkout whose services run; empty is this one.
	Checkout string
}

// Harness is a running platform; the caller must Stop it.
type Harness struct {
	*platform.Platform
	// Site is the platform as users reach it, through its edge; Direct bypasses the edge.
	Site, Direct *browser.Site
	// Content and Payments are the two databases.
	Content, Payments *pgxpool.Pool
	// DataDir holds everything the platform wrote, logs in log/.
	DataDir string
	keep    bool
	bin     string // the programs
	// creatorsB are those who are paid through provider B, by their ids there, and when they came there.
	creatorsB map[string]time.Time
	creators  int // made so far
	// operators holds who appoints them, before the first command; appointed is how many are.
	operators sync.Mutex
	appointed int
}

// Start builds the programs and starts them. On an error nothing is left running.
func Start(ctx context.Context, o Options) (*Harness, error) {
	root := o.Checkout
	if root == "" {
		var err error
		if root, err = localpg.RepoRoot(); err != nil {
			return nil, err
		}
	}
	bin := filepath.Join(root, "bin", "harness")
	if err := programs.Build(ctx, root, bin, programs.All(), nil); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "talkoot-harness-")
	if err != nil {
		return nil, fmt.Errorf("make data folder: %w", err)
	}
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // PostgreSQL's user must pass
		return nil, fmt.Errorf("open data folder: %w", err)
	}
	env := map[string]string{
		"RATE_LIMIT_PLEDGES": "1000000", "RATE_LIMIT_SIGN_IN": "1000000", "RATE_LIMIT_LIKES": "1000000",
		"RATE_LIMIT_SETUP": "1000000", "RATE_LIMIT_SETUP_OF_PLEDGE": "1000000", "RATE_LIMIT_DECLINES": "1000000",
		"RATE_LIMIT_LISTS": "1000000", "RATE_LIMIT_SEARCHES": "1000000",
		"MANGOPAY_RATE_TIMES":         "1000",
		"REFUNDS_PER_MINUTE_MANGOPAY": "600", // its own 36 keep to limits that are lifted here, and would send 5,000 in more than two hours
		"SWEEP_EVERY":                 "1s",
		"DRILL":                       "1", // the edge trusts X-Forwarded-For, by which visitors have IP addresses of their own
	}
	maps.Copy(env, o.Env)
	p, err := platform.Start(ctx, platform.Options{DataDir: dir, RepoRoot: root, Binaries: bin, Env: env,
		Postgres: o.Postgres, Seed: o.Seed, Out: o.Out})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if o.People == 0 {
		o.People = 64
	}
	r := &Harness{Platform: p, DataDir: dir, keep: o.Keep, bin: bin, creatorsB: map[string]time.Time{},
		Site:   browser.NewSite(p.WebURL+"/content", p.WebURL+"/payments", p.SandboxURL, o.People),
		Direct: browser.NewSite(p.ContentURL, p.PaymentsURL, p.SandboxURL, o.People)}
	r.Site.Web, r.Direct.Web = p.WebURL, p.WebURL
	if r.Content, err = newPool(ctx, p.Env["CONTENT_DATABASE_URL"]); err == nil {
		r.Payments, err = newPool(ctx, p.Env["PAYMENTS_DATABASE_URL"])
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("look into the databases: %w", err), r.Stop())
	}
	return r, nil
}

// newPool opens a pool whose statements are planned for what the tables hold at the time: they grow from nothing to thousands of rows.
func newPool(ctx context.Context, url string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_custom_plan"
	return pgxpool.NewWithConfig(ctx, config)
}

// Stop ends everything and removes the data folder, unless it is to be kept.
func (r *Harness) Stop() error {
	for _, pool := range []*pgxpool.Pool{r.Content, r.Payments} {
		if pool != nil {
			pool.Close()
		}
	}
	err := r.Platform.Stop()
	if r.keep {
		return err
	}
	return errors.Join(err, os.RemoveAll(r.DataDir))
}

// AddCampaign adds an open campaign.
func (r *Harness) AddCampaign(ctx context.Context, c dataset.Campaign) (dataset.Added, error) {
	conn, err := r.Content.Acquire(ctx)
	if err != nil {
		return dataset.Added{}, fmt.Errorf("reach the content database: %w", err)
	}
	defer conn.Release()
	return dataset.Add(ctx, conn.Conn(), c)
}

// Number queries one number.
func Number(ctx context.Context, db *pgxpool.Pool, sql string, args ...any) (int64, error) {
	rows, err := db.Query(ctx, sql, args...)
	if err != nil {
		return 0, fmt.Errorf("ask for a number: %w", err)
	}
	return pgx.CollectExactlyOneRow(rows, pgx.RowTo[int64])
}
