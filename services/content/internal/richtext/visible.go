package richtext

import (
	"strings"
	"unicode"
)

// Line is a text on one line, such as a title: what people see of it, with single spaces. U+0000 stays, so that the
// database refuses the text.
func Line(text string) string { return strings.Join(strings.Fields(strings.Map(seen, text)), " ") }

// Plain is a text of several lines without formatting: what people see of it, without space around it. U+0000 stays.
func Plain(text string) string { return strings.TrimSpace(strings.Map(seen, text)) }

// visible removes what no reader sees and no writer types: control characters, and format characters such as those that
// turn the direction of a text around, by which a link can look like another one (Unicode Technical Report 36, 2.4).
func visible(text string) string { return strings.ReplaceAll(strings.Map(seen, text), "\x00", "") }

// seen is the character, or -1 for one that visible removes; U+0000 is left to the caller.
func seen(r rune) rune {
	switch {
	case r == '\n' || r == '\t' || r == 0:
		return r
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r) && !joins(r):
		return -1
	}
	return r
}

// joins reports whether a format character is part of how words and emoji are drawn: the soft hyphen, the joiners, and
// the tags of flags.
func joins(r rune) bool {
	return r == '\u00ad' || r == '\u200c' || r == '\u200d' || r >= '\U000e0020' && r <= '\U000e007f'
}
