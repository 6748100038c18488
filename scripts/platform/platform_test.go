//go:build unix

package platform_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/scripts/platform"
	"talkoot.fi/scripts/runlock"
)

const (
	repoRoot = "../.."
	patience = 30 * time.Second
)

// build makes the launcher's own binary and stand-ins for the services.
func build(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	compile(t, filepath.Join(dir, "run"), "talkoot.fi/scripts/run")
	compile(t, filepath.Join(dir, "content"), "./testdata/fake")
	compile(t, filepath.Join(dir, "holder"), "./testdata/holder")
	for _, name := range []string{"payments", "sandbox", "demopledges"} {
		if err := os.Link(filepath.Join(dir, "content"), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func compile(t *testing.T, to, what string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", to, what).CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", what, err, out)
	}
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func start(t *testing.T, opts platform.Options) *platform.Platform {
	t.Helper()
	p, err := platform.Start(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func TestPlatform(t *testing.T) {
	bin := build(t)
	t.Run("serves, restarts what was killed, and stops", func(t *testing.T) {
		var out bytes.Buffer
		opts := platform.Options{DataDir: t.TempDir(), RepoRoot: repoRoot, Binaries: bin, Seed: true, Out: &out}
		p := start(t, opts)
		for path, want := range map[string]string{
			"/":                        "content / 127.0.0.1",
			"/en/campaigns/x":          "content /en/campaigns/x 127.0.0.1",
			"/content/campaigns/":      "content /campaigns/ 127.0.0.1",
			"/payments/api/pledges/a/": "payments /api/pledges/a/ 127.0.0.1",
		} {
			if code, body := get(t, p.WebURL+path); code != http.StatusOK || !strings.HasPrefix(body, want) {
				t.Errorf("%s: %d %q, want %q", path, code, body, want)
			}
		}
		if code, _ := get(t, p.WebURL+"/content/internal/x"); code != http.StatusNotFound {
			t.Errorf("internal call at the edge: %d", code)
		}
		if !strings.Contains(out.String(), "demo content") || strings.Contains(out.String(), "demo backers") {
			t.Errorf("the start said %q, want the demo content without its backers", out.String())
		}
		for n := range 2 {
			if err := p.SeedBackers(t.Context()); err != nil {
				t.Fatal(err)
			}
			if strings.Count(out.String(), "demopledges  is ") != 1 { // what the program says on its standard output
				t.Errorf("after call %d of SeedBackers: %q, want the backers' word once", n+1, out.String())
			}
		}

		for log, want := range map[string]string{
			"content":          "content serve is talkoot in /talkoot_content",
			"content-work":     "content work is talkoot in /talkoot_content with " + p.PaymentsURL,
			"payments-migrate": "payments migrate is talkoot in /talkoot_payments",
			"payments":         "payments serve is talkoot_payments_service in /talkoot_payments",
			"payments-work":    "payments work is talkoot_payments_service in /talkoot_payments",
		} {
			if said := logOf(t, opts, log); !strings.Contains(said, want) {
				t.Errorf("%s was told %q, want %q", log, said, want)
			}
		}
		if strings.Contains(out.String(), "Warning") {
			t.Errorf("a warning without a cause: %q", out.String())
		}
		holdsNothing(t, p.Env["PAYMENTS_SERVICE_DATABASE_URL"])
		// mended by the next start
		execute(t, p.Env["PAYMENTS_DATABASE_URL"], "ALTER ROLE talkoot_payments_service PASSWORD 'another'")

		_, err := platform.Start(t.Context(), opts)
		if running := new(runlock.RunningError); !errors.As(err, &running) || running.WebURL != p.WebURL {
			t.Errorf("second start in the same folder: %v", err)
		}

		content := p.Proc("content")
		before := content.PID()
		if err := content.Kill(); err != nil {
			t.Fatal(err)
		}
		if code, body := get(t, p.WebURL+"/"); code != http.StatusServiceUnavailable || !strings.Contains(body, `"unavailable"`) {
			t.Errorf("edge without content: %d %q", code, body)
		}
		if err := content.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if code, _ := get(t, p.WebURL+"/"); code != http.StatusOK || content.PID() == before {
			t.Errorf("after the restart: %d, pid %d", code, content.PID())
		}
		if err := p.Proc("postgres").Restart(t.Context()); err != nil {
			t.Fatal(err)
		}

		pids := []int{content.PID(), p.Proc("postgres").PID(), p.Proc("redis").PID(), p.Proc("edge").PID()}
		if err := syscall.Kill(p.Proc("payments-work").PID(), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if err := p.Wait(ctx); err == nil || !strings.Contains(err.Error(), "payments-work ended by itself") {
			t.Errorf("a process fell, Wait says %v", err)
		}
		if err := p.Stop(); err != nil {
			t.Fatal(err)
		}
		awaitGone(t, pids)

		out.Reset()
		again := start(t, opts)
		if strings.Contains(out.String(), "demo content") {
			t.Error("seeded a second time")
		}
		if again.Env["STRIPE_WEBHOOK_SECRET"] != p.Env["STRIPE_WEBHOOK_SECRET"] {
			t.Error("secrets changed over a restart")
		}
		holdsNothing(t, again.Env["PAYMENTS_SERVICE_DATABASE_URL"])
	})

	t.Run("runs the payment service as the owner, with a warning, where the user may not create roles", func(t *testing.T) {
		server := start(t, platform.Options{DataDir: t.TempDir(), RepoRoot: repoRoot, Binaries: bin})
		execute(t, server.Env["PAYMENTS_DATABASE_URL"], "CREATE ROLE tenant LOGIN CREATEDB PASSWORD 'secret'")
		tenant, err := url.Parse(server.Env["PAYMENTS_DATABASE_URL"])
		if err != nil {
			t.Fatal(err)
		}
		tenant.User = url.UserPassword("tenant", "secret")
		var out bytes.Buffer
		opts := platform.Options{DataDir: t.TempDir(), RepoRoot: repoRoot, Binaries: bin, Out: &out,
			Env: map[string]string{"DATABASE_URL": tenant.String()}}
		p := start(t, opts)
		if strings.Count(out.String(), "Warning: the payment service runs as the owner") != 1 ||
			strings.Contains(out.String(), "secret") {
			t.Errorf("said %q", out.String())
		}
		if said := logOf(t, opts, "payments"); !strings.Contains(said, "payments serve is tenant in /talkoot_payments") {
			t.Errorf("payments was told %q", said)
		}
		if p.Env["PAYMENTS_SERVICE_DATABASE_URL"] != p.Env["PAYMENTS_DATABASE_URL"] {
			t.Error("an address that nobody can use")
		}
	})

	t.Run("leaves no orphan when killed, and starts again at once", func(t *testing.T) {
		data := t.TempDir()
		root, err := filepath.Abs(repoRoot)
		if err != nil {
			t.Fatal(err)
		}
		holder := exec.Command(filepath.Join(bin, "holder"), data, bin, root) // killed below
		var said bytes.Buffer
		holder.Stderr = &said
		stdout, err := holder.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := holder.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(stdout).ReadBytes('\n')
		if err != nil {
			t.Fatal(err, said.String())
		}
		var pids []int
		if err := json.Unmarshal(line, &pids); err != nil {
			t.Fatal(err)
		}
		if err := holder.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := holder.Wait(); err == nil {
			t.Error("the holder ended well, it was to be killed")
		}
		start(t, platform.Options{DataDir: data, RepoRoot: repoRoot, Binaries: bin})
		awaitGone(t, pids)
	})

	t.Run("names the process and its log when one does not start", func(t *testing.T) {
		broken := t.TempDir()
		for _, name := range []string{"run", "content", "sandbox"} {
			if err := os.Link(filepath.Join(bin, name), filepath.Join(broken, name)); err != nil {
				t.Fatal(err)
			}
		}
		script := "#!/bin/sh\n[ $1 = migrate ] && exit 0\necho no luck today\nexit 3\n"
		program := filepath.Join(broken, "payments")
		if err := os.WriteFile(program, []byte(script), 0o700); err != nil { // #nosec G306 -- a program
			t.Fatal(err)
		}
		_, err := platform.Start(t.Context(), platform.Options{DataDir: t.TempDir(), RepoRoot: repoRoot, Binaries: broken})
		if err == nil || !strings.Contains(err.Error(), "payments did not start") ||
			!strings.Contains(err.Error(), "no luck today") {
			t.Errorf("err = %v", err)
		}
	})

	t.Run("names the taken port and how to choose another", func(t *testing.T) {
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close() // the test is over
		port := l.Addr().(*net.TCPAddr).Port
		_, err = platform.Start(t.Context(), platform.Options{
			DataDir: t.TempDir(), RepoRoot: repoRoot, Binaries: bin, Ports: platform.Ports{Payments: port},
		})
		want := fmt.Sprintf("port %d for the payment service is taken", port)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "PAYMENTS_PORT") {
			t.Errorf("err = %v", err)
		}
	})
}

func logOf(t *testing.T, opts platform.Options, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(opts.DataDir, "log", name+".log"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func execute(t *testing.T, address, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	_, err = conn.Exec(t.Context(), sql)
	if err := errors.Join(err, conn.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// holdsNothing checks that the address is of the payment service's role, which may use the schema but not create
// anything in it.
func holdsNothing(t *testing.T, address string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context()) // nothing is open on it
	var user string
	var member, sees, makes, rules bool
	err = conn.QueryRow(t.Context(), `SELECT rolname, pg_has_role('talkoot_payments', 'USAGE'), has_schema_privilege('public', 'USAGE'),
		has_schema_privilege('public', 'CREATE'), rolsuper OR rolcreaterole OR rolcreatedb FROM pg_roles WHERE rolname = current_user`).
		Scan(&user, &member, &sees, &makes, &rules)
	if err != nil || user != "talkoot_payments_service" || !member || !sees || makes || rules {
		t.Errorf("user %q, member %v, sees %v, makes %v, rules %v, %v", user, member, sees, makes, rules, err)
	}
}

// awaitGone fails when one of the processes is still there after patience. A zombie counts as gone: its new parent has
// not collected it yet.
func awaitGone(t *testing.T, pids []int) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for _, pid := range pids {
		for !gone(pid) {
			select {
			case <-deadline:
				t.Fatalf("process %d is still there", pid)
			case <-tick.C:
			}
		}
	}
}

func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// On Linux the kernel also signals children whose parent has ended; the guard must do without that.
func TestGuard_EndsWhatIsLeftWhenItsPipeCloses(t *testing.T) {
	startSleep := func() *exec.Cmd {
		cmd := exec.Command("sleep", "600") // ended by the guard
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	group, single, forgotten := startSleep(), startSleep(), startSleep()
	ended := make(chan error, 2)
	for _, cmd := range []*exec.Cmd{group, single} {
		go func() { ended <- cmd.Wait() }()
	}
	in := fmt.Sprintf("+ %d group\n+ %d single\n+ %d group\n- %d\n",
		group.Process.Pid, single.Process.Pid, forgotten.Process.Pid, forgotten.Process.Pid)
	platform.Guard(strings.NewReader(in))
	for range 2 {
		if err := <-ended; err == nil {
			t.Error("sleep ended well, it was to be signalled")
		}
	}
	if gone(forgotten.Process.Pid) {
		t.Error("the guard ended a process that it was told to forget")
	}
	if err := forgotten.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := forgotten.Wait(); err == nil {
		t.Error("sleep ended well, it was to be killed")
	}
}
