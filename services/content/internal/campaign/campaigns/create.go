package campaigns

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/media/scenes"
	"talkoot.fi/content/internal/writing/richtext"
)

// FundingRule is what happens to the money when a campaign does not reach its goal.
type FundingRule string

// The funding rules.
const (
	AllOrNothing     FundingRule = "all_or_nothing" // pledges are refunded
	KeepWhatIsRaised FundingRule = "keep_what_is_raised"
)

// New is a campaign to be made.
type New struct {
	Slug     string
	Language string // the campaign's own: fi, en, sv
	OpensAs  Stage  // StageFunding or StageRecurring; 0 is StageFunding
	// CategoryID is the main category; it counts as one of CategoryIDs whether listed there or not.
	CategoryID          int64
	CategoryIDs, TagIDs []int64
	// TeamUserIDs begins with the creator.
	TeamUserIDs []int64
	Place       string
	// MinGoalMinor and TargetGoalMinor are in cents, 0 for none.
	MinGoalMinor, TargetGoalMinor int64
	FundingRule                   FundingRule // empty is AllOrNothing
	// FirstDay and LastDay are the funding days: from the first second of FirstDay to the last second of LastDay.
	FirstDay, LastDay Day
	// Zone is the platform's time zone; required with days.
	Zone *time.Location
	// Picture is a file name under /media; empty gives a scene drawn from the slug.
	Picture                            string
	CreatorPic                         string // a file name under /media; empty for none
	VideoURL                           string
	ContactEmail                       string
	LegalCreator, LegalCreatorType     string
	ExternalLink                       string
	HideFundingAmount, HideMemberCount bool
	Texts                              map[string]Text // by language; the campaign's own is needed
	Goals                              []Goal
}

// Text is a campaign's texts in one language.
type Text struct {
	Title, Tagline, ShortDescription string
	// PictureAlt is what the cover shows.
	PictureAlt string
	// AboutCreator says who is behind the campaign; when empty, readers see the description in the creator's profile.
	AboutCreator string
	Story        richtext.Doc
}

// Goal is a goal of a monthly campaign: what it does once it has so many supporters.
type Goal struct {
	Target int // subscriptions, more than 0
	Texts  map[string]GoalText
}

// GoalText is a goal in one language.
type GoalText struct {
	Title       string `json:"title"`
	Description string `json:"description"`
}

func (n New) validate() error {
	var faults []error
	if n.Slug == "" {
		faults = append(faults, errors.New("no slug"))
	}
	if len(n.TeamUserIDs) == 0 {
		faults = append(faults, errors.New("no creator"))
	}
	if _, ok := n.Texts[n.Language]; !ok {
		faults = append(faults, fmt.Errorf("no texts in its own language %q", n.Language))
	}
	if n.FirstDay+n.LastDay != "" && n.Zone == nil {
		faults = append(faults, errors.New("days without their zone"))
	}
	for i, g := range n.Goals {
		if len(g.Texts) == 0 {
			faults = append(faults, fmt.Errorf("goal %d has no texts", i))
		}
	}
	return errors.Join(faults...)
}

// maxSceneSeed is the longest seed that a drawing's file name takes, in characters.
const maxSceneSeed = 64

func (n New) picture() string {
	if n.Picture != "" {
		return n.Picture
	}
	return sceneOf(n.Slug)
}

// ownPicture is the cover that people have given, empty for the one drawn from the title.
func (r Record) ownPicture() string {
	if scenes.IsFileName(r.Picture) {
		return ""
	}
	return r.Picture
}

// sceneOf is the picture that is drawn for a campaign to which nobody has given one.
func sceneOf(slug string) string {
	return scenes.Spec{Seed: slug[:min(len(slug), maxSceneSeed)]}.FileName()
}

// Create makes a campaign in stage 0 with its texts, totals and previews, in the caller's transaction, and returns its
// id. Errors: all missing fields joined; a category, tag or person that does not exist.
func Create(ctx context.Context, tx *gorm.DB, n New, now time.Time) (int64, error) {
	if err := n.validate(); err != nil {
		return 0, fmt.Errorf("create campaign %s: %w", n.Slug, err)
	}
	id, err := n.create(tx.WithContext(ctx), now)
	if err == nil {
		err = RefreshPreviews(ctx, tx, id)
	}
	if err != nil {
		return 0, fmt.Errorf("create campaign %s: %w", n.Slug, err)
	}
	return id, nil
}

