//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/dataset"
	"talkoot.fi/scripts/harness"
)

const (
	closingCampaigns = 20
	largeClosings    = 2 // have -closing pledges each; the others about smallClosing
	smallClosing     = 16
	payoutIBAN       = "FI2112345600000785"
	// closingBreaks is how often something is broken: a worker that is killed every few seconds for good would come no further than its leases let it.
	closingBreaks = 60
	// closingLimit is how long no campaign may come a step further: a call of which a provider keeps a failure is looked for during ten minutes
	// before another key is made.
	closingLimit = 15 * time.Minute
	// settleEvery is how often the operators look what there is to propose and to approve.
	settleEvery = 2 * time.Second
)

// newClosings is the drill of campaigns whose last day is over together.
func newClosings(o options) drill {
	return drill{name: "closings", what: fmt.Sprintf("%d campaigns close, %d of them with %d pledges: half are paid out and half go back, while services and workers are killed and both providers fail",
		closingCampaigns, largeClosings, o.closing), own: closings}
}

// closing is a campaign that closes.
type closing struct {
	dataset.Added
	isAtB, isReached bool
	pledges          int
	payee            string // their account or user at the provider
}

// closings has campaigns of both providers paid for, and their last day be over. Every second one has reached its goal: operators propose and
// approve, and its creator is paid; of the others everything goes back. Meanwhile others pay, and processes and providers fail.
func closings(ctx context.Context, r *harness.Harness, o options, d drill, random *rand.Rand) (got result) {
	got.drill = d
	l := &load{harness: r, random: random, run: fmt.Sprintf("%s-%d", d.name, random.Uint32()), began: time.Now().Add(-time.Second), atB: map[int64]bool{}}
	list, open, err := l.openClosings(ctx, o)
	if got.err = err; err != nil {
		return got
	}
	l.payClosings(ctx, list)
	if got.err = errors.Join(append(l.faults, r.AwaitIdle(ctx, restLimit, l.allPaid))...); got.err != nil {
		return got
	}
	from, reached, missed, back := time.Now(), []int64{}, []int64{}, 0
	for _, c := range list {
		if c.isReached {
			reached = append(reached, c.ID)
		} else {
			missed, back = append(missed, c.ID), back+c.pledges
		}
	}
	if got.err = l.noteMissed(ctx, missed); got.err != nil {
		return got
	}
	if got.err = errors.Join(l.end(ctx, true, reached...), l.end(ctx, false, missed...)); got.err != nil {
		return got
	}
	stopped := make(chan struct{})
	var others []time.Duration
	var apart, ends sync.WaitGroup
	apart.Go(func() { others = l.payMeanwhile(ctx, open, stopped) })
	apart.Go(func() { got.breaks = l.breakClosing(ctx, random, stopped) })
	var settling, returning error
	var paidOut, returned time.Duration
	ends.Go(func() { settling = l.settleAll(ctx, list); paidOut = time.Since(from) })
	ends.Go(func() { _, returning = l.awaitBack(ctx, back, from); returned = time.Since(from) })
	ends.Wait()
	close(stopped)
	apart.Wait()
	if got.err = errors.Join(settling, returning, r.Calm(ctx)); got.err != nil {
		return got
	}
	report, err := r.AwaitAudit(ctx, restLimit)
	got.checks, got.err = report.Checks, errors.Join(err, l.judgeClosings(ctx, list))
	got.tally, err = l.judge(ctx)
	got.err = errors.Join(append(l.faults, got.err, err)...)
	slices.Sort(others)
	got.said = fmt.Sprintf("%d campaigns are paid out after %.1f min, %d pledges of %d others are back after %.1f min", len(reached), paidOut.Minutes(), back,
		len(missed), returned.Minutes())
	if len(others) > 0 {
		got.said += fmt.Sprintf("; %d people paid meanwhile, half of them within %s, all within %s", len(others),
			others[len(others)/2].Round(time.Millisecond), others[len(others)-1].Round(time.Millisecond))
	}
	return got
}

