package paper

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/norm"
)

// missing stands for a sign that the typeface lacks.
const missing = '□'

// fitter brings texts to the signs that the typeface has, and counts what it has changed.
type fitter struct {
	font   *opentype.Font
	buffer sfnt.Buffer
	bare   int            // letters that stand with fewer marks
	lost   map[string]int // signs that are not shown, by script
}

func (f *fitter) has(r rune) bool {
	glyph, err := f.font.GlyphIndex(&f.buffer, r)
	return err == nil && glyph != 0
}

func (f *fitter) fit(text string) string {
	var out strings.Builder
	for _, r := range norm.NFC.String(text) {
		switch {
		case r == '\n':
			out.WriteRune(r)
		case unicode.IsSpace(r): // also those that do not break: what is drawn is no text to be copied
			out.WriteByte(' ')
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector): // it shows nothing by itself
		case f.has(r):
			out.WriteRune(r)
		default:
			out.WriteString(f.instead(r))
		}
	}
	return out.String()
}

// instead is what stands for a sign that the typeface lacks: its letter with fewer marks, or that there is a sign.
func (f *fitter) instead(r rune) string {
	if unicode.Is(unicode.Mn, r) {
		f.bare++
		return ""
	}
	for parts := []rune(norm.NFD.String(string(r))); len(parts) > 1; {
		parts = parts[:len(parts)-1]
		if base := []rune(norm.NFC.String(string(parts))); len(base) == 1 && f.has(base[0]) {
			f.bare++
			return string(base)
		}
	}
	if f.lost == nil {
		f.lost = map[string]int{}
	}
	f.lost[scriptOf(r)]++
	return string(missing)
}

func scriptOf(r rune) string {
	for name, table := range unicode.Scripts {
		if name != "Common" && name != "Inherited" && unicode.Is(table, r) {
			return strings.ReplaceAll(name, "_", " ")
		}
	}
	return "symbols"
}

// said tells a reader what is not as it was written; "" when all is.
func (f *fitter) said() string {
	var said []string
	if len(f.lost) > 0 {
		var of []string
		for _, script := range slices.Sorted(maps.Keys(f.lost)) {
			of = append(of, fmt.Sprintf("%s: %d", script, f.lost[script]))
		}
		said = append(said, fmt.Sprintf("%c stands for a sign that could not be drawn here and is left out (%s).", missing, strings.Join(of, ", ")))
	}
	if f.bare > 0 {
		said = append(said, fmt.Sprintf("Letters that are written without all of their accents: %d.", f.bare))
	}
	return strings.Join(said, " ")
}
