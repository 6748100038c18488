package campaigns

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/discovery/keywords"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/request"
)

// variant is how one of the list calls differs from the others.
type variant struct {
	stages []Stage
	// fixed limits the stages parameter to the variant's own stages; otherwise it replaces them.
	fixed bool
	sort  Sort
}

var (
	standard      = variant{stages: []Stage{StageFunding}, sort: SortNewest}
	openAndEnded  = variant{stages: []Stage{StageFunding, StageSucceeded, StageNotReached}, sort: sortOpenFirst}
	mixed         = variant{stages: []Stage{StageFunding, StageRecurring}, sort: sortMixed}
	mostFunded    = variant{stages: []Stage{StageFunding}, sort: SortMostFunded}
	preparing     = variant{stages: []Stage{StagePreparing}, fixed: true, sort: SortNewest}
	subscriptions = variant{stages: []Stage{StageRecurring}, fixed: true, sort: SortNewest}
	own           = variant{stages: []Stage{StageDraft, StagePreparing, StageFunding, StageSucceeded, StageNotReached,
		StageClosed, StageRecurring, StagePreparing + heldStages, StageFunding + heldStages, StageSucceeded + heldStages,
		StageNotReached + heldStages, StageRecurring + heldStages}, sort: sortLatest}
)

// listParams are the parameters that every list takes; nil is not given.
type listParams struct {
	limit, offset                               *int
	stages                                      *[]int
	categories, tags, excludedTags, campaignIDs *[]int64
	keyword                                     *string
}

// queryOf makes the query of a list call. Only lists of a team (teamMember) have drafts.
func queryOf[S ~string](v variant, language string, a listParams, sort *S, teamMember int64) query {
	q := query{language: languages.Of(language), categories: request.Value(a.categories), tags: request.Value(a.tags),
		excludedTags: request.Value(a.excludedTags), campaignIDs: request.Value(a.campaignIDs),
		words: keywords.Words(request.Value(a.keyword)), teamMember: teamMember, sort: v.sort}
	q.limit, q.offset = request.Page(a.limit, a.offset)
	if sort != nil {
		q.sort = Sort(*sort)
	}
	q.stages = v.listed(a.stages, teamMember != 0)
	return q.normalised()
}

func (v variant) listed(wanted *[]int, drafts bool) (stages []int64) {
	if wanted == nil || len(*wanted) == 0 {
		for _, s := range v.stages {
			stages = append(stages, int64(s))
		}
		return stages
	}
	for _, s := range *wanted {
		if (drafts || Stage(s).Public()) && (!v.fixed || slices.Contains(v.stages, Stage(s))) {
			stages = append(stages, int64(s))
		}
	}
	return stages
}

// CampaignPreviews lists campaigns in funding, newest first.
func (h *Handlers) CampaignPreviews(ctx context.Context, r api.CampaignPreviewsRequestObject) (
	api.CampaignPreviewsResponseObject, error) {
	p := r.Params
	a := listParams{p.Limit, p.Offset, p.Stages, p.Categories, p.Tags, p.ExcludedTags, p.CampaignIds, p.Keyword}
	return readList(ctx, h.db, queryOf(standard, r.Language, a, p.Sort, 0), h.now())
}

// CampaignPreviewsV2 lists campaigns that are or have been in funding, open ones first.
func (h *Handlers) CampaignPreviewsV2(ctx context.Context, r api.CampaignPreviewsV2RequestObject) (
	api.CampaignPreviewsV2ResponseObject, error) {
	p := r.Params
	a := listParams{p.Limit, p.Offset, p.Stages, p.Categories, p.Tags, p.ExcludedTags, p.CampaignIds, p.Keyword}
	return readList(ctx, h.db, queryOf(openAndEnded, r.Language, a, p.Sort, 0), h.now())
}

// CampaignPreviewsV6 lists campaigns in funding and monthly ones, in a random order that changes daily.
func (h *Handlers) CampaignPreviewsV6(ctx context.Context, r api.CampaignPreviewsV6RequestObject) (
	api.CampaignPreviewsV6ResponseObject, error) {
	p := r.Params
	a := listParams{p.Limit, p.Offset, p.Stages, p.Categories, p.Tags, p.ExcludedTags, p.CampaignIds, p.Keyword}
	return readList(ctx, h.db, queryOf(mixed, r.Language, a, p.Sort, 0), h.now())
}

