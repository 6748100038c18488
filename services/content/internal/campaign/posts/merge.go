package posts

import (
	"context"
	"fmt"

	"gorm.io/gorm"
)

// Merge makes the posts that a person wrote in one account those of another one of theirs, in the caller's transaction.
func Merge(ctx context.Context, tx *gorm.DB, from, to int64) error {
	if err := tx.WithContext(ctx).Exec(`UPDATE posts SET author_id = ? WHERE author_id = ?`, to, from).Error; err != nil {
		return fmt.Errorf("move the posts of user %d to user %d: %w", from, to, err)
	}
	return nil
}
