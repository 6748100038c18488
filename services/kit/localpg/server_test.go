//go:build unix

package localpg_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/kit/localpg"
)

const repoRoot = "../../.."

// dir is a folder of the test's own that every user may enter; t.TempDir's parents are closed to others.
func dir(t *testing.T) string {
	t.Helper()
	d, err := os.MkdirTemp("", "localpg-test-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(d, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(d); err != nil {
			t.Error(err)
		}
	})
	return d
}

func start(t *testing.T, opts localpg.Options) *localpg.Server {
	t.Helper()
	opts.RepoRoot = repoRoot
	s, err := localpg.Start(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, s) })
	return s
}

func stop(t *testing.T, s *localpg.Server) {
	t.Helper()
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

func ask(t *testing.T, address, sql string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) // the answer is read already
	var answer string
	if err := conn.QueryRow(t.Context(), sql).Scan(&answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestStart_KeepsDataOverARestart(t *testing.T) {
	d := dir(t)
	s := start(t, localpg.Options{Dir: d})
	made := ask(t, s.URL("postgres"), "SELECT lo_from_bytea(0, 'kept')::text")
	stop(t, s)
	again := start(t, localpg.Options{Dir: d})
	if got := ask(t, again.URL("postgres"), "SELECT convert_from(lo_get("+made+"), 'UTF8')"); got != "kept" {
		t.Errorf("kept object = %q", got)
	}
}

// The processes of a server that was killed end a little later, and keep another from its data until then.
func TestStart_WaitsForTheProcessesOfAKilledServer(t *testing.T) {
	d := dir(t)
	s := start(t, localpg.Options{Dir: d})
	conn, err := pgx.Connect(t.Context(), s.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) // its server has gone by then
	backend := int(conn.PgConn().PID())
	if err := errors.Join(syscall.Kill(backend, syscall.SIGSTOP), s.Kill()); err != nil {
		t.Fatal(err)
	}
	refused := make(chan error, 1)
	go func() {
		log := filepath.Join(d, "postgres.log")
		for t.Context().Err() == nil {
			if text, _ := os.ReadFile(log); bytes.Contains(text, []byte("still in use")) {
				break
			}
			time.Sleep(time.Millisecond)
		}
		refused <- syscall.Kill(backend, syscall.SIGCONT)
	}()
	again := start(t, localpg.Options{Dir: d})
	if err := <-refused; err != nil {
		t.Error(err)
	}
	if got := ask(t, again.URL("postgres"), "SELECT 'back'"); got != "back" {
		t.Errorf("it answers %q", got)
	}
}

func TestStart_KnowsLettersBeyondASCII(t *testing.T) {
	s := start(t, localpg.Options{Dir: dir(t)})
	if got := ask(t, s.URL("postgres"), "SELECT lower('ÄÖÅ')"); got != "äöå" {
		t.Errorf("lower = %q", got)
	}
}

func TestStart_RefusesAWrongPassword(t *testing.T) {
	s := start(t, localpg.Options{Dir: dir(t)})
	u, err := url.Parse(s.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(localpg.Superuser, "guess")
	if conn, err := pgx.Connect(t.Context(), u.String()); err == nil {
		t.Error("a wrong password was let in", conn.Close(t.Context()))
	}
}

func TestStart_StoresItsPasswordForItsOwnerOnly(t *testing.T) {
	d := dir(t)
	start(t, localpg.Options{Dir: d})
	info, err := os.Stat(filepath.Join(d, "password"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode = %v", info.Mode())
	}
}

func TestStart_RefusesDataOfAnotherMajorVersion(t *testing.T) {
	d := dir(t)
	if err := os.WriteFile(filepath.Join(d, "major"), []byte("9"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := localpg.Start(t.Context(), localpg.Options{Dir: d, RepoRoot: repoRoot})
	if err == nil || !strings.Contains(err.Error(), "belongs to PostgreSQL 9") {
		t.Fatalf("err = %v", err)
	}
	if _, err := os.Stat(filepath.Join(d, "data")); !os.IsNotExist(err) {
		t.Error("a data folder was made all the same")
	}
}

func TestStart_NamesTheCauseWhenThePortIsTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // a listener of the test
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() // the test is over
	port := l.Addr().(*net.TCPAddr).Port
	_, err = localpg.Start(t.Context(), localpg.Options{Dir: dir(t), RepoRoot: repoRoot, Port: port})
	if err == nil || !strings.Contains(err.Error(), strconv.Itoa(port)) || !strings.Contains(err.Error(), "in use") {
		t.Fatalf("err = %v", err)
	}
}

// Root's own closed folders are the case of a checkout under /root.
func TestStart_RunsForRootInAFolderClosedToOthers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root has to change users")
	}
	d := dir(t)
	if err := os.Chmod(d, 0o700); err != nil {
		t.Fatal(err)
	}
	s := start(t, localpg.Options{Dir: filepath.Join(d, "inner")})
	if got := ask(t, s.URL("postgres"), "SELECT 'up'"); got != "up" {
		t.Errorf("answer = %q", got)
	}
}

func TestStart_DoesNotRunAsRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root has to change users")
	}
	if _, err := user.Lookup("nobody"); err != nil {
		t.Fatal(err)
	}
	s := start(t, localpg.Options{Dir: dir(t)})
	info, err := os.Stat("/proc/" + strconv.Itoa(s.PID()))
	if err != nil {
		t.Fatal(err)
	}
	if info.Sys().(*syscall.Stat_t).Uid != 0 {
		return // another user, plainly
	}
	// Where that user cannot reach the folders, root bears another id inside a namespace of the server's own.
	mapping, err := os.ReadFile("/proc/" + strconv.Itoa(s.PID()) + "/uid_map")
	if err != nil {
		t.Fatal(err)
	}
	if inside := strings.Fields(string(mapping)); len(inside) != 3 || inside[0] == "0" {
		t.Errorf("the server runs as root; its users are mapped as %q", mapping)
	}
}
