//go:build unix

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"talkoot.fi/scripts/harness"
)

// meterRole is whose connections look and make ready: PostgreSQL counts what they cost apart from what the services cost.
const meterRole = "sizing_meter"

// statsDelay is longer than PostgreSQL's sessions keep what they have counted to themselves.
const statsDelay = 12 * time.Second

// reading is everything that is counted, so far; a difference of two is what happened between them.
type reading struct {
	at         time.Time
	cpu        [len(costly)]time.Duration // of our processes
	redisCPU   time.Duration
	postgres   time.Duration // all of the server but the meter's sessions
	sessions   map[int]session
	statements [2]float64 // content's and payments'
	wal        float64    // bytes
	fullPages  float64    // pages written whole, the first change after a checkpoint
	multixacts float64
	xids       float64 // transactions that wrote
	redis      float64 // commands
	provider   float64 // calls of the providers' APIs, those of payers' browsers too
	moved      float64 // bytes that our processes have read and written, on all their connections
	visitors   float64 // bytes between visitors and the two services
}

// session is one of PostgreSQL's processes.
type session struct {
	database string
	cpu      time.Duration
}

// meter reads a platform's costs.
type meter struct {
	*harness.Harness
	postmaster int
	visitors   atomic.Int64
}

// newMeter gives the harness connections of the meter's own, so that its questions are not counted, and counts what visitors send and get.
func newMeter(ctx context.Context, h *harness.Harness) (*meter, error) {
	m := &meter{Harness: h, postmaster: h.Proc("postgres").PID()}
	password := "of this run only"
	_, err := h.Content.Exec(ctx, `CREATE ROLE `+meterRole+` SUPERUSER LOGIN PASSWORD '`+password+`';
		ALTER ROLE `+meterRole+` SET max_parallel_workers_per_gather = 0`)
	if err != nil {
		return nil, fmt.Errorf("make the meter's role: %w", err)
	}
	for name, pool := range map[string]**pgxpool.Pool{"CONTENT_DATABASE_URL": &h.Content, "PAYMENTS_DATABASE_URL": &h.Payments} {
		address, err := url.Parse(h.Env[name])
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		address.User = url.UserPassword(meterRole, password)
		(*pool).Close()
		if *pool, err = pgxpool.New(ctx, address.String()); err != nil {
			return nil, fmt.Errorf("connect the meter: %w", err)
		}
		if _, err := (*pool).Exec(ctx, `CREATE EXTENSION IF NOT EXISTS pg_stat_statements`); err != nil {
			return nil, fmt.Errorf("count statements: %w", err)
		}
	}
	return m, m.countVisitors()
}

// read reads everything.
func (m *meter) read(ctx context.Context) (r reading, err error) {
	r.at, r.visitors = time.Now(), float64(m.visitors.Load())
	for i, name := range costly {
		pid := m.Proc(name).PID()
		if pid == 0 {
			continue // it was stopped
		}
		if r.cpu[i], err = cpuOf(pid); err != nil {
			return r, err
		}
		moved, err := ioOf(pid)
		if err != nil {
			return r, err
		}
		r.moved += moved
	}
	if redis := m.Proc("redis"); redis != nil {
		if r.redisCPU, err = cpuOf(redis.PID()); err != nil {
			return r, err
		}
		if r.redis, err = redisCommands(ctx, m.Env["REDIS_URL"]); err != nil {
			return r, err
		}
	}
	if r.postgres, r.sessions, err = m.postgresCPU(); err != nil {
		return r, err
	}
	ofProviders, err := m.ProviderCalls(ctx)
	if err != nil {
		return r, err
	}
	r.provider = float64(ofProviders)
	err = m.Content.QueryRow(ctx, `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8, mxid_age('1'::xid)::float8,
		pg_snapshot_xmax(pg_current_snapshot())::text::float8`).Scan(&r.wal, &r.multixacts, &r.xids)
	if err != nil {
		return r, fmt.Errorf("ask for the WAL: %w", err)
	}
	rows, err := m.Content.Query(ctx, `SELECT d.datname, sum(s.calls)::float8, sum(s.wal_fpi)::float8 FROM pg_stat_statements s
		JOIN pg_database d ON d.oid = s.dbid JOIN pg_roles u ON u.oid = s.userid WHERE s.toplevel AND u.rolname <> $1 GROUP BY 1`, meterRole)
	if err != nil {
		return r, fmt.Errorf("count statements: %w", err)
	}
	var database string
	var calls, pages float64
	_, err = pgx.ForEachRow(rows, []any{&database, &calls, &pages}, func() error {
		if i, ours := databaseOf(database); ours {
			r.statements[i] += calls
			r.fullPages += pages
		}
		return nil
	})
	return r, err
}

// databaseOf is 0 for the content service's database and 1 for the payment service's.
func databaseOf(name string) (index int, ours bool) {
	return map[string]int{"talkoot_content": 0, "talkoot_payments": 1}[name], name == "talkoot_content" || name == "talkoot_payments"
}

