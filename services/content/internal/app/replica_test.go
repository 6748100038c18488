package app_test

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/contract"
	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/localpg"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/app"
	"talkoot.fi/content/migrations"
)

// replicated is a platform on a primary with a replica that streams from it, each a server of its own.
type replicated struct {
	*platform
	replicaFolder string
	server        *localpg.Server // the replica
	reads         *gorm.DB        // on the replica
	replica       *dbx.Replica
	line          *line // between the service and the replica
}

// speedy are settings of servers that need not survive a crash of the machine.
var speedy = map[string]string{"fsync": "off", "full_page_writes": "off", "shared_buffers": "64MB", "autovacuum": "off", "wal_level": "replica"}

func startServer(t *testing.T, folder string) *localpg.Server {
	t.Helper()
	server, err := localpg.Start(t.Context(), localpg.Options{Dir: folder, RepoRoot: "../../../..", Settings: speedy})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Kill() })
	return server
}

func openDB(t *testing.T, address string) *gorm.DB {
	t.Helper()
	db, err := dbx.Open(t.Context(), dbx.Config{URL: address}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dbx.Close(db) })
	return db
}

// newReplicated fills a primary with the demo, copies its folder while it is down, and starts both. A test's folder is
// nobody's but ours, and a server that runs as another user could not enter it.
func newReplicated(t *testing.T) *replicated {
	t.Helper()
	folder, err := os.MkdirTemp("", "replicated")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o711); err != nil {
		t.Fatal(err)
	}
	primaryFolder, replicaFolder := filepath.Join(folder, "primary"), filepath.Join(folder, "replica")
	primary := startServer(t, primaryFolder)
	if err := openDB(t, primary.URL("postgres")).Exec("CREATE DATABASE content").Error; err != nil {
		t.Fatal(err)
	}
	if err := dbx.Migrate(t.Context(), primary.URL("content"), migrations.FS); err != nil {
		t.Fatal(err)
	}
	if err := fillDemo(t.Context(), openDB(t, primary.URL("content"))); err != nil {
		t.Fatal(err)
	}
	reader := "CREATE ROLE reader; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader" // no superuser is needed to know how far it is
	if err := openDB(t, primary.URL("content")).Exec(reader).Error; err != nil {
		t.Fatal(err)
	}
	if err := primary.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command("cp", "-a", primaryFolder, replicaFolder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	primary = startServer(t, primaryFolder)
	settings := fmt.Sprintf("primary_conninfo = '%s'\n", strings.ReplaceAll(primary.URL("content"), "'", "''"))
	for name, text := range map[string]string{"standby.signal": "", "postgresql.auto.conf": settings} {
		if err := os.WriteFile(filepath.Join(replicaFolder, "data", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := &replicated{replicaFolder: replicaFolder, server: startServer(t, replicaFolder)}
	r.reads = openDB(t, r.server.URL("content"))
	r.line = newLine(t, r.server.Port)
	db := openDB(t, primary.URL("content"))
	address := strings.Replace(r.server.URL("content"), fmt.Sprintf(":%d/", r.server.Port), fmt.Sprintf(":%d/", r.line.port()), 1)
	if r.replica, err = dbx.OpenReplica(dbx.Config{URL: address + "&role=reader"}, db, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.replica.Close() })
	var watching sync.WaitGroup
	watching.Go(func() { _ = r.replica.Watch(t.Context()) })
	t.Cleanup(watching.Wait)
	r.platform = on(t, &dbtest.DB{URL: primary.URL("content"), Gorm: db}, demoPictures, func(o *app.Options, _ *dbtest.DB) {
		o.Replica, o.Shared = r.replica, time.Second
	})
	return r
}

// has waits until the replica has all that the primary has now, and the service knows it.
func (r *replicated) has(t *testing.T) {
	t.Helper()
	began := time.Now()
	waitFor(t, 20*time.Second, "the replica is used", func() bool {
		behind, ok := r.replica.Behind()
		return ok && time.Now().Add(-behind).After(began)
	})
}

func waitFor(t *testing.T, limit time.Duration, what string, is func() bool) {
	t.Helper()
	for began := time.Now(); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > limit {
			t.Fatalf("not within %s: %s", limit, what)
		}
	}
}

// stands has the replica repeat nothing more, until the test ends or goes on.
func (r *replicated) stands(t *testing.T) (goesOn func()) {
	t.Helper()
	run := func(statement string) {
		if err := r.reads.Exec("SELECT " + statement).Error; err != nil {
			t.Error(err)
		}
	}
	run("pg_wal_replay_pause()")
	waitFor(t, 20*time.Second, "replay pauses", func() bool {
		var state string
		return r.reads.Raw("SELECT pg_get_wal_replay_pause_state()").Scan(&state).Error == nil && state == "paused"
	})
	return sync.OnceFunc(func() { run("pg_wal_replay_resume()") })
}

// tells gives the campaign another story, past the service.
func (r *replicated) tells(t *testing.T, id int64, story string) {
	t.Helper()
	if err := r.db.Exec(`UPDATE campaign_texts SET story_html = ?, story_text = ? WHERE campaign_id = ?`, story, story, id).Error; err != nil {
		t.Fatal(err)
	}
}

// count is a value of the metric of reads.
func (r *replicated) count(t *testing.T, from string) (n int) {
	t.Helper()
	for line := range strings.Lines(call(t.Context(), r.handler, http.MethodGet, "/metrics", "").Body.String()) {
		_, _ = fmt.Sscanf(line, `talkoot_content_replica_reads_total{from="`+from+`"} %d`, &n)
	}
	return n
}

func TestReplica(t *testing.T) { //nolint:paralleltest // one pair of servers, in one order
	r, whole := newReplicated(t), t
	about := r.target(t, "hoyry-kylan-yhteinen-saunalautta")
	page := fmt.Sprintf("/campaigns/%d/fi/", about.campaign)
	shows := func(story string, headers ...string) bool {
		answer := call(t.Context(), r.handler, http.MethodGet, page, "", headers...)
		if answer.Code != http.StatusOK {
			t.Errorf("%s: %d %s", page, answer.Code, answer.Body)
		}
		return strings.Contains(answer.Body.String(), story)
	}

	t.Run("every public answer is read there, and can be", func(t *testing.T) {
		spec, err := api.GetSpecJSON()
		if err != nil {
			t.Fatal(err)
		}
		public, err := contract.Load(spec)
		if err != nil {
			t.Fatal(err)
		}
		var addresses []string
		for _, operation := range public.Operations() {
			if operation.Shared {
				addresses = append(addresses, r.addressOf(t, operation.Path, about))
			}
		}
		r.has(t)
		for _, address := range addresses {
			before := r.count(t, "replica")
			if answer := call(t.Context(), r.handler, http.MethodGet, address, ""); answer.Code != http.StatusOK || r.count(t, "replica") != before+1 {
				t.Errorf("%s: %d, %d read there: %s", address, answer.Code, r.count(t, "replica")-before, answer.Body)
			}
		}
		if len(addresses) < 20 || r.count(t, "again") > 0 {
			t.Errorf("%d calls, %d read again", len(addresses), r.count(t, "again"))
		}
	})

	t.Run("a stale answer lives as long as without a replica", func(t *testing.T) {
		r.tells(t, about.campaign, "Ennen")
		call(t.Context(), r.handler, http.MethodPost, "/users/tokens/", "{}") // or what was cached stays for ten seconds
		waitFor(t, 10*time.Second, "the story is shown", func() bool { return shows("Ennen") })
		r.has(t)
		goesOn := r.stands(t)
		defer goesOn()
		r.tells(t, about.campaign, "Jälkeen")
		call(t.Context(), r.handler, http.MethodPost, "/users/tokens/", "{}") // this process writes: an answer lives for a second
		began := time.Now()
		if creator := r.token(t, about.creator); !shows("Jälkeen", bearer(creator)...) {
			t.Error("who is signed in sees the old story")
		}
		if !shows("Ennen") && time.Since(began) < time.Second/2 { // on a busy machine its time may be over already
			t.Error("the old story is shown to nobody, so that this test shows nothing")
		}
		// A second, and what a busy machine takes; without the rule it would be shown for as long as the replica stands still.
		waitFor(t, 10*time.Second, "the new story is shown", func() bool { return shows("Jälkeen") })
		t.Logf("the old story was shown for %s", time.Since(began).Round(time.Millisecond))
		goesOn()
		r.has(t)
	})

	t.Run("what is not there yet is looked for at the primary", func(t *testing.T) {
		goesOn := r.stands(t)
		defer goesOn()
		id := r.post(t, about)
		if answer := call(t.Context(), r.handler, http.MethodGet, fmt.Sprintf("/campaigns/%d/posts/%d/", about.campaign, id), ""); answer.Code != http.StatusOK {
			t.Errorf("a post that was just published: %d", answer.Code)
		}
		goesOn()
		r.has(t)
	})

	everybodyIsAnswered := func(t *testing.T) {
		t.Helper()
		began := time.Now()
		for n := range 40 { // each by its own query, so that none is the cache's
			address := fmt.Sprintf("/campaigns/preview/fi/?limit=%d", n+1)
			asked := time.Now()
			answer := call(t.Context(), r.handler, http.MethodGet, address, "")
			if took := time.Since(asked); answer.Code != http.StatusOK || took > 10*time.Second { // one that waits for the replica would hang
				t.Errorf("%s: %d after %s", address, answer.Code, took)
			}
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("forty answers took %s", took)
		}
		waitFor(t, 10*time.Second, "the replica is not used", func() bool { _, used := r.replica.Behind(); return !used })
		if metrics := call(t.Context(), r.handler, http.MethodGet, "/metrics", "").Body.String(); !strings.Contains(metrics, "talkoot_content_replica_used 0") {
			t.Error("the metric says that it is used")
		}
	}
	t.Run("while it is silent the primary answers", func(t *testing.T) {
		r.line.hold(true)
		everybodyIsAnswered(t)
		r.line.hold(false)
		r.has(t)
	})
	t.Run("while it is gone the primary answers", func(t *testing.T) {
		if err := r.server.Kill(); err != nil {
			t.Fatal(err)
		}
		everybodyIsAnswered(t)
		r.server = startServer(whole, r.replicaFolder)
		r.line.leadTo(r.server.Port)
		r.has(t)
	})
	t.Run("one that has become a primary is not used", func(t *testing.T) {
		if err := openDB(t, r.server.URL("content")).Exec("SELECT pg_promote()").Error; err != nil {
			t.Fatal(err)
		}
		waitFor(t, 10*time.Second, "it is not used", func() bool { _, used := r.replica.Behind(); return !used })
		time.Sleep(500 * time.Millisecond)
		everybodyIsAnswered(t)
	})
}

// line carries connections to a port, and can hold back what comes.
type line struct {
	listener net.Listener
	mu       sync.Mutex
	target   int
	held     chan struct{} // closed when nothing is held back
}

func newLine(t *testing.T, port int) *line {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &line{listener: listener, target: port, held: make(chan struct{})}
	close(l.held)
	t.Cleanup(func() { l.hold(false); _ = listener.Close() })
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			go l.carry(from)
		}
	}()
	return l
}

func (l *line) port() int { return l.listener.Addr().(*net.TCPAddr).Port }

func (l *line) leadTo(port int) { l.mu.Lock(); defer l.mu.Unlock(); l.target = port }

func (l *line) hold(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if on {
		l.held = make(chan struct{})
		return
	}
	select {
	case <-l.held:
	default:
		close(l.held)
	}
}

func (l *line) carry(from net.Conn) {
	defer from.Close()
	l.mu.Lock()
	target := l.target
	l.mu.Unlock()
	to, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", target))
	if err != nil {
		return
	}
	defer to.Close()
	go func() { _, _ = io.Copy(to, from); _ = to.Close() }()
	buffer := make([]byte, 32<<10)
	for {
		n, err := to.Read(buffer)
		l.mu.Lock()
		held := l.held
		l.mu.Unlock()
		<-held
		if n > 0 {
			if _, err := from.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
