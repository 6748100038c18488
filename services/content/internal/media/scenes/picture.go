package scenes

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// The picture's size in its own units.
const (
	pictureWidth  = 1600.0
	pictureHeight = 1000.0
)

type point struct{ x, y float64 }

// picture collects the elements of one drawing. Every shape goes through it, so that rounding and order are in one place.
type picture struct {
	out bytes.Buffer
	ink palette
	rnd *random
}

// newPicture begins a drawing with its sky. The gradient's id is the drawing's own, so that drawings put into one page
// do not borrow each other's sky.
func newPicture(spec Spec, ink palette) *picture {
	p := &picture{ink: ink, rnd: newRandom(spec.Seed)}
	p.out.Grow(64 << 10)
	id := fmt.Sprintf("s%08x%s", hash(spec.Seed), spec.Inks)
	fmt.Fprintf(&p.out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1000" preserveAspectRatio="xMidYMid slice">`+
		`<defs><linearGradient id="%s" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="%s"/>`+
		`<stop offset=".75" stop-color="%s"/></linearGradient></defs>`+
		`<rect x="0" y="0" width="1600" height="1000" fill="url(#%s)"/>`, id, ink.s0, ink.s1, id)
	return p
}

func (p *picture) finish() []byte {
	p.out.WriteString("</svg>")
	return p.out.Bytes()
}

// fill adds a path in one colour; opacity "" is opaque.
func (p *picture) fill(d *path, colour, opacity string) {
	p.out.WriteString(`<path d="`)
	p.out.Write(d.data)
	p.out.WriteString(`" fill="` + colour + `"`)
	if opacity != "" {
		p.out.WriteString(` opacity="` + opacity + `"`)
	}
	p.out.WriteString("/>")
}

// dots adds a path of zero-length strokes, which round caps turn into dots.
func (p *picture) dots(d *path, colour, diameter, opacity string) {
	p.out.WriteString(`<path d="`)
	p.out.Write(d.data)
	fmt.Fprintf(&p.out, `" stroke="%s" stroke-width="%s" stroke-linecap="round" opacity="%s" fill="none"/>`,
		colour, diameter, opacity)
}

func (p *picture) disc(centre point, radius float64, colour string) {
	fmt.Fprintf(&p.out, `<circle cx="%s" cy="%s" r="%s" fill="%s"/>`, num(centre.x), num(centre.y), num(radius), colour)
}

// band adds a rect over the picture's whole width.
func (p *picture) band(top, height float64, colour string) {
	fmt.Fprintf(&p.out, `<rect x="0" y="%s" width="1600" height="%s" fill="%s"/>`, num(top), num(height), colour)
}

// grain lays the print's grain over everything: dark dots that gather low, light ones all over.
func (p *picture) grain() {
	var dark, light path
	for range 1100 {
		dark.dot(point{pictureWidth * p.rnd.unit(), pictureHeight * math.Pow(p.rnd.unit(), .6)})
	}
	for range 700 {
		light.dot(point{pictureWidth * p.rnd.unit(), pictureHeight * p.rnd.unit()})
	}
	p.dots(&dark, p.ink.ink, "2.6", ".22")
	p.dots(&light, p.ink.light, "2.4", ".3")
}

// path is the data of one SVG path.
type path struct{ data []byte }

func (d *path) to(command byte, numbers ...float64) {
	d.data = append(d.data, command)
	for i, n := range numbers {
		if i > 0 && n > -.05 { // a minus sign parts two numbers by itself
			d.data = append(d.data, ' ')
		}
		d.data = appendNum(d.data, n)
	}
}

func (d *path) close() { d.data = append(d.data, 'Z') }

func (d *path) dot(at point) {
	d.to('M', math.Round(at.x), math.Round(at.y))
	d.to('h', 0)
}

// cut adds a lens shape with two pointed ends, like a woodcut's, from a to b; thick is its width in the middle.
func (d *path) cut(a, b point, thick float64) {
	a, b = point{math.Round(a.x), math.Round(a.y)}, point{math.Round(b.x), math.Round(b.y)}
	length := math.Hypot(b.x-a.x, b.y-a.y)
	if length == 0 {
		return
	}
	across := point{-(b.y - a.y) / length * thick, (b.x - a.x) / length * thick}
	middle := point{(a.x + b.x) / 2, (a.y + b.y) / 2}
	d.to('M', a.x, a.y)
	d.to('Q', middle.x+across.x, middle.y+across.y, b.x, b.y)
	d.to('Q', middle.x-across.x, middle.y-across.y, a.x, a.y)
	d.close()
}

// loop adds a closed line that swings around the points: each is the control point of a quadratic between middles.
func (d *path) loop(points []point) {
	last := points[len(points)-1]
	d.to('M', math.Round((last.x+points[0].x)/2), math.Round((last.y+points[0].y)/2))
	for i, at := range points {
		next := points[(i+1)%len(points)]
		d.to('Q', math.Round(at.x), math.Round(at.y), math.Round((at.x+next.x)/2), math.Round((at.y+next.y)/2))
	}
	d.close()
}

func num(n float64) string { return string(appendNum(nil, n)) }

// appendNum writes a coordinate with at most one decimal.
func appendNum(to []byte, n float64) []byte {
	n = math.Round(n*10) / 10
	if n == 0 {
		n = 0 // no minus zero
	}
	return strconv.AppendFloat(to, n, 'f', -1, 64)
}
