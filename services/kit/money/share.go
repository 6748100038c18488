package money

import (
	"math"
	"math/bits"
	"slices"
)

// Split divides the amount in proportion to weights by largest remainder: every part is rounded towards zero, then
// the minor units left over go one each to the parts with the largest remainders, the earlier part first when two are
// equal. The parts always add up to the amount. Error: ErrWeights.
func (a Amount) Split(weights ...int64) ([]Amount, error) {
	var sum uint64
	shares := make([]uint64, len(weights))
	for i, w := range weights {
		if w < 0 || sum+uint64(w) > math.MaxInt64 {
			return nil, ErrWeights
		}
		shares[i] = uint64(w)
		sum += shares[i]
	}
	if sum == 0 {
		return nil, ErrWeights
	}
	total := magnitude(a.Minor)
	parts, remainders := make([]uint64, len(weights)), make([]uint64, len(weights))
	left := total
	order := make([]int, len(weights))
	for i, share := range shares {
		hi, lo := bits.Mul64(total, share) // 128 bits; hi < sum because share <= sum, so the division fits
		parts[i], remainders[i] = bits.Div64(hi, lo, sum)
		left -= parts[i]
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case remainders[i] > remainders[j]:
			return -1
		case remainders[i] < remainders[j]:
			return 1
		}
		return 0
	})
	for _, i := range order[:left] { // fewer units are left over than there are parts with a remainder
		parts[i]++
	}
	amounts := make([]Amount, len(weights))
	for i, part := range parts {
		minor, _ := signed(part, a.Minor < 0) // a part is never larger than the whole
		amounts[i] = Amount{minor, a.Currency}
	}
	return amounts, nil
}

// BasisPoints is a rate in hundredths of a per cent: 2550 is 25.5 %.
type BasisPoints int64

const wholeBasisPoints = 10_000

// IncludedVAT is the share of value added tax in a gross amount: gross × rate / (1 + rate), rounded half up to the
// minor unit (a half goes away from zero, so that a refund's tax is exactly the payment's). Error: ErrRate.
func (a Amount) IncludedVAT(rate BasisPoints) (Amount, error) {
	if rate < 0 || rate > 1000*wholeBasisPoints {
		return Amount{}, ErrRate
	}
	divisor := uint64(wholeBasisPoints + rate)
	hi, lo := bits.Mul64(magnitude(a.Minor), uint64(rate))
	quotient, remainder := bits.Div64(hi, lo, divisor) // hi < divisor because rate < divisor
	if remainder*2 >= divisor {
		quotient++
	}
	minor, ok := signed(quotient, a.Minor < 0)
	if !ok {
		return Amount{}, ErrOverflow
	}
	return Amount{minor, a.Currency}, nil
}
