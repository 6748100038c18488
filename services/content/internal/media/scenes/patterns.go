package scenes

import (
	"fmt"
	"math"
)

func (p *picture) wavesScene() {
	r := p.rnd
	radius := r.between(105, 145)
	p.disc(point{r.between(1080, 1290), 230}, 130, p.ink.acc)
	colours := []string{p.ink.far, p.ink.s0, p.ink.mid, p.ink.far, p.ink.near, p.ink.mid, p.ink.ink, p.ink.near}
	for row := 0; ; row++ {
		y := 430 + .72*radius*float64(row)
		if y-.82*radius > pictureHeight {
			return
		}
		colour := p.ink.ink // low rows stay dark: the picture rests on them
		if row < len(colours) {
			colour = colours[row]
		}
		start := -300 + r.between(0, 12)
		if row%2 == 1 {
			start += radius
		}
		p.waveRow(point{start, y}, radius, colour)
	}
}

// waveRow draws a row of half ellipses, each with five cuts of light.
func (p *picture) waveRow(start point, radius float64, colour string) {
	var row, light path
	base := math.Round(start.y)
	row.to('M', math.Round(start.x), base)
	for x := start.x; x < pictureWidth+radius; x += 2 * radius {
		row.to('A', math.Round(radius), math.Round(.82*radius), 0, 0, 1, math.Round(x+2*radius), base)
		middle := x + radius
		if middle < -radius || middle > pictureWidth+radius {
			continue
		}
		for _, ray := range []struct{ x, top float64 }{{-.68, .32}, {-.34, .45}, {0, .58}, {.34, .45}, {.68, .32}} {
			light.cut(point{middle + ray.x*radius, base - ray.top*radius},
				point{middle + .76*ray.x*radius, base - .12*radius}, 4)
		}
	}
	row.to('V', math.Max(base, pictureHeight)+10)
	row.to('H', math.Round(start.x))
	row.close()
	p.fill(&row, colour, "")
	p.fill(&light, p.ink.light, ".38")
}

func (p *picture) sheetsScene() {
	r := p.rnd
	for _, sheet := range []struct {
		centre point
		rx, ry float64
		colour string
	}{
		{point{280, 280}, 410, 310, p.ink.far},
		{point{1310, 230}, 400, 290, p.ink.s0},
		{point{1330, 860}, 520, 300, p.ink.mid},
		{point{180, 930}, 455, 230, p.ink.near},
		{point{800, 500}, 505, 350, p.ink.light},
	} {
		centre := point{sheet.centre.x + r.between(-30, 30), sheet.centre.y + r.between(-30, 30)}
		p.sheet(centre, sheet.rx, sheet.ry, r.between(10, 54)*math.Pi/180, sheet.colour)
	}
	var weave path // the empty sheet in the middle shows its paper's weave
	for range 90 {
		turn, far := r.between(0, 2*math.Pi), math.Sqrt(r.unit())
		from := point{800 + 300*far*math.Cos(turn), 500 + 190*far*math.Sin(turn)}
		weave.cut(from, point{from.x + r.between(26, 54), from.y - r.between(14, 26)}, 3.4)
	}
	p.fill(&weave, p.ink.s1, ".7")
	var d path
	for range 34 {
		from := point{r.between(1090, 1500), r.between(770, 965)}
		long, angle := r.between(44, 88), r.between(24, 38)*math.Pi/180
		d.cut(from, point{from.x + long*math.Cos(angle), from.y - long*math.Sin(angle)}, 4.4)
	}
	p.fill(&d, p.ink.far, ".8")
}

// sheet lays a piece of cut paper, wobbling by 17 % over nine points, with its shadow below and to the right.
func (p *picture) sheet(centre point, rx, ry, turn float64, colour string) {
	const corners = 9
	points, shadow := make([]point, corners), make([]point, corners)
	for i := range points {
		angle := 2 * math.Pi * float64(i) / corners
		wobble := p.rnd.between(.83, 1.17)
		x, y := rx*wobble*math.Cos(angle), ry*wobble*math.Sin(angle)
		points[i] = point{
			centre.x + x*math.Cos(turn) - y*math.Sin(turn),
			centre.y + x*math.Sin(turn) + y*math.Cos(turn),
		}
		shadow[i] = point{points[i].x + 9, points[i].y + 12}
	}
	var below, paper path
	below.loop(shadow)
	paper.loop(points)
	p.fill(&below, p.ink.ink, ".16")
	p.fill(&paper, colour, "")
}

