package changes

import (
	"context"
	"fmt"
	"strconv"

	"gorm.io/gorm"
)

// keptOfPeople are the fields of changes of a person whose values tell nobody who they are. All others are redacted, so
// that a new field is until somebody decides otherwise.
const keptOfPeople = `'{language, mail.letters, show_backed, settings.verified, scope, blocked, name_shown, campaign_id,
	receipt_number, receipts, address}'`

// namingFields are the fields of a campaign in which creators name themselves.
const namingFields = `'{contact_email, legal_creator, creator_pic}'`

// redactSQL empties values in rows of audit_log: what was changed, by whom and when stays. It is the one way in which
// rows of the log change after they were written (but see writing.go).
const redactSQL = `
	UPDATE audit_log a SET before = redacted.before, after = redacted.after
	FROM (
		SELECT r.id, (SELECT coalesce(jsonb_object_agg(key, CASE WHEN %[1]s THEN 'null' ELSE value END), '{}') FROM jsonb_each(r.before)) AS before,
		       (SELECT coalesce(jsonb_object_agg(key, CASE WHEN %[1]s THEN 'null' ELSE value END), '{}') FROM jsonb_each(r.after)) AS after
		FROM audit_log r WHERE %[2]s AND jsonb_typeof(r.before) = 'object' AND jsonb_typeof(r.after) = 'object') redacted
	WHERE a.id = redacted.id`

// RedactPerson empties the personal values in the log of a person who is erased, in the caller's transaction: those in
// changes of the person, whoever made them, and where the person has named themself in a campaign. Their rows of
// history_totals go. A second call changes nothing.
func RedactPerson(ctx context.Context, tx *gorm.DB, userID int64) error {
	tx = tx.WithContext(ctx)
	params := map[string]any{"user": userID, "id": strconv.FormatInt(userID, 10)}
	for _, statement := range []string{
		fmt.Sprintf(redactSQL, `NOT key = ANY(`+keptOfPeople+`)`, `r.entity = 'user' AND r.entity_id = @id`),
		fmt.Sprintf(redactSQL, `key = ANY(`+namingFields+`)`, `r.actor_user_id = @user AND r.entity = 'campaign'
			AND jsonb_exists_any(r.after, `+namingFields+`)`),
		`DELETE FROM history_totals WHERE user_id = @user`,
	} {
		if err := tx.Exec(statement, params).Error; err != nil {
			return fmt.Errorf("redact the log of user %d: %w", userID, err)
		}
	}
	return nil
}

// ValuesOf are the texts, without empty ones, that a field of an entity has had, in the caller's transaction.
func ValuesOf(ctx context.Context, tx *gorm.DB, entity string, id int64, field string) (values []string, err error) {
	err = tx.WithContext(ctx).Raw(`
		SELECT DISTINCT value FROM audit_log CROSS JOIN LATERAL (VALUES (before ->> @field), (after ->> @field)) AS list (value)
		WHERE entity = @entity AND entity_id = @id AND value <> ''`,
		map[string]any{"entity": entity, "id": strconv.FormatInt(id, 10), "field": field}).Scan(&values).Error
	if err != nil {
		return nil, fmt.Errorf("read what %s %d had as %s: %w", entity, id, field, err)
	}
	return values, nil
}

// RedactDeleted empties all values in the log of something that was only a person's own and is deleted with them.
func RedactDeleted(ctx context.Context, tx *gorm.DB, entity string, id int64) error {
	which := `r.entity = @entity AND r.entity_id = @text`
	if entity == "campaign" { // with its rewards and posts
		which = `r.campaign_id = @id`
	}
	err := tx.WithContext(ctx).Exec(fmt.Sprintf(redactSQL, `true`, which),
		map[string]any{"entity": entity, "id": id, "text": strconv.FormatInt(id, 10)}).Error
	if err != nil {
		return fmt.Errorf("redact the log of %s %d: %w", entity, id, err)
	}
	return nil
}