// openClosings opens the campaigns, with creators of those that are paid by provider B or are to be paid out, and one more that stays open.
func (l *load) openClosings(ctx context.Context, o options) (list []closing, open dataset.Added, err error) {
	add := func(n int) (dataset.Added, error) {
		return l.harness.AddCampaign(ctx, dataset.Campaign{Title: fmt.Sprint(l.run, n), Rewards: []dataset.Reward{{Title: "Levy", Euros: 25}, {Title: "Kasetti", Euros: 15}}})
	}
	if open, err = add(closingCampaigns); err != nil {
		return nil, open, err
	}
	for n := range closingCampaigns {
		c := closing{isAtB: n%everyB == 1, isReached: n%2 == 0, pledges: smallClosing + l.draw(smallClosing)}
		if n < largeClosings {
			c.pledges = o.closing
		}
		if c.Added, err = add(n); err != nil {
			return nil, open, err
		}
		email := fmt.Sprintf("%s.tekija%d@posti.example", l.run, n)
		switch {
		case c.isAtB:
			l.atB[c.ID] = true
			var creator harness.CreatorAtB
			if creator, err = l.harness.PaidThroughB(ctx, email, c.ID); err == nil && c.isReached {
				err = creator.ConfirmIdentity(ctx, creator.Password)
				if err == nil {
					_, err = creator.AddPayoutBank(ctx, payoutIBAN)
				}
			}
			c.payee = creator.Account.UserID
		case c.isReached:
			var creator harness.CreatorAtA
			creator, err = l.harness.PaidThroughA(ctx, email, c.ID)
			c.payee = creator.Account
		}
		if err != nil {
			return nil, open, fmt.Errorf("open campaign %d of %s: %w", n, l.run, err)
		}
		list = append(list, c)
	}
	return list, open, nil
}

// payClosings has all people pay, those of all campaigns mixed.
func (l *load) payClosings(ctx context.Context, list []closing) {
	var turns []int
	for i, c := range list {
		turns = append(turns, slices.Repeat([]int{i}, c.pledges)...)
	}
	l.random.Shuffle(len(turns), func(a, b int) { turns[a], turns[b] = turns[b], turns[a] })
	var crowd sync.WaitGroup
	for range backersAtOnce {
		crowd.Go(func() {
			for ctx.Err() == nil {
				n := l.numbered.Add(1)
				if n > int64(len(turns)) {
					return
				}
				if _, err := l.onePays(ctx, list[turns[n-1]].Added, n, browser.AvailableCard); err != nil {
					l.noteEnd(ctx, err)
				}
			}
		})
	}
	crowd.Wait()
}

// noteMissed has those who pledged to campaigns that miss their goals expect everything back.
func (l *load) noteMissed(ctx context.Context, campaigns []int64) error {
	ids, err := queried[string](ctx, l.harness.Content, `SELECT id FROM pledges WHERE campaign_id = ANY ($1)`, campaigns)
	goesBack := map[string]bool{}
	for _, id := range ids {
		goesBack[id] = true
	}
	for _, p := range l.pledges {
		if goesBack[p.id] {
			p.refunded = p.minor
		}
	}
	return err
}

// breakClosing kills services and workers, and has calls fail by which money leaves, until it is stopped.
func (l *load) breakClosing(ctx context.Context, random *rand.Rand, stop <-chan struct{}) (breaks int) {
	processes := []string{"payments-work", "content-work", "payments-work", "payments"}
	for wait := time.Duration(0); breaks < closingBreaks; breaks++ {
		select {
		case <-stop:
			return breaks
		case <-ctx.Done():
			return breaks
		case <-time.After(wait):
		}
		wait = 3*time.Second + time.Duration(random.Int64N(int64(9*time.Second)))
		kind := []string{"500", "429", "cut_before", "cut_after", "500_stored"}[breaks%5]
		ofA := []string{"/v1/transfers", "/v1/payouts", "/v1/refunds"}[random.IntN(3)]
		ofB := []string{"/transfers", "/payouts/", "/refunds"}[random.IntN(3)]
		proc := l.harness.Proc(processes[random.IntN(len(processes))])
		err := errors.Join(
			l.harness.Calm(ctx), // what nothing has met would pile up, and keep calls failing long after
			l.harness.Break(ctx, harness.Fault{Kind: kind, Times: 2, Method: "POST", Path: ofA}),
			l.harness.BreakB(ctx, harness.Fault{Kind: kind, Times: 2, Method: "POST", Path: ofB}),
			proc.Kill(), proc.Start(ctx))
		if err != nil {
			l.noteEnd(ctx, errors.Join(errWrong, err))
			return breaks
		}
	}
	if err := l.harness.Calm(ctx); err != nil {
		l.noteEnd(ctx, errors.Join(errWrong, err))
	}
	return breaks
}

