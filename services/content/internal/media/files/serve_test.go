package files

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"

	"talkoot.fi/kit/apperr"
)

const plainDrawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1000"><rect width="1600" height="1000" fill="#17503F"/>` +
	`<g transform="translate(800 500) scale(1.5)"><circle cx="0" cy="0" r="200" fill="#F0A13A"/>` +
	`<path d="M-400 0h0" stroke="#FFFFFF" stroke-width="60" stroke-linecap="round" fill="none"/></g></svg>`

func TestServe_CropsAndScalesToTheSnappedSizeWithoutScalingUp(t *testing.T) {
	f := setup(t)
	large := f.mustPut(t, jpegOf(t, halves(2000, 1000)))
	small := f.mustPut(t, jpegOf(t, halves(200, 100)))
	for _, c := range []struct {
		name, size    string
		width, height int
	}{
		{large.Name, "320x0", 320, 160},
		{large.Name, "300x0", 320, 160},
		{large.Name, "640x400", 640, 400},
		{large.Name, "81x81", 160, 160},
		{large.Name, "1200x630", 1200, 630},
		{large.Name, "9999x0", 1920, 960},
		{large.Name, "80x9999", 80, 120},
		{small.Name, "1920x0", 200, 100},
		{small.Name, "640x640", 100, 100},
	} {
		answer, err := f.get(t, c.size, c.name)
		if err != nil {
			t.Fatalf("%s: %v", c.size, err)
		}
		picture, _, err := image.Decode(answer.Body)
		if err != nil {
			t.Fatalf("%s: %v", c.size, err)
		}
		if got := picture.Bounds().Size(); got != image.Pt(c.width, c.height) {
			t.Errorf("%s gives %v, want %dx%d", c.size, got, c.width, c.height)
		}
		left, _, _, _ := picture.At(1, c.height/2).RGBA()
		_, _, right, _ := picture.At(c.width-2, c.height/2).RGBA()
		if left < 0x8000 || right < 0x8000 {
			t.Errorf("%s is not cropped around the centre", c.size)
		}
	}
}

