// Package openledger answers everybody about the hashes of the book's days: what they stand for is package ledger's.
package openledger

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/oapi-codegen/runtime/types"
	"gorm.io/gorm"

	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/book/ledger"
)

// daysAtOnce is how many days an answer has at most.
const daysAtOnce = 100

// Handlers answers about the book.
type Handlers struct{ db *gorm.DB }

// NewHandlers makes the handlers; Rules belong before them.
func NewHandlers(db *gorm.DB) *Handlers { return &Handlers{db} }

// Rules are the limits by address.
func Rules() ratelimit.Rules {
	return ratelimit.Rules{"GET /api/ledger/days": {{Name: "ledger_address", Limit: ratelimit.Per(60, time.Minute)}}}
}

// LedgerDays lists sealed days, the latest first. A day never changes, but which are the latest does.
func (h *Handlers) LedgerDays(c echo.Context, params api.LedgerDaysParams) error {
	var before time.Time
	if params.Before != nil {
		before = params.Before.Time
	}
	list, err := ledger.Days(c.Request().Context(), h.db, before, daysAtOnce+1)
	if err != nil {
		return err
	}
	answer := api.LedgerDaysAnswer{Days: make([]api.LedgerDay, 0, len(list)), HasMore: len(list) > daysAtOnce}
	for _, d := range list[:min(len(list), daysAtOnce)] {
		answer.Days = append(answer.Days, api.LedgerDay{Day: types.Date{Time: d.Day}, Transactions: d.Transactions, PreviousHash: d.PreviousHash,
			Hash: d.Hash, SealedAt: d.SealedAt})
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "public, max-age=300")
	return c.JSON(http.StatusOK, answer)
}
