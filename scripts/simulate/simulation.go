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
	"talkoot.fi/sandbox/mangopay"
	"talkoot.fi/sandbox/stripe"
)

// deadRedis is an address where nobody listens: Redis is down during every run.
const deadRedis = "redis://127.0.0.1:1/0"

// Finding is a rule that was broken, and where.
type Finding struct {
	Rule   string
	Detail string
	Step   int // index of the operation after which it was found; the number of operations at the end of the run
}

func (f Finding) String() string { return fmt.Sprintf("after %d: %s: %s", f.Step, f.Rule, f.Detail) }

// simulation is the state of one run, from its first operation to its last check.
type simulation struct {
	runner   *Runner
	theme    theme
	seed     uint64
	clock    *clock
	sandbox  *stripe.Sandbox
	mangopay *mangopay.Sandbox
	content  *host
	payments *host
	log      *bytes.Buffer

	campaigns []content.Campaign
	pledges   []pledge
	backer    int      // who made the last pledge; each has an address of their own
	intents   []string // ids of the intents that browsers have received, in order
	keys      int      // idempotency keys of operators' requests made so far

	// Of provider B.
	payee, payeeWallet string     // the creator's account there
	payeeA             string     // and at provider A
	ordersB            []orderAtB // pay-ins by cards that were registered
	asked              []string   // pay-ins whose banks have asked

	sessions map[int]string // of people who are signed in

	// Of monthly support.
	supporters []*supporter
	banks      map[string][]bankWord // by kept card, the oldest first
	orders     map[string]string     // order tokens of what was made without a session, by its id
	losing     int                   // how many webhooks that are still to come are lost
	settling   bool                  // no more faults
	covered    map[string]bool       // for which words about missing cover somebody has topped up
	pace       time.Duration         // while something is broken for long, the time between two looks
	reconciled time.Time             // when the daily passes ran last
	troubles   [][2]time.Time        // when something was broken for long

	step       int
	statements int

	mu       sync.Mutex
	reached  map[string]int
	findings []Finding
	notes    []string // the result of each operation, for the trace
}

// pledge is one that a backer has made.
type pledge struct {
	id          string
	campaign    int
	amountMinor int64
	isMembers   bool // whose session it needs
	isRaise     bool // the further charge of one, which is paid as a pledge is
}

func newSimulation(ctx context.Context, n *Runner, th theme, seed uint64) (*simulation, error) {
	if err := n.reset(ctx, seed); err != nil {
		return nil, err
	}
	sim := &simulation{runner: n, theme: th, clock: newClock(), sandbox: n.sandbox, mangopay: n.mangopay, log: &bytes.Buffer{}, reached: map[string]int{}, seed: seed,
		sessions: map[int]string{}, orders: map[string]string{}, covered: map[string]bool{}}
	n.sim = sim
	sim.content = &host{sim: sim, name: "content", start: sim.startContent}
	sim.payments = &host{sim: sim, name: "payments", start: sim.startPayments}
	if err := errors.Join(sim.content.boot(ctx), sim.payments.boot(ctx)); err != nil {
		return nil, err
	}
	if err := th.begin(sim, ctx); err != nil {
		return nil, err
	}
	// The daily comparison with the provider covers the time since the last one that was finished, so there is a first
	// one.
	return sim, sim.payments.current.payments.Reconcile(ctx)
}

func (sim *simulation) logger(name string) *slog.Logger {
	return slog.New(slog.NewTextHandler(logWriter{sim}, &slog.HandlerOptions{Level: slog.LevelWarn,
		ReplaceAttr: withoutTime})).With("service", name)
}

// withoutTime drops the machine's time from log lines, so that the same run has the same log.
func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// logWriter keeps the log, and makes logged panics, which worker loops recover from, findings.
type logWriter struct{ sim *simulation }

