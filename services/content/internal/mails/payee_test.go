package mails

import (
	"strings"
	"testing"
)

// Who can do something about it is led there; who has to wait is told that there is nothing to do.
func TestPayeeMail_SaysWhatIsAndWhatToDo(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]map[string]string{
		"fi": {"ready": "voi nyt maksaa", "restricted": "kaipaa sinua", "closed": "suljettu", "asked": "Profiilistasi näet", "waits": "ei tarvitse juuri nyt"},
		"en": {"ready": "can be paid to", "restricted": "needs you", "closed": "closed", "asked": "what is missing", "waits": "nothing to fill in"},
		"sv": {"ready": "kan nu ta emot", "restricted": "behöver dig", "closed": "stängt", "asked": "vad som saknas", "waits": "behöver inte fylla i"},
	}
	for language, said := range words {
		for _, state := range []string{"ready", "restricted", "closed"} {
			for _, isAsked := range []bool{true, false} {
				m, err := r.renderPayee(Payee{Language: language, FirstName: "Áile http://evil.example", Email: "aile@example.fi", State: state, IsAsked: isAsked,
					URL: "https://talkoot.test/profile/me/payouts/"})
				if err != nil {
					t.Fatal(err)
				}
				text := strings.ReplaceAll(m.Text, noBreak, " ")
				if !strings.Contains(m.Subject, said[state]) || !strings.Contains(text, "profile/me/payouts/") || strings.Contains(text, "evil.example") {
					t.Errorf("%s %s: %s\n%s", language, state, m.Subject, text)
				}
				if got := strings.Contains(text, said["asked"]); got != (state == "restricted" && isAsked) {
					t.Errorf("%s %s, asked %t: %s", language, state, isAsked, text)
				}
				if got := strings.Contains(text, said["waits"]); got != (state == "restricted" && !isAsked) {
					t.Errorf("%s %s, asked %t: %s", language, state, isAsked, text)
				}
			}
		}
	}
}
