// Package money is exact money: whole minor units (cents) with the currency beside them, and no floats anywhere.
//
// Arithmetic is checked: an overflow or a mix of currencies is an error, never a wrong number. There is one rounding
// rule, half up (a half goes away from zero), used only by IncludedVAT; shares of a sum are never rounded one by one
// but split by largest remainder, so they always add up. Every currency listed here has two decimals.
package money

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// Currency is an ISO 4217 code in capitals.
type Currency string

// The currencies that the platform can hold. All have two decimals.
const (
	EUR Currency = "EUR"
	SEK Currency = "SEK"
	NOK Currency = "NOK"
	DKK Currency = "DKK"
	GBP Currency = "GBP"
	USD Currency = "USD"
)

// minorPerMajor is the number of minor units in a major one, for every currency above.
const minorPerMajor = 100

// Errors of this package; test with errors.Is.
var (
	ErrOverflow = errors.New("amount out of range")
	ErrCurrency = errors.New("currencies differ")
	ErrUnknown  = errors.New("unknown currency")
	ErrSyntax   = errors.New("not an amount: want digits with at most two decimals after a point")
	ErrWeights  = errors.New("weights must not be negative and their sum must be positive and in range")
	ErrRate     = errors.New("rate must not be negative and at most 100,000 %")
)

// ParseCurrency accepts a known code in any case, else ErrUnknown.
func ParseCurrency(code string) (Currency, error) {
	switch c := Currency(strings.ToUpper(code)); c {
	case EUR, SEK, NOK, DKK, GBP, USD:
		return c, nil
	default:
		return "", fmt.Errorf("%q: %w", code, ErrUnknown)
	}
}

// Amount is a sum of money, possibly negative (a ledger's credit side, a refund).
type Amount struct {
	// Minor is in minor units: cents for the euro.
	Minor    int64
	Currency Currency
}

// New is an amount of minor units.
func New(minor int64, currency Currency) Amount { return Amount{Minor: minor, Currency: currency} }

// IsZero reports whether the amount is nothing, whatever its currency.
func (a Amount) IsZero() bool { return a.Minor == 0 }

// Add is a + b. Errors: ErrCurrency, ErrOverflow.
func (a Amount) Add(b Amount) (Amount, error) {
	if a.Currency != b.Currency {
		return Amount{}, fmt.Errorf("add %s to %s: %w", b.Currency, a.Currency, ErrCurrency)
	}
	sum := a.Minor + b.Minor
	// Two summands of one sign and a sum of the other mean that it wrapped around.
	if (a.Minor >= 0) == (b.Minor >= 0) && (sum >= 0) != (a.Minor >= 0) {
		return Amount{}, ErrOverflow
	}
	return Amount{sum, a.Currency}, nil
}

// Sub is a - b. Errors: ErrCurrency, ErrOverflow.
func (a Amount) Sub(b Amount) (Amount, error) {
	if a.Currency != b.Currency {
		return Amount{}, fmt.Errorf("subtract %s from %s: %w", b.Currency, a.Currency, ErrCurrency)
	}
	difference := a.Minor - b.Minor
	if (a.Minor >= 0) != (b.Minor >= 0) && (difference >= 0) != (a.Minor >= 0) {
		return Amount{}, ErrOverflow
	}
	return Amount{difference, a.Currency}, nil
}

// Mul is a times n. Error: ErrOverflow.
func (a Amount) Mul(n int64) (Amount, error) {
	hi, lo := bits.Mul64(magnitude(a.Minor), magnitude(n))
	product, ok := signed(lo, (a.Minor < 0) != (n < 0))
	if hi != 0 || !ok {
		return Amount{}, ErrOverflow
	}
	return Amount{product, a.Currency}, nil
}

// magnitude is |n|, also for the smallest int64.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n) //nolint:gosec // two's complement: right for MinInt64 too
	}
	return uint64(n)
}

// signed gives a magnitude its sign back; false when it does not fit.
func signed(n uint64, negative bool) (int64, bool) {
	switch {
	case negative && n <= math.MaxInt64+1:
		return int64(-n), true //nolint:gosec // bounded by the case
	case !negative && n <= math.MaxInt64:
		return int64(n), true
	}
	return 0, false
}
