package files

import (
	"context"
	"errors"
	"io"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// Remove deletes an uploaded picture with everything that was made from it; there need not be one. Errors:
// apperr.Unavailable.
func (s *Store) Remove(ctx context.Context, name string) error {
	source, kind, ok := parseName(name)
	if !ok || kind != photograph {
		return nil
	}
	keys := []string{originalKey(source)}
	list := s.bucket.List(&blob.ListOptions{Prefix: "variants/" + recipe + "/" + source + "/"})
	for {
		made, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return unavailable("list what was made from "+source, err)
		}
		keys = append(keys, made.Key)
	}
	for _, key := range keys {
		if err := s.bucket.Delete(ctx, key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
			return unavailable("delete "+key, err)
		}
	}
	return nil
}
