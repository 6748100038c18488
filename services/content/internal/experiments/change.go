package experiments

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/discovery/searchdocs"
	"talkoot.fi/content/internal/writing/changes"
)

// entity is what audit rows call an experiment.
const entity = "experiment"

// Edit is who changes which experiment, and when. The caller has checked that they may (RequireEdit).
type Edit struct {
	ExperimentID int64
	// Known is the version that the person has seen, 0 for any.
	Known int64
	By    session.Identity
	Now   time.Time
}

// Versioned is changes.Row.
func (r Record) Versioned() (changes.Entity, int64) {
	return changes.Entity{Name: entity, Table: "experiments", ID: r.ID}, r.Version
}

// apply changes the fields of an experiment whose row is locked, and notes what differs.
type apply func(ctx context.Context, tx *gorm.DB, c *changes.Change, r *Record) error

// change makes one change in a transaction, as proto-docs/flows/change.md says; without a difference nothing is
// written. Errors: ErrUnknown; ChangedMeanwhile; HistoryLimit; those of the change.
func (e Edit) change(ctx context.Context, db *gorm.DB, action string, do apply) error {
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		r, c, err := changes.LockKnown[Record](ctx, tx, e.ExperimentID, e.Known, changes.ForNoKeyUpdate)
		if err != nil {
			return err
		}
		if err := do(ctx, tx, c, &r); err != nil {
			return err
		}
		if !c.Any() {
			return nil
		}
		if err := c.Save(ctx, tx, action, changes.User(e.By.UserID), e.Now); err != nil {
			return err
		}
		return refreshListings(ctx, tx, r.ID)
	})
}

// setJSON changes a column that holds JSON.
func setJSON[T any](c *changes.Change, name, column string, field *T, wanted T) error {
	if reflect.DeepEqual(*field, wanted) {
		return nil
	}
	encoded, err := json.Marshal(wanted)
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	c.Note(name, *field, wanted)
	c.Column(column, string(encoded))
	*field = wanted
	return nil
}

// refreshListings writes what lists sort and search an experiment by, in the caller's transaction.
func refreshListings(ctx context.Context, tx *gorm.DB, id int64) error {
	return writeListings(ctx, tx, []int64{id})
}

// RefreshOfOwner does so for the experiments that a person owns, which it locks. It is for who changes people's names, in
// the transaction that has changed them.
func RefreshOfOwner(ctx context.Context, tx *gorm.DB, userID int64) error {
	var owned []int64
	err := tx.WithContext(ctx).Raw(`
		SELECT id FROM experiments WHERE id IN (SELECT experiment_id FROM experiment_team WHERE user_id = ? AND position = 0)
		ORDER BY id FOR NO KEY UPDATE`, userID).Scan(&owned).Error
	if err != nil {
		return fmt.Errorf("lock the experiments of user %d: %w", userID, err)
	}
	if len(owned) == 0 {
		return nil
	}
	return writeListings(ctx, tx, owned)
}

func writeListings(ctx context.Context, tx *gorm.DB, ids []int64) error {
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO experiment_listings (experiment_id, language, standing, listed, text_language, title_order, short_order,
		    owner_order, show_order, search)
		SELECT experiment_id, language, standing, listed, text_language, title_order, short_order, owner_order, show_order,
		    search
		FROM experiment_listing_sources WHERE experiment_id IN @ids
		ON CONFLICT (experiment_id, language) DO UPDATE SET standing = excluded.standing,
		    listed = excluded.listed,
		    text_language = excluded.text_language,
		    title_order = excluded.title_order, short_order = excluded.short_order, owner_order = excluded.owner_order,
		    show_order = excluded.show_order, search = excluded.search`, map[string]any{"ids": ids}).Error
	if err != nil {
		return fmt.Errorf("refresh listings of experiments: %w", err)
	}
	return searchdocs.Refresh(ctx, tx, searchdocs.Changed{Experiments: ids})
}
