package outbox

import (
	"context"
	"fmt"

	"gorm.io/gorm"
)

// Remove deletes messages whose kind begins with a prefix and whose payload names one of the values in a field, in the
// caller's transaction. One that is being delivered meanwhile may still arrive.
func Remove(ctx context.Context, tx *gorm.DB, kindPrefix, field string, values []string) error {
	if len(values) == 0 {
		return nil
	}
	err := tx.WithContext(ctx).Exec(`DELETE FROM outbox WHERE starts_with(kind, ?) AND payload ->> ? IN ?`,
		kindPrefix, field, values).Error
	if err != nil {
		return fmt.Errorf("remove %s messages from the outbox: %w", kindPrefix, err)
	}
	return nil
}
