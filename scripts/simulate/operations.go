package simulate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// kind is what can happen. Its operands are numbers of any size that choose among what there is; where there is nothing
// to choose, nothing happens.
type kind struct {
	name   string
	weight int
	do     func(l *life, ctx context.Context, o operation)
}

// operation is one thing that happens, fixed before the life begins.
type operation struct {
	kind  string
	index int       // in the whole list
	n     [4]uint32 // operands
	both  []operation
}

func (o operation) String() string {
	if len(o.both) > 0 {
		return fmt.Sprintf("%3d at once: %s(%d) | %s(%d)", o.index, o.both[0].kind, o.both[0].n[0]%100, o.both[1].kind,
			o.both[1].n[0]%100)
	}
	return fmt.Sprintf("%3d %s(%d, %d)", o.index, o.kind, o.n[0]%100, o.n[1]%100)
}

const atOnce = "at once"

// kinds is the table of all operations. It is a function because operations may contain others.
func kinds() []kind {
	return []kind{
		// Backers.
		{"create a pledge", 16, (*life).createPledge},
		{"create a pledge twice", 2, (*life).createTwice},
		{"release a pledge", 4, (*life).releasePledge},
		{"set up the form", 16, (*life).setUp},
		{"confirm with a good card", 14, (*life).confirmGood},
		{"confirm with another card", 10, (*life).confirmOther},
		{"answer a challenge", 7, (*life).answerChallenge},
		{"open a hosted page", 7, (*life).openPage},
		{"pay a hosted page", 6, (*life).payPage},
		{"leave a hosted page", 1, (*life).leavePage},
		{"ask for the payment", 6, (*life).askPayment},
		{"read the pledge", 2, (*life).readPledge},
		// Signals.
		{"deliver the oldest webhook", 14, (*life).deliverOldest},
		{"deliver any webhook", 8, (*life).deliverAny},
		{"lose a webhook", 5, (*life).loseWebhook},
		{"double a webhook", 3, (*life).doubleWebhook},
		{"the provider's own time", 6, (*life).runProvider},
		// Workers.
		{"drain webhooks", 16, (*life).drain},
		{"relay payment events", 16, (*life).relayPayments},
		{"relay content's messages", 10, (*life).relayContent},
		{"tidy", 14, (*life).tidy},
		{"sweep", 8, (*life).sweep},
		{"reconcile", 5, (*life).reconcile},
		{"lapse", 4, (*life).lapse},
		// Operators and editors.
		{"refund", 7, (*life).refund},
		{"refund a part", 5, (*life).refundPart},
		{"refund twice by one key", 2, (*life).refundTwice},
		{"repeat a failed refund", 5, (*life).repeatRefund},
		{"pay a refund by hand", 3, (*life).payByHand},
		{"release held money", 4, (*life).releaseHeld},
		{"attach a charge", 4, (*life).attach},
		{"explain a line", 2, (*life).explain},
		{"resolve an anomaly", 1, (*life).resolve},
		{"move a campaign's stage", 1, (*life).moveStage},
		// Others at the provider.
		{"refund at the provider", 3, (*life).refundAtProvider},
		{"fail a refund", 4, (*life).failRefund},
		{"open a dispute", 6, (*life).openDispute},
		{"decide a dispute", 7, (*life).decideDispute},
		{"appeal a dispute", 8, (*life).appeal},
		{"return a part of a lost dispute", 6, (*life).returnDisputed},
		{"a foreign payment", 2, (*life).foreignPayment},
		{"a payment with our tag", 3, (*life).taggedPayment},
		{"change what a payment asks for", 5, (*life).changeAmount},
		{"refunds cost something", 4, (*life).priceRefunds},
		{"a line without an object", 3, (*life).addLine},
		{"top up", 2, (*life).topUp},
		{"pay out to our bank", 4, (*life).payOut},
		{"fail a payout", 1, (*life).failPayout},
		// Time.
		{"seconds pass", 14, (*life).passSeconds},
		{"minutes pass", 6, (*life).passMinutes},
		{"hours pass", 2, (*life).passHours},
		{"days pass", 1, (*life).passDays},
		{"a clock goes wrong", 2, (*life).skewClock},
		// Faults.
		{"a call to the provider fails", 9, (*life).failCall},
		{"the provider takes no refunds", 2, (*life).refuseRefunds},
		{"a host goes down", 2, (*life).goDown},
		{"hosts come back", 10, (*life).comeBack},
		{"payments dies", 6, (*life).killPayments},
		{"content dies", 3, (*life).killContent},
		{atOnce, 22, nil},
	}
}

// alongside lists the operations that may be interleaved with another one: those that reach our databases.
func alongside() []string {
	return []string{
		"create a pledge", "release a pledge", "set up the form", "set up the form", "open a hosted page",
		"ask for the payment", "ask for the payment",
		"drain webhooks", "drain webhooks", "relay payment events", "relay payment events", "relay content's messages",
		"tidy", "tidy", "sweep",
		"reconcile", "lapse", "refund", "refund a part", "repeat a failed refund", "pay a refund by hand",
		"release held money", "attach a charge",
		"explain a line", "move a campaign's stage",
	}
}

