package mails

import (
	"fmt"
	"html/template"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// playWords stand for a player, which mail programs do not show.
var playWords = map[string]string{"fi": "Katso tai kuuntele sivulla", "en": "Watch or listen on the page",
	"sv": "Se eller lyssna på sidan"}

// bodyOf makes the two parts of a mail of a post's HTML, which was sanitised when it was written: pictures get their
// whole address and room to shrink, players become links to the page.
func bodyOf(markup, publicURL, page, play string) (body, error) {
	context := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(markup), context)
	if err != nil {
		return body{}, fmt.Errorf("read the text of a letter: %w", err)
	}
	for _, n := range nodes {
		context.AppendChild(n)
	}
	var players, foreign []*html.Node
	for n := range context.Descendants() {
		switch n.DataAtom {
		case atom.Img:
			if !strings.HasPrefix(valueOf(n, "src"), "/media/") {
				foreign = append(foreign, n)
			}
			fitPicture(n, publicURL)
		case atom.Iframe:
			players = append(players, n)
		default: // as it is
		}
	}
	for _, n := range players {
		replacePlayer(n, page, play)
	}
	for _, n := range foreign { // another host would learn who reads the letter, when and where; pages do not show it either
		n.Parent.RemoveChild(n)
	}
	var markupOut, plain strings.Builder
	for n := context.FirstChild; n != nil; n = n.NextSibling {
		if err := html.Render(&markupOut, n); err != nil {
			return body{}, fmt.Errorf("write the text of a letter: %w", err)
		}
		writePlain(&plain, n)
	}
	return body{HTML: template.HTML(markupOut.String()), Plain: tidy(plain.String())}, nil //nolint:gosec // sanitised when it was written
}

func fitPicture(n *html.Node, publicURL string) {
	for i, a := range n.Attr {
		if a.Key == "src" && strings.HasPrefix(a.Val, "/") {
			n.Attr[i].Val = publicURL + a.Val
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: "style", Val: "max-width:100%;height:auto;border-radius:12px"})
}

func replacePlayer(n *html.Node, page, play string) {
	n.Data, n.DataAtom = "a", atom.A
	n.Attr = []html.Attribute{{Key: "href", Val: page}, {Key: "style", Val: "color:#17503F;font-weight:600"}}
	n.AppendChild(&html.Node{Type: html.TextNode, Data: play})
}

// writePlain writes what a text reader needs of a node: its words, line ends, the addresses of links, marks of lists.
func writePlain(b *strings.Builder, n *html.Node) {
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
		return
	}
	inside := func() {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			writePlain(b, c)
		}
	}
	switch n.DataAtom {
	case atom.Br:
		b.WriteString("\n")
	case atom.A:
		inside()
		b.WriteString(" (" + valueOf(n, "href") + ")")
	case atom.Img:
		if alt := valueOf(n, "alt"); alt != "" {
			b.WriteString("[" + alt + "]")
		}
	case atom.Li:
		b.WriteString("\n- ")
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.DataAtom == atom.P { // the mark stays on its line
				for inner := c.FirstChild; inner != nil; inner = inner.NextSibling {
					writePlain(b, inner)
				}
				continue
			}
			writePlain(b, c)
		}
	case atom.Td, atom.Th:
		inside()
		b.WriteString(" ")
	case atom.Tr:
		inside()
		b.WriteString("\n")
	case atom.P, atom.H2, atom.H3, atom.Ul, atom.Ol, atom.Figure, atom.Blockquote, atom.Figcaption, atom.Table:
		b.WriteString("\n\n")
		inside()
		b.WriteString("\n\n")
	default:
		inside()
	}
}

func valueOf(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// tidy leaves one empty line between paragraphs, and no spaces at the ends of lines.
func tidy(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" && (len(lines) == 0 || lines[len(lines)-1] == "") {
			continue
		}
		lines = append(lines, line)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
