package richtext

import (
	"net/url"
	"regexp"
	"strings"
)

var fileName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,127}$`)

// ownPicture is the src of a picture that was sent here: a file under /media, in the width of a story if only its name
// is given. Pages may show no others (their Content-Security-Policy).
func ownPicture(src string) (string, bool) {
	if fileName.MatchString(src) && !strings.Contains(src, "..") {
		return "/media/960x0/" + src, true
	}
	return src, strings.HasPrefix(src, "/media/") && allowedImage.MatchString(src)
}

// pictureSource is a picture's src in a text that is stored already: one of our own, or an https address.
func pictureSource(src string) (string, bool) {
	if own, ok := ownPicture(src); ok {
		return own, true
	}
	u, err := url.Parse(src)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return "", false
	}
	return u.String(), true
}

// bare is an address without a scheme, of the usual domains; any other is of the page that it was copied from.
var bare = regexp.MustCompile(`(?i)^(?:www\.[^\s/:@]+|(?:[\p{L}\p{N}-]+\.)+(?:fi|se|ax|com|org|net|eu|info))(?:[/?#]\S*)?$`)

// withScheme is a link's address as people write it, with the scheme that it lacks.
func withScheme(href string) string {
	href = strings.TrimSpace(href)
	if bare.MatchString(href) {
		return "https://" + href
	}
	if name, host, ok := strings.Cut(href, "@"); ok && name != "" && !strings.ContainsAny(name, ":/?#") && bare.MatchString(host) {
		return "mailto:" + href
	}
	return href
}

// linkTarget is the address of a link: http, https or mailto. One with a name before its host is refused: it leads elsewhere than it looks.
func linkTarget(href string) (string, bool) {
	u, err := url.Parse(strings.TrimSpace(href))
	if err != nil {
		return "", false
	}
	switch u.Scheme {
	case "http", "https":
		return u.String(), u.Host != "" && u.User == nil
	case "mailto":
		return u.String(), u.Opaque != ""
	}
	return "", false
}
