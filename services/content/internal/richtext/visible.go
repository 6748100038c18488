package richtext

import (
	"strings"
	"unicode"
)

// Line is a text on one line, such as a title: what people see of it, with single spaces.
func Line(text string) string { return strings.Join(strings.Fields(visible(text)), " ") }

// visible removes what no reader sees and no writer types: control characters, and those that turn the direction of a
// text around, by which a link can look like another one (Unicode Technical Report 36, 2.4).
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', r == '\u200e',
			r == '\u200f', r == '\ufeff':
			return -1
		}
		return r
	}, text)
}
