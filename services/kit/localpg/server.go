package localpg

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Superuser is the role that Start makes and that URL uses.
const Superuser = "talkoot"

const (
	startLimit = 60 * time.Second // a slow disk replaying its log
	askLimit   = time.Second
	pollEvery  = 20 * time.Millisecond
)

// Options are the settings of a server. Dir is required.
type Options struct {
	// Dir holds the data, the password and the major version. It is made when missing.
	Dir string
	// RepoRoot is where the npm package is looked for.
	RepoRoot string
	// Port on 127.0.0.1; 0 picks a free one.
	Port int
	// Settings are handed to the server as -c name=value.
	Settings map[string]string
	// LogFile receives the server's own log; empty means Dir/postgres.log.
	LogFile string
	// Prepare may change the server's command before it starts, for example by EndWithParent. May be nil.
	Prepare func(*exec.Cmd)
	// Launch starts the prepared command; nil means (*exec.Cmd).Start.
	Launch func(*exec.Cmd) error
}

// Server is a running PostgreSQL.
type Server struct {
	Port     int
	Major    int
	password string
	cmd      *exec.Cmd
	logFile  string
	exited   chan struct{}
	exitErr  error // valid once exited is closed
}

// Start makes the data folder if there is none, starts the server and returns once it accepts our password. The error
// of a server that fails to start ends with the last lines of its log.
func Start(ctx context.Context, opts Options) (*Server, error) {
	dir, err := filepath.Abs(opts.Dir)
	if err != nil {
		return nil, fmt.Errorf("resolve %s: %w", opts.Dir, err)
	}
	opts.Dir = dir
	if err := os.MkdirAll(dir, 0o755); err != nil { // #nosec G301 -- the server's user needs access; the data in it are 0700
		return nil, fmt.Errorf("make PostgreSQL folder: %w", err)
	}
	made, err := madeBy(dir)
	if err != nil {
		return nil, err
	}
	bin, err := Find(ctx, opts.RepoRoot, made)
	if err != nil {
		if made > 0 {
			return nil, fmt.Errorf("the data in %s belongs to PostgreSQL %d; keep that version or move the folder away: %w", dir, made, err)
		}
		return nil, err
	}
	id, err := chooseIdentity(ctx, bin, dir)
	if err != nil {
		return nil, err
	}
	if made == 0 {
		if err := initialise(ctx, bin, id, dir); err != nil {
			return nil, err
		}
	}
	password, err := os.ReadFile(filepath.Join(dir, "password"))
	if err != nil {
		return nil, fmt.Errorf("read PostgreSQL password: %w", err)
	}
	if opts.Port == 0 {
		if opts.Port, err = freePort(ctx); err != nil {
			return nil, err
		}
	}
	if opts.LogFile == "" {
		opts.LogFile = filepath.Join(dir, "postgres.log")
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for {
		s := &Server{
			Port: opts.Port, Major: bin.Major, password: string(password), logFile: opts.LogFile, exited: make(chan struct{}),
		}
		before := size(opts.LogFile)
		if err := s.launch(bin, id, opts); err != nil {
			return nil, err
		}
		err := s.awaitReady(ctx)
		if err == nil {
			return s, nil
		}
		if ctx.Err() != nil || !strings.Contains(since(opts.LogFile, before), stillInUse) {
			return nil, errors.Join(err, s.Stop(context.WithoutCancel(ctx)))
		}
		select {
		case <-ctx.Done():
		case <-time.After(pollEvery):
		}
	}
}

// stillInUse is what a server says that is started while processes of a killed one still end, before it ends itself.
const stillInUse = "pre-existing shared memory block"

// URL is the address of one of the server's databases, password included.
func (s *Server) URL(database string) string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(Superuser, s.password),
		Host:     net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)),
		Path:     "/" + database,
		RawQuery: "sslmode=disable",
	}
	return u.String()
}

