//go:build unix

package files

import (
	"bytes"
	"context"
	"errors"
	"image"
	"math/rand/v2"
	"testing"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/contenttest/fulldisk"
)

func TestStore_AFullDiskLeavesNoHalfWrittenPictureAndHealsByItself(t *testing.T) {
	if !fulldisk.OwnProcess(t) {
		return
	}
	f, ctx := setup(t), context.Background()
	noise, rnd := image.NewGray(image.Rect(0, 0, 900, 600)), rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = byte(rnd.Uint32())
	}
	photo := pngOf(t, noise)
	stored := f.mustPut(t, photo)
	other := noise.SubImage(image.Rect(0, 0, 800, 600))
	var whole int
	fulldisk.Limit(t, 4096, func() {
		if _, err := f.PutImage(ctx, "campaign", bytes.NewReader(pngOf(t, other))); !errors.Is(err, apperr.New(apperr.Unavailable)) {
			t.Errorf("an upload onto a full disk: %v, want unavailable", err)
		}
		for range 2 {
			answer, err := f.get(t, "640x0", stored.Name)
			if err != nil || answer.Body.Len() < 4096 {
				t.Fatalf("a variant from a full disk: %d bytes, %v", answer.Body.Len(), err)
			}
			whole = answer.Body.Len()
		}
	})
	if originals, variants := f.countFiles(t, "originals"), f.countFiles(t, "variants"); originals != 1 || variants != 0 {
		t.Errorf("%d originals and %d variants are left, want 1 and 0", originals, variants)
	}
	f.mustPut(t, pngOf(t, other))
	if answer, err := f.get(t, "640x0", stored.Name); err != nil || answer.Body.Len() != whole || f.countFiles(t, "variants") != 1 {
		t.Errorf("with room again: %d bytes of %d, %v", answer.Body.Len(), whole, err)
	}
}
