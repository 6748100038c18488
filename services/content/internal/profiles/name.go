package profiles

import "unicode"

// CheckName returns the rule of the catalogue that a person's name breaks, empty when it is fine. Names are shown to
// everybody and stand in mails: they need something to see, and no line breaks, reversed or invisible writing.
func CheckName(name string) string {
	visible := false
	for _, r := range name {
		if unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) {
			return "format"
		}
		visible = visible || unicode.IsGraphic(r) && !unicode.IsSpace(r)
	}
	if !visible {
		return "required"
	}
	return ""
}
