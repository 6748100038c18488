package videos

import (
	"context"
	"time"

	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
)

// lookups limits the lookups of one person: ten at once, sixty an hour.
var lookups = ratelimit.Limit{Rate: 60, Period: time.Hour, Burst: 10}

// Handlers answers the call about videos.
type Handlers struct{ lookup *Lookup }

// NewHandlers makes the handlers; PersonRules belong before them.
func NewHandlers(lookup *Lookup) *Handlers { return &Handlers{lookup} }

// PersonRules are the rate limits by signed-in person.
func PersonRules() ratelimit.Rules {
	return ratelimit.Rules{"POST /videos/lookup": {{Name: "videos", Limit: lookups}}}
}

// LookUpVideo is what a video platform says of an address. Errors: NotAuthenticated; those of Look.
func (h *Handlers) LookUpVideo(ctx context.Context, r api.LookUpVideoRequestObject) (
	api.LookUpVideoResponseObject, error) {
	if _, err := session.Require(ctx); err != nil {
		return nil, err
	}
	found, err := h.lookup.Look(ctx, r.Body.URL)
	if err != nil {
		return nil, err
	}
	var answer api.LookUpVideo200JSONResponse
	v := &answer.Video
	v.URL, v.Platform, v.Title = found.Page, api.VideoAnswerVideoPlatform(found.Platform), found.Title
	if found.Width > 0 && found.Height > 0 {
		v.Width, v.Height = &found.Width, &found.Height
	}
	return answer, nil
}
