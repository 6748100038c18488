package dbx

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/driver/postgres"
	"gorm.io/gorm/logger"

	"talkoot.fi/kit/tracing"
)

// slowLog logs slow statements in the driver, where SQL and parameters are separate: GORM's own logger writes the
// parameters of Raw(...).Scan into the text. It also has each statement be a part of the trace that it is run for.
type slowLog struct {
	log       *slog.Logger
	threshold time.Duration // negative logs none
}

type queryKey struct{}

type runningQuery struct {
	sql   string
	begin time.Time
}

// TraceQueryStart is called by pgx before a statement.
func (l slowLog) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	ctx = tracing.Statement(ctx, data.SQL)
	return context.WithValue(ctx, queryKey{}, runningQuery{data.SQL, time.Now()}) //nolint:forbidigo // measures, decides nothing
}

// TraceQueryEnd is called by pgx when the statement's last row is read.
func (l slowLog) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	query, ok := ctx.Value(queryKey{}).(runningQuery)
	if !ok {
		return
	}
	tracing.StatementEnded(ctx, data.CommandTag.RowsAffected(), data.Err != nil)
	if took := time.Since(query.begin); l.threshold > 0 && took >= l.threshold {
		l.log.WarnContext(ctx, "slow statement", "sql", query.sql, "rows", data.CommandTag.RowsAffected(), "took", took,
			"failed", data.Err != nil)
	}
}

// gormLog passes GORM's own messages on. Statements are logged by slowLog, and their errors are returned to the caller
// and logged at the edge. Trace also ends the goroutine if Config.Tracer has asked for it.
type gormLog struct{ log *slog.Logger }

func (l gormLog) LogMode(logger.LogLevel) logger.Interface { return l }

func (l gormLog) Info(ctx context.Context, format string, args ...any) {
	l.log.DebugContext(ctx, "gorm", "text", fmt.Sprintf(format, args...))
}

func (l gormLog) Warn(ctx context.Context, format string, args ...any) {
	l.log.WarnContext(ctx, "gorm", "text", fmt.Sprintf(format, args...))
}

func (l gormLog) Error(ctx context.Context, format string, args ...any) {
	l.log.ErrorContext(ctx, "gorm", "text", fmt.Sprintf(format, args...))
}

// Trace is called by GORM after every statement, when its rows are read and closed.
func (l gormLog) Trace(_ context.Context, _ time.Time, _ func() (string, int64), err error) {
	exitIfStopped(err)
}

// dialect is PostgreSQL's without Explain: GORM calls it for every Raw(...).Scan to write the statement with its
// parameters, which nobody reads here.
type dialect struct{ *postgres.Dialector }

// Explain returns nothing; see dialect.
func (dialect) Explain(string, ...any) string { return "" }
