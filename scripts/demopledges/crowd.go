package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"time"

	"talkoot.fi/scripts/browser"
)

// settleTime is how long a paid pledge may take to be known as paid: webhook, queue, ledger, outbox.
const settleTime = 30 * time.Second

// pausedUntil is the month with which support that is paused goes on: two are left out.
const pausedUntil = 4

// crowd makes the pledges of the demo's backers, each as a visitor of the site.
type crowd struct {
	site *browser.Site

	mu     sync.Mutex
	tokens map[string]string // by person
}

// campaigns lists ids by slug.
func (c *crowd) campaigns(ctx context.Context) (map[string]int64, error) {
	visitor := &browser.Visitor{Site: c.site}
	ids := map[string]int64{}
	for _, read := range []func(context.Context, url.Values) ([]browser.Preview, int, error){visitor.Campaigns, visitor.MonthlyCampaigns} {
		list, _, err := read(ctx, url.Values{"limit": {"300"}})
		if err != nil {
			return nil, err
		}
		for _, one := range list {
			ids[one.Slug] = one.CampaignID
		}
	}
	return ids, nil
}

// queues are the demo's backers by campaign. Campaigns that the platform does not list are left out.
func (c *crowd) queues(ctx context.Context, demo *demo) ([]queue, error) {
	ids, err := c.campaigns(ctx)
	if err != nil {
		return nil, err
	}
	var queues []queue
	for _, campaign := range demo.campaigns {
		id, found := ids[campaign.Slug]
		if !found || campaign.Pledges.Count+len(campaign.Support.Counts) == 0 {
			continue
		}
		rewards, err := c.rewards(ctx, id)
		if err != nil {
			return nil, err
		}
		plan, err := demo.plan(campaign, rewards)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", campaign.Slug, err)
		}
		queues = append(queues, queue{slug: campaign.Slug, campaignID: id, backers: plan,
			inOrder: len(campaign.Pledges.Latest) + len(campaign.Support.Latest)})
	}
	return queues, nil
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

// pledgeAndPay makes one pledge, or begins monthly support, pays it by card and waits until its status is paid, or processing.
// A pledge that an earlier run began is continued; one that has expired since is made again.
func (c *crowd) pledgeAndPay(ctx context.Context, campaignID int64, p planned) error {
	v := &browser.Visitor{Site: c.site, Language: p.language, Address: p.visitorIP}
	if p.signIn != nil {
		var err error
		if v.Token, err = c.signIn(ctx, *p.signIn); err != nil {
			return err
		}
	}
	if p.signIn == nil && p.then != goesOn { // who changes their support has an account
		if err := account(ctx, v, p); err != nil {
			return err
		}
	}
	if p.isMonthly {
		return support(ctx, v, campaignID, p)
	}
	pledge, err := begun(ctx, v, campaignID, p)
	if err != nil {
		return err
	}
	card, wanted := browser.GoodCard, "paid"
	if p.onItsWay {
		card, wanted = browser.BankLaterCard, "processing"
	}
	switch pledge.Status {
	case "created", "awaiting_payment":
		if err := pay(ctx, v, pledge.ID, card); err != nil {
			return err
		}
	case "processing":
	default: // its money has come, whatever became of it since
		return nil
	}
	_, err = v.AwaitStatus(ctx, pledge.ID, settleTime, wanted, "paid")
	return err
}

// account signs somebody in to their own account, which they make unless an earlier run has.
func account(ctx context.Context, v *browser.Visitor, p planned) error {
	const password = "kolme harmaata kiveä" //nolint:gosec // of made-up people
	err := v.SignIn(ctx, p.email, password)
	if isOneOf(err, "sign_in_failed") {
		err = v.Register(ctx, browser.Account{Email: p.email, Password: password, FirstName: p.firstName, LastName: p.lastName, Language: p.language})
	}
	return err
}