func (w logWriter) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("pages are not served")) ||
		bytes.Contains(line, []byte("rate limits are per process")) {
		return len(line), nil // logged in every run
	}
	w.sim.mu.Lock()
	fmt.Fprintf(w.sim.log, "%3d ", w.sim.step)
	w.sim.log.Write(line)
	w.sim.mu.Unlock()
	if bytes.Contains(line, []byte("panic")) {
		w.sim.find("nothing panics", "%s", line)
	}
	return len(line), nil
}

func (sim *simulation) startContent(ctx context.Context, p *process) (err error) {
	p.content, err = content.New(ctx, content.Config{
		DatabaseURL: sim.runner.databases.ContentURL, MaxConns: 4, Tracer: p, ServiceSecret: serviceSecret,
		Payments: wire{p, toHost{sim.payments}}, Now: p.host.now, Log: sim.logger("content"),
	})
	if err != nil {
		return err
	}
	p.handler, p.close = p.content.Handler(), p.content.Close
	return nil
}

func (sim *simulation) startPayments(ctx context.Context, p *process) (err error) {
	c := payments.Config{
		DatabaseURL: sim.runner.databases.PaymentsURL, RedisURL: deadRedis, ServiceSecret: serviceSecret,
		WebhookSecret: webhookSecret,
		StripeKey:     stripeKey, Stripe: wire{p, sim.sandbox.Transport()}, Content: wire{p, toHost{sim.content}},
		Now: p.host.now, Log: sim.logger("payments"), Tracer: p,
	}
	if sim.theme.takesB {
		c.MangopayKey, c.Mangopay, c.MangopaySleep = mangopayKey, wire{p, sim.mangopay.Transport()}, sim.waitForReport
	}
	p.payments, err = payments.New(ctx, c)
	if err != nil {
		return err
	}
	p.handler, p.close = p.payments.Handler(), p.payments.Close
	return nil
}

// waitForReport lets the time pass in which provider B makes a report.
func (sim *simulation) waitForReport(ctx context.Context, d time.Duration) error {
	sim.clock.pass(d)
	_, err := sim.mangopay.RunDue(ctx)
	return err
}

// lastDays are how many days after its first one a campaign's last day is, as the seed says: half of them end while the run comes to rest,
// or before.
var lastDays = [4]int{90, 90, 0, 1}

// beginPledging makes three campaigns: of provider A, of provider B and of both. Each has a reward of small stock and an unlimited one, and
// gives all back when its goal is not reached, or keeps what was raised, as the seed says.
func (sim *simulation) beginPledging(ctx context.Context) error {
	return sim.begin(ctx, func(i int, creator int64, spec *content.CampaignSpec) (atA, atB bool) {
		spec.LastDay, spec.KeepWhatIsRaised = startTime.AddDate(0, 0, lastDays[sim.seed>>(3+2*i)&3]), sim.seed>>i&1 == 0
		if i > 0 {
			spec.CreatorID = creator
		}
		return i == 2, i > 0
	})
}

// begin makes what all runs about pledges start with: people, and three campaigns, each as is said of it, and paid by its creator's accounts at the providers
// that are said.
func (sim *simulation) begin(ctx context.Context, as func(i int, creator int64, spec *content.CampaignSpec) (atA, atB bool)) error {
	if _, err := sim.register(ctx, member); err != nil {
		return err
	}
	id, err := sim.register(ctx, creator)
	if err != nil {
		return err
	}
	if err := sim.keepRates(ctx); err != nil {
		return err
	}
	if err := sim.becomePayee(ctx, id); err != nil {
		return err
	}
	if err := sim.giveBank(ctx); err != nil {
		return err
	}
	for i := range 3 {
		spec := content.CampaignSpec{Slug: fmt.Sprintf("elama-%d", i), GoalMinor: 200_00, FirstDay: startTime,
			Rewards: []content.RewardSpec{{AmountMinor: 50_00, Stock: i + 1}, {AmountMinor: 20_00}}}
		atA, atB := as(i, id, &spec)
		c, err := sim.content.current.content.NewCampaign(ctx, spec)
		if err != nil {
			return fmt.Errorf("make a campaign: %w", err)
		}
		sim.campaigns = append(sim.campaigns, c)
		if spec.CreatorID > 0 {
			if err := sim.payAt(ctx, c.ID, atA, atB); err != nil {
				return err
			}
		}
	}
	sim.everyStep(ctx)
	return nil
}

