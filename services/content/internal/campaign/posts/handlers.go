package posts

import (
	"context"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/request"
)

// Handlers answers the calls about posts.
type Handlers struct {
	db  *gorm.DB
	now func() time.Time
}

// NewHandlers makes the handlers; PersonRules belong before them.
func NewHandlers(db *gorm.DB, now func() time.Time) *Handlers { return &Handlers{db, now} }

// CampaignPosts is the published posts, latest first; those who may edit the campaign see drafts before them. A post
// above the reader's level has its preview instead of the text. Error: campaigns.ErrUnknown.
func (h *Handlers) CampaignPosts(ctx context.Context, r api.CampaignPostsRequestObject) (
	api.CampaignPostsResponseObject, error) {
	rows, total, err := h.page(ctx, r.CampaignID, r.Params.Language, r.Params.Limit, r.Params.Offset, true)
	if err != nil {
		return nil, err
	}
	answer := api.CampaignPosts200JSONResponse{Posts: make([]api.Post, len(rows)), Total: total}
	for i, row := range rows {
		answer.Posts[i] = row.post()
	}
	return answer, nil
}

// CampaignPostPreviews is the same without content. Error: campaigns.ErrUnknown.
func (h *Handlers) CampaignPostPreviews(ctx context.Context, r api.CampaignPostPreviewsRequestObject) (
	api.CampaignPostPreviewsResponseObject, error) {
	p := r.Params
	rows, total, err := h.page(ctx, r.CampaignID, p.Language, p.Limit, p.Offset, false)
	if err != nil {
		return nil, err
	}
	answer := api.CampaignPostPreviews200JSONResponse{Previews: make([]api.PostPreview, len(rows)), Total: total}
	for i, row := range rows {
		answer.Previews[i] = row.preview()
	}
	return answer, nil
}

// CampaignPost is one post. Errors: campaigns.ErrUnknown; ErrUnknown, also for drafts of others.
func (h *Handlers) CampaignPost(ctx context.Context, r api.CampaignPostRequestObject) (
	api.CampaignPostResponseObject, error) {
	rights, err := campaigns.Access(ctx, h.db, r.CampaignID)
	if err != nil {
		return nil, err
	}
	found, err := read(ctx, h.db, r.CampaignID, r.PostID, languages.OfQuery(ctx, r.Params.Language), readerOf(ctx, rights, h.now()))
	if err != nil {
		return nil, err
	}
	return api.CampaignPost200JSONResponse{Post: found.post()}, nil
}

func (h *Handlers) page(ctx context.Context, campaignID int64, language *string, limit, offset *int, content bool) (
	[]row, int, error) {
	rights, err := campaigns.Access(ctx, h.db, campaignID)
	if err != nil {
		return nil, 0, err
	}
	p := page{campaignID: campaignID, language: languages.OfQuery(ctx, language), reader: readerOf(ctx, rights, h.now()),
		content: content}
	p.limit, p.offset = request.Page(limit, offset)
	return list(ctx, h.db, p)
}

func (r row) preview() api.PostPreview {
	p := api.PostPreview{ID: r.ID, Status: api.PostPreviewStatus(r.Status), Title: r.Title, Intro: r.Intro,
		Language: r.Language, Author: &r.Author, PublishedAt: r.PublishedAt, Restricted: r.Restricted, TypeID: r.TypeID}
	p.Meta.Level = r.Level
	if p.Status == api.PostPreviewStatusDraft {
		p.UpdatedAt, p.IsEmpty = &r.UpdatedAt, &r.IsEmpty
	}
	return p
}

func (r row) post() api.Post {
	p := api.Post{ID: r.ID, Status: api.PostStatus(r.Status), Title: r.Title, Intro: r.Intro, Language: r.Language,
		Author: &r.Author, PublishedAt: r.PublishedAt, Restricted: r.Restricted, TypeID: r.TypeID}
	p.Meta.Level, p.Content.Title, p.Content.HTML = r.Level, r.Title, r.HTML
	return p
}
