// Package fields reads what calls of several packages say in the same words: names and addresses, and where a browser is sent back to.
package fields

import (
	"strings"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/typed"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/provider"
)

// Text is a line as its reader sees it; "" of one in which nothing can be seen.
func Text(said string) string { return typed.Line(strings.ReplaceAll(said, "\x00", "")) }

// Optional is Text of what may be left out.
func Optional(said *string) string {
	if said == nil {
		return ""
	}
	return Text(*said)
}

// Address is an address as its reader sees it, with the faults of its fields, whose paths begin with at, added to others.
func Address(a api.OwnerAddress, at string, faults *apperr.Error) (provider.Address, *apperr.Error) {
	out := provider.Address{Line1: Text(a.AddressLine1), Line2: Optional(a.AddressLine2), City: Text(a.City), PostalCode: Text(a.PostalCode), Country: a.Country}
	for _, f := range []struct{ name, said string }{{"AddressLine1", out.Line1}, {"City", out.City}, {"PostalCode", out.PostalCode}} {
		if f.said == "" {
			faults = faults.WithField(at+f.name, apperr.RuleRequired)
		}
	}
	return out, faults
}
