package campaigns

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxSlug is the longest slug, in characters.
const maxSlug = 80

// untitled is the slug of a campaign without a title, by language.
var untitled = map[string]string{"fi": "luonnos", "en": "draft", "sv": "utkast"}

// plainLetters has what is written otherwise in slugs, where dropping their marks is not enough.
var plainLetters = strings.NewReplacer("ß", "ss", "æ", "ae", "ø", "o", "đ", "d", "ð", "d", "þ", "th", "ł", "l", "œ", "oe",
	"ı", "i")

// SlugOf is a title as it is in an address: a to z and digits, words joined by hyphens, at most 80 characters. A title
// without such letters gives the language's word for a draft.
func SlugOf(title, language string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(plainLetters.Replace(strings.ToLower(title))) {
		switch {
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’': // the marks of ä, ö, å; an apostrophe joins
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		default:
			gap = true
		}
	}
	slug := b.String()
	if len(slug) > maxSlug {
		whole := slug[:maxSlug+1]
		slug = slug[:maxSlug]
		if at := strings.LastIndexByte(whole, '-'); at > maxSlug/2 { // between words
			slug = whole[:at]
		}
	}
	if slug = strings.Trim(slug, "-"); slug == "" {
		return untitled[language]
	}
	return slug
}
