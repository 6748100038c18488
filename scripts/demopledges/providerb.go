package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talkoot.fi/scripts/browser"
)

// atProviderB is the demo's campaign that is paid through provider B, and whose it is.
const (
	atProviderB = "turn-it-over-the-puhos-tape"
	itsCreator  = "mahamed-warsame"
	// heardWithin is how long the services take to hear from the provider and from each other.
	heardWithin = time.Minute
)

// goToProviderB has the campaign's creator verified at provider B, and the campaign paid through it, after its backers have paid. Without
// that provider, and where it is so already, it does nothing.
func goToProviderB(ctx context.Context, site *browser.Site, demo *demo) error {
	if site.Web == "" { // nobody says where people come back to
		return nil
	}
	creator := &browser.Visitor{Site: site, Address: "203.0.113.250"}
	p, is := demo.people[itsCreator]
	if !is { // a demo without them
		return nil
	}
	if err := creator.SignIn(ctx, p.Email, p.Password); err != nil {
		return err
	}
	var profile struct {
		Profile struct {
			UserID int64 `json:"user_id"`
		}
	}
	if err := creator.Get(ctx, "/users/me/profile", &profile); err != nil {
		return err
	}
	campaigns, err := (&crowd{site: site}).campaigns(ctx)
	if err != nil {
		return err
	}
	id, is := campaigns[atProviderB]
	if !is {
		return nil
	}
	if methods, _, err := creator.Methods(ctx, id); err != nil || methods != "card:stripe page:stripe" {
		return err
	}
	account, err := creator.BeVerified(ctx, profile.Profile.UserID)
	if isOneOf(err, "configuration_error") {
		return nil
	}
	if err != nil {
		return fmt.Errorf("verify a creator at provider B: %w", err)
	}
	return browser.Retry(ctx, heardWithin, func(ctx context.Context) error {
		err := creator.PayAccount(ctx, id, account)
		if isOneOf(err, "invalid_fields") { // the content service has not heard of the account yet
			return errors.New("the content service has not heard of the account yet")
		}
		return err
	})
}
