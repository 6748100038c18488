// Package richtext is formatted text by creators: the editor's document, and the HTML made from it.
//
// A document has the editor's shape ({type: "doc", content: [...]}) and holds paragraphs, headings 2 and 3, lists,
// bold, italic, links, pictures, videos, sound players, quotes, figures and budgets; nothing else. Invariants: HTML
// comes from Render or Clean only, holds nothing outside the allow-list (no script, no style, no handler, no frame but
// those of the known players), and cleaning it again changes nothing. Storing texts is left to the domains.
package richtext

import (
	"encoding/json"
	"fmt"
)

// Type is what a node is.
type Type string

// The nodes of a document. The names are the editor's.
const (
	Paragraph   Type = "paragraph"
	Heading     Type = "heading" // attrs: level 2 or 3
	BulletList  Type = "bulletList"
	OrderedList Type = "orderedList" // attrs: start
	ListItem    Type = "listItem"
	HardBreak   Type = "hardBreak"
	TextNode    Type = "text"
	Image       Type = "image"   // attrs: src, alt, width, height
	Figure      Type = "figure"  // attrs: those of an image and caption
	Quote       Type = "quote"   // attrs: by
	Video       Type = "video"   // attrs: src, a page or player of a video platform
	IFrame      Type = "iframe"  // attrs: src, a player of a known host
	Budget      Type = "budget"  // attrs: rows
	Figures     Type = "figures" // attrs: figures
)

// Marks of a text node.
const (
	Bold   = "bold"
	Italic = "italic"
	Link   = "link" // attrs: href
)

// Doc is a document. Its zero value is an empty one.
type Doc struct {
	Content []Node
}

// Node is one part of a document.
type Node struct {
	Type    Type   `json:"type"`
	Attrs   *Attrs `json:"attrs,omitempty"`
	Content []Node `json:"content,omitempty"`
	Marks   []Mark `json:"marks,omitempty"`
	Text    string `json:"text,omitempty"`
}

// Mark is a text node's format.
type Mark struct {
	Type  string `json:"type"`
	Attrs *Attrs `json:"attrs,omitempty"`
}

// Attrs are the attributes of all nodes and marks; each uses a few.
type Attrs struct {
	Intro   bool        `json:"intro,omitempty"` // the story's first paragraph, set larger
	Level   int         `json:"level,omitempty"`
	Start   int         `json:"start,omitempty"` // the number of an orderedList's first item; 0 is 1
	Href    string      `json:"href,omitempty"`
	Src     string      `json:"src,omitempty"` // of pictures: a file name under /media or an https address
	Alt     string      `json:"alt,omitempty"`
	Width   int         `json:"width,omitempty"` // pixels
	Height  int         `json:"height,omitempty"`
	Caption string      `json:"caption,omitempty"`
	By      string      `json:"by,omitempty"`
	Rows    []BudgetRow `json:"rows,omitempty"`
	Figures []FigureRow `json:"figures,omitempty"`
}

// BudgetRow is what a part of the money is for.
type BudgetRow struct {
	Label       string `json:"label"`
	AmountMinor int64  `json:"amount_minor"`
}

type wireDoc struct {
	Type    string `json:"type"`
	Content []Node `json:"content"`
}

// MarshalJSON writes the editor's shape.
func (d Doc) MarshalJSON() ([]byte, error) {
	if d.Content == nil {
		d.Content = []Node{}
	}
	return json.Marshal(wireDoc{Type: "doc", Content: d.Content})
}

// UnmarshalJSON reads the editor's shape. Error: something that is not a document.
func (d *Doc) UnmarshalJSON(data []byte) error {
	var w wireDoc
	if err := json.Unmarshal(data, &w); err != nil {
		return fmt.Errorf("read document: %w", err)
	}
	if w.Type != "doc" {
		return fmt.Errorf("read document: type %.20q instead of doc", w.Type)
	}
	d.Content = w.Content
	return nil
}
