package changes

import (
	"context"
	"encoding/json"
	"regexp"
	"time"

	"gorm.io/gorm"
)

// mergeWindow is how long the saves of a text by one person are merged into one row of the history. Editors save every
// few seconds, and each row has the whole text from before it.
const mergeWindow = 10 * time.Minute

// written matches the fields whose text is saved while somebody writes it.
const written = `(^|[.])(title|tagline|short_description|about_creator|description|json|json_description)$` +
	`|[.]custom_language[.]`

var isWritten = regexp.MustCompile(written)

// mergeSQL adds a change to the row of the one before it, which keeps its time and the values from before its first
// save. The bytes that the row grows by count towards the day's, as in insertSQL. The column before is written only if
// a field is new in the row, because it holds whole stories.
const mergeSQL = `
	WITH earlier AS (
		SELECT a.id, a.before, a.after, a.after || CAST(@after AS jsonb) AS latest,
		    (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(CAST(@before AS jsonb))
		     WHERE NOT jsonb_exists(a.before, key)) AS added
		FROM audit_log a
		WHERE a.id = (SELECT max(id) FROM audit_log WHERE entity = @entity AND entity_id = @id)
		  AND a.actor_user_id = @user AND a.action = @action AND a.version = @version - 1 AND a.at > @since
		  AND NOT EXISTS (SELECT FROM jsonb_object_keys(a.after) name WHERE name !~ @written)
		  AND NOT EXISTS (SELECT FROM audit_log later WHERE later.campaign_id = a.campaign_id AND later.id > a.id)
		  AND EXISTS (SELECT FROM users WHERE id = @user AND erased_at IS NULL)
	), counted AS (
		INSERT INTO history_totals (user_id, day, bytes)
		SELECT @user, CAST(@day AS date), octet_length(CAST(added AS text))
		    + greatest(0, octet_length(CAST(latest AS text)) - octet_length(CAST(after AS text)))
		FROM earlier` + countSQL + `)
	UPDATE audit_log a
	SET version = @version, after = latest, before = CASE added WHEN '{}' THEN a.before ELSE a.before || added END
	FROM earlier WHERE a.id = earlier.id AND EXISTS (SELECT FROM counted)`

// merge adds a change of nothing but texts to the change before it, if the same person made that within mergeWindow,
// with the same action, and nothing else has happened to the campaign since. It reports whether it did. It does not
// beyond the person's dailyBytes either; insert then returns the error.
func (row entry) merge(ctx context.Context, tx *gorm.DB) (bool, error) {
	var fields map[string]json.RawMessage
	if row.ActorUserID == nil || row.Version < 2 || json.Unmarshal(row.After, &fields) != nil {
		return false, nil
	}
	for name := range fields {
		if !isWritten.MatchString(name) {
			return false, nil
		}
	}
	added := tx.WithContext(ctx).Exec(mergeSQL, map[string]any{
		"user": row.ActorUserID, "action": row.Action, "entity": row.Entity, "id": row.EntityID, "version": row.Version,
		"before": string(row.Before), "after": string(row.After), "since": row.At.Add(-mergeWindow), "written": written,
		"day": row.At.UTC().Format(time.DateOnly), "most": dailyBytes,
	})
	return added.RowsAffected == 1, added.Error
}
