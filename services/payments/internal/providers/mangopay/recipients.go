package mangopay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"talkoot.fi/payments/internal/provider"
)

// recipientsAt is before the ids of recipients where ids of other things may be, too.
const recipientsAt = "recipients/"

// Words of the wire about recipients, which are bank accounts for payouts. docs.mangopay.com/api-reference/recipients/recipient-object
const (
	recipientPending  = "PENDING"
	recipientActive   = "ACTIVE"
	recipientCanceled = "CANCELED"
	recipientEnded    = "DEACTIVATED"

	localTransfer = "LocalBankTransfer"
	ofPayouts     = "PAYOUT"
	individual    = "Individual"
	business      = "Business"
	tagOfBank     = "bank:" // before our id, in a recipient's tag
)

// recipient is read without its number: nobody here needs it.
//
//nolint:revive // the wire's
type recipient struct {
	Id, UserId, Status, Tag      string
	PendingUserAction            *struct{ RedirectUrl string }
	RecipientVerificationOfPayee *struct{ RecipientVerificationCheck string }
}

func (r recipient) isWhole() bool { return r.Id != "" && r.Status != "" }

func (r recipient) of() provider.PayeeBank {
	out := provider.PayeeBank{Ref: r.Id, State: provider.BankPending, Name: provider.NameUnknown}
	out.ID, _ = strings.CutPrefix(r.Tag, tagOfBank)
	if out.ID == r.Tag {
		out.ID = ""
	}
	switch r.Status {
	case recipientActive:
		out.State = provider.BankActive
	case recipientCanceled:
		out.State = provider.BankCanceled
	case recipientEnded:
		out.State = provider.BankEnded
	}
	if r.RecipientVerificationOfPayee != nil {
		switch r.RecipientVerificationOfPayee.RecipientVerificationCheck {
		case "MATCH":
			out.Name = provider.NameMatch
		case "CLOSE_MATCH":
			out.Name = provider.NameCloseMatch
		case "NO_MATCH":
			out.Name = provider.NameNoMatch
		}
	}
	return out
}

// NewBank registers a recipient, whom its owner confirms on a page: also where they let us do it while they are away.
// docs.mangopay.com/api-reference/recipients/create-recipient
func (c *Client) NewBank(ctx context.Context, o provider.BankOrder) (provider.PayeeBank, error) {
	if !isID(o.Payee) || len(o.IBAN) < 8 {
		return provider.PayeeBank{}, fmt.Errorf("register a bank account: %w", provider.ErrNotFound)
	}
	country := o.IBAN[:2]
	body := map[string]any{"DisplayName": country + " " + lastFour(o.IBAN), "PayoutMethodType": localTransfer, "Currency": "EUR", "Country": country,
		"RecipientScope": ofPayouts, "LocalBankTransfer": map[string]any{"EUR": map[string]any{"IBAN": o.IBAN}}, "ScaContext": "USER_PRESENT",
		"Tag": tagOfBank + o.ID}
	address := addressOf(o.Address)
	if o.Address.Region != "" {
		address["Region"] = o.Address.Region
	}
	if o.Address.PostalCode == "" { // there are countries without
		delete(address, "PostalCode")
	}
	if o.Kind == provider.PayeeLegal {
		body["RecipientType"], body["BusinessRecipient"] = business, map[string]any{"BusinessName": o.BusinessName, "Address": address}
	} else {
		body["RecipientType"], body["IndividualRecipient"] = individual, map[string]any{"FirstName": o.FirstName, "LastName": o.LastName, "Address": address}
	}
	var made recipient
	before, err := c.post(ctx, "register bank account "+o.ID, "/users/"+o.Payee+"/recipients", o.Key, body, &made)
	if err == nil && before { // what it was first answered is not what it is now
		made, err = c.recipient(ctx, made.Id)
	}
	if err != nil {
		return provider.PayeeBank{}, err
	}
	return made.of(), nil
}

func (c *Client) recipient(ctx context.Context, ref string) (out recipient, err error) {
	if !isID(ref) {
		return out, fmt.Errorf("a bank account: %w", provider.ErrNotFound)
	}
	err = c.get(ctx, "read bank account "+ref, "/recipients/"+ref, &out)
	return out, err
}

