package richtext

import (
	"errors"
	"html"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
)

// maxMarkdownHTML is the most HTML in bytes that a text in CommonMark may make: quotes and lists in each other make a hundred times
// their own length.
const maxMarkdownHTML = 64 << 10

// maxMarkdownLinks is the most links and pictures of such a text.
const maxMarkdownLinks = 200

// ErrTooMuch is a text whose marks are too deep in each other, or make more HTML than a page should carry.
var ErrTooMuch = errors.New("too much markup")

// FromMarkdown is a text in CommonMark as HTML; HTML in it is left out. Error: ErrTooMuch.
func FromMarkdown(text string) (string, error) {
	if isDeep(text) {
		return "", ErrTooMuch
	}
	var b strings.Builder
	if err := goldmark.Convert([]byte(text), &b); err != nil { // a strings.Builder does not fail
		return FromText(text), nil
	}
	if b.Len() > maxMarkdownHTML {
		return "", ErrTooMuch
	}
	return Clean(b.String()), nil
}

// isDeep reports whether a line begins more quotes and lists than a document may have in each other, or brackets are open that
// deep. It is asked first, because it is the parsing of such a text that takes long.
func isDeep(text string) bool {
	for line := range strings.Lines(text) {
		depth, rest := 0, strings.TrimLeft(line, " \t")
		for container := blockMark.FindString(rest); container != ""; container = blockMark.FindString(rest) {
			if depth++; depth > maxNesting {
				return true
			}
			rest = strings.TrimLeft(rest[len(container):], " \t")
		}
	}
	if strings.Count(text, "](") > maxMarkdownLinks { // each that is not closed is looked for up to the end
		return true
	}
	brackets := 0
	for _, r := range text {
		switch r {
		case '[':
			brackets++
		case ']':
			brackets = max(brackets-1, 0)
		}
		if brackets > maxNesting {
			return true
		}
	}
	return false
}

// blockMark begins a quote or an item of a list.
var blockMark = regexp.MustCompile(`^(?:>|[-+*](?:[ \t]|$)|[0-9]{1,9}[.)](?:[ \t]|$))`)

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
