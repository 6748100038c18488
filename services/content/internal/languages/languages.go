// Package languages chooses the language of an answer: the one in the address, else that of Accept-Language, else
// Finnish. The texts themselves belong to the domains.
package languages

import (
	"context"
	"strings"

	"talkoot.fi/kit/httpx"
)

// All lists the platform's languages, the default first.
var All = [...]string{"fi", "en", "sv"}

// Of is the platform's code of a language; Finnish for an unknown one.
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

// Prefix is the beginning of a page's path: "/" in Finnish, "/en/" in English.
func Prefix(language string) string {
	if language == All[0] {
		return "/"
	}
	return "/" + language + "/"
}
