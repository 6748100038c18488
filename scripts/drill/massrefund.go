//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/dataset"
	"talkoot.fi/scripts/harness"
)

const (
	// massKills is how often the worker is killed while a campaign's money goes back, massKillEvery how long apart.
	massKills     = 8
	massKillEvery = 15 * time.Second
	// massLimit is how long a refund may be behind its turn.
	massLimit = 20 * time.Minute
)

// newMassRefund is the drill of a campaign that has failed.
func newMassRefund(o options) drill {
	return drill{name: "mass-refund", what: fmt.Sprintf("a campaign of %d pledges has failed: the payments worker is killed %d times while all goes back, and the provider fails now and then",
		o.refunds, massKills), own: massRefund}
}

// massRefund has many backers pay a campaign, which misses its goal. Their money goes back, each once, and each is told once; meanwhile others pay.
func massRefund(ctx context.Context, r *harness.Harness, o options, d drill, random *rand.Rand) (got result) {
	got.drill = d
	l := &load{harness: r, random: random, run: fmt.Sprintf("%s-%d", d.name, random.Uint32()), began: time.Now().Add(-time.Second), atB: map[int64]bool{}}
	var campaigns [2]dataset.Added
	for i := range campaigns {
		campaigns[i], got.err = r.AddCampaign(ctx, dataset.Campaign{Title: fmt.Sprint(l.run, i), Rewards: []dataset.Reward{{Title: "Levy", Euros: 25}, {Title: "Kasetti", Euros: 15}}})
		if got.err != nil {
			return got
		}
	}
	l.allPay(ctx, campaigns[0], o.refunds)
	if got.err = r.AwaitIdle(ctx, restLimit, l.allPaid); got.err != nil {
		return got
	}
	paid := len(l.pledges)
	for _, p := range l.pledges {
		p.refunded = p.minor
	}
	from := time.Now()
	if got.err = l.end(ctx, false, campaigns[0].ID); got.err != nil {
		return got
	}
	stopped := make(chan struct{})
	var others []time.Duration
	var apart sync.WaitGroup
	apart.Go(func() { others = l.payMeanwhile(ctx, campaigns[1], stopped) })
	apart.Go(func() { got.breaks = l.killRefunding(ctx, random, stopped) })
	minutes, err := l.awaitBack(ctx, paid, from)
	close(stopped)
	apart.Wait()
	if got.err = errors.Join(err, r.Calm(ctx)); got.err != nil {
		return got
	}
	report, err := r.AwaitAudit(ctx, restLimit)
	got.checks, got.err = report.Checks, errors.Join(err, l.judgeBack(ctx, campaigns[0].ID, paid))
	got.tally, err = l.judge(ctx)
	got.err = errors.Join(append(l.faults, got.err, err)...)
	slices.Sort(others)
	if len(others) > 0 {
		got.said = fmt.Sprintf("%d refunds in %.1f min: %.0f a minute; %d people paid meanwhile, half of them within %s, all within %s", paid, minutes,
			float64(paid)/minutes, len(others), others[len(others)/2].Round(time.Millisecond), others[len(others)-1].Round(time.Millisecond))
	}
	return got
}

// allPay has so many people pay a campaign by card.
func (l *load) allPay(ctx context.Context, campaign dataset.Added, number int) {
	var crowd sync.WaitGroup
	for range backersAtOnce {
		crowd.Go(func() {
			for ctx.Err() == nil {
				n := l.numbered.Add(1)
				if n > int64(number) {
					return
				}
				if _, err := l.onePays(ctx, campaign, n, browser.GoodCard); err != nil {
					l.noteEnd(ctx, err)
				}
			}
		})
	}
	crowd.Wait()
}

// payMeanwhile has somebody pay another campaign every few seconds, and gives how long each waited until it was paid.
func (l *load) payMeanwhile(ctx context.Context, campaign dataset.Added, stop <-chan struct{}) (took []time.Duration) {
	for n := int64(1 << 20); ; n++ {
		select {
		case <-stop:
			return took
		case <-ctx.Done():
			return took
		case <-time.After(5 * time.Second):
		}
		at := time.Now()
		b, err := l.onePays(ctx, campaign, n, browser.GoodCard)
		if err == nil {
			_, err = b.AwaitStatus(ctx, b.made, patience, "paid")
		}
		if err != nil {
			l.noteEnd(ctx, err)
			continue
		}
		took = append(took, time.Since(at))
	}
}

