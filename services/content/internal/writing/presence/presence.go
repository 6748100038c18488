// Package presence says who else has an editor open just now, before two people write the same. It owns the table open_editors, which
// has the last minute alone. An open editor looks for others' changes every 20 seconds anyway, and says with it that it is open;
// who closes it or goes to another tab is gone in less than a minute. Whether somebody may edit is the caller's to check.
package presence

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/person/profiles"
)

// seenFor is how long an editor counts as open after it has said so: one answer may be lost. With the time between two
// prunings it is less than a minute.
const seenFor = 45 * time.Second

// The editors.
const (
	Campaign   = "campaign"
	Post       = "post"
	Experiment = "experiment"
)

// Editor is somebody's open editor.
type Editor struct {
	Entity   string
	EntityID int64
	UserID   int64
}

// Note notes that an editor is open, with the focus in a place, and returns who else has the same one open; nobody if place
// is nil, which is a reader who does not write.
func Note(ctx context.Context, db *gorm.DB, e Editor, place *string, now time.Time) (*[]api.Writer, error) {
	if place == nil {
		return nil, nil //nolint:nilnil // left out of the answer
	}
	var rows []struct {
		UserID             int64
		Name, Image, Place string
	}
	err := db.WithContext(ctx).Raw(`
		WITH noted AS (
			INSERT INTO open_editors (entity, entity_id, user_id, place, seen_at) VALUES (@entity, @id, @user, @place, @now)
			ON CONFLICT (entity, entity_id, user_id) DO UPDATE SET place = excluded.place, seen_at = excluded.seen_at)
		SELECT u.id AS user_id, concat_ws(' ', u.first_name, u.last_name) AS name, u.image, e.place
		FROM open_editors e JOIN users u ON u.id = e.user_id
		WHERE e.entity = @entity AND e.entity_id = @id AND e.user_id <> @user AND e.seen_at > @since
		ORDER BY name, u.id`,
		map[string]any{"entity": e.Entity, "id": e.EntityID, "user": e.UserID, "place": *place, "now": now,
			"since": now.Add(-seenFor)}).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("note that %s %d is being edited: %w", e.Entity, e.EntityID, err)
	}
	writers := make([]api.Writer, len(rows))
	for i, row := range rows {
		writers[i] = api.Writer{UserID: row.UserID, Name: row.Name, Image: profiles.Image(row.Image, row.UserID), Place: row.Place}
	}
	return &writers, nil
}

// Prune forgets the editors that are not open any more.
func Prune(ctx context.Context, db *gorm.DB, now time.Time) error {
	if err := db.WithContext(ctx).Exec(`DELETE FROM open_editors WHERE seen_at <= ?`, now.Add(-seenFor)).Error; err != nil {
		return fmt.Errorf("prune open editors: %w", err)
	}
	return nil
}
