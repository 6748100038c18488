package people

import (
	"strings"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/writing/links"
)

const mailTo = "mailto:"

// addressOf is what a person typed as an address that may be followed: a web address, with https:// before one without
// a scheme, or an email address with mailto: before it; empty for anything else.
func addressOf(typed string) string {
	typed = strings.TrimSpace(typed)
	email := profiles.NormalEmail(strings.TrimPrefix(typed, mailTo))
	switch {
	case profiles.IsEmail(email) && !strings.ContainsAny(email, "?&%"): // as part of a URL these would mean something else
		return mailTo + email
	case strings.Contains(typed, "://"):
		return links.Safe(typed)
	case typed == "" || strings.HasPrefix(typed, mailTo):
		return ""
	}
	return links.Safe("https://" + typed)
}

// shownLinks are the links that are safe to follow: what is stored may come from before the rules.
func shownLinks(stored []profiles.Link) []api.Link {
	shown := []api.Link{}
	for _, l := range stored {
		if address := addressOf(l.URL); address != "" {
			shown = append(shown, api.Link{URL: address, Title: l.Title})
		}
	}
	return shown
}
