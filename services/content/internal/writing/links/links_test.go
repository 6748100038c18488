package links_test

import (
	"strings"
	"testing"

	"talkoot.fi/content/internal/writing/links"
)

func TestSafe_KeepsWebAddressesOnly(t *testing.T) {
	for _, address := range []string{
		"https://example.fi", "http://example.fi/", "https://höyrykylä.example/sauna?a=b&c=%20#d", "https://xn--hyrykyl-8wae.example/",
		"https://example.fi:8443/x", "  https://example.fi/  ",
	} {
		if got := links.Safe(address); got != strings.TrimSpace(address) {
			t.Errorf("%q became %q", address, got)
		}
	}
	for _, address := range []string{
		"", " ", "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,<script>alert(1)</script>",
		"vbscript:x", "file:///etc/passwd", "ftp://example.fi", "//example.fi", "/path", "example.fi", "www.example.fi", "mailto:a@example.fi",
		"https://", "https:///x", "https:example.fi", "https://localhost/", "https://127.0.0.1/", "https://[::1]/", "https://1.2.3.999/",
		"https://talkoot.fi@evil.example/", "https://a:b@evil.example/", "https://example.fi\\@evil.example/", "https://example.fi:99999999/",
		"https://example.fi/\x00", "https://example.fi/\nx", "https://example.fi/a b", "https://example.fi/\u202ex", "https://exa\u200bmple.fi/",
		"https://example.fi/\"onclick=", "https://example.fi/<b>", "https://xn--a/", "https://example.fi/%zz", "https://exa mple.fi",
		"https://example.fi/" + strings.Repeat("a", 2000), "https://" + strings.Repeat("a", 300) + ".fi/", "https://example.fi/\xff",
	} {
		if got := links.Safe(address); got != "" {
			t.Errorf("%q stays %q", address, got)
		}
	}
}
