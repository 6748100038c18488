package mangopay

import (
	"net/http"
	"regexp"
	"strings"
)

// account is a bank account of a user, from which mandates debit.
type account struct {
	ID           string  `json:"Id"`
	Tag          *string `json:"Tag"`
	CreationDate int64   `json:"CreationDate"`
	UserID       string  `json:"UserId"`
	Type         string  `json:"Type"`
	OwnerName    string  `json:"OwnerName"`
	OwnerAddress address `json:"OwnerAddress"`
	IBAN         string  `json:"IBAN"`
	BIC          *string `json:"BIC"`
	Active       bool    `json:"Active"`
}

func addAccount(c *call) (any, error) {
	u, err := c.person(c.ids["user"], "")
	if err != nil {
		return nil, err
	}
	in, err := decode[struct {
		Tag          *string `json:"Tag" rule:"max=255"`
		OwnerName    string  `json:"OwnerName" rule:"required,max=255"`
		OwnerAddress address `json:"OwnerAddress" rule:"required"`
		IBAN         string  `json:"IBAN" rule:"required"`
		BIC          *string `json:"BIC"`
		Type         *string `json:"Type" rule:"in=IBAN"`
	}](c)
	if err != nil {
		return nil, err
	}
	iban := strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(in.IBAN))
	faults := map[string]string{}
	if !validIBAN(iban) {
		faults["IBAN"] = "The IBAN is not valid."
	}
	if in.BIC != nil && !bic.MatchString(*in.BIC) {
		faults["BIC"] = "The BIC is not valid."
	}
	if len(faults) > 0 {
		return nil, paramErrors(faults)
	}
	a := &account{ID: c.newID("bankacc"), Tag: in.Tag, CreationDate: c.now, UserID: u.ID, Type: "IBAN", OwnerName: in.OwnerName,
		OwnerAddress: in.OwnerAddress, IBAN: iban, BIC: in.BIC, Active: true}
	return a, accounts.Put(c.tx, a)
}

func (c *call) account(userID, id string) (*account, error) {
	if _, err := c.person(userID, ""); err != nil {
		return nil, err
	}
	a, err := get(c.tx, accounts, "BankAccount", id)
	if err == nil && a.UserID != userID {
		return nil, notFound("BankAccount", id)
	}
	return a, err
}

func getAccount(c *call) (any, error) { return c.account(c.ids["user"], c.ids["id"]) }

func changeAccount(c *call) (any, error) {
	a, err := c.account(c.ids["user"], c.ids["id"])
	if err != nil {
		return nil, err
	}
	in, err := decode[struct {
		Active *bool `json:"Active" rule:"required"`
	}](c)
	if err != nil {
		return nil, err
	}
	if *in.Active && !a.Active {
		return nil, paramError("Active", "An account that was deactivated stays so.")
	}
	a.Active = *in.Active
	return a, accounts.Put(c.tx, a)
}

func accountRoutes() []route {
	return []route{
		{http.MethodPost, "users/{user}/bankaccounts/iban", addAccount},
		{http.MethodGet, "users/{user}/bankaccounts", ofUser(accounts, whole[account], nil)},
		{http.MethodGet, "users/{user}/bankaccounts/{id}", getAccount},
		{http.MethodPut, "users/{user}/bankaccounts/{id}", changeAccount},
		{http.MethodGet, "users/{user}/bankaccounts/{id}/mandates", accountMandates},
	}
}

var bic = regexp.MustCompile(`^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$`)

// ibanLengths are the lengths of the IBANs of each country.
var ibanLengths = map[string]int{
	"AD": 24, "AL": 28, "AT": 20, "BE": 16, "BG": 22, "CH": 21, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "EE": 20, "ES": 24, "FI": 18,
	"FR": 27, "GB": 22, "GI": 23, "GR": 27, "HR": 21, "HU": 28, "IE": 22, "IS": 26, "IT": 27, "LI": 21, "LT": 20, "LU": 20, "LV": 21,
	"MC": 27, "MD": 24, "ME": 22, "MK": 19, "MT": 31, "NL": 18, "NO": 15, "PL": 28, "PT": 25, "RO": 24, "RS": 22, "SE": 24, "SI": 19,
	"SK": 24, "SM": 27, "VA": 22,
}

// validIBAN checks a compact IBAN: its country's length, and that it leaves 1 modulo 97.
func validIBAN(iban string) bool {
	if len(iban) < 5 || ibanLengths[iban[:2]] != len(iban) {
		return false
	}
	rest := 0
	for _, r := range iban[4:] + iban[:4] {
		switch {
		case r >= '0' && r <= '9':
			rest = (rest*10 + int(r-'0')) % 97
		case r >= 'A' && r <= 'Z':
			rest = (rest*100 + int(r-'A') + 10) % 97
		default:
			return false
		}
	}
	return rest == 1
}
