package profiles

import (
	"context"
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
	Verified                   bool   // has confirmed their address
	ProfileVerified            bool   // staff know who it is
	Scope, Skills              []string
	Links                      []Link
}

// Link is an address that a person names.
type Link struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

// account is a row of users, as far as it is given when an account is made.
type account struct {
	ID                                       int64
	FirstName, LastName, Email, PasswordHash string
	ShortDescription, Image, Language        string
	Verified, ProfileVerified                bool
	Scope, Skills                            dbx.TextArray `gorm:"type:text[]"`
	Links                                    []Link        `gorm:"serializer:json"`
	CreatedAt                                time.Time
}

// TableName is GORM's.
func (account) TableName() string { return "users" }

// Create makes an account in the caller's transaction and returns its id. An email that has an account is an error.
func Create(ctx context.Context, tx *gorm.DB, n New, now time.Time) (id int64, err error) {
	ids, err := CreateAll(ctx, tx, []New{n}, now)
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}

// CreateAll makes accounts in the caller's transaction and returns their ids in the same order. An email that has an account
// is an error.
func CreateAll(ctx context.Context, tx *gorm.DB, list []New, now time.Time) (ids []int64, err error) {
	rows := make([]account, len(list))
	for i, n := range list {
		rows[i] = account{PasswordHash: n.PasswordHash, Language: n.Language, CreatedAt: now, Email: n.Email,
			FirstName: n.FirstName, LastName: n.LastName, ShortDescription: n.ShortDescription, Image: n.Image,
			Verified: n.Verified, ProfileVerified: n.ProfileVerified, Scope: n.Scope, Skills: n.Skills,
			Links: append([]Link{}, n.Links...)}
	}
	if err := dbx.CreateAll(tx.WithContext(ctx), rows); err != nil {
		return nil, fmt.Errorf("create accounts: %w", err)
	}
	for _, row := range rows {
		ids = append(ids, row.ID)
	}
	return ids, nil
}
