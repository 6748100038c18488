package files

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"image"
	"image/color"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// iccProfile is a version 2 profile of the given colours with these tags.
func iccProfile(class, space, connection string, tags map[string][]byte) []byte {
	table, data := binary.BigEndian.AppendUint32(nil, uint32(len(tags))), []byte(nil)
	for _, name := range slices.Sorted(maps.Keys(tags)) {
		tag := tags[name]
		table = append(table, name...)
		table = binary.BigEndian.AppendUint32(table, uint32(128+4+12*len(tags)+len(data)))
		table = binary.BigEndian.AppendUint32(table, uint32(len(tag)))
		data = append(data, tag...)
		data = append(data, make([]byte, -len(tag)&3)...)
	}
	head := make([]byte, 128)
	binary.BigEndian.PutUint32(head, uint32(len(head)+len(table)+len(data)))
	copy(head[8:], "\x02\x40\x00\x00"+class+space+connection)
	copy(head[36:], "acsp")
	copy(head[68:], xyz(.9642, 1, .8249)[8:]) // D50, the white of profiles
	return append(append(head, table...), data...)
}

func xyz(values ...float64) []byte {
	tag := []byte("XYZ \x00\x00\x00\x00")
	for _, v := range values {
		tag = binary.BigEndian.AppendUint32(tag, uint32(int32(math.Round(v*65536))))
	}
	return tag
}

// displayP3 is the profile of what phones photograph, with a gamma of 2.2 for its curve.
func displayP3() []byte {
	gamma := []byte("curv\x00\x00\x00\x00\x00\x00\x00\x01\x02\x33")
	return iccProfile("mntr", "RGB ", "XYZ ", map[string][]byte{"wtpt": xyz(.9642, 1, .8249),
		"rXYZ": xyz(.51512, .24120, -.00105), "gXYZ": xyz(.29198, .69225, .04189), "bXYZ": xyz(.15710, .06657, .78407),
		"rTRC": gamma, "gTRC": gamma, "bTRC": gamma})
}

// press is a profile for CMYK in which only black ink darkens, and full cyan is the red of Lab 53, 80, 67.
func press() []byte {
	lut := append([]byte("mft1\x00\x00\x00\x00"), 4, 3, 2, 0)
	lut = append(lut, xyz(1, 0, 0, 0, 1, 0, 0, 0, 1)[8:]...) // no matrix
	line := func() {
		for i := range 256 {
			lut = append(lut, byte(i))
		}
	}
	for range 4 {
		line()
	}
	for corner := range 16 { // cyan varies slowest, black fastest
		switch light := byte(255 * (1 - corner&1)); {
		case corner&1 == 1:
			lut = append(lut, 0, 128, 128)
		case corner&8 != 0:
			lut = append(lut, 135, 208, 195)
		default:
			lut = append(lut, light, 128, 128)
		}
	}
	for range 3 {
		line()
	}
	return iccProfile("prtr", "CMYK", "Lab ", map[string][]byte{"wtpt": xyz(.9642, 1, .8249), "A2B0": lut, "A2B1": lut})
}

// withProfile puts a profile into a JPEG, in pieces of at most this size.
func withProfile(file, profile []byte, most int) []byte {
	out := append([]byte(nil), file[:2]...)
	pieces := (len(profile) + most - 1) / most
	for i := range pieces {
		piece := profile[i*most : min(len(profile), (i+1)*most)]
		out = append(out, 0xff, 0xe2)
		out = binary.BigEndian.AppendUint16(out, uint16(2+12+2+len(piece)))
		out = append(append(out, "ICC_PROFILE\x00"...), byte(i+1), byte(pieces))
		out = append(out, piece...)
	}
	return append(out, file[2:]...)
}

// pngWithProfile puts a profile behind a PNG's header.
func pngWithProfile(file, profile []byte) []byte {
	var packed bytes.Buffer
	packed.WriteString("p\x00\x00")
	pack := zlib.NewWriter(&packed)
	_, _ = pack.Write(profile) // a buffer takes it
	_ = pack.Close()
	chunk := append([]byte("iCCP"), packed.Bytes()...)
	const header = 8 + 25
	out := append([]byte(nil), file[:header]...)
	out = binary.BigEndian.AppendUint32(out, uint32(packed.Len()))
	out = binary.BigEndian.AppendUint32(append(out, chunk...), crc(chunk))
	return append(out, file[header:]...)
}

// flatCMYK is a JPEG of these inks as Adobe writes them, inverted.
func flatCMYK(inks [4]byte) []byte {
	return flatJPEG("\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00\x00", "\x11\x11\x11\x11",
		[]byte{255 - inks[0], 255 - inks[1], 255 - inks[2], 255 - inks[3]})
}

