package sessions

import (
	"crypto/sha256"
	"fmt"
)

// Hashes is how many passwords the service has hashed.
func (s *Service) Hashes() int64 { return s.hasher.done.Load() }

// HashCheaply replaces the slow part of a hash, for tests that are about something else.
func (s *Service) HashCheaply() {
	s.hasher.key = func(password, salt []byte, rounds, memory uint32, threads uint8, keyBytes uint32) []byte {
		sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %d %d %d", password, salt, rounds, memory, threads))
		return sum[:keyBytes]
	}
	s.hasher.free = func() {}
}
