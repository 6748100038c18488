package taxonomy

import (
	"context"
	"net/http"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/request"
)

// Handlers answers the calls about categories and tags.
type Handlers struct{ db *gorm.DB }

// NewHandlers makes the handlers.
func NewHandlers(db *gorm.DB) *Handlers { return &Handlers{db: db} }

// cacheControl lets browsers cache the answers: categories and tags change a few times a year.
const cacheControl = "public, max-age=60"

// Categories is the categories of a list of campaigns, or all there are, in their order.
func (h *Handlers) Categories(ctx context.Context, r api.CategoriesRequestObject) (api.CategoriesResponseObject, error) {
	p := r.Params
	of := List{Stages: request.Value(p.Stages), Tags: request.Value(p.Tags), ExcludedTags: request.Value(p.ExcludedTags)}
	list, err := Categories(ctx, h.db, languages.OfQuery(ctx, p.Language), of)
	if err != nil {
		return nil, err
	}
	answer := categoriesAnswer{Categories: make([]api.Category, len(list))}
	for i, c := range list {
		answer.Categories[i] = api.Category{ID: c.ID, Key: &c.Key, Label: c.Label, Campaigns: c.Campaigns}
	}
	return answer, nil
}

// CampaignTags is the tags of a list of campaigns, or all there are, by label.
func (h *Handlers) CampaignTags(ctx context.Context, r api.CampaignTagsRequestObject) (api.CampaignTagsResponseObject, error) {
	p := r.Params
	of := List{Stages: request.Value(p.Stages), Categories: request.Value(p.Categories), ExcludedTags: request.Value(p.ExcludedTags)}
	list, err := Tags(ctx, h.db, languages.OfQuery(ctx, p.Language), of)
	if err != nil {
		return nil, err
	}
	answer := tagsAnswer{Tags: make([]api.Tag, len(list))}
	for i, t := range list {
		answer.Tags[i] = api.Tag(t)
	}
	return answer, nil
}

type categoriesAnswer api.Categories200JSONResponse

// VisitCategoriesResponse writes the answer. Without a language in the address, the answer depends on Accept-Language.
func (a categoriesAnswer) VisitCategoriesResponse(w http.ResponseWriter) error {
	w.Header().Set("Cache-Control", cacheControl)
	w.Header().Add("Vary", "Accept-Language")
	return api.Categories200JSONResponse(a).VisitCategoriesResponse(w)
}

type tagsAnswer api.CampaignTags200JSONResponse

// VisitCampaignTagsResponse writes the answer. Without a language in the address, the answer depends on
// Accept-Language.
func (a tagsAnswer) VisitCampaignTagsResponse(w http.ResponseWriter) error {
	w.Header().Set("Cache-Control", cacheControl)
	w.Header().Add("Vary", "Accept-Language")
	return api.CampaignTags200JSONResponse(a).VisitCampaignTagsResponse(w)
}