// MostFundedCampaigns lists campaigns in funding by confirmed money.
func (h *Handlers) MostFundedCampaigns(ctx context.Context, r api.MostFundedCampaignsRequestObject) (
	api.MostFundedCampaignsResponseObject, error) {
	p := r.Params
	a := listParams{p.Limit, p.Offset, p.Stages, p.Categories, p.Tags, p.ExcludedTags, p.CampaignIds, p.Keyword}
	return readList(ctx, h.db, queryOf(mostFunded, r.Language, a, p.Sort, 0), h.now())
}

// SubscriptionCampaigns lists monthly campaigns.
func (h *Handlers) SubscriptionCampaigns(ctx context.Context, r api.SubscriptionCampaignsRequestObject) (
	api.SubscriptionCampaignsResponseObject, error) {
	p := r.Params
	a := listParams{p.Limit, p.Offset, p.Stages, p.Categories, p.Tags, p.ExcludedTags, p.CampaignIds, p.Keyword}
	return readList(ctx, h.db, queryOf(subscriptions, r.Language, a, p.Sort, 0), h.now())
}

// PreparingCampaignsV2 lists approved campaigns that open later.
func (h *Handlers) PreparingCampaignsV2(ctx context.Context, r api.PreparingCampaignsV2RequestObject) (
	api.PreparingCampaignsV2ResponseObject, error) {
	p := r.Params
	a := listParams{p.Limit, p.Offset, p.Stages, p.Categories, p.Tags, p.ExcludedTags, p.CampaignIds, p.Keyword}
	return readList(ctx, h.db, queryOf(preparing, r.Language, a, p.Sort, 0), h.now())
}

// PreparingCampaigns lists approved campaigns that open later.
func (h *Handlers) PreparingCampaigns(ctx context.Context, r api.PreparingCampaignsRequestObject) (
	api.PreparingCampaignsResponseObject, error) {
	p := r.Params
	a := listParams{p.Limit, p.Offset, p.Stages, p.Categories, p.Tags, p.ExcludedTags, p.CampaignIds, p.Keyword}
	return readList(ctx, h.db, queryOf(preparing, r.Language, a, p.Sort, 0), h.now())
}

// Own is a page of the campaigns whose team a person is in, drafts included, latest first.
func Own(ctx context.Context, db *gorm.DB, r api.MyCampaignsRequestObject, userID int64, now time.Time) (
	answer api.CampaignPreviewsAnswer, err error) {
	p := r.Params
	a := listParams{p.Limit, p.Offset, p.Stages, p.Categories, p.Tags, p.ExcludedTags, p.CampaignIds, p.Keyword}
	ready, err := readList(ctx, db, queryOf(own, r.Language, a, p.Sort, userID), now)
	if err != nil {
		return answer, err
	}
	if err := json.Unmarshal(ready, &answer); err != nil {
		return answer, fmt.Errorf("read the previews of user %d's campaigns: %w", userID, err)
	}
	return answer, nil
}

// VisitCampaignPreviewsResponse writes the list.
func (l list) VisitCampaignPreviewsResponse(w http.ResponseWriter) error { return l.write(w) }

// VisitCampaignPreviewsV2Response writes the list.
func (l list) VisitCampaignPreviewsV2Response(w http.ResponseWriter) error { return l.write(w) }

// VisitCampaignPreviewsV6Response writes the list.
func (l list) VisitCampaignPreviewsV6Response(w http.ResponseWriter) error { return l.write(w) }

// VisitMostFundedCampaignsResponse writes the list.
func (l list) VisitMostFundedCampaignsResponse(w http.ResponseWriter) error { return l.write(w) }

// VisitSubscriptionCampaignsResponse writes the list.
func (l list) VisitSubscriptionCampaignsResponse(w http.ResponseWriter) error {
	return l.write(w)
}

// VisitPreparingCampaignsV2Response writes the list.
func (l list) VisitPreparingCampaignsV2Response(w http.ResponseWriter) error {
	return l.write(w)
}

// VisitPreparingCampaignsResponse writes the list.
func (l list) VisitPreparingCampaignsResponse(w http.ResponseWriter) error { return l.write(w) }
