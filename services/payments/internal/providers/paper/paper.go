// Package paper draws texts on pages, for providers that take documents and no texts.
package paper

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// Part is a heading and what stands below it; one without a text is left out.
type Part struct{ Heading, Text string }

// A page is A4 at 150 dots an inch, which is read on paper as well as on a screen.
const (
	dpi    = 150
	width  = 1240
	height = 1754
	margin = 120
	foot   = height - margin/2 // where the number of the page stands
	last   = height - margin   // below which no line stands
)

// The kinds of lines.
const (
	titleLine = iota
	headingLine
	textLine
	smallLine
	kinds
)

// typefaces are parsed once: Latin, Greek and Cyrillic, as of Windows' list WGL4.
var typefaces = sync.OnceValues(func() ([2]*opentype.Font, error) {
	regular, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return [2]*opentype.Font{}, fmt.Errorf("parse the typeface: %w", err)
	}
	bold, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return [2]*opentype.Font{}, fmt.Errorf("parse the bold typeface: %w", err)
	}
	return [2]*opentype.Font{regular, bold}, nil
})

// line is one of a page; an empty one is a gap.
type line struct {
	kind int
	text string
}

// pen sets and draws lines. It is one call's: faces are not safe for concurrent use.
type pen struct {
	regular *opentype.Font
	faces   [kinds]font.Face
}

func newPen() (*pen, error) {
	fonts, err := typefaces()
	if err != nil {
		return nil, err
	}
	p := &pen{regular: fonts[0]}
	for kind, points := range [kinds]float64{titleLine: 16, headingLine: 11, textLine: 11, smallLine: 9} {
		of := fonts[0]
		if kind == titleLine || kind == headingLine {
			of = fonts[1]
		}
		if p.faces[kind], err = opentype.NewFace(of, &opentype.FaceOptions{Size: points, DPI: dpi, Hinting: font.HintingNone}); err != nil {
			return nil, fmt.Errorf("make a face: %w", err)
		}
	}
	return p, nil
}

// pitch is how far a line of a kind is from the next.
func (p *pen) pitch(kind int) int { return p.faces[kind].Metrics().Height.Ceil() * 5 / 4 }

// Draw sets a title and its parts on as many pages as they need, each a PNG with its number. The same texts give the same pages. Nothing is cut; signs
// that the typeface lacks are shown as such, and the last page says so.
func Draw(title string, parts []Part) ([][]byte, error) {
	p, err := newPen()
	if err != nil {
		return nil, err
	}
	pages := p.pages(p.set(title, parts))
	out := make([][]byte, 0, len(pages))
	for i, lines := range pages {
		page, err := p.draw(lines, fmt.Sprintf("Page %d of %d", i+1, len(pages)))
		if err != nil {
			return nil, err
		}
		out = append(out, page)
	}
	return out, nil
}

// set makes lines of texts.
func (p *pen) set(title string, parts []Part) []line {
	f := fitter{font: p.regular}
	lines := p.wrapped(titleLine, f.fit(title))
	for _, part := range parts {
		text := strings.TrimSpace(f.fit(part.Text))
		if text == "" {
			continue
		}
		lines = append(append(lines, line{kind: textLine}), p.wrapped(headingLine, f.fit(part.Heading))...)
		lines = append(lines, p.wrapped(textLine, text)...)
	}
	if said := f.said(); said != "" {
		lines = append(append(lines, line{kind: textLine}), p.wrapped(smallLine, said)...)
	}
	return lines
}

// wrapped breaks a text into lines that fit, at spaces where it can.
func (p *pen) wrapped(kind int, text string) (out []line) {
	const room = width - 2*margin
	for row := range strings.Lines(text) {
		row = strings.TrimSpace(row)
		if row == "" && len(out) > 0 && out[len(out)-1].text == "" {
			continue // one gap is enough
		}
		for {
			n := p.fits(kind, row, fixed.I(room))
			out = append(out, line{kind, strings.TrimSpace(row[:n])})
			if row = strings.TrimSpace(row[n:]); row == "" {
				break
			}
		}
	}
	return out
}

// fits is how many bytes of a text stand on a line: all of it, up to a space, or of a word that is longer than a line as much as there is room for.
func (p *pen) fits(kind int, text string, room fixed.Int26_6) int {
	var at fixed.Int26_6
	space, before := 0, rune(-1)
	for i, r := range text {
		if before >= 0 {
			at += p.faces[kind].Kern(before, r)
		}
		advance, _ := p.faces[kind].GlyphAdvance(r)
		if at += advance; at > room && i > 0 {
			if space > 0 {
				return space
			}
			return i
		}
		if r == ' ' {
			space = i
		}
		before = r
	}
	return len(text)
}

// pages deals lines out. A heading stands with what follows it, and no page begins with a gap.
func (p *pen) pages(lines []line) (out [][]line) {
	var page []line
	y := margin
	for i, l := range lines {
		need := p.pitch(l.kind)
		if l.kind == headingLine && i+1 < len(lines) {
			need += p.pitch(lines[i+1].kind)
		}
		if y+need > last {
			out, page, y = append(out, page), nil, margin
		}
		if l.text == "" && len(page) == 0 {
			continue
		}
		page, y = append(page, l), y+p.pitch(l.kind)
	}
	return append(out, page)
}

func (p *pen) draw(lines []line, number string) ([]byte, error) {
	img := image.NewGray(image.Rect(0, 0, width, height))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	write := func(kind, y int, text string) {
		d := font.Drawer{Dst: img, Src: image.NewUniform(color.Black), Face: p.faces[kind], Dot: fixed.P(margin, y)}
		d.DrawString(text)
	}
	y := margin
	for _, l := range lines {
		y += p.pitch(l.kind)
		write(l.kind, y, l.text)
	}
	write(smallLine, foot, number)
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		return nil, fmt.Errorf("encode a page: %w", err)
	}
	return out.Bytes(), nil
}