// PID is the postmaster's process id.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Exited is closed when the server has ended, by Stop or by itself.
func (s *Server) Exited() <-chan struct{} { return s.exited }

// Stop stops the server by a fast shutdown: clients are disconnected, data are flushed. Only the postmaster is
// signalled, which ends its child processes. If ctx ends first the server is killed and replays its log at the next
// start. A second call returns at once.
func (s *Server) Stop(ctx context.Context) error {
	if err := s.cmd.Process.Signal(syscall.SIGINT); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop PostgreSQL: %w", err)
	}
	select {
	case <-s.exited:
		return nil
	case <-ctx.Done():
		if err := s.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("kill PostgreSQL: %w", err)
		}
		<-s.exited
		return fmt.Errorf("PostgreSQL did not stop in time and was killed: %w", ctx.Err())
	}
}

// Kill ends the server like a crash, and waits for the postmaster.
func (s *Server) Kill() error {
	if err := s.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("kill PostgreSQL: %w", err)
	}
	<-s.exited
	return nil
}

func (s *Server) launch(bin Binaries, id identity, opts Options) error {
	log, err := os.OpenFile(opts.LogFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open PostgreSQL log: %w", err)
	}
	defer log.Close() // the server has its own handle
	settings := map[string]string{
		"listen_addresses":        "127.0.0.1",
		"port":                    strconv.Itoa(opts.Port),
		"unix_socket_directories": "",
		"logging_collector":       "off",
		"timezone":                "UTC",
		"log_timezone":            "UTC",
	}
	maps.Copy(settings, opts.Settings)
	args := []string{"-D", filepath.Join(opts.Dir, "data")}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		args = append(args, "-c", name+"="+settings[name])
	}
	s.cmd = exec.Command(filepath.Join(bin.Dir, "postgres"), args...) //nolint:noctx,gosec // ended by Stop: a context would SIGKILL it; the program was found by Find
	s.cmd.Dir = "/"
	s.cmd.Env = serverEnv()
	s.cmd.Stdout, s.cmd.Stderr = log, log
	id.apply(s.cmd)
	if opts.Prepare != nil {
		opts.Prepare(s.cmd)
	}
	start := s.cmd.Start
	if opts.Launch != nil {
		start = func() error { return opts.Launch(s.cmd) }
	}
	if err := start(); err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	go func() {
		s.exitErr = s.cmd.Wait()
		close(s.exited)
	}()
	return nil
}

// awaitReady polls until the server answers a query with our password. Another server on the port would fail the
// password exchange (SCRAM), which authenticates both sides.
func (s *Server) awaitReady(ctx context.Context) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	var last error
	for {
		if last = s.ask(ctx); last == nil {
			return nil
		}
		select {
		case <-s.exited:
			return fmt.Errorf("PostgreSQL ended while starting (%w): %s", s.exitErr, tail(s.logFile, 8))
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL did not answer in time: %w: %s", last, tail(s.logFile, 8))
		case <-tick.C:
		}
	}
}

// ask connects once, with a timeout, because another program on the port may accept and never answer.
func (s *Server) ask(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

// serverEnv keeps the caller's PG* and LC_* variables out of the server.
func serverEnv() []string {
	return []string{"LC_ALL=C", "PATH=" + os.Getenv("PATH")}
}

func freePort(ctx context.Context) (int, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	return port, nil
}

// size of a file in bytes; 0 of one that is not there.
func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// since is what was written to a file from a size on.
func since(path string, size int64) string {
	raw, err := os.ReadFile(path)
	if err != nil || int64(len(raw)) < size {
		return ""
	}
	return string(raw[size:])
}

// tail is the end of a file, for an error's text.
func tail(path string, lines int) string {
	raw, err := os.ReadFile(path)
	if err != nil {
		return "(no log: " + err.Error() + ")"
	}
	all := strings.Split(strings.TrimSpace(string(raw)), "\n")
	return strings.Join(all[max(0, len(all)-lines):], " | ")
}
