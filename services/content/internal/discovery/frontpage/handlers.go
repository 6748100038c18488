package frontpage

import (
	"context"
	"time"

	openapi "github.com/oapi-codegen/runtime/types"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/writing/changes"
)

// Handlers answers the calls of admins about the front page.
type Handlers struct {
	db   *gorm.DB
	now  func() time.Time
	zone *time.Location
}

// NewHandlers makes the handlers; days are days of the time zone.
func NewHandlers(db *gorm.DB, now func() time.Time, zone *time.Location) *Handlers {
	return &Handlers{db: db, now: now, zone: zone}
}

func requireAdmin(ctx context.Context) (session.Identity, error) {
	who, err := session.Require(ctx)
	if err == nil && !who.Has(session.ScopeAdmin) {
		err = apperr.New(apperr.Forbidden)
	}
	return who, err
}

// FrontPage is what has been chosen. Errors: NotAuthenticated; Forbidden.
func (h *Handlers) FrontPage(ctx context.Context, r api.FrontPageRequestObject) (api.FrontPageResponseObject, error) {
	if _, err := requireAdmin(ctx); err != nil {
		return nil, err
	}
	answer, err := h.answer(ctx, r.Language)
	return api.FrontPage200JSONResponse{Headers: api.FrontPage200ResponseHeaders{ETag: changes.ETag(answer.Version)},
		Body: answer}, err
}

// SetFrontPage chooses. Errors: NotAuthenticated; Forbidden; those of Set.
func (h *Handlers) SetFrontPage(ctx context.Context, r api.SetFrontPageRequestObject) (
	api.SetFrontPageResponseObject, error) {
	who, err := requireAdmin(ctx)
	if err != nil {
		return nil, err
	}
	e := Edit{Known: changes.Known(r.Params.IfMatch), By: changes.User(who.UserID),
		Now: h.now().UTC().Truncate(time.Microsecond)}
	wanted := Change{h.choices(r.Body.Campaigns), h.choices(r.Body.Experiments)}
	if err := Set(ctx, h.db, e, wanted); err != nil {
		return nil, err
	}
	answer, err := h.answer(ctx, r.Language)
	return api.SetFrontPage200JSONResponse{Headers: api.SetFrontPage200ResponseHeaders{ETag: changes.ETag(answer.Version)},
		Body: answer}, err
}

// choices are those of a body, with their days as moments.
func (h *Handlers) choices(chosen *[]api.FrontPageChoice) *[]Choice {
	if chosen == nil {
		return nil
	}
	list := make([]Choice, len(*chosen))
	for i, choice := range *chosen {
		list[i] = Choice{ID: choice.ID, From: h.beginningOf(choice.FirstDay, 0), Until: h.beginningOf(choice.LastDay, 1)}
	}
	return &list
}

// beginningOf is the first moment of a day, or of one some days later.
func (h *Handlers) beginningOf(day *api.Day, later int) *time.Time {
	if day == nil {
		return nil
	}
	moment := time.Date(day.Year(), day.Month(), day.Day()+later, 0, 0, 0, 0, h.zone)
	return &moment
}

func (h *Handlers) answer(ctx context.Context, language string) (answer api.FrontPageAnswer, err error) {
	now := h.now()
	picks, version, err := Read(ctx, h.db, languages.Of(language), now)
	if err != nil {
		return answer, err
	}
	answer = api.FrontPageAnswer{Version: version, Campaigns: []api.FrontPagePick{}, Experiments: []api.FrontPagePick{}}
	for _, p := range picks {
		pick := api.FrontPagePick{ID: p.ID, Slug: p.Slug, Title: p.Title, Language: p.Language, Stage: p.Stage,
			FirstDay: h.dayOf(p.From, 0), LastDay: h.dayOf(p.Until, -1), Shown: p.shown(now)}
		if p.IsExperiment {
			answer.Experiments = append(answer.Experiments, pick)
		} else {
			answer.Campaigns = append(answer.Campaigns, pick)
		}
	}
	return answer, nil
}

// dayOf is the day of a moment, or one some days later.
func (h *Handlers) dayOf(moment *time.Time, later int) *api.Day {
	if moment == nil {
		return nil
	}
	return &openapi.Date{Time: moment.In(h.zone).AddDate(0, 0, later)}
}

// shown is whether the home page has a pick, as Shown and the lists decide.
func (p Pick) shown(now time.Time) api.FrontPagePickShown {
	switch {
	case p.Until != nil && !p.Until.After(now):
		return api.FrontPagePickShownOver
	case !p.IsOpen:
		return api.FrontPagePickShownNotOpen
	case p.From != nil && p.From.After(now):
		return api.FrontPagePickShownLater
	}
	return api.FrontPagePickShownNow
}
