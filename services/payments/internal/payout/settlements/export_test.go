package settlements

import (
	"context"

	"gorm.io/gorm"
)

// BookOnce books the next lines of an approved run and ends then.
func (s *Service) BookOnce(ctx context.Context, id string) error {
	return s.locked(ctx, id, func(tx *gorm.DB, r *Run) error {
		_, err := s.bookChunk(ctx, tx, r)
		return err
	})
}

// Book books an approved run.
func (s *Service) Book(ctx context.Context, r Run) error { return s.book(ctx, r) }
