//go:build unix

package harness

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"talkoot.fi/scripts/browser"
)

// Creator is somebody who is paid for campaigns.
type Creator struct {
	*browser.Visitor
	Password string
}

// CreatorAtB is a creator who is verified at provider B, and paid there.
type CreatorAtB struct {
	Creator
	Account browser.Creator
}

// CreatorAtA is a creator who is paid by their account at provider A.
type CreatorAtA struct {
	Creator
	Account string
}

// creator registers a person by their email and gives them campaigns.
func (r *Harness) creator(ctx context.Context, c *Creator, email string, campaigns []int64) (id int64, err error) {
	r.creators++ // each has an address of their own, because limits are by address
	c.Visitor = &browser.Visitor{Site: r.Site, Address: fmt.Sprintf("203.0.113.%d", 1+r.creators%250)}
	account := browser.Account{Email: email, Password: email + " kolme harmaata kiveä", FirstName: "Maija", LastName: "Meri"}
	c.Password = account.Password
	err = browser.Retry(ctx, heardWithin, func(ctx context.Context) error { return c.Register(ctx, account) }) // it may be busy
	if err != nil {
		return 0, err
	}
	err = r.Content.QueryRow(ctx, `WITH owned AS (UPDATE campaign_team SET user_id = (SELECT id FROM users WHERE email = $1)
			WHERE campaign_id = ANY ($2) AND position = 0)
		UPDATE users SET verified = true WHERE email = $1 RETURNING id`, email, campaigns).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("give campaigns to %s: %w", email, err)
	}
	return id, nil
}

// named says how a campaign is paid, once the content service has heard of the account.
func named(ctx context.Context, say func(context.Context) error) error {
	return browser.Retry(ctx, heardWithin, func(ctx context.Context) error {
		fault := new(browser.Problem)
		err := say(ctx)
		if errors.As(err, &fault) && fault.Status == "invalid_fields" {
			return errors.New("the content service has not heard of the account yet")
		}
		return err
	})
}

// PaidThroughA registers a person by their email, has them fill in all that provider A asks of them, and has campaigns paid to that account.
func (r *Harness) PaidThroughA(ctx context.Context, email string, campaigns ...int64) (c CreatorAtA, err error) {
	id, err := r.creator(ctx, &c.Creator, email, campaigns)
	if err != nil {
		return c, err
	}
	if c.Account, err = c.Onboard(ctx, id); err != nil {
		return c, fmt.Errorf("make a creator's account at provider A: %w", err)
	}
	if err := r.control(ctx, "accounts/complete", map[string]string{"account": c.Account}); err != nil {
		return c, err
	}
	if err := c.AskAccount(ctx, c.Account); err != nil {
		return c, err
	}
	for _, campaign := range campaigns {
		if err := named(ctx, func(ctx context.Context) error { return c.PayAccountAtA(ctx, campaign, c.Account) }); err != nil {
			return c, err
		}
	}
	return c, nil
}

// SettlePayOutA has a payout of a creator's account at provider A arrive at its bank.
func (r *Harness) SettlePayOutA(ctx context.Context, payOut string) error {
	return r.control(ctx, "payouts/settle", map[string]string{"payout": payOut})
}

// PaidOutA is what provider A, not the platform, has paid out of an account, in minor units, and by how many payouts.
func (r *Harness) PaidOutA(ctx context.Context, account string) (minor int64, number int, err error) {
	var page struct {
		Data []struct {
			Amount int64
			Status string
		}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.SandboxURL+"/v1/payouts?limit=100", http.NoBody)
	if err != nil {
		return 0, 0, fmt.Errorf("ask the provider: %w", err)
	}
	request.Header.Set("Authorization", "Bearer "+r.Env["STRIPE_SECRET_KEY"])
	request.Header.Set("Stripe-Account", account)
	if err := r.send(request, &page); err != nil {
		return 0, 0, err
	}
	for _, p := range page.Data {
		if p.Status == "paid" {
			minor, number = minor+p.Amount, number+1
		}
	}
	return minor, number, nil
}

// PaidOutB is the same of a person at provider B.
func (r *Harness) PaidOutB(ctx context.Context, user string) (minor int64, number int, err error) {
	list, err := r.TransactionsB(ctx, user)
	for _, t := range list {
		if t.Type == "PAYOUT" && t.Status == "SUCCEEDED" && t.Nature == "REGULAR" {
			minor, number = minor+t.DebitedFunds.Amount, number+1
		}
	}
	return minor, number, err
}
