//go:build unix

package dbtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
)

// A process's databases have its number in their names, on which it holds an advisory lock while it lives: what it leaves is
// dropped by the next process.

// numberClass is the first key of those locks.
const numberClass = 7_265_301

// keepsFailed tells whether failed tests keep their databases; nobody drops those.
func keepsFailed() bool { return os.Getenv("TALKOOT_KEEP_DB") == "1" }

func (s *server) newName() string {
	prefix := "t"
	if keepsFailed() {
		prefix = "kept"
	}
	return fmt.Sprintf("%s_%d_%d", prefix, s.number, s.made.Add(1))
}

// sign takes a number, and drops what ended processes have left.
func (s *server) sign(ctx context.Context) error {
	conn, err := s.admin.Acquire(ctx) // for good: its end frees the number
	if err != nil {
		return fmt.Errorf("sign in at the test server: %w", err)
	}
	s.number = rand.Int32()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1, $2)", numberClass, s.number); err != nil {
		return fmt.Errorf("sign in at the test server: %w", err)
	}
	return s.dropLeft(ctx)
}

func (s *server) dropLeft(ctx context.Context) error {
	var left []string
	if err := s.admin.QueryRow(ctx, `
		SELECT array(SELECT datname FROM pg_database WHERE datname ~ '^t_[0-9]+_' AND split_part(datname, '_', 2) NOT IN
			(SELECT objid::text FROM pg_locks WHERE locktype = 'advisory' AND classid = $1::integer::oid))`, numberClass).Scan(&left); err != nil {
		return fmt.Errorf("look for what ended processes have left: %w", err)
	}
	for _, name := range left {
		if err := s.drop(ctx, name); err != nil {
			return fmt.Errorf("drop what an ended process has left: %w", err)
		}
	}
	return nil
}
