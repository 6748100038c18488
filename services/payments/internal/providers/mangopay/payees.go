package mangopay

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/provider"
)

// Words of the wire about users. docs.mangopay.com/api-reference/users/user-object
const (
	userActive = "ACTIVE"
	userClosed = "CLOSED"
	kycRegular = "REGULAR"
	consented  = "ACTIVE"

	verificationPending  = "PENDING" // the owner goes on
	verificationReviewed = "REVIEW"  // Mangopay does
)

// Names of the wire. docs.mangopay.com/api-reference/sca/users
//
//nolint:revive // the wire's
type owner struct {
	Id                string
	KYCLevel          string
	UserStatus        string
	PendingUserAction *struct{ RedirectUrl string }
}

// NewPayee makes a user who owns wallets, and their main one. docs.mangopay.com/guides/sca/users
func (c *Client) NewPayee(ctx context.Context, o provider.PayeeOrder) (provider.Payee, error) {
	if !o.AcceptedTerms {
		return provider.Payee{}, fmt.Errorf("make payee %s: the terms are to be accepted: %w", o.ID, provider.ErrFinal)
	}
	person := map[string]any{"FirstName": o.Person.FirstName, "LastName": o.Person.LastName, "Birthday": o.Person.Born.Unix(),
		"Nationality": o.Person.Nationality, "CountryOfResidence": o.Person.Residence}
	body := map[string]any{"Email": o.Email, "UserCategory": "OWNER", "TermsAndConditionsAccepted": true, "Tag": o.ID}
	path := "/sca/users/natural"
	if o.Kind == provider.PayeeLegal {
		path = "/sca/users/legal"
		person["Email"] = o.Email // they set strong authentication up, not the entity
		body["Name"], body["LegalPersonType"], body["LegalRepresentative"] = o.Legal.Name, o.Legal.Type, person
		body["HeadquartersAddress"] = addressOf(o.Legal.Address)
		if o.Legal.Number != "" {
			body["CompanyNumber"] = o.Legal.Number
		}
		if o.Legal.Email != "" {
			body["Email"] = o.Legal.Email
		}
	} else {
		for field, value := range person {
			body[field] = value
		}
	}
	var made owner
	if _, err := c.post(ctx, "make payee "+o.ID, path, o.Key, body, &made); err != nil {
		return provider.Payee{}, err
	}
	wallet, err := c.NewWallet(ctx, provider.WalletOrder{Key: o.Key + ":wallet", Payee: made.Id, Tag: o.ID, Description: o.ID, Currency: o.Currency})
	if err != nil {
		return provider.Payee{}, err
	}
	out, err := c.Payee(ctx, made.Id)
	out.Wallet = wallet
	return out, err
}

func addressOf(a provider.Address) map[string]any {
	out := map[string]any{"AddressLine1": a.Line1, "City": a.City, "PostalCode": a.PostalCode, "Country": a.Country}
	if a.Line2 != "" {
		out["AddressLine2"] = a.Line2
	}
	return out
}

// NewWallet makes a wallet of one owner. docs.mangopay.com/api-reference/wallets/create-wallet
func (c *Client) NewWallet(ctx context.Context, o provider.WalletOrder) (string, error) {
	if !isID(o.Payee) {
		return "", fmt.Errorf("make a wallet: %w", provider.ErrNotFound)
	}
	var wallet named
	_, err := c.post(ctx, "make a wallet of "+o.Payee, "/wallets", o.Key, map[string]any{"Owners": []string{o.Payee},
		"Currency": string(o.Currency), "Description": o.Description, "Tag": o.Tag}, &wallet)
	return wallet.Id, err
}

// Payee reads an owner with what is missing: strong authentication, our consents, the proof of who they are, and what Mangopay keeps
// from them.
func (c *Client) Payee(ctx context.Context, ref string) (provider.Payee, error) {
	user, err := c.owner(ctx, ref)
	if err != nil {
		return provider.Payee{}, err
	}
	out := provider.Payee{Ref: ref, State: provider.PayeeReady}
	if user.UserStatus == userClosed {
		out.State = provider.PayeeClosed
		return out, nil
	}
	sca, err := c.enrolment(ctx, ref)
	if err != nil {
		return provider.Payee{}, err
	}
	// docs.mangopay.com/api-reference/users/view-user-regulatory-status
	var kept struct {
		ScopeBlocked struct{ Inflows, Outflows bool }
	}
	if err := c.get(ctx, "read what is kept from "+ref, "/users/"+ref+"/regulatory", &kept); err != nil {
		return provider.Payee{}, err
	}
	need := func(code string) { out.Needs = append(out.Needs, provider.Need{Code: code}) }
	consent := sca.ConsentScope
	switch {
	case !sca.IsEnrolled || user.UserStatus != userActive:
		need(provider.NeedEnrollment)
		out.State = provider.PayeeBegun
	case consent.RecipientRegistration != consented || consent.Transfer != consented || consent.ViewAccountInformation != consented:
		need(provider.NeedConsents) // it keeps nothing from coming in
	}
	if user.KYCLevel != kycRegular {
		need(provider.NeedIdentity)
		begun, err := c.verification(ctx, ref)
		switch {
		case err != nil:
			return provider.Payee{}, err
		case begun.isOpen() && out.State == provider.PayeeReady:
			out.State = provider.PayeeChecking
		default:
			out.State = provider.PayeeBegun
		}
	}
	if kept.ScopeBlocked.Inflows {
		need(provider.NeedUnblocked)
		out.State = provider.PayeeChecking // what they are asked for, Mangopay tells them
	}
	if kept.ScopeBlocked.Outflows {
		need(provider.NeedOutflows)
	}
	return out, nil
}

