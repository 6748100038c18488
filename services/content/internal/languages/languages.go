// Package languages is how the platform picks a language: what the caller asked for in the address, else what the
// request says of its reader, else Finnish. Texts themselves belong to their domains.
package languages

import (
	"context"
	"strings"

	"talkoot.fi/kit/httpx"
)

// All lists the platform's languages, its own first.
var All = [...]string{"fi", "en", "sv"}

// Of is a language as the database knows it; what is unknown reads as Finnish.
func Of(language string) string {
	lower := strings.ToLower(language)
	for _, known := range All {
		if lower == known {
			return known
		}
	}
	return All[0]
}

// OfQuery is the language asked for explicitly, else the one that the request's headers prefer.
func OfQuery(ctx context.Context, asked *string) string {
	if asked != nil {
		return Of(*asked)
	}
	return Of(httpx.Lang(ctx))
}

// Prefix is what a page's path in a language begins with: "/" in the platform's own, "/en/" in English.
func Prefix(language string) string {
	if language == All[0] {
		return "/"
	}
	return "/" + language + "/"
}
