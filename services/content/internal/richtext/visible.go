package richtext

import (
	"strings"
	"unicode"
)

// Line is a plain text of one line, such as a title, without invisible characters and with single spaces. U+0000 stays,
// so that the database refuses the text instead of losing a part of it unnoticed.
func Line(text string) string {
	return strings.Join(strings.Fields(strings.Map(dropInvisible, text)), " ")
}

// Plain is a plain text of several lines, without invisible characters and without space around it. U+0000 stays, as in
// Line.
func Plain(text string) string { return strings.TrimSpace(strings.Map(dropInvisible, text)) }

// visible removes what no reader sees and no writer types: control characters, and format characters such as those that
// reverse the direction of a text, which can make one link look like another (Unicode Technical Report 36, 2.4).
func visible(text string) string {
	return strings.ReplaceAll(strings.Map(dropInvisible, text), "\x00", "")
}

// dropInvisible is the function of strings.Map that removes invisible characters: -1 for those, else the character. It
// keeps U+0000, which each caller treats in its own way.
func dropInvisible(r rune) rune {
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