func (c *Client) owner(ctx context.Context, ref string) (o owner, err error) {
	if !isID(ref) {
		return o, fmt.Errorf("a payee: %w", provider.ErrNotFound)
	}
	err = c.get(ctx, "read payee "+ref, "/sca/users/"+ref, &o)
	return o, err
}

// enrolment is how an owner has set up strong authentication, and what they let us do while they are away: nothing is set up by one of whom
// there is nothing. docs.mangopay.com/api-reference/users/view-user-sca-status
type enrolment struct {
	IsEnrolled   bool
	ConsentScope struct{ RecipientRegistration, Transfer, ViewAccountInformation string }
}

func (c *Client) enrolment(ctx context.Context, ref string) (e enrolment, err error) {
	err = c.get(ctx, "read how "+ref+" is enrolled", "/sca/users/"+ref+"/sca-status", &e)
	if errors.Is(err, provider.ErrNotFound) {
		err = nil
	}
	return e, err
}

// verification is an owner showing who they are, on a page. docs.mangopay.com/api-reference/idv-sessions/idv-session-object
type verification struct{ Status, HostedUrl string } //nolint:revive // the wire's

func (v verification) isOpen() bool {
	return v.Status == verificationPending || v.Status == verificationReviewed
}

// verification is the newest one that is open; none without one.
func (c *Client) verification(ctx context.Context, ref string) (open verification, err error) {
	err = each(ctx, c, "list verifications of "+ref, "/users/"+ref+"/identity-verifications", url.Values{}, func(v verification) error {
		if v.isOpen() && !open.isOpen() {
			open = v
		}
		return nil
	})
	return open, err
}

// PayeeStep is the page on which an owner goes on. docs.mangopay.com/guides/sca/session, docs.mangopay.com/guides/users/verification/hosted
func (c *Client) PayeeStep(ctx context.Context, ref string, back provider.Back) (string, error) {
	now, err := c.Payee(ctx, ref)
	if err != nil || len(now.Needs) == 0 {
		return "", err
	}
	pending := func(path string) (string, error) {
		user, err := c.owner(ctx, ref)
		if err == nil && (user.PendingUserAction == nil || path != "enrollment") {
			_, err = c.post(ctx, "ask "+ref+" for "+path, "/sca/users/"+ref+"/"+path, "step:"+ids.New(), struct{}{}, &user)
		}
		if err != nil || user.PendingUserAction == nil || user.PendingUserAction.RedirectUrl == "" {
			return "", err
		}
		return withReturn(user.PendingUserAction.RedirectUrl, back.Return), nil
	}
	switch now.Needs[0].Code {
	case provider.NeedEnrollment:
		return pending("enrollment")
	case provider.NeedConsents:
		return pending("consent")
	case provider.NeedIdentity:
		begun, err := c.verification(ctx, ref)
		switch {
		case err != nil || begun.Status == verificationReviewed: // there is nothing for them to do
			return "", err
		case begun.isOpen():
			return begun.HostedUrl, nil
		}
		var made struct{ HostedUrl string } //nolint:revive // the wire's
		_, err = c.post(ctx, "begin to verify "+ref, "/users/"+ref+"/identity-verifications", "step:"+ids.New(),
			map[string]any{"ReturnUrl": back.Return}, &made)
		return made.HostedUrl, err
	}
	return "", nil
}

func withReturn(address, returnURL string) string {
	sign := "?"
	if strings.Contains(address, "?") {
		sign = "&"
	}
	return address + sign + "returnUrl=" + url.QueryEscape(returnURL)
}

// PayeeOf names the owner of a bank account or an identity verification, of a user it is that.
func (c *Client) PayeeOf(ctx context.Context, object string) (string, error) {
	if id := idAt(recipientsAt, object); id != "" {
		bank, err := c.recipient(ctx, id)
		return bank.UserId, err
	}
	if !isID(object) {
		return "", fmt.Errorf("a payee: %w", provider.ErrNotFound)
	}
	var of struct{ UserId string } //nolint:revive // the wire's
	err := c.get(ctx, "read verification "+object, "/identity-verifications/"+object, &of)
	if errors.Is(err, provider.ErrNotFound) {
		return object, nil
	}
	return of.UserId, err
}
