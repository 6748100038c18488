package recommend

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/request"
)

// defaultLimit is how many suggestions there are when the call does not say.
const defaultLimit = 3

var errUnknown = apperr.New(apperr.NotFound)

// Handlers answers the calls for suggestions.
type Handlers struct {
	db   *gorm.DB
	now  func() time.Time
	zone *time.Location
}

// NewHandlers makes the handlers; what ends tomorrow is a matter of the time zone.
func NewHandlers(db *gorm.DB, now func() time.Time, zone *time.Location) *Handlers {
	return &Handlers{db: db, now: now, zone: zone}
}

func (h *Handlers) asked(language string, limit *int) asked {
	return asked{language: languages.Of(language), limit: cmp.Or(request.Value(limit), defaultLimit), now: h.now(),
		zone: h.zone}
}

// CampaignRecommendations is what else a reader of the campaign may like. Error: campaigns.ErrUnknown, also for drafts
// of others.
func (h *Handlers) CampaignRecommendations(ctx context.Context, r api.CampaignRecommendationsRequestObject) (
	api.CampaignRecommendationsResponseObject, error) {
	s, err := ofCampaign(ctx, h.db, r.CampaignID)
	if err != nil {
		return nil, err
	}
	found, err := suggest(ctx, h.db, s, reader{}, h.asked(r.Language, r.Params.Limit))
	return api.CampaignRecommendations200JSONResponse{Suggestions: found}, err
}

// ExperimentRecommendations is what else a reader of the experiment may like. Error: errUnknown, also for one that is
// disabled.
func (h *Handlers) ExperimentRecommendations(ctx context.Context, r api.ExperimentRecommendationsRequestObject) (
	api.ExperimentRecommendationsResponseObject, error) {
	s, err := ofExperiment(ctx, h.db, r.ExperimentID)
	if err != nil {
		return nil, err
	}
	found, err := suggest(ctx, h.db, s, reader{}, h.asked(r.Language, r.Params.Limit))
	return api.ExperimentRecommendations200JSONResponse{Suggestions: found}, err
}

// MyRecommendations is what the signed-in person may like. Error: NotAuthenticated.
func (h *Handlers) MyRecommendations(ctx context.Context, r api.MyRecommendationsRequestObject) (
	api.MyRecommendationsResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	s, words, err := ofPerson(ctx, h.db, who.UserID)
	if err != nil {
		return nil, err
	}
	found, err := suggest(ctx, h.db, s, words, h.asked(r.Language, r.Params.Limit))
	return api.MyRecommendations200JSONResponse{Suggestions: found}, err
}

// Recommendations is what the widget shows on a page of another site.
func (h *Handlers) Recommendations(ctx context.Context, r api.RecommendationsRequestObject) (
	api.RecommendationsResponseObject, error) {
	asked, topicText := h.asked(r.Language, r.Params.Limit), request.Value(r.Params.Topic)
	place := strings.TrimSpace(request.Value(r.Params.Place))
	s, err := ofPage(ctx, h.db, topicText, place)
	if err != nil {
		return nil, err
	}
	found, err := suggest(ctx, h.db, s, reader{isTopic: true}, asked)
	if err != nil {
		return nil, err
	}
	return widgetAnswer{Suggestions: found,
		Texts: texts[asked.language].ofWidget(found, strings.TrimSpace(topicText), place)}, nil
}

// widgetAnswer is read by pages of every origin, without their readers' cookies. It is the same for everybody, so that
// browsers and proxies may keep it for five minutes.
type widgetAnswer api.Recommendations200JSONResponse

// VisitRecommendationsResponse writes the answer.
func (a widgetAnswer) VisitRecommendationsResponse(w http.ResponseWriter) error {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	w.Header().Set("Cache-Control", "public, max-age=300")
	return api.Recommendations200JSONResponse(a).VisitRecommendationsResponse(w)
}

// ofWidget is what the widget says, and where the reasons of its suggestions come from.
func (w words) ofWidget(suggestions []api.Suggestion, topicText, place string) api.WidgetTexts {
	t := api.WidgetTexts{Heading: w.heading, Why: w.why, AboutYou: w.aboutYou, Privacy: w.privacy, Nothing: w.nothing,
		All: w.all, Reasons: []api.Reason{}}
	used := map[api.ReasonKind]bool{}
	for _, s := range suggestions {
		used[s.Reason.Kind] = true
	}
	for _, source := range []struct {
		kind kind
		text string
	}{
		{topic, fmt.Sprintf(w.fromTopic, topicText)}, {near, fmt.Sprintf(w.fromPlace, place)},
		{backedTogether, w.fromBackers}, {endsSoon, w.fromEnd}, {popular, w.fromPopular},
	} {
		if used[api.ReasonKind(source.kind)] {
			t.Reasons = append(t.Reasons, api.Reason{Kind: api.ReasonKind(source.kind), Text: source.text})
		}
	}
	return t
}
