package experiments

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/taxonomy"
	"talkoot.fi/content/internal/discovery/keywords"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/request"
)

// Handlers answers the calls about experiments.
type Handlers struct {
	db       *gorm.DB
	now      func() time.Time
	isStored func(ctx context.Context, name string) (bool, error)
}

// NewHandlers makes the handlers; isStored reports whether there is a picture of a name (files.Store.Exists).
func NewHandlers(db *gorm.DB, now func() time.Time,
	isStored func(ctx context.Context, name string) (bool, error)) *Handlers {
	return &Handlers{db: db, now: now, isStored: isStored}
}

// ExperimentPreviews is the experiments that everybody may see; staff see all that have a title and are not disabled, and
// people those of their own teams. Error: Forbidden for others than staff who ask for what was taken off the site.
func (h *Handlers) ExperimentPreviews(ctx context.Context, r api.ExperimentPreviewsRequestObject) (
	api.ExperimentPreviewsResponseObject, error) {
	p := r.Params
	who, isKnown := session.From(ctx)
	f := filter{language: languages.Of(r.Language), stage: p.Stage, teamMember: p.TeamMemberID,
		place: request.Value(p.Place), flag: string(request.Value(p.ShowIn)), sort: string(request.Value(p.Sort)),
		words: keywords.Words(request.Value(p.Keyword)), now: h.now(),
		hidden: isKnown && (campaigns.IsStaff(who) || request.Value(p.TeamMemberID) == who.UserID)}
	if f.disabled = request.Value(p.Disabled); f.disabled && (!isKnown || !campaigns.IsStaff(who)) {
		return nil, apperr.New(apperr.Forbidden)
	}
	f.limit, f.offset = request.Page(p.Limit, p.Offset)
	f.descending = slices.Contains([]string{"likes", "show_in"}, f.sort)
	if p.Direction != nil {
		f.descending = *p.Direction == api.ExperimentPreviewsParamsDirectionDesc
	}
	rows, total, err := list(ctx, h.db, f)
	if err != nil {
		return nil, err
	}
	answer := api.ExperimentPreviews200JSONResponse{Previews: make([]api.ExperimentPreview, len(rows)), Total: total}
	for i, row := range rows {
		if answer.Previews[i], err = row.preview(); err != nil {
			return nil, err
		}
	}
	return answer, nil
}

// Experiment is one experiment with what the reader may do with it. Error: ErrUnknown, also for one that is not shown and not the
// reader's to edit.
func (h *Handlers) Experiment(ctx context.Context, r api.ExperimentRequestObject) (
	api.ExperimentResponseObject, error) {
	who, _ := session.From(ctx)
	found, rights, err := read(ctx, h.db, who, r.ExperimentID, languages.Of(r.Language))
	if err != nil {
		return nil, err
	}
	experiment, err := found.experiment()
	if err != nil {
		return nil, err
	}
	return api.Experiment200JSONResponse{ACL: rights, Experiment: experiment}, nil
}

// ExperimentTags is the tags that an experiment can have: those of campaigns.
func (h *Handlers) ExperimentTags(ctx context.Context, r api.ExperimentTagsRequestObject) (
	api.ExperimentTagsResponseObject, error) {
	list, err := taxonomy.Tags(ctx, h.db, languages.Of(r.Language), taxonomy.List{})
	if err != nil {
		return nil, err
	}
	answer := api.ExperimentTags200JSONResponse{Tags: make([]api.Tag, len(list))}
	for i, t := range list {
		answer.Tags[i] = api.Tag(t)
	}
	return answer, nil
}

// LikeExperiment adds the reader's like. It says so when the like counts only after the reader has confirmed their
// address. Errors: NotAuthenticated; ErrUnknown.
func (h *Handlers) LikeExperiment(ctx context.Context, r api.LikeExperimentRequestObject) (
	api.LikeExperimentResponseObject, error) {
	who, _, err := requireView(ctx, h.db, r.ExperimentID)
	if err != nil {
		return nil, err
	}
	after, err := Likes().Like(ctx, h.db, r.ExperimentID, who.UserID, h.now())
	if err != nil {
		return nil, err
	}
	answer := api.LikeExperiment200JSONResponse{Likes: after.Likes, Liked: true}
	if after.Waits {
		answer.WaitsForEmail = &after.Waits
	}
	return answer, nil
}

// UnlikeExperiment removes the reader's like. Errors: NotAuthenticated; ErrUnknown.
func (h *Handlers) UnlikeExperiment(ctx context.Context, r api.UnlikeExperimentRequestObject) (
	api.UnlikeExperimentResponseObject, error) {
	who, _, err := requireView(ctx, h.db, r.ExperimentID)
	if err != nil {
		return nil, err
	}
	after, err := Likes().Unlike(ctx, h.db, r.ExperimentID, who.UserID)
	if err != nil {
		return nil, err
	}
	return api.UnlikeExperiment200JSONResponse{Likes: after.Likes}, nil
}
