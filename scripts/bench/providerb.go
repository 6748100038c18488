//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/dataset"
	"talkoot.fi/scripts/harness"
)

const (
	pairs        = 6  // how often provider A's pledges and B's take turns
	pledgesAPair = 40 // of each
	payersAtOnce = 4
	counted      = 10 // pledges of each whose statements are counted
)

// cost is what some pledges have cost our side.
type cost struct {
	cpu     processorTime
	calls   float64 // to the provider, those of the payer's browser too
	pledges float64
}

func (c *cost) add(other cost) {
	for i := range c.cpu {
		c.cpu[i] += other.cpu[i]
	}
	c.calls, c.pledges = c.calls+other.calls, c.pledges+other.pledges
}

// perPledge is the processor time of one pledge.
func (c *cost) perPledge() time.Duration { return c.cpu.sum() / time.Duration(c.pledges) }

// costly are the services' processes.
var costly = [...]string{"content", "content-work", "payments", "payments-work"}

// processorTime is that of each of them.
type processorTime [len(costly)]time.Duration

func (p processorTime) sum() (all time.Duration) {
	for _, one := range p {
		all += one
	}
	return all
}

// String says what one pledge cost each process.
func (c *cost) String() string {
	parts := make([]string, len(costly))
	for i, name := range costly {
		parts[i] = fmt.Sprintf("%s %s", name, ms(c.cpu[i]/time.Duration(c.pledges)))
	}
	return strings.Join(parts, ", ")
}

// payer makes a pledge and pays it.
type payer func(ctx context.Context, v *browser.Visitor, key string) (pledge string, err error)

// providerBRow compares what a pledge paid by card through provider B costs our side with one through A, from its form until it is paid,
// its hooks are worked through and nothing is left to do. They take turns, so that disturbances of the machine fall on both; what the
// services use when nobody pays is taken off.
func (b *bench) providerBRow(ctx context.Context) error {
	a, err := b.harness.AddCampaign(ctx, dataset.Campaign{Title: "Palkkio A", Rewards: []dataset.Reward{{Title: "Tavallinen", Euros: 15}}})
	if err != nil {
		return err
	}
	second, err := b.harness.AddCampaign(ctx, dataset.Campaign{Title: "Palkkio B", Rewards: []dataset.Reward{{Title: "Tavallinen", Euros: 15}}})
	if err == nil {
		_, err = b.harness.PaidThroughB(ctx, "tekija@posti.example", second.ID)
	}
	if err != nil {
		return err
	}
	payA, payB := b.payingA(a), b.payingB(second)
	for _, pay := range []payer{payA, payB} { // warm-up
		if _, err := b.costOf(ctx, pay, pledgesAPair/4, idleShare{}); err != nil {
			return err
		}
	}
	idle, err := b.idleCPU(ctx)
	if err != nil {
		return err
	}
	var ofA, ofB cost
	for n := range 2 * pairs {
		pay, into := payA, &ofA
		if n%4 == 1 || n%4 == 2 { // A B B A: each begins in turn
			pay, into = payB, &ofB
		}
		c, err := b.costOf(ctx, pay, pledgesAPair, idle)
		if err != nil {
			return err
		}
		into.add(c)
	}
	fmt.Fprintf(os.Stderr, "Through A: %s\nThrough B: %s\n", &ofA, &ofB)
	b.table.slower("processor time of a pledge through provider B", ofB.perPledge(), ofA.perPledge(), 1.1, "through A")
	statements := map[string]float64{}
	for name, pay := range map[string]payer{"A": payA, "B": payB} {
		if statements[name], err = b.statementsOf(ctx, pay); err != nil {
			return err
		}
	}
	b.table.unrated("… its statements", statements["B"], statements["A"], "a pledge", "through A")
	b.table.unrated("… our calls to the provider", ofB.calls/ofB.pledges, ofA.calls/ofA.pledges-1, "a pledge", "through A") // one is the browser's
	return nil
}

func (b *bench) pledgeFor(ctx context.Context, v *browser.Visitor, c dataset.Added, key string) (string, error) {
	made, err := v.Pledge(ctx, c.ID, key, browser.NewPledge{Amount: "15", RewardID: &c.Rewards[0],
		Meta: browser.PledgeMeta{Email: strings.ToLower(key) + "@posti.example", FirstName: "Aino", LastName: "Korhonen"}})
	return made.ID, err
}

func (b *bench) payingA(c dataset.Added) payer {
	return func(ctx context.Context, v *browser.Visitor, key string) (string, error) {
		id, err := b.pledgeFor(ctx, v, c, key)
		if err != nil {
			return id, err
		}
		in, err := v.Setup(ctx, id)
		if err == nil {
			_, err = v.Confirm(ctx, in, browser.GoodCard)
		}
		return id, err
	}
}

