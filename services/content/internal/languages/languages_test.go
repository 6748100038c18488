package languages_test

import (
	"testing"

	"talkoot.fi/kit/httpx"

	"talkoot.fi/content/internal/languages"
)

func TestOfQuery_AskedThenPreferredThenFinnish(t *testing.T) {
	swedish, german := "SV", "de"
	preferring := httpx.WithLang(t.Context(), "en")
	for name, c := range map[string]struct{ got, want string }{
		"asked":        {languages.OfQuery(preferring, &swedish), "sv"},
		"unknown":      {languages.OfQuery(preferring, &german), "fi"},
		"preferred":    {languages.OfQuery(preferring, nil), "en"},
		"nobody asked": {languages.OfQuery(t.Context(), nil), "fi"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", name, c.got, c.want)
		}
	}
}