// flatJPEG is a JPEG of about 32 × 32 pixels, each component of one level.
func flatJPEG(marks, samplings string, levels []byte) []byte {
	out := append([]byte("\xff\xd8"+marks), "\xff\xdb\x00\x43\x00"...)
	out = append(out, bytes.Repeat([]byte{1}, 64)...)
	wide, high := 0, 0
	for _, s := range []byte(samplings) {
		wide, high = max(wide, int(s>>4)), max(high, int(s&15))
	}
	across, down := 4/wide, 4/high
	components := byte(len(levels))
	out = append(out, 0xff, 0xc0, 0, 8+3*components, 8, 0, byte(8*high*down), 0, byte(8*wide*across), components)
	for i := range components {
		out = append(out, i+1, samplings[i], 0)
	}
	// Twelve sizes of the first coefficient in four bits each, and the end of a block in one.
	table := func(class byte, counts [16]byte, sizes ...byte) {
		out = append(out, 0xff, 0xc4, 0, byte(2+1+16+len(sizes)), class)
		out = append(append(out, counts[:]...), sizes...)
	}
	table(0x00, [16]byte{3: 12}, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
	table(0x10, [16]byte{0: 1}, 0)
	out = append(out, 0xff, 0xda, 0, 6+2*components, components)
	for i := range components {
		out = append(out, i+1, 0)
	}
	out = append(out, 0, 63, 0)
	bits, many := uint64(0), 0
	put := func(value, width int) {
		bits, many = bits<<width|uint64(value), many+width
		for many >= 8 {
			many -= 8
			next := byte(bits >> many)
			if out = append(out, next); next == 0xff {
				out = append(out, 0)
			}
		}
	}
	for unit := range across * down {
		for i, level := range levels {
			for block := range int(samplings[i]>>4) * int(samplings[i]&15) {
				step, size := (int(level)-128)*8, 0
				if unit+block > 0 { // as the one before
					step = 0
				}
				for n := max(step, -step); n > 0; n >>= 1 {
					size++
				}
				put(size, 4)
				if step < 0 {
					step += 1<<size - 1
				}
				put(step, size)
				put(0, 1)
			}
		}
	}
	put(0x7f, 7)
	return append(out, 0xff, 0xd9)
}

func flat(c color.NRGBA) image.Image {
	picture := image.NewNRGBA(image.Rect(0, 0, 32, 32))
	for i := 0; i < len(picture.Pix); i += 4 {
		copy(picture.Pix[i:], []byte{c.R, c.G, c.B, c.A})
	}
	return picture
}

// kept is a pixel of what is stored of an upload.
func (f fixture) kept(t *testing.T, data []byte) color.NRGBA {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(f.folder, "originals", f.mustPut(t, data).Name))
	if err != nil {
		t.Fatal(err)
	}
	picture, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	c, _ := color.NRGBAModel.Convert(picture.At(4, 4)).(color.NRGBA)
	return c
}

