package people

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/writing/changes"
)

// ErrUnknown is a person who is not there, or not for this reader.
var ErrUnknown = apperr.New(apperr.NotFound)

// record is a row of users without its credentials.
type record struct {
	ID, Version                       int64
	Email, FirstName, LastName, Phone string
	ShortDescription, LongDescription string
	Image, Language                   string
	Verified                          bool // has confirmed their address
	ProfileVerified                   bool // staff know who it is
	WantsLetters, ShowsBacked         bool
	Scope, Skills                     dbx.TextArray   `gorm:"type:text[]"`
	Links                             []profiles.Link `gorm:"serializer:json"`
	BlockedAt                         *time.Time
	BlockReason                       string
	CreatedAt                         time.Time
}

// TableName is GORM's.
func (record) TableName() string { return "users" }

// Versioned is changes.Row.
func (r record) Versioned() (changes.Entity, int64) {
	return changes.Entity{Name: "user", Table: "users", ID: r.ID}, r.Version
}

// read reads a person. Error: ErrUnknown.
func read(ctx context.Context, db *gorm.DB, userID int64) (r record, err error) {
	err = db.WithContext(ctx).Session(&gorm.Session{QueryFields: true}).Where("erased_at IS NULL").Take(&r, userID).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return r, ErrUnknown
	}
	if err != nil {
		return r, fmt.Errorf("read user %d: %w", userID, err)
	}
	return r, nil
}

// Edit is who changes which person, and when.
type Edit struct {
	UserID int64
	// Known is the version that was seen, 0 for any.
	Known int64
	By    changes.Actor
	Now   time.Time
}

// change is one kind of change of a person.
type change struct {
	action string // in the audit log
	// isShown says that campaigns may show what is changed.
	isShown bool
	// isOnPage says that the person's public page shows what is changed.
	isOnPage bool
	// apply sets the changed fields and checks their rules.
	apply func(ctx context.Context, tx *gorm.DB, r *record, c *changes.Change) error
}

// make makes a change in one transaction and returns the changed person; without a difference nothing is written.
// Errors: ErrUnknown; ChangedMeanwhile; those of apply; profiles.ErrUnconfirmed for what is public at once of somebody who has not
// confirmed their address.
func (e Edit) make(ctx context.Context, db *gorm.DB, kind change) (r record, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		r, err = e.makeIn(ctx, tx, kind)
		return err
	})
	return r, err
}

func (e Edit) makeIn(ctx context.Context, tx *gorm.DB, kind change) (r record, err error) {
	var created []int64
	if kind.isShown { // campaigns are locked before people, as in changes of a team
		if created, err = campaigns.LockCreated(ctx, tx, e.UserID); err != nil {
			return r, err
		}
	}
	r, c, err := changes.LockKnown[record](ctx, tx.Where("erased_at IS NULL"), e.UserID, e.Known, changes.ForNoKeyUpdate)
	if err != nil {
		return r, err
	}
	if err := kind.apply(ctx, tx, &r, c); err != nil {
		return r, err
	}
	if kind.isOnPage && c.Any() && !r.Verified {
		if err := refusePublic(ctx, tx, r.ID); err != nil {
			return r, err
		}
	}
	if err := c.Save(ctx, tx, kind.action, e.By, e.Now); err != nil {
		return r, err
	}
	r.Version = c.Version()
	if !c.Any() {
		return r, nil
	}
	if err := campaigns.RefreshPreviews(ctx, tx, created...); err != nil {
		return r, err
	}
	for _, campaign := range created {
		if err := campaigns.SettleParts(ctx, tx, campaign, e.Now); err != nil {
			return r, err
		}
	}
	if kind.isShown {
		return r, experiments.RefreshOfOwner(ctx, tx, r.ID)
	}
	return r, nil
}

// refusePublic refuses a change of somebody who has not confirmed their address and has a public page all the same, as one of the team
// of something public: of others nobody sees anything before. Error: profiles.ErrUnconfirmed.
func refusePublic(ctx context.Context, tx *gorm.DB, userID int64) error {
	var is bool
	err := tx.WithContext(ctx).Raw(`SELECT `+publicCampaigns+` + `+publicExperiments+` > 0 FROM users u WHERE id = ?`, userID).Scan(&is).Error
	if err != nil {
		return fmt.Errorf("ask whether user %d has a public page: %w", userID, err)
	}
	if is {
		return profiles.ErrUnconfirmed
	}
	return nil
}