// pay pays a pledge by card. One that is paid already, which the content service may not know yet, is a success.
func pay(ctx context.Context, v *browser.Visitor, pledgeID string, card browser.Card) error {
	intent, err := v.Setup(ctx, pledgeID)
	if isOneOf(err, "pledge_already_paid") {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = v.Confirm(ctx, intent, card)
	return err
}

// support begins monthly support, pays its first month by card, waits until it is active, and does what its supporter does
// then. What an earlier run began is continued; what has expired since is begun again.
func support(ctx context.Context, v *browser.Visitor, campaignID int64, p planned) error {
	for attempt := 1; ; attempt++ {
		id, err := v.Support(ctx, campaignID, keyOf(p, attempt), browser.NewSupport{Amount: json.Number(p.euros), RewardID: p.rewardID,
			Email: p.email, FirstName: p.firstName, LastName: p.lastName, Meta: browser.SupportMeta{Anonymous: p.anonymous}})
		if err != nil {
			return err
		}
		status, err := v.SupportStatus(ctx, id)
		switch {
		case err != nil:
			return err
		case status == "expired":
			continue
		case status == "active":
			return p.act(ctx, v, id)
		case status != "created": // its money has come, whatever became of it since
			return nil
		}
		intent, err := v.SetupMonth(ctx, id)
		if err == nil {
			_, err = v.Confirm(ctx, intent, browser.GoodCard)
		}
		if err != nil && !isOneOf(err, "subscription_not_payable") { // it is paid already, which the content service may not know yet
			return err
		}
		if err := v.AwaitSupport(ctx, id, settleTime, "active"); err != nil {
			return err
		}
		return p.act(ctx, v, id)
	}
}

// act does what a supporter does once the first month is paid. A repeat changes nothing.
func (p planned) act(ctx context.Context, v *browser.Visitor, id string) error {
	switch p.then {
	case goesOn:
	case ends:
		return v.Change(ctx, id, "cancel", map[string]string{"at": "period_end"})
	case stops:
		if err := v.Change(ctx, id, "cancel", map[string]string{"at": "now"}); err != nil {
			return err
		}
		return v.AwaitSupport(ctx, id, settleTime, "canceled")
	case pauses:
		if err := v.Change(ctx, id, "pause", map[string]int{"until_period": pausedUntil}); err != nil {
			return err
		}
		return v.AwaitSupport(ctx, id, settleTime, "paused")
	}
	return nil
}

// keyOf is the idempotency key of an attempt.
func keyOf(p planned, attempt int) string {
	if attempt == 1 {
		return p.key
	}
	return fmt.Sprintf("%s-%d", p.key, attempt)
}

// begun returns the backer's pledge: that of an earlier run, unless it has expired or failed, else a new one. Each
// attempt has an idempotency key of its own.
func begun(ctx context.Context, v *browser.Visitor, campaignID int64, p planned) (browser.Pledge, error) {
	for attempt := 1; ; attempt++ {
		pledge, err := v.Pledge(ctx, campaignID, keyOf(p, attempt), p.form())
		if err != nil || pledge.Status != "expired" && pledge.Status != "failed" {
			return pledge, err
		}
	}
}

// form is what the backer fills in.
func (p planned) form() browser.NewPledge {
	form := browser.NewPledge{Amount: json.Number(p.euros), RewardID: p.rewardID, Meta: browser.PledgeMeta{
		Email: p.email, FirstName: p.firstName, LastName: p.lastName, Anonymous: p.anonymous, AddedCost: p.addedCost,
		Answers: p.answers,
	}}
	if p.address != nil {
		form.Meta.Street, form.Meta.Postcode, form.Meta.City = p.address[0], p.address[1], p.address[2]
	}
	return form
}

// isTooLate reports whether a pledge was refused because its campaign or reward is no longer available: other people
// use the site too, and days may have passed since the earlier run.
func isTooLate(err error) bool {
	return isOneOf(err, "campaign_not_open", "reward_gone", "reward_closed", "quantity_above_stock")
}

// isOneOf reports whether the platform refused a call for one of these reasons.
func isOneOf(err error, statuses ...string) bool {
	refused := new(browser.Problem)
	return errors.As(err, &refused) && slices.Contains(statuses, refused.Status)
}

// signIn keeps one session for each person.
func (c *crowd) signIn(ctx context.Context, p person) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if token, ok := c.tokens[p.Key]; ok {
		return token, nil
	}
	// documentation addresses (RFC 5737)
	v := &browser.Visitor{Site: c.site, Address: fmt.Sprintf("203.0.113.%d", len(c.tokens)+1)}
	if err := v.SignIn(ctx, p.Email, p.Password); err != nil {
		return "", err
	}
	if c.tokens == nil {
		c.tokens = map[string]string{}
	}
	c.tokens[p.Key] = v.Token
	return v.Token, nil
}
