package richtext

import (
	"html"
	"strings"

	"github.com/yuin/goldmark"
)

// FromMarkdown is a text in CommonMark as HTML; HTML in it is left out.
func FromMarkdown(text string) string {
	var b strings.Builder
	if err := goldmark.Convert([]byte(text), &b); err != nil { // a strings.Builder does not fail
		return FromText(text)
	}
	return Clean(b.String())
}

// HasForeignPicture reports whether HTML that FromMarkdown has made shows a picture of another host, which no page may
// show (their Content-Security-Policy).
func HasForeignPicture(markup string) bool { return strings.Contains(markup, `<img src="https:`) }

// FromText is a plain text as HTML: an empty line ends a paragraph, other line breaks stay.
func FromText(text string) string {
	var b strings.Builder
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		if words := strings.TrimSpace(paragraph); words != "" {
			b.WriteString("<p>" + strings.ReplaceAll(html.EscapeString(words), "\n", "<br/>") + "</p>")
		}
	}
	return Clean(b.String())
}
