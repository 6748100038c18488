// Package dbx is how the services reach PostgreSQL: opening a pool through GORM, transactions with bounded retries,
// reading what PostgreSQL says in an error, migrations that several processes may start at once, and a statement
// counter for tests.
//
// Invariants: a transaction either commits or leaves nothing; times come back in UTC; no parameter of a statement is
// ever logged. Errors stay the driver's own (TranslateError is off), so that a constraint's name can become a domain
// error; logging them is left to the edge.
//
// There are three ways to run a statement:
//   - GORM's models, with CreateAll for several rows, create, read by key and change plain rows. A model has the
//     columns that its package writes or reads, and its TableName; it is not exported unless it is the domain's own
//     type.
//   - Raw and Exec with named parameters (@id) are for statements that are more than that: conditional updates and
//     upserts, locks, lists with joins, read models, sums.
//   - Select runs the same SQL past GORM, at half the cost: for the reads that the most visited pages begin with. It
//     cannot take part in a transaction.
package dbx

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

// Config says which database to open, and its limits. Only URL is required; zero stands for the default in brackets.
type Config struct {
	// URL is a PostgreSQL address, postgres://user:password@host:port/database, with the driver's options as its query.
	URL string
	// AppName shows in pg_stat_activity.
	AppName string
	// MaxConns bounds the pool [10]. What was idle for five minutes is closed; see KeepWarm.
	MaxConns int
	// ConnectTimeout bounds one attempt to connect [5 s].
	ConnectTimeout time.Duration
	// StatementTimeout is when PostgreSQL ends a statement [30 s]. A statement's context usually ends earlier.
	StatementTimeout time.Duration
	// IdleInTxTimeout is when PostgreSQL ends a session that holds a transaction open and does nothing [30 s].
	IdleInTxTimeout time.Duration
	// MaxConnLifetime is when a connection is replaced, so that no session of PostgreSQL grows for ever [a day: longer than a
	// quiet night]. A server that has gone is noticed earlier: the driver asks whether one lives that was idle for a second.
	MaxConnLifetime time.Duration
	// SlowQuery is from when a statement is logged, without its parameters [200 ms]; negative logs none.
	SlowQuery time.Duration
	// Tracer is called around every statement, BEGIN, COMMIT and ROLLBACK included [none]. It is for tests and
	// simulations that pause a process at a statement, by not returning, or kill it there, by runtime.Goexit: then the
	// goroutine that runs the statement ends too. At TraceQueryStart the statement has not been sent, at TraceQueryEnd it
	// has taken effect. An open transaction is rolled back, and its connection can be used again or is closed; the tracer
	// is also called for that ROLLBACK, and may end it.
	//
	// Calls come from another goroutine than the statement's, with its context. Statements that use the *sql.DB directly,
	// or Row, get an error instead of ending their goroutine.
	Tracer pgx.QueryTracer
	// Keep is given how connections are made, with the settings of their sessions, and makes them instead [none]. It is for
	// tests, which keep sessions beyond a pool's end. A pool with a Tracer does not ask it.
	Keep func(settings string, connect driver.Connector) driver.Connector
}

func (c Config) withDefaults() Config {
	if c.MaxConns <= 0 {
		c.MaxConns = 10
	}
	for d, value := range map[*time.Duration]time.Duration{
		&c.ConnectTimeout: 5 * time.Second, &c.StatementTimeout: 30 * time.Second, &c.IdleInTxTimeout: 30 * time.Second,
		&c.MaxConnLifetime: 24 * time.Hour, &c.SlowQuery: 200 * time.Millisecond,
	} {
		if *d == 0 {
			*d = value
		}
	}
	return c
}

// Open connects, checks that PostgreSQL answers, and returns the pool. Statements are prepared once per connection by
// the driver. Behind a pooler in transaction mode the URL has default_query_exec_mode=exec, and the role has the limits that
// Config has. Single writes have no transaction of their own. Close it with Close.
func Open(ctx context.Context, config Config, log *slog.Logger) (*gorm.DB, error) {
	config = config.withDefaults()
	pool, err := connect(config, slowLog{log: log, threshold: config.SlowQuery})
	if err != nil {
		return nil, err
	}
	db, err := gorm.Open(dialect{&postgres.Dialector{Config: &postgres.Config{Conn: pool}}}, &gorm.Config{
		Logger:                 gormLog{log},
		SkipDefaultTransaction: true,
		TranslateError:         false,
		DisableAutomaticPing:   true,
		NowFunc:                func() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }, //nolint:forbidigo // only for GORM's own time fields, which we do not use
	})
	if err == nil {
		err = errors.Join(db.Use(statementCounter{}), db.Use(replicaReads{}))
	}
	if err == nil {
		err = pool.PingContext(ctx)
	}
	if parsed, failed := pgx.ParseConfig(config.URL); err == nil && failed == nil && isPooled(parsed) {
		err = checkRole(ctx, pool)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the database: %w", err), pool.Close())
	}
	return db, nil
}

