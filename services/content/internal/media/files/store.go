package files

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"talkoot.fi/content/internal/media/scenes"
	"talkoot.fi/kit/apperr"
)

const (
	// maxWaiting is the length of a gate's queue; further callers get apperr.Busy.
	maxWaiting = 64
	// cacheBytes is the size of the cache of pictures drawn from a seed.
	cacheBytes = 16 << 20
	// makeTimeout is the timeout for making one variant, queueing included.
	makeTimeout = 30 * time.Second
	// writeFailureLogGap is the least time between two log lines about failed writes.
	writeFailureLogGap = time.Minute
	maxDrawing         = 1 << 20 // bytes of one server-made SVG
)

// Options of a Store.
type Options struct {
	// BlobURL is where pictures are kept: a folder is file:///path, made when missing.
	BlobURL string
	// Cloud opens other URLs (package cloud); nil refuses them.
	Cloud Opener
	Log   *slog.Logger
	Now   func() time.Time
	// ShareKey is the key of SharePath's checksums, the same in all processes of an installation. When empty, a random
	// one is made, and paths are valid only in this process.
	ShareKey []byte
}

// Store keeps and serves pictures. It is safe for concurrent use.
type Store struct {
	bucket Bucket
	log    *slog.Logger
	now    func() time.Time
	gate   *gate
	// seeds is the gate of pictures drawn from a seed: however many are requested, stored pictures do not wait for them.
	seeds  *gate
	flight singleflight.Group
	drawn  *byteCache

	complaintMu   sync.Mutex
	lastComplaint time.Time

	shareKey []byte
}

// Open opens the store. The caller closes it.
func Open(ctx context.Context, options Options) (*Store, error) {
	bucket, err := openBucket(ctx, options.BlobURL, options.Cloud)
	if err != nil {
		return nil, fmt.Errorf("open picture store: %w", err)
	}
	key := options.ShareKey
	if len(key) == 0 {
		key = []byte(rand.Text())
	}
	return &Store{
		bucket:   bucket,
		log:      options.Log,
		now:      options.Now,
		gate:     newGate(decodeBudget, maxWaiting),
		seeds:    newGate(seedsAtOnce, maxWaiting),
		drawn:    newByteCache(cacheBytes),
		shareKey: key,
	}, nil
}

// Close releases the store; calls under way may fail.
func (s *Store) Close() error {
	if err := s.bucket.Close(); err != nil {
		return fmt.Errorf("close picture store: %w", err)
	}
	return nil
}

// Exists reports whether Serve has a picture of this name; false for a malformed name. Errors: apperr.Unavailable.
func (s *Store) Exists(ctx context.Context, name string) (bool, error) {
	source, kind, ok := parseName(name)
	if !ok {
		return false, nil
	}
	if scenes.IsFileName(source) {
		return kind == drawing, nil
	}
	return s.stored(ctx, originalKey(source))
}

// PutDrawing stores an SVG that the platform made itself, under a name that ends in .svg. It must never be handed an
// upload. A name never changes its content: the same bytes again change nothing, other bytes are refused. Errors:
// apperr.Unavailable when the store cannot be written; a plain error for a bad name or no SVG.
func (s *Store) PutDrawing(ctx context.Context, name string, svg []byte) error {
	source, kind, ok := parseName(name)
	if !ok || kind != drawing || scenes.IsFileName(source) {
		return fmt.Errorf("store drawing %q: the name must end in .svg and not be one that is drawn from a seed", name)
	}
	if len(svg) > maxDrawing {
		return fmt.Errorf("store drawing %s: %d bytes are more than %d", name, len(svg), maxDrawing)
	}
	if _, err := readRoot(svg); err != nil {
		return fmt.Errorf("store drawing %s: %w", name, err)
	}
	key := originalKey(source)
	present, err := s.read(ctx, key)
	switch {
	case err == nil && bytes.Equal(present, svg):
		return nil
	case err == nil:
		return fmt.Errorf("store drawing %s: another picture has this name", name)
	case !errors.Is(err, apperr.New(apperr.NotFound)):
		return err
	}
	return s.write(ctx, key, svg, "image/svg+xml")
}

func originalKey(name string) string { return "originals/" + name }

func (s *Store) stored(ctx context.Context, key string) (bool, error) {
	found, err := s.bucket.Exists(ctx, key)
	if err != nil {
		return false, unavailable("look for "+key, err)
	}
	return found, nil
}

// read returns a blob. Errors: apperr.NotFound, apperr.Unavailable.
func (s *Store) read(ctx context.Context, key string) ([]byte, error) {
	data, err := s.bucket.Read(ctx, key)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, apperr.New(apperr.NotFound).Wrap(fmt.Errorf("read %s: %w", key, err))
	case err != nil:
		return nil, unavailable("read "+key, err)
	}
	return data, nil
}

// write stores a blob completely or not at all.
func (s *Store) write(ctx context.Context, key string, data []byte, contentType string) error {
	if err := s.bucket.Write(ctx, key, data, contentType); err != nil {
		return unavailable("store "+key, err)
	}
	return nil
}

// logWriteFailure logs that variants cannot be stored, at most once a minute: on a full disk every request fails so.
func (s *Store) logWriteFailure(err error) {
	s.complaintMu.Lock()
	defer s.complaintMu.Unlock()
	if now := s.now(); s.lastComplaint.IsZero() || now.Sub(s.lastComplaint) >= writeFailureLogGap {
		s.lastComplaint = now
		s.log.Error("picture store cannot be written, serving without keeping variants", "error", err)
	}
}

func unavailable(act string, cause error) error {
	return apperr.New(apperr.Unavailable).Wrap(fmt.Errorf("%s: %w", act, cause))
}

// isValidKind checks the prefix that PutImage gives a name.
func isValidKind(kind string) bool {
	return kind != "" && len(kind) <= 24 && strings.Trim(kind, "abcdefghijklmnopqrstuvwxyz") == "" &&
		!scenes.IsFileName(kind+"-0.svg")
}
