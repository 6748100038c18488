package variations_test

import (
	"math"
	"testing"

	"talkoot.fi/content/internal/campaign/variations"
)

// The intervals are those of method 3 in table I of R. G. Newcombe, Two-sided confidence intervals for the single
// proportion, Statistics in Medicine 17 (1998), pages 857 to 872.
func TestWilson_IsThatOfThePublishedTable(t *testing.T) {
	for _, tt := range []struct {
		paid, visitors int
		low, high      float64
	}{{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}, {0, 0, 0, 1}} {
		low, high := variations.Arm{Visitors: tt.visitors, Paid: tt.paid}.Wilson()
		if math.Abs(low-tt.low) > 0.00005 || math.Abs(high-tt.high) > 0.00005 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", tt.paid, tt.visitors, low, high, tt.low, tt.high)
		}
	}
}

// secondIsBetter is the probability that the second of two has the higher share, in closed form: E. Miller, Formulas
// for Bayesian A/B Testing, evanmiller.org/bayesian-ab-testing.html, equation 6.
func secondIsBetter(a, b variations.Arm) float64 {
	logBeta := func(x, y float64) float64 {
		gx, _ := math.Lgamma(x)
		gy, _ := math.Lgamma(y)
		gxy, _ := math.Lgamma(x + y)
		return gx + gy - gxy
	}
	alphaA, betaA := float64(a.Paid+1), float64(a.Visitors-a.Paid+1)
	alphaB, betaB := b.Paid+1, float64(b.Visitors-b.Paid+1)
	sum := 0.0
	for i := range alphaB {
		n := float64(i)
		sum += math.Exp(logBeta(alphaA+n, betaB+betaA) - math.Log(betaB+n) - logBeta(1+n, betaB) - logBeta(alphaA, betaA))
	}
	return sum
}

func TestBest_OfTwoIsTheClosedForm(t *testing.T) {
	for _, arms := range [][2]variations.Arm{
		{{0, 0}, {0, 0}}, {{1, 0}, {1, 1}}, {{10, 3}, {12, 9}}, {{500, 50}, {500, 65}}, {{1_000, 0}, {1_000, 3}},
		{{20_000, 900}, {20_000, 1_000}}, {{300_000, 9_000}, {300_000, 9_100}}, {{50, 50}, {40, 39}},
	} {
		got := variations.Best(arms[:])
		if want := secondIsBetter(arms[0], arms[1]); math.Abs(got[1]-want) > 1e-4 || math.Abs(got[0]+got[1]-1) > 1e-9 {
			t.Errorf("%+v: %.6f, want %.6f", arms, got, want)
		}
	}
}

func TestBest_OfManyIsSharedByEqualsAndGrowsWithWhatIsSeen(t *testing.T) {
	equal := variations.Best([]variations.Arm{{400, 20}, {400, 20}, {400, 20}, {400, 20}, {400, 20}})
	for _, p := range equal {
		if math.Abs(p-0.2) > 1e-6 {
			t.Errorf("five equal ones: %v", equal)
		}
	}
	ahead := variations.Best([]variations.Arm{{1_000, 50}, {1_000, 90}, {1_000, 55}})
	if ahead[1] < 0.99 || ahead[0] > ahead[2] {
		t.Errorf("one far ahead: %v", ahead)
	}
}
