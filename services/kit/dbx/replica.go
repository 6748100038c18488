package dbx

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
)

const (
	// askReplicaEvery is how often it is found out how far a replica is, and askReplicaFor how long one question may take.
	askReplicaEvery = 200 * time.Millisecond
	askReplicaFor   = 500 * time.Millisecond
	// awaitReplicaEvery is how often a replica is asked whether it has come as far as the primary was.
	awaitReplicaEvery = 20 * time.Millisecond
	// replicaBehind is how old what a replica says may be; an older one is not read.
	replicaBehind = time.Second
)

// Replica is a second server, which repeats by streaming what the first one does. It is read only by those who ask for it
// (Reads), and only while it is known to have all that the primary had a second ago: Watch asks the primary how far it is, and waits
// until the replica has come there.
type Replica struct {
	primary, pool *sql.DB
	log           *slog.Logger
	// asOf is when the primary was asked for what the replica is known to have; nil when nothing is known.
	asOf atomic.Pointer[time.Time]
}

// OpenReplica makes the pool of the replica of primary, which Open made. It does not connect: a replica may be away. Close it.
func OpenReplica(config Config, primary *gorm.DB, log *slog.Logger) (*Replica, error) {
	first, err := primary.DB()
	if err != nil {
		return nil, fmt.Errorf("find the pool: %w", err)
	}
	config = config.withDefaults()
	config.ConnectTimeout = askReplicaFor
	pool, err := connect(config, slowLog{log: log, threshold: config.SlowQuery})
	if err != nil {
		return nil, err
	}
	return &Replica{primary: first, pool: pool, log: log}, nil
}

// Close closes the pool.
func (r *Replica) Close() error { return r.pool.Close() }

// Behind is how old what the replica says may be; ok is false when it is not to be read.
func (r *Replica) Behind() (d time.Duration, ok bool) {
	asOf := r.asOf.Load()
	if asOf == nil {
		return 0, false
	}
	d = time.Since(*asOf)
	return d, d < replicaBehind
}

// Doubt has nobody read the replica until it is known again how far it is: it has just failed.
func (r *Replica) Doubt() { r.asOf.Store(nil) }

type replicaKey struct{}

// Reads is a context whose reads outside of transactions go to the replica. Transactions, and what GORM executes, go to the primary.
func (r *Replica) Reads(ctx context.Context) context.Context {
	return context.WithValue(ctx, replicaKey{}, r)
}

// poolFor is the pool that a statement outside of transactions uses under ctx.
func poolFor(ctx context.Context, pool *sql.DB) *sql.DB {
	if r, ok := ctx.Value(replicaKey{}).(*Replica); ok && r.primary == pool {
		return r.pool
	}
	return pool
}

// replicaReads is the GORM plugin behind Reads.
type replicaReads struct{}

func (replicaReads) Name() string { return "dbx:replica_reads" }

func (replicaReads) Initialize(db *gorm.DB) error {
	choose := func(db *gorm.DB) {
		if pool, ok := db.Statement.ConnPool.(*sql.DB); ok {
			db.Statement.ConnPool = poolFor(db.Statement.Context, pool)
		}
	}
	return errors.Join(
		db.Callback().Query().Before("gorm:query").Register("dbx:choose_replica", choose),
		db.Callback().Row().Before("gorm:row").Register("dbx:choose_replica", choose),
	)
}

// Watch finds out again and again how far the replica is, until ctx ends. It logs when the replica goes and when it comes back.
func (r *Replica) Watch(ctx context.Context) error {
	tick := time.NewTicker(askReplicaEvery)
	defer tick.Stop()
	in := false
	for ctx.Err() == nil {
		err := r.ask(ctx)
		if _, ok := r.Behind(); ok != in && ctx.Err() == nil {
			if in = ok; in {
				r.log.InfoContext(ctx, "the replica is read")
			} else {
				r.log.WarnContext(ctx, "the replica is not read", "error", err)
			}
		} else if !in && err != nil && ctx.Err() == nil {
			r.log.DebugContext(ctx, "the replica is still not read", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
	return nil
}

// errBehind is a replica that has not come in time as far as the primary was.
var errBehind = errors.New("the replica is behind")

// ask asks the primary how far it is and waits until the replica is there.
func (r *Replica) ask(ctx context.Context) error {
	began := time.Now() //nolint:forbidigo // see Behind
	ctx, cancel := context.WithTimeout(ctx, replicaBehind)
	defer cancel()
	var system, place string
	// All that was committed before somebody was answered is flushed. What is only inserted may stay so for as long as nobody writes, and
	// the replica would seem behind; of asynchronous commits (CommitAsync) no reader's answer depends.
	err := queryRow(ctx, r.primary, `SELECT system_identifier, pg_current_wal_flush_lsn() FROM pg_control_system()`, nil, &system, &place)
	if err != nil {
		return fmt.Errorf("ask the primary how far it is: %w", err)
	}
	for {
		// A server that has been promoted, or is of another installation, is nobody's replica here; one that hears from no primary may be the
		// replica of one that has been replaced.
		var is bool
		var there sql.NullBool
		err := queryRow(ctx, r.pool, `SELECT pg_is_in_recovery() AND system_identifier::text = $1 AND EXISTS (SELECT FROM pg_stat_wal_receiver),
			pg_last_wal_replay_lsn() >= $2::text::pg_lsn
			FROM pg_control_system()`, []any{system, place}, &is, &there)
		switch {
		case err != nil:
			return fmt.Errorf("ask the replica how far it is: %w", err)
		case !is:
			r.Doubt()
			return errors.New("it is no replica of ours that hears from its primary")
		case there.Bool:
			r.asOf.Store(&began)
			return nil
		}
		select {
		case <-ctx.Done():
			return errBehind
		case <-time.After(awaitReplicaEvery):
		}
	}
}

func queryRow(ctx context.Context, pool *sql.DB, statement string, args []any, into ...any) error {
	ctx, cancel := context.WithTimeout(ctx, askReplicaFor)
	defer cancel()
	return pool.QueryRowContext(ctx, statement, args...).Scan(into...)
}
