package dbx

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/driver/postgres"
	"gorm.io/gorm/logger"
)

// slowLog logs slow statements at the driver, where SQL and parameters are still apart: GORM's own tracing writes the
// parameters of Raw(...).Scan into the text, past any filter of one logger.
type slowLog struct {
	log       *slog.Logger
	threshold time.Duration
}

type queryKey struct{}

type runningQuery struct {
	sql   string
	begin time.Time
}

// TraceQueryStart is called by pgx before a statement.
func (l slowLog) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	return context.WithValue(ctx, queryKey{}, runningQuery{data.SQL, time.Now()}) //nolint:forbidigo // measures, decides nothing
}

// TraceQueryEnd is called by pgx when the statement's last row is read.
func (l slowLog) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	query, ok := ctx.Value(queryKey{}).(runningQuery)
	if !ok {
		return
	}
	if took := time.Since(query.begin); took >= l.threshold {
		l.log.WarnContext(ctx, "slow statement", "sql", query.sql, "rows", data.CommandTag.RowsAffected(), "took", took,
			"failed", data.Err != nil)
	}
}

// gormLog passes on what GORM says about itself. Statements are slowLog's matter, and their errors are returned to the
// caller and logged at the edge; only the goroutine that a tracer ends at a statement ends here.
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

// dialect is PostgreSQL's without GORM's writing out of statements with their parameters: it does so for every
// Raw(...).Scan, whoever reads it, and here nobody does.
type dialect struct{ *postgres.Dialector }

// Explain is what GORM would log of a statement.
func (dialect) Explain(string, ...any) string { return "" }
