package files

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talkoot.fi/kit/apperr"
)

func crc(b []byte) uint32 { return crc32.ChecksumIEEE(b) }

func TestPutImage_RefusesBrokenAndOversizedPictures(t *testing.T) {
	f := setup(t)
	photo := jpegOf(t, halves(300, 200))
	for _, c := range []struct {
		name string
		data []byte
		want apperr.Status
	}{
		{"nothing", nil, apperr.ImageRequired},
		{"too many bytes", append(append([]byte{}, photo...), make([]byte, maxUploadBytes)...), apperr.ImageTooLarge},
		{"text", []byte("hello"), apperr.ImageTypeUnsupported},
		{"SVG", []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>`), apperr.ImageTypeUnsupported},
		{"SVG behind an XML declaration", []byte(`<?xml version="1.0"?><svg/>`), apperr.ImageTypeUnsupported},
		{"HTML", []byte(`<!DOCTYPE html><script>alert(1)</script>`), apperr.ImageTypeUnsupported},
		{"PDF", []byte("%PDF-1.7\n"), apperr.ImageTypeUnsupported},
		{"BMP", append([]byte("BM"), make([]byte, 64)...), apperr.ImageTypeUnsupported},
		{"TIFF", append([]byte("II*\x00"), make([]byte, 64)...), apperr.ImageTypeUnsupported},
		{"GIF that is also a script", []byte("GIF89a/*\x00\x00\x00*/=1;alert(1)//"), apperr.ImageBroken},
		{"JPEG cut short", photo[:len(photo)/2], apperr.ImageBroken},
		{"JPEG of two bytes more than its mark", []byte("\xff\xd8\xff\xe0\x00"), apperr.ImageBroken},
		{"PNG cut short", pngOf(t, halves(300, 200))[:60], apperr.ImageBroken},
		{"WebP with nothing in it", []byte("RIFF\x10\x00\x00\x00WEBPVP8 \x00\x00\x00\x00"), apperr.ImageBroken},
		{"PNG that claims 60000 × 60000", bombPNG(t, 60_000, 60_000, 8), apperr.ImageTooLarge},
		{"PNG that claims 16001 × 10", bombPNG(t, 16_001, 10, 8), apperr.ImageTooLarge},
		{"PNG that claims 8000 × 6251", bombPNG(t, 8_000, 6_251, 8), apperr.ImageTooLarge},
		{"16-bit PNG that claims 6000 × 6000", bombPNG(t, 6_000, 6_000, 16), apperr.ImageTooLarge},
		{"small PNG that claims 7000 × 7000", bombPNG(t, 7_000, 7_000, 8), apperr.ImageTooLarge},
		{"PNG of 101 kB that claims 7000 × 5000", append(bombPNG(t, 7_000, 5_000, 8), make([]byte, 101_000)...), apperr.ImageTooLarge},
		{"larger PNG that claims 7000 × 7000", append(bombPNG(t, 7_000, 7_000, 8), make([]byte, 200_000)...), apperr.ImageBroken},
		{"small PNG that claims 4000 × 3000", bombPNG(t, 4_000, 3_000, 8), apperr.ImageBroken},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := f.PutImage(context.Background(), "campaign", bytes.NewReader(c.data))
			if !errors.Is(err, apperr.New(c.want)) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	if n := f.countFiles(t, ""); n != 0 {
		t.Errorf("%d files were stored, want none", n)
	}
}

func TestPutImage_StoresEveryAcceptedFormat(t *testing.T) {
	f := setup(t)
	const losslessWebP = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="
	webpFile, err := base64.StdEncoding.DecodeString(losslessWebP)
	if err != nil {
		t.Fatal(err)
	}
	clear := image.NewNRGBA(image.Rect(0, 0, 30, 20))
	clear.SetNRGBA(3, 3, color.NRGBA{R: 200, A: 120})
	for _, c := range []struct {
		name, wantType, wantExtension string
		data                          []byte
		width, height                 int
	}{
		{"JPEG", "image/jpeg", ".jpg", jpegOf(t, halves(30, 20)), 30, 20},
		{"opaque PNG", "image/jpeg", ".jpg", pngOf(t, halves(31, 20)), 31, 20},
		{"transparent PNG", "image/png", ".png", pngOf(t, clear), 30, 20},
		{"GIF", "image/jpeg", ".jpg", gifOf(t, halves(32, 20)), 32, 20},
		{"WebP", "image/png", ".png", webpFile, 1, 1},
		{"larger than is kept", "image/jpeg", ".jpg", jpegOf(t, halves(5120, 1000)), 2560, 500},
	} {
		t.Run(c.name, func(t *testing.T) {
			stored := f.mustPut(t, c.data)
			if stored.ContentType != c.wantType || filepath.Ext(stored.Name) != c.wantExtension ||
				stored.Width != c.width || stored.Height != c.height || !strings.HasPrefix(stored.Name, "campaign-") {
				t.Errorf("stored as %+v", stored)
			}
			if found, err := f.Exists(context.Background(), stored.Name); err != nil || !found {
				t.Errorf("exists: %t, %v", found, err)
			}
			if again := f.mustPut(t, c.data); again != stored {
				t.Errorf("the same upload again is %+v, want %+v", again, stored)
			}
		})
	}
}

func TestPutImage_DropsMetadataAndTrailingData(t *testing.T) {
	f := setup(t)
	file := withEXIF(jpegOf(t, halves(30, 20)), tiffWith(1))
	file = append(file, "<script>alert(1)</script>PK\x03\x04"...)
	stored := f.mustPut(t, file)
	kept, err := os.ReadFile(filepath.Join(f.folder, "originals", stored.Name))
	if err != nil {
		t.Fatal(err)
	}
	for _, trace := range []string{"Exif", "SecretCamera", "<script>", "PK\x03\x04"} {
		if bytes.Contains(kept, []byte(trace)) {
			t.Errorf("the stored picture holds %q", trace)
		}
	}
}

// Orientation 6 means: turn a quarter clockwise, so that the left half (red) comes to the top.
func TestPutImage_TurnsUpright(t *testing.T) {
	for _, c := range []struct {
		orientation uint16
		width       int
		redAt       image.Point
	}{
		{1, 60, image.Pt(5, 20)},
		{2, 60, image.Pt(55, 20)},
		{3, 60, image.Pt(55, 20)},
		{4, 60, image.Pt(5, 20)},
		{5, 40, image.Pt(20, 5)},
		{6, 40, image.Pt(20, 5)},
		{7, 40, image.Pt(20, 55)},
		{8, 40, image.Pt(20, 55)},
		{9, 60, image.Pt(5, 20)},
	} {
		f := setup(t)
		stored := f.mustPut(t, withEXIF(jpegOf(t, halves(60, 40)), tiffWith(c.orientation)))
		file, err := os.Open(filepath.Join(f.folder, "originals", stored.Name))
		if err != nil {
			t.Fatal(err)
		}
		picture, _, err := image.Decode(file)
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
		if stored.Width != c.width || picture.Bounds().Dx() != c.width {
			t.Errorf("orientation %d: %d wide, want %d", c.orientation, stored.Width, c.width)
		}
		if r, _, b, _ := picture.At(c.redAt.X, c.redAt.Y).RGBA(); r < b {
			t.Errorf("orientation %d: %v is not red", c.orientation, c.redAt)
		}
	}
}

func TestOrientation_ReadsPNGAndWebPAndSurvivesDamage(t *testing.T) {
	block := tiffWith(6)
	chunk := func(prefix string, parts ...string) []byte { return []byte(prefix + strings.Join(parts, "")) }
	length := string(rune(len(block)))
	for name, c := range map[string]struct {
		data []byte
		want int
	}{
		"PNG":               {chunk("\x89PNG\r\n\x1a\n", "\x00\x00\x00"+length, "eXIf", string(block), "\x00\x00\x00\x00"), 6},
		"WebP":              {chunk("RIFF\x00\x00\x00\x00WEBP", "EXIF", length+"\x00\x00\x00", string(block)), 6},
		"PNG length beyond": {chunk("\x89PNG\r\n\x1a\n", "\xff\xff\xff\xff", "eXIf", string(block)), 1},
		"JPEG length 0":     {[]byte("\xff\xd8\xff\xe1\x00\x00Exif\x00\x00"), 1},
		"offset beyond":     {withEXIF([]byte("\xff\xd8"), []byte("II*\x00\xff\xff\xff\xff")), 1},
		"empty":             {nil, 1},
	} {
		if got := metadataOf(bytes.NewReader(c.data)).orientation; got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestPutImage_IsRefusedClearlyWhenTheStoreCannotBeWritten(t *testing.T) {
	f := setup(t)
	if err := os.WriteFile(filepath.Join(f.folder, "originals"), nil, 0o600); err != nil { // a file where a folder must be
		t.Fatal(err)
	}
	_, err := f.PutImage(context.Background(), "campaign", bytes.NewReader(jpegOf(t, halves(30, 20))))
	if !errors.Is(err, apperr.New(apperr.Unavailable)) {
		t.Errorf("got %v, want unavailable", err)
	}
}

// FuzzPutImage checks that any bytes are either refused with a catalogue error or stored as a picture that decodes to
// the returned size.
func FuzzPutImage(f *testing.F) {
	photo := jpegOf(f, halves(16, 12))
	for _, seed := range [][]byte{photo, withEXIF(photo, tiffWith(6)), pngOf(f, halves(16, 12)), gifOf(f, halves(16, 12)),
		withProfile(photo, displayP3(), 100), flatCMYK([4]byte{1, 2, 3, 4}), withProfile(flatCMYK([4]byte{1, 2, 3, 4}), press(), 60_000),
		pngWithProfile(pngOf(f, halves(16, 12)), displayP3()), bombPNG(f, 16_000, 3_000, 8), []byte("RIFF\x10\x00\x00\x00WEBPVP8 "), []byte("<svg/>"), photo[:40]} {
		f.Add(seed)
	}
	store := setup(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		stored, err := store.PutImage(context.Background(), "fuzz", bytes.NewReader(data))
		if err != nil {
			if status := apperr.From(err).Status; status == apperr.Internal || status == apperr.Unavailable {
				t.Fatalf("refused with %s: %v", status, err)
			}
			return
		}
		kept, err := os.ReadFile(filepath.Join(store.folder, "originals", stored.Name))
		if err != nil {
			t.Fatal(err)
		}
		config, _, err := image.DecodeConfig(bytes.NewReader(kept))
		if err != nil || config.Width != stored.Width || config.Height != stored.Height {
			t.Fatalf("stored %+v decodes as %+v: %v", stored, config, err)
		}
	})
}

func TestRemove_LeavesNothingOfAPicture(t *testing.T) {
	f := setup(t)
	name, other := f.mustPut(t, jpegOf(t, halves(300, 200))).Name, f.mustPut(t, jpegOf(t, halves(200, 300))).Name
	if _, err := f.get(t, "64x64", name); err != nil {
		t.Fatal(err)
	}
	for range 2 { // a repeat finds nothing
		if err := f.Remove(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.get(t, "64x64", name); !errors.Is(err, apperr.New(apperr.NotFound)) {
		t.Error("it is still served:", err)
	}
	if n := f.countFiles(t, ""); n != 1 {
		t.Errorf("%d files are left, want the other picture alone", n)
	}
	if found, err := f.Exists(t.Context(), other); err != nil || !found {
		t.Error("the other picture is gone", err)
	}
	for _, drawn := range []string{"avatar-1.svg", "scene-x.svg", "no name"} {
		if err := f.Remove(t.Context(), drawn); err != nil {
			t.Error(drawn, err)
		}
	}
}
