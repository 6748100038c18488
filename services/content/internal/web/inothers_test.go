package web_test

import (
	"strings"
	"testing"

	"talkoot.fi/content/internal/web"
)

// Without script the links to the other languages are the only way there: they keep what is searched, and nothing else of the address.
func TestShell_WithoutScriptTheLinksToOtherLanguagesKeepWhatIsSearched(t *testing.T) {
	s := shellOf(t, web.Config{PublicURL: "https://talkoot.test"})
	for address, want := range map[string]string{
		"/search/?q=sauna": "https://talkoot.test/en/search/?q=sauna",
		"/search/?utm=x&place=Oulu&q=%22%3E%3Cscript%3E&exact=": "https://talkoot.test/en/search/?q=%22%3E%3Cscript%3E&amp;place=Oulu",
		"/search/?q=s%C3%A4hk%C3%B6+kiuas":                      "https://talkoot.test/en/search/?q=s%C3%A4hk%C3%B6&#43;kiuas",
		"/search/?place=Oulu":                                   "https://talkoot.test/en/search/",
		"/1/lautta/?q=sauna":                                    "https://talkoot.test/en/1/lautta/",
	} {
		if body := page200(t, s, address); !strings.Contains(body, `<a href="`+want+`" lang="en" hreflang="en">`) {
			t.Errorf("%s does not lead to %s", address, want)
		}
	}
}
