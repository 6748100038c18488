package campaigns

import (
	"context"
	"encoding/json"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/links"
)

// Edit is who changes which campaign, and when.
type Edit struct {
	CampaignID int64
	// Known is the version that the person has seen, 0 for any.
	Known int64
	By    changes.Actor
	Now   time.Time
}

// MetaChange is what a campaign shows and hides. Nil leaves a field as it is, empty text clears it.
type MetaChange struct {
	ExternalLink, LegalCreatorType     *string
	HideFundingAmount, HideMemberCount *bool
}

// SettingsChange is a campaign's pictures, video, place, goals, contact and days. Nil leaves a field as it is, empty
// text clears it; without a picture of its own a campaign has one that is drawn from its title.
type SettingsChange struct {
	VideoURL, ContactEmail, LegalCreator *string
	Place, Picture, CreatorPic           *string
	FundingRule                          *FundingRule
	Language                             *string      // the campaign's own: fi, en, sv
	OpensAs                              *Stage       // StageFunding or StageRecurring
	MinGoal, TargetGoal                  *json.Number // major units, 0 for none
	FirstDay, LastDay                    *Day
	Zone                                 *time.Location // of the days
}

// Record is the columns of a campaign that people may change.
type Record struct {
	ID, Version                    int64
	Stage, OpensAs                 Stage
	Slug, Language                 string
	CategoryID                     int64
	Place, Picture, CreatorPic     string
	FundingRule                    FundingRule
	ExternalLink                   string `gorm:"column:external_link_1"`
	HideFundingAmount              bool
	HideMemberCount                bool
	LegalCreator, LegalCreatorType string
	VideoURL, ContactEmail         string
	MinGoalMinor, TargetGoalMinor  money.Decimal
	FirstDay, LastDay              Day
	Hold                           HoldKind
	HoldNumber                     int // of the last word in campaign_holds
}

// TableName is GORM's.
func (Record) TableName() string { return "campaigns" }

// Versioned is changes.Row.
func (r Record) Versioned() (changes.Entity, int64) {
	return changes.Entity{Name: "campaign", Table: "campaigns", ID: r.ID}, r.Version
}

// lock begins a change whatever version was seen. ForNoKeyUpdate does not block LockStage, ForUpdate does. Error: ErrUnknown.
func lock(ctx context.Context, tx *gorm.DB, campaignID int64, strength string) (Record, *changes.Change, error) {
	return changes.Lock[Record](ctx, tx, campaignID, strength)
}

// begin begins a change of the version that was seen. Errors: ErrUnknown; ChangedMeanwhile.
func (e Edit) begin(ctx context.Context, tx *gorm.DB, strength string) (Record, *changes.Change, error) {
	return changes.LockKnown[Record](ctx, tx, e.CampaignID, e.Known, strength)
}

// save writes a change, compares the campaign with what staff have read of it, and brings the read model up to date.
func (e Edit) save(ctx context.Context, tx *gorm.DB, c *changes.Change, action string) error {
	if !c.Any() {
		return nil
	}
	if err := c.Save(ctx, tx, action, e.By, e.Now); err != nil {
		return err
	}
	if c.Writes("payment_account_id") { // handed over
		if err := tellAccounts(ctx, tx, e.CampaignID); err != nil {
			return err
		}
	}
	if err := e.settle(ctx, tx); err != nil {
		return err
	}
	return RefreshPreviews(ctx, tx, e.CampaignID)
}

// apply changes the fields of a campaign, and returns the faults of those that break a rule.
func (m MetaChange) apply(c *changes.Change, r *Record) *apperr.Error {
	changes.Set(c, "external_link_1", "external_link_1", &r.ExternalLink, trimmed(m.ExternalLink))
	changes.Set(c, "hideFundingAmount", "hide_funding_amount", &r.HideFundingAmount, m.HideFundingAmount)
	changes.Set(c, "hideMemberCount", "hide_member_count", &r.HideMemberCount, m.HideMemberCount)
	changes.Set(c, "legal_creator_type", "legal_creator_type", &r.LegalCreatorType, m.LegalCreatorType)
	faults := apperr.New(apperr.InvalidFields)
	if c.Has("external_link_1") && r.ExternalLink != "" && links.Safe(r.ExternalLink) == "" {
		faults = faults.WithField("external_link_1", apperr.RuleURL)
	}
	return faults
}

