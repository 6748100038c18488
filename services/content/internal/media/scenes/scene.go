package scenes

import (
	"errors"
	"fmt"
)

// Kind names one of the nine scenes.
type Kind string

// The scenes: four landscapes and five patterns.
const (
	Ridge  Kind = "ridge"
	Lake   Kind = "lake"
	Aurora Kind = "aurora"
	Birch  Kind = "birch"
	Waves  Kind = "waves"
	Sheets Kind = "sheets"
	Rings  Kind = "rings"
	Rug    Kind = "rug"
	Print  Kind = "print"
)

// Kinds lists the scenes. The order takes part in what a seed picks.
func Kinds() []Kind {
	return []Kind{Ridge, Lake, Aurora, Birch, Waves, Sheets, Rings, Rug, Print}
}

// Spec says what to draw. An empty Kind or Inks is picked by the seed.
type Spec struct {
	Seed string
	Kind Kind
	Inks InkSet
}

// ErrUnknown: a Spec names a scene or an ink set that does not exist.
var ErrUnknown = errors.New("no such scene or ink set")

// Draw returns the scene as an SVG of 1600 × 1000 units, between 30 and 60 kB. The same Spec gives the same bytes.
// Errors: ErrUnknown.
func Draw(spec Spec) ([]byte, error) {
	spec = spec.completed()
	ink, known := paletteOf(spec.Inks)
	if !known {
		return nil, fmt.Errorf("ink set %q: %w", spec.Inks, ErrUnknown)
	}
	draw := drawerOf(spec.Kind)
	if draw == nil {
		return nil, fmt.Errorf("scene %q: %w", spec.Kind, ErrUnknown)
	}
	p := newPicture(spec, ink)
	draw(p)
	p.grain()
	return p.finish(), nil
}

// drawerOf returns the function that draws a scene, nil for a scene that does not exist.
func drawerOf(kind Kind) func(*picture) {
	switch kind {
	case Ridge:
		return (*picture).ridgeScene
	case Lake:
		return (*picture).lakeScene
	case Aurora:
		return (*picture).auroraScene
	case Birch:
		return (*picture).birchScene
	case Waves:
		return (*picture).wavesScene
	case Sheets:
		return (*picture).sheetsScene
	case Rings:
		return (*picture).ringsScene
	case Rug:
		return (*picture).rugScene
	case Print:
		return (*picture).printScene
	}
	return nil
}

// completed fills an empty scene or ink set from the seed. The choice has a stream of its own, so that a picture is the
// same whether its scene was picked or given.
func (s Spec) completed() Spec {
	r := newRandom(s.Seed + "|choice")
	if kind := oneOf(r, Kinds()); s.Kind == "" {
		s.Kind = kind
	}
	if s.Inks == "" {
		if sets := inksFor(s.Kind); len(sets) > 0 {
			s.Inks = oneOf(r, sets)
		}
	}
	return s
}
