package files

import (
	"math"
	"strconv"
	"strings"

	"talkoot.fi/content/internal/media/scenes"
)

// sourceKind is the stored format of a picture and the format that is served.
type sourceKind int

const (
	photograph sourceKind = iota + 1 // raster stored, raster served
	drawing                          // SVG stored, SVG served
	rasterised                       // SVG stored, JPEG served: share previews take no SVG
)

const maxNameLength = 128

// SentName is a regular expression that finds, in any text, the names of pictures that people have sent (PutImage).
const SentName = `[a-z]{1,24}-[0-9a-f]{32}[.](?:jpg|png)`

// parseName reads the last part of a media address. source is the stored picture's name; name.svg.jpg asks for the
// drawing name.svg as a JPEG (see SharePath). Names are [a-z0-9][a-z0-9._-]{0,127} without two dots in a row, ending
// in .jpg, .png or .svg.
func parseName(name string) (source string, kind sourceKind, ok bool) {
	if name == "" || len(name) > maxNameLength || strings.Contains(name, "..") {
		return "", 0, false
	}
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789._-") != "" || strings.ContainsAny(name[:1], "._-") {
		return "", 0, false
	}
	switch {
	case strings.HasSuffix(name, ".svg.jpg"):
		source, kind = strings.TrimSuffix(name, ".jpg"), rasterised
	case strings.HasSuffix(name, ".svg"):
		source, kind = name, drawing
	case strings.HasSuffix(name, ".jpg"), strings.HasSuffix(name, ".png"):
		return name, photograph, true
	default:
		return "", 0, false
	}
	if reserved := strings.HasPrefix(source, "scene-") || strings.HasPrefix(source, "avatar-"); reserved {
		return source, kind, scenes.IsFileName(source)
	}
	return source, kind, true
}

// size of a variant in pixels; height 0 keeps the picture's own proportions.
type size struct{ width, height int }

func (s size) String() string { return strconv.Itoa(s.width) + "x" + strconv.Itoa(s.height) }

// parseSize reads {width}x{height} and rounds it to a size that is served: the width up to the next of eleven (the
// largest for anything wider), the height to the nearest of eight proportions, so that a picture has at most 99
// variants, whatever sizes are requested. It returns false for a malformed size or a width of 0; a height of 0 keeps
// the picture's proportions.
func parseSize(text string) (size, bool) {
	w, h, found := strings.Cut(text, "x")
	width, okWidth := parseSide(w)
	height, okHeight := parseSide(h)
	if !found || !okWidth || !okHeight || width == 0 {
		return size{}, false
	}
	snapped := size{width: 1920}
	for _, allowed := range []int{80, 160, 320, 480, 640, 800, 960, 1200, 1280, 1600, 1920} {
		if width <= allowed {
			snapped.width = allowed
			break
		}
	}
	if height > 0 {
		p := nearestProportion(width, height)
		snapped.height = int(math.Round(float64(snapped.width) * float64(p.height) / float64(p.width)))
	}
	return snapped, true
}

// parseSide reads a side of at most four digits, without sign or leading zero.
func parseSide(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && len(text) <= 4 && strconv.Itoa(n) == text && n >= 0
}

func nearestProportion(width, height int) size {
	wanted := math.Log(float64(width) / float64(height))
	best, distance := size{1, 1}, math.Inf(1)
	for _, p := range []size{{2, 3}, {1, 1}, {3, 2}, {16, 10}, {16, 9}, {1200, 630}, {12, 5}, {5, 2}} {
		if d := math.Abs(math.Log(float64(p.width)/float64(p.height)) - wanted); d < distance {
			best, distance = p, d
		}
	}
	return best
}
