package settlements

import (
	"math/bits"
	"time"

	"talkoot.fi/kit/money"
)

// Rates are what of a charge is ours and what is kept back, from a day on; in hundredths of a percent.
type Rates struct {
	FromDay       time.Time
	FeePoints     int64
	VATPoints     int64 // in the fee
	VATCountry    string
	ReservePoints int64
	MinimumMinor  int64 // less of a month than this waits for the next one

	ReserveDays        int // how long is kept back what was paid by card
	ReserveDebitMonths int // and what was paid by direct debit
}

// Share is how a sum is divided: Gross = Fee + Reserve + Net, and VAT is in Fee.
type Share struct{ Gross, Fee, VAT, Reserve, Net int64 }

func (s Share) plus(o Share) Share {
	return Share{s.Gross + o.Gross, s.Fee + o.Fee, s.VAT + o.VAT, s.Reserve + o.Reserve, s.Net + o.Net}
}

// divide divides charges. The whole is divided first and each line then gets what its part of all lines so far has not got yet, so that no
// cent is lost, and a repeat gives the same. What is kept back is of what the fee leaves, so that no line gives more than it has.
func divide(gross []int64, r Rates) (lines []Share, whole Share, err error) {
	for _, g := range gross {
		whole.Gross += g
	}
	whole.Fee = points(whole.Gross, r.FeePoints)
	vat, err := money.Amount{Minor: whole.Fee}.IncludedVAT(money.BasisPoints(r.VATPoints))
	if err != nil {
		return nil, Share{}, err //nolint:wrapcheck // it says all
	}
	whole.VAT = vat.Minor
	whole.Reserve = min(points(whole.Gross, r.ReservePoints), whole.Gross-whole.Fee)
	whole.Net = whole.Gross - whole.Fee - whole.Reserve
	lines = make([]Share, len(gross))
	fees, rests := make([]int64, len(gross)), make([]int64, len(gross))
	for i, fee := range spread(whole.Fee, gross) {
		fees[i], rests[i] = fee, gross[i]-fee
	}
	vats, reserves := spread(whole.VAT, fees), spread(whole.Reserve, rests)
	for i := range lines {
		lines[i] = Share{gross[i], fees[i], vats[i], reserves[i], rests[i] - reserves[i]}
	}
	return lines, whole, nil
}

// spread gives each weight its part of a total, which is at most their sum: what the weights so far are due, less what was given.
func spread(total int64, weights []int64) []int64 {
	sum, soFar, given := int64(0), int64(0), int64(0)
	for _, w := range weights {
		sum += w
	}
	out := make([]int64, len(weights))
	for i, w := range weights {
		soFar += w
		if sum > 0 {
			out[i] = rounded(total, soFar, sum) - given
			given += out[i]
		}
	}
	return out
}

// points is a part of a sum in hundredths of a percent, half up.
func points(minor, p int64) int64 { return rounded(minor, p, 10_000) }

// rounded is n × part / whole, half up; none is negative, and part is at most whole.
func rounded(n, part, whole int64) int64 {
	hi, lo := bits.Mul64(uint64(n), uint64(part))       //nolint:gosec // not negative
	quotient, rest := bits.Div64(hi, lo, uint64(whole)) //nolint:gosec // hi < whole because part ≤ whole
	if rest >= uint64(whole)-rest {                     //nolint:gosec // not negative
		quotient++
	}
	return int64(quotient) //nolint:gosec // at most n
}
