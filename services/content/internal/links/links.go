// Package links decides which addresses that people name may be shown as links. It owns no data: what is written down
// stays as it was named, and what is unfit is left out wherever it is told.
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
	// topLevel is a name's last part: no number, which browsers would take for one of an IPv4 address.
	topLevel = regexp.MustCompile(`\.[a-z][a-z0-9-]*[a-z0-9]$`)
	names    = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.VerifyDNSLength(true))
)

// Safe gives an address that may stand as a link, and empty for everything else: only http and https, with a host that
// has a name, without a user or password, without characters that are not seen, and of bounded length.
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
