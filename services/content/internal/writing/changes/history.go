package changes

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
)

// Made is one change in a history.
type Made struct {
	ID       int64
	At       time.Time
	By       Actor
	Person   string // the name of the account that made it; empty when none did, such as for the scheduler
	Action   string
	Entity   string // campaign, reward, post, experiment
	EntityID int64
	Fields   []Field
}

// Field is a changed field. Before and After are each nil or JSON's null where the value is too long for a page of the
// history, or must not be shown. IsLong says that the value before was too long; Values reads it.
type Field struct {
	Path          string
	Before, After json.RawMessage
	IsLong        bool
}

// shown are the fields whose values a history includes, by the last part of their names. Of others, such as addresses
// of people who were invited or accounts for payouts, it has the names only; of teams, the names of their people (nameTeams).
var shown = map[string]bool{
	"title": true, "tagline": true, "short_description": true, "about_creator": true, "project_pic_alt": true,
	"image_alt":        true,
	"json_description": true, "description": true, "intro": true, "project_pic": true, "creator_pic": true, "image": true,
	"video_url": true, "contact_email": true, "legal_creator": true, "legal_creator_type": true, "place": true,
	"external_link_1":   true,
	"hideFundingAmount": true, "hideMemberCount": true, "min_goal": true, "target_goal": true, "funding_rule": true,
	"first_day_of_funding": true, "last_day_of_funding": true, "stage": true, "opens_as": true, "review": true,
	"reason": true, "categories": true, "tags": true, "subscriptions_goals": true, "language": true,
	"amount": true, "stock": true, "active": true, "vat_percentage": true, "delivery": true, "added_costs": true,
	"custom_questions": true, "goal": true, "currency": true, "raised": true, "campaign_id": true, "list": true,
	"content_variations": true, "hold": true, "hold_reason": true, "hold_sentence": true, "hold_tells_on": true, "copied_from": true,
	"links": true, "show_in": true, "disabled": true, "latitude": true, "longitude": true, "status": true, "level": true, "json": true, "published_at": true,
}

// Subject says whose history is read.
type Subject struct {
	name  string
	where string // a condition of rows of audit_log
	id    any
}

// OfCampaign is a campaign with its rewards and posts.
func OfCampaign(id int64) Subject {
	return Subject{fmt.Sprintf("campaign %d", id), "campaign_id = @of", id}
}

// OfEntity is one entity alone, as Entity.Name and its id.
func OfEntity(name string, id int64) Subject {
	return Subject{fmt.Sprintf("%s %d", name, id), "entity = '" + name + "' AND entity_id = @of", strconv.FormatInt(id, 10)}
}

// historySQL reads a page of a history with the index audit_log_campaign or audit_log_entity.
const historySQL = `
	SELECT a.id, a.at, a.actor, a.actor_user_id, coalesce(concat_ws(' ', u.first_name, u.last_name), '') AS person,
	       a.action, a.entity, CAST(a.entity_id AS bigint) AS entity_id, f.before, f.after, f.long
	FROM audit_log a
	LEFT JOIN users u ON u.id = a.actor_user_id` + valuesSQL + `
	WHERE `

// valuesSQL joins a row a of audit_log with its fields' values before and after, and the names of those that are long.
const valuesSQL = `
	CROSS JOIN LATERAL (
		SELECT CAST(coalesce(jsonb_object_agg(k.name, CASE WHEN length(k.was) <= @longest THEN CAST(k.was AS jsonb) END),
		           '{}') AS text) AS before,
		       CAST(coalesce(jsonb_object_agg(k.name, CASE WHEN length(k.became) <= @longest THEN CAST(k.became AS jsonb) END),
		           '{}') AS text) AS after,
		       coalesce(array_agg(k.name) FILTER (WHERE length(k.was) > @longest), '{}') AS long
		FROM (SELECT n.name, CAST(a.before -> n.name AS text) AS was, CAST(a.after -> n.name AS text) AS became
			FROM (SELECT jsonb_object_keys(CASE jsonb_typeof(a.before) WHEN 'object' THEN a.before END) AS name
				UNION SELECT jsonb_object_keys(CASE jsonb_typeof(a.after) WHEN 'object' THEN a.after END)) n
			OFFSET 0) k) f`

