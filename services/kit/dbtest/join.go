//go:build unix

package dbtest

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"talkoot.fi/kit/localpg"
)

// Files in the shared folder.
const (
	startLock  = "start.lock"  // held exclusively while a server is started or ended
	usersLock  = "users.lock"  // held shared by every test process, for its whole life
	keeperLock = "keeper.lock" // held exclusively by the running keeper
	stateFile  = "server.json" // where the keeper's server listens
	lingerFile = "linger"      // its presence asks the keeper to wait longer
)

const joinLimit = 2 * time.Minute

// state is what the keeper publishes to the test processes.
type state struct {
	URL   string // of the maintenance database
	Token string // the server's cluster_name: proves whom we talk to
	Fault string `json:",omitempty"` // why there is no server
}

// join connects this process to the shared server, starting one when none runs.
func join() (*server, error) {
	ctx, cancel := context.WithTimeout(context.Background(), joinLimit)
	defer cancel()
	if given := os.Getenv("TEST_DATABASE_URL"); given != "" {
		return connect(ctx, state{URL: given}, func() error { return nil })
	}
	root, err := localpg.RepoRoot()
	if err != nil {
		return nil, err
	}
	dir, err := sharedFolder(root)
	if err != nil {
		return nil, err
	}
	starting, err := lock(filepath.Join(dir, startLock), syscall.LOCK_EX)
	if err != nil {
		return nil, err
	}
	defer starting.Close() // closing releases the lock
	users, err := lock(filepath.Join(dir, usersLock), syscall.LOCK_SH)
	if err != nil {
		return nil, err
	}
	st, err := runningOrNew(dir, root)
	if err != nil {
		return nil, errors.Join(err, users.Close())
	}
	s, err := connect(ctx, st, func() error {
		return os.WriteFile(filepath.Join(dir, lingerFile), nil, 0o600)
	})
	if err != nil {
		return nil, errors.Join(err, users.Close())
	}
	s.users = users
	return s, nil
}

// connect opens the administrative pool and refuses a server that is not the one the keeper started.
func connect(ctx context.Context, st state, linger func() error) (*server, error) {
	base, err := url.Parse(st.URL)
	if err != nil {
		return nil, errors.New("the server's address is not a URL") // the parser's own text would show the password
	}
	admin, err := pgxpool.New(ctx, st.URL)
	if err != nil {
		return nil, fmt.Errorf("connect to the test server: %w", err)
	}
	var name string
	if err := admin.QueryRow(ctx, "SELECT current_setting('cluster_name')").Scan(&name); err != nil {
		admin.Close()
		return nil, fmt.Errorf("connect to the test server: %w", err)
	}
	if st.Token != "" && name != st.Token {
		admin.Close()
		return nil, fmt.Errorf("the server at %s is not the tests' own (cluster_name %q)", base.Host, name)
	}
	s := &server{
		admin: admin,
		url: func(database string) string {
			u := *base
			u.Path = "/" + database
			return u.String()
		},
		linger:    linger,
		templates: map[string]bool{},
	}
	if err := s.sign(ctx); err != nil {
		admin.Close()
		return nil, err
	}
	return s, nil
}

// sharedFolder is the same for all test processes of one user, checkout and choice of server.
func sharedFolder(root string) (string, error) {
	sum := sha256.Sum256([]byte(root + "\x00" + os.Getenv("PG_BIN")))
	uid := os.Getuid()
	dir := filepath.Join(os.TempDir(), "talkoot-dbtest-"+strconv.Itoa(uid)+"-"+hex.EncodeToString(sum[:6]))
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, os.ErrExist) { // #nosec G301 -- the server's user needs access
		return "", fmt.Errorf("make shared folder: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return "", fmt.Errorf("look at shared folder: %w", err)
	}
	if st, ok := info.Sys().(*syscall.Stat_t); !info.IsDir() || !ok || int(st.Uid) != uid {
		return "", fmt.Errorf("%s belongs to someone else: remove it or set TMPDIR", dir)
	}
	return dir, nil
}

// runningOrNew returns the running server or starts one. The caller holds the start lock.
func runningOrNew(dir, root string) (state, error) {
	probe, err := lock(filepath.Join(dir, keeperLock), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		raw, err := os.ReadFile(filepath.Join(dir, stateFile))
		if err != nil {
			return state{}, fmt.Errorf("read where the test server listens: %w", err)
		}
		return parseState(raw)
	}
	if err != nil {
		return state{}, err
	}
	if err := probe.Close(); err != nil {
		return state{}, fmt.Errorf("release lock: %w", err)
	}
	return startKeeper(dir, root)
}

// startKeeper starts this test binary a second time as the keeper, in a session of its own so that neither Ctrl-C nor
// the end of go test ends it, and waits for its answer, one line.
func startKeeper(dir, root string) (state, error) {
	self, err := os.Executable()
	if err != nil {
		return state{}, fmt.Errorf("find own binary: %w", err)
	}
	cmd := exec.Command(self) // no context: it outlives this process on purpose
	cmd.Env = append(os.Environ(), keeperDirEnv+"="+dir, keeperRootEnv+"="+root)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	answer, err := cmd.StdoutPipe()
	if err != nil {
		return state{}, fmt.Errorf("start test server's keeper: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return state{}, fmt.Errorf("start test server's keeper: %w", err)
	}
	line, err := bufio.NewReader(answer).ReadBytes('\n')
	if err != nil {
		return state{}, fmt.Errorf("the test server's keeper gave no answer: %w", err)
	}
	return parseState(line)
}

func parseState(raw []byte) (state, error) {
	var st state
	if err := json.Unmarshal(raw, &st); err != nil {
		return state{}, fmt.Errorf("read where the test server listens: %w", err)
	}
	if st.Fault != "" {
		return state{}, errors.New(st.Fault)
	}
	return st, nil
}

// lock opens path and takes the lock; closing the file, also by the end of the process, gives it back.
func lock(path string, how int) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	for {
		err := syscall.Flock(int(f.Fd()), how) // #nosec G115 -- a descriptor fits
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
		}
		return f, nil
	}
}
