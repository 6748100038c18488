package scenes

import "hash/fnv"

// random is mulberry32 seeded with the FNV-1a hash of a text: small, fast, and the same everywhere. It is for pictures
// only, never for secrets.
type random struct{ state uint32 }

func newRandom(seed string) *random {
	return &random{state: hash(seed)}
}

func hash(text string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text)) // a hash's Write never fails
	return h.Sum32()
}

// unit draws the next number in [0, 1).
func (r *random) unit() float64 {
	r.state += 0x6D2B79F5
	t := r.state
	t = (t ^ t>>15) * (t | 1)
	t ^= t + (t^t>>7)*(t|61)
	return float64(t^t>>14) / (1 << 32)
}

// between draws a number in [low, high).
func (r *random) between(low, high float64) float64 {
	return low + (high-low)*r.unit()
}

// chance is true with probability p.
func (r *random) chance(p float64) bool { return r.unit() < p }

// oneOf draws one of the choices, of which there must be at least one.
func oneOf[T any](r *random, choices []T) T {
	return choices[int(r.unit()*float64(len(choices)))]
}
