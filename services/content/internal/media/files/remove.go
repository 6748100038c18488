package files

import "context"

// Remove deletes an uploaded picture with everything that was made from it; there need not be one. Errors:
// apperr.Unavailable.
func (s *Store) Remove(ctx context.Context, name string) error {
	source, kind, ok := parseName(name)
	if !ok || kind != photograph {
		return nil
	}
	// The original first: without it nothing more is made while we look for what was.
	if err := s.bucket.Remove(ctx, originalKey(source)); err != nil {
		return unavailable("delete "+source, err)
	}
	made, err := s.bucket.List(ctx, "variants/"+recipe+"/"+source+"/")
	if err != nil {
		return unavailable("list what was made from "+source, err)
	}
	for _, key := range made {
		if err := s.bucket.Remove(ctx, key); err != nil {
			return unavailable("delete "+key, err)
		}
	}
	return nil
}
