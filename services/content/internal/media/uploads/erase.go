package uploads

import (
	"context"
	"fmt"

	"gorm.io/gorm"
)

// Erase forgets how much a person has sent, in the caller's transaction.
func Erase(ctx context.Context, tx *gorm.DB, userID int64) error {
	if err := tx.WithContext(ctx).Exec(`DELETE FROM upload_totals WHERE user_id = ?`, userID).Error; err != nil {
		return fmt.Errorf("forget uploads of user %d: %w", userID, err)
	}
	return nil
}
