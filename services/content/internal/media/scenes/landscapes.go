package scenes

import "math"

// skyline is the upper edge of a ridge: two waves and some noise around a base line.
type skyline struct {
	base, amp      float64
	waveA, waveB   float64 // waves across the picture
	phaseA, phaseB float64
}

func (p *picture) skyline(base, amp float64) skyline {
	r := p.rnd
	return skyline{
		base: base, amp: amp,
		waveA: r.between(.6, 1.4), waveB: r.between(1.5, 3),
		phaseA: r.between(0, 2*math.Pi), phaseB: r.between(0, 2*math.Pi),
	}
}

func (s skyline) at(x float64) float64 {
	a := 2*math.Pi*s.waveA*x/pictureWidth + s.phaseA
	b := 2*math.Pi*s.waveB*x/pictureWidth + s.phaseB
	return s.base - s.amp*(.62*math.Sin(a)+.30*math.Sin(b))
}

// ridge fills everything below a skyline.
func (p *picture) ridge(line skyline, colour string) {
	var d path
	height := func(x float64) float64 { return math.Round(line.at(x) - .12*line.amp*p.rnd.unit()) }
	x, y := -40.0, height(-40)
	d.to('M', x, y)
	for x < pictureWidth+40 {
		nextX := x + 80
		nextY := height(nextX)
		if x > -40 {
			d.to('Q', x, y, x+40, math.Round((y+nextY)/2))
		}
		x, y = nextX, nextY
	}
	d.to('L', x, y)
	d.to('V', pictureHeight+10)
	d.to('H', -40)
	d.close()
	p.fill(&d, colour, "")
}

// spruces stands a line of trees on a skyline, their feet a little below it, about one every gap.
func (p *picture) spruces(line skyline, sink, low, high, gap float64, colour string) {
	var d path
	for x := -20.0; x < pictureWidth+30; x += gap * p.rnd.between(.7, 1.3) {
		d.spruce(point{x, line.at(x) + sink}, p.rnd.between(low, high), p.rnd.between(.20, .26))
	}
	p.fill(&d, colour, "")
}

// spruce adds a tree of four tiers with its foot at foot; breadth is half its width as a share of its height.
func (d *path) spruce(foot point, height, breadth float64) {
	const (
		tiers    = 4
		notch    = .48
		tierStep = .215
		droop    = .006
	)
	x, top := math.Round(foot.x), foot.y-height
	type step struct{ half, y float64 }
	steps := make([]step, 0, 2*tiers)
	for tier := 1.0; tier <= tiers; tier++ {
		half := height * breadth * tier / tiers
		y := top + height*tierStep*tier
		steps = append(steps, step{half, y}, step{half * notch, y - height*droop*tier})
	}
	d.to('M', x, math.Round(top))
	for _, s := range steps {
		d.to('L', math.Round(x+s.half), math.Round(s.y))
	}
	d.to('L', x, math.Round(foot.y))
	for i := len(steps) - 1; i >= 0; i-- {
		d.to('L', math.Round(x-steps[i].half), math.Round(steps[i].y))
	}
	d.close()
}

// glints lays 46 cuts of light on water below shore, longer and thicker downwards, many of them under the disc.
func (p *picture) glints(shore, discX float64, colour string) {
	var d path
	for range 46 {
		depth := math.Pow(p.rnd.unit(), 1.15)
		x := p.rnd.between(-40, pictureWidth+40)
		if p.rnd.chance(.45) {
			x = discX + p.rnd.between(-1, 1)*(70+120*depth)
		}
		y := shore + 16 + (pictureHeight-shore)*depth
		half := p.rnd.between(32, 58) * (1 + depth)
		d.cut(point{x - half, y}, point{x + half, y}, 2.4+4.6*depth)
	}
	p.fill(&d, colour, ".55")
}

func (p *picture) ridgeScene() {
	r := p.rnd
	shore := r.between(618, 642)
	sun := point{r.between(1000, 1290), shore - r.between(180, 240)}
	p.disc(sun, r.between(105, 145), p.ink.acc)
	p.ridge(p.skyline(shore-110, 90), p.ink.far)
	trees := p.skyline(shore-42, 60)
	p.spruces(trees, 18, 60, 120, 26, p.ink.mid)
	p.ridge(trees, p.ink.mid)
	p.band(shore, pictureHeight-shore, p.ink.near)
	p.glints(shore, sun.x, p.ink.s1)
}

