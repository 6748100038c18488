//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// server is a PostgreSQL with an archive, and another beside it to which backups are restored. Neither may run as root.
type server struct {
	dir, bin    string
	port, aside int
	as          *syscall.Credential // nil is who runs this
	user        string
}

func newServer(ctx context.Context) (*server, error) {
	bin := os.Getenv("PG_BIN")
	if bin == "" {
		bin = "/usr/lib/postgresql/15/bin"
	}
	if _, err := os.Stat(filepath.Join(bin, "postgres")); err != nil { //nolint:gosec // the folder is the user's choice
		return nil, fmt.Errorf("install Debian's package postgresql-15, or name another in PG_BIN that pgbackrest knows: %w", err)
	}
	if _, err := exec.LookPath("pgbackrest"); err != nil {
		return nil, fmt.Errorf("install Debian's package pgbackrest: %w", err)
	}
	s := &server{bin: bin}
	if err := s.choose(ctx); err != nil {
		return nil, err
	}
	config := fmt.Sprintf(`[global]
repo1-path=%[1]s/repo
repo1-cipher-type=aes-256-cbc
repo1-cipher-pass=only-for-this-run
start-fast=y
log-level-file=off
log-level-console=warn
lock-path=%[1]s/lock
spool-path=%[1]s/spool

[talkoot]
pg1-path=%[1]s/data
pg1-port=%[2]d
pg1-socket-path=%[1]s
pg1-user=%[3]s
`, s.dir, s.port, s.user)
	if err := os.WriteFile(s.path("pgbackrest.conf"), []byte(config), 0o644); err != nil { //nolint:gosec // the server's user reads it
		return nil, fmt.Errorf("configure pgbackrest: %w", err)
	}
	archive := "archive_command=pgbackrest --config=" + s.path("pgbackrest.conf") + " --stanza=talkoot archive-push %p"
	if err := inOrder(
		func() error {
			return s.do(ctx, s.program("initdb"), "--auth=trust", "--username="+s.user, "--encoding=UTF8", "--locale=C", "-D", s.path("data"))
		},
		func() error { return s.start(ctx, "data", s.port, "archive_mode=on", archive, "max_connections=200") },
		func() error { return s.backrest(ctx, "stanza-create") },
	); err != nil {
		return nil, errors.Join(err, s.remove())
	}
	return s, nil
}

// choose finds a folder, ports, and a user that may run PostgreSQL.
func (s *server) choose(ctx context.Context) (err error) {
	who, err := user.Current()
	if err == nil && who.Uid == "0" {
		who, err = user.Lookup("postgres")
	}
	if err != nil {
		return fmt.Errorf("find who may run PostgreSQL: %w", err)
	}
	s.user = who.Username
	if s.dir, err = os.MkdirTemp("", "talkoot-restore-"); err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	uid, err := strconv.Atoi(who.Uid)
	if err != nil {
		return fmt.Errorf("read who may run PostgreSQL: %w", err)
	}
	gid, err := strconv.Atoi(who.Gid)
	if err != nil {
		return fmt.Errorf("read who may run PostgreSQL: %w", err)
	}
	if os.Geteuid() == 0 {
		s.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)} //nolint:gosec // numbers of the system
		if err := os.Chown(s.dir, uid, gid); err != nil {
			return fmt.Errorf("hand the folder over: %w", err)
		}
	}
	for _, port := range []*int{&s.port, &s.aside} {
		l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return fmt.Errorf("find a free port: %w", err)
		}
		*port = l.Addr().(*net.TCPAddr).Port
		if err := l.Close(); err != nil {
			return fmt.Errorf("free the port: %w", err)
		}
	}
	return nil
}

func (s *server) path(name string) string    { return filepath.Join(s.dir, name) }
func (s *server) program(name string) string { return filepath.Join(s.bin, name) }

func (s *server) address(port int) string {
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/postgres?sslmode=disable", s.user, port)
}

// do runs a program to its end as the server's user.
func (s *server) do(ctx context.Context, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...) // programs of PostgreSQL and pgBackRest
	cmd.Dir = s.dir
	if s.as != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.as}
	}
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(program), strings.Join(args, " "), err, said)
	}
	return nil
}

