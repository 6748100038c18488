package standin

import (
	"crypto/rand"
	"encoding/binary"
	mathrand "math/rand/v2"
	"sync"
)

// IDs makes ids and secrets: unguessable ones, or, from a seeded source, the same ones in each run.
type IDs struct {
	mu   sync.Mutex
	from mathrand.Source // nil: crypto/rand
}

func (r *IDs) fill(raw []byte) {
	if r.from == nil {
		// crypto/rand.Read never fails: it ends the program instead.
		_, _ = rand.Read(raw)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(raw) > 0 {
		raw = raw[copy(raw, binary.LittleEndian.AppendUint64(nil, r.from.Uint64())):]
	}
}

// Text returns n random letters and digits.
func (r *IDs) Text(n int) string {
	const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	raw := make([]byte, n)
	r.fill(raw)
	for i, b := range raw {
		raw[i] = letters[int(b)%len(letters)]
	}
	return string(raw)
}

// ID returns prefix plus 24 random letters and digits.
func (r *IDs) ID(prefix string) string { return prefix + r.Text(24) }

// Below returns a number from 0 up to n, which it excludes.
func (r *IDs) Below(n int64) int64 {
	var raw [8]byte
	r.fill(raw[:])
	return int64(binary.LittleEndian.Uint64(raw[:]) % uint64(n)) //nolint:gosec // n is positive
}
