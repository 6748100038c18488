package places

import (
	"context"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/request"
)

// Handlers answers the search of places.
type Handlers struct{ all Index }

// NewHandlers makes the handlers. Errors: those of Load.
func NewHandlers() (*Handlers, error) {
	all, err := Load()
	return &Handlers{all: all}, err
}

// Places finds places by the beginning of their name.
func (h *Handlers) Places(_ context.Context, r api.PlacesRequestObject) (api.PlacesResponseObject, error) {
	answer := api.Places200JSONResponse{Places: []api.Place{}}
	for _, p := range h.all.Search(request.Value(r.Params.Search)) {
		answer.Places = append(answer.Places, api.Place{Place: p.In(languages.Of(r.Language)), Latitude: p.Latitude,
			Longitude: p.Longitude})
	}
	return answer, nil
}
