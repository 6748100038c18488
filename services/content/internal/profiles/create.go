package profiles

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// New is an account that the platform itself makes, with a profile.
type New struct {
	Email, FirstName, LastName string
	PasswordHash               string // of sessions.HashPassword; empty for one that cannot sign in
	Language                   string // fi, en, sv
	ShortDescription           string
	Image                      string // file name under /media, empty for a drawn one
	Verified                   bool
	Scope, Skills              []string
	Links                      []Link
}

// Link is an address that a person names.
type Link struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

// Create makes the account in the caller's transaction and returns its id. An email that has an account is an error.
func Create(ctx context.Context, tx *gorm.DB, n New, now time.Time) (id int64, err error) {
	if n.Links == nil {
		n.Links = []Link{}
	}
	links, err := json.Marshal(n.Links)
	if err != nil {
		return 0, fmt.Errorf("encode links: %w", err)
	}
	err = tx.WithContext(ctx).Raw(`
		INSERT INTO users (email, password_hash, first_name, last_name, short_description, language, image, verified, scope,
		    links, skills, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		n.Email, n.PasswordHash, n.FirstName, n.LastName, n.ShortDescription, n.Language, n.Image, n.Verified,
		dbx.TextArray(n.Scope), string(links), dbx.TextArray(n.Skills), now).Scan(&id).Error
	if err != nil {
		return 0, fmt.Errorf("create account: %w", err)
	}
	return id, nil
}
