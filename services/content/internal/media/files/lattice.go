package files

import (
	"image"
	"image/color"
)

// lattice is a conversion of colours at evenly spaced points, between which it is interpolated: to convert each pixel of
// a photo by its profile takes seconds.
type lattice struct {
	channels int // 3 or 4
	side     int // points along each channel
	points   [][3]float32
	at       [256]place
}

// place is where a channel's value is along the lattice: the point below it, and how far above that it is, from 0 to 1.
type place struct {
	below int
	above float32
}

func newLattice(channels, side int) lattice {
	l := lattice{channels: channels, side: side, points: make([][3]float32, 1)}
	for range channels {
		l.points = make([][3]float32, len(l.points)*side)
	}
	for value := range l.at {
		below := min(value*(side-1)/255, side-2)
		l.at[value] = place{below, float32(value*(side-1))/255 - float32(below)}
	}
	return l
}

// take keeps what the points were converted to; point i is the pixel i of the picture, row by row.
func (l lattice) take(converted image.Image) {
	b := converted.Bounds()
	for i := range l.points {
		x, y := b.Min.X+i%b.Dx(), b.Min.Y+i/b.Dx()
		c, _ := color.NRGBA64Model.Convert(converted.At(x, y)).(color.NRGBA64)
		l.points[i] = [3]float32{float32(c.R) / 257, float32(c.G) / 257, float32(c.B) / 257}
	}
}

// convert interpolates linearly along each channel. The first channel varies slowest.
func (l lattice) convert(values []byte) (r, g, b byte) {
	var indexes [16]int
	var shares [16]float32
	shares[0] = 1
	corners := 1
	for _, value := range values[:l.channels] {
		p := l.at[value]
		for i := range corners {
			low := indexes[i]*l.side + p.below
			indexes[i], indexes[i+corners] = low, low+1
			shares[i], shares[i+corners] = shares[i]*(1-p.above), shares[i]*p.above
		}
		corners *= 2
	}
	var sum [3]float32
	for i := range corners {
		point := &l.points[indexes[i]]
		for c := range sum {
			sum[c] += shares[i] * point[c]
		}
	}
	return byte(sum[0] + .5), byte(sum[1] + .5), byte(sum[2] + .5)
}

// convertRGB converts a picture in place.
func convertRGB(picture *image.NRGBA, convert func(image.Image) (image.Image, error)) (image.Image, error) {
	const side = 33
	l := newLattice(3, side)
	points := image.NewNRGBA64(image.Rect(0, 0, side, side*side))
	level := func(i int) uint16 { return uint16(i * 0xffff / (side - 1)) } //nolint:gosec // i is below side
	for i := range l.points {
		points.SetNRGBA64(i%side, i/side, color.NRGBA64{R: level(i / side / side), G: level(i / side % side), B: level(i % side), A: 0xffff})
	}
	converted, err := convert(points)
	if err != nil {
		return nil, err
	}
	l.take(converted)
	for i := 0; i < len(picture.Pix); i += 4 {
		p := picture.Pix[i : i+4 : i+4]
		p[0], p[1], p[2] = l.convert(p)
	}
	return picture, nil
}

func convertCMYK(picture *image.CMYK, convert func(image.Image) (image.Image, error)) (image.Image, error) {
	const side = 18 // a point at each fifteenth of the 256 levels
	l := newLattice(4, side)
	points := image.NewCMYK(image.Rect(0, 0, side, side*side*side))
	level := func(i int) byte { return byte(i % side * 255 / (side - 1)) } //nolint:gosec // at most 255
	for i := range l.points {
		copy(points.Pix[4*i:], []byte{level(i / side / side / side), level(i / side / side), level(i / side), level(i)})
	}
	converted, err := convert(points)
	if err != nil {
		return nil, err
	}
	l.take(converted)
	b := picture.Bounds()
	out := image.NewRGBA(b)
	for y := range b.Dy() {
		from, to := picture.Pix[y*picture.Stride:], out.Pix[y*out.Stride:]
		for x := 0; x < 4*b.Dx(); x += 4 {
			p := to[x : x+4 : x+4]
			p[0], p[1], p[2] = l.convert(from[x : x+4])
			p[3] = 0xff
		}
	}
	return out, nil
}
