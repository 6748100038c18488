package scenes

import "bytes"

// Avatar returns the portrait of a person without a photograph as an SVG of 100 × 100 units: ground, shoulders, head and
// hair in one of five shapes, no face. The same seed gives the same bytes.
func Avatar(seed string) []byte {
	r := newRandom(seed)
	ground := oneOf(r, []string{"#E5CDA2", "#C9DADB", "#C5CFA8", "#EDB08C", "#CDB7CB", "#F0B45A"})
	clothes := oneOf(r, []string{"#17503F", "#274A5C", "#3A315A", "#5C3A22", "#A93E39", "#CA6B0B"})
	skin := oneOf(r, []string{"#F6E4D0", "#F3D9BE", "#E8BF9A", "#C99468", "#8F5E3C"})
	hair := oneOf(r, []string{"#1D2438", "#3B2A20", "#7A4A25", "#A63F24", "#C98F3C", "#D9D2C4"})
	shape := oneOf(r, []string{
		`<path d="M26 46C22 20 78 20 74 46C66 34 36 34 26 46Z"/>`,
		`<path d="M24 62C14 14 86 14 76 62L70 66C76 40 64 38 50 36C36 38 24 40 30 66Z"/>`,
		`<path d="M27 44C24 22 76 22 73 44C70 36 60 34 50 34S30 36 27 44Z"/><circle cx="50" cy="20" r="10"/>`,
		`<path d="M24 84C10 16 90 16 76 84L68 84C74 46 66 40 44 38C34 42 28 50 32 84Z"/>`,
		`<path d="M22 40C24 14 76 14 78 40Z"/><rect x="20" y="37" width="60" height="8" rx="4"/>`,
	})
	var out bytes.Buffer
	for _, part := range []string{
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" preserveAspectRatio="xMidYMid slice">`,
		`<rect width="100" height="100" fill="`, ground, `"/>`,
		`<path d="M8 104C8 72 92 72 92 104Z" fill="`, clothes, `"/>`,
		`<rect x="42" y="62" width="16" height="20" fill="`, skin, `"/>`,
		`<ellipse cx="50" cy="49" rx="22" ry="25" fill="`, skin, `"/>`,
		`<g fill="`, hair, `">`, shape, `</g></svg>`,
	} {
		out.WriteString(part)
	}
	return out.Bytes()
}