// killRefunding kills the worker again and again, and has the provider fail in between.
func (l *load) killRefunding(ctx context.Context, random *rand.Rand, stop <-chan struct{}) (kills int) {
	worker := l.harness.Proc("payments-work")
	for kills < massKills {
		select {
		case <-stop:
			return kills
		case <-ctx.Done():
			return kills
		case <-time.After(massKillEvery/2 + time.Duration(random.Int64N(int64(massKillEvery)))):
		}
		kind := []string{"500", "429", "cut_before", "cut_after", "500_stored"}[kills%5]
		err := errors.Join(l.harness.Break(ctx, harness.Fault{Kind: kind, Times: 5, Method: "POST", Path: "/v1/refunds"}), worker.Kill(), worker.Start(ctx))
		if err != nil {
			l.noteEnd(ctx, errors.Join(errWrong, err))
			return kills
		}
		kills++
	}
	return kills
}

// awaitBack waits until so many pledges are refunded, and gives how many minutes that took.
func (l *load) awaitBack(ctx context.Context, number int, from time.Time) (minutes float64, err error) {
	for last := time.Now(); ; {
		back, err := harness.Number(ctx, l.harness.Content, `SELECT count(*) FROM pledges WHERE id = ANY ($1) AND status = 'refunded'`, l.ids())
		if err != nil {
			return 0, err
		}
		if back >= int64(number) {
			return time.Since(from).Minutes(), nil
		}
		waiting, err := harness.Number(ctx, l.harness.Payments, `SELECT count(*) FROM refunds WHERE status = 'creating' AND failures = 0 AND next_check_at > now()`)
		switch {
		case err != nil:
			return 0, err
		case waiting > 0:
			last = time.Now()
		case time.Since(last) > massLimit:
			return 0, fmt.Errorf("%d of %d are back, and none of the others has a turn to come", back, number)
		}
		if err := pause(ctx, time.Second); err != nil {
			return 0, err
		}
	}
}

// judgeBack wants each pledge's money back once, by one refund and one mail.
func (l *load) judgeBack(ctx context.Context, campaign int64, number int) error {
	faults := []error{}
	for what, sql := range map[string]string{
		"refunds in all": `SELECT count(*) FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE p.campaign_id = $1 AND r.status = 'succeeded'`,
		"payments with a refund": `SELECT count(DISTINCT r.payment_id) FROM refunds r JOIN payments p ON p.id = r.payment_id
			WHERE p.campaign_id = $1 AND r.status = 'succeeded' AND r.amount_minor = p.amount_minor`,
		"movements of refunds": `SELECT count(*) FROM ledger_transactions t JOIN payments p ON p.id = t.payment_id WHERE p.campaign_id = $1 AND t.kind = 'refund'`,
	} {
		n, err := harness.Number(ctx, l.harness.Payments, sql, campaign)
		if faults = append(faults, err); err == nil && n != int64(number) {
			faults = append(faults, fmt.Errorf("%d %s of %d pledges", n, what, number))
		}
	}
	for what, sql := range map[string]string{
		"mails": `SELECT count(*) FROM outbox WHERE kind = 'mail.refund' AND payload ->> 'pledge_id' IN (SELECT id FROM pledges WHERE campaign_id = $1)`,
		"pledges with a mail": `SELECT count(DISTINCT payload ->> 'pledge_id') FROM outbox WHERE kind = 'mail.refund'
			AND payload ->> 'pledge_id' IN (SELECT id FROM pledges WHERE campaign_id = $1)`,
	} {
		n, err := harness.Number(ctx, l.harness.Content, sql, campaign)
		if faults = append(faults, err); err == nil && n != int64(number) {
			faults = append(faults, fmt.Errorf("%d %s of %d pledges", n, what, number))
		}
	}
	return errors.Join(faults...)
}
