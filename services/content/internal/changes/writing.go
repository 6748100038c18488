package changes

import (
	"context"
	"encoding/json"
	"regexp"
	"time"

	"gorm.io/gorm"
)

// sitting is how long the saves of one person who is writing are told as one change. Editors save every few seconds,
// and each row has the whole text from before it.
const sitting = 10 * time.Minute

// written matches the fields whose text is saved while somebody writes it.
const written = `(^|[.])(title|tagline|short_description|about_creator|description|json|json_description)$` +
	`|[.]custom_language[.]`

var isWritten = regexp.MustCompile(written)

// goOnSQL adds a change to the one before it, which keeps the values from before the first one and its time. What the
// row grows by is counted, as in insertSQL. A value before that stays as it is is not written again.
const goOnSQL = `
	WITH earlier AS (
		SELECT a.id, a.before, a.after, a.after || CAST(@after AS jsonb) AS latest,
		    (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(CAST(@before AS jsonb))
		     WHERE NOT jsonb_exists(a.before, key)) AS added
		FROM audit_log a
		WHERE a.id = (SELECT max(id) FROM audit_log WHERE entity = @entity AND entity_id = @id)
		  AND a.actor_user_id = @user AND a.action = @action AND a.version = @version - 1 AND a.at > @since
		  AND NOT EXISTS (SELECT FROM jsonb_object_keys(a.after) name WHERE name !~ @written)
		  AND NOT EXISTS (SELECT FROM audit_log later WHERE later.campaign_id = a.campaign_id AND later.id > a.id)
	), counted AS (
		INSERT INTO history_totals (user_id, day, bytes)
		SELECT @user, CAST(@day AS date), octet_length(CAST(added AS text))
		    + greatest(0, octet_length(CAST(latest AS text)) - octet_length(CAST(after AS text)))
		FROM earlier` + countSQL + `)
	UPDATE audit_log a
	SET version = @version, after = latest, before = CASE added WHEN '{}' THEN a.before ELSE a.before || added END
	FROM earlier WHERE a.id = earlier.id AND EXISTS (SELECT FROM counted)`

// goOn adds a change of texts alone to the change before it, if the same person has made that within the sitting, with
// the same action, and nothing else has happened to the campaign since. It reports whether it has; it has not when
// the person has none left today, which insert then tells.
func (row entry) goOn(ctx context.Context, tx *gorm.DB) (bool, error) {
	var fields map[string]json.RawMessage
	if row.ActorUserID == nil || row.Version < 2 || json.Unmarshal(row.After, &fields) != nil {
		return false, nil
	}
	for name := range fields {
		if !isWritten.MatchString(name) {
			return false, nil
		}
	}
	added := tx.WithContext(ctx).Exec(goOnSQL, map[string]any{
		"user": row.ActorUserID, "action": row.Action, "entity": row.Entity, "id": row.EntityID, "version": row.Version,
		"before": string(row.Before), "after": string(row.After), "since": row.At.Add(-sitting), "written": written,
		"day": row.At.UTC().Format(time.DateOnly), "most": dailyBytes,
	})
	return added.RowsAffected == 1, added.Error
}
