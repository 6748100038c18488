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

// PostgreSQL's codes for text that it cannot keep, such as U+0000 (Appendix A of its manual).
const (
	characterNotInRepertoire = "22021"
	untranslatableCharacter  = "22P05"
)

// retryWhenBusy is what a client is told to wait after a statement took too long.
const retryWhenBusy = 2 * time.Second

// classify names the errors that only this service knows.
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

// pingOf asks whether the database answers.
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
