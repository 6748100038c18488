package richtext

import (
	"slices"
	"strconv"
	"strings"

	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// FromHTML makes a document of any HTML. What a document cannot hold is left out: of unknown elements the text is kept,
// scripts, styles and the like are dropped whole, and links are checked as in documents. Pictures and players stay as they are: of those
// that a document does not take Read says so, and Render shows none. A text that is nested too deep becomes plain text.
func FromHTML(markup string) Doc {
	context := &nethtml.Node{Type: nethtml.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := nethtml.ParseFragment(strings.NewReader(visible(markup)), context)
	if err != nil { // deeper than the parser goes
		return Doc{}
	}
	var b builder
	for _, n := range nodes {
		b.read(n, nil, 0)
	}
	b.endParagraph()
	return Doc{Content: b.blocks}
}

// builder collects the blocks of one level; texts outside of a block gather in open until a block begins.
type builder struct {
	blocks []Node
	open   []Node
}

// dropped are elements whose text is no text for people.
var dropped = []atom.Atom{atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Title, atom.Textarea, atom.Select,
	atom.Object,
	atom.Embed, atom.Svg, atom.Math, atom.Noembed, atom.Noframes, atom.Xmp, atom.Plaintext}

func (b *builder) endParagraph() {
	if hasText(b.open) {
		b.blocks = append(b.blocks, Node{Type: Paragraph, Content: b.open})
	}
	b.open = nil
}

func (b *builder) block(n Node) {
	b.endParagraph()
	b.blocks = append(b.blocks, n)
}

// read adds a node of HTML. Depth bounds the recursion; below it only texts are read.
func (b *builder) read(n *nethtml.Node, marks []Mark, depth int) {
	if n.Type == nethtml.TextNode {
		if text := collapsed(n.Data); text != "" {
			b.open = append(b.open, Node{Type: TextNode, Text: text, Marks: marks})
		}
		return
	}
	if n.Type != nethtml.ElementNode || slices.Contains(dropped, n.DataAtom) || depth > maxDepth {
		return
	}
	switch n.DataAtom {
	case atom.Br:
		b.open = append(b.open, Node{Type: HardBreak})
	case atom.H1, atom.H2:
		b.inline(n, Node{Type: Heading, Attrs: &Attrs{Level: 2}}, depth)
	case atom.H3, atom.H4, atom.H5, atom.H6:
		b.inline(n, Node{Type: Heading, Attrs: &Attrs{Level: 3}}, depth)
	case atom.Ul:
		b.list(n, BulletList, depth)
	case atom.Ol:
		b.list(n, OrderedList, depth)
	case atom.Figure:
		b.figure(n, depth)
	case atom.Blockquote:
		b.inline(n, Node{Type: Quote}, depth)
	case atom.Img:
		if attrs := pictureOf(n); attrs != nil {
			b.block(Node{Type: Image, Attrs: attrs})
		}
	case atom.Iframe, atom.Video:
		b.player(n)
	case atom.B, atom.Strong:
		b.children(n, marked(marks, Mark{Type: Bold}), depth)
	case atom.I, atom.Em:
		b.children(n, marked(marks, Mark{Type: Italic}), depth)
	case atom.A:
		if href, ok := linkTarget(withScheme(attribute(n, "href"))); ok {
			marks = marked(marks, Mark{Type: Link, Attrs: &Attrs{Href: href}})
		}
		b.children(n, marks, depth)
	case atom.Span, atom.Small, atom.U, atom.S, atom.Sub, atom.Sup, atom.Code, atom.Abbr, atom.Cite, atom.Mark, atom.Font:
		b.children(n, marks, depth)
	default: // a block of any kind: a paragraph, or what holds blocks
		b.endParagraph()
		b.children(n, marks, depth)
		b.endParagraph()
	}
}

func (b *builder) children(n *nethtml.Node, marks []Mark, depth int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.read(c, marks, depth+1)
	}
}

// inside reads the children of a node by themselves.
func inside(n *nethtml.Node, depth int) []Node {
	var b builder
	b.children(n, nil, depth)
	b.endParagraph()
	return b.blocks
}

// inline adds a block that holds texts only.
func (b *builder) inline(n *nethtml.Node, block Node, depth int) {
	for _, part := range inside(n, depth) {
		if part.Type == Paragraph || part.Type == Heading {
			block.Content = append(block.Content, part.Content...)
		}
	}
	if hasText(block.Content) {
		b.block(block)
	}
}

func (b *builder) list(n *nethtml.Node, kind Type, depth int) {
	list := Node{Type: kind}
	if start, err := strconv.Atoi(attribute(n, "start")); kind == OrderedList && err == nil && start > 1 && start <= mostStart {
		list.Attrs = &Attrs{Start: start}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if blocks := inside(c, depth+1); c.DataAtom == atom.Li && len(blocks) > 0 {
			list.Content = append(list.Content, Node{Type: ListItem, Content: blocks})
		}
	}
	if len(list.Content) > 0 {
		b.block(list)
	}
}

// figure adds a picture with its caption, or a quote with who said it; others are read like any block.
func (b *builder) figure(n *nethtml.Node, depth int) {
	caption := ""
	if c := find(n, atom.Figcaption); c != nil {
		caption = strings.TrimSpace(collapsed(textOf(c)))
	}
	if quote := find(n, atom.Blockquote); quote != nil {
		b.inline(quote, Node{Type: Quote, Attrs: &Attrs{By: caption}}, depth)
		return
	}
	if picture := find(n, atom.Img); picture != nil {
		if attrs := pictureOf(picture); attrs != nil {
			attrs.Caption = caption
			b.block(Node{Type: Figure, Attrs: attrs})
		}
		return
	}
	b.endParagraph()
	b.children(n, nil, depth)
	b.endParagraph()
}

func (b *builder) player(n *nethtml.Node) {
	src := attribute(n, "src")
	if source := find(n, atom.Source); src == "" && source != nil {
		src = attribute(source, "src")
	}
	if src == "" {
		return
	}
	kind := IFrame
	if p, ok := playerOf(src); ok && p.class == "video" {
		kind = Video
	}
	b.block(Node{Type: kind, Attrs: &Attrs{Src: src}})
}

// pictureOf is the attributes of a picture; nil for one without an address.
func pictureOf(n *nethtml.Node) *Attrs {
	src := attribute(n, "src")
	if src == "" {
		return nil
	}
	return &Attrs{Src: src, Alt: attribute(n, "alt"), Width: pixelsOf(n, "width"), Height: pixelsOf(n, "height")}
}

func pixelsOf(n *nethtml.Node, key string) int {
	if value := attribute(n, key); pixels.MatchString(value) {
		number, _ := strconv.Atoi(value)
		return number
	}
	return 0
}

func marked(marks []Mark, more Mark) []Mark {
	for _, m := range marks {
		if m.Type == more.Type {
			return marks
		}
	}
	return append(slices.Clip(marks), more)
}

// find is the first element of a kind below n, in at most a few levels.
func find(n *nethtml.Node, kind atom.Atom) *nethtml.Node {
	for d := range n.Descendants() {
		if d.Type == nethtml.ElementNode && d.DataAtom == kind {
			return d
		}
	}
	return nil
}

func textOf(n *nethtml.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == nethtml.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// collapsed makes one space of each run of white space, as browsers show it.
func collapsed(text string) string {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		if text == "" {
			return ""
		}
		return " "
	}
	line := strings.Join(fields, " ")
	if strings.ContainsAny(text[:1], " \t\r\n") {
		line = " " + line
	}
	if strings.ContainsAny(text[len(text)-1:], " \t\r\n") {
		line += " "
	}
	return line
}