func TestServe_AnyNumberOfAddressesMakesAFewVariants(t *testing.T) {
	f := setup(t)
	stored := f.mustPut(t, jpegOf(t, halves(100, 80)))
	for w := 1; w < 400; w += 7 {
		for _, h := range []int{0, 1, w, 9999} {
			if _, err := f.get(t, fmt.Sprintf("%dx%d", w, h), stored.Name); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := f.countFiles(t, "variants"); n > 4*4 {
		t.Errorf("%d variants were stored, want at most 16", n)
	}
}

func TestServe_RefusesMalformedNamesAndTraversal(t *testing.T) {
	f := setup(t)
	stored := f.mustPut(t, jpegOf(t, halves(30, 20)))
	if err := os.WriteFile(filepath.Join(f.folder, "..", "secret.jpg"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{"320x0", "campaign-unknown.jpg"}, {"320x0", "../secret.jpg"}, {"320x0", "..%2fsecret.jpg"}, {"320x0", "....//secret.jpg"},
		{"320x0", "originals/" + stored.Name}, {"320x0", ".jpg"}, {"320x0", ""}, {"320x0", "a\x00.jpg"}, {"320x0", "A.jpg"},
		{"320x0", stored.Name + ".attrs"}, {"320x0", strings.Repeat("a", 125) + ".jpg"}, {"320x0", "a..jpg"},
		{"320x0", "scene-UPPER.svg"}, {"320x0", "scene-.svg"}, {"320x0", "avatar-a.b.svg"},
		{"0x0", stored.Name}, {"x", stored.Name}, {"320", stored.Name}, {"-1x0", stored.Name}, {"320x-5", stored.Name},
		{"+320x0", stored.Name}, {"0320x0", stored.Name}, {"99999x0", stored.Name}, {"320x0x0", stored.Name}, {"3e2x0", stored.Name},
	} {
		answer, err := f.get(t, c[0], c[1])
		if !errors.Is(err, apperr.New(apperr.NotFound)) || answer.Body.Len() != 0 || answer.Header().Get("Cache-Control") != "" {
			t.Errorf("%q %q: %v, body %q, headers %v", c[0], c[1], err, answer.Body, answer.Header())
		}
	}
}

func TestServe_AnswersAreImmutableAndRunNoScripts(t *testing.T) {
	f := setup(t)
	stored := f.mustPut(t, jpegOf(t, halves(30, 20)))
	for _, name := range []string{stored.Name, "scene-hoyry.svg"} {
		answer, err := f.get(t, "320x200", name)
		if err != nil {
			t.Fatal(err)
		}
		for header, want := range map[string]string{
			"Cache-Control":           "public, max-age=31536000, immutable",
			"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
			"X-Content-Type-Options":  "nosniff",
			"Content-Length":          fmt.Sprint(answer.Body.Len()),
		} {
			if got := answer.Header().Get(header); got != want {
				t.Errorf("%s: %s is %q, want %q", name, header, got, want)
			}
		}
		etag := answer.Header().Get("ETag")
		again, err := f.get(t, "320x200", name, "If-None-Match", `"other", W/`+etag)
		if err != nil || again.Code != http.StatusNotModified || again.Body.Len() != 0 || again.Header().Get("ETag") != etag {
			t.Errorf("%s asked again: %d, %d bytes, %v", name, again.Code, again.Body.Len(), err)
		}
		other, err := f.get(t, "640x400", name, "If-None-Match", etag)
		if name == stored.Name && (err != nil || other.Code != http.StatusOK) {
			t.Errorf("another size with the same tag: %d, %v", other.Code, err)
		}
		head := httptest.NewRecorder()
		if err := f.Serve(head, httptest.NewRequest(http.MethodHead, "/", nil), "320x200", name); err != nil || head.Body.Len() != 0 {
			t.Errorf("%s HEAD: %d bytes, %v", name, head.Body.Len(), err)
		}
	}
}

func TestServe_DrawingsAreCroppedAndCompressed(t *testing.T) {
	f := setup(t)
	if err := f.PutDrawing(context.Background(), "hoyry.svg", []byte(plainDrawing)); err != nil {
		t.Fatal(err)
	}
	for accepted, unpack := range map[string]func(io.Reader) (io.Reader, error){
		"gzip, deflate, br":   func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		"gzip, br;q=0":        func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"":                    func(r io.Reader) (io.Reader, error) { return r, nil },
		"br; q=0.0, identity": func(r io.Reader) (io.Reader, error) { return r, nil },
	} {
		answer, err := f.get(t, "320x320", "hoyry.svg", "Accept-Encoding", accepted)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Header().Get("Content-Type") != "image/svg+xml" || answer.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: headers %v", accepted, answer.Header())
		}
		reader, err := unpack(answer.Body)
		if err != nil {
			t.Fatalf("%q: %v", accepted, err)
		}
		svg, err := io.ReadAll(reader)
		if err != nil || !bytes.Contains(svg, []byte(`viewBox="300 0 1000 1000"`)) || !bytes.HasSuffix(svg, []byte("</svg>")) {
			t.Errorf("%q: %v %.200s", accepted, err, svg)
		}
	}
}

func TestServe_DrawsScenesAndAvatarsWhenAskedAndStoresNothing(t *testing.T) {
	f := setup(t)
	for _, name := range []string{"scene-lake-havu-hoyry.svg", "scene-hoyry.svg", "avatar-42.svg"} {
		if answer, err := f.get(t, "640x400", name); err != nil || answer.Body.Len() < 300 {
			t.Errorf("%s: %d bytes, %v", name, answer.Body.Len(), err)
		}
		if found, err := f.Exists(context.Background(), name); err != nil || !found {
			t.Errorf("%s exists: %t, %v", name, found, err)
		}
	}
	if n := f.countFiles(t, ""); n != 0 {
		t.Errorf("%d files were stored for invented seeds, want none", n)
	}
}

func TestPutDrawing_ANameNeverChangesItsContent(t *testing.T) {
	f, ctx := setup(t), context.Background()
	for range 2 {
		if err := f.PutDrawing(ctx, "a.svg", []byte(plainDrawing)); err != nil {
			t.Fatal(err)
		}
	}
	other := strings.Replace(plainDrawing, "1.5", "1.4", 1)
	for name, svg := range map[string]string{"a.svg": other, "b.png": plainDrawing, "../b.svg": plainDrawing, "scene-a.svg": plainDrawing,
		"c.svg": "<html/>", "d.svg": "<svg/>", "e.svg": "", "f.svg.jpg": plainDrawing} {
		if err := f.PutDrawing(ctx, name, []byte(svg)); err == nil {
			t.Errorf("%s with %.20q was stored", name, svg)
		}
	}
}

func TestServe_ConcurrentCallersShareOneDecode(t *testing.T) {
	f := setup(t)
	stored := f.mustPut(t, jpegOf(t, halves(1000, 600)))
	leave, err := f.gate.enter(context.Background(), f.gate.capacity) // blocks the gate until all callers wait
	if err != nil {
		t.Fatal(err)
	}
	const callers = maxWaiting + 20 // more than the queue takes: only sharing lets them all succeed
	var started, done sync.WaitGroup
	started.Add(callers)
	failures := make(chan error, callers)
	for range callers {
		done.Go(func() {
			started.Done()
			answer := httptest.NewRecorder()
			if err := f.Serve(answer, httptest.NewRequest(http.MethodGet, "/", nil), "640x400", stored.Name); err != nil {
				failures <- err
			}
		})
	}
	started.Wait()
	leave()
	done.Wait()
	close(failures)
	for err := range failures {
		t.Error(err)
	}
	if n := f.countFiles(t, "variants"); n != 1 {
		t.Errorf("%d variants stored, want 1", n)
	}
}

func TestServe_IsBusyWhenTheQueueIsFull(t *testing.T) {
	f := setup(t)
	stored := f.mustPut(t, jpegOf(t, halves(300, 200)))
	f.gate, f.seeds = newGate(decodeBudget, 0), newGate(seedsAtOnce, 0)
	for _, name := range []string{stored.Name, "scene-hoyry.svg"} {
		answer, err := f.get(t, "640x400", name)
		if !errors.Is(err, apperr.New(apperr.Busy)) || answer.Header().Get("Retry-After") != "2" {
			t.Errorf("%s: %v, headers %v", name, err, answer.Header())
		}
	}
}

func TestGate_LetsTwoSmallOrOneLargeDecodeRun(t *testing.T) {
	gate := newGate(decodeBudget, 8)
	enter := func(bytes int64) (leave func()) {
		t.Helper()
		leave, err := gate.enter(context.Background(), bytes)
		if err != nil {
			t.Fatal(err)
		}
		return leave
	}
	first, second := enter(1), enter(1)
	if gate.budget.TryAcquire(1) {
		t.Error("there is room beside two decodes")
	}
	first()
	second()
	large := enter(decodeBudget)
	if gate.budget.TryAcquire(1) {
		t.Error("there is room beside a large decode")
	}
	large()
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := gate.enter(ended, 1); !errors.Is(err, apperr.New(apperr.Busy)) {
		t.Errorf("a caller that left: %v, want busy", err)
	}
	if gate.waiting.Load() != 0 || !gate.budget.TryAcquire(decodeBudget) {
		t.Error("not all room was given back")
	}
}

func TestServe_WorksWithoutStoringWhenTheStoreCannotBeWritten(t *testing.T) {
	f := setup(t)
	stored := f.mustPut(t, jpegOf(t, halves(300, 200)))
	if err := os.WriteFile(filepath.Join(f.folder, "variants"), nil, 0o600); err != nil { // a file where a folder must be
		t.Fatal(err)
	}
	for range 3 {
		if answer, err := f.get(t, "160x0", stored.Name); err != nil || answer.Body.Len() == 0 {
			t.Fatalf("%d bytes, %v", answer.Body.Len(), err)
		}
	}
	if n := strings.Count(f.log.String(), "cannot be written"); n != 1 {
		t.Errorf("said so %d times within a minute, want once: %s", n, f.log)
	}
}

func TestByteCache_StaysWithinItsLimitAndForgetsTheOldest(t *testing.T) {
	m := newByteCache(10)
	m.put("a", make([]byte, 4))
	m.put("b", make([]byte, 4))
	m.get("a")
	m.put("c", make([]byte, 4))
	m.put("huge", make([]byte, 11))
	for key, want := range map[string]bool{"a": true, "b": false, "c": true, "huge": false} {
		if _, got := m.get(key); got != want {
			t.Errorf("%s kept: %t, want %t", key, got, want)
		}
	}
	if m.size != 8 {
		t.Errorf("size %d, want 8", m.size)
	}
}

func TestOpen_RefusesAnAddressWithoutDriver(t *testing.T) {
	for _, address := range []string{"", "/var/files", "s9://bucket", "file://%zz"} {
		if _, err := Open(context.Background(), Options{BlobURL: address}); err == nil {
			t.Errorf("%q was opened", address)
		}
	}
}

// FuzzParse checks that every accepted name stays inside the store's folder and every accepted size is one of the
// served sizes.
func FuzzParse(f *testing.F) {
	for _, seed := range [][2]string{{"320x200", "campaign-ab.jpg"}, {"1x1", "../a.svg"}, {"9999x9999", "scene-lake-havu-a.svg.jpg"}, {"0x", ".."}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, sizeText, name string) {
		if source, kind, ok := parseName(name); ok {
			clean := filepath.Join("/store/originals", source)
			if filepath.Dir(clean) != "/store/originals" || kind == 0 || strings.ContainsAny(source, "/\\%\x00 ") {
				t.Errorf("name %q reads as %q", name, source)
			}
		}
		if got, ok := parseSize(sizeText); ok {
			if again, ok := parseSize(got.String()); !ok || again != got || got.width > 1920 || got.height > 2880 {
				t.Errorf("size %q snaps to %v, and that to %v", sizeText, got, again)
			}
		}
	})
}
