// Package profiles is who people say they are. It owns what a person tells of themselves in table users; proving who
// one is belongs to package sessions.
package profiles

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/links"
)

// Handlers answers the calls about profiles.
type Handlers struct{ db *gorm.DB }

// NewHandlers makes the handlers.
func NewHandlers(db *gorm.DB) *Handlers { return &Handlers{db: db} }

// OwnProfile is the signed-in person's own profile.
func (h *Handlers) OwnProfile(ctx context.Context, _ api.OwnProfileRequestObject) (api.OwnProfileResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	var row struct {
		ID                                       int64
		FirstName, LastName, Email, Phone, Image string
		ShortDescription, LongDescription        string
		Verified                                 bool
		Scope, Skills                            dbx.TextArray `gorm:"type:text[]"`
		LinksJSON                                []byte
	}
	found := h.db.WithContext(ctx).Raw(`
		SELECT id, first_name, last_name, email, phone, image, short_description, long_description, verified, scope, skills,
		       links AS links_json
		FROM users WHERE id = ?`, who.UserID).Scan(&row)
	if found.Error != nil {
		return nil, fmt.Errorf("read profile of user %d: %w", who.UserID, found.Error)
	}
	if found.RowsAffected == 0 {
		return nil, apperr.New(apperr.NotFound)
	}
	p := api.Profile{UserID: row.ID, FirstName: row.FirstName, LastName: row.LastName, Email: row.Email,
		ShortDescription: row.ShortDescription, LongDescription: row.LongDescription, Scope: api.ACL(row.Scope),
		Skills: row.Skills, Tags: []api.Tag{}, Links: []api.Link{}}
	p.Settings.Verified, p.Meta.Phone = row.Verified, row.Phone
	p.ImageCollection.Profile.Filename = Image(row.Image, row.ID)
	p.ImageCollection.Profile.URL = "/media/{width}x{height}/" + p.ImageCollection.Profile.Filename
	if err := json.Unmarshal(row.LinksJSON, &p.Links); err != nil {
		return nil, fmt.Errorf("decode links of user %d: %w", who.UserID, err)
	}
	p.Links = slices.DeleteFunc(p.Links, func(l api.Link) bool { return links.Safe(l.URL) == "" })
	return api.OwnProfile200JSONResponse{Profile: p}, nil
}

// Image is the file name of a person's picture: their own, else one that is drawn from their id.
func Image(own string, userID int64) string {
	if own != "" {
		return own
	}
	return "avatar-" + strconv.FormatInt(userID, 10) + ".svg"
}