// Banks lists a user's recipients. docs.mangopay.com/api-reference/recipients/list-recipients-user
func (c *Client) Banks(ctx context.Context, payee string) (list []provider.PayeeBank, err error) {
	if !isID(payee) {
		return nil, fmt.Errorf("a payee: %w", provider.ErrNotFound)
	}
	err = each(ctx, c, "list bank accounts of "+payee, "/users/"+payee+"/recipients", url.Values{"RecipientScope": {ofPayouts}}, func(r recipient) error {
		list = append(list, r.of())
		return nil
	})
	return list, err
}

// BankStep is the page on which an owner confirms a recipient. docs.mangopay.com/guides/sca/session
func (c *Client) BankStep(ctx context.Context, ref, returnURL string) (string, error) {
	now, err := c.recipient(ctx, ref)
	if err != nil || now.Status != recipientPending || now.PendingUserAction == nil || now.PendingUserAction.RedirectUrl == "" {
		return "", err
	}
	return withReturn(now.PendingUserAction.RedirectUrl, returnURL), nil
}

// EndBank deactivates a recipient, for good. docs.mangopay.com/api-reference/recipients/deactivate-recipient
func (c *Client) EndBank(ctx context.Context, ref string) error {
	if !isID(ref) {
		return fmt.Errorf("a bank account: %w", provider.ErrNotFound)
	}
	err := c.put(ctx, "end bank account "+ref, "/recipients/"+ref, map[string]any{"Status": recipientEnded}, nil)
	if err == nil || errors.Is(err, provider.ErrNotFound) {
		return nil
	}
	if now, missing := c.recipient(ctx, ref); missing == nil && (now.Status == recipientEnded || now.Status == recipientCanceled) {
		return nil
	}
	return err
}

// bankFields are the paths of the schema that people are asked for, by our names; what else it may require, NewBank fills in.
var bankFields = map[string]string{ //nolint:gochecknoglobals // a table
	"IndividualRecipient.FirstName": provider.BankFirstName, "IndividualRecipient.LastName": provider.BankLastName,
	"BusinessRecipient.BusinessName": provider.BankBusinessName, "Address.AddressLine1": provider.BankLine1, "Address.AddressLine2": provider.BankLine2,
	"Address.City": provider.BankCity, "Address.Region": provider.BankRegion, "Address.PostalCode": provider.BankPostalCode,
}

// filled are those that NewBank fills in.
var filled = []string{"DisplayName", "Currency", "Country", "RecipientType", "PayoutMethodType", "RecipientScope", "Address.Country", "LocalBankTransfer.EUR.IBAN"} //nolint:gochecknoglobals // a table

// BankFields reads what a recipient in a country needs. docs.mangopay.com/api-reference/recipients/view-recipient-schema
func (c *Client) BankFields(ctx context.Context, kind provider.PayeeKind, country string) (list []provider.BankField, err error) {
	as := individual
	if kind == provider.PayeeLegal {
		as = business
	}
	query := url.Values{"payoutMethodType": {localTransfer}, "recipientType": {as}, "currency": {"EUR"}, "country": {country}}
	var schema map[string]json.RawMessage
	if err := c.call(ctx, request{act: "read what a bank account needs", method: "GET", path: "/recipients/schema", query: query, out: &schema}); err != nil {
		return nil, err
	}
	var walk func(path string, parts map[string]json.RawMessage) error
	walk = func(path string, parts map[string]json.RawMessage) error {
		var leaf struct {
			Required  *bool
			MaxLength *int
		}
		whole, _ := json.Marshal(parts) //nolint:errchkjson // it was read as that
		if json.Unmarshal(whole, &leaf) == nil && leaf.Required != nil {
			if at := strings.Index(path, "Address."); at > 0 {
				path = path[at:]
			}
			name, isAsked := bankFields[path]
			if !isAsked {
				if *leaf.Required && !slices.Contains(filled, path) {
					return fmt.Errorf("a bank account in %s needs %s: %w", country, path, provider.ErrRefused)
				}
				return nil
			}
			field := provider.BankField{Name: name, IsRequired: *leaf.Required}
			if leaf.MaxLength != nil {
				field.MaxLength = *leaf.MaxLength
			}
			list = append(list, field)
			return nil
		}
		for name, raw := range parts {
			var below map[string]json.RawMessage
			if json.Unmarshal(raw, &below) != nil || below == nil {
				continue // a part of another kind of recipient
			}
			if err := walk(strings.TrimPrefix(path+"."+name, "."), below); err != nil {
				return err
			}
		}
		return nil
	}
	if err := walk("", schema); err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b provider.BankField) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

var _ provider.PayeeBanks = (*Client)(nil)
