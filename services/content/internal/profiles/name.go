package profiles

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"talkoot.fi/kit/apperr"
)

// CheckNames returns the rules of the catalogue that a person's names break, empty for one that is fine. Names are shown
// to everybody and stand in mails: they need something to see, no line breaks, reversed or invisible writing, no address
// that a mail reader would make a link of, and neither of them, nor both together, may pass for the platform's staff.
func CheckNames(first, last string) (firstRule, lastRule string) {
	firstRule, lastRule = CheckName(first), CheckName(last)
	if firstRule == "" && lastRule == "" && isStaffs(first+" "+last) {
		firstRule = apperr.RuleNameReserved
	}
	return firstRule, lastRule
}

// CheckName is the same for a name that is one text, such as an association's.
func CheckName(name string) string {
	visible := false
	for _, r := range name {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || blank[r] {
			return apperr.RuleFormat
		}
		visible = visible || unicode.IsGraphic(r) && !unicode.IsSpace(r)
	}
	switch {
	case !visible:
		return apperr.RuleRequired
	case hasLink(dotted(name)):
		return apperr.RuleNameLink
	case isStaffs(name):
		return apperr.RuleNameReserved
	}
	return ""
}

// blank are letters and signs that show nothing.
var blank = map[rune]bool{'\u034f': true, '\u115f': true, '\u1160': true, '\u17b4': true, '\u17b5': true, '\u2800': true, '\u3164': true, '\uffa0': true}

// linkParts are what makes mail readers see an address: a scheme, www., a dot between words, an at sign.
var linkParts = regexp.MustCompile(`(?i)://|\bwww\s*\.|[\pL\pM\pN-]\.[\pL\pM\pN-]{2,}|@`)

// hasLink reports whether a name as dotted writes it has any of them. Most names have none of their signs.
func hasLink(name string) bool {
	return strings.ContainsAny(name, ":.@") && linkParts.MatchString(name)
}

// dotted writes all kinds of dots, slashes and letters in one way.
func dotted(name string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\u3002', '\uff61', '\u2024':
			return '.'
		}
		return r
	}, norm.NFKC.String(name))
}

// WithoutLinks is a name as it may stand in a mail: an address in it is taken apart, so that nobody's reader makes a link
// of it. It is for names from before CheckNames and of campaigns.
func WithoutLinks(name string) string {
	seen := dotted(name)
	if !hasLink(seen) {
		return name
	}
	apart := strings.NewReplacer("://", ": ", ".", ". ", "@", " at ").Replace(seen)
	return strings.Join(strings.Fields(apart), " ")
}