// Close closes the pool after its running statements are done.
func Close(db *gorm.DB) error {
	pool, err := db.DB()
	if err != nil {
		return fmt.Errorf("find the pool: %w", err)
	}
	return pool.Close()
}

// connect makes the pool; slow, which may be nil, is called beside the configuration's tracer.
func connect(config Config, slow pgx.QueryTracer) (*sql.DB, error) {
	pgxConfig, err := pgx.ParseConfig(config.URL)
	if err != nil {
		return nil, fmt.Errorf("read the database's address: %w", err) // pgx leaves the password out of its message
	}
	if config.Keep == nil { // a kept session would write to the log of the pool that has made it
		pgxConfig.Tracer = slow
	}
	if config.Tracer != nil {
		pgxConfig.Tracer = stopper{config.Tracer}
		if slow != nil {
			pgxConfig.Tracer = multitracer.New(slow, stopper{config.Tracer})
		}
	}
	pgxConfig.ConnectTimeout = config.ConnectTimeout
	setting := func(name, value string) {
		if _, given := pgxConfig.RuntimeParams[name]; !given && value != "" {
			pgxConfig.RuntimeParams[name] = value
		}
	}
	setting("application_name", config.AppName)
	setting("timezone", "UTC")
	if isPooled(pgxConfig) {
		return newPool(config, *pgxConfig), nil
	}
	// JIT compilation pays off for queries of seconds, not for those of milliseconds.
	setting("jit", "off")
	// The data are on solid-state disks and mostly in memory; PostgreSQL's default of 4 is for spinning disks.
	setting("random_page_cost", "1.1")
	setting("statement_timeout", strconv.FormatInt(config.StatementTimeout.Milliseconds(), 10))
	setting("idle_in_transaction_session_timeout", strconv.FormatInt(config.IdleInTxTimeout.Milliseconds(), 10))
	return newPool(config, *pgxConfig), nil
}

// isPooled tells whether the address is one of a pooler in transaction mode, where a session is somebody else's a moment later: then it names
// a way to run statements that prepares none. Such a pooler takes no settings, so the role must have them; see checkRole.
func isPooled(c *pgx.ConnConfig) bool {
	return c.DefaultQueryExecMode != pgx.QueryExecModeCacheStatement
}

// checkRole refuses a role without limits of its own, behind a pooler that takes none from us.
func checkRole(ctx context.Context, pool *sql.DB) error {
	for _, name := range []string{"statement_timeout", "idle_in_transaction_session_timeout"} {
		var value string
		if err := pool.QueryRowContext(ctx, "SHOW "+name).Scan(&value); err != nil {
			return fmt.Errorf("ask for %s: %w", name, err)
		}
		if value == "0" {
			return fmt.Errorf("the database's role has no %s, and a pooler takes none from us: ALTER ROLE … SET %[1]s = '30s'", name)
		}
	}
	return nil
}

func newPool(config Config, pgxConfig pgx.ConnConfig) *sql.DB {
	connector := stdlib.GetConnector(pgxConfig, stdlib.OptionAfterConnect(func(_ context.Context, conn *pgx.Conn) error {
		conn.TypeMap().RegisterType(&pgtype.Type{
			Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
		})
		return nil
	}))
	if config.Tracer != nil {
		connector = stoppableConnector{connector}
	} else if config.Keep != nil {
		connector = config.Keep(fmt.Sprint(pgxConfig.ConnString(), pgxConfig.RuntimeParams), connector)
	}
	pool := sql.OpenDB(connector)
	pool.SetMaxOpenConns(config.MaxConns)
	pool.SetMaxIdleConns(config.MaxConns)
	pool.SetConnMaxLifetime(config.MaxConnLifetime)
	pool.SetConnMaxIdleTime(maxIdleTime)
	return pool
}