// History is the changes, the latest first, and how many there are.
func History(ctx context.Context, db *gorm.DB, of Subject, limit, offset int) (
	list []Made, total int, err error) {
	type row struct {
		ID          int64
		At          time.Time
		Actor       string
		ActorUserID *int64
		Person      string
		Action      string
		Entity      string
		EntityID    int64
		Before      string
		After       string
		Long        []string
	}
	rows, err := dbx.Select[row](ctx, db, historySQL+of.where+` ORDER BY a.id DESC LIMIT @limit OFFSET @offset`,
		pgx.NamedArgs{"of": of.id, "longest": longest, "limit": limit, "offset": offset})
	if err == nil {
		err = db.WithContext(ctx).Raw(`SELECT count(*) FROM audit_log WHERE `+of.where, sql.Named("of", of.id)).Scan(&total).Error
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read history of %s: %w", of.name, err)
	}
	for _, r := range rows {
		m := Made{ID: r.ID, At: r.At, By: Actor{r.Actor, r.ActorUserID}, Person: r.Person, Action: r.Action, Entity: r.Entity,
			EntityID: r.EntityID}
		if m.Fields, err = fieldsOf(r.Before, r.After, r.Long, isTold); err != nil {
			return nil, 0, fmt.Errorf("read change %d: %w", r.ID, err)
		}
		list = append(list, m)
	}
	fields := make([][]Field, len(list))
	for i := range list {
		fields[i] = list[i].Fields
	}
	if err := nameTeams(ctx, db, false, fields...); err != nil {
		return nil, 0, fmt.Errorf("read history of %s: %w", of.name, err)
	}
	return list, total, nil
}

// fieldsOf reads the values of a row, those of fields that may be told.
func fieldsOf(before, after string, long []string, mayTell func(path string) bool) ([]Field, error) {
	var was, is map[string]json.RawMessage
	if err := json.Unmarshal([]byte(before), &was); err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(after), &is); err != nil {
		return nil, err
	}
	fields := []Field{}
	for _, name := range slices.Sorted(maps.Keys(is)) { // both have the same names
		f := Field{Path: name}
		if mayTell(name) {
			f.Before, f.After, f.IsLong = was[name], is[name], slices.Contains(long, name)
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// Values are the whole values that a field had before one change and after it, however long. After is nil where the field
// still has that value: a long value is stored where it was replaced.
// Error: NotFound without such a change or field, or when its values must not be shown.
func Values(ctx context.Context, db *gorm.DB, of Subject, changeID int64, path string) (before, after json.RawMessage, err error) {
	var found struct{ Before, After *string }
	err = db.WithContext(ctx).Raw(`
		SELECT CAST(before -> @path AS text) AS before, CAST(coalesce(nullif(after -> @path, 'null'), (
			SELECT n.before -> @path FROM audit_log n
			WHERE n.entity = audit_log.entity AND n.entity_id = audit_log.entity_id AND n.id > audit_log.id
			  AND jsonb_exists(n.before, @path)
			ORDER BY n.id LIMIT 1)) AS text) AS after
		FROM audit_log WHERE id = @change AND `+of.where,
		sql.Named("path", path), sql.Named("change", changeID), sql.Named("of", of.id)).Scan(&found).Error
	if err != nil {
		return nil, nil, fmt.Errorf("read change %d of %s: %w", changeID, of.name, err)
	}
	if found.Before == nil || !isShown(path) {
		return nil, nil, apperr.New(apperr.NotFound)
	}
	if found.After != nil {
		after = json.RawMessage(*found.After)
	}
	return json.RawMessage(*found.Before), after, nil
}

// isTold reports whether a page of a history has something of a field's values: of a team, whose values are ids, the names.
func isTold(path string) bool { return path == teamField || isShown(path) }

// isShown reports whether a history includes the values of a field.
func isShown(path string) bool {
	return shown[path[strings.LastIndexByte(path, '.')+1:]] || strings.Contains(path, ".custom_language.")
}
