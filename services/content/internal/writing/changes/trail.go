package changes

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// TrailFilter says which changes of all are wanted; empty fields leave the choice open.
type TrailFilter struct {
	Entity, EntityID string
	UserID           int64  // who made them
	Actor            string // what acts by itself: operator, scheduler, payments, seed
	From, Before     time.Time
	Limit, Offset    int
}

// Entry is one change in the audit trail.
type Entry struct {
	ID         int64
	At         time.Time
	By         Actor
	Person     string // the actor's name; empty for what happened by itself
	Action     string
	Entity     string
	EntityID   string
	CampaignID *int64 // of what belongs to a campaign
	Fields     []Field
}

// trailCounted is the largest total that Trail counts exactly.
const trailCounted = 1000

// Trail is the changes of everything, the latest first, with all values that are not long, for those who may see them;
// and how many there are: at most trailCounted or just past the page, then isMore is true. The indexes audit_log_at,
// audit_log_kind, audit_log_entity, audit_log_person and audit_log_automatic serve it.
func Trail(ctx context.Context, db *gorm.DB, f TrailFilter) (list []Entry, total int, isMore bool, err error) {
	where, params := f.conditions()
	most := max(trailCounted, f.Offset+f.Limit)
	params["limit"], params["offset"], params["longest"], params["most"] = f.Limit, f.Offset, longest, most+1
	type row struct {
		ID          int64
		At          time.Time
		Actor       string
		ActorUserID *int64
		Person      string
		Action      string
		Entity      string
		EntityID    string
		CampaignID  *int64
		Before      string
		After       string
		Long        []string
	}
	rows, err := dbx.Select[row](ctx, db, `
		SELECT a.id, a.at, a.actor, a.actor_user_id, coalesce(concat_ws(' ', u.first_name, u.last_name), '') AS person,
		       a.action, a.entity, a.entity_id, a.campaign_id, f.before, f.after, f.long
		FROM (
			SELECT id, at, actor, actor_user_id, action, entity, entity_id, campaign_id, before, after
			FROM audit_log WHERE `+where+` ORDER BY at DESC, id DESC LIMIT @limit OFFSET @offset) a
		LEFT JOIN users u ON u.id = a.actor_user_id`+valuesSQL+`
		ORDER BY a.at DESC, a.id DESC`, params)
	if err != nil {
		return nil, 0, false, fmt.Errorf("read the audit trail: %w", err)
	}
	for _, r := range rows {
		e := Entry{ID: r.ID, At: r.At, By: Actor{r.Actor, r.ActorUserID}, Person: r.Person, Action: r.Action, Entity: r.Entity,
			EntityID: r.EntityID, CampaignID: r.CampaignID}
		if e.Fields, err = fieldsOf(r.Before, r.After, r.Long, func(string) bool { return true }); err != nil {
			return nil, 0, false, fmt.Errorf("read change %d: %w", r.ID, err)
		}
		list = append(list, e)
	}
	fields := make([][]Field, len(list))
	for i := range list {
		fields[i] = list[i].Fields
	}
	if err := nameTeams(ctx, db, true, fields...); err != nil {
		return nil, 0, false, fmt.Errorf("read the audit trail: %w", err)
	}
	if len(rows) < f.Limit && (len(rows) > 0 || f.Offset == 0) {
		return list, f.Offset + len(rows), false, nil // the last page
	}
	type counted struct{ Total int }
	totals, err := dbx.Select[counted](ctx, db, `
		SELECT count(*) AS total FROM (
			SELECT FROM audit_log WHERE `+where+` ORDER BY at DESC, id DESC LIMIT @most) counted`, params)
	if err != nil || len(totals) == 0 {
		return nil, 0, false, fmt.Errorf("count the audit trail: %w", err)
	}
	return list, min(totals[0].Total, most), totals[0].Total > most, nil
}

// conditions are the filter as SQL.
func (f TrailFilter) conditions() (where string, params pgx.NamedArgs) {
	params = pgx.NamedArgs{}
	conditions := []string{"true"}
	add := func(is bool, condition, name string, value any) {
		if is {
			conditions, params[name] = append(conditions, condition), value
		}
	}
	add(f.Entity != "", "entity = @entity", "entity", f.Entity)
	add(f.EntityID != "", "entity_id = @entity_id", "entity_id", f.EntityID)
	add(f.UserID != 0, "actor_user_id = @user", "user", f.UserID)
	add(f.Actor != "", "actor = @actor AND actor_user_id IS NULL", "actor", f.Actor)
	add(!f.From.IsZero(), "at >= @from", "from", f.From)
	add(!f.Before.IsZero(), "at < @before", "before", f.Before)
	return strings.Join(conditions, " AND "), params
}
