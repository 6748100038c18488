package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"sync"
	"time"

	"talkoot.fi/scripts/browser"
)

// settleTime is how long a paid pledge may take to be known as paid: webhook, queue, ledger, outbox.
const settleTime = 30 * time.Second

// crowd is the demo's backers, each with a browser.
type crowd struct {
	site *browser.Site

	mu     sync.Mutex
	tokens map[string]string // by person
}

// campaigns lists ids by slug.
func (c *crowd) campaigns(ctx context.Context) (map[string]int64, error) {
	list, _, err := (&browser.Visitor{Site: c.site}).Campaigns(ctx, url.Values{"limit": {"300"}})
	ids := map[string]int64{}
	for _, one := range list {
		ids[one.Slug] = one.CampaignID
	}
	return ids, err
}

// rewards lists ids by title, in every language: a reward's texts fall back.
func (c *crowd) rewards(ctx context.Context, campaignID int64) (map[string]int64, error) {
	ids := map[string]int64{}
	for _, language := range []string{"sv", "en", "fi"} {
		list, err := (&browser.Visitor{Site: c.site, Language: language}).Rewards(ctx, campaignID)
		if err != nil {
			return nil, err
		}
		for _, r := range list {
			ids[r.Title] = r.RewardID
		}
	}
	return ids, nil
}

// pledgeAndPay makes one pledge, pays it by card and waits until it is known as paid, or as on its way.
func (c *crowd) pledgeAndPay(ctx context.Context, campaignID int64, p planned) error {
	v := &browser.Visitor{Site: c.site, Language: p.language, Address: p.visitorIP}
	if p.signIn != nil {
		var err error
		if v.Token, err = c.signIn(ctx, *p.signIn); err != nil {
			return err
		}
	}
	form := browser.NewPledge{Amount: json.Number(p.euros), RewardID: p.rewardID, Meta: browser.PledgeMeta{
		Email: p.email, FirstName: p.firstName, LastName: p.lastName, Anonymous: p.anonymous, AddedCost: p.addedCost, Answers: p.answers,
	}}
	if p.address != nil {
		form.Meta.Street, form.Meta.Postcode, form.Meta.City = p.address[0], p.address[1], p.address[2]
	}
	pledge, err := v.Pledge(ctx, campaignID, p.key, form)
	if err != nil {
		return err
	}
	card, wanted := browser.GoodCard, "paid"
	if p.onItsWay {
		card, wanted = browser.BankLaterCard, "processing"
	}
	if pledge.Status == "paid" || pledge.Status == wanted {
		return nil // an earlier run got this far
	}
	intent, err := v.Setup(ctx, pledge.ID)
	if err != nil {
		return err
	}
	if _, err := v.Confirm(ctx, intent, card); err != nil {
		return err
	}
	_, err = v.AwaitStatus(ctx, pledge.ID, settleTime, wanted)
	return err
}

// signIn keeps one session for each person.
func (c *crowd) signIn(ctx context.Context, p person) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if token, ok := c.tokens[p.Key]; ok {
		return token, nil
	}
	v := &browser.Visitor{Site: c.site, Address: fmt.Sprintf("203.0.113.%d", len(c.tokens)+1)} // documentation addresses (RFC 5737)
	if err := v.SignIn(ctx, p.Email, p.Password); err != nil {
		return "", err
	}
	if c.tokens == nil {
		c.tokens = map[string]string{}
	}
	c.tokens[p.Key] = v.Token
	return v.Token, nil
}
