package campaigns

import (
	"context"
	"slices"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/discovery/keywords"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/request"
)

// CampaignTable is all campaigns of all stages. Errors: NotAuthenticated; Forbidden for those who are not admins: it has
// drafts whose teams have asked nobody yet, and money that creators hide.
func (h *Handlers) CampaignTable(ctx context.Context, r api.CampaignTableRequestObject) (
	api.CampaignTableResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	if !who.Has(session.ScopeAdmin) {
		return nil, apperr.New(apperr.Forbidden)
	}
	p := r.Params
	f := tableFilter{language: languages.Of(r.Language), words: keywords.Words(request.Value(p.Keyword)),
		sort: string(request.Value(p.Sort)), isAscending: request.Value(p.Direction) == api.CampaignTableParamsDirectionAsc}
	f.limit, f.offset = request.Page(p.Limit, p.Offset)
	for _, stage := range request.Value(p.Stages) {
		if !slices.Contains(f.stages, int64(stage)) {
			f.stages = append(f.stages, int64(stage))
		}
	}
	rows, stages, err := table(ctx, h.db, f)
	if err != nil {
		return nil, err
	}
	answer := api.CampaignTable200JSONResponse{Campaigns: make([]api.CampaignRow, len(rows)), Stages: stages[:]}
	for stage, count := range stages {
		if len(f.stages) == 0 || slices.Contains(f.stages, int64(stage)) {
			answer.Total += count
		}
	}
	for i, row := range rows {
		answer.Campaigns[i] = row.answer()
	}
	return answer, nil
}

func (r tableRow) answer() api.CampaignRow {
	row := api.CampaignRow{CampaignID: r.ID, Slug: r.Slug, Title: r.Title, Language: r.Language, Creator: r.Creator,
		Stage: int(r.Stage), Review: api.CampaignRowReview(r.Review), Currency: r.Currency, Raised: r.RaisedMinor,
		Goal: r.GoalMinor, Payout: r.Payout, Version: r.Version}
	if r.Hold != NotHeld {
		kind := api.HoldKind(r.Hold)
		row.Hold = &kind
	}
	if r.FundingDeadline != nil {
		deadline := r.FundingDeadline.UTC()
		row.FundingDeadline = &deadline
	}
	return row
}
