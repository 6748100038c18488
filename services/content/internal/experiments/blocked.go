package experiments

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"talkoot.fi/content/internal/writing/changes"
)

// HideAllOf takes what somebody who is being blocked has shown off all public lists and pages, in the transaction that blocks them. It
// stays with its team, and is shown again by an owner who may.
func HideAllOf(ctx context.Context, tx *gorm.DB, owner int64, by changes.Actor, now time.Time) error {
	var list []Record
	err := tx.WithContext(ctx).Session(&gorm.Session{QueryFields: true}).Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).
		Where(`id IN (SELECT experiment_id FROM experiment_team WHERE user_id = ? AND position = 0) AND listed`, owner).Order("id").Find(&list).Error
	if err != nil {
		return fmt.Errorf("lock the experiments of user %d: %w", owner, err)
	}
	for _, r := range list {
		c := changes.Of(r.Versioned())
		flags := maps.Clone(r.ShowIn)
		flags["index"], flags["front_page"] = false, false
		err := setJSON(c, "show_in", "show_in", &r.ShowIn, flags)
		if err == nil {
			err = c.Save(ctx, tx, "hide", by, now)
		}
		if err = errors.Join(err, refreshListings(ctx, tx, r.ID)); err != nil {
			return err
		}
	}
	return nil
}