func kindNamed(name string) kind {
	for _, k := range kinds() {
		if k.name == name {
			return k
		}
	}
	panic("no operation is called " + name)
}

// openings are the first operations of a life, so that there is soon something for the others.
func openings() []string {
	return []string{"create a pledge", "create a pledge", "set up the form", "set up the form", "confirm with a good card",
		"confirm with another card",
		"drain webhooks", "relay payment events", "open a hosted page", "deliver the oldest webhook"}
}

// The random streams of a seed: drawing from one does not change what the others give.
const (
	streamKinds = iota + 1
	streamOperands
	streamPairs
)

// draw makes a life's operations.
func draw(seed uint64, n int) []operation {
	chosen := rand.New(rand.NewPCG(seed, streamKinds))      // #nosec G404 -- repeatable
	operands := rand.New(rand.NewPCG(seed, streamOperands)) // #nosec G404 -- repeatable
	pairs := rand.New(rand.NewPCG(seed, streamPairs))       // #nosec G404 -- repeatable
	table, total := kinds(), 0
	for _, k := range table {
		total += k.weight
	}
	fill := func(o *operation, from *rand.Rand) {
		for i := range o.n {
			o.n[i] = from.Uint32()
		}
	}
	out := make([]operation, n)
	for i := range out {
		at := chosen.IntN(total)
		for _, k := range table {
			if at -= k.weight; at < 0 {
				out[i] = operation{kind: k.name, index: i}
				break
			}
		}
		if i < len(openings()) {
			out[i].kind = openings()[chosen.IntN(len(openings()))]
		}
		if i == 0 {
			out[i].kind = openings()[0]
		}
		fill(&out[i], operands)
		if out[i].kind != atOnce {
			continue
		}
		for range 2 {
			one := operation{kind: alongside()[pairs.IntN(len(alongside()))], index: i}
			fill(&one, pairs)
			out[i].both = append(out[i].both, one)
		}
		if pairs.IntN(3) == 0 { // the same twice
			out[i].both[1] = out[i].both[0]
		}
	}
	return out
}

// perform does one operation, and restarts the processes that crashed in it.
func (l *life) perform(ctx context.Context, o operation) error {
	l.clock.pass(rest)
	l.note("")
	switch {
	case len(o.both) > 0:
		random := rand.New(rand.NewPCG(uint64(o.n[0]), uint64(o.n[1]))) // #nosec G404 -- repeatable
		var acts []func(ctx context.Context)
		for _, one := range o.both {
			acts = append(acts, func(ctx context.Context) { kindNamed(one.kind).do(l, ctx, one) })
		}
		if err := l.atOnce(ctx, random, acts...); err != nil {
			l.find("two at once come to an end", "%v", err)
		}
	default:
		kindNamed(o.kind).do(l, ctx, o)
	}
	for _, h := range l.hosts() {
		if err := h.restart(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (l *life) passSeconds(_ context.Context, o operation) {
	l.clock.pass(time.Duration(1+o.n[0]%59) * time.Second)
}

func (l *life) passMinutes(_ context.Context, o operation) {
	l.clock.pass(time.Duration(1+o.n[0]%20) * time.Minute)
}

func (l *life) passHours(_ context.Context, o operation) {
	l.clock.pass(time.Duration(1+o.n[0]%23) * time.Hour)
}

func (l *life) passDays(_ context.Context, o operation) {
	l.clock.pass(time.Duration(1+o.n[0]%9) * 24 * time.Hour)
}

// skewClock puts one host's clock up to four minutes ahead or behind, or right again.
func (l *life) skewClock(_ context.Context, o operation) {
	h := l.hosts()[o.n[0]%2]
	h.skew = time.Duration(int(o.n[1]%9)-4) * time.Minute
	l.note("%s %s", h.name, h.skew)
	l.count("faults", "wrong clock")
}

func (l *life) goDown(_ context.Context, o operation) {
	h := l.hosts()[o.n[0]%2]
	h.isDown = true
	l.note("%s", h.name)
	l.count("faults", h.name+" down")
}

func (l *life) comeBack(context.Context, operation) {
	for _, h := range l.hosts() {
		h.isDown = false
	}
}

func (l *life) killPayments(_ context.Context, o operation) { l.kill(l.payments, o) }
func (l *life) killContent(_ context.Context, o operation)  { l.kill(l.content, o) }

// kill plans a crash at one of the next statements, most often a near one.
func (l *life) kill(h *host, o operation) {
	n := 1 + int(o.n[0]%30)
	if o.n[2]%3 == 0 {
		n = 1 + int(o.n[0]%150)
	}
	h.current.planCrash(n, o.n[1]%2 == 0)
	l.note("at statement %d, after %v", n, o.n[1]%2 == 0)
}
