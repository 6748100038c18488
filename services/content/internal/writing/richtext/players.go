package richtext

import (
	"html"
	"regexp"
)

// framed is a player as canonical writes it.
var framed = regexp.MustCompile(`<iframe src="([^"]*)" class="(video|audio)"[^>]*></iframe>`)

// WithLinks puts a link to the service's own page in the place of each player of a clean text, with the words for a
// video or for sound. It is for places where nothing may be loaded from the service before the reader asks for it.
func WithLinks(clean string, words func(isVideo bool) string) string {
	return framed.ReplaceAllStringFunc(clean, func(frame string) string {
		found := framed.FindStringSubmatch(frame)
		src, class := html.UnescapeString(found[1]), found[2]
		page := src
		if video, ok := VideoOf(src); ok {
			page = video.Page
		}
		return `<div class="player ` + class + `"><a href="` + html.EscapeString(page) + `" rel="nofollow noreferrer">` +
			html.EscapeString(words(class == "video")) + `</a></div>`
	})
}
