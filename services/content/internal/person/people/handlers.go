package people

import (
	"context"
	"net/http"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/request"
)

// Handlers answers the calls about people.
type Handlers struct {
	db       *gorm.DB
	now      func() time.Time
	isStored func(ctx context.Context, picture string) (bool, error)
	// confirmed is no error while the session's person has just shown that it is them. Error: ConfirmationRequired.
	confirmed func(ctx context.Context, who session.Identity) error
}

// NewHandlers makes the handlers; PersonRules belong before them. isStored reports whether there is a picture of this
// name (files.Store.Exists); confirmed, whether somebody has just shown that it is them (sessions.Service.Confirmed).
func NewHandlers(db *gorm.DB, now func() time.Time, isStored func(ctx context.Context, picture string) (bool, error),
	confirmed func(ctx context.Context, who session.Identity) error,
) *Handlers {
	return &Handlers{db: db, now: now, isStored: isStored, confirmed: confirmed}
}

// OwnProfile is the signed-in person's own profile. Links that are not safe to follow are left out.
// Error: NotAuthenticated.
func (h *Handlers) OwnProfile(ctx context.Context, r api.OwnProfileRequestObject) (api.OwnProfileResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	found, err := read(ctx, h.db, who.UserID)
	if err != nil {
		return nil, err
	}
	body, tag, err := h.ownAnswer(ctx, found, r.Params.Language)
	return api.OwnProfile200JSONResponse{Headers: api.OwnProfile200ResponseHeaders{ETag: tag}, Body: body}, err
}

// UserPreviews is the people who are listed.
func (h *Handlers) UserPreviews(ctx context.Context, r api.UserPreviewsRequestObject) (
	api.UserPreviewsResponseObject, error) {
	p := r.Params
	f := filter{language: languages.OfQuery(ctx, p.Language), keyword: request.Value(p.Keyword), ids: request.Value(p.Ids),
		tags: request.Value(p.Tags), isNewestFirst: request.Value(p.Sort) == api.UserPreviewsParamsSortNewest}
	f.limit, f.offset = request.Page(p.Limit, p.Offset)
	rows, total, err := list(ctx, h.db, f)
	if err != nil {
		return nil, err
	}
	answer := api.UserPreviewsAnswer{Previews: make([]api.UserPreview, len(rows))}
	answer.Total, answer.TotalIsMore = told(total, f.limit, f.offset)
	for i, row := range rows {
		if answer.Previews[i], err = row.answer(); err != nil {
			return nil, err
		}
	}
	return previewsAnswer(answer), nil
}

// UserTags is the tags that listed people have, the most common first.
func (h *Handlers) UserTags(ctx context.Context, r api.UserTagsRequestObject) (api.UserTagsResponseObject, error) {
	list, err := tagsInUse(ctx, h.db, languages.OfQuery(ctx, r.Params.Language))
	if err != nil {
		return nil, err
	}
	answer := tagsAnswer{Tags: make([]api.Tag, len(list))}
	for i, t := range list {
		answer.Tags[i] = api.Tag{ID: t.ID, Label: t.Label}
	}
	return answer, nil
}

// UserProfile is a person's public page. Error: ErrUnknown.
func (h *Handlers) UserProfile(ctx context.Context, r api.UserProfileRequestObject) (
	api.UserProfileResponseObject, error) {
	who, _ := session.From(ctx)
	language := languages.OfQuery(ctx, r.Params.Language)
	found, err := readPublic(ctx, h.db, who, r.UserID, language)
	if err != nil {
		return nil, err
	}
	profile, err := found.answer()
	if err == nil {
		profile.Campaigns, err = campaignsOf(ctx, h.db, r.UserID, language)
	}
	if err == nil {
		profile.Experiments, err = experimentsOf(ctx, h.db, r.UserID, r.UserID == who.UserID, language)
	}
	if err == nil {
		profile.Posts, err = postsOf(ctx, h.db, r.UserID, language)
	}
	if err != nil {
		return nil, err
	}
	return pageAnswer{Profile: profile}, nil
}

// Without a language in the address, what these answer depends on Accept-Language.
type (
	previewsAnswer api.UserPreviews200JSONResponse
	tagsAnswer     api.UserTags200JSONResponse
	pageAnswer     api.UserProfile200JSONResponse
)

// VisitUserPreviewsResponse writes the answer.
func (a previewsAnswer) VisitUserPreviewsResponse(w http.ResponseWriter) error {
	w.Header().Add("Vary", "Accept-Language")
	return api.UserPreviews200JSONResponse(a).VisitUserPreviewsResponse(w)
}

// VisitUserTagsResponse writes the answer.
func (a tagsAnswer) VisitUserTagsResponse(w http.ResponseWriter) error {
	w.Header().Add("Vary", "Accept-Language")
	return api.UserTags200JSONResponse(a).VisitUserTagsResponse(w)
}

// VisitUserProfileResponse writes the answer.
func (a pageAnswer) VisitUserProfileResponse(w http.ResponseWriter) error {
	w.Header().Add("Vary", "Accept-Language")
	return api.UserProfile200JSONResponse(a).VisitUserProfileResponse(w)
}

// refuseUnknownPicture refuses the name of a picture that is not stored. Errors: InvalidFields; Unavailable when the
// store does not answer.
func (h *Handlers) refuseUnknownPicture(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	stored, err := h.isStored(ctx, name)
	if err != nil || stored {
		return err
	}
	return apperr.New(apperr.InvalidFields).WithField("image_collection.profile.filename", apperr.RuleUnknownPicture)
}
