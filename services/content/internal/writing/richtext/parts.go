package richtext

import "strings"

// FirstParagraph is the document's first paragraph that has a text, by itself; an empty document without one.
func (d Doc) FirstParagraph() Doc {
	for _, n := range d.Content {
		if n.Type == Paragraph && hasText(n.Content) {
			return Doc{Content: []Node{n}}
		}
	}
	return Doc{}
}

// HasText reports whether the document says anything: pictures and videos alone do not.
func (d Doc) HasText() bool { return hasText(d.Content) }

func hasText(nodes []Node) bool {
	for _, n := range nodes {
		if strings.TrimSpace(n.Text) != "" || n.Type == Budget || n.Type == Figures || hasText(n.Content) {
			return true
		}
	}
	return false
}
