package variations

import "math"

// Arm is what one variation has brought.
type Arm struct{ Visitors, Paid int }

// confidence is the quantile of the normal distribution for an interval of 95 %.
const confidence = 1.959963984540054

// Wilson is the 95 % interval of the share of visitors who paid, by Wilson's score method: it holds for small numbers
// too, and never leaves 0 to 1. Without visitors it is the whole range.
func (a Arm) Wilson() (low, high float64) {
	if a.Visitors == 0 {
		return 0, 1
	}
	n, share := float64(a.Visitors), a.rate()
	middle := share + confidence*confidence/(2*n)
	spread := confidence * math.Sqrt(share*(1-share)/n+confidence*confidence/(4*n*n))
	scale := 1 + confidence*confidence/n
	return max(0, (middle-spread)/scale), min(1, (middle+spread)/scale)
}

func (a Arm) rate() float64 {
	if a.Visitors == 0 {
		return 0
	}
	return float64(a.Paid) / float64(a.Visitors)
}

// steps is into how many parts the integral is cut; twice as many change no digit that is shown.
const steps = 4_000

// Best is each arm's probability to have the highest share in truth, after what has been seen and nothing assumed
// before: its share has the distribution Beta(1 + paid, 1 + not paid), and the integral of its density times the
// others' distribution functions is the chance that all others are below it. Calculated on a grid, so that the same
// numbers always give the same answer. The sum is 1.
func Best(arms []Arm) []float64 {
	low, high := 1.0, 0.0
	for _, a := range arms {
		mean, deviation := a.posterior()
		low, high = min(low, mean-12*deviation), max(high, mean+12*deviation)
	}
	low, high = max(low, 0), min(high, 1)
	width := (high - low) / steps
	below := make([]float64, len(arms)) // the distribution function at the middle of the step
	best := make([]float64, len(arms))
	for i := range steps {
		x := low + (float64(i)+0.5)*width
		shares := make([]float64, len(arms))
		for j, a := range arms {
			shares[j] = a.density(x) * width
			below[j] += shares[j] / 2
		}
		for j := range arms {
			chance := shares[j]
			for k := range arms {
				if k != j {
					chance *= below[k]
				}
			}
			best[j] += chance
		}
		for j := range arms {
			below[j] += shares[j] / 2
		}
	}
	sum := 0.0
	for _, p := range best {
		sum += p
	}
	for j := range best {
		best[j] /= sum
	}
	return best
}

// posterior is the mean and the standard deviation of the arm's true share.
func (a Arm) posterior() (mean, deviation float64) {
	paid, not := float64(a.Paid)+1, float64(a.Visitors-a.Paid)+1
	n := paid + not
	return paid / n, math.Sqrt(paid * not / (n * n * (n + 1)))
}

// density of the arm's true share at x, between 0 and 1.
func (a Arm) density(x float64) float64 {
	paid, not := float64(a.Paid), float64(a.Visitors-a.Paid)
	all, _ := math.Lgamma(paid + not + 2)
	one, _ := math.Lgamma(paid + 1)
	two, _ := math.Lgamma(not + 1)
	return math.Exp(all - one - two + paid*math.Log(x) + not*math.Log1p(-x))
}
