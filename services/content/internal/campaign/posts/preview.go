package posts

import (
	"strings"
	"unicode/utf8"

	"talkoot.fi/content/internal/writing/richtext"
)

// preview is the part of a text that readers below the post's level get, as HTML and as plain text: the first
// paragraph, if that is at most half as long as the text, else its first words, up to a third of the text's length. It
// is empty when not one word fits. Errors: those of richtext.Render.
func (t Text) preview(whole, language string) (html, plain string, err error) {
	first := t.Story.FirstParagraph()
	if html, plain, err = richtext.Render(first, language); err != nil {
		return "", "", err
	}
	length := utf8.RuneCountInString(oneLine(whole))
	if utf8.RuneCountInString(oneLine(plain)) <= length/2 {
		return html, plain, nil
	}
	words := beginning(plain, length/3)
	if words == "" {
		return "", "", nil
	}
	paragraph := first.Content[0]
	paragraph.Content = []richtext.Node{{Type: richtext.TextNode, Text: words}}
	return richtext.Render(richtext.Doc{Content: []richtext.Node{paragraph}}, language)
}

// beginning is the first words of a text, at most limit characters without the ellipsis; empty when not one fits.
func beginning(text string, limit int) string {
	words, length := []string{}, -1
	for word := range strings.FieldsSeq(text) {
		if length += 1 + utf8.RuneCountInString(word); length > limit {
			break
		}
		words = append(words, word)
	}
	if len(words) == 0 {
		return ""
	}
	return strings.TrimRight(strings.Join(words, " "), " ,;:.–-") + "…"
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
