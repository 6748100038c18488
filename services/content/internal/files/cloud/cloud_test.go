package cloud

import (
	"errors"
	"io/fs"
	"slices"
	"testing"

	_ "gocloud.dev/blob/memblob" // mem:// stands for object storage
)

func TestBucket_KeepsListsAndRemovesBlobs(t *testing.T) {
	ctx := t.Context()
	b, err := Open(ctx, "mem://")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	if _, err := b.Read(ctx, "originals/a.jpg"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a blob that is not there: %v", err)
	}
	for _, key := range []string{"variants/a.jpg/80x0.jpg", "variants/a.jpg/160x0.jpg", "variants/ab.jpg/80x0.jpg"} {
		if err := b.Write(ctx, key, []byte(key), "image/jpeg"); err != nil {
			t.Fatal(err)
		}
		if data, err := b.Read(ctx, key); err != nil || string(data) != key {
			t.Errorf("%s: %q, %v", key, data, err)
		}
	}
	keys, err := b.List(ctx, "variants/a.jpg/")
	if slices.Sort(keys); err != nil || !slices.Equal(keys, []string{"variants/a.jpg/160x0.jpg", "variants/a.jpg/80x0.jpg"}) {
		t.Errorf("listed %v, %v", keys, err)
	}
	for range 2 {
		if err := b.Remove(ctx, keys[0]); err != nil {
			t.Fatal(err)
		}
	}
	if there, err := b.Exists(ctx, keys[0]); err != nil || there {
		t.Errorf("still there after removing: %t, %v", there, err)
	}
}

func TestOpen_RefusesASchemeWithoutDriver(t *testing.T) {
	if _, err := Open(t.Context(), "s9://bucket"); err == nil {
		t.Error("it was opened")
	}
}
