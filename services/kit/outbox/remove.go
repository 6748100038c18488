package outbox

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// Remove deletes messages whose kind begins with a prefix and whose payload names one of the values in a field, however
// its letters are written, in the caller's transaction. One that is being delivered meanwhile may still arrive.
func Remove(ctx context.Context, tx *gorm.DB, kindPrefix, field string, values []string) error {
	if len(values) == 0 {
		return nil
	}
	err := tx.WithContext(ctx).Exec(`DELETE FROM outbox WHERE starts_with(kind, ?)
		AND lower(payload ->> ?) IN (SELECT lower(value) FROM unnest(CAST(? AS text[])) value)`, kindPrefix, field, dbx.TextArray(values)).Error
	if err != nil {
		return fmt.Errorf("remove %s messages from the outbox: %w", kindPrefix, err)
	}
	return nil
}

// Empty takes out of a message what was in it, once it has been delivered: what says the same a second time says nothing.
func Empty(ctx context.Context, db *gorm.DB, id int64) error {
	if err := db.WithContext(ctx).Exec(`UPDATE outbox SET payload = '{}' WHERE id = ?`, id).Error; err != nil {
		return fmt.Errorf("empty message %d of the outbox: %w", id, err)
	}
	return nil
}
