package mails

import (
	"strings"
	"testing"
	"time"
)

// Each step has its own mail for each side, in each language, with its sum and days, the words that were written, and where to go on.
func TestRenderClaim_EveryStepIsToldToEachSideInItsOwnWords(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	later := at.AddDate(0, 0, 10)
	whats := map[string][]string{
		"backer":  {"make", "message", "offer_resend", "offer_part", "refund", "decline", "contest", "no_answer", "waits", "part", "late", "decide"},
		"creator": {"make", "message", "waits", "part", "refuse", "received", "withdraw", "object", "no_answer", "late", "decide"},
		"staff":   {"decline"},
	}
	for _, language := range []string{"fi", "en", "sv"} {
		for to, list := range whats {
			subjects, texts := map[string]bool{}, map[string]bool{}
			for _, what := range list {
				c := Claim{Language: language, FirstName: "Leena", Email: "leena@example.fi", Title: "Kantele joka kouluun", Backer: "Leena H.", Reference: "H-2026-000214",
					To: to, What: what, Kind: "not_delivered", Text: "Seuranta on\npysähtynyt. example.fi", Due: &at, Day: &later, URL: "https://talkoot.example/x/"}
				for _, withSum := range []string{"offer_part", "refund", "part", "late", "decide"} {
					if what == withSum {
						c.Minor = 27_00
					}
				}
				m, err := r.renderClaim(c)
				if err != nil {
					t.Fatal(err)
				}
				subjects[m.Subject], texts[m.Text] = true, true
				for _, missing := range []string{"Seuranta on pysähtynyt.", c.URL, "Leena"} {
					if !strings.Contains(m.Text, missing) {
						t.Errorf("%s to %s about %s lacks %q:\n%s", language, to, what, missing, m.Text)
					}
				}
				if c.Minor > 0 && !strings.Contains(m.Text, euros(language, c.Minor)) {
					t.Errorf("%s to %s about %s does not say the sum:\n%s", language, to, what, m.Text)
				}
				if strings.TrimSpace(m.Subject) == "" || strings.Contains(m.Text, "\n\n\n") {
					t.Errorf("%s to %s about %s: %q\n%s", language, to, what, m.Subject, m.Text)
				}
			}
			if len(texts) != len(list) || to == "creator" && len(subjects) != len(list) {
				t.Errorf("%s to %s: %d texts and %d subjects for %d steps", language, to, len(texts), len(subjects), len(list))
			}
		}
	}
	nothing, err := r.renderClaim(Claim{Language: "fi", To: "backer", What: "decide", Text: "Levy on tullut.", Due: &at})
	if err != nil || !strings.Contains(nothing.Text, "ettei pyynnöstä makseta") || !strings.Contains(nothing.Text, "Jos olet eri mieltä") {
		t.Errorf("%v\n%s", err, nothing.Text)
	}
}
