package simulate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/sandbox/mangopay"
	"talkoot.fi/sandbox/stripe"
)

const (
	webhookSecret = "whsec_simulation"
	serviceSecret = "a secret of the simulation that is long enough"
	stripeKey     = "sk_test_simulation0000000000"
	mangopayKey   = "simulation"
)

// Databases are the addresses of two migrated databases without other data. Each run empties them, the
// append-only tables included.
type Databases struct{ ContentURL, PaymentsURL string }

// Runner makes runs, one after the other, on two databases and a sandbox of its own. Several runners work in parallel.
type Runner struct {
	databases         Databases
	content, payments *pgx.Conn // for checks
	admin             *pgx.Conn // for asking PostgreSQL who waits for a lock
	contentTables     []string
	paymentsTables    []string
	sandbox           *stripe.Sandbox
	mangopay          *mangopay.Sandbox
	random            [2]*rand.PCG // of the stand-ins
	sim               *simulation  // the present run
}

// NewRunner connects to the databases. The caller closes it.
func NewRunner(ctx context.Context, d Databases) (_ *Runner, err error) {
	n := &Runner{databases: d, random: [2]*rand.PCG{rand.NewPCG(0, 0), rand.NewPCG(0, 0)}}
	defer func() {
		if err != nil {
			err = errors.Join(err, n.Close(ctx))
		}
	}()
	for url, conn := range map[string][]**pgx.Conn{d.ContentURL: {&n.content}, d.PaymentsURL: {&n.payments, &n.admin}} {
		for _, c := range conn {
			if *c, err = pgx.Connect(ctx, url); err != nil {
				return nil, fmt.Errorf("connect to a database: %w", err)
			}
		}
	}
	if n.contentTables, err = emptyTables(ctx, n.content); err != nil {
		return nil, err
	}
	if n.paymentsTables, err = emptyTables(ctx, n.payments); err != nil {
		return nil, err
	}
	n.sandbox, err = stripe.New(stripe.Options{
		InMemory: true, ManualDelivery: true, Random: n.random[0], Now: func() time.Time { return n.now() },
		WebhookURL: "http://payments.example/api/webhooks/stripe", WebhookSecret: webhookSecret, WebhookTransport: n,
	})
	if err != nil {
		return nil, fmt.Errorf("start the sandbox: %w", err)
	}
	n.mangopay, err = mangopay.New(mangopay.Options{
		ClientID: "talkoot", APIKey: mangopayKey, PublicURL: "http://mangopay.example", InMemory: true, ManualDelivery: true, Random: n.random[1],
		Now: func() time.Time { return n.now() }, HookTransport: n,
	})
	if err != nil {
		return nil, fmt.Errorf("start provider B's stand-in: %w", err)
	}
	return n, nil
}

func (n *Runner) now() time.Time {
	if n.sim == nil {
		return startTime
	}
	return n.sim.clock.peek()
}

// RoundTrip carries the stand-ins' webhooks.
func (n *Runner) RoundTrip(r *http.Request) (*http.Response, error) { return n.sim.payments.serve(r) }

// Close closes the sandbox and the connections.
func (n *Runner) Close(ctx context.Context) error {
	var faults []error
	if n.sandbox != nil {
		faults = append(faults, n.sandbox.Close())
	}
	if n.mangopay != nil {
		faults = append(faults, n.mangopay.Close())
	}
	for _, c := range []*pgx.Conn{n.content, n.payments, n.admin} {
		if c != nil {
			faults = append(faults, c.Close(ctx))
		}
	}
	return errors.Join(faults...)
}

// emptyTables lists the tables that are empty after the migrations; all later rows in them belong to a run.
func emptyTables(ctx context.Context, conn *pgx.Conn) ([]string, error) {
	all, err := query[string](ctx, conn, `SELECT format('%I', relname) FROM pg_class
		WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT LIKE 'goose%' ORDER BY 1`)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, name := range all {
		filled, err := query[bool](ctx, conn, `SELECT EXISTS (SELECT FROM `+name+`)`)
		if err != nil {
			return nil, err
		}
		if !filled[0] {
			out = append(out, name)
		}
	}
	return out, nil
}

// empty takes a database back to its template's state: no rows, and sequences from their start. Append-only triggers
// would refuse that, so triggers are off meanwhile. Cloning the template anew takes ten times as long.
func empty(ctx context.Context, conn *pgx.Conn, tables []string) error {
	batch := &pgx.Batch{}
	batch.Queue("SET LOCAL session_replication_role = replica")
	for _, name := range tables {
		batch.Queue("DELETE FROM " + name)
	}
	batch.Queue("SELECT setval(seqrelid::regclass, seqstart, false) FROM pg_sequence")
	tx, err := conn.Begin(ctx)
	if err != nil {
		return fmt.Errorf("empty a database: %w", err)
	}
	defer tx.Rollback(ctx) //nolint:errcheck // after the commit there is nothing to roll back
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("empty a database: %w", err)
	}
	if err := tx.Commit(ctx); err != nil {
		return fmt.Errorf("empty a database: %w", err)
	}
	return nil
}

// reset prepares the databases and the sandbox for a run.
func (n *Runner) reset(ctx context.Context, seed uint64) error {
	n.sim = nil
	for _, r := range n.random {
		r.Seed(seed, 0)
	}
	if err := errors.Join(n.sandbox.Reset(), n.mangopay.Reset()); err != nil {
		return err
	}
	return errors.Join(empty(ctx, n.content, n.contentTables), empty(ctx, n.payments, n.paymentsTables))
}

// waitsForLock reports whether a session waits for another's lock.
func (n *Runner) waitsForLock(ctx context.Context, pid uint32) (bool, error) {
	waits, err := query[bool](ctx, n.admin, `SELECT cardinality(pg_blocking_pids($1)) > 0`, pid)
	if err != nil {
		return false, err
	}
	return waits[0], nil
}

// query reads one column.
func query[T any](ctx context.Context, conn *pgx.Conn, sql string, args ...any) ([]T, error) {
	rows, err := conn.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("look: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[T])
	if err != nil {
		return nil, fmt.Errorf("look (%.60s): %w", sql, err)
	}
	return list, nil
}
