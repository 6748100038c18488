package uploads

import (
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/media/files"
)

// Options are what the handlers need.
type Options struct {
	DB *gorm.DB
	// Put keeps a picture (files.Store.PutImage).
	Put func(ctx context.Context, kind string, file io.ReadSeeker) (files.Image, error)
	// Live reports an error when a session has ended (sessions.Service.Live).
	Live func(ctx context.Context, who session.Identity) (session.Identity, error)
	Now  func() time.Time
	Zone *time.Location // of the days that are counted
}

// Handlers answers the calls that send pictures.
type Handlers struct {
	Options
	slots slots
}

// NewHandlers makes the handlers.
func NewHandlers(o Options) *Handlers {
	return &Handlers{Options: o, slots: slots{taken: map[*slot]bool{}, of: map[string]int{}}}
}

// UploadCampaignFile keeps a picture for a campaign. Errors: those of campaigns.RequireEdit, before the body is read
// and again when it has come; those of upload.
func (h *Handlers) UploadCampaignFile(ctx context.Context, r api.UploadCampaignFileRequestObject) (
	api.UploadCampaignFileResponseObject, error) {
	stored, err := h.upload(ctx, "campaign", r.Body, func(ctx context.Context) error {
		_, err := campaigns.RequireEdit(ctx, h.DB, r.CampaignID)
		return err
	})
	if err != nil {
		return nil, err
	}
	var answer api.UploadCampaignFile201JSONResponse
	answer.File.Name, answer.File.Width, answer.File.Height = stored.Name, stored.Width, stored.Height
	return answer, nil
}

// UploadImage keeps a picture, such as one's own. Errors: NotAuthenticated; those of upload.
func (h *Handlers) UploadImage(ctx context.Context, r api.UploadImageRequestObject) (
	api.UploadImageResponseObject, error) {
	stored, err := h.upload(ctx, "image", r.Body, func(context.Context) error { return nil })
	if err != nil {
		return nil, err
	}
	var answer api.UploadImage201JSONResponse
	answer.Image.Filename, answer.Image.Width, answer.Image.Height = stored.Name, stored.Width, stored.Height
	return answer, nil
}

// upload keeps the picture of a form. Errors: NotAuthenticated; those of may, before and after the body; Busy; those of
// receive, count and files.Store.PutImage; sessions.ErrEnded when the session has ended meanwhile.
func (h *Handlers) upload(ctx context.Context, kind string, form *multipart.Reader, may func(context.Context) error) (
	files.Image, error) {
	who, err := session.Require(ctx)
	if err == nil {
		err = may(ctx)
	}
	if err != nil {
		return files.Image{}, err
	}
	held, err := h.slots.acquire(fmt.Sprintf("user:%d", who.UserID), ratelimit.Address(httpx.ClientIP(ctx)), h.Now())
	if err != nil {
		return files.Image{}, err
	}
	defer held.release()
	today := h.Now().In(h.Zone)
	if err := count(ctx, h.DB, who.UserID, 0, today); err != nil {
		return files.Image{}, err
	}
	file, size, err := receive(form, held)
	if err != nil {
		return files.Image{}, err
	}
	defer file.Remove()
	if who, err = h.Live(ctx, who); err == nil {
		err = may(session.With(ctx, who))
	}
	if err == nil {
		err = count(ctx, h.DB, who.UserID, size, today)
	}
	if err != nil {
		return files.Image{}, err
	}
	return h.Put(ctx, kind, file)
}
