package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
)

// PostgreSQL's error codes for text that it cannot store, such as U+0000 (Appendix A of its manual).
const (
	characterNotInRepertoire = "22021"
	untranslatableCharacter  = "22P05"
)

// retryWhenBusy is the Retry-After of an answer whose statement timed out.
const retryWhenBusy = 2 * time.Second

// classify maps errors of the database to the error catalogue.
func classify(err error) *apperr.Error {
	var refused *pgconn.PgError
	switch {
	case dbx.IsUnavailable(err):
		return apperr.New(apperr.Unavailable)
	case dbx.IsTimeout(err):
		return apperr.New(apperr.Busy).RetryAfter(retryWhenBusy)
	case errors.As(err, &refused) && (refused.Code == characterNotInRepertoire || refused.Code == untranslatableCharacter):
		return apperr.New(apperr.MalformedBody)
	default:
		return nil
	}
}

// pingOf is the readiness check of the database.
func pingOf(db *gorm.DB) func(context.Context) error {
	return func(ctx context.Context) error {
		pool, err := db.DB()
		if err == nil {
			err = pool.PingContext(ctx)
		}
		if err != nil {
			return fmt.Errorf("ping database: %w", err)
		}
		return nil
	}
}
