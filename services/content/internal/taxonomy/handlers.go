package taxonomy

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
)

// Handlers answers the calls about categories and tags.
type Handlers struct{ db *gorm.DB }

// NewHandlers makes the handlers.
func NewHandlers(db *gorm.DB) *Handlers { return &Handlers{db: db} }

// cacheControl lets browsers keep what staff changes a few times a year.
const cacheControl = "public, max-age=60"

// Categories is all categories in their order. Labels fall back to any language.
func (h *Handlers) Categories(ctx context.Context, r api.CategoriesRequestObject) (api.CategoriesResponseObject, error) {
	answer := categoriesAnswer{Categories: []api.Category{}}
	err := h.db.WithContext(ctx).Raw(`
		SELECT c.id, c.key, x.label
		FROM categories c
		JOIN LATERAL (SELECT label FROM category_texts x WHERE x.category_id = c.id
			ORDER BY x.language = ? DESC, x.language LIMIT 1) x ON true
		ORDER BY c.position, c.id`, languages.OfQuery(ctx, r.Params.Language)).Scan(&answer.Categories).Error
	if err != nil {
		return nil, fmt.Errorf("list categories: %w", err)
	}
	return answer, nil
}

// CampaignTags is all tags by label. Labels fall back to any language.
func (h *Handlers) CampaignTags(ctx context.Context, r api.CampaignTagsRequestObject) (api.CampaignTagsResponseObject, error) {
	answer := tagsAnswer{Tags: []api.Tag{}}
	reader := languages.OfQuery(ctx, r.Params.Language)
	err := h.db.WithContext(ctx).Raw(`
		SELECT t.id, x.label
		FROM tags t
		JOIN LATERAL (SELECT label FROM tag_texts x WHERE x.tag_id = t.id
			ORDER BY x.language = ? DESC, x.language LIMIT 1) x ON true
		ORDER BY t.id`, reader).Scan(&answer.Tags).Error
	if err != nil {
		return nil, fmt.Errorf("list tags: %w", err)
	}
	// Here and not in the database, whose collations depend on how it was built: ä comes after z in Finnish and Swedish.
	order := collate.New(language.Make(reader))
	slices.SortStableFunc(answer.Tags, func(a, b api.Tag) int { return order.CompareString(a.Label, b.Label) })
	return answer, nil
}

type categoriesAnswer api.Categories200JSONResponse

// VisitCategoriesResponse writes the answer. A language that is not in the address depends on the reader's headers.
func (a categoriesAnswer) VisitCategoriesResponse(w http.ResponseWriter) error {
	w.Header().Set("Cache-Control", cacheControl)
	w.Header().Add("Vary", "Accept-Language")
	return api.Categories200JSONResponse(a).VisitCategoriesResponse(w)
}

type tagsAnswer api.CampaignTags200JSONResponse

// VisitCampaignTagsResponse writes the answer. A language that is not in the address depends on the reader's headers.
func (a tagsAnswer) VisitCampaignTagsResponse(w http.ResponseWriter) error {
	w.Header().Set("Cache-Control", cacheControl)
	w.Header().Add("Vary", "Accept-Language")
	return api.CampaignTags200JSONResponse(a).VisitCampaignTagsResponse(w)
}
