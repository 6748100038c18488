// Package links decides which user-given addresses may be shown as links. Addresses are stored as they were given;
// unsafe ones are left out of answers, mails and pages.
package links

import (
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// maxLen is the longest address in bytes; browsers and mails cut longer ones.
const maxLen = 2000

var (
	port = regexp.MustCompile(`^[0-9]{0,5}$`)
	// topLevel is the last label of a host name: not a number, which browsers would read as part of an IPv4 address.
	topLevel = regexp.MustCompile(`\.[a-z][a-z0-9-]*[a-z0-9]$`)
	names    = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.VerifyDNSLength(true))
)

// Safe returns the address if it may be shown as a link, else an empty text: only http and https, with a host name,
// without user or password, without invisible characters, at most maxLen bytes.
func Safe(address string) string {
	address = strings.TrimSpace(address)
	if address == "" || len(address) > maxLen || strings.ContainsFunc(address, unseen) || strings.ContainsAny(address, "\\\"<>`") {
		return ""
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Opaque != "" || !port.MatchString(u.Port()) {
		return ""
	}
	host, err := names.ToASCII(u.Hostname())
	if err != nil || !topLevel.MatchString(host) {
		return ""
	}
	return address
}

func unseen(r rune) bool {
	return unicode.IsControl(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar
}
