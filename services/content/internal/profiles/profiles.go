// Package profiles is people's accounts and profiles. It owns the table users, except for the columns that sessions
// (password, scope, blocked) and verifications (verified) change.
package profiles

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
)

// ErrUnknown is a person who is not there.
var ErrUnknown = apperr.New(apperr.NotFound)

// Profile is a person's account without its credentials.
type Profile struct {
	ID                                       int64
	FirstName, LastName, Email, Phone, Image string
	ShortDescription, LongDescription        string
	Verified                                 bool          // has confirmed their address
	Scope, Skills                            dbx.TextArray `gorm:"type:text[]"`
	Links                                    []Link        `gorm:"serializer:json"`
}

// TableName is GORM's.
func (Profile) TableName() string { return "users" }

// Read reads a person's profile. Error: ErrUnknown.
func Read(ctx context.Context, db *gorm.DB, userID int64) (p Profile, err error) {
	err = db.WithContext(ctx).Session(&gorm.Session{QueryFields: true}).Take(&p, userID).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return p, ErrUnknown
	}
	if err != nil {
		return p, fmt.Errorf("read profile of user %d: %w", userID, err)
	}
	return p, nil
}

// Image is the file name of a person's picture: their own, else one that is drawn from their id.
func Image(own string, userID int64) string {
	if own != "" {
		return own
	}
	return "avatar-" + strconv.FormatInt(userID, 10) + ".svg"
}
