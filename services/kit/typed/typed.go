// Package typed reads what people have typed or pasted as what they see of it.
package typed

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Line is a plain text of one line, such as a title, without invisible characters and with single spaces. U+0000 stays,
// so that the database refuses the text instead of losing a part of it unnoticed.
func Line(text string) string { return strings.Join(strings.Fields(strings.Map(Visible, text)), " ") }

// Plain is a plain text of several lines, without invisible characters and without space around it. U+0000 stays, as in
// Line.
func Plain(text string) string { return strings.TrimSpace(strings.Map(Visible, text)) }

// Visible is the function of strings.Map that removes invisible characters, control characters and format characters such as those that
// reverse the direction of a text: -1 for those, else the character. It keeps U+0000, which each caller treats in its own way.
func Visible(r rune) rune {
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

// Same reports whether two names are one as people read them, however they were typed.
func Same(a, b string) bool {
	read := func(name string) string {
		return norm.NFC.String(Line(strings.Map(func(r rune) rune {
			if joins(r) {
				return -1
			}
			return r
		}, name)))
	}
	return strings.EqualFold(read(a), read(b))
}

// Number is what is written of letters and digits alone, such as an account's, in capitals: the spaces, hyphens and marks between them are
// for readers, whatever they were copied from.
func Number(text string) string {
	return strings.ToUpper(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return r
		}
		return -1
	}, text))
}

// cellWithin is where a spreadsheet that takes another separator than the table's, or any of them, begins another cell within one.
var cellWithin = regexp.MustCompile(`([;,|\t\r\n]"*)([=+\-@＝＋－＠])`)

// Cell is a text in a table for spreadsheets, which must not run what somebody else wrote as a formula (OWASP, CSV Injection): an apostrophe
// makes it text. Some programs treat full-width characters, such as ＝, like the ordinary ones.
func Cell(text string) string {
	text = cellWithin.ReplaceAllString(text, "$1 $2")
	if first, _ := utf8.DecodeRuneInString(text); text != "" && strings.ContainsRune("=+-@＝＋－＠\t\r\n", first) {
		return "'" + text
	}
	return text
}
