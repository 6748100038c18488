package richtext

import (
	"errors"
	"fmt"
	"html"
	"strconv"
	"strings"
	"unicode"
)

// Bounds of a document. Real texts are far below; they bound the cost of a hostile one.
const (
	maxDepth = 20
	maxNodes = 10_000
)

// storyWidth and storyHeight are the size of pictures whose document does not give one: that of the platform's
// drawings.
const storyWidth, storyHeight = 960, 600

// Render writes a document as HTML and as plain text, amounts as the language (fi, en, sv) has them. It is done on
// write. Errors: an unknown node; more or deeper nodes than the bounds.
func Render(doc Doc, language string) (markup, plain string, err error) {
	w := writer{language: language}
	if err := w.nodes(doc.Content, 0); err != nil {
		return "", "", fmt.Errorf("render document: %w", err)
	}
	return Clean(w.html.String()), strings.TrimSpace(w.plain.String()), nil
}

type writer struct {
	language string
	html     strings.Builder
	plain    strings.Builder
	count    int
}

func (w *writer) nodes(nodes []Node, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("deeper than %d", maxDepth)
	}
	for _, n := range nodes {
		if w.count++; w.count > maxNodes {
			return fmt.Errorf("more than %d nodes", maxNodes)
		}
		if strings.ContainsRune(n.Text, 0) { // PostgreSQL keeps no NUL
			return errors.New("a NUL in a text")
		}
		if err := w.node(n, depth); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) node(n Node, depth int) error {
	a := n.Attrs
	if a == nil {
		a = &Attrs{}
	}
	inside := func(before, after string) error {
		w.html.WriteString(before)
		err := w.nodes(n.Content, depth+1)
		w.html.WriteString(after)
		return err
	}
	block := func(before, after string) error {
		err := inside(before, after)
		w.plain.WriteString("\n")
		return err
	}
	switch n.Type {
	case Paragraph:
		if a.Intro {
			return block(`<p class="intro">`, "</p>")
		}
		return block("<p>", "</p>")
	case Heading:
		tag := "h2"
		if a.Level == 3 {
			tag = "h3"
		}
		return block("<"+tag+">", "</"+tag+">")
	case BulletList:
		return inside("<ul>", "</ul>")
	case OrderedList:
		if a.Start > 1 {
			return inside(`<ol start="`+strconv.Itoa(a.Start)+`">`, "</ol>")
		}
		return inside("<ol>", "</ol>")
	case ListItem:
		return inside("<li>", "</li>")
	case HardBreak:
		w.html.WriteString("<br/>")
		w.plain.WriteString("\n")
	case TextNode:
		w.text(n)
	case Quote:
		return w.quote(n, a, depth)
	case Image:
		w.picture(a)
	case Figure:
		w.figure(a)
	case Video, IFrame:
		w.player(a)
	case Budget:
		w.budget(a.Rows)
	case Figures:
		w.figures(a.Figures)
	default:
		return fmt.Errorf("unknown node %.40q", n.Type)
	}
	return nil
}

func (w *writer) text(n Node) {
	text := visible(n.Text)
	w.plain.WriteString(text)
	after := ""
	for _, m := range n.Marks {
		switch m.Type {
		case Bold:
			w.html.WriteString("<strong>")
			after = "</strong>" + after
		case Italic:
			w.html.WriteString("<em>")
			after = "</em>" + after
		case Link:
			if m.Attrs == nil {
				continue
			}
			if href, ok := linkTarget(m.Attrs.Href); ok {
				w.html.WriteString(`<a href="` + html.EscapeString(href) + `">`)
				after = "</a>" + after
			}
		}
	}
	w.html.WriteString(html.EscapeString(text) + after)
}

func (w *writer) quote(n Node, a *Attrs, depth int) error {
	w.html.WriteString(`<figure class="quote"><blockquote>`)
	err := w.nodes(n.Content, depth+1)
	w.html.WriteString(`</blockquote>`)
	if by := visible(a.By); by != "" {
		w.html.WriteString(`<figcaption>` + html.EscapeString(by) + `</figcaption>`)
		w.plain.WriteString(" (" + by + ")")
	}
	w.html.WriteString(`</figure>`)
	w.plain.WriteString("\n")
	return err
}

func (w *writer) picture(a *Attrs) bool {
	src, ok := pictureSource(a.Src)
	if !ok {
		return false
	}
	width, height := a.Width, a.Height
	if width <= 0 || height <= 0 {
		width, height = storyWidth, storyHeight
	}
	fmt.Fprintf(&w.html, `<img src="%s" alt="%s" width="%d" height="%d" loading="lazy"/>`,
		html.EscapeString(src), html.EscapeString(visible(a.Alt)), width, height)
	return true
}

func (w *writer) figure(a *Attrs) {
	w.html.WriteString("<figure>")
	w.picture(a)
	if caption := visible(a.Caption); caption != "" {
		w.html.WriteString("<figcaption>" + html.EscapeString(caption) + "</figcaption>")
		w.plain.WriteString(caption + "\n")
	}
	w.html.WriteString("</figure>")
}

func (w *writer) player(a *Attrs) {
	if _, ok := playerOf(a.Src); ok { // Clean gives the frame its attributes
		w.html.WriteString(`<iframe src="` + html.EscapeString(a.Src) + `"></iframe>`)
	}
}

// budget writes a table whose bars are shares of the largest amount, in steps of 5 so that a style sheet can name them.
func (w *writer) budget(rows []BudgetRow) {
	var largest int64
	for _, r := range rows {
		largest = max(largest, r.AmountMinor)
	}
	w.html.WriteString(`<table class="budget"><tbody>`)
	for _, r := range rows {
		step := 1
		if largest > 0 {
			step = int(min(max(1, (r.AmountMinor*40/largest+1)/2), 20)) // twentieths, rounded
		}
		amount := euros(w.language, r.AmountMinor)
		fmt.Fprintf(&w.html, `<tr><th scope="row">%s</th><td class="bar"><span class="share-%d"></span></td><td class="amount">%s</td></tr>`,
			html.EscapeString(visible(r.Label)), step*5, amount)
		w.plain.WriteString(r.Label + " " + amount + "\n")
	}
	w.html.WriteString(`</tbody></table>`)
}

const noBreak = "\u00a0"

// euros writes minor units as people of a language do, cents only when there are any: 9 400 €, €9,400, 12,50 €.
func euros(language string, minor int64) string {
	group, decimal := noBreak, ","
	if language == "en" {
		group, decimal = ",", "."
	}
	sign := ""
	if minor < 0 {
		sign, minor = "−", -minor
	}
	digits := strconv.FormatInt(minor/100, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + group + digits[i:]
	}
	if cents := minor % 100; cents != 0 {
		digits += fmt.Sprintf("%s%02d", decimal, cents)
	}
	if language == "en" {
		return sign + "€" + digits
	}
	return sign + digits + noBreak + "€"
}

// Excerpt is the beginning of a plain text on one line, at most limit characters, cut between words.
func Excerpt(plain string, limit int) string {
	line := []rune(strings.Join(strings.FieldsFunc(plain, unicode.IsSpace), " "))
	if len(line) <= limit {
		return string(line)
	}
	cut := limit - 1 // room for the ellipsis
	for i := cut; i > limit/2; i-- {
		if line[i] == ' ' {
			cut = i
			break
		}
	}
	return strings.TrimRight(string(line[:cut]), " ,;:.–-") + "…"
}
