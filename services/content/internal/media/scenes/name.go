package scenes

import "strings"

const maxSeedLength = 64

// FileName is the name under which a scene's file can be asked for. The seed must be 1 to 64 of a-z, 0-9 and dash, as
// slugs and numeric ids are; FromFileName refuses other names.
func (s Spec) FileName() string {
	if s.Kind == "" || s.Inks == "" {
		return "scene-" + s.Seed + ".svg"
	}
	return "scene-" + string(s.Kind) + "-" + string(s.Inks) + "-" + s.Seed + ".svg"
}

// AvatarFileName is the name under which an avatar's file can be asked for; the seed as in FileName.
func AvatarFileName(seed string) string { return "avatar-" + seed + ".svg" }

// FromFileName draws the picture that a name stands for: scene-<kind>-<inks>-<seed>.svg, scene-<seed>.svg or
// avatar-<seed>.svg. It returns false for every other name. A seed that itself begins with a scene and an ink set is
// read as the first form.
func FromFileName(name string) ([]byte, bool) {
	prefix, rest, ok := splitFileName(name)
	if !ok {
		return nil, false
	}
	if prefix == "avatar" {
		return Avatar(rest), true
	}
	svg, err := Draw(specOf(rest))
	return svg, err == nil
}

// IsFileName reports whether FromFileName draws a picture for the name, without drawing it.
func IsFileName(name string) bool {
	_, _, ok := splitFileName(name)
	return ok
}

// splitFileName parts a valid name into scene or avatar and what follows.
func splitFileName(name string) (prefix, rest string, ok bool) {
	stem, isSVG := strings.CutSuffix(name, ".svg")
	prefix, rest, _ = strings.Cut(stem, "-")
	switch prefix {
	case "avatar":
		return prefix, rest, isSVG && validSeed(rest)
	case "scene":
		return prefix, rest, isSVG && validSeed(specOf(rest).Seed)
	}
	return "", "", false
}

// specOf takes a leading scene and ink set off a seed.
func specOf(rest string) Spec {
	parts := strings.SplitN(rest, "-", 3)
	if len(parts) < 3 {
		return Spec{Seed: rest}
	}
	kind, inks := Kind(parts[0]), InkSet(parts[1])
	if _, known := paletteOf(inks); !known || drawerOf(kind) == nil {
		return Spec{Seed: rest}
	}
	return Spec{Kind: kind, Inks: inks, Seed: parts[2]}
}

func validSeed(seed string) bool {
	if seed == "" || len(seed) > maxSeedLength {
		return false
	}
	return strings.Trim(seed, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" // Trim leaves the first foreign character
}
