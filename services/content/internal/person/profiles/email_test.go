package profiles_test

import (
	"strings"
	"testing"

	"talkoot.fi/content/internal/person/profiles"
)

func TestIsEmail_IsOnlyAPlainAddressAtANamedHost(t *testing.T) {
	for address, want := range map[string]bool{
		"aino@x.fi": true, "aino+1@x.y.fi": true, "äiti@kylä.fi": true, "aiti@例え.テスト": true, "\"a\"@x.fi": false, "aino@x": false, "Aino <aino@x.fi>": false,
		"aino@x.fi, b@x.fi": false, "aino@x.fi\r\nBcc: b@x.fi": false,
		"ai\u200bno@x.fi": false, "\u202eaino@x.fi": false, "ai\u3164no@x.fi": false, "aino@[127.0.0.1]": false, "aino@127.0.0.1": false,
		strings.Repeat("a", 64) + "@x.fi": true, strings.Repeat("a", 65) + "@x.fi": false, "a@" + strings.Repeat("b", 63) + ".fi": true,
		"a@" + strings.Repeat("b", 64) + ".fi": false, "a@" + strings.Repeat("ä", 60) + ".fi": false,
	} {
		if got := profiles.IsEmail(address); got != want {
			t.Errorf("%q: %v, want %v", address, got, want)
		}
	}
}

func TestNormalEmail_LeavesOutWhatCopyingPutIn(t *testing.T) {
	for typed, want := range map[string]string{
		" aino@x.fi\u00a0": "aino@x.fi", "\u202aaino@x.fi\u202c": "aino@x.fi", "aino\u200b@x.fi": "aino@x.fi", "\ufeffaino@x.fi": "aino@x.fi",
		"aino@kyla\u0308.fi": "aino@kylä.fi", "ai no@x.fi": "ai no@x.fi", "aino\u2011maria@x.fi": "aino-maria@x.fi",
		"Aino@X.fi": "Aino@X.fi", "aino@例え.テスト": "aino@例え.テスト",
		// What mail would be sent to all the same, and what is no more than alike in lower case.
		"aino@\uff58.fi": "aino@x.fi", "aino@x\u3002fi": "aino@x.fi", "aino@xn--kyl-sla.fi": "aino@kylä.fi", "aino@XN--kyl-sla.fi": "aino@kylä.fi", "aino@KYLÄ.fi": "aino@kylä.fi",
		"aino@gma\u0130l.fi": "aino@gmai\u0307l.fi", "A\u0130no@x.fi": "Ai\u0307no@x.fi", "aino@gmaI\u0307l.fi": "aino@gmai\u0307l.fi",
	} {
		if got := profiles.NormalEmail(typed); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
}
