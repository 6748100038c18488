// Package outgoing makes requests to addresses on the Internet that users may have influenced, and keeps them away from
// our own network (server-side request forgery). It is the one client for hosts that are not configured services.
//
// Invariants: a connection is made to public addresses only, and it is the address that is connected to that is
// checked, whatever a name resolved to before (DNS rebinding); a redirect stays on the allowed hosts and on HTTPS; time
// and size of an answer are bounded; no cookies, no credentials, and no proxy, behind which the address could not be
// checked.
package outgoing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"syscall"
	"time"
)

const (
	// timeout bounds a request with its redirects.
	timeout = 5 * time.Second
	// maxAnswer is the largest answer in bytes.
	maxAnswer = 256 << 10
	// maxRedirects is how many redirects are followed.
	maxRedirects = 3
	// userAgent says who asks.
	userAgent = "Talkoot/1.0"
)

// Errors of this package; test with errors.Is.
var (
	// ErrNotAllowed is an address that must not be asked: of another host, not HTTPS, or in a network that is not public.
	ErrNotAllowed = errors.New("address not allowed")
	// ErrTooLarge is an answer that is larger than the bound.
	ErrTooLarge = errors.New("answer too large")
)

// Options says whom a Client may ask.
type Options struct {
	// Hosts are the names that may be asked, with HTTPS on its own port.
	Hosts []string
	// Loopback is the origin of a stand-in on this machine, such as http://localhost:8090; empty for none. It may be asked
	// too, and loopback addresses are then allowed for it.
	Loopback string
}

// Client asks the allowed hosts. It is safe for concurrent use.
type Client struct {
	hosts    []string
	loopback *url.URL
	http     *http.Client
}

// New makes a client. Error: a Loopback that is not the address of this machine.
func New(o Options) (*Client, error) {
	c := &Client{hosts: o.Hosts}
	if o.Loopback != "" {
		u, err := url.Parse(o.Loopback)
		if err != nil || !isLoopback(u.Hostname()) {
			return nil, errors.New("a stand-in has to be on this machine")
		}
		c.loopback = u
	}
	dialer := &net.Dialer{Timeout: timeout, ControlContext: c.control}
	c.http = &http.Client{
		Timeout: timeout,
		Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 2, IdleConnTimeout: time.Minute,
			TLSHandshakeTimeout: timeout, ResponseHeaderTimeout: timeout, MaxResponseHeaderBytes: 64 << 10,
			ForceAttemptHTTP2: true},
		CheckRedirect: func(r *http.Request, earlier []*http.Request) error {
			if len(earlier) > maxRedirects {
				return fmt.Errorf("%w: more than %d redirects", ErrNotAllowed, maxRedirects)
			}
			return c.check(r.URL)
		},
	}
	return c, nil
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Get asks an address and returns status and body. Errors: ErrNotAllowed; ErrTooLarge; those of the network.
func (c *Client) Get(ctx context.Context, address string) (status int, body []byte, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return 0, nil, fmt.Errorf("%w: %w", ErrNotAllowed, err)
	}
	if err := c.check(u); err != nil {
		return 0, nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return 0, nil, fmt.Errorf("make request: %w", err)
	}
	r.Header.Set("User-Agent", userAgent)
	r.Header.Set("Accept", "application/json")
	answer, err := c.http.Do(r)
	if err != nil {
		return 0, nil, fmt.Errorf("ask %s: %w", u.Host, err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err = io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	if err != nil {
		return 0, nil, fmt.Errorf("read answer of %s: %w", u.Host, err)
	}
	if len(body) > maxAnswer {
		return 0, nil, fmt.Errorf("ask %s: %w", u.Host, ErrTooLarge)
	}
	return answer.StatusCode, body, nil
}

// check refuses addresses of other hosts, ports and schemes.
func (c *Client) check(u *url.URL) error {
	if c.loopback != nil && u.Scheme == c.loopback.Scheme && u.Host == c.loopback.Host && u.User == nil {
		return nil
	}
	if u.Scheme != "https" || u.Port() != "" || u.User != nil || !slices.Contains(c.hosts, u.Hostname()) {
		return fmt.Errorf("%w: %s", ErrNotAllowed, u.Redacted())
	}
	return nil
}

// control runs before each connection, with the address that is connected to.
func (c *Client) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotAllowed, err)
	}
	ip := to.Addr().Unmap()
	if c.loopback != nil && ip.IsLoopback() && fmt.Sprint(to.Port()) == c.loopback.Port() {
		return nil
	}
	if to.Port() != 443 || !IsPublic(ip) {
		return fmt.Errorf("%w: %s is not public", ErrNotAllowed, to)
	}
	return nil
}

// reserved are the networks that are not the public Internet, beside those that netip knows (IANA's registries of
// special-purpose addresses). Those that carry an IPv4 address inside are refused whole.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),       // this network
	netip.MustParsePrefix("100.64.0.0/10"),   // shared by providers (CGNAT); some clouds have their metadata there
	netip.MustParsePrefix("192.0.0.0/24"),    // protocol assignments
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation
	netip.MustParsePrefix("192.88.99.0/24"),  // 6to4 relays
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarks
	netip.MustParsePrefix("198.51.100.0/24"), // documentation
	netip.MustParsePrefix("203.0.113.0/24"),  // documentation
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved, and broadcast
	netip.MustParsePrefix("2001::/23"),       // protocol assignments, Teredo
	netip.MustParsePrefix("2001:db8::/32"),   // documentation
	netip.MustParsePrefix("2002::/16"),       // 6to4
	netip.MustParsePrefix("3fff::/20"),       // documentation
}

// globalIPv6 is all that is given out of IPv6 for the public; NAT64, unique local and site-local networks are outside.
var globalIPv6 = netip.MustParsePrefix("2000::/3")

// IsPublic reports whether an address belongs to the public Internet: not to this machine, a private or provider's
// network, a cloud's metadata (link-local), or a reserved one.
func IsPublic(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if !ip.IsValid() || !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.Is6() && !globalIPv6.Contains(ip) {
		return false
	}
	return !slices.ContainsFunc(reserved, func(p netip.Prefix) bool { return p.Contains(ip) })
}
