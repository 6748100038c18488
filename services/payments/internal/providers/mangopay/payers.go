package mangopay

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"talkoot.fi/payments/internal/provider"
)

// NewPayer makes a user who pays. docs.mangopay.com/api-reference/users/create-natural-user-payer
func (c *Client) NewPayer(ctx context.Context, o provider.PayerOrder) (string, error) {
	first, last := names(o.Name)
	if first == "" || o.Email == "" {
		return "", fmt.Errorf("make payer %s: a name and an address are needed: %w", o.ID, provider.ErrFinal)
	}
	var payer named
	_, err := c.post(ctx, "make payer "+o.ID, "/users/natural", o.Key, map[string]any{
		"FirstName": first, "LastName": last, "Email": o.Email, "UserCategory": "PAYER", "Tag": o.ID}, &payer)
	return payer.Id, err
}

// names parts a name at its last space; Mangopay wants two, and who has one has it twice.
func names(name string) (first, last string) {
	words := strings.Fields(name)
	if len(words) < 2 {
		return strings.TrimSpace(name), strings.TrimSpace(name)
	}
	return strings.Join(words[:len(words)-1], " "), words[len(words)-1]
}

// HasPayer reads one.
func (c *Client) HasPayer(ctx context.Context, payer string) (bool, error) {
	if !isID(payer) {
		return false, provider.ErrNotFound
	}
	var user struct{ UserStatus string }
	err := c.get(ctx, "read payer "+payer, "/users/"+payer, &user)
	return err == nil && user.UserStatus != "CLOSED", err
}

// ForgetPayer ends all cards, mandates and bank accounts of a user. The user stays, as Mangopay has to keep who has paid.
func (c *Client) ForgetPayer(ctx context.Context, payer string) error {
	if !isID(payer) {
		return nil
	}
	var refs []string
	collect := func(kind string) func(object) error {
		return func(o object) error {
			if o.isUsable() {
				refs = append(refs, kind+o.Id)
			}
			return nil
		}
	}
	err := each(ctx, c, "list cards of "+payer, "/users/"+payer+"/cards", url.Values{}, collect(cardsAt))
	if err == nil {
		err = each(ctx, c, "list mandates of "+payer, "/users/"+payer+"/mandates", url.Values{}, collect(mandatesAt))
	}
	if errors.Is(err, provider.ErrNotFound) {
		return nil
	}
	for _, ref := range refs {
		if err != nil {
			return err
		}
		err = c.ForgetInstrument(ctx, ref)
	}
	if err == nil {
		err = c.forgetAccounts(ctx, payer)
	}
	return err
}

// object is a card or a mandate in a list.
//
//nolint:revive // the wire's
type object struct {
	Id     string
	Active *bool // of a card
	Status string
}

func (o object) isUsable() bool {
	if o.Active != nil {
		return *o.Active
	}
	return o.Status == mandateSubmitted || o.Status == mandateActive
}
