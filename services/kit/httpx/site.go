package httpx

import (
	"net/url"
	"strings"
)

// IsOfSite reports whether an address is one of a site, whose own is given without a path: a browser may be sent back there. What a browser
// and we could read differently is none.
func IsOfSite(site, address string) bool {
	site = strings.TrimSuffix(site, "/") + "/"
	to, err := url.Parse(address)
	return err == nil && strings.HasPrefix(address, site) && to.User == nil && to.Scheme+"://"+to.Host+"/" == site && !strings.Contains(address, `\`)
}
