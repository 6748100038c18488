package httpx

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
)

// ParseProxies reads the networks of Options.TrustedProxies, such as 10.0.0.0/8. Errors: every one that is malformed.
func ParseProxies(networks []string) ([]netip.Prefix, error) {
	var list []netip.Prefix
	var faults []error
	for _, network := range networks {
		prefix, err := netip.ParsePrefix(strings.TrimSpace(network))
		if err != nil {
			faults = append(faults, fmt.Errorf("%q is no network such as 10.0.0.0/8", network))
			continue
		}
		list = append(list, prefix)
	}
	return list, errors.Join(faults...)
}
