package simulate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	content "talkoot.fi/content/inproc"
	payments "talkoot.fi/payments/inproc"
	"talkoot.fi/sandbox/stripe"
)

// deadRedis is an address where nobody listens: Redis is down for a whole life.
const deadRedis = "redis://127.0.0.1:1/0"

// Finding is a rule that was broken, and where.
type Finding struct {
	Rule   string
	Detail string
	Step   int // index of the operation after which it was found; the number of operations at the end of the life
}

func (f Finding) String() string { return fmt.Sprintf("after %d: %s: %s", f.Step, f.Rule, f.Detail) }

// life is one run, from its first operation to its last check.
type life struct {
	lane     *Lane
	clock    *clock
	sandbox  *stripe.Sandbox
	content  *host
	payments *host
	log      *bytes.Buffer

	campaigns []content.Campaign
	pledges   []pledge
	backer    int      // who made the last pledge; each has an address of their own
	intents   []string // that a browser was given, in order
	keys      int      // of operators' requests

	step       int
	statements int

	mu       sync.Mutex
	reached  map[string]int
	findings []Finding
	notes    []string // what each operation came to
}

// pledge is one that a backer has made.
type pledge struct {
	id          string
	campaign    int
	amountMinor int64
}

func newLife(ctx context.Context, n *Lane, seed uint64) (*life, error) {
	if err := n.reset(ctx, seed); err != nil {
		return nil, err
	}
	l := &life{lane: n, clock: newClock(), sandbox: n.sandbox, log: &bytes.Buffer{}, reached: map[string]int{}}
	n.life = l
	l.content = &host{life: l, name: "content", start: l.startContent}
	l.payments = &host{life: l, name: "payments", start: l.startPayments}
	if err := errors.Join(l.content.boot(ctx), l.payments.boot(ctx)); err != nil {
		return nil, err
	}
	return l, l.begin(ctx)
}

func (l *life) logger(name string) *slog.Logger {
	return slog.New(slog.NewTextHandler(logWriter{l}, &slog.HandlerOptions{Level: slog.LevelWarn,
		ReplaceAttr: withoutTime})).With("service", name)
}

// withoutTime drops the time of the machine from log lines, so that the log of a life is the same each time it is run.
func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// logWriter keeps the log, and finds panics that a loop has caught.
type logWriter struct{ life *life }

func (w logWriter) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("pages are not served")) ||
		bytes.Contains(line, []byte("rate limits are per process")) {
		return len(line), nil // as in every life
	}
	w.life.mu.Lock()
	fmt.Fprintf(w.life.log, "%3d ", w.life.step)
	w.life.log.Write(line)
	w.life.mu.Unlock()
	if bytes.Contains(line, []byte("panic")) {
		w.life.find("nothing panics", "%s", line)
	}
	return len(line), nil
}

func (l *life) startContent(ctx context.Context, p *process) (err error) {
	p.content, err = content.New(ctx, content.Config{
		DatabaseURL: l.lane.databases.ContentURL, MaxConns: 4, Tracer: p, ServiceSecret: serviceSecret,
		Payments: wire{p, toHost{l.payments}}, Now: p.host.now, Log: l.logger("content"),
	})
	if err != nil {
		return err
	}
	p.handler, p.close = p.content.Handler(), p.content.Close
	return nil
}

func (l *life) startPayments(ctx context.Context, p *process) (err error) {
	p.payments, err = payments.New(ctx, payments.Config{
		DatabaseURL: l.lane.databases.PaymentsURL, RedisURL: deadRedis, ServiceSecret: serviceSecret,
		WebhookSecret: webhookSecret,
		StripeKey:     stripeKey, Stripe: wire{p, l.sandbox.Transport()}, Content: wire{p, toHost{l.content}},
		Now: p.host.now, Log: l.logger("payments"), Tracer: p,
	})
	if err != nil {
		return err
	}
	p.handler, p.close = p.payments.Handler(), p.payments.Close
	return nil
}

