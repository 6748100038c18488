//go:build unix

package dbtest

import (
	"context"
	"database/sql/driver"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
)

// mostIdle bounds the sessions that wait for the next test of a database.
const mostIdle = 8

// forget ends all that a session may hold or has set: settings, role, locks, channels. Statements stay prepared, since a
// database whose structure has changed is not used again.
const forget = "RESET ALL; RESET ROLE; SELECT pg_advisory_unlock_all(); UNLISTEN *; DISCARD SEQUENCES"

// sessions are those of a database that no pool has at the moment. Reading the catalogue, parsing and planning in new
// sessions was most of the test server's time.
type sessions struct {
	mu   sync.Mutex
	idle map[string][]*session // by the settings that they began with
	lent int                   // in pools
}

// keep is dbx.Config.Keep.
func (s *sessions) keep(settings string, connect driver.Connector) driver.Connector {
	return keptConnector{connect, s, settings}
}

func (s *sessions) take(settings string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lent++
	idle := s.idle[settings]
	if len(idle) == 0 {
		return nil
	}
	last := idle[len(idle)-1]
	s.idle[settings] = idle[:len(idle)-1]
	return last
}

// giveBack reports whether the session may stay.
func (s *sessions) giveBack(c *session, usable bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lent--
	if !usable || len(s.idle[c.settings]) >= mostIdle {
		return false
	}
	if s.idle == nil {
		s.idle = map[string][]*session{}
	}
	s.idle[c.settings] = append(s.idle[c.settings], c)
	return true
}

// count is how many sessions the pools of this process have, and how many wait.
func (s *sessions) count() (lent, idle int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, of := range s.idle {
		idle += len(of)
	}
	return s.lent, idle
}

// close ends those that wait.
func (s *sessions) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, of := range s.idle {
		for _, c := range of {
			_ = c.pgxConn.Close() // the database is dropped by force
		}
	}
	s.idle = nil
}

// keptConnector lends sessions to one pool.
type keptConnector struct {
	driver.Connector
	of       *sessions
	settings string
}

func (c keptConnector) Connect(ctx context.Context) (driver.Conn, error) {
	if kept := c.of.take(c.settings); kept != nil {
		return kept, nil
	}
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		c.of.giveBack(nil, false)
		return nil, err
	}
	return &session{conn.(*stdlib.Conn), c.of, c.settings}, nil //nolint:forcetypeassert // dbx makes no other kind
}

type pgxConn = stdlib.Conn // the name of the field below, beside which the driver's method Conn is in sight

// session is a connection that outlives the pool that has made it.
type session struct {
	*pgxConn
	of       *sessions
	settings string
}

// Close is what a pool does at its end.
func (c *session) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	usable := !c.Conn().IsClosed() && c.Conn().PgConn().TxStatus() == 'I'
	if usable {
		_, err := c.Conn().Exec(ctx, forget)
		usable = err == nil
	}
	if c.of.giveBack(c, usable) {
		return nil
	}
	return c.pgxConn.Close()
}