// end closes the processes.
func (sim *simulation) end() error {
	var faults []error
	for _, h := range sim.hosts() {
		for _, p := range append(h.past, h.current) {
			if p != nil {
				faults = append(faults, p.close())
			}
		}
	}
	sim.runner.sim = nil
	return errors.Join(faults...)
}

func (sim *simulation) hosts() []*host { return []*host{sim.content, sim.payments} }

func (sim *simulation) find(rule, format string, args ...any) {
	sim.mu.Lock()
	defer sim.mu.Unlock()
	sim.findings = append(sim.findings, Finding{rule, strings.TrimSpace(fmt.Sprintf(format, args...)), sim.step})
}

func (sim *simulation) hasFindings() bool {
	sim.mu.Lock()
	defer sim.mu.Unlock()
	return len(sim.findings) > 0
}

// count counts a state that the run reached, for the coverage report of all runs.
func (sim *simulation) count(group, what string) {
	sim.mu.Lock()
	defer sim.mu.Unlock()
	sim.reached[group+": "+what]++
}

// note adds to the result of the current operation.
func (sim *simulation) note(format string, args ...any) {
	sim.mu.Lock()
	defer sim.mu.Unlock()
	for len(sim.notes) <= sim.step {
		sim.notes = append(sim.notes, "")
	}
	sim.notes[sim.step] = strings.TrimSpace(sim.notes[sim.step] + " " + fmt.Sprintf(format, args...))
}

// work runs one step of a worker on a host. An error that an injected crash or outage explains is no finding.
func (sim *simulation) work(h *host, what string, fn func(p *process) error) {
	err := h.do(fn)
	switch {
	case err == nil:
	case errors.Is(err, errDown), errors.Is(err, errCrashed):
		sim.note("%v", err)
	default:
		sim.find("workers' steps do not fail", "%s of %s: %v", what, h.name, err)
	}
}

// ask makes a browser's call and returns the HTTP status, 0 when there was no response.
func (sim *simulation) ask(ctx context.Context, h *host, method, path string, body, into any) int {
	return sim.askWith(ctx, h, method, path, "", body, into)
}

// askWith is ask with an idempotency key.
func (sim *simulation) askWith(ctx context.Context, h *host, method, path, key string, body, into any) int {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			sim.find("the simulation works", "encode a call: %v", err)
			return 0
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+h.name+".example"+path, bytes.NewReader(text))
	if err != nil {
		sim.find("the simulation works", "make a call: %v", err)
		return 0
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	if token, is := ctx.Value(sessionKey{}).(string); is {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for id, token := range sim.orders { // the browser that began an order has its token
		if strings.Contains(path, "/"+id) || bytes.Contains(text, []byte(`"`+id+`"`)) {
			r.Header.Set("Order-Token", token)
		}
	}
	answer, err := h.serve(r)
	if err != nil {
		sim.note("%v", err)
		return 0
	}
	defer answer.Body.Close()
	text, err = io.ReadAll(answer.Body)
	if err == nil && into != nil && answer.StatusCode < http.StatusBadRequest {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		sim.find("answers can be read", "%s %s: %v: %.200s", method, path, err, text)
	}
	sim.note("%d", answer.StatusCode)
	if answer.StatusCode >= http.StatusBadRequest {
		var problem struct{ Code, Status string }
		_ = json.Unmarshal(text, &problem) // only for the trace
		sim.note("%s", strings.TrimSpace(problem.Status+" "+problem.Code))
	}
	return answer.StatusCode
}

// pick chooses an element of a list by any number; half of all numbers choose one of the last two, the newest. It is
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
