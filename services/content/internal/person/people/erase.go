package people

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/writing/changes"
)

// formerMember is what stands for the name of an erased person, in their language. Where the reader's language is known
// the database's shown_name says it in that one.
var formerMember = map[string][2]string{"fi": {"Entinen", "jäsen"}, "en": {"Former", "member"}, "sv": {"Tidigare", "medlem"}}

// Lock locks a person until the caller's transaction ends, after their campaigns and experiments, and returns the pictures
// that they have and have had. Error: ErrUnknown as of Erase.
func Lock(ctx context.Context, tx *gorm.DB, userID int64) (pictures []string, err error) {
	var images []string
	err = tx.WithContext(ctx).Raw(`SELECT image FROM users WHERE id = ? AND erased_at IS NULL FOR UPDATE`, userID).Scan(&images).Error
	if err != nil {
		return nil, fmt.Errorf("lock user %d: %w", userID, err)
	}
	if len(images) == 0 {
		return nil, ErrUnknown
	}
	had, err := changes.ValuesOf(ctx, tx, "user", userID, "image_collection")
	if images[0] != "" && !slices.Contains(had, images[0]) {
		had = append(had, images[0])
	}
	return had, err
}

// Erase empties the row of a person and deletes their tags, in the caller's transaction. The row itself stays for what
// names its id. Error: ErrUnknown for who is not there or was erased before.
func Erase(ctx context.Context, tx *gorm.DB, userID int64, by changes.Actor, receipts int, now time.Time) error {
	tx = tx.WithContext(ctx)
	var languages []string
	err := tx.Raw(`SELECT language FROM users WHERE id = ? AND erased_at IS NULL FOR UPDATE`, userID).Scan(&languages).Error
	if err != nil {
		return fmt.Errorf("lock user %d: %w", userID, err)
	}
	if len(languages) == 0 {
		return ErrUnknown
	}
	name := formerMember[languages[0]]
	err = tx.Exec(`
		UPDATE users SET email = 'erased-' || id, password_hash = '', first_name = @first, last_name = @last, short_description = '',
		    long_description = '', phone = '', image = '', verified = false, profile_verified = false, scope = '{view}',
		    links = '[]', skills = '{}', wants_letters = false, shows_backed = false, blocked_at = @now, block_reason = '',
		    erased_at = @now, version = version + 1, updated_at = @now
		WHERE id = @id`, map[string]any{"id": userID, "first": name[0], "last": name[1], "now": now}).Error
	if err == nil {
		err = tx.Exec(`DELETE FROM user_tags WHERE user_id = ?`, userID).Error
	}
	if err != nil {
		return fmt.Errorf("erase user %d: %w", userID, err)
	}
	return changes.Record(ctx, tx, "erase", "user", userID, by, struct{}{}, map[string]any{"receipts": receipts}, now)
}
