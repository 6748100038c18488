package profiles

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"talkoot.fi/kit/apperr"
)

// CheckNames returns the rules of the catalogue that a person's names break, empty for one that is fine. Names are
// shown to everybody and in mails: they need a visible character, and may have no line breaks, control or invisible
// characters, nothing that a mail reader would turn into a link, no phone number, and not look like the platform's staff, alone or
// together.
func CheckNames(first, last string) (firstRule, lastRule string) {
	firstRule, lastRule = CheckName(first), CheckName(last)
	if lastRule == apperr.RuleNameReserved && isBrandAlone(last) {
		lastRule = ""
	}
	if firstRule == "" && lastRule == "" && looksLikeStaff(first+" "+last) {
		firstRule = apperr.RuleNameReserved
	}
	return firstRule, lastRule
}

// CheckName is the same for a single name, such as an association's.
func CheckName(name string) string {
	visible := false
	letters := []rune(name)
	for i, r := range letters {
		if unseen(r) && !joins(letters, i) {
			return apperr.RuleFormat
		}
		visible = visible || unicode.IsGraphic(r) && !unicode.IsSpace(r)
	}
	switch {
	case !visible:
		return apperr.RuleRequired
	case hasLink(plainDots(name)):
		return apperr.RuleNameLink
	case digits(name) > mostDigits:
		return apperr.RuleNamePhone
	case looksLikeStaff(name):
		return apperr.RuleNameReserved
	}
	return ""
}

// PastedName is a name without what comes along unseen when it is copied: space and invisible marks around it, such as those of direction
// that address books put there, and the hyphens at which a text may be broken. What else is unseen in it is refused (CheckName).
func PastedName(name string) string {
	return strings.TrimFunc(strings.ReplaceAll(name, "\u00ad", ""), func(r rune) bool { return r != 0 && (unicode.IsSpace(r) || unseen(r)) })
}

// mostDigits is how many digits a name has: a year, but no phone number.
const mostDigits = 5

// digits is how many digits of any script a name has, however they are written and set apart.
func digits(name string) (n int) {
	for _, r := range norm.NFKC.String(name) {
		if unicode.IsNumber(r) {
			n++
		}
	}
	return n
}

// ShownName is a person's name as others see it: Leena Hakkarainen, or Leena H. when the last name is shown by its initial.
func ShownName(first, last string, initial bool) string {
	if letter, size := utf8.DecodeRuneInString(last); initial && size > 0 {
		last = string(letter) + "."
	}
	return first + " " + last
}

// joining are the scripts whose ordinary spelling has joiners (U+200C, U+200D) between letters, such as Persian names.
var joining = []*unicode.RangeTable{unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
	unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer}

// joins reports whether the character is a joiner between two letters of one script that has it.
func joins(name []rune, i int) bool {
	if r := name[i]; r != '\u200c' && r != '\u200d' || i == 0 || i == len(name)-1 {
		return false
	}
	return slices.ContainsFunc(joining, func(script *unicode.RangeTable) bool {
		return unicode.Is(script, name[i-1]) && unicode.Is(script, name[i+1])
	})
}

// unseen reports whether a character is a control character, a line separator or invisible.
func unseen(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || invisible[r]
}

// invisible are characters of category letter or symbol that are invisible.
var invisible = map[rune]bool{'\u034f': true, '\u115f': true, '\u1160': true, '\u17b4': true, '\u17b5': true, '\u2800': true, '\u3164': true, '\uffa0': true}

// linkParts is what mail readers recognise as an address: a scheme, www., a dot between words, an at sign.
var linkParts = regexp.MustCompile(`(?i)://|\bwww\s*\.|[\pL\pM\pN-]\.[\pL\pM\pN-]{2,}|@`)

// hasLink reports whether a name that plainDots has normalised contains linkParts. The cheap check rules out most names.
func hasLink(name string) bool {
	return strings.ContainsAny(name, ":.@") && linkParts.MatchString(name)
}

// plainDots replaces Unicode variants of dots, slashes and letters by the plain ones (NFKC).
func plainDots(name string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\u3002', '\uff61', '\u2024':
			return '.'
		}
		return r
	}, norm.NFKC.String(name))
}

// WithoutLinks is a name for use in a mail: addresses in it are broken up by spaces, so that no mail reader makes a
// link. It is for titles of campaigns, and for names that were stored before CheckNames.
func WithoutLinks(name string) string {
	seen := plainDots(name)
	if !hasLink(seen) {
		return name
	}
	apart := strings.NewReplacer("://", ": ", ".", ". ", "@", " at ").Replace(seen)
	return strings.Join(strings.Fields(apart), " ")
}

// CheckShown is the rule that the name of somebody else breaks, such as of a foundation that gives money: only that it looks like the
// platform's staff, an office's or a payment service's.
func CheckShown(name string) string {
	if looksLikeStaff(name) {
		return apperr.RuleNameReserved
	}
	return ""
}
