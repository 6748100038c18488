package simulate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	content "talkoot.fi/content/inproc"
	payments "talkoot.fi/payments/inproc"
)

var (
	// errDown means that nobody listens: the host is down, or its process has died in this step.
	errDown = errors.New("connection refused")
	// errCrashed means that the process died under the call.
	errCrashed = errors.New("the process died")
)

// host is a machine that runs one process of a service, and a new one after each crash.
type host struct {
	sim  *simulation
	name string
	// start makes a process's service.
	start func(ctx context.Context, p *process) error
	// isDown tells that its process cannot be reached and does no work.
	isDown  bool
	skew    time.Duration // how far its clock is ahead
	current *process
	past    []*process // dead ones, to be closed
}

// process is a running service, until it crashes. Exactly one of content and payments is set.
type process struct {
	host     *host
	content  *content.Service
	payments *payments.Service
	handler  http.Handler
	close    func() error

	dead atomic.Bool
	mu   sync.Mutex
	// crashIn counts down to the statement at which the process crashes; 0 for none.
	crashIn    int
	crashAfter bool // once that one has taken effect
}

// boot starts a process when none runs.
func (h *host) boot(ctx context.Context) error {
	p := &process{host: h}
	if err := h.start(ctx, p); err != nil {
		return fmt.Errorf("start %s: %w", h.name, err)
	}
	h.current = p
	return nil
}

// restart replaces a crashed process, once the step in which it crashed is over.
func (h *host) restart(ctx context.Context) error {
	for _, p := range h.past {
		if err := p.close(); err != nil {
			return fmt.Errorf("close a dead %s: %w", h.name, err)
		}
	}
	h.past = nil
	if !h.current.dead.Load() {
		return nil
	}
	if err := h.current.close(); err != nil {
		return fmt.Errorf("close a dead %s: %w", h.name, err)
	}
	return h.boot(ctx)
}

// now is the host's clock.
func (h *host) now() time.Time { return h.sim.clock.read().Add(h.skew) }

// do lets the host's process do background work. Errors: errDown, errCrashed, fn's.
func (h *host) do(fn func(p *process) error) error {
	p := h.current
	if h.isDown || p.dead.Load() {
		return errDown
	}
	var err error
	returned := h.sim.inside(func() { err = fn(p) })
	if !returned || p.dead.Load() {
		return errCrashed
	}
	return err
}

// serve answers a request from the network.
func (h *host) serve(r *http.Request) (*http.Response, error) {
	if r.Body == nil {
		r.Body = http.NoBody
	}
	defer r.Body.Close()
	p := h.current
	if h.isDown || p.dead.Load() {
		return nil, errDown
	}
	served := r.Clone(r.Context())
	served.RemoteAddr = fmt.Sprintf("192.0.2.%d:1", 1+h.sim.backer)
	answer := httptest.NewRecorder()
	returned := h.sim.inside(func() { p.handler.ServeHTTP(answer, served) })
	if !returned || p.dead.Load() {
		return nil, errCrashed
	}
	if answer.Code == http.StatusInternalServerError {
		h.sim.find("no call is an internal error", "%s %s", r.Method, r.URL.Path) // the log says why
	}
	return answer.Result(), nil
}

// inside runs f in a goroutine that may be ended, and reports whether f returned.
func (sim *simulation) inside(f func()) bool {
	returned := false
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				sim.find("nothing panics", "%v\n%s", p, debug.Stack())
			}
		}()
		f()
		returned = true
	}()
	<-done
	return returned
}

// planCrash plans the process's crash at the n-th statement from now, before or after that has taken effect.
func (p *process) planCrash(n int, after bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.crashIn, p.crashAfter = n, after
}

// lastKey marks the context of the statement after which the process crashes.
type lastKey struct{}

// TraceQueryStart is called before a statement of the process is sent.
func (p *process) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	verb, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(data.SQL)), " ")
	isRollback := verb == "rollback"
	if p.dead.Load() {
		if isRollback { // as the server does when a connection breaks
			return ctx
		}
		runtime.Goexit()
	}
	if t := taskOf(ctx); t != nil {
		t.enter(conn.PgConn().PID())
		if p.dead.Load() && !isRollback {
			t.leave()
			runtime.Goexit()
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.host.sim.statements++
	if p.crashIn == 0 {
		return ctx
	}
	if p.crashIn--; p.crashIn > 0 {
		return ctx
	}
	if p.crashAfter {
		return context.WithValue(ctx, lastKey{}, verb)
	}
	p.dead.Store(true)
	p.host.sim.count("crash", p.host.name+" before "+kindOf(verb))
	if t := taskOf(ctx); t != nil {
		t.leave()
	}
	runtime.Goexit()
	return ctx
}

// TraceQueryEnd is called when a statement has taken effect.
func (p *process) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	if t := taskOf(ctx); t != nil {
		t.leave()
	}
	if verb, last := ctx.Value(lastKey{}).(string); last {
		p.dead.Store(true)
		p.host.sim.count("crash", p.host.name+" after "+kindOf(verb))
		runtime.Goexit()
	}
}

// kindOf tells the statements apart that matter to a crash.
func kindOf(verb string) string {
	switch verb {
	case "begin", "commit", "rollback":
		return verb
	}
	return "a statement"
}

// wire carries a process's outgoing calls; a crashed process makes none.
type wire struct {
	from *process
	to   http.RoundTripper
}

// RoundTrip makes one call.
func (w wire) RoundTrip(r *http.Request) (*http.Response, error) {
	if w.from.dead.Load() {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		runtime.Goexit()
	}
	return w.to.RoundTrip(r)
}

// toHost carries calls to a host.
type toHost struct{ host *host }

// RoundTrip makes one call.
func (t toHost) RoundTrip(r *http.Request) (*http.Response, error) { return t.host.serve(r) }
