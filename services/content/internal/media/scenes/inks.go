package scenes

// InkSet names one of the eleven sets of colours.
type InkSet string

// The ink sets, from light summer night to heather.
const (
	Kesayo    InkSet = "kesayo"
	Havu      InkSet = "havu"
	Revontuli InkSet = "revontuli"
	Iltayo    InkSet = "iltayo"
	Ruska     InkSet = "ruska"
	Talvi     InkSet = "talvi"
	Leipa     InkSet = "leipa"
	Suo       InkSet = "suo"
	Meri      InkSet = "meri"
	Puolukka  InkSet = "puolukka"
	Kanerva   InkSet = "kanerva"
)

// palette is one ink set: the sky's two stops, four depths from far to ink, the light and the accent.
type palette struct {
	s0, s1, far, mid, near, ink, light, acc string
}

// paletteOf returns the colours of a set, and false for a set that does not exist.
func paletteOf(set InkSet) (palette, bool) {
	switch set {
	case Kesayo:
		return palette{"#F7E3C6", "#EDB08C", "#C98F86", "#7C6480", "#2F3A55", "#1D2438", "#FBF2E2", "#E9662F"}, true
	case Havu:
		return palette{"#E9E6D0", "#C5CFA8", "#8FA477", "#3F7059", "#1B463A", "#0F2B24", "#FAF3E1", "#F0A13A"}, true
	case Revontuli:
		return palette{"#152C3E", "#2B4F5E", "#2A5A5C", "#17393F", "#0C2228", "#081619", "#F5EBD3", "#86D3A6"}, true
	case Iltayo:
		return palette{"#272A4D", "#5A4C78", "#4A4270", "#332F58", "#1E1C3A", "#131128", "#F8EBD6", "#F2B04A"}, true
	case Ruska:
		return palette{"#F6E2B4", "#F0B45A", "#DB7B36", "#A8432C", "#54271F", "#2F1713", "#FCF1DC", "#1E5B57"}, true
	case Talvi:
		return palette{"#F1EFE6", "#C9DADB", "#A3BFC6", "#5D8796", "#274A5C", "#152C3A", "#FBF6EA", "#C4402F"}, true
	case Leipa:
		return palette{"#F3E7CE", "#E5CDA2", "#D0A76C", "#A66E3A", "#5C3A22", "#33200F", "#FCF4E3", "#1F5A4A"}, true
	case Suo:
		return palette{"#EFE8CF", "#D9CF9B", "#B3A961", "#717B3C", "#3A4526", "#212915", "#FBF3DE", "#B83C2B"}, true
	case Meri:
		return palette{"#DDE8E4", "#9FC3C6", "#5C95A0", "#2F6678", "#173F52", "#0D2735", "#FAF2E0", "#EE8A3A"}, true
	case Puolukka:
		return palette{"#F5DDD0", "#E9AD9C", "#D47A68", "#A93E39", "#5E1F2A", "#331019", "#FCF0E1", "#2C6B58"}, true
	case Kanerva:
		return palette{"#EDE2E2", "#CDB7CB", "#A287A8", "#6C5680", "#3A315A", "#201B38", "#FAF2E6", "#F0A13A"}, true
	}
	return palette{}, false
}

// inksFor lists the ink sets that a scene may be given when nobody chose one. Northern lights need a night sky; cut
// paper, rings, rugs and prints need a light ground to keep their steps apart.
func inksFor(kind Kind) []InkSet {
	switch kind {
	case Aurora:
		return []InkSet{Revontuli, Iltayo}
	case Ridge, Lake:
		return []InkSet{Kesayo, Havu, Iltayo, Ruska, Talvi, Suo, Meri, Puolukka, Kanerva}
	case Birch:
		return []InkSet{Kesayo, Havu, Ruska, Talvi, Suo, Meri, Puolukka, Kanerva}
	case Waves:
		return []InkSet{Kesayo, Havu, Ruska, Talvi, Meri, Puolukka, Kanerva}
	case Sheets, Rings, Rug, Print:
		return []InkSet{Kesayo, Havu, Ruska, Talvi, Leipa, Suo, Meri, Puolukka, Kanerva}
	}
	return nil
}