// settleAll has operators propose and approve until every campaign that has reached its goal is paid out.
func (l *load) settleAll(ctx context.Context, list []closing) error {
	waits := map[int64]closing{}
	for _, c := range list {
		if c.isReached {
			waits[c.ID] = c
		}
	}
	arrived, was, last := map[string]bool{}, "", time.Now()
	for {
		stand, err := l.settleOnce(ctx, waits, arrived)
		switch {
		case err == nil && len(waits) == 0:
			return nil
		case stand != was:
			was, last = stand, time.Now()
		case time.Since(last) > closingLimit:
			return errors.Join(fmt.Errorf("%d campaigns are not paid out: %s", len(waits), stand), err)
		}
		if err := pause(ctx, settleEvery); err != nil {
			return err
		}
	}
}

// settlementRun is one as operators see it.
type settlementRun struct {
	ID, Hash, State, Waits string
	CampaignID             int64
	Payout                 string // on its way to the bank
	IsAtB                  bool
}

// settleOnce does what there is to do for each campaign that waits, and gives how they stand. What fails is tried again by the next one.
func (l *load) settleOnce(ctx context.Context, waits map[int64]closing, arrived map[string]bool) (stand string, err error) {
	rows, err := l.harness.Payments.Query(ctx, `SELECT r.id, r.hash, r.state, concat_ws(' ', nullif(r.reason, ''), nullif(r.detail, '')) AS waits, r.campaign_id,
			coalesce(m.ref, '') AS payout, r.provider = 'mangopay' AS is_at_b
		FROM settlement_runs r LEFT JOIN settlement_moves m ON m.run_id = r.id AND m.kind = 'payout' AND m.state = 'open' AND m.ref <> ''
		WHERE r.state <> 'void' AND r.campaign_id = ANY ($1) ORDER BY r.campaign_id`, keys(waits))
	if err != nil {
		return "", fmt.Errorf("read how runs stand: %w", err)
	}
	runs, err := pgx.CollectRows(rows, pgx.RowToStructByName[settlementRun])
	if err != nil {
		return "", fmt.Errorf("read how runs stand: %w", err)
	}
	known := map[int64]bool{}
	var all []string
	var faults []error
	for _, one := range runs {
		known[one.CampaignID] = true
		all = append(all, fmt.Sprintf("%d %s %s", one.CampaignID, one.State, one.Waits))
		switch {
		case one.State == "paid":
			delete(waits, one.CampaignID)
		case one.State == "proposed":
			for _, who := range []string{harness.Second, harness.Third} {
				_, err := l.harness.Operate(ctx, "settle", "-approve", one.ID, "-hash", one.Hash, "-actor", who, "-note", "checked")
				if err != nil && strings.Contains(err.Error(), "approved") {
					err = nil // one is enough, or it is theirs already
				}
				faults = append(faults, err)
			}
		case one.Payout != "" && !arrived[one.Payout]:
			settle := l.harness.SettlePayOutA
			if one.IsAtB {
				settle = l.harness.SettlePayOut
			}
			err := settle(ctx, one.Payout)
			arrived[one.Payout] = err == nil
			faults = append(faults, err)
		}
	}
	for id := range waits {
		if !known[id] {
			_, err := l.harness.Operate(ctx, "settle", "-campaign", fmt.Sprint(id), "-note", "it has reached its goal")
			faults = append(faults, err)
			all = append(all, fmt.Sprint(id))
		}
	}
	// Pauses are ten minutes or an hour; what a worker has now is left to it.
	_, err = l.harness.Payments.Exec(ctx, `UPDATE settlement_runs SET next_at = now() WHERE next_at > now() + interval '3 minutes' AND campaign_id = ANY ($1)`, keys(waits))
	return strings.Join(all, ", "), errors.Join(append(faults, err)...)
}

func keys(of map[int64]closing) []int64 {
	list := make([]int64, 0, len(of))
	for id := range of {
		list = append(list, id)
	}
	return list
}
