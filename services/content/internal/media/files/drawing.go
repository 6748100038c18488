package files

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
)

// root is the outermost element of an SVG: its picture area and where its start tag stands in the file.
type root struct {
	x, y, width, height float64
	tag                 [2]int64 // first byte and the one after the last
}

// readRoot reads the start tag. It wants an <svg> with a viewBox, as all drawings of the platform have.
func readRoot(svg []byte) (root, error) {
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		before := decoder.InputOffset()
		token, err := decoder.Token()
		if err != nil {
			return root{}, fmt.Errorf("read SVG: %w", err)
		}
		element, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		r := root{tag: [2]int64{before, decoder.InputOffset()}}
		if element.Name.Local != "svg" {
			return root{}, fmt.Errorf("read SVG: the first element is %s", element.Name.Local)
		}
		for _, attribute := range element.Attr {
			if attribute.Name.Local == "viewBox" {
				_, err := fmt.Sscan(attribute.Value, &r.x, &r.y, &r.width, &r.height)
				if err != nil || r.width <= 0 || r.height <= 0 {
					return root{}, fmt.Errorf("read SVG: viewBox %q", attribute.Value)
				}
				return r, nil
			}
		}
		return root{}, errors.New("read SVG: no viewBox")
	}
}

// cropped narrows the picture area around its middle to the proportions of a size; height 0 keeps it whole.
func (r root) cropped(to size) root {
	if to.height == 0 {
		return r
	}
	proportion := float64(to.width) / float64(to.height)
	if width := r.height * proportion; width < r.width {
		r.x, r.width = r.x+(r.width-width)/2, width
	} else {
		height := r.width / proportion
		r.y, r.height = r.y+(r.height-height)/2, height
	}
	return r
}

// cropDrawing returns the SVG with its start tag replaced by one that shows only the cropped area.
func cropDrawing(svg []byte, to size) ([]byte, error) {
	r, err := readRoot(svg)
	if err != nil {
		return nil, err
	}
	area := r.cropped(to)
	number := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
	tag := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="%s %s %s %s" preserveAspectRatio="xMidYMid slice">`,
		number(area.width), number(area.height), number(area.x), number(area.y), number(area.width), number(area.height))
	out := append([]byte{}, svg[:r.tag[0]]...)
	out = append(out, tag...)
	return append(out, svg[r.tag[1]:]...), nil
}

// compress compresses data for a Content-Encoding of br or gzip.
func compress(data []byte, encoding string) ([]byte, error) {
	var out bytes.Buffer
	var packer io.WriteCloser
	if encoding == "br" {
		packer = brotli.NewWriterLevel(&out, 6) // higher levels take three times as long and save 1 %
	} else {
		var err error
		if packer, err = gzip.NewWriterLevel(&out, gzip.BestCompression); err != nil {
			return nil, fmt.Errorf("compress: %w", err)
		}
	}
	if _, err := packer.Write(data); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	if err := packer.Close(); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	return out.Bytes(), nil
}

// acceptedEncoding picks br, gzip or "" from an Accept-Encoding header.
func acceptedEncoding(header string) string {
	refused := func(parameters string) bool {
		q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(parameters), "q="), 64)
		return err == nil && q == 0
	}
	best := ""
	for part := range strings.SplitSeq(header, ",") {
		name, parameters, _ := strings.Cut(strings.TrimSpace(part), ";")
		switch {
		case refused(parameters):
		case name == "br":
			return "br"
		case name == "gzip":
			best = "gzip"
		}
	}
	return best
}
