package campaigns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/changes"
	"talkoot.fi/content/internal/links"
)

// Edit is a change that somebody wants to make.
type Edit struct {
	CampaignID int64
	// Known is the version that it is meant for, 0 for any.
	Known int64
	By    changes.Actor
	Now   time.Time
}

// MetaChange is what a campaign shows and hides. Nil leaves a field as it is, empty text clears it.
type MetaChange struct {
	ExternalLink, LegalCreatorType     *string
	HideFundingAmount, HideMemberCount *bool
}

// SettingsChange is a campaign's video, goals, contact and days. Nil leaves a field as it is, empty text clears it.
type SettingsChange struct {
	VideoURL, ContactEmail, LegalCreator *string
	MinGoal, TargetGoal                  *json.Number // major units, 0 for none
	FirstDay, LastDay                    *Day
	Zone                                 *time.Location // of the days
}

// Record is what people change of a campaign.
type Record struct {
	ID, Version                    int64
	Stage                          Stage
	ExternalLink                   string `gorm:"column:external_link_1"`
	HideFundingAmount              bool
	HideMemberCount                bool
	LegalCreator, LegalCreatorType string
	VideoURL, ContactEmail         string
	MinGoalMinor, TargetGoalMinor  money.Decimal
	FirstDay, LastDay              Day
}

// TableName is GORM's.
func (Record) TableName() string { return "campaigns" }

// hold reads a campaign and keeps others from changing it until the transaction ends, with a lock of this strength: NO KEY
// UPDATE lets those pass who decide by its stage (HoldStage), UPDATE does not. Error: ErrUnknown.
func hold(ctx context.Context, tx *gorm.DB, campaignID int64, strength string) (r Record, c *changes.Change, err error) {
	err = tx.WithContext(ctx).Session(&gorm.Session{QueryFields: true}).Clauses(clause.Locking{Strength: strength}).Take(&r, campaignID).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return r, nil, ErrUnknown
	}
	if err != nil {
		return r, nil, fmt.Errorf("lock campaign %d: %w", campaignID, err)
	}
	return r, changes.Of(changes.Entity{Name: "campaign", Table: "campaigns", ID: campaignID}, r.Version), nil
}

// save writes a change and the read model that follows from it.
func (e Edit) save(ctx context.Context, tx *gorm.DB, c *changes.Change, action string) error {
	if !c.Any() {
		return nil
	}
	if err := c.Save(ctx, tx, action, e.By, e.Now); err != nil {
		return err
	}
	return RefreshPreviews(ctx, tx, e.CampaignID)
}

// ChangeMeta changes what a campaign shows and hides, in one transaction, and returns the campaign as it is then.
// Who may do it is for the caller to find out (RequireEdit). A change of nothing leaves no trace.
// Errors: ErrUnknown; ChangedMeanwhile; InvalidFields.
func ChangeMeta(ctx context.Context, db *gorm.DB, e Edit, wanted MetaChange) (r Record, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		r, err = changeMeta(ctx, tx, e, wanted)
		return err
	})
	return r, err
}

func changeMeta(ctx context.Context, tx *gorm.DB, e Edit, wanted MetaChange) (Record, error) {
	r, c, err := hold(ctx, tx, e.CampaignID, "NO KEY UPDATE")
	if err != nil {
		return r, err
	}
	if err := c.Expect(ctx, tx, e.Known); err != nil {
		return r, err
	}
	changes.To(c, "external_link_1", "external_link_1", &r.ExternalLink, trimmed(wanted.ExternalLink))
	changes.To(c, "hideFundingAmount", "hide_funding_amount", &r.HideFundingAmount, wanted.HideFundingAmount)
	changes.To(c, "hideMemberCount", "hide_member_count", &r.HideMemberCount, wanted.HideMemberCount)
	changes.To(c, "legal_creator_type", "legal_creator_type", &r.LegalCreatorType, wanted.LegalCreatorType)
	if c.Has("external_link_1") && r.ExternalLink != "" && links.Safe(r.ExternalLink) == "" {
		return r, apperr.New(apperr.InvalidFields).WithField("external_link_1", apperr.RuleURL)
	}
	err = e.save(ctx, tx, c, "change_meta")
	r.Version = c.Version()
	return r, err
}

// ChangeSettings changes a campaign's video, goals, contact and days, in one transaction, and returns the campaign as it is
// then. Who may do it is for the caller to find out (RequireEdit). A change of nothing leaves no trace.
// Errors: ErrUnknown; ChangedMeanwhile; InvalidFields; CampaignOpened for goals and days that people have pledged by.
func ChangeSettings(ctx context.Context, db *gorm.DB, e Edit, wanted SettingsChange) (r Record, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		r, err = changeSettings(ctx, tx, e, wanted)
		return err
	})
	return r, err
}

func changeSettings(ctx context.Context, tx *gorm.DB, e Edit, wanted SettingsChange) (Record, error) {
	minGoal, targetGoal, badAmounts := wanted.goals()
	r, c, err := hold(ctx, tx, e.CampaignID, "NO KEY UPDATE")
	if err != nil {
		return r, err
	}
	if err := c.Expect(ctx, tx, e.Known); err != nil {
		return r, err
	}
	changes.To(c, "video_url", "video_url", &r.VideoURL, trimmed(wanted.VideoURL))
	changes.To(c, "contact_email", "contact_email", &r.ContactEmail, normalEmail(wanted.ContactEmail))
	changes.To(c, "legal_creator", "legal_creator", &r.LegalCreator, trimmed(wanted.LegalCreator))
	changes.To(c, "min_goal", "min_goal_minor", &r.MinGoalMinor, minGoal)
	changes.To(c, "target_goal", "target_goal_minor", &r.TargetGoalMinor, targetGoal)
	changes.To(c, "first_day_of_funding", "first_day", &r.FirstDay, wanted.FirstDay)
	changes.To(c, "last_day_of_funding", "last_day", &r.LastDay, wanted.LastDay)
	if err := r.refuseOpened(c); err != nil {
		return r, err
	}
	faults := apperr.New(apperr.InvalidFields).WithFields(badAmounts)
	if err := r.check(c, faults, DayOf(e.Now.In(wanted.Zone))).OrNil(); err != nil {
		return r, err
	}
	if c.Has("first_day_of_funding") || c.Has("last_day_of_funding") {
		if err := (Days{r.FirstDay, r.LastDay}).to(c, wanted.Zone); err != nil {
			return r, err
		}
	}
	err = e.save(ctx, tx, c, "change_settings")
	r.Version = c.Version()
	return r, err
}

// to adds the moments that days are kept with.
func (d Days) to(c *changes.Change, zone *time.Location) error {
	start, deadline, err := d.moments(zone)
	if err != nil {
		return err
	}
	c.Column("funding_start", start)
	c.Column("funding_deadline", deadline)
	return nil
}
