package forum

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxUsername and minUsername are the forum's bounds of a username in characters, as its settings are delivered.
const (
	maxUsername = 20
	minUsername = 3
)

// username is the name that the forum is proposed: "Päivi Mäki-Ranta" becomes paivi_maki_ranta. The forum appends a
// number if somebody has it already, and knows the person by external_id. A name without enough Latin letters becomes
// talkoot_ and the person's number.
func username(p person) string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			return unicode.ToLower(r)
		case unicode.Is(unicode.Mn, r): // the dots of ä, once norm has taken them off
			return -1
		}
		return ' '
	}, norm.NFKD.String(p.FirstName+" "+p.LastName))
	name := strings.Join(strings.Fields(plain), "_")
	name = strings.TrimRight(name[:min(len(name), maxUsername)], "_")
	if len(name) < minUsername {
		return "talkoot_" + strconv.FormatInt(p.ID, 10)
	}
	return name
}
