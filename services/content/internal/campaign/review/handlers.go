package review

import (
	"context"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/request"
)

// Handlers answers the calls about reviews.
type Handlers struct {
	db   *gorm.DB
	now  func() time.Time
	zone *time.Location
}

// NewHandlers makes the handlers; Rules belong before them. Days are those of the time zone.
func NewHandlers(db *gorm.DB, now func() time.Time, zone *time.Location) *Handlers {
	return &Handlers{db: db, now: now, zone: zone}
}

// Rules limit by person how often reviews are asked for: each time all of the staff get a mail.
func Rules(limit ratelimit.Limit) ratelimit.Rules {
	return ratelimit.Rules{"POST /campaigns/:campaign_id/review": {{Name: "review", Limit: limit}}}
}

// RequestReview asks for a review. Errors: those of RequireEdit and Request.
func (h *Handlers) RequestReview(ctx context.Context, r api.RequestReviewRequestObject) (
	api.RequestReviewResponseObject, error) {
	s, err := h.byTeam(ctx, r.CampaignID)
	if err == nil {
		err = Request(ctx, h.db, s)
	}
	answer, err := h.read(ctx, r.CampaignID, err)
	return api.RequestReview200JSONResponse(answer), err
}

// WithdrawReview takes the request back. Errors: those of RequireEdit and Withdraw.
func (h *Handlers) WithdrawReview(ctx context.Context, r api.WithdrawReviewRequestObject) (
	api.WithdrawReviewResponseObject, error) {
	s, err := h.byTeam(ctx, r.CampaignID)
	if err == nil {
		err = Withdraw(ctx, h.db, s)
	}
	answer, err := h.read(ctx, r.CampaignID, err)
	return api.WithdrawReview200JSONResponse(answer), err
}

// DecideReview approves, or asks for changes. Errors: NotAuthenticated; ErrUnknown for drafts of others; Forbidden for
// those who are not staff; those of Approve and AskForChanges.
func (h *Handlers) DecideReview(ctx context.Context, r api.DecideReviewRequestObject) (
	api.DecideReviewResponseObject, error) {
	s, err := h.byTeam(ctx, r.CampaignID)
	if err != nil {
		return nil, err
	}
	if !campaigns.IsStaff(s.Who) {
		return nil, apperr.New(apperr.Forbidden)
	}
	var notes []Note
	for _, n := range request.Value(r.Body.Notes) {
		notes = append(notes, Note{Part: string(n.Part), Text: n.Text, Quote: request.Value(n.Quote)})
	}
	decide := AskForChanges
	if r.Body.Decision == api.Approve {
		decide = Approve
	}
	answer, err := h.read(ctx, r.CampaignID, decide(ctx, h.db, s, campaigns.Seen(request.Value(r.Body.Seen)), notes))
	return api.DecideReview200JSONResponse(answer), err
}

// ReviewChanges are a campaign's parts and what has changed of them since staff read it. Errors: those of RequireEdit.
func (h *Handlers) ReviewChanges(ctx context.Context, r api.ReviewChangesRequestObject) (
	api.ReviewChangesResponseObject, error) {
	if _, err := h.byTeam(ctx, r.CampaignID); err != nil {
		return nil, err
	}
	answer, err := Changes(ctx, h.db, r.CampaignID, h.zone)
	return api.ReviewChanges200JSONResponse(answer), err
}

// SeeReviewChanges marks changes as seen. Errors: those of RequireEdit; Forbidden for those who are not staff; those of See.
func (h *Handlers) SeeReviewChanges(ctx context.Context, r api.SeeReviewChangesRequestObject) (
	api.SeeReviewChangesResponseObject, error) {
	s, err := h.byTeam(ctx, r.CampaignID)
	if err != nil {
		return nil, err
	}
	if !campaigns.IsStaff(s.Who) {
		return nil, apperr.New(apperr.Forbidden)
	}
	if err := See(ctx, h.db, s, campaigns.Seen(r.Body.Seen)); err != nil {
		return nil, err
	}
	answer, err := Changes(ctx, h.db, r.CampaignID, h.zone)
	return api.SeeReviewChanges200JSONResponse(answer), err
}

// MendReviewNote marks a note as mended, or not. Errors: those of RequireEdit and Mend.
func (h *Handlers) MendReviewNote(ctx context.Context, r api.MendReviewNoteRequestObject) (
	api.MendReviewNoteResponseObject, error) {
	s, err := h.byTeam(ctx, r.CampaignID)
	if err == nil {
		err = Mend(ctx, h.db, s, r.NoteID, r.Body.Mended)
	}
	answer, err := h.read(ctx, r.CampaignID, err)
	return api.MendReviewNote200JSONResponse(answer), err
}

// CampaignsInReview lists the campaigns that wait for staff, longest waiting first. Errors: NotAuthenticated;
// Forbidden.
func (h *Handlers) CampaignsInReview(ctx context.Context, r api.CampaignsInReviewRequestObject) (
	api.CampaignsInReviewResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	if !campaigns.IsStaff(who) {
		return nil, apperr.New(apperr.Forbidden)
	}
	limit, offset := request.Page(r.Params.Limit, r.Params.Offset)
	answer, err := waiting(ctx, h.db, languages.Of(r.Language), who.UserID, limit, offset, h.zone)
	return api.CampaignsInReview200JSONResponse(answer), err
}

// byTeam is a step by somebody who may edit the campaign. Errors: those of RequireEdit.
func (h *Handlers) byTeam(ctx context.Context, campaignID int64) (Step, error) {
	who, err := campaigns.RequireEdit(ctx, h.db, campaignID)
	return Step{CampaignID: campaignID, Who: who, Now: h.now(), Zone: h.zone}, err
}

// read is how the review stands after a step, unless that failed.
func (h *Handlers) read(ctx context.Context, campaignID int64, failed error) (api.ReviewAnswer, error) {
	if failed != nil {
		return api.ReviewAnswer{}, failed
	}
	return Read(ctx, h.db, campaignID, h.now(), h.zone)
}