// since is what was used since an earlier reading.
func (r reading) since(before reading) (used usage) {
	used.took = r.at.Sub(before.at)
	for i := range r.cpu {
		used.cpu[i] = r.cpu[i] - before.cpu[i]
	}
	used.redisCPU, used.redis = r.redisCPU-before.redisCPU, r.redis-before.redis
	all := r.postgres - before.postgres
	for pid, s := range r.sessions {
		if i, ours := databaseOf(s.database); ours {
			used.postgres[i] += s.cpu - before.sessions[pid].cpu
		}
	}
	used.postgresRest = all - used.postgres[0] - used.postgres[1]
	for i := range r.statements {
		used.statements[i] = r.statements[i] - before.statements[i]
	}
	used.wal, used.fullPages = r.wal-before.wal, r.fullPages-before.fullPages
	used.multixacts, used.xids = r.multixacts-before.multixacts, r.xids-before.xids
	used.provider = r.provider - before.provider
	used.moved, used.visitors = r.moved-before.moved, r.visitors-before.visitors
	return used
}

// sessionsOf is the processor time of a user's sessions.
func (m *meter) sessionsOf(user string) (all time.Duration, err error) {
	err = m.eachSession(func(_ int, of, _ string, cpu time.Duration) {
		if of == user {
			all += cpu
		}
	})
	return all, err
}

// postgresCPU is the processor time of PostgreSQL, without the meter's sessions, and of each of its processes that lives.
func (m *meter) postgresCPU() (all time.Duration, sessions map[int]session, err error) {
	sessions = map[int]session{}
	err = m.eachSession(func(pid int, user, database string, cpu time.Duration) {
		if user != meterRole {
			all += cpu
			sessions[pid] = session{database, cpu}
		}
	})
	server, fault := statOf(fmt.Sprintf("/proc/%d/stat", m.postmaster))
	return all + server.own + server.ended, sessions, errors.Join(err, fault)
}

// eachSession is given all of PostgreSQL's processes but the first; those that no client has are nobody's.
func (m *meter) eachSession(do func(pid int, user, database string, cpu time.Duration)) error {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return fmt.Errorf("look for processes: %w", err)
	}
	for _, file := range stats {
		stat, err := statOf(file)
		if err != nil || stat.parent != m.postmaster {
			continue // another's, or one that has ended
		}
		title, err := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		if err != nil {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			return fmt.Errorf("look for processes: %w", err)
		}
		user, database := titleOf(string(title))
		do(pid, user, database, stat.own)
	}
	return nil
}

// titleOf reads whose a session is, and on which database: "postgres: user database host(port) idle". Other processes of the server have none.
func titleOf(title string) (user, database string) {
	parts := strings.Fields(strings.TrimPrefix(title, "postgres: "))
	if len(parts) < 3 || !strings.Contains(parts[2], "(") {
		return "", ""
	}
	return parts[0], parts[1]
}

// processStat is what we read of /proc/PID/stat.
type processStat struct {
	parent     int
	own, ended time.Duration // ended is that of its children that have ended
}

func statOf(file string) (s processStat, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return s, fmt.Errorf("read a process: %w", err)
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	const parent, user, system, childUser, childSystem, tick = 1, 11, 12, 13, 14, 10 * time.Millisecond // proc_pid_stat(5); ticks are USER_HZ
	if len(fields) <= childSystem {
		return s, fmt.Errorf("read a process: %q", text)
	}
	var faults []error
	number := func(i int) int {
		n, err := strconv.Atoi(fields[i])
		faults = append(faults, err)
		return n
	}
	s = processStat{number(parent), time.Duration(number(user)+number(system)) * tick, time.Duration(number(childUser)+number(childSystem)) * tick}
	return s, errors.Join(faults...)
}

// ioOf is how many bytes a process has read and written by read(2) and write(2), which Go uses on connections too.
func ioOf(pid int) (bytes float64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
	if err != nil {
		return 0, fmt.Errorf("read what a process has moved: %w", err)
	}
	for l := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(l), ": ")
		if name == "rchar" || name == "wchar" {
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return 0, fmt.Errorf("read what a process has moved: %w", err)
			}
			bytes += n
		}
	}
	return bytes, nil
}

// redisCommands is how many commands Redis has had. The built-in one does not tell: 0.
func redisCommands(ctx context.Context, address string) (float64, error) {
	u, err := url.Parse(address)
	if err != nil {
		return 0, errors.New("REDIS_URL is no address")
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return 0, fmt.Errorf("ask Redis: %w", err)
	}
	defer conn.Close() // only read
	if _, err := conn.Write([]byte("INFO stats\r\nQUIT\r\n")); err != nil {
		return 0, fmt.Errorf("ask Redis: %w", err)
	}
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		if value, found := strings.CutPrefix(lines.Text(), "total_commands_processed:"); found {
			return strconv.ParseFloat(value, 64)
		}
	}
	return 0, nil
}

// countVisitors has the connections of visitors to the two services counted; those to providers are not.
func (m *meter) countVisitors() error {
	ours := map[string]bool{hostOf(m.ContentURL): true, hostOf(m.PaymentsURL): true}
	transport, is := m.Direct.HTTP.Transport.(*http.Transport)
	if !is {
		return errors.New("visitors' connections cannot be counted")
	}
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil || !ours[address] {
			return conn, err
		}
		return &countedConn{conn, &m.visitors}, nil
	}
	return nil
}

// countedConn counts what goes through it.
type countedConn struct {
	net.Conn
	bytes *atomic.Int64
}

func (c *countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.bytes.Add(int64(n))
	return n, err
}

func (c *countedConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.bytes.Add(int64(n))
	return n, err
}
