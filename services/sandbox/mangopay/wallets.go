package mangopay

import (
	"net/http"
	"strings"
)

// Money is an amount in minor units.
type Money struct {
	Currency string `json:"Currency" rule:"required,in=EUR|GBP|USD|SEK|NOK|DKK|CHF|PLN|CZK|HUF"`
	Amount   int64  `json:"Amount" rule:"required"`
}

func (m Money) plus(amount int64) Money { return Money{m.Currency, m.Amount + amount} }

const (
	fundsDefault = "DEFAULT"
	fundsFees    = "FEES"
	fundsCredit  = "CREDIT"
)

// wallet is a user's, or without owners the client's.
type wallet struct {
	ID           string   `json:"Id"`
	Tag          *string  `json:"Tag"`
	CreationDate int64    `json:"CreationDate"`
	Owners       []string `json:"Owners"`
	Description  string   `json:"Description"`
	Currency     string   `json:"Currency"`
	Balance      Money    `json:"Balance"`
	FundsType    string   `json:"FundsType"`
}

func (w *wallet) shown() any {
	if len(w.Owners) > 0 {
		return w
	}
	return struct {
		ID           string  `json:"Id"`
		Tag          *string `json:"Tag"`
		CreationDate int64   `json:"CreationDate"`
		Currency     string  `json:"Currency"`
		Balance      Money   `json:"Balance"`
		FundsType    string  `json:"FundsType"`
	}{w.ID, w.Tag, w.CreationDate, w.Currency, w.Balance, w.FundsType}
}

// move adds to a wallet's balance.
func (c *call) move(id string, amount int64) error {
	if amount == 0 {
		return nil
	}
	w, err := get(c.tx, wallets, "Wallet", id)
	if err != nil {
		return err
	}
	w.Balance = w.Balance.plus(amount)
	return wallets.Put(c.tx, w)
}

// clientWallet is the id of the client's wallet of a kind and currency, which is made when it is first needed.
func (c *call) clientWallet(funds, currency string) (string, error) {
	id := funds + "_" + currency
	w, err := wallets.Find(c.tx, id)
	if err != nil || w != nil {
		return id, err
	}
	return id, wallets.Put(c.tx, &wallet{ID: id, CreationDate: c.now, Currency: currency, FundsType: funds, Balance: Money{Currency: currency}})
}

func makeWallet(c *call) (any, error) {
	in, err := decode[struct {
		Tag         *string  `json:"Tag" rule:"max=255"`
		Owners      []string `json:"Owners" rule:"required"`
		Currency    string   `json:"Currency" rule:"required,in=EUR|GBP|USD|SEK|NOK|DKK|CHF|PLN|CZK|HUF"`
		Description string   `json:"Description" rule:"required,max=255"`
	}](c)
	if err != nil {
		return nil, err
	}
	if len(in.Owners) != 1 {
		return nil, paramError("Owners", "A wallet has one owner.")
	}
	if _, err := c.person(in.Owners[0], ""); err != nil {
		return nil, err
	}
	w := &wallet{ID: c.newID("wlt"), Tag: in.Tag, CreationDate: c.now, Owners: in.Owners, Description: in.Description, Currency: in.Currency,
		Balance: Money{Currency: in.Currency}, FundsType: fundsDefault}
	return w, wallets.Put(c.tx, w)
}

// userWallet finds a wallet that is a user's.
func (c *call) userWallet(id string) (*wallet, *user, error) {
	w, err := get(c.tx, wallets, "Wallet", id)
	if err != nil {
		return nil, nil, err
	}
	if len(w.Owners) == 0 {
		return nil, nil, notFound("Wallet", id)
	}
	u, err := c.person(w.Owners[0], "")
	return w, u, err
}

func getWallet(c *call) (any, error) {
	w, u, err := c.userWallet(c.ids["id"])
	if err != nil {
		return nil, err
	}
	return w, readable(c, u)
}

func changeWallet(c *call) (any, error) {
	w, _, err := c.userWallet(c.ids["id"])
	if err != nil {
		return nil, err
	}
	in := struct {
		Tag         *string `json:"Tag" rule:"max=255"`
		Description string  `json:"Description" rule:"max=255"`
	}{w.Tag, w.Description}
	if err := c.decodeInto(&in, true); err != nil {
		return nil, err
	}
	w.Tag, w.Description = in.Tag, in.Description
	return w, wallets.Put(c.tx, w)
}

func walletTransactions(c *call) (any, error) {
	w, u, err := c.userWallet(c.ids["id"])
	if err == nil {
		err = readable(c, u)
	}
	if err != nil {
		return nil, err
	}
	return listed(c, transactions, "wallet="+w.ID, c.youngTransaction)
}

func clientWallets(c *call) (any, error) {
	funds, currency := strings.ToUpper(c.ids["funds"]), strings.ToUpper(c.ids["currency"])
	return listed(c, wallets, "client", func(w *wallet) (any, bool) {
		return w.shown(), (funds == "" || w.FundsType == funds) && (currency == "" || w.Currency == currency)
	})
}

// clientWalletOf shows one of the client's wallets; one that nothing has moved is empty.
func clientWalletOf(c *call) (any, error) {
	funds, currency := strings.ToUpper(c.ids["funds"]), strings.ToUpper(c.ids["currency"])
	if funds != fundsFees && funds != fundsCredit {
		return nil, notFound("Wallet", funds)
	}
	w, err := wallets.Find(c.tx, funds+"_"+currency)
	if err == nil && w == nil {
		w = &wallet{ID: funds + "_" + currency, Currency: currency, FundsType: funds, Balance: Money{Currency: currency}}
	}
	if err != nil {
		return nil, err
	}
	return w.shown(), nil
}

func clientTransactions(c *call) (any, error) {
	return listed(c, transactions, "wallet="+strings.ToUpper(c.ids["funds"]+"_"+c.ids["currency"]), c.youngTransaction)
}

func walletRoutes() []route {
	return []route{
		{http.MethodPost, "wallets", makeWallet},
		{http.MethodGet, "wallets/{id}", getWallet},
		{http.MethodPut, "wallets/{id}", changeWallet},
		{http.MethodGet, "wallets/{id}/transactions", walletTransactions},
		{http.MethodGet, "wallets/{id}/disputes", disputesOf("wallet=", func(c *call, id string) error { _, _, err := c.userWallet(id); return err })},
		{http.MethodGet, "clients/wallets", clientWallets},
		{http.MethodGet, "clients/wallets/{funds}", clientWallets},
		{http.MethodGet, "clients/wallets/{funds}/{currency}", clientWalletOf},
		{http.MethodGet, "clients/wallets/{funds}/{currency}/transactions", clientTransactions},
	}
}
