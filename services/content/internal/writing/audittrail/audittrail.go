// Package audittrail answers admins who changed what, by entity, person and day. It owns no tables: the audit log is
// package changes'.
package audittrail

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/request"
	"talkoot.fi/content/internal/writing/changes"
)

// Handlers answers the call about the audit trail.
type Handlers struct {
	db   *gorm.DB
	zone *time.Location
}

// NewHandlers makes the handlers; days are days of the time zone.
func NewHandlers(db *gorm.DB, zone *time.Location) *Handlers { return &Handlers{db: db, zone: zone} }

// AuditTrail is the changes that fit a filter, the latest first; none by an address that nobody has. Errors:
// NotAuthenticated; Forbidden for those who are not admins; InvalidFields for an id without what it is of.
func (h *Handlers) AuditTrail(ctx context.Context, r api.AuditTrailRequestObject) (api.AuditTrailResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	if !who.Has(session.ScopeAdmin) {
		return nil, apperr.New(apperr.Forbidden)
	}
	f := changes.TrailFilter{Entity: request.Value(r.Params.Entity), EntityID: request.Value(r.Params.EntityID)}
	if f.EntityID != "" && f.Entity == "" {
		return nil, apperr.New(apperr.InvalidFields).WithField("entity", apperr.RuleRequired)
	}
	f.Limit, f.Offset = request.Page(r.Params.Limit, r.Params.Offset)
	if r.Params.From != nil {
		f.From = h.beginningOf(r.Params.From.Time, 0)
	}
	if r.Params.To != nil {
		f.Before = h.beginningOf(r.Params.To.Time, 1)
	}
	if f.UserID, f.Actor, err = h.actor(ctx, strings.TrimSpace(request.Value(r.Params.Actor))); err != nil {
		return nil, err
	}
	list, total, isMore, err := changes.Trail(ctx, h.db, f)
	if err != nil {
		return nil, err
	}
	answer := api.AuditTrail200JSONResponse{Entries: make([]api.AuditEntry, len(list)), Total: total}
	if isMore {
		answer.TotalIsMore = &isMore
	}
	for i, e := range list {
		answer.Entries[i] = entryOf(e)
	}
	return answer, nil
}

// beginningOf is the first moment of a day, or of one some days later.
func (h *Handlers) beginningOf(day time.Time, later int) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day()+later, 0, 0, 0, 0, h.zone)
}

// actor reads who is looked for: a person's id or address, else what acts by itself.
func (h *Handlers) actor(ctx context.Context, text string) (userID int64, actor string, err error) {
	if id, err := strconv.ParseInt(text, 10, 64); err == nil {
		return id, "", nil
	}
	if !strings.Contains(text, "@") {
		return 0, text, nil
	}
	var ids []int64
	err = h.db.WithContext(ctx).Raw(`SELECT id FROM users WHERE lower(email) = lower(?) ORDER BY verified DESC, id`, profiles.NormalEmail(text)).Scan(&ids).Error
	if err != nil {
		return 0, "", fmt.Errorf("look up an account: %w", err)
	}
	if len(ids) == 0 {
		return -1, "", nil // nobody's
	}
	return ids[0], "", nil
}

func entryOf(e changes.Entry) api.AuditEntry {
	a := api.AuditEntry{ID: e.ID, At: e.At.UTC(), Action: e.Action, Entity: e.Entity, EntityID: e.EntityID,
		CampaignID: e.CampaignID, Fields: make([]api.AuditField, len(e.Fields))}
	a.By.Name, a.By.Actor, a.By.UserID = e.Person, e.By.Name, e.By.UserID
	for i, f := range e.Fields {
		a.Fields[i] = api.AuditField{Path: f.Path, Before: changes.OrAbsent(f.Before), After: changes.OrAbsent(f.After), Long: f.IsLong}
	}
	return a
}
