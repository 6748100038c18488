package simulate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// kind is a kind of operation. Its operands are any numbers; they choose among the existing objects, and without any
// the operation does nothing.
type kind struct {
	name   string
	weight int
	do     func(sim *simulation, ctx context.Context, o operation)
}

// operation is one step of a run, drawn before the run begins.
type operation struct {
	kind  string
	index int           // in the whole list
	n     [4]uint32     // operands
	at    time.Duration // since the begin, of themes with a span
	both  []operation   // of "at once": the two that are interleaved
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
		{"create a pledge", 16, (*simulation).createPledge},
		{"create a pledge twice", 2, (*simulation).createTwice},
		{"release a pledge", 4, (*simulation).releasePledge},
		{"take back a pledge", 4, (*simulation).takeBack},
		{"take back what no bank has", 12, (*simulation).takeBackRest},
		{"change a pledge", 8, (*simulation).changeChoice},
		{"raise a pledge", 30, (*simulation).raiseChoice},
		{"set up the form", 16, (*simulation).setUp},
		{"confirm with a good card", 14, (*simulation).confirmGood},
		{"confirm with another card", 10, (*simulation).confirmOther},
		{"answer a challenge", 7, (*simulation).answerChallenge},
		{"open a hosted page", 7, (*simulation).openPage},
		{"pay a hosted page", 6, (*simulation).payPage},
		{"leave a hosted page", 1, (*simulation).leavePage},
		{"ask for the payment", 6, (*simulation).askPayment},
		{"read the pledge", 2, (*simulation).readPledge},
		// Backers at provider B.
		{"pledge and pay at B", 22, (*simulation).pledgeAndPay},
		{"pay by a card at B", 8, (*simulation).payByCard},
		{"register a card at B", 4, (*simulation).registerCard},
		{"pay with a registered card at B", 6, (*simulation).payRegistered},
		{"pay with a kept card at B", 7, (*simulation).payByKept},
		{"pay by a debit at B", 8, (*simulation).payByDebit},
		{"answer a challenge at B", 8, (*simulation).answerChallengeAtB},
		{"pay a hosted page at B", 6, (*simulation).payPageAtB},
		{"ask how a campaign is paid", 2, (*simulation).readMethods},
		// Signals.
		{"deliver the oldest webhook", 14, (*simulation).deliverOldest},
		{"deliver any webhook", 8, (*simulation).deliverAny},
		{"lose a webhook", 5, (*simulation).loseWebhook},
		{"double a webhook", 3, (*simulation).doubleWebhook},
		{"a forged hook of B", 4, (*simulation).forgeHook},
		{"the providers' own time", 8, (*simulation).runProvider},
		// Workers.
		{"drain webhooks", 16, (*simulation).drain},
		{"relay payment events", 16, (*simulation).relayPayments},
		{"relay content's messages", 10, (*simulation).relayContent},
		{"tidy", 14, (*simulation).tidy},
		{"sweep", 8, (*simulation).sweep},
		{"reconcile", 5, (*simulation).reconcile},
		{"lapse", 4, (*simulation).lapse},
		{"end campaigns", 4, (*simulation).endCampaigns},
		{"run refunds", 4, (*simulation).runRefunds},
		{"keep hooks", 2, (*simulation).keepHooks},
		{"ask about creators' accounts", 2, (*simulation).sweepPayees},
		// Operators and editors.
		{"refund", 7, (*simulation).refund},
		{"refund a part", 5, (*simulation).refundPart},
		{"refund twice by one key", 2, (*simulation).refundTwice},
		{"repeat a failed refund", 5, (*simulation).repeatRefund},
		{"pay a refund by hand", 3, (*simulation).payByHand},
		{"release held money", 4, (*simulation).releaseHeld},
		{"attach a charge", 4, (*simulation).attach},
		{"explain a line", 2, (*simulation).explain},
		{"resolve an anomaly", 1, (*simulation).resolve},
		{"move a campaign's stage", 1, (*simulation).moveStage},
		{"propose a settlement", 5, (*simulation).proposeSettlement},
		{"approve a settlement", 6, (*simulation).approveSettlement},
		{"run settlements", 8, (*simulation).runSettlements},
		{"what was kept back", 3, (*simulation).runReserves},
		{"switch a provider", 4, (*simulation).switchProvider},
		// Others at provider B.
		{"a creator is verified no more", 3, (*simulation).unverify},
		{"a creator is verified again", 5, (*simulation).verifyAgain},
		{"refund at provider B", 3, (*simulation).refundAtB},
		{"a pay-in with our tag at B", 3, (*simulation).taggedPayIn},
		{"open a dispute at B", 7, (*simulation).openDisputeAtB},
		{"decide a dispute at B", 6, (*simulation).decideDisputeAtB},
		{"a bank returns a debit", 5, (*simulation).returnDebit},
		{"a bank decides about a debit", 7, (*simulation).endPayIn},
		// Others at the provider.
		{"refund at the provider", 3, (*simulation).refundAtProvider},
		{"fail a refund", 4, (*simulation).failRefund},
		{"open a dispute", 6, (*simulation).openDispute},
		{"open a dispute of one charge of several", 24, (*simulation).tear},
		{"decide a dispute", 7, (*simulation).decideDispute},
		{"appeal a dispute", 8, (*simulation).appeal},
		{"return a part of a lost dispute", 6, (*simulation).returnDisputed},
		{"a foreign payment", 2, (*simulation).foreignPayment},
		{"a payment with our tag", 3, (*simulation).taggedPayment},
		{"change what a payment asks for", 5, (*simulation).changeAmount},
		{"refunds cost something", 4, (*simulation).priceRefunds},
		{"a line without an object", 3, (*simulation).addLine},
		{"top up", 2, (*simulation).topUp},
		{"pay out to our bank", 4, (*simulation).payOut},
		{"fail a payout", 1, (*simulation).failPayout},
		// Time.
		{"seconds pass", 14, (*simulation).passSeconds},
		{"minutes pass", 6, (*simulation).passMinutes},
		{"hours pass", 2, (*simulation).passHours},
		{"days pass", 3, (*simulation).passDays},
		{"a clock goes wrong", 2, (*simulation).skewClock},
		// Faults.
		{"a call to the provider fails", 9, (*simulation).failCall},
		{"a call to provider B fails", 9, (*simulation).failCallToB},
		{"the provider takes no refunds", 2, (*simulation).refuseRefunds},
		{"a host goes down", 2, (*simulation).goDown},
		{"hosts come back", 10, (*simulation).comeBack},
		{"payments dies", 6, (*simulation).killPayments},
		{"content dies", 3, (*simulation).killContent},
		{atOnce, 22, nil},
	}
}

