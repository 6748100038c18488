package outgoing

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

func TestIsPublic_RefusesEveryNetworkThatIsNot(t *testing.T) {
	for address, want := range map[string]bool{
		"142.250.74.14": true, "2a00:1450:400f:80d::200e": true, "100.63.255.255": true, "100.128.0.0": true,
		"172.15.0.1": true, "172.32.0.1": true,
		"127.0.0.1": false, "127.8.8.8": false, "::1": false, "::ffff:127.0.0.1": false, "0.0.0.0": false, "0.1.2.3": false,
		"::":       false,
		"10.0.0.1": false, "172.16.0.1": false, "172.31.255.255": false, "192.168.1.1": false, "::ffff:10.0.0.1": false,
		"169.254.169.254": false, "fe80::1": false, "fe80::1%eth0": false, "fd00:ec2::254": false, "fc00::1": false,
		"fec0::1":    false,
		"100.64.0.1": false, "100.100.100.200": false, "100.127.255.255": false, "192.0.0.192": false, "198.18.0.1": false,
		"224.0.0.1": false, "ff02::1": false, "255.255.255.255": false, "240.0.0.1": false, "203.0.113.1": false,
		"64:ff9b::7f00:1": false, "64:ff9b:1::a00:1": false, "2002:7f00:1::": false, "2001:0:7f00:1::": false,
		"2001:db8::1": false, "::7f00:1": false,
	} {
		if got := IsPublic(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s is public: %t, want %t", address, got, want)
		}
	}
	if IsPublic(netip.Addr{}) {
		t.Error("no address is public")
	}
}

func TestGet_AsksTheAllowedHostsOnly(t *testing.T) {
	c, err := New(Options{Hosts: []string{"vimeo.com"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"http://vimeo.com/1", "https://vimeo.com:8443/1", "https://a@vimeo.com/1",
		"https://vimeo.com.evil.example/1",
		"https://evil.example/", "https://169.254.169.254/", "https://[::1]/", "file:///etc/passwd", "gopher://vimeo.com/",
		"//vimeo.com/", "http://localhost:1/", "%"} {
		if _, _, err := c.Get(t.Context(), address); !errors.Is(err, ErrNotAllowed) {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, loopback := range []string{"http://10.0.0.1:80", "http://sandbox.example", "http://localhost.evil.example:80",
		":"} {
		if _, err := New(Options{Loopback: loopback}); err == nil {
			t.Errorf("%s is a stand-in", loopback)
		}
	}
}

// An allowed name that resolves to something private is refused when it is connected to.
func TestDial_ChecksTheAddressThatIsConnectedTo(t *testing.T) {
	for _, o := range []Options{{Hosts: []string{"localhost"}},
		{Hosts: []string{"localhost"}, Loopback: "http://127.0.0.1:9"}} {
		c, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.Get(t.Context(), "https://localhost/"); !errors.Is(err, ErrNotAllowed) {
			t.Errorf("a name of this machine: %v", err)
		}
	}
	c, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for address, ok := range map[string]bool{"142.250.74.14:443": true, "[2a00:1450::1]:443": true,
		"142.250.74.14:22":    false,
		"169.254.169.254:443": false, "[::ffff:10.0.0.1]:443": false, "127.0.0.1:443": false, "nonsense": false} {
		if err := c.control(t.Context(), "tcp", address, nil); (err == nil) != ok {
			t.Errorf("connect to %s: %v", address, err)
		}
	}
}

func TestGet_FollowsNoRedirectOffTheList_AndReadsABoundedAnswer(t *testing.T) {
	var hidden int
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hidden++ }))
	defer private.Close()
	stand := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/off":
			http.Redirect(w, r, private.URL, http.StatusFound)
		case "/metadata":
			http.Redirect(w, r, "http://169.254.169.254/latest/", http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/here":
			http.Redirect(w, r, "/ok", http.StatusFound)
		case "/large":
			_, _ = w.Write([]byte(strings.Repeat("x", maxAnswer+1)))
		default:
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
			_, _ = w.Write([]byte(r.Header.Get("Cookie") + r.Header.Get("Authorization")))
		}
	}))
	defer stand.Close()
	c, err := New(Options{Loopback: stand.URL})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{"/off": ErrNotAllowed, "/metadata": ErrNotAllowed, "/round": ErrNotAllowed,
		"/large": ErrTooLarge, "/here": nil, "/ok": nil} {
		status, body, err := c.Get(t.Context(), stand.URL+path)
		if !errors.Is(err, want) || want == nil && (status != http.StatusOK || len(body) != 0) {
			t.Errorf("%s: %d %q, %v; want %v", path, status, body, err, want)
		}
	}
	if hidden != 0 {
		t.Error("a redirect off the list was followed")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	var network net.Error
	if _, _, err := c.Get(ended, stand.URL); err == nil || errors.As(err, &network) && !errors.Is(err, context.Canceled) {
		t.Errorf("after its end: %v", err)
	}
}
