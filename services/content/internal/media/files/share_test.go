package files

import (
	"context"
	"errors"
	"image"
	"path/filepath"
	"strings"
	"testing"

	"talkoot.fi/kit/apperr"
)

func TestServe_RasterisesDrawingsForShares(t *testing.T) {
	f := setup(t)
	if err := f.PutDrawing(context.Background(), "hoyry.svg", []byte(plainDrawing)); err != nil {
		t.Fatal(err)
	}
	answer, err := f.get(t, "1200x630", "hoyry.svg.jpg")
	if err != nil {
		t.Fatal(err)
	}
	picture, format, err := image.Decode(answer.Body)
	if err != nil || format != "jpeg" || picture.Bounds().Size() != image.Pt(1200, 630) {
		t.Fatalf("%s %v: %v", format, picture.Bounds(), err)
	}
	near := func(x, y int, r, g, b uint32) bool {
		pr, pg, pb, _ := picture.At(x, y).RGBA()
		distance := func(a, b uint32) uint32 { return max(a, b) - min(a, b) }
		return distance(pr>>8, r) < 12 && distance(pg>>8, g) < 12 && distance(pb>>8, b) < 12
	}
	if !near(600, 315, 0xF0, 0xA1, 0x3A) || !near(20, 20, 0x17, 0x50, 0x3F) || !near(1180, 610, 0x17, 0x50, 0x3F) {
		t.Error("the disc is not in the middle of the ground")
	}
	// The dot's middle is at 200, 500 of 1600 × 1000 and its radius 45: group and picture scale the stroke.
	if !near(150, 315, 255, 255, 255) || !near(150+28, 315, 255, 255, 255) || !near(150+42, 315, 0x17, 0x50, 0x3F) {
		t.Error("the dot is not drawn, or not at its size")
	}
}

func TestServe_AJPEGOfASeedIsMadeForOurOwnPathsOnly(t *testing.T) {
	f := setup(t)
	const seed = "scene-rings-havu-hoyry.svg"
	size, name, _ := strings.Cut(strings.TrimPrefix(f.SharePath(seed), "/media/"), "/")
	answer, err := f.get(t, size, name)
	if err != nil {
		t.Fatal(err)
	}
	if picture, format, err := image.Decode(answer.Body); err != nil || format != "jpeg" || picture.Bounds().Size() != image.Pt(1200, 630) {
		t.Errorf("%s: %s, %v", name, format, err)
	}
	if n := f.countFiles(t, "variants"); n != 1 {
		t.Errorf("%d variants are kept, want the one that we named", n)
	}
	sum := strings.Split(name, ".")[2]
	for _, invented := range []string{seed + ".jpg", seed + ".0000000000000000.jpg", seed + "." + sum[:15] + ".jpg", seed + "." + sum + sum + ".jpg",
		"scene-rings-havu-other.svg." + sum + ".jpg", "avatar-7.svg.jpg", "avatar-7.svg." + sum + ".jpg", seed + "." + sum + ".png", seed + "." + sum} {
		if _, err := f.get(t, size, invented); !errors.Is(err, apperr.New(apperr.NotFound)) {
			t.Errorf("%s: %v, want not found", invented, err)
		}
	}
	if other := setup(t).SharePath(seed); strings.HasSuffix(other, name) {
		t.Error("another key makes the same checksum")
	}
}

func TestServe_DrawingsAreJPEGInTheSizeOfLinkPreviewsOnly(t *testing.T) {
	f := setup(t)
	if err := f.PutDrawing(context.Background(), "hoyry.svg", []byte(plainDrawing)); err != nil {
		t.Fatal(err)
	}
	if path := f.SharePath("hoyry.svg"); path != "/media/1200x630/hoyry.svg.jpg" {
		t.Errorf("the path is %s", path)
	}
	if path := f.SharePath("campaign-1.png"); path != "/media/1200x630/campaign-1.png" {
		t.Errorf("a photograph's path is %s", path)
	}
	for _, size := range []string{"640x400", "1200x0", "1920x1008", "80x80"} {
		if _, err := f.get(t, size, "hoyry.svg.jpg"); !errors.Is(err, apperr.New(apperr.NotFound)) {
			t.Errorf("%s: %v, want not found", size, err)
		}
	}
}

func TestServe_StoredPicturesDoNotWaitForThoseFromSeeds(t *testing.T) {
	f := setup(t)
	stored := f.mustPut(t, jpegOf(t, halves(300, 200)))
	for range seedsAtOnce { // fill the gate with drawings that do not end
		leave, err := f.seeds.enter(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
	}
	f.seeds.waiting.Store(maxWaiting)
	if _, err := f.get(t, "640x400", "scene-hoyry.svg"); !errors.Is(err, apperr.New(apperr.Busy)) {
		t.Errorf("an invented picture: %v, want busy", err)
	}
	if _, err := f.get(t, "160x0", stored.Name); err != nil {
		t.Errorf("a stored picture: %v", err)
	}
	if _, err := f.get(t, "1200x630", filepath.Base(f.SharePath("scene-hoyry.svg"))); err != nil {
		t.Errorf("a link preview of ours: %v", err)
	}
}