// alongside lists the operations that may be interleaved with another one: those that reach our databases.
func alongside() []string {
	return []string{
		"create a pledge", "release a pledge", "set up the form", "set up the form", "open a hosted page",
		"pay by a card at B", "pay by a card at B", "pay with a registered card at B", "pay with a registered card at B", "pay with a kept card at B",
		"pay by a debit at B", "pay by a debit at B", "switch a provider",
		"ask for the payment", "ask for the payment",
		"drain webhooks", "drain webhooks", "relay payment events", "relay payment events", "relay content's messages",
		"tidy", "tidy", "sweep",
		"reconcile", "lapse", "end campaigns", "run refunds", "refund", "refund a part", "repeat a failed refund", "pay a refund by hand",
		"release held money", "attach a charge",
		"explain a line", "move a campaign's stage", "run settlements", "run settlements", "what was kept back",
		"propose a settlement", "approve a settlement", "run settlements", "what was kept back",
	}
}

// openings are the first operations of a run, so that later ones have objects to choose from.
func openings() []string {
	return []string{"create a pledge", "create a pledge", "set up the form", "set up the form", "confirm with a good card",
		"confirm with another card", "pledge and pay at B", "pledge and pay at B", "pledge and pay at B",
		"drain webhooks", "relay payment events", "open a hosted page", "deliver the oldest webhook"}
}

// The random streams of a seed: drawing from one does not change what the others give.
const (
	streamKinds = iota + 1
	streamOperands
	streamPairs
	streamTimes
	streamBegin
)

