package experiments

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/links"
	"talkoot.fi/content/internal/request"
)

// Handlers answers the calls about experiments.
type Handlers struct{ db *gorm.DB }

// NewHandlers makes the handlers.
func NewHandlers(db *gorm.DB) *Handlers { return &Handlers{db: db} }

// ExperimentPreviews is the experiments that are not disabled, by stage or by activity, then id.
func (h *Handlers) ExperimentPreviews(ctx context.Context, r api.ExperimentPreviewsRequestObject) (api.ExperimentPreviewsResponseObject, error) {
	p := r.Params
	f := filter{language: languages.Of(r.Language), stage: p.Stage, teamMember: p.TeamMemberID,
		byActivity: p.Sort != nil, place: request.Value(p.Place)}
	f.limit, f.offset = request.Page(p.Limit, p.Offset)
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

// Experiment is one experiment with what the reader may do with it. Error: ErrUnknown, also for one that is disabled
// and not the reader's to edit.
func (h *Handlers) Experiment(ctx context.Context, r api.ExperimentRequestObject) (api.ExperimentResponseObject, error) {
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

func (r row) preview() (api.ExperimentPreview, error) {
	p := api.ExperimentPreview{ExperimentID: r.ID, Slug: r.Slug, Stage: r.Stage, Title: r.Title, ShortDescription: r.ShortDescription,
		Image: r.Image, OwnerName: r.OwnerName, Place: r.Place, Language: r.Language}
	if err := json.Unmarshal(r.ShowIn, &p.ShowIn); err != nil {
		return p, fmt.Errorf("decode flags of experiment %d: %w", r.ID, err)
	}
	return p, nil
}

func (r row) experiment() (api.Experiment, error) {
	p, err := r.preview()
	if err != nil {
		return api.Experiment{}, err
	}
	e := api.Experiment{ExperimentID: p.ExperimentID, Slug: p.Slug, Stage: p.Stage, Title: p.Title, ShortDescription: p.ShortDescription,
		Image: p.Image, OwnerName: p.OwnerName, Place: p.Place, Language: p.Language, ShowIn: p.ShowIn,
		HTMLDescription: r.StoryHTML, LikeCount: r.LikeCount, Disabled: r.Disabled}
	if err := json.Unmarshal(r.Links, &e.Links); err != nil {
		return e, fmt.Errorf("decode links of experiment %d: %w", r.ID, err)
	}
	e.Links = slices.DeleteFunc(e.Links, func(l api.Link) bool { return links.Safe(l.URL) == "" })
	if err := json.Unmarshal(r.Tags, &e.Tags); err != nil {
		return e, fmt.Errorf("decode tags of experiment %d: %w", r.ID, err)
	}
	if r.GoalMinor > 0 || r.RaisedMinor > 0 {
		goal, raised := money.Decimal(r.GoalMinor), money.Decimal(r.RaisedMinor)
		e.Funding = &struct {
			Currency *string     `json:"currency,omitempty"`
			Goal     *api.Amount `json:"goal,omitempty"`
			Raised   *api.Amount `json:"raised,omitempty"`
		}{&r.Currency, &goal, &raised}
	}
	return e, nil
}
