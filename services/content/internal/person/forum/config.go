package forum

import (
	"errors"
	"fmt"
	"net"
	"net/url"
)

// MinSecretLength is the shortest secret in bytes.
const MinSecretLength = 32

// Config says which forum there is; the zero value is none.
type Config struct {
	// Secret is shared with the forum (its setting discourse_connect_secret).
	Secret []byte
	// ReturnURLs are the addresses at the forum that answers may go to, such as https://forum.example/session/sso_login.
	// The first is for requests that name none.
	ReturnURLs []string
}

// Validate refuses a secret without addresses, addresses without a secret, a secret that is too short, and addresses
// that are more than origin and path or that the answer would reach in the clear over a network.
func (c Config) Validate() error {
	if len(c.Secret) == 0 && len(c.ReturnURLs) == 0 {
		return nil
	}
	var faults []error
	if len(c.Secret) < MinSecretLength {
		faults = append(faults, fmt.Errorf("DISCOURSE_CONNECT_SECRET must have at least %d bytes", MinSecretLength))
	}
	if len(c.ReturnURLs) == 0 {
		faults = append(faults, errors.New("FORUM_RETURN_URLS must name where the forum of DISCOURSE_CONNECT_SECRET takes answers"))
	}
	for _, address := range c.ReturnURLs {
		if !isReturnURL(address) {
			faults = append(faults, fmt.Errorf("FORUM_RETURN_URLS: %q is not https://host/path without a query", address))
		}
	}
	return errors.Join(faults...)
}

func isReturnURL(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Path == "" || address != u.Scheme+"://"+u.Host+u.EscapedPath() {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && isThisMachine(u.Hostname())
}

func isThisMachine(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
