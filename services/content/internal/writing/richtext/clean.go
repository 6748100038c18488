package richtext

import (
	"html"
	"regexp"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var (
	allowedImage = regexp.MustCompile(`^(/media/[0-9]{1,4}x[0-9]{1,4}/[a-z0-9][a-z0-9_-]*(\.[a-z0-9_-]+)*|https://.+)$`)
	pixels       = regexp.MustCompile(`^[0-9]{1,4}$`)
	share        = regexp.MustCompile(`^share-(5|[1-9][05]|100)$`)
)

// policy builds the allow-list. It need not be fast: texts are cleaned when they are written, not when they are read.
func policy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "h2", "h3", "ul", "ol", "li", "strong", "em", "br", "blockquote", "figure", "figcaption",
		"table", "tbody", "tr", "th", "td", "span")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^intro$`)).OnElements("p")
	p.AllowAttrs("start").Matching(regexp.MustCompile(`^[1-9][0-9]{0,3}$`)).OnElements("ol")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^quote$`)).OnElements("figure")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^budget$`)).OnElements("table")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^(bar|amount)$`)).OnElements("td")
	p.AllowAttrs("class").Matching(share).OnElements("span")
	p.AllowAttrs("scope").Matching(regexp.MustCompile(`^row$`)).OnElements("th")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto")
	p.RequireParseableURLs(true)
	p.AllowRelativeURLs(true) // for pictures; canonical checks links again
	p.RequireNoFollowOnLinks(true)
	p.RequireNoReferrerOnLinks(true)
	p.AllowAttrs("src").Matching(allowedImage).OnElements("img")
	p.AllowAttrs("alt").OnElements("img")
	p.AllowAttrs("width", "height").Matching(pixels).OnElements("img")
	p.AllowAttrs("src").OnElements("iframe")
	return p
}

// maxPasses is how often a text is cleaned until it no longer changes. Two passes are normal; more are needed only by
// markup that is made to parse differently each time (mutation XSS).
const maxPasses = 6

// Clean makes any HTML safe: elements outside of the allow-list are removed and their text is kept. Cleaning the
// result again changes nothing. Markup that still changes after maxPasses becomes plain text.
func Clean(markup string) string {
	p := policy()
	for range maxPasses {
		cleaned := canonical(p.Sanitize(markup))
		if cleaned == markup {
			return cleaned
		}
		markup = cleaned
	}
	return html.EscapeString(html.UnescapeString(bluemonday.StrictPolicy().Sanitize(markup)))
}

// canonical closes open elements and sets the fixed attributes of frames, pictures and links.
func canonical(markup string) string {
	context := &nethtml.Node{Type: nethtml.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := nethtml.ParseFragment(strings.NewReader(markup), context)
	if err != nil { // a reader of a string does not fail; the parser has no other error
		return html.EscapeString(markup)
	}
	var b strings.Builder
	for _, n := range nodes {
		if keep(n) {
			_ = nethtml.Render(&b, n) // a strings.Builder does not fail
		}
	}
	return b.String()
}

// keep corrects a node and its children in place and reports whether it stays.
func keep(n *nethtml.Node) bool {
	if n.Type != nethtml.ElementNode {
		return n.Type == nethtml.TextNode
	}
	switch n.DataAtom {
	case atom.Iframe:
		return correctFrame(n)
	case atom.Img:
		if attribute(n, "src") == "" {
			return false
		}
		n.Attr = append(without(n, "loading", "alt"), nethtml.Attribute{Key: "alt", Val: attribute(n, "alt")},
			nethtml.Attribute{Key: "loading", Val: "lazy"})
	case atom.A:
		href, ok := linkTarget(attribute(n, "href"))
		n.Attr = []nethtml.Attribute{}
		if ok {
			n.Attr = []nethtml.Attribute{{Key: "href", Val: href}, {Key: "rel", Val: "nofollow noreferrer"}}
		}
	default: // no attributes to correct
	}
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if !keep(c) {
			n.RemoveChild(c)
		}
		c = next
	}
	return true
}

// correctFrame reduces a frame to the player that it shows; its fallback content is removed.
func correctFrame(n *nethtml.Node) bool {
	for n.FirstChild != nil {
		n.RemoveChild(n.FirstChild)
	}
	p, ok := playerOf(attribute(n, "src"))
	if !ok {
		return false
	}
	n.Attr = []nethtml.Attribute{{Key: "src", Val: p.src}, {Key: "class", Val: p.class}}
	if p.height != "" {
		n.Attr = append(n.Attr, nethtml.Attribute{Key: "height", Val: p.height})
	}
	n.Attr = append(n.Attr, nethtml.Attribute{Key: "loading", Val: "lazy"}, nethtml.Attribute{Key: "allowfullscreen"})
	return true
}

func attribute(n *nethtml.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func without(n *nethtml.Node, keys ...string) []nethtml.Attribute {
	var left []nethtml.Attribute
	for _, a := range n.Attr {
		drop := false
		for _, k := range keys {
			drop = drop || a.Key == k
		}
		if !drop {
			left = append(left, a)
		}
	}
	return left
}