func (s *server) start(ctx context.Context, data string, port int, settings ...string) error {
	options := fmt.Sprintf("-p %d -c listen_addresses=127.0.0.1 -c unix_socket_directories=%s -c timezone=UTC", port, s.dir)
	for _, setting := range settings {
		options += " -c '" + setting + "'"
	}
	return s.do(ctx, s.program("pg_ctl"), "-D", s.path(data), "-o", options, "-l", s.path(data+".log"), "-w", "-t", "120", "start")
}

func (s *server) backrest(ctx context.Context, command string, args ...string) error {
	return s.do(ctx, "pgbackrest", append([]string{"--config=" + s.path("pgbackrest.conf"), "--stanza=talkoot", command}, args...)...)
}

func (s *server) psql(ctx context.Context, database string, args ...string) error {
	return s.do(ctx, s.program("psql"), append([]string{"-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", s.dir, "-p", strconv.Itoa(s.port),
		"-U", s.user, "-d", database}, args...)...)
}

// bringBack restores the whole server aside as it was at a moment, takes databases from there and puts them in the place of the
// damaged ones, as deploy/backup/README.md says it.
func (s *server) bringBack(ctx context.Context, moment time.Time, databases ...string) error {
	target := moment.UTC().Format("2006-01-02 15:04:05.999999-07")
	steps := []func() error{
		func() error { return s.psql(ctx, "postgres", "-c", "SELECT pg_switch_wal()") },
		func() error {
			return s.backrest(ctx, "restore", "--type=time", "--target="+target, "--target-action=promote", "--pg1-path="+s.path("aside"))
		},
		func() error { return s.start(ctx, "aside", s.aside, "archive_mode=off", "max_connections=200") },
		func() error { return s.awaitPromotion(ctx) },
	}
	for _, database := range databases {
		steps = append(steps, func() error { return s.replace(ctx, database) })
	}
	steps = append(steps,
		func() error {
			return s.do(ctx, s.program("pg_ctl"), "-D", s.path("aside"), "-m", "immediate", "-w", "stop")
		},
		func() error { return os.RemoveAll(s.path("aside")) })
	return inOrder(steps...)
}

// replace puts a database of the server aside in the place of ours, which is kept under another name.
func (s *server) replace(ctx context.Context, database string) error {
	sql := func(text string) func() error {
		return func() error { return s.psql(ctx, "postgres", "-c", text) }
	}
	kept := fmt.Sprintf("%s_damaged_%d", database, time.Now().Unix())
	dump := s.path(kept)
	return inOrder(
		func() error {
			return s.do(ctx, s.program("pg_dump"), "-Fd", "-j", "2", "-h", s.dir, "-p", strconv.Itoa(s.aside), "-U", s.user, "-f", dump, database)
		},
		sql("ALTER DATABASE "+database+" WITH ALLOW_CONNECTIONS false"),
		sql("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '"+database+"'"),
		sql("ALTER DATABASE "+database+" RENAME TO "+kept),
		sql("CREATE DATABASE "+database+" TEMPLATE template0"),
		func() error {
			return s.do(ctx, s.program("pg_restore"), "-j", "2", "-h", s.dir, "-p", strconv.Itoa(s.port), "-U", s.user, "-d", database, dump)
		},
	)
}

// inOrder does one after the other until one fails.
func inOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// awaitPromotion waits until the server aside has come to the moment and takes no more of the archive.
func (s *server) awaitPromotion(ctx context.Context) error {
	for end := time.Now().Add(limit); time.Now().Before(end); {
		ask := []string{"-X", "-Atc", "SELECT pg_is_in_recovery()", s.address(s.aside)}
		cmd := exec.CommandContext(ctx, s.program("psql"), ask...) //nolint:gosec // our own server
		if said, err := cmd.Output(); err == nil && strings.TrimSpace(string(said)) == "f" {
			return nil
		}
		time.Sleep(200 * time.Millisecond)
	}
	return errors.New("the restored server did not come to the moment")
}

// remove ends both servers and removes what they wrote.
func (s *server) remove() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // what was begun ends after a Ctrl-C too
	defer cancel()
	var faults []error
	for _, data := range []string{"aside", "data"} {
		if _, err := os.Stat(filepath.Join(s.path(data), "postmaster.pid")); err == nil {
			faults = append(faults, s.do(ctx, s.program("pg_ctl"), "-D", s.path(data), "-m", "immediate", "-w", "stop"))
		}
	}
	return errors.Join(append(faults, os.RemoveAll(s.dir))...)
}
