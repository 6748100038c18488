package cloud

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"talkoot.fi/content/internal/media/files"
	"talkoot.fi/kit/apperr"
)

func TestMain(m *testing.M) {
	_ = os.Setenv("AWS_ACCESS_KEY_ID", "key") // not t.Setenv: tests wait for bounds, beside each other
	_ = os.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	os.Exit(m.Run())
}

// storage is an S3 server that can be disturbed: what is stored is left alone, and calls pass the disturbance first.
type storage struct {
	address string
	disturb atomic.Pointer[http.HandlerFunc]
}

// newStorage starts a server with the bucket talkoot.
func newStorage(t *testing.T) *storage {
	t.Helper()
	kept := s3mem.New()
	if err := kept.CreateBucket("talkoot"); err != nil {
		t.Fatal(err)
	}
	real, s := gofakes3.New(kept).Server(), &storage{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if disturb := s.disturb.Load(); disturb != nil {
			(*disturb)(w, r)
			return
		}
		real.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	s.address = "s3://talkoot?region=us-east-1&use_path_style=true&response_checksum_validation=when_required&endpoint=" + server.URL
	return s
}

func (s *storage) is(disturbed http.HandlerFunc) { s.disturb.Store(&disturbed) }
func (s *storage) heals()                        { s.disturb.Store(nil) }

// The ways in which a storage is away.
var away = map[string]http.HandlerFunc{
	"answering 503": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
	"cutting":       func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	"silent":        func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	"stopping half way": func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Length", "100000")
			_, _ = w.Write(bytes.Repeat([]byte{0xff, 0xd8}, 500))
			_ = http.NewResponseController(w).Flush()
		} else {
			_, _ = r.Body.Read(make([]byte, 1000))
		}
		panic(http.ErrAbortHandler)
	},
}

// impatient opens the bucket, with bounds that a test can wait for.
func impatient(ctx context.Context, address string) (files.Bucket, error) {
	opened, err := Open(ctx, address)
	if b, ok := opened.(bucket); ok {
		b.call, b.write = time.Second, time.Second
		return b, nil
	}
	return opened, err
}

func (s *storage) store(t *testing.T) *files.Store {
	t.Helper()
	store, err := files.Open(t.Context(), files.Options{BlobURL: s.address, Cloud: impatient, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

func picture(t *testing.T, of color.Gray) []byte {
	t.Helper()
	drawn := image.NewGray(image.Rect(0, 0, 400, 300))
	for i := range drawn.Pix {
		drawn.Pix[i] = of.Y + uint8(i%17)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, drawn, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func get(t *testing.T, store *files.Store, size, name string) (*httptest.ResponseRecorder, error) {
	t.Helper()
	answer := httptest.NewRecorder()
	err := store.Serve(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/media/x", nil), size, name)
	return answer, err
}

func TestBucket_KeepsListsAndRemovesBlobs(t *testing.T) {
	t.Parallel()
	ctx, s := t.Context(), newStorage(t)
	b, err := Open(ctx, s.address)
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

func TestOpen_RefusesASchemeWithoutDriverAndABucketThatIsNotThere(t *testing.T) {
	t.Parallel()
	s := newStorage(t)
	for _, address := range []string{"s9://bucket", "s3://none" + s.address[len("s3://talkoot"):]} {
		if _, err := Open(t.Context(), address); err == nil {
			t.Errorf("%s was opened", address)
		}
	}
}

// A picture is kept whole or not at all, and a reader gets it whole or an error, whatever the storage does meanwhile.
func TestStore_WhileTheStorageIsAwayPicturesAreRefusedAndNoneIsLostOrHalf(t *testing.T) {
	t.Parallel()
	for name, disturbed := range away {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStorage(t)
			store := s.store(t)
			before, err := store.PutImage(t.Context(), "campaign", bytes.NewReader(picture(t, color.Gray{40})))
			if err != nil {
				t.Fatal(err)
			}
			s.is(disturbed)
			began := time.Now()
			during := picture(t, color.Gray{90})
			if put, err := store.PutImage(t.Context(), "campaign", bytes.NewReader(during)); !errors.Is(err, apperr.New(apperr.Unavailable)) {
				t.Errorf("a picture sent meanwhile: %+v, %v", put, err)
			}
			if answer, err := get(t, store, "320x240", before.Name); !errors.Is(err, apperr.New(apperr.Unavailable)) ||
				answer.Body.Len() > 0 || answer.Header().Get("Cache-Control") != "" {
				t.Errorf("a picture asked for meanwhile: %v, %d bytes", err, answer.Body.Len())
			}
			if err := store.Remove(t.Context(), before.Name); !errors.Is(err, apperr.New(apperr.Unavailable)) {
				t.Errorf("a picture deleted meanwhile: %v", err) // the worker tries again
			}
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("three answers took %s", took)
			}
			s.heals()
			after, err := store.PutImage(t.Context(), "campaign", bytes.NewReader(during))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{before.Name, after.Name} {
				answer, err := get(t, store, "320x240", name)
				if err != nil {
					t.Fatal(err)
				}
				if shown, err := jpeg.Decode(answer.Body); err != nil || shown.Bounds().Dx() != 320 {
					t.Errorf("%s afterwards: %v", name, err)
				}
			}
		})
	}
}

func TestStore_StartsWhileTheStorageIsAway(t *testing.T) {
	t.Parallel()
	s := newStorage(t)
	s.is(away["cutting"])
	store := s.store(t)
	s.heals()
	if _, err := store.PutImage(t.Context(), "campaign", bytes.NewReader(picture(t, color.Gray{40}))); err != nil {
		t.Error(err)
	}
}

func TestStore_WhatIsDeletedIsGoneInEverySize(t *testing.T) {
	t.Parallel()
	s := newStorage(t)
	store := s.store(t)
	kept, err := store.PutImage(t.Context(), "campaign", bytes.NewReader(picture(t, color.Gray{40})))
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []string{"320x240", "80x80"} {
		if _, err := get(t, store, size, kept.Name); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Remove(t.Context(), kept.Name); err != nil {
		t.Fatal(err)
	}
	b, err := Open(t.Context(), s.address)
	if err != nil {
		t.Fatal(err)
	}
	if keys, err := b.List(t.Context(), ""); err != nil || len(keys) > 0 {
		t.Errorf("left: %v, %v", keys, err)
	}
}
