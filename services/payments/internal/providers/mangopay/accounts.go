package mangopay

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"

	"talkoot.fi/payments/internal/provider"
)

// docs.mangopay.com/api-reference/bank-accounts/bank-account-object
//
//nolint:revive // the wire's
type bankAccount struct {
	Id           string
	OwnerName    string
	OwnerAddress ownerAddress
	IBAN         string
	Type         string
	Active       bool
}

type ownerAddress struct {
	AddressLine1 string
	AddressLine2 string `json:",omitempty"`
	City         string
	PostalCode   string
	Country      string
}

func (a bankAccount) account() provider.BankAccount {
	out := provider.BankAccount{Ref: a.Id, OwnerName: a.OwnerName, Address: provider.Address{
		Line1: a.OwnerAddress.AddressLine1, Line2: a.OwnerAddress.AddressLine2, City: a.OwnerAddress.City,
		PostalCode: a.OwnerAddress.PostalCode, Country: a.OwnerAddress.Country}}
	if len(a.IBAN) > 2 {
		out.Country = a.IBAN[:2]
		out.Masked = out.Country + "•• " + lastFour(a.IBAN)
	}
	return out
}

// BankAccounts lists a payer's accounts that are active and have an IBAN.
func (c *Client) BankAccounts(ctx context.Context, payer string) (list []provider.BankAccount, err error) {
	err = c.eachAccount(ctx, payer, func(a bankAccount) { list = append(list, a.account()) })
	return list, err
}

func (c *Client) eachAccount(ctx context.Context, payer string, fn func(bankAccount)) error {
	if !isID(payer) {
		return fmt.Errorf("a payer: %w", provider.ErrNotFound)
	}
	return each(ctx, c, "list accounts of "+payer, "/users/"+payer+"/bankaccounts", url.Values{}, func(a bankAccount) error {
		if a.Active && a.Type == "IBAN" {
			fn(a)
		}
		return nil
	})
}

// NewBankAccount adds one. Those who add one number at once add it once, by the key. docs.mangopay.com/api-reference/bank-accounts/create-iban-bank-account
func (c *Client) NewBankAccount(ctx context.Context, o provider.BankAccountOrder) (provider.BankAccount, error) {
	var same *provider.BankAccount
	err := c.eachAccount(ctx, o.Payer, func(a bankAccount) {
		if a.IBAN == o.IBAN {
			known := a.account()
			same = &known
		}
	})
	if err != nil {
		return provider.BankAccount{}, err
	}
	if same != nil {
		return *same, nil
	}
	var made bankAccount
	number := sha256.Sum256([]byte(o.IBAN))
	key := "account:" + o.Payer + ":" + hex.EncodeToString(number[:])
	// A failure that is stored under the key would be repeated for a day: then a key of the minute is tried.
	for _, key := range []string{key, key + ":" + c.config.Now().UTC().Format("2006-01-02T15:04")} {
		_, err = c.post(ctx, "add an account of "+o.Payer, "/users/"+o.Payer+"/bankaccounts/iban", key,
			map[string]any{"OwnerName": o.OwnerName, "IBAN": o.IBAN, "OwnerAddress": ownerAddress{AddressLine1: o.Address.Line1,
				AddressLine2: o.Address.Line2, City: o.Address.City, PostalCode: o.Address.PostalCode, Country: o.Address.Country}}, &made)
		if !errors.Is(err, provider.ErrBurned) {
			break
		}
	}
	return made.account(), err
}

// Mandates lists a payer's mandates that can be debited by.
func (c *Client) Mandates(ctx context.Context, payer string) (list []provider.Mandate, err error) {
	if !isID(payer) {
		return nil, fmt.Errorf("a payer: %w", provider.ErrNotFound)
	}
	err = each(ctx, c, "list mandates of "+payer, "/users/"+payer+"/mandates", url.Values{}, func(m mandate) error {
		if m.isUsable() {
			list = append(list, provider.Mandate{Ref: mandatesAt + m.Id, Account: m.BankAccountId, HasPaid: m.Status == mandateActive})
		}
		return nil
	})
	return list, err
}

// forgetAccounts ends a payer's bank accounts for good.
func (c *Client) forgetAccounts(ctx context.Context, payer string) error {
	var ids []string
	err := c.eachAccount(ctx, payer, func(a bankAccount) { ids = append(ids, a.Id) })
	for _, id := range ids {
		if err != nil {
			return err
		}
		err = c.put(ctx, "end account "+id, "/users/"+payer+"/bankaccounts/"+id, map[string]any{"Active": false}, nil)
	}
	return err
}
