package files

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"path"
	"runtime/debug"
	"strings"

	"github.com/kovidgoyal/imaging"

	"talkoot.fi/content/internal/media/scenes"
	"talkoot.fi/kit/apperr"
)

// recipe is the version of how variants are made. A change of cropping, scaling or encoding increments it, so that
// stored variants are made again.
const recipe = "1"

// variant is one picture in one size as it is sent.
type variant struct {
	source   string
	kind     sourceKind
	size     size
	encoding string // br, gzip or "", of drawings only
}

// isFromSeed reports whether the picture is drawn from a seed, which anyone can make up.
func (v variant) isFromSeed() bool { return v.kind == drawing && scenes.IsFileName(v.source) }

func (v variant) contentType() string {
	switch {
	case v.kind == drawing:
		return "image/svg+xml"
	case path.Ext(v.source) == ".png":
		return "image/png"
	}
	return "image/jpeg"
}

// key is where the variant is stored. An SVG scales without loss, so drawings have one variant for each proportion.
func (v variant) key() string {
	switch v.kind {
	case drawing:
		shape := size{width: 1600}
		if v.size.height > 0 {
			shape.height = (1600*v.size.height + v.size.width/2) / v.size.width
		}
		extension := ".svg"
		if v.encoding != "" {
			extension += "." + v.encoding
		}
		return "variants/" + recipe + "/" + v.source + "/" + shape.String() + extension
	case rasterised:
		return "variants/" + recipe + "/" + v.source + "/" + v.size.String() + ".jpg"
	case photograph:
	}
	return "variants/" + recipe + "/" + v.source + "/" + v.size.String() + path.Ext(v.source)
}

// etag is derived from the address, because an address always has the same bytes.
func (v variant) etag() string {
	return `"` + strings.ReplaceAll(strings.TrimPrefix(v.key(), "variants/"), "/", "-") + `"`
}

// load returns the variant's bytes; the first request makes and stores them. Concurrent requests for the same variant
// share the work. Errors: apperr.NotFound, Busy, Unavailable.
func (s *Store) load(ctx context.Context, v variant) ([]byte, error) {
	key := v.key()
	if v.isFromSeed() {
		if data, ok := s.drawn.get(key); ok {
			return data, nil
		}
	} else if data, err := s.read(ctx, key); err == nil {
		return data, nil
	} // an unreadable variant is made again from the original
	made, err, _ := s.flight.Do(key, func() (any, error) {
		// When one caller hangs up, the others that wait for the same variant must not fail.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), makeTimeout)
		defer cancel()
		data, err := s.make(ctx, v)
		if err != nil {
			return nil, err
		}
		if v.isFromSeed() {
			s.drawn.put(key, data)
		} else if err := s.write(ctx, key, data, v.contentType()); err != nil {
			s.logWriteFailure(err)
		}
		return data, nil
	})
	if err != nil {
		return nil, err
	}
	return made.([]byte), nil
}

// make produces a variant from its original, inside its gate.
func (s *Store) make(ctx context.Context, v variant) ([]byte, error) {
	gate := s.gate
	if v.isFromSeed() {
		gate = s.seeds
	}
	leave, err := gate.enter(ctx, 0)
	if err != nil {
		return nil, err
	}
	defer leave()
	if v.kind != drawing {
		defer debug.FreeOSMemory() // as after an upload; takes a tenth of the time of making the variant
	}
	original, drawn := scenes.FromFileName(v.source)
	if !drawn {
		if original, err = s.read(ctx, originalKey(v.source)); err != nil {
			return nil, err
		}
	}
	var data []byte
	switch v.kind {
	case drawing:
		data, err = cropDrawing(original, v.size)
		if err == nil && v.encoding != "" {
			data, err = compress(data, v.encoding)
		}
	case rasterised:
		data, err = rasteriseDrawing(original, v.size)
	case photograph:
		data, err = resize(original, v)
	}
	if err != nil {
		return nil, apperr.New(apperr.Internal).Wrap(fmt.Errorf("make %s of %s: %w", v.size, v.source, err))
	}
	return data, nil
}

// resize crops a stored picture around its centre and scales it down. It never scales up: a picture smaller than the
// size is cut to the proportions at its own resolution.
func resize(original []byte, v variant) ([]byte, error) {
	format, _ := formatOf(v.contentType())
	picture, err := format.decode(bytes.NewReader(original))
	if err != nil {
		return nil, fmt.Errorf("decode original: %w", err)
	}
	to := fitted(picture.Bounds().Size(), v.size)
	scaled := imaging.Fill(picture, to.width, to.height, imaging.Center, imaging.Lanczos)
	var out bytes.Buffer
	if v.contentType() == "image/png" {
		err = png.Encode(&out, scaled)
	} else {
		err = jpeg.Encode(&out, scaled, &jpeg.Options{Quality: jpegQuality})
	}
	if err != nil {
		return nil, fmt.Errorf("encode variant: %w", err)
	}
	return out.Bytes(), nil
}

// fitted is the largest size of the wanted proportions that is neither larger than wanted nor than the picture.
func fitted(have image.Point, want size) size {
	if want.height == 0 {
		want.height = max(1, (want.width*have.Y+have.X/2)/have.X)
	}
	scale := min(1, float64(have.X)/float64(want.width), float64(have.Y)/float64(want.height))
	return size{max(1, int(float64(want.width)*scale+.5)), max(1, int(float64(want.height)*scale+.5))}
}
