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
	"talkoot.fi/scripts/rig"
)

const (
	backersAtOnce = 16
	campaigns     = 8
	limitedStock  = 60              // of each campaign's first reward: some backers find it gone
	patience      = 2 * time.Minute // of a backer with one step
)

// intention is what a backer means to do.
type intention int

const (
	pays               intention = iota // with a good card
	paysAfterRefusal                    // a card is declined, the next one is good
	paysWithChallenge                   // passes 3-D Secure
	abandonsAtCard                      // never confirms
	abandonsAtChallege                  // closes the page in the middle of 3-D Secure
)

// intentions are drawn from, so that most pay.
func intentions() []intention {
	return []intention{pays, pays, pays, pays, pays, pays, paysAfterRefusal, paysWithChallenge, abandonsAtCard, abandonsAtChallege}
}

// accepted is a pledge that the platform has taken.
type accepted struct {
	id    string
	taken bool // the provider told the backer that the card was charged
	lost  bool // the backer never heard how the payment ended
}

// load is the crowd of one drill.
type load struct {
	rig       *rig.Rig
	campaigns []dataset.Added
	run       string // makes keys and addresses its own

	mu       sync.Mutex
	random   *rand.Rand
	pledges  []accepted
	faults   []error // what no backer may be told
	soldOut  atomic.Int64
	gaveUp   atomic.Int64
	numbered atomic.Int64
}

func newLoad(ctx context.Context, r *rig.Rig, name string, random *rand.Rand) (*load, error) {
	l := &load{rig: r, random: random, run: fmt.Sprintf("%s-%d", name, random.Uint32())}
	for n := range campaigns {
		made, err := r.AddCampaign(ctx, dataset.Campaign{Title: fmt.Sprintf("%s %d", l.run, n), Rewards: []dataset.Reward{
			{Title: "Harvinainen", Euros: 25, Stock: limitedStock}, {Title: "Tavallinen", Euros: 15},
		}})
		if err != nil {
			return nil, err
		}
		l.campaigns = append(l.campaigns, made)
	}
	return l, nil
}

// pledge lets backers come until there are n accepted pledges and until is closed.
func (l *load) pledge(ctx context.Context, n int, until <-chan struct{}) {
	var crowd sync.WaitGroup
	for range backersAtOnce {
		crowd.Go(func() {
			for ctx.Err() == nil && !l.enough(n, until) {
				l.backer(ctx)
			}
		})
	}
	crowd.Wait()
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

// backer is one person from the form to the end of what they mean to do.
func (l *load) backer(ctx context.Context) {
	campaign := l.campaigns[min(l.draw(campaigns), l.draw(campaigns))] // the first ones are the popular ones
	reward := l.draw(2)
	means := intentions()[l.draw(len(intentions()))]
	number := l.numbered.Add(1)
	v := &browser.Visitor{Site: l.rig.Site}
	form := browser.NewPledge{Amount: json.Number([]string{"25", "15"}[reward]), RewardID: &campaign.Rewards[reward], Meta: browser.PledgeMeta{
		Email: fmt.Sprintf("%s.%d@posti.example", l.run, number), FirstName: "Aino", LastName: "Korhonen",
	}}
	var made browser.Pledge
	err := browser.Patiently(ctx, patience, func(ctx context.Context) (err error) {
		made, err = v.Pledge(ctx, campaign.ID, fmt.Sprintf("%s-%d", l.run, number), form)
		return err
	})
	if p := new(browser.Problem); errors.As(err, &p) && p.Status == "reward_gone" {
		l.soldOut.Add(1)
		return
	}
	if err != nil {
		l.noteEnd(ctx, err)
		return
	}
	a := accepted{id: made.ID}
	a.taken, err = l.pay(ctx, v, made.ID, means)
	if err != nil {
		a.lost = true
		l.noteEnd(ctx, err)
	}
	l.mu.Lock()
	l.pledges = append(l.pledges, a)
	l.mu.Unlock()
}

// noteEnd keeps what a backer was told at last: giving up after asking for long is bad luck, a refusal is a fault.
func (l *load) noteEnd(ctx context.Context, err error) {
	l.gaveUp.Add(1)
	if browser.IsPassing(err) || ctx.Err() != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.faults = append(l.faults, err)
}

// pay reports whether the provider said that the card was charged.
func (l *load) pay(ctx context.Context, v *browser.Visitor, pledgeID string, means intention) (taken bool, err error) {
	var intent browser.Intent
	err = browser.Patiently(ctx, patience, func(ctx context.Context) (err error) {
		intent, err = v.Setup(ctx, pledgeID)
		return err
	})
	if err != nil || means == abandonsAtCard {
		return false, err
	}
	if means == paysAfterRefusal {
		_, err := l.confirm(ctx, v, intent, browser.DeclinedCard)
		if p := new(browser.Problem); !errors.As(err, &p) || p.DeclineCode == "" {
			return false, fmt.Errorf("a card that is declined: %w", err)
		}
	}
	if means != paysWithChallenge && means != abandonsAtChallege {
		c, err := l.confirm(ctx, v, intent, browser.GoodCard)
		return c.Status == "succeeded", err
	}
	c, err := l.confirm(ctx, v, intent, browser.SecureCard)
	if err != nil || means == abandonsAtChallege {
		return false, err
	}
	err = browser.Patiently(ctx, patience, func(ctx context.Context) error { return v.AnswerChallenge(ctx, c.Challenge, true) })
	return err == nil, err
}

func (l *load) confirm(ctx context.Context, v *browser.Visitor, intent browser.Intent, card browser.Card) (c browser.Confirmation, err error) {
	err = browser.Patiently(ctx, patience, func(ctx context.Context) (err error) {
		c, err = v.Confirm(ctx, intent, card)
		return err
	})
	return c, err
}