func (b *bench) payingB(c dataset.Added) payer {
	return func(ctx context.Context, v *browser.Visitor, key string) (string, error) {
		id, err := b.pledgeFor(ctx, v, c, key)
		if err != nil {
			return id, err
		}
		in, err := v.PayByRegistration(ctx, id, browser.PlainCardB, 1500)
		if err == nil && in.PayIn.Status != "SUCCEEDED" {
			err = fmt.Errorf("pledge %s is answered %+v", id, in)
		}
		return id, err
	}
}

// costOf has people pay n pledges, and waits until each is paid and nothing is left to do. idle is what is used meanwhile without them.
func (b *bench) costOf(ctx context.Context, pay payer, n int, idle idleShare) (c cost, err error) {
	before, err := b.spent(ctx)
	if err != nil {
		return c, err
	}
	began := time.Now()
	if err := b.payAll(ctx, pay, n); err != nil {
		return c, err
	}
	after, err := b.spent(ctx)
	c = cost{calls: after.calls - before.calls, pledges: float64(n)}
	for i := range c.cpu {
		c.cpu[i] = after.cpu[i] - before.cpu[i] - time.Duration(idle[i]*float64(time.Since(began)))
	}
	return c, err
}

// payAll has people pay n pledges, and waits until each is paid and nothing is left to do.
func (b *bench) payAll(ctx context.Context, pay payer, n int) error {
	var crowd sync.WaitGroup
	run := time.Now().UnixNano()
	faults, ids := make([]error, payersAtOnce), make([][]string, payersAtOnce)
	for m := range payersAtOnce {
		crowd.Go(func() {
			v := &browser.Visitor{Site: b.harness.Direct, Address: fmt.Sprintf("10.9.0.%d", m+1)}
			for i := m; i < n && faults[m] == nil; i += payersAtOnce {
				var id string
				id, faults[m] = pay(ctx, v, fmt.Sprintf("cost-%d-%d", run, i))
				ids[m] = append(ids[m], id)
			}
		})
	}
	crowd.Wait()
	if err := errors.Join(faults...); err != nil {
		return err
	}
	return b.harness.AwaitIdle(ctx, time.Minute, func(ctx context.Context) error {
		for _, some := range ids {
			paid, err := harness.Number(ctx, b.harness.Content, `SELECT count(*) FROM pledges WHERE status = 'paid' AND id = ANY ($1)`, some)
			if err == nil && paid != int64(len(some)) {
				err = fmt.Errorf("%d of %d pledges are paid", paid, len(some))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// idleShare is the part of a processor that each process uses when nobody does anything.
type idleShare [len(costly)]float64

func (b *bench) idleCPU(ctx context.Context) (share idleShare, err error) {
	before, err := b.spent(ctx)
	if err != nil {
		return share, err
	}
	began := time.Now()
	time.Sleep(2 * b.seconds)
	after, err := b.spent(ctx)
	for i := range share {
		share[i] = float64(after.cpu[i]-before.cpu[i]) / float64(time.Since(began))
	}
	return share, err
}

// spent is the processor time of the services' processes so far, and the calls that the providers have had from them.
func (b *bench) spent(ctx context.Context) (c cost, err error) {
	for i, name := range costly {
		if c.cpu[i], err = cpuOf(b.harness.Proc(name).PID()); err != nil {
			return c, err
		}
	}
	calls, err := b.harness.ProviderCalls(ctx)
	c.calls = float64(calls)
	return c, err
}

// cpuOf is the processor time of a process.
func cpuOf(pid int) (time.Duration, error) {
	s, err := statOf(fmt.Sprintf("/proc/%d/stat", pid))
	return s.own, err
}

// statementsOf counts what the services send to the databases for one pledge, without what they send when nobody does anything.
func (b *bench) statementsOf(ctx context.Context, pay payer) (perPledge float64, err error) {
	c, err := startCapture(ctx, b.harness)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.stop(ctx)) }()
	number := func(do func() error) (n float64, took time.Duration, err error) {
		before, err := os.Stat(c.file)
		if err != nil {
			return 0, 0, fmt.Errorf("look at PostgreSQL's log: %w", err)
		}
		began := time.Now()
		if err := do(); err != nil {
			return 0, 0, err
		}
		took = time.Since(began)
		text, err := readFrom(c.file, before.Size())
		for entry := range strings.SplitSeq(text, "@@") {
			who, message, _ := strings.Cut(entry, "@")
			if (strings.HasPrefix(who, "content ") || who == "payments") && logged.MatchString(strings.TrimSuffix(message, "\n")) {
				n++
			}
		}
		return n, took, err
	}
	ours, took, err := number(func() error { _, err := b.costOf(ctx, pay, counted, idleShare{}); return err })
	if err != nil {
		return 0, err
	}
	idle, length, err := number(func() error { time.Sleep(b.seconds); return nil })
	return (ours - idle*took.Seconds()/length.Seconds()) / counted, err
}
