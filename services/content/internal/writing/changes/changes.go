// Package changes writes people's changes: only the columns that differ, with the next version of the row and one row
// in audit_log that has the values before and after. It owns the tables audit_log, whose campaign_id it fills, so that
// a campaign's history has the changes of its rewards and posts (entities reward and post), also when they are gone,
// and history_totals, which bounds what one person adds to it in a day. Texts that one person saves within minutes
// share a row, and of long ones only the value before is kept: the value after is in the changed row or in the next
// change.
//
// A domain function that changes something has these steps, in the caller's transaction:
//
//  1. LockKnown: the row, locked, so that changes of it come one after the other, in the version that the person has seen;
//  2. Set for each field that may be changed;
//  3. check the rules of the changed fields (Has);
//  4. Save, then update the read model, unless nothing has changed (Any).
package changes

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
)

// Actor is who makes a change.
type Actor struct {
	Name   string // 'user', 'operator', 'scheduler', 'seed'
	UserID *int64
}

// User is a signed-in person.
func User(id int64) Actor { return Actor{Name: "user", UserID: &id} }

// Entity is one row with a version.
type Entity struct {
	Name  string // in audit_log: campaign, reward, post
	Table string // with the columns id, version and updated_at
	ID    int64
}

// Change collects the changed fields of one entity, whose row the transaction has locked.
type Change struct {
	entity        Entity
	version       int64
	columns       map[string]any
	before, after map[string]any // by the contract's field names
}

// Of begins a change of an entity that has a version.
func Of(entity Entity, version int64) *Change {
	return &Change{entity: entity, version: version, columns: map[string]any{}, before: map[string]any{},
		after: map[string]any{}}
}

// Set changes a field to the wanted value, and reports whether that is a change: nil leaves the field as it is. Name is
// that of the contract, column that of the entity's table; it is empty for a value in another table or in a column of
// another kind, which the caller then writes.
func Set[T any](c *Change, name, column string, field, wanted *T) bool {
	if wanted == nil || reflect.DeepEqual(*field, *wanted) {
		return false
	}
	c.Note(name, *field, *wanted)
	if column != "" {
		c.Column(column, *wanted)
	}
	*field = *wanted
	return true
}

// Note adds a change of a field whose values the caller has compared, because equal is not the same to Set: two stories
// that read alike. The caller writes the wanted one.
func (c *Change) Note(name string, before, wanted any) {
	c.before[name], c.after[name] = before, wanted
}

// Column sets a column that follows from other fields; the audit row does not have it.
func (c *Change) Column(name string, value any) { c.columns[name] = value }

// Writes reports whether a column is written.
func (c *Change) Writes(column string) bool {
	_, written := c.columns[column]
	return written
}

// Any reports whether any field has changed.
func (c *Change) Any() bool { return len(c.after) > 0 }

// Has reports whether a field has changed.
func (c *Change) Has(name string) bool {
	_, changed := c.after[name]
	return changed
}

// Version is the entity's version; Save increments it.
func (c *Change) Version() int64 { return c.version }

// Expect refuses a change that was made on an older version (optimistic locking); 0 stands for any. Error:
// ChangedMeanwhile, with the fields that have changed since and the current version.
func (c *Change) Expect(ctx context.Context, tx *gorm.DB, known int64) error {
	if known == 0 || known == c.version {
		return nil
	}
	var names []string
	err := tx.WithContext(ctx).Raw(`
		SELECT DISTINCT jsonb_object_keys(after) AS name FROM audit_log
		WHERE entity = ? AND entity_id = ? AND version > ? ORDER BY name`,
		c.entity.Name, c.id(), known).Scan(&names).Error
	if err != nil {
		return fmt.Errorf("read changes of %s %d: %w", c.entity.Name, c.entity.ID, err)
	}
	refused := apperr.New(apperr.ChangedMeanwhile).WithVersion(c.version)
	for _, name := range names {
		refused = refused.WithField(name, apperr.RuleChangedMeanwhile)
	}
	return refused
}

