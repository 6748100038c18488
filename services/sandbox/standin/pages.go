package standin

import (
	_ "embed"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// PagesCSS is the style of the pages that payers see.
//
//go:embed pages.css
var PagesCSS string

// FormatAmount writes minor units for a reader: 12,50 € or €12.50.
func FormatAmount(minor int64, currency, lang string) string {
	whole, cents := strconv.FormatInt(minor/100, 10), fmt.Sprintf("%02d", minor%100)
	gap := "\u00a0"
	separator, point := gap, ","
	if lang == "en" {
		separator, point = ",", "."
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + separator + whole[i:]
	}
	number := whole + point + cents
	switch {
	case !strings.EqualFold(currency, "eur"):
		return number + gap + strings.ToUpper(currency)
	case lang == "en":
		return "€" + number
	default:
		return number + gap + "€"
	}
}

// Language picks fi, en or sv: the first of the wanted ones that is one of them, else the browser's, else English.
func Language(r *http.Request, wanted ...string) string {
	for _, list := range append(wanted, r.Header.Get("Accept-Language")) {
		for part := range strings.SplitSeq(list, ",") {
			part = strings.ToLower(strings.TrimSpace(part))
			for _, lang := range []string{"fi", "en", "sv"} {
				if strings.HasPrefix(part, lang) {
					return lang
				}
			}
		}
	}
	return "en"
}
