package httpx_test

import (
	"testing"

	"talkoot.fi/kit/httpx"
)

func TestIsOfSite_IsTheSiteAndNothingThatLooksLikeIt(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://talkoot.example/": true, "https://talkoot.example/fi/payment-return/?pledge=1#x": true,
		"https://talkoot.example": false, "http://talkoot.example/": false, "//talkoot.example/": false, "/fi/": false, "": false,
		"https://talkoot.example.evil.example/": false, "https://talkoot.example@evil.example/": false, "https://user@talkoot.example/": false,
		"https://evil.example/https://talkoot.example/": false, `https://talkoot.example/\evil.example/`: false, "https://talkoot.example:8443/": false,
		"javascript:alert(1)": false, "https://talkoot.example/%zz": false, "https://TALKOOT.example/": false,
	} {
		for _, site := range []string{"https://talkoot.example", "https://talkoot.example/"} {
			if got := httpx.IsOfSite(site, address); got != want {
				t.Errorf("%s of %s: %t", address, site, got)
			}
		}
	}
}
