package variations

import (
	"context"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/writing/changes"
)

// Handlers answers the calls about variations and visits.
type Handlers struct {
	db         *gorm.DB
	now        func() time.Time
	hasher     VisitorHasher
	hasPicture HasPicture
	bound      bound
}

// HasPicture reports whether there is a picture of a name (files.Store.Exists).
type HasPicture func(ctx context.Context, name string) (bool, error)

// NewHandlers makes the handlers; Rules belong before them.
func NewHandlers(db *gorm.DB, now func() time.Time, hasher VisitorHasher, hasPicture HasPicture) *Handlers {
	return &Handlers{db: db, now: now, hasher: hasher, hasPicture: hasPicture, bound: bound{ratelimit.NewLocal(now)}}
}

// AddContentVariation shows a variation. Errors: those of campaigns.RequireEdit and Add.
func (h *Handlers) AddContentVariation(ctx context.Context, r api.AddContentVariationRequestObject) (
	api.AddContentVariationResponseObject, error) {
	edit, err := h.edit(ctx, r.CampaignID, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	n := New{Field: string(r.Body.Field), Value: r.Body.Value, Language: languages.OfQuery(ctx, r.Body.Language)}
	if n.Field == "project_pic" {
		if n.PictureExists, err = h.hasPicture(ctx, n.Value); err != nil {
			return nil, err
		}
	}
	experiment, version, err := Add(ctx, h.db, edit, n)
	if err != nil {
		return nil, err
	}
	return api.AddContentVariation200JSONResponse{ContentExperiment: experiment.Answer(), Version: version}, nil
}

// DeleteContentVariation stops a variation. Errors: those of campaigns.RequireEdit and Stop.
func (h *Handlers) DeleteContentVariation(ctx context.Context, r api.DeleteContentVariationRequestObject) (
	api.DeleteContentVariationResponseObject, error) {
	edit, err := h.edit(ctx, r.CampaignID, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	experiment, version, err := Stop(ctx, h.db, edit, r.Variation)
	if err != nil {
		return nil, err
	}
	return api.DeleteContentVariation200JSONResponse{ContentExperiment: experiment.Answer(), Version: version}, nil
}

// AdoptContentVariation makes a variation the campaign's own. Errors: those of campaigns.RequireEdit and Adopt.
func (h *Handlers) AdoptContentVariation(ctx context.Context, r api.AdoptContentVariationRequestObject) (
	api.AdoptContentVariationResponseObject, error) {
	edit, err := h.edit(ctx, r.CampaignID, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	experiment, version, err := Adopt(ctx, h.db, edit, r.Variation)
	if err != nil {
		return nil, err
	}
	return api.AdoptContentVariation200JSONResponse{ContentExperiment: experiment.Answer(), Version: version}, nil
}

// CountVisit counts a visitor. Error: NotFound, also for drafts.
func (h *Handlers) CountVisit(ctx context.Context, r api.CountVisitRequestObject) (
	api.CountVisitResponseObject, error) {
	source := ""
	if r.Body.Source != nil {
		source = *r.Body.Source
	}
	v := visit{r.CampaignID, r.Body.Visitor, source, httpx.ClientIP(ctx), h.hasher, h.now()}
	if err := v.count(ctx, h.db, h.bound); err != nil {
		return nil, err
	}
	return api.CountVisit204Response{}, nil
}

func (h *Handlers) edit(ctx context.Context, campaignID int64, ifMatch *string) (campaigns.Edit, error) {
	who, err := campaigns.RequireEdit(ctx, h.db, campaignID)
	return campaigns.Edit{CampaignID: campaignID, Known: changes.Known(ifMatch), By: changes.User(who.UserID), Now: h.now()}, err
}

// Answer is the experiment under the contract's names; nil for none.
func (e *Experiment) Answer() *api.ContentExperiment {
	if e == nil {
		return nil
	}
	a := &api.ContentExperiment{Field: api.ContentExperimentField(e.Field), StartedAt: e.StartedAt, Visitors: e.Visitors(),
		Paid: e.Paid(), Missing: e.Missing(), Conclusive: e.Conclusive(), Variations: []api.ContentVariation{}}
	if e.Language != "" {
		a.Language = &e.Language
	}
	for _, r := range e.Results {
		v := api.ContentVariation{Variation: r.Variation, Letter: r.Letter, Value: r.Value, Visitors: r.Visitors,
			Paid: r.Paid}
		if a.Missing == 0 {
			rate, best := r.rate(), r.Best
			low, high := r.Wilson()
			v.Rate, v.Low, v.High, v.Best = &rate, &low, &high, &best
		}
		a.Variations = append(a.Variations, v)
	}
	return a
}