// begin makes the campaigns that a life starts with. Each has a reward of small stock and an unlimited one.
func (l *life) begin(ctx context.Context) error {
	for i, keeps := range []bool{false, true} {
		c, err := l.content.current.content.NewCampaign(ctx, content.CampaignSpec{
			Slug: fmt.Sprintf("elama-%d", i), GoalMinor: 200_00, FirstDay: birth, LastDay: birth.AddDate(0, 0, 30),
			KeepWhatIsRaised: keeps,
			Rewards:          []content.RewardSpec{{AmountMinor: 50_00, Stock: i + 1}, {AmountMinor: 20_00}},
		})
		if err != nil {
			return fmt.Errorf("make a campaign: %w", err)
		}
		l.campaigns = append(l.campaigns, c)
	}
	// The daily comparison with the provider covers the time since the last one that was finished, so there is a first
	// one.
	return l.payments.current.payments.Reconcile(ctx)
}

// end closes the processes.
func (l *life) end() error {
	var faults []error
	for _, h := range l.hosts() {
		for _, p := range append(h.past, h.current) {
			if p != nil {
				faults = append(faults, p.close())
			}
		}
	}
	l.lane.life = nil
	return errors.Join(faults...)
}

func (l *life) hosts() []*host { return []*host{l.content, l.payments} }

func (l *life) find(rule, format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.findings = append(l.findings, Finding{rule, strings.TrimSpace(fmt.Sprintf(format, args...)), l.step})
}

func (l *life) hasFindings() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.findings) > 0
}

// count counts a state that the life reached, for the coverage report of the whole simulation.
func (l *life) count(group, what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reached[group+": "+what]++
}

// note says what the operation at hand came to.
func (l *life) note(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.notes) <= l.step {
		l.notes = append(l.notes, "")
	}
	l.notes[l.step] = strings.TrimSpace(l.notes[l.step] + " " + fmt.Sprintf(format, args...))
}

// work runs one step of a worker on a host. An error that an injected crash or outage explains is no finding.
func (l *life) work(h *host, what string, fn func(p *process) error) {
	err := h.do(fn)
	switch {
	case err == nil:
	case errors.Is(err, errDown), errors.Is(err, errCrashed):
		l.note("%v", err)
	default:
		l.find("workers' steps do not fail", "%s of %s: %v", what, h.name, err)
	}
}

// ask makes a browser's call and returns the status, 0 when there was no answer.
func (l *life) ask(ctx context.Context, h *host, method, path string, body, into any) int {
	return l.askWith(ctx, h, method, path, "", body, into)
}

// askWith is ask with an idempotency key.
func (l *life) askWith(ctx context.Context, h *host, method, path, key string, body, into any) int {
	var payload io.Reader = http.NoBody
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			l.find("the simulation works", "encode a call: %v", err)
			return 0
		}
		payload = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+h.name+".example"+path, payload)
	if err != nil {
		l.find("the simulation works", "make a call: %v", err)
		return 0
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	answer, err := h.serve(r)
	if err != nil {
		l.note("%v", err)
		return 0
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && into != nil && answer.StatusCode < http.StatusBadRequest {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		l.find("answers can be read", "%s %s: %v: %.200s", method, path, err, text)
	}
	l.note("%d", answer.StatusCode)
	if answer.StatusCode >= http.StatusBadRequest {
		var problem struct{ Code, Status string }
		_ = json.Unmarshal(text, &problem) // a word for the reader, no more
		l.note("%s", strings.TrimSpace(problem.Status+" "+problem.Code))
	}
	return answer.StatusCode
}

// pick chooses an element of a list by a number of any size; half of all numbers choose one of the two newest. It is
// false when the list is empty.
func pick[T any](list []T, n uint32) (one T, some bool) {
	if len(list) == 0 {
		return one, false
	}
	if newest := list[max(0, len(list)-2):]; n>>30 < 2 {
		list = newest
	}
	return list[int(n)%len(list)], true
}

// rest is the shortest time between two operations.
const rest = 50 * time.Millisecond
