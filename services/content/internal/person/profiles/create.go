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

// LockAddress lets one transaction at a time decide which account has an address, or how its passwords are hashed. It is
// the transaction's first lock.
func LockAddress(ctx context.Context, tx *gorm.DB, email string) error {
	err := tx.WithContext(ctx).Exec(`SELECT pg_advisory_xact_lock(hashtextextended('address:' || lower(?), 0))`, NormalEmail(email)).Error
	if err != nil {
		return fmt.Errorf("lock an address: %w", err)
	}
	return nil
}

// Create makes an account in the caller's transaction and returns its id. It is an error to confirm an email that
// somebody else has confirmed.
func Create(ctx context.Context, tx *gorm.DB, n New, now time.Time) (id int64, err error) {
	ids, err := CreateAll(ctx, tx, []New{n}, now)
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}

// CreateAll makes accounts in the caller's transaction and returns their ids in the same order. It is an error to confirm
// an email that somebody else has confirmed.
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
