package campaigns

import (
	"context"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/request"
)

// Handlers answers the calls about campaigns, their lists, backers and likes.
type Handlers struct {
	db       *gorm.DB
	now      func() time.Time
	zone     *time.Location
	isStored func(ctx context.Context, name string) (bool, error)
}

// NewHandlers makes the handlers; funding days are days of the time zone, and isStored reports whether there is a
// picture of a name (files.Store.Exists).
func NewHandlers(db *gorm.DB, now func() time.Time, zone *time.Location,
	isStored func(ctx context.Context, name string) (bool, error)) *Handlers {
	return &Handlers{db: db, now: now, zone: zone, isStored: isStored}
}

// Campaign is one campaign with what its reader may do with it. Error: ErrUnknown, also for drafts of others.
func (h *Handlers) Campaign(ctx context.Context, r api.CampaignRequestObject) (api.CampaignResponseObject, error) {
	who, _ := session.From(ctx)
	row, rights, err := readPage(ctx, h.db, who, r.CampaignID, languages.Of(r.Language))
	if err != nil {
		return nil, err
	}
	return row.answer(rights)
}

// CampaignBackers is those whose pledge is paid, the latest first. Error: ErrUnknown.
func (h *Handlers) CampaignBackers(ctx context.Context, r api.CampaignBackersRequestObject) (
	api.CampaignBackersResponseObject, error) {
	who, _ := session.From(ctx)
	limit, offset := request.Page(r.Params.Limit, r.Params.Offset)
	list, total, hideAmounts, err := listBackers(ctx, h.db, who, r.CampaignID, limit, offset)
	if err != nil {
		return nil, err
	}
	answer := api.CampaignBackers200JSONResponse{Previews: make([]api.Backer, len(list)), Total: total}
	for i, b := range list {
		answer.Previews[i] = b.answer(hideAmounts)
	}
	return answer, nil
}

// LikeCampaign adds the reader's like. It says so when the like counts only after the reader has confirmed their
// address. Errors: NotAuthenticated, ErrUnknown.
func (h *Handlers) LikeCampaign(ctx context.Context, r api.LikeCampaignRequestObject) (
	api.LikeCampaignResponseObject, error) {
	who, err := h.reader(ctx, r.CampaignID)
	if err != nil {
		return nil, err
	}
	after, err := Likes().Like(ctx, h.db, r.CampaignID, who.UserID, h.now())
	if err != nil {
		return nil, err
	}
	answer := api.LikeCampaign200JSONResponse{Likes: after.Likes, Liked: true}
	if after.Waits {
		answer.WaitsForEmail = &after.Waits
	}
	return answer, nil
}

// UnlikeCampaign removes the reader's like. Errors: NotAuthenticated, ErrUnknown.
func (h *Handlers) UnlikeCampaign(ctx context.Context, r api.UnlikeCampaignRequestObject) (
	api.UnlikeCampaignResponseObject, error) {
	who, err := h.reader(ctx, r.CampaignID)
	if err != nil {
		return nil, err
	}
	after, err := Likes().Unlike(ctx, h.db, r.CampaignID, who.UserID)
	if err != nil {
		return nil, err
	}
	return api.UnlikeCampaign200JSONResponse{Likes: after.Likes}, nil
}

// reader is the signed-in person, who may see the campaign. Errors: NotAuthenticated, ErrUnknown.
func (h *Handlers) reader(ctx context.Context, campaignID int64) (session.Identity, error) {
	who, err := session.Require(ctx)
	if err == nil {
		_, err = Access(ctx, h.db, campaignID)
	}
	return who, err
}
