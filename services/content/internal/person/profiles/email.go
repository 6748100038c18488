package profiles

import (
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// longestName is how many bytes stand before the @ at most (RFC 5321): no server takes mail for more.
const longestName = 64

// lengths are those of a host name that can be looked up.
var lengths = idna.New(idna.MapForLookup(), idna.StrictDomainName(false), idna.VerifyDNSLength(true))

// IsEmail reports whether a normalised text (NormalEmail) is a plain e-mail address: without a display name, without
// invisible characters, and at a host name with a dot, in any script, of lengths that mail can be sent to. IP addresses are refused: by one, our mail server
// could be made to connect to any machine of our own network.
func IsEmail(address string) bool {
	parsed, err := mail.ParseAddress(address)
	if err != nil || parsed.Address != address || strings.ContainsFunc(address, unseen) {
		return false
	}
	name, host, _ := strings.Cut(address, "@")
	if _, err := lengths.ToASCII(host); err != nil || len(name) > longestName {
		return false
	}
	dot := strings.LastIndexByte(host, '.')
	first, _ := utf8.DecodeRuneInString(host[dot+1:])
	return dot >= 0 && unicode.IsLetter(first)
}

// NormalEmail is an address as it is stored and compared: as Pasted has it, in Unicode's NFC, because some keyboards write ä as a
// and a combining mark, and at the host that mail for it is sent to (IDNA), because who is blocked, or has had as many mails as an address
// gets, must not come back at gｍail.example. The capital İ is the i and its dot that it is in hosts: in lower case it would be a plain i,
// and the address another mailbox's, whose owner would have to share all that is compared by it.
func NormalEmail(typed string) string {
	address := strings.ReplaceAll(norm.NFC.String(strings.TrimSpace(Pasted(typed))), "\u0130", "i\u0307")
	at := strings.LastIndexByte(address, '@')
	host := address[at+1:]
	if !strings.ContainsFunc(host, func(r rune) bool { return r >= utf8.RuneSelf }) && !strings.Contains(strings.ToLower(host), "xn--") {
		return address
	}
	if mapped, err := idna.Lookup.ToUnicode(host); err == nil {
		host = mapped
	}
	return address[:at+1] + host
}

// Pasted is a number or address without the invisible marks that come along when it is copied from a contact, a page or a
// table, and with plain spaces and hyphens: address books put a number between marks of direction, and no-break spaces
// into it.
func Pasted(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u00ad', r == '\u061c', r == '\ufeff', '\u200b' <= r && r <= '\u200f', '\u202a' <= r && r <= '\u202e',
			'\u2060' <= r && r <= '\u2069':
			return -1
		case unicode.Is(unicode.Zs, r):
			return ' '
		case '\u2010' <= r && r <= '\u2015', r == '\u2212':
			return '-'
		}
		return r
	}, text)
}