// draw makes a run's operations.
func (th theme) draw(seed uint64) []operation {
	chosen := rand.New(rand.NewPCG(seed, streamKinds))      // #nosec G404 -- repeatable
	operands := rand.New(rand.NewPCG(seed, streamOperands)) // #nosec G404 -- repeatable
	pairs := rand.New(rand.NewPCG(seed, streamPairs))       // #nosec G404 -- repeatable
	total := 0
	for _, k := range th.kinds {
		total += k.weight
	}
	fill := func(o *operation, from *rand.Rand) {
		for i := range o.n {
			o.n[i] = from.Uint32()
		}
	}
	out := make([]operation, th.operations)
	for i := range out {
		at := chosen.IntN(total)
		for _, k := range th.kinds {
			if at -= k.weight; at < 0 {
				out[i] = operation{kind: k.name, index: i}
				break
			}
		}
		if i < len(th.openings) {
			out[i].kind = th.openings[chosen.IntN(len(th.openings))]
		}
		if i == 0 {
			out[i].kind = th.openings[0]
		}
		fill(&out[i], operands)
		if out[i].kind != atOnce {
			continue
		}
		for range 2 {
			one := operation{kind: th.alongside[pairs.IntN(len(th.alongside))], index: i}
			fill(&one, pairs)
			out[i].both = append(out[i].both, one)
		}
		if pairs.IntN(3) == 0 { // the same twice
			out[i].both[1] = out[i].both[0]
		}
	}
	if th.span > 0 {
		th.drawTimes(out, rand.New(rand.NewPCG(seed, streamTimes)).Float64) // #nosec G404 -- repeatable
	}
	return out
}

// perform does one operation, and restarts the processes that crashed in it.
func (sim *simulation) perform(ctx context.Context, o operation) error {
	sim.clock.pass(rest)
	sim.note("")
	if sim.theme.span > 0 {
		if err := sim.liveTo(ctx, o); err != nil || sim.hasFindings() {
			return err
		}
		sim.note("at %s", sim.clock.peek().In(finland).Format(time.DateTime))
	}
	switch {
	case len(o.both) > 0:
		random := rand.New(rand.NewPCG(uint64(o.n[0]), uint64(o.n[1]))) // #nosec G404 -- repeatable
		var acts []func(ctx context.Context)
		for _, one := range o.both {
			acts = append(acts, func(ctx context.Context) { sim.theme.kind(one.kind).do(sim, ctx, one) })
		}
		if err := sim.atOnce(ctx, random, acts...); err != nil {
			sim.find("two at once come to an end", "%v", err)
		}
	default:
		sim.theme.kind(o.kind).do(sim, ctx, o)
	}
	for _, h := range sim.hosts() {
		if err := h.restart(ctx); err != nil {
			return err
		}
	}
	if sim.theme.span > 0 {
		return sim.watch(ctx)
	}
	return nil
}

func (sim *simulation) passSeconds(_ context.Context, o operation) {
	sim.clock.pass(time.Duration(1+o.n[0]%59) * time.Second)
}

func (sim *simulation) passMinutes(_ context.Context, o operation) {
	sim.clock.pass(time.Duration(1+o.n[0]%20) * time.Minute)
}

func (sim *simulation) passHours(_ context.Context, o operation) {
	sim.clock.pass(time.Duration(1+o.n[0]%23) * time.Hour)
}

func (sim *simulation) passDays(_ context.Context, o operation) {
	sim.clock.pass(time.Duration(1+o.n[0]%9) * 24 * time.Hour)
}

// skewClock sets one host's clock up to four minutes ahead or behind, or right again.
func (sim *simulation) skewClock(_ context.Context, o operation) {
	h := sim.hosts()[o.n[0]%2]
	h.skew = time.Duration(int(o.n[1]%9)-4) * time.Minute
	sim.note("%s %s", h.name, h.skew)
	sim.count("faults", "wrong clock")
}

func (sim *simulation) goDown(_ context.Context, o operation) {
	h := sim.hosts()[o.n[0]%2]
	h.isDown = true
	sim.note("%s", h.name)
	sim.count("faults", h.name+" down")
}

func (sim *simulation) comeBack(context.Context, operation) {
	for _, h := range sim.hosts() {
		h.isDown = false
	}
}

func (sim *simulation) killPayments(_ context.Context, o operation) { sim.kill(sim.payments, o) }
func (sim *simulation) killContent(_ context.Context, o operation)  { sim.kill(sim.content, o) }

// kill plans a crash at one of the next statements, most often a near one.
func (sim *simulation) kill(h *host, o operation) {
	n := 1 + int(o.n[0]%30)
	if o.n[2]%3 == 0 {
		n = 1 + int(o.n[0]%150)
	}
	h.current.planCrash(n, o.n[1]%2 == 0)
	sim.note("at statement %d, after %v", n, o.n[1]%2 == 0)
}