func (p *picture) ringsScene() {
	r := p.rnd
	centre := point{r.between(690, 880), r.between(470, 540)}
	colours := []string{p.ink.s1, p.ink.s0, p.ink.far, p.ink.s1, p.ink.s0, p.ink.mid, p.ink.s0}
	three, five, nine := r.between(0, 6.3), r.between(0, 6.3), r.between(0, 6.3)
	drift := r.between(-.045, .045)
	for ring, radius := 0, 1150.0; radius > 40; ring, radius = ring+1, radius-r.between(24, 54) {
		colour := colours[ring%len(colours)]
		if colour == p.ink.mid && radius < 520 {
			colour = p.ink.far // the middle stays calm
		}
		turn := drift * float64(ring)
		const corners = 36
		points := make([]point, corners)
		for i := range points {
			angle := 2 * math.Pi * float64(i) / corners
			wobble := 1 + .05*math.Sin(3*angle+three+turn) + .035*math.Sin(5*angle+five-turn) + .02*math.Sin(9*angle+nine)
			points[i] = point{
				centre.x + 1.12*radius*wobble*math.Cos(angle),
				centre.y + .86*radius*wobble*math.Sin(angle),
			}
		}
		var d path
		d.loop(points)
		p.fill(&d, colour, "")
	}
}

func (p *picture) rugScene() {
	r := p.rnd
	dark := []string{p.ink.far, p.ink.mid, p.ink.near, p.ink.acc}
	light := []string{p.ink.s0, p.ink.s1, p.ink.light}
	colours := append(append([]string{}, light...), dark...)
	last, lastHeight := "", 0.0
	for y := 0.0; y < pictureHeight; {
		height, colour := lastHeight, last
		for height == lastHeight {
			height = oneOf(r, []float64{18, 26, 40, 40, 64, 64, 96})
		}
		for colour == last || colour == p.ink.acc && height > 64 {
			colour = oneOf(r, colours)
		}
		p.band(y, height+1, colour)
		thread := p.ink.light
		for _, c := range light {
			if c == colour {
				thread = p.ink.ink
			}
		}
		p.stitches(y, height, thread)
		last, lastHeight, y = colour, height, y+height
	}
}

// stitches sews slanting cuts along a stripe. They are written relative to each other, which keeps a rug's file small.
func (p *picture) stitches(top, height float64, colour string) {
	const (
		gap   = 26
		slant = 9.0
		thick = 2
	)
	var d path
	x, y, long := math.Round(p.rnd.between(-20, 6)), top+3, height-6
	d.to('M', x, y)
	for ; x < pictureWidth; x += gap {
		d.to('q', math.Round(slant/2+thick), long/2, slant, long)
		d.to('q', -math.Round(slant/2+thick), -long/2, -slant, -long)
		d.to('m', gap, 0)
	}
	p.fill(&d, colour, ".13")
}

func (p *picture) printScene() {
	r := p.rnd
	var petals path
	for i := range 6 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 3)
		petals.cut(point{14 * cos, 14 * sin}, point{88 * cos, 88 * sin}, 42)
	}
	colours := []string{p.ink.s0, p.ink.far, p.ink.far, p.ink.mid, p.ink.mid, p.ink.near, p.ink.near}
	last := ""
	for row := range 6 {
		y := 40 + 180*float64(row)
		shift := -200.0
		if row%2 == 1 {
			shift = -100
		}
		for column := range 10 {
			at := point{shift + 200*float64(column) + r.between(-13, 13), y + r.between(-13, 13)}
			colour := last
			for colour == last || colour == p.ink.s0 && row < 2 { // s0 is the sky's own colour up there
				colour = oneOf(r, colours)
			}
			heart := p.ink.light
			if r.chance(.25) {
				heart = p.ink.acc
			}
			fmt.Fprintf(&p.out, `<g transform="translate(%s %s) rotate(%s)">`,
				num(math.Round(at.x)), num(math.Round(at.y)), num(math.Round(r.between(0, 360))))
			p.fill(&petals, colour, "")
			p.disc(point{}, 17, heart)
			p.out.WriteString("</g>")
			last = colour
		}
	}
}