func TestPutImage_StoresTheColoursOfTheWeb(t *testing.T) {
	f := setup(t)
	red := color.NRGBA{R: 202, G: 60, B: 50, A: 255} // in Display P3 what is 220, 40, 40 on the web
	green := color.NRGBA{R: 85, G: 177, B: 66, A: 255}
	clear := color.NRGBA{R: 202, G: 60, B: 50, A: 128}
	p3 := displayP3()
	damaged := append(bytes.Clone(p3[:200]), bytes.Repeat([]byte{0xff}, 40)...)
	for name, c := range map[string]struct {
		data []byte
		want color.NRGBA
	}{
		"JPEG without profile":        {jpegOf(t, flat(red)), red},
		"JPEG of a phone, red":        {withProfile(jpegOf(t, flat(red)), p3, 60_000), color.NRGBA{R: 220, G: 40, B: 40, A: 255}},
		"JPEG of a phone, green":      {withProfile(jpegOf(t, flat(green)), p3, 60_000), color.NRGBA{R: 30, G: 180, B: 40, A: 255}},
		"profile in pieces":           {withProfile(jpegOf(t, flat(red)), p3, 100), color.NRGBA{R: 220, G: 40, B: 40, A: 255}},
		"PNG":                         {pngWithProfile(pngOf(t, flat(red)), p3), color.NRGBA{R: 220, G: 40, B: 40, A: 255}},
		"transparent PNG":             {pngWithProfile(pngOf(t, flat(clear)), p3), color.NRGBA{R: 220, G: 40, B: 40, A: 128}},
		"larger than is kept":         {withProfile(jpegOf(t, imageOf(2600, red)), p3, 60_000), color.NRGBA{R: 220, G: 40, B: 40, A: 255}},
		"damaged profile":             {withProfile(jpegOf(t, flat(red)), damaged, 60_000), red},
		"profile of another kind":     {withProfile(jpegOf(t, flat(red)), press(), 60_000), red},
		"CMYK without profile":        {flatCMYK([4]byte{0, 255, 255, 0}), color.NRGBA{R: 255, A: 255}},
		"CMYK, paper":                 {withProfile(flatCMYK([4]byte{0, 0, 0, 0}), press(), 60_000), color.NRGBA{R: 255, G: 255, B: 255, A: 255}},
		"CMYK, cyan that prints red":  {withProfile(flatCMYK([4]byte{255, 0, 0, 0}), press(), 60_000), color.NRGBA{R: 255, A: 255}},
		"CMYK, black":                 {withProfile(flatCMYK([4]byte{0, 0, 0, 255}), press(), 60_000), color.NRGBA{A: 255}},
		"CMYK with a profile for RGB": {withProfile(flatCMYK([4]byte{0, 255, 255, 0}), p3, 60_000), color.NRGBA{R: 255, A: 255}},
	} {
		if got := f.kept(t, c.data); !isNear(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A stranger's profile may claim more tags, points and texts than there is memory in the world.
func TestPutImage_TakesNoProfileAtItsWord(t *testing.T) {
	f := setup(t)
	red := color.NRGBA{R: 202, G: 60, B: 50, A: 255}
	claim := func(profile []byte, after string, offset int) []byte {
		at := 0
		if after != "" {
			at = bytes.Index(profile, []byte(after))
		}
		binary.BigEndian.PutUint32(profile[at+offset:], math.MaxUint32-9)
		return profile
	}
	texts := append([]byte("mluc\x00\x00\x00\x00\x00\x01\x86\xa0\x00\x00\x00\x0c"), bytes.Repeat([]byte("fiFI\x00\x10\x00\x00\x00\x00\x00\x00"), 100_000)...)
	for name, profile := range map[string][]byte{
		"tags":      claim(displayP3(), "", 128),
		"place":     claim(displayP3(), "rXYZ", 4),
		"size":      claim(displayP3(), "rXYZ", 8),
		"points":    claim(displayP3(), "curv", 8),
		"texts":     iccProfile("mntr", "RGB ", "XYZ ", map[string][]byte{"A2B0": texts, "wtpt": xyz(.9642, 1, .8249)}),
		"cut short": displayP3()[:131],
	} {
		if got := f.kept(t, withProfile(jpegOf(t, flat(red)), profile, 60_000)); !isNear(got, red) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// isNear allows for what JPEG, eight bits and a simple curve cost.
func isNear(one, other color.NRGBA) bool {
	for _, pair := range [][2]byte{{one.R, other.R}, {one.G, other.G}, {one.B, other.B}, {one.A, other.A}} {
		if apart := int(pair[0]) - int(pair[1]); apart > 9 || apart < -9 {
			return false
		}
	}
	return true
}

func imageOf(side int, c color.NRGBA) image.Image {
	picture := image.NewNRGBA(image.Rect(0, 0, side, 40))
	for i := 0; i < len(picture.Pix); i += 4 {
		copy(picture.Pix[i:], []byte{c.R, c.G, c.B, c.A})
	}
	return picture
}

func TestPutImage_ReadsJPEGsHoweverTheirColoursAreSampled(t *testing.T) {
	f := setup(t)
	for _, samplings := range []string{"\x11\x11\x11", "\x22\x11\x11", "\x21\x11\x11", "\x12\x11\x11", "\x41\x11\x11", "\x42\x11\x11",
		"\x22\x12\x21", "\x22\x21\x21", "\x22\x22\x11"} {
		t.Logf("sampled %x", samplings)
		got := f.kept(t, flatJPEG("", samplings, []byte{100, 100, 200}))
		if want := (color.NRGBA{R: 201, G: 58, B: 50, A: 255}); !isNear(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestPutImage_KeepsTheFirstFrameOfAnAnimatedWebP(t *testing.T) {
	f := setup(t)
	const losslessWebP = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="
	still, err := base64.StdEncoding.DecodeString(losslessWebP)
	if err != nil {
		t.Fatal(err)
	}
	frame := append(make([]byte, 16), still[12:]...)
	chunk := func(kind string, body []byte) []byte {
		return append(binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(body))), body...)
	}
	body := append([]byte("WEBP"), chunk("VP8X", []byte{0x12, 0, 0, 0, 0, 0, 0, 0, 0, 0})...)
	body = append(body, chunk("ANIM", make([]byte, 6))...)
	body = append(body, chunk("ANMF", frame)...)
	body = append(body, chunk("ANMF", []byte("what follows is not read"))...)
	animation := chunk("RIFF", body)
	if got, want := f.kept(t, animation), f.kept(t, still); got != want {
		t.Errorf("kept %v, want %v", got, want)
	}
	for cut := range animation { // none of them may end the process
		_, _ = f.PutImage(t.Context(), "campaign", bytes.NewReader(animation[:cut]))
	}
}
