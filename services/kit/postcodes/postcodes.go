// Package postcodes knows the postcodes of the countries that most addresses are in, by the tables that the web app's forms read as well.
package postcodes

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/typed"
)

//go:embed without.json
var withoutJSON []byte

//go:embed forms.json
var formsJSON []byte

//nolint:gochecknoglobals // tables that are a part of the program
var (
	without = readWithout()
	forms   = readForms()
)

type form struct {
	pattern *regexp.Regexp
	example string
}

func readWithout() map[string]bool {
	var codes []string
	if err := json.Unmarshal(withoutJSON, &codes); err != nil {
		panic(fmt.Sprintf("without.json: %v", err)) // it is a part of the program
	}
	known := make(map[string]bool, len(codes))
	for _, code := range codes {
		known[code] = true
	}
	return known
}

func readForms() map[string]form {
	var said map[string]struct{ Pattern, Example string }
	if err := json.Unmarshal(formsJSON, &said); err != nil {
		panic(fmt.Sprintf("forms.json: %v", err))
	}
	known := make(map[string]form, len(said))
	for country, one := range said {
		known[country] = form{regexp.MustCompile("(?i)" + one.Pattern), one.Example}
	}
	return known
}

// AreNeeded reports whether an address in a country (ISO 3166-1 alpha-2) has to have a postcode. Those without are the ones whose format in libaddressinput has
// none, or does not require it; and Ireland, whose letters arrive without theirs.
func AreNeeded(country string) bool { return !without[country] }

// Read gives a postcode as it was typed, without what is not seen of it; of Finland its five digits. example is one of the country when it has another
// form; a country whose form is not known takes any.
func Read(country, said string) (code, example string) {
	code = typed.Line(said)
	f, isKnown := forms[country]
	switch {
	case code == "" || !isKnown:
		return code, ""
	case !f.pattern.MatchString(code):
		return "", f.example
	case country == "FI":
		code = strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, code)
	}
	return code, ""
}

// WithFault adds what is wrong with a postcode, if anything is: it has another form than those of its country.
func WithFault(faults *apperr.Error, path, country, said string) *apperr.Error {
	_, example := Read(country, said)
	switch {
	case example == "":
		return faults
	case country == "FI":
		return faults.WithField(path, apperr.RulePostcode)
	}
	return faults.WithField(path, apperr.RulePostcodeLike, apperr.Params{"example": example})
}
