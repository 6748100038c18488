// Package scenes draws the platform's own cover art: the picture of a campaign or an experiment that has none, and the
// portrait of a person without a photograph.
//
// It owns the recipe: nine scenes, eleven ink sets, the cut, the grain, and the order in which random numbers are drawn.
// A drawing is a pure function of its Spec, so the same seed gives the same bytes on every replica, and nothing needs to
// be stored; changing the order of the draws changes every picture that was ever drawn, which the golden test notices.
// Drawings are plain SVG (paths, circles, rects, one two-stop gradient; no text, filter, script or reference), so that
// any renderer gives the same picture. Serving, caching and compressing them is left to package files.
package scenes
