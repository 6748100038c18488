package app

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
)

// retryWhenBusy is the Retry-After of an answer whose statement timed out.
const retryWhenBusy = 2 * time.Second

// classify maps errors of the database to the error catalogue.
func classify(err error) *apperr.Error {
	switch {
	case dbx.IsUnavailable(err):
		return apperr.New(apperr.Unavailable)
	case dbx.IsTimeout(err):
		return apperr.New(apperr.Busy).RetryAfter(retryWhenBusy)
	case dbx.IsNoText(err):
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