func (p *picture) lakeScene() {
	r := p.rnd
	shore := r.between(490, 530)
	sun := point{r.between(400, 600), shore - r.between(150, 195)}
	if r.chance(.4) {
		sun.x = pictureWidth - sun.x
	}
	p.disc(sun, r.between(105, 145), p.ink.acc)
	p.ridge(p.skyline(shore-95, 62), p.ink.far)
	trees := p.skyline(shore-24, 18)
	p.spruces(trees, 14, 46, 92, 20, p.ink.mid)
	p.ridge(trees, p.ink.mid)
	p.band(shore, pictureHeight-shore, p.ink.s1)
	p.glints(shore, sun.x, p.ink.light)
	p.reeds()
}

// reeds stands reeds at the picture's foot and leaves the middle open.
func (p *picture) reeds() {
	var d path
	for range 60 {
		x := p.rnd.between(10, 1590)
		height, lean := p.rnd.between(90, 260), p.rnd.between(-20, 22)
		if math.Abs(x-800) < 330 {
			continue
		}
		d.cut(point{x, pictureHeight + 10}, point{x + lean, pictureHeight + 10 - height}, 5.4)
	}
	p.fill(&d, p.ink.near, "")
}

func (p *picture) auroraScene() {
	r := p.rnd
	var stars path
	for range 120 {
		stars.dot(point{r.between(2, 1598), r.between(2, 560)})
	}
	p.dots(&stars, p.ink.light, "4", ".7")
	p.curtain(r.between(290, 340), "#4FA7A0", ".5")
	p.curtain(r.between(350, 400), p.ink.acc, ".8")
	p.curtain(r.between(470, 520), "#B7DDB0", ".5")
	p.ridge(p.skyline(690, 58), p.ink.far)
	trees := p.skyline(758, 46)
	p.spruces(trees, 22, 90, 165, 29, p.ink.mid)
	p.ridge(trees, p.ink.mid)
	p.ridge(p.skyline(930, 26), p.ink.near)
}

// curtain hangs one fold of northern lights: upright, leaning cuts along two summed waves.
func (p *picture) curtain(base float64, colour, opacity string) {
	r := p.rnd
	line := skyline{base: base, amp: 125, waveA: r.between(.8, 1.7), waveB: r.between(1.8, 3.2),
		phaseA: r.between(0, 2*math.Pi), phaseB: r.between(0, 2*math.Pi)}
	swell := skyline{amp: 70, waveA: r.between(1, 2.4), phaseA: r.between(0, 2*math.Pi)}
	var d path
	for x := -20.0; x < pictureWidth+20; x += 17 {
		foot := line.at(x)
		length := 190 + swell.at(x) + r.between(0, 90)
		d.cut(point{x, foot}, point{x + 34, foot - length}, 8.5)
	}
	p.fill(&d, colour, opacity)
}

func (p *picture) birchScene() {
	p.disc(point{800, 420}, 265, p.ink.s1)
	ground := p.skyline(700, 44)
	p.spruces(ground, 34, 140, 262, 42, p.ink.far)
	p.ridge(ground, p.ink.mid)
	for _, x := range []float64{100, 252, 405, 1150, 1328, 1508} {
		p.trunk(x + p.rnd.between(-22, 22))
	}
	var grass path
	for range 130 {
		x := p.rnd.between(-5, 1605)
		grass.cut(point{x, pictureHeight + 10},
			point{x + p.rnd.between(-14, 34), pictureHeight + 10 - p.rnd.between(36, 155)}, 5.6)
	}
	p.fill(&grass, p.ink.near, "")
}

// trunk draws a birch from edge to edge of the picture, its shade at the right, and its bark cut from both sides.
func (p *picture) trunk(x float64) {
	r := p.rnd
	width := r.between(34, 68)
	left, right := math.Round(x-width/2), math.Round(x+width/2)
	spread := math.Round(width * .11)
	side := func(inset float64, colour string) {
		var d path
		d.to('M', left+inset, -5)
		d.to('L', right, -5)
		d.to('L', right+spread, pictureHeight+5)
		d.to('L', left-spread+inset*1.15, pictureHeight+5)
		d.close()
		p.fill(&d, colour, "")
	}
	side(0, p.ink.light)
	side(math.Round(width*.73), p.ink.s1)
	var bark path
	for range 15 {
		y, long, tilt := r.between(10, 990), width*r.between(.2, .62), r.between(-6, 6)
		if r.chance(.5) {
			bark.cut(point{left - 1, y}, point{left + long, y + tilt}, 5)
		} else {
			bark.cut(point{right + 1, y}, point{right - long, y + tilt}, 5)
		}
	}
	p.fill(&bark, p.ink.ink, "")
}
