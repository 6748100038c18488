package profiles

import (
	"context"

	"gorm.io/gorm"

	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/links"
)

// Handlers answers the calls about profiles.
type Handlers struct{ db *gorm.DB }

// NewHandlers makes the handlers.
func NewHandlers(db *gorm.DB) *Handlers { return &Handlers{db: db} }

// OwnProfile is the signed-in person's own profile. Links that are not safe to follow are left out.
// Error: NotAuthenticated.
func (h *Handlers) OwnProfile(ctx context.Context, _ api.OwnProfileRequestObject) (api.OwnProfileResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	own, err := Read(ctx, h.db, who.UserID)
	if err != nil {
		return nil, err
	}
	p := api.Profile{UserID: own.ID, FirstName: own.FirstName, LastName: own.LastName, Email: own.Email,
		ShortDescription: own.ShortDescription, LongDescription: own.LongDescription, Scope: api.ACL(own.Scope),
		Skills: own.Skills, Tags: []api.Tag{}, Links: []api.Link{}}
	p.Settings.Verified, p.Meta.Phone = own.Verified, own.Phone
	p.ImageCollection.Profile.Filename = Image(own.Image, own.ID)
	p.ImageCollection.Profile.URL = "/media/{width}x{height}/" + p.ImageCollection.Profile.Filename
	for _, l := range own.Links {
		if links.Safe(l.URL) != "" {
			p.Links = append(p.Links, api.Link{URL: l.URL, Title: l.Title})
		}
	}
	return api.OwnProfile200JSONResponse{Profile: p}, nil
}