// Save writes the changed columns, the next version and the audit row; nothing if no field has changed. Errors:
// HistoryLimit, when the person has changed as much today as a day's history takes; NotAuthenticated for a person who has
// erased their account meanwhile.
func (c *Change) Save(ctx context.Context, tx *gorm.DB, action string, by Actor, now time.Time) error {
	if !c.Any() {
		return nil
	}
	columns := maps.Clone(c.columns)
	columns["version"], columns["updated_at"] = c.version+1, now
	if err := tx.WithContext(ctx).Table(c.entity.Table).Where("id = ?", c.entity.ID).Updates(columns).Error; err != nil {
		return fmt.Errorf("change %s %d: %w", c.entity.Name, c.entity.ID, err)
	}
	row := entry{
		At: now, Actor: by.Name, ActorUserID: by.UserID, Action: action, Entity: c.entity.Name, EntityID: c.id(),
		Version: c.version + 1,
	}
	after, err := withoutLongValues(c.after)
	if err != nil {
		return fmt.Errorf("record change of %s %d: %w", c.entity.Name, c.entity.ID, err)
	}
	if err := row.record(ctx, tx, c.before, after); err != nil {
		return err
	}
	c.version++
	return nil
}

// Record writes the audit row of a change of an entity without versions; before and after are the changed values. That
// of a reward or post that is to be deleted is written before the deletion. Errors: those of Save.
func Record(ctx context.Context, tx *gorm.DB, action, entity string, id int64, by Actor, before, after any,
	now time.Time) error {
	row := entry{At: now, Actor: by.Name, ActorUserID: by.UserID, Action: action, Entity: entity,
		EntityID: strconv.FormatInt(id, 10)}
	return row.record(ctx, tx, before, after)
}

func (row entry) record(ctx context.Context, tx *gorm.DB, before, after any) (err error) {
	if before == nil {
		before = struct{}{}
	}
	if row.Before, err = json.Marshal(before); err == nil {
		row.After, err = json.Marshal(after)
	}
	merged := false
	if err == nil {
		merged, err = row.merge(ctx, tx)
	}
	if err == nil && !merged {
		err = row.insert(ctx, tx)
	}
	if err != nil {
		return fmt.Errorf("record change of %s %s: %w", row.Entity, row.EntityID, err)
	}
	return nil
}

func (row entry) insert(ctx context.Context, tx *gorm.DB) error {
	added := tx.WithContext(ctx).Exec(insertSQL, map[string]any{
		"at": row.At, "actor": row.Actor, "user": row.ActorUserID, "action": row.Action, "entity": row.Entity,
		"id": row.EntityID, "version": row.Version, "before": string(row.Before), "after": string(row.After),
		"day": row.At.UTC().Format(time.DateOnly), "size": len(row.Before) + len(row.After), "most": dailyBytes,
	})
	if added.Error == nil && added.RowsAffected == 0 {
		return row.refusal(ctx, tx)
	}
	return added.Error
}

// refusal is why insertSQL wrote nothing: NotAuthenticated when the person has erased their account meanwhile, otherwise
// HistoryLimit.
func (row entry) refusal(ctx context.Context, tx *gorm.DB) error {
	var erased bool
	err := tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM users WHERE id = ? AND erased_at IS NOT NULL)`, row.ActorUserID).Scan(&erased).Error
	switch {
	case err != nil:
		return err
	case erased:
		return apperr.New(apperr.NotAuthenticated)
	}
	return limited(row.At)
}

func (c *Change) id() string { return strconv.FormatInt(c.entity.ID, 10) }

// insertSQL writes a row of audit_log, unless that would exceed the person's dailyBytes, or they have erased their account:
// then nothing that a request of theirs still does is committed. The campaign of a reward or post is read from its row.
const insertSQL = `
	WITH counted AS (
		INSERT INTO history_totals (user_id, day, bytes)
		SELECT id, CAST(@day AS date), @size FROM users WHERE id = @user AND erased_at IS NULL FOR KEY SHARE` + countSQL + `)
	INSERT INTO audit_log (at, actor, actor_user_id, action, entity, entity_id, version, before, after, campaign_id)
	SELECT @at, @actor, @user, @action, @entity, @id, @version, CAST(@before AS jsonb), CAST(@after AS jsonb), CASE @entity
	    WHEN 'campaign' THEN CAST(@id AS bigint)
	    WHEN 'reward' THEN (SELECT campaign_id FROM rewards WHERE id = CAST(@id AS bigint))
	    WHEN 'post' THEN (SELECT campaign_id FROM posts WHERE id = CAST(@id AS bigint)) END
	WHERE CAST(@user AS bigint) IS NULL OR EXISTS (SELECT FROM counted)`

// entry is a row of audit_log.
type entry struct {
	At            time.Time
	Actor         string
	ActorUserID   *int64
	Action        string
	Entity        string
	EntityID      string
	Version       int64
	Before, After json.RawMessage
}