// ChangeMeta changes what a campaign shows and hides, in one transaction, and returns the changed campaign. The caller
// has checked who may do it (RequireEdit). Values that are the same already are no change, and without a change
// nothing is written. Errors: ErrUnknown; ChangedMeanwhile; InvalidFields; CampaignOpened.
func ChangeMeta(ctx context.Context, db *gorm.DB, e Edit, wanted MetaChange) (r Record, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		r, err = changeMeta(ctx, tx, e, wanted)
		return err
	})
	return r, err
}

func changeMeta(ctx context.Context, tx *gorm.DB, e Edit, wanted MetaChange) (Record, error) {
	r, c, err := e.begin(ctx, tx, changes.ForNoKeyUpdate)
	if err != nil {
		return r, err
	}
	faults := wanted.apply(c, &r)
	if err := r.refuseFixed(c); err != nil {
		return r, err
	}
	if err := faults.OrNil(); err != nil {
		return r, err
	}
	err = e.save(ctx, tx, c, "change_meta")
	r.Version = c.Version()
	return r, err
}

// ChangeSettings changes a campaign's video, goals, contact and days, in one transaction, and returns the changed
// campaign. The caller has checked who may do it (RequireEdit). Without a change nothing is written. Errors:
// ErrUnknown; ChangedMeanwhile; InvalidFields; CampaignOpened for what people have pledged by (Parts).
func ChangeSettings(ctx context.Context, db *gorm.DB, e Edit, wanted SettingsChange) (r Record, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		r, err = changeSettings(ctx, tx, e, wanted)
		return err
	})
	return r, err
}

func changeSettings(ctx context.Context, tx *gorm.DB, e Edit, wanted SettingsChange) (Record, error) {
	r, c, err := e.begin(ctx, tx, changes.ForNoKeyUpdate)
	if err != nil {
		return r, err
	}
	faults := wanted.apply(c, &r, e.Now)
	if err := r.refuseFixed(c); err != nil {
		return r, err
	}
	if err := faults.OrNil(); err != nil {
		return r, err
	}
	if c.Has("first_day_of_funding") || c.Has("last_day_of_funding") {
		if err := (Days{r.FirstDay, r.LastDay}).to(c, wanted.Zone); err != nil {
			return r, err
		}
	}
	if c.Has("language") {
		if err := r.addOwnTexts(ctx, tx, e.Now); err != nil {
			return r, err
		}
	}
	err = e.save(ctx, tx, c, "change_settings")
	r.Version = c.Version()
	return r, err
}

// apply changes the fields of a campaign, and returns the faults of those that break a rule.
func (s SettingsChange) apply(c *changes.Change, r *Record, now time.Time) *apperr.Error {
	minGoal, targetGoal, badAmounts := s.goals()
	if s.Picture != nil && *s.Picture == "" {
		drawn := sceneOf(r.Slug)
		s.Picture = &drawn
	}
	changes.Set(c, "video_url", "video_url", &r.VideoURL, mapped(s.VideoURL, videoPage))
	changes.Set(c, "contact_email", "contact_email", &r.ContactEmail, normalEmail(s.ContactEmail))
	changes.Set(c, "legal_creator", "legal_creator", &r.LegalCreator, pastedName(s.LegalCreator))
	changes.Set(c, "place", "place", &r.Place, oneLine(s.Place))
	changes.Set(c, "project_pic", "picture", &r.Picture, s.Picture)
	changes.Set(c, "creator_pic", "creator_pic", &r.CreatorPic, s.CreatorPic)
	changes.Set(c, "funding_rule", "funding_rule", &r.FundingRule, s.FundingRule)
	changes.Set(c, "language", "language", &r.Language, s.Language)
	changes.Set(c, "opens_as", "opens_as", &r.OpensAs, s.OpensAs)
	changes.Set(c, "min_goal", "min_goal_minor", &r.MinGoalMinor, minGoal)
	changes.Set(c, "target_goal", "target_goal_minor", &r.TargetGoalMinor, targetGoal)
	changes.Set(c, "first_day_of_funding", "first_day", &r.FirstDay, s.FirstDay)
	changes.Set(c, "last_day_of_funding", "last_day", &r.LastDay, s.LastDay)
	faults := apperr.New(apperr.InvalidFields).WithFields(badAmounts)
	return r.check(c, faults, DayOf(now.In(s.Zone)))
}

// to adds the columns funding_start and funding_deadline, which follow from the days.
func (d Days) to(c *changes.Change, zone *time.Location) error {
	start, deadline, err := d.moments(zone)
	if err != nil {
		return err
	}
	c.Column("funding_start", start)
	c.Column("funding_deadline", deadline)
	return nil
}
