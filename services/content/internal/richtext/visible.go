package richtext

import (
	"strings"
	"unicode"
)

// Line is a text on one line, such as a title: what people see of it, with single spaces.
func Line(text string) string { return strings.Join(strings.Fields(visible(text)), " ") }

// Plain is a text of several lines without formatting: what people see of it, without space around it.
func Plain(text string) string { return strings.TrimSpace(visible(text)) }

// visible removes what no reader sees and no writer types: control characters, and format characters such as those that
// turn the direction of a text around, by which a link can look like another one (Unicode Technical Report 36, 2.4).
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r) && !joins(r):
			return -1
		}
		return r
	}, text)
}

// joins reports whether a format character is part of how words and emoji are drawn: the soft hyphen, the joiners, and
// the tags of flags.
func joins(r rune) bool {
	return r == '\u00ad' || r == '\u200c' || r == '\u200d' || r >= '\U000e0020' && r <= '\U000e007f'
}