// create makes the campaign's rows, each table's in one statement.
func (n New) create(tx *gorm.DB, now time.Time) (int64, error) {
	r, err := n.record(now)
	if err == nil {
		err = tx.Create(&r).Error
	}
	if err == nil {
		err = tx.Create(&totalsRecord{CampaignID: r.ID}).Error
	}
	if err == nil {
		err = n.createRelations(tx, r.ID)
	}
	if err == nil {
		err = n.createTexts(tx, r.ID, now)
	}
	if err == nil {
		err = n.createGoals(tx, r.ID)
	}
	return r.ID, err
}

func (n New) record(now time.Time) (newRecord, error) {
	start, deadline, err := Days{n.FirstDay, n.LastDay}.moments(n.Zone)
	r := newRecord{FundingStart: start, FundingDeadline: deadline, CreatedAt: now, UpdatedAt: now,
		Record: Record{Version: 1, Slug: n.Slug, Language: n.Language, OpensAs: n.OpensAs, CategoryID: n.CategoryID,
			Place: n.Place, FundingRule: n.FundingRule, Picture: n.picture(), CreatorPic: n.CreatorPic, ExternalLink: n.ExternalLink,
			HideFundingAmount: n.HideFundingAmount,
			HideMemberCount:   n.HideMemberCount, LegalCreator: n.LegalCreator, LegalCreatorType: n.LegalCreatorType,
			VideoURL: n.VideoURL, ContactEmail: n.ContactEmail, MinGoalMinor: money.Decimal(n.MinGoalMinor),
			TargetGoalMinor: money.Decimal(n.TargetGoalMinor), FirstDay: n.FirstDay, LastDay: n.LastDay}}
	if r.FundingRule == "" {
		r.FundingRule = AllOrNothing
	}
	if r.OpensAs == 0 {
		r.OpensAs = StageFunding
	}
	return r, err
}

func (n New) createRelations(tx *gorm.DB, id int64) error {
	var categories []categoryRecord
	for _, category := range append([]int64{n.CategoryID}, n.CategoryIDs...) {
		categories = append(categories, categoryRecord{id, category})
	}
	onlyNew := tx.Clauses(clause.OnConflict{DoNothing: true}).Session(&gorm.Session{})
	if err := dbx.CreateAll(onlyNew, categories); err != nil {
		return fmt.Errorf("categories: %w", err)
	}
	var tags []tagRecord
	for _, tag := range n.TagIDs {
		tags = append(tags, tagRecord{id, tag})
	}
	if err := dbx.CreateAll(onlyNew, tags); err != nil {
		return fmt.Errorf("tags: %w", err)
	}
	var team []memberRecord
	for position, user := range n.TeamUserIDs {
		team = append(team, memberRecord{id, user, position})
	}
	if err := dbx.CreateAll(tx, team); err != nil {
		return fmt.Errorf("team: %w", err)
	}
	return nil
}

func (n New) createTexts(tx *gorm.DB, id int64, now time.Time) error {
	var rows []textRecord
	for language, t := range n.Texts {
		markup, plain, err := richtext.Render(t.Story, language)
		if err != nil {
			return fmt.Errorf("story in %s: %w", language, err)
		}
		rows = append(rows, textRecord{CampaignID: id, Language: language, Title: t.Title, Tagline: t.Tagline,
			ShortDescription: t.ShortDescription, AboutCreator: t.AboutCreator, ProjectPicAlt: t.PictureAlt, Story: t.Story,
			StoryHTML: markup, StoryText: plain, UpdatedAt: now})
	}
	if err := dbx.CreateAll(tx, rows); err != nil {
		return fmt.Errorf("texts: %w", err)
	}
	return nil
}

func (n New) createGoals(tx *gorm.DB, id int64) error {
	goals := make([]goalRecord, len(n.Goals))
	for i, g := range n.Goals {
		goals[i] = goalRecord{CampaignID: id, Target: g.Target}
	}
	if err := dbx.CreateAll(tx, goals); err != nil {
		return fmt.Errorf("goals: %w", err)
	}
	var texts []goalTextRecord
	for i, g := range n.Goals {
		for language, t := range g.Texts {
			texts = append(texts, goalTextRecord{goals[i].ID, language, t.Title, t.Description})
		}
	}
	if err := dbx.CreateAll(tx, texts); err != nil {
		return fmt.Errorf("texts of goals: %w", err)
	}
	return nil
}
