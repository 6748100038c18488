//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/dataset"
	"talkoot.fi/scripts/harness"
)

const (
	backersAtOnce = 16
	campaigns     = 8
	limitedStock  = 60              // of each campaign's first reward: some backers find it gone
	everyB        = 3               // the second campaign of each three is paid through provider B
	patience      = 2 * time.Minute // for how long a backer retries one call
)

// load is the backers of one drill, and what they observed.
type load struct {
	harness        *harness.Harness
	campaigns      []dataset.Added
	creator        harness.CreatorAtB // of those that are paid through provider B
	atB            map[int64]bool
	run            string // part of keys and email addresses, so that they are unique
	began          time.Time
	refundRequests chan refundRequest // for the operator

	mu       sync.Mutex
	random   *rand.Rand
	pledges  []*observation
	failing  []string // refunds that banks will send back
	faults   []error  // answers that no backer may get
	soldOut  atomic.Int64
	gaveUp   atomic.Int64
	numbered atomic.Int64
}

func newLoad(ctx context.Context, r *harness.Harness, name string, random *rand.Rand) (*load, error) {
	l := &load{
		harness: r, random: random, run: fmt.Sprintf("%s-%d", name, random.Uint32()), began: time.Now().Add(-time.Second),
		refundRequests: make(chan refundRequest, 1000), atB: map[int64]bool{},
	}
	var ofB []int64
	for n := range campaigns {
		made, err := r.AddCampaign(ctx, dataset.Campaign{Title: fmt.Sprintf("%s %d", l.run, n), Rewards: []dataset.Reward{
			{Title: "Harvinainen", Euros: 25, Stock: limitedStock}, {Title: "Tavallinen", Euros: 15},
		}})
		if err != nil {
			return nil, err
		}
		l.campaigns = append(l.campaigns, made)
		if n%everyB == 1 {
			ofB, l.atB[made.ID] = append(ofB, made.ID), true
		}
	}
	var err error
	l.creator, err = r.PaidThroughB(ctx, l.run+".tekija@posti.example", ofB...)
	if err != nil {
		return nil, err
	}
	return l, nil
}

// pledge starts backers until there are n accepted pledges and until is closed. An operator serves their refund
// requests.
func (l *load) pledge(ctx context.Context, n int, until <-chan struct{}) {
	var crowd, office sync.WaitGroup
	office.Go(func() { l.operate(ctx) })
	for range backersAtOnce {
		crowd.Go(func() {
			for ctx.Err() == nil && !l.enough(n, until) {
				l.backer(ctx)
			}
		})
	}
	crowd.Wait()
	close(l.refundRequests)
	office.Wait()
}

func (l *load) enough(n int, until <-chan struct{}) bool {
	select {
	case <-until:
		return l.count() >= n
	default:
		return false
	}
}

func (l *load) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.pledges)
}

func (l *load) draw(n int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.random.IntN(n)
}

// backer simulates one person, from the pledge form to the end of their intention.
func (l *load) backer(ctx context.Context) {
	b := &backer{load: l, number: l.numbered.Add(1)}
	b.Visitor = &browser.Visitor{Site: l.harness.Site, Address: addressOf(b.number)}
	b.campaign = l.campaigns[min(l.draw(campaigns), l.draw(campaigns))] // the first ones are the popular ones
	p, err := b.pledge(ctx, l.draw(2))
	if err == nil && p != nil {
		err = b.choose().do(b, ctx, p)
	}
	if err != nil {
		l.noteEnd(ctx, err)
	}
}

// noteEnd records why a backer's visit ended early. Giving up after retries is allowed while something is broken; any
// other error is a fault.
func (l *load) noteEnd(ctx context.Context, err error) {
	l.gaveUp.Add(1)
	if browser.IsTemporary(err) && !errors.Is(err, errWrong) || ctx.Err() != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.faults = append(l.faults, err)
}

// errWrong marks a response that is a fault even while something is broken.
var errWrong = errors.New("wrong answer")

// backer is one person with a browser.
type backer struct {
	*load
	*browser.Visitor
	campaign dataset.Added
	number   int64
	forms    int    // sent so far
	made     string // its last pledge, where one is enough
}

// addressOf is the IP address of the n-th backer. Each has its own, because one network may reserve only a part of a
// limited reward.
func addressOf(n int64) string { return fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255) }

// isAtB reports whether the backer's campaign is paid through provider B.
func (b *backer) isAtB() bool { return b.atB[b.campaign.ID] }

func (b *backer) email() string { return fmt.Sprintf("%s.%d@posti.example", b.run, b.number) }

// pledge makes a pledge for one of the two rewards; it returns nil when that is sold out.
func (b *backer) pledge(ctx context.Context, reward int) (*observation, error) {
	euros := []int64{25, 15}[reward]
	form := browser.NewPledge{Amount: json.Number(fmt.Sprint(euros)), RewardID: &b.campaign.Rewards[reward],
		Meta: browser.PledgeMeta{Email: b.email(), FirstName: "Aino", LastName: "Korhonen"}}
	b.forms++
	var made browser.Pledge
	err := browser.Retry(ctx, patience, func(ctx context.Context) (err error) {
		made, err = b.Pledge(ctx, b.campaign.ID, fmt.Sprintf("%s-%d-%d", b.run, b.number, b.forms), form)
		return err
	})
	if p := new(browser.Problem); errors.As(err, &p) && p.Status == "reward_gone" {
		b.soldOut.Add(1)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	t := &observation{id: made.ID, reward: reward, minor: 100 * euros, atB: b.isAtB()}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pledges = append(b.pledges, t)
	return t, nil
}
