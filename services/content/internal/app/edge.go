package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/labstack/echo/v4"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
)

// PostgreSQL's codes for text that it cannot keep, such as U+0000 (Appendix A of its manual).
const (
	characterNotInRepertoire = "22021"
	untranslatableCharacter  = "22P05"
)

// classify names the errors that only this service knows.
func classify(err error) *apperr.Error {
	var refused *pgconn.PgError
	switch {
	case dbx.IsUnavailable(err):
		return apperr.New(apperr.Unavailable)
	case errors.As(err, &refused) && (refused.Code == characterNotInRepertoire || refused.Code == untranslatableCharacter):
		return apperr.New(apperr.MalformedBody)
	default:
		return nil
	}
}

// secure sets the headers that every answer carries. What a page may load is the shell's own policy.
func secure(publicURL string) echo.MiddlewareFunc {
	encrypted := strings.HasPrefix(publicURL, "https://")
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			h := c.Response().Header()
			h.Set("X-Content-Type-Options", "nosniff")
			h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
			if encrypted {
				h.Set("Strict-Transport-Security", "max-age=31536000")
			}
			return next(c)
		}
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
