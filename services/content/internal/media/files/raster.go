package files

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/srwiley/oksvg"
	"github.com/srwiley/rasterx"
)

// rasteriseDrawing draws an SVG as a JPEG of exactly the given size, or of its width when the height is 0.
func rasteriseDrawing(svg []byte, to size) (data []byte, err error) {
	// The renderer panics on some malformed drawings; that must not end the process.
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("rasterise drawing: %v", failure)
		}
	}()
	r, err := readRoot(svg)
	if err != nil {
		return nil, err
	}
	area := r.cropped(to)
	scale := float64(to.width) / area.width
	width, height := to.width, max(1, int(area.height*scale+.5))
	prepared, err := prepareForRenderer(svg, scale)
	if err != nil {
		return nil, err
	}
	icon, err := oksvg.ReadIconStream(bytes.NewReader(prepared), oksvg.StrictErrorMode)
	if err != nil {
		return nil, fmt.Errorf("rasterise drawing: %w", err)
	}
	icon.SetTarget((r.x-area.x)*scale, (r.y-area.y)*scale, r.width*scale, r.height*scale)
	canvas := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(canvas, canvas.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	scanner := rasterx.NewScannerGV(width, height, canvas, canvas.Bounds())
	icon.Draw(rasterx.NewDasher(width, height, scanner), 1)
	var out bytes.Buffer
	if err := jpeg.Encode(&out, canvas, &jpeg.Options{Quality: jpegQuality}); err != nil {
		return nil, fmt.Errorf("encode JPEG: %w", err)
	}
	return out.Bytes(), nil
}

// prepareForRenderer works around faults of oksvg (2022-10-11): it reads scale(k) as scale(k 0), which flattens
// shapes; it does not scale stroke widths, which makes the grain coarse; and it does not round a rect's corners when
// only one radius is given. scale is that of the whole drawing.
func prepareForRenderer(svg []byte, scale float64) ([]byte, error) {
	var out bytes.Buffer
	decoder, encoder := xml.NewDecoder(bytes.NewReader(svg)), xml.NewEncoder(&out)
	scales := []float64{scale} // of the elements that are open
	for {
		token, err := decoder.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read SVG: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			scales = append(scales, prepareElement(&t, scales[len(scales)-1]))
			token = t
		case xml.EndElement:
			scales = scales[:len(scales)-1]
		}
		if err := encoder.EncodeToken(token); err != nil {
			return nil, fmt.Errorf("rewrite SVG: %w", err)
		}
	}
	if err := encoder.Flush(); err != nil {
		return nil, fmt.Errorf("rewrite SVG: %w", err)
	}
	return out.Bytes(), nil
}

// prepareElement changes an element's attributes and returns the scale inside it.
func prepareElement(element *xml.StartElement, scale float64) float64 {
	attributes := element.Attr
	radiusX, hasRadiusY := "", false
	for i, a := range attributes {
		switch a.Name.Local {
		case "transform":
			var own float64
			attributes[i].Value, own = explicitScale(a.Value)
			scale *= own
		case "rx":
			radiusX = a.Value
		case "ry":
			hasRadiusY = true
		}
	}
	if element.Name.Local == "rect" && radiusX != "" && !hasRadiusY {
		element.Attr = append(element.Attr, xml.Attr{Name: xml.Name{Local: "ry"}, Value: radiusX})
	}
	for i, a := range attributes {
		if width, err := strconv.ParseFloat(a.Value, 64); err == nil && a.Name.Local == "stroke-width" {
			attributes[i].Value = strconv.FormatFloat(width*scale, 'f', -1, 64)
		}
	}
	return scale
}

// explicitScale writes scale(k) as scale(k k), and returns by how much a transform scales lengths on average.
func explicitScale(transform string) (rewritten string, factor float64) {
	before, rest, found := strings.Cut(transform, "scale(")
	arguments, after, closed := strings.Cut(rest, ")")
	if !found || !closed {
		return transform, 1
	}
	sides := strings.Fields(strings.ReplaceAll(arguments, ",", " "))
	if len(sides) == 1 {
		sides = append(sides, sides[0])
	}
	if len(sides) != 2 {
		return transform, 1
	}
	x, errX := strconv.ParseFloat(sides[0], 64)
	y, errY := strconv.ParseFloat(sides[1], 64)
	if errX != nil || errY != nil {
		return transform, 1
	}
	return before + "scale(" + sides[0] + " " + sides[1] + ")" + after, math.Sqrt(math.Abs(x * y))
}
