package stripe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	sdk "github.com/stripe/stripe-go/v76"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/provider"
)

// payeeTag is where an account has our id of it; userTag whose it is.
const (
	payeeTag = "payee_id"
	userTag  = "user_id"
)

// Kinds of creators, in Stripe's words. docs.stripe.com/api/accounts/create#create_account-business_type
const (
	typeIndividual = "individual"
	typeCompany    = "company"
	typeNonProfit  = "non_profit"
	typeGovernment = "government_entity"
)

// PayeeKind is what a payee is in law by Stripe's word; false of one that Stripe has not.
func PayeeKind(word string) (provider.PayeeKind, bool) {
	switch word {
	case typeIndividual:
		return provider.PayeeNatural, true
	case typeCompany, typeNonProfit, typeGovernment:
		return provider.PayeeLegal, true
	}
	return "", false
}

// NewPayee makes an express account in euros, whose payouts we send. Card payments are asked for with transfers, because Stripe refuses
// transfers alone until it has approved a platform for them. docs.stripe.com/api/accounts/create
func (c *Client) NewPayee(ctx context.Context, o provider.PayeeOrder) (provider.Payee, error) {
	var made *sdk.Account
	err := c.call(ctx, "make account "+o.ID, func(ctx context.Context) (err error) {
		params := &sdk.AccountParams{
			Type: sdk.String(string(sdk.AccountTypeExpress)), Country: sdk.String(o.Country), DefaultCurrency: sdk.String(strings.ToLower(string(o.Currency))),
			BusinessType: sdk.String(o.Type), BusinessProfile: &sdk.AccountBusinessProfileParams{URL: sdk.String(o.Website)},
			Capabilities: &sdk.AccountCapabilitiesParams{
				CardPayments: &sdk.AccountCapabilitiesCardPaymentsParams{Requested: sdk.Bool(true)},
				Transfers:    &sdk.AccountCapabilitiesTransfersParams{Requested: sdk.Bool(true)}},
			Settings: &sdk.AccountSettingsParams{Payouts: &sdk.AccountSettingsPayoutsParams{
				Schedule: &sdk.AccountSettingsPayoutsScheduleParams{Interval: sdk.String(string(sdk.AccountSettingsPayoutsScheduleIntervalManual))}}},
			Metadata: map[string]string{payeeTag: o.ID, userTag: strconv.FormatInt(o.UserID, 10)},
		}
		if o.Email != "" {
			params.Email = sdk.String(o.Email)
		}
		params.Context, params.IdempotencyKey = ctx, sdk.String(o.Key)
		made, err = c.accounts.New(params)
		return err
	})
	switch {
	case err != nil:
		return provider.Payee{}, notTheirs(err)
	case isReplayed(made.LastResponse):
		return c.Payee(ctx, made.ID)
	}
	return payeeOf(made), nil
}

// notTheirs tells a fault of what a creator has said from one of the platform's, such as that Stripe has not approved it: what they say has
// a parameter.
func notTheirs(err error) error {
	var f *fault // one of the key is neither: the account may have been made by what was said first
	if !errors.As(err, &f) || !errors.Is(err, provider.ErrRefused) || f.kind == string(sdk.ErrorTypeIdempotency) {
		return err
	}
	if slices.Contains([]string{"country", "business_type", "business_profile[url]", "email", "default_currency"}, f.param) {
		return fmt.Errorf("%w: %w", provider.ErrFinal, err)
	}
	return apperr.New(apperr.ConfigurationError).WithCode("platform_not_approved").Wrap(err)
}

// MadePayee looks for an account by what we wrote on it.
func (c *Client) MadePayee(ctx context.Context, id string, since time.Time) (found provider.Payee, err error) {
	params := &sdk.AccountListParams{CreatedRange: &sdk.RangeQueryParams{GreaterThanOrEqual: since.Add(-clockSlack).Unix()}}
	params.Context, params.Limit = ctx, sdk.Int64(pageOfAccounts)
	list := c.accounts.List(params)
	err = c.each(ctx, "look for account "+id, list, func() error {
		if a := list.Account(); a.Metadata[payeeTag] == id {
			found = payeeOf(a)
		}
		return nil
	})
	if err == nil && found.Ref == "" {
		err = fmt.Errorf("account %s: %w", id, provider.ErrNotFound)
	}
	return found, err
}

const (
	clockSlack     = 5 * time.Minute // Stripe's clock and ours
	pageOfAccounts = 100
)

// Payee reads an account with what is missing. One that its owner has disconnected from us is not found.
func (c *Client) Payee(ctx context.Context, ref string) (provider.Payee, error) {
	seen, err := c.account(ctx, ref)
	if err != nil {
		return provider.Payee{}, err
	}
	return payeeOf(seen), nil
}

func (c *Client) account(ctx context.Context, ref string) (seen *sdk.Account, err error) {
	err = c.call(ctx, "read account "+ref, func(ctx context.Context) (err error) {
		params := &sdk.AccountParams{}
		params.Context = ctx
		seen, err = c.accounts.GetByID(ref, params)
		return err
	})
	return seen, err
}

// PayeeStep makes a link to the page on which a creator fills in what is missing, also what is asked only later: what is asked once does
// not stop a payout then. The link opens once, and is for its creator's browser alone. docs.stripe.com/api/account_links/create
func (c *Client) PayeeStep(ctx context.Context, ref string, back provider.Back) (string, error) {
	now, err := c.account(ctx, ref)
	if err != nil || !hasStep(now) {
		return "", err
	}
	var link *sdk.AccountLink
	key := onceKey("account_link", ref)
	err = c.call(ctx, "make a link to account "+ref, func(ctx context.Context) (err error) {
		params := &sdk.AccountLinkParams{Account: sdk.String(ref), Type: sdk.String(string(sdk.AccountLinkTypeAccountOnboarding)),
			RefreshURL: sdk.String(back.Refresh), ReturnURL: sdk.String(back.Return),
			CollectionOptions: &sdk.AccountLinkCollectionOptionsParams{Fields: sdk.String("eventually_due"), FutureRequirements: sdk.String("include")}}
		params.Context, params.IdempotencyKey = ctx, sdk.String(key)
		link, err = c.links.New(params)
		return err
	})
	if err != nil {
		return "", err
	}
	return link.URL, nil
}

// PayeeHome signs a creator in to their own pages at Stripe, which express accounts have once their details are submitted. The address opens
// once. docs.stripe.com/api/accounts/create_login_link
func (c *Client) PayeeHome(ctx context.Context, ref string) (string, error) {
	now, err := c.account(ctx, ref)
	if err != nil || now.Type != sdk.AccountTypeExpress || !now.DetailsSubmitted {
		return "", err
	}
	var link *sdk.LoginLink
	key := onceKey("login_link", ref)
	err = c.call(ctx, "make a login link to account "+ref, func(ctx context.Context) (err error) {
		params := &sdk.LoginLinkParams{Account: sdk.String(ref)}
		params.Context, params.IdempotencyKey = ctx, sdk.String(key)
		link, err = c.logins.New(params)
		return err
	})
	if err != nil {
		return "", err
	}
	return link.URL, nil
}

// PayeeOf is never needed: hooks name the account.
func (c *Client) PayeeOf(context.Context, string) (string, error) { return "", provider.ErrNotFound }
