package fields

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/typed"
)

//go:embed sepa.json
var sepaJSON []byte

// Area is where bank accounts are of the euro's transfers and debits. The web app has the same list.
type Area struct {
	// Countries are where the owner of an account may live, ISO 3166-1 alpha-2.
	Countries []string `json:"countries"`
	// IBANLengths are the countries whose numbers are taken, and how many signs those have. Guernsey, Jersey and Man have British ones.
	IBANLengths map[string]int `json:"iban_lengths"`
	// NotDebited are those of them whose accounts take no mandate.
	NotDebited []string `json:"not_debited"`
}

// SEPA is that area.
var SEPA = readSEPA() //nolint:gochecknoglobals // a part of the program

func readSEPA() (out Area) {
	if err := json.Unmarshal(sepaJSON, &out); err != nil {
		panic(fmt.Sprintf("sepa.json: %v", err)) // it is a part of the program
	}
	return out
}

// HasCountry tells whether the owner of an account may live there.
func (a Area) HasCountry(code string) bool { return slices.Contains(a.Countries, code) }

// IsDebited tells whether an account of a country takes mandates.
func (a Area) IsDebited(country string) bool { return !slices.Contains(a.NotDebited, country) }

// IBAN gives an account's number without what people write for readability, or the rule that it breaks.
func IBAN(text string) (iban, broken string) {
	iban = strings.TrimPrefix(typed.Number(text), "IBAN")
	if len(iban) < 5 || strings.Trim(iban[:2], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || strings.Trim(iban[2:4], "0123456789") != "" {
		return "", apperr.RuleIBAN
	}
	length, isKnown := SEPA.IBANLengths[iban[:2]]
	switch {
	case !isKnown:
		return "", apperr.RuleIBANCountry
	case len(iban) != length || remainder(iban[4:]+iban[:4]) != 1:
		return "", apperr.RuleIBAN
	}
	return iban, ""
}

// remainder is that of a number with letters as 10 to 35, divided by 97; -1 when it has other signs (ISO 7064, MOD 97-10).
func remainder(text string) int {
	rest := 0
	for _, sign := range []byte(text) {
		switch {
		case sign >= '0' && sign <= '9':
			rest = (rest*10 + int(sign-'0')) % 97
		case sign >= 'A' && sign <= 'Z':
			rest = (rest*100 + int(sign-'A') + 10) % 97
		default:
			return -1
		}
	}
	return rest
}
