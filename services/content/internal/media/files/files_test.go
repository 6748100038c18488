package files

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// fixture is a store in a temporary folder.
type fixture struct {
	*Store
	folder string
	log    *bytes.Buffer
}

func setup(t testing.TB) fixture {
	t.Helper()
	folder, log := t.TempDir(), &bytes.Buffer{}
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	store, err := Open(context.Background(), Options{
		BlobURL: "file://" + filepath.Join(folder, "made-when-missing"),
		Log:     slog.New(slog.NewTextHandler(log, nil)),
		Now:     func() time.Time { return noon },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return fixture{store, filepath.Join(folder, "made-when-missing"), log}
}

// get requests a picture.
func (f fixture) get(t testing.TB, size, name string, headers ...string) (*httptest.ResponseRecorder, error) {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, "/media/"+size+"/x", nil)
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	answer := httptest.NewRecorder()
	return answer, f.Serve(answer, request, size, name)
}

func (f fixture) mustPut(t testing.TB, data []byte) Image {
	t.Helper()
	stored, err := f.PutImage(context.Background(), "campaign", bytes.NewReader(data))
	if err != nil {
		t.Fatalf("put image: %v", err)
	}
	return stored
}

// countFiles counts the files under a folder of the store.
func (f fixture) countFiles(t testing.TB, under string) int {
	t.Helper()
	count := 0
	err := filepath.WalkDir(filepath.Join(f.folder, under), func(_ string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			count++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return count
}

// halves is a picture whose left half is red and whose right half is blue.
func halves(width, height int) *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.RGBA{R: 220, A: 255}
			if x >= width/2 {
				c = color.RGBA{B: 220, A: 255}
			}
			picture.SetRGBA(x, y, c)
		}
	}
	return picture
}

func jpegOf(t testing.TB, picture image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, picture, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func pngOf(t testing.TB, picture image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gifOf(t testing.TB, picture image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := gif.Encode(&out, picture, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// tiffWith is an EXIF block with an orientation and a camera's name in it.
func tiffWith(orientation uint16) []byte {
	block := []byte("MM\x00\x2a\x00\x00\x00\x08\x00\x01")
	block = binary.BigEndian.AppendUint16(block, 0x0112)
	block = binary.BigEndian.AppendUint16(block, 3)
	block = binary.BigEndian.AppendUint32(block, 1)
	block = binary.BigEndian.AppendUint16(block, orientation)
	block = append(block, 0, 0, 0, 0, 0, 0)
	return append(block, "SecretCamera 60.17N 24.94E"...)
}

// withEXIF puts the block behind a JPEG's first marker.
func withEXIF(file []byte, tiff []byte) []byte {
	body := append([]byte("Exif\x00\x00"), tiff...)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(body)+2))
	out := append([]byte{}, file[:2]...)
	return append(append(append(out, segment...), body...), file[2:]...)
}

// bombPNG is a PNG header with a size and no data (a decompression bomb).
func bombPNG(t testing.TB, width, height uint32, depth byte) []byte {
	t.Helper()
	file := pngOf(t, image.NewRGBA(image.Rect(0, 0, 1, 1)))
	binary.BigEndian.PutUint32(file[16:], width)
	binary.BigEndian.PutUint32(file[20:], height)
	file[24] = depth
	binary.BigEndian.PutUint32(file[29:], crc(file[12:29]))
	return file
}
