package campaigns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/richtext"
	"talkoot.fi/content/internal/scenes"
)

// FundingRule is what happens to the money when a campaign does not reach its goal.
type FundingRule string

// The funding rules.
const (
	AllOrNothing     FundingRule = "all_or_nothing" // goes back
	KeepWhatIsRaised FundingRule = "keep_what_is_raised"
)

// New is a campaign to be made.
type New struct {
	Slug     string
	Language string // the campaign's own: fi, en, sv
	// CategoryID is the main category; it counts as one of CategoryIDs whether listed there or not.
	CategoryID          int64
	CategoryIDs, TagIDs []int64
	// TeamUserIDs begins with the creator.
	TeamUserIDs []int64
	Place       string
	// MinGoalMinor and TargetGoalMinor are in cents, 0 for none.
	MinGoalMinor, TargetGoalMinor int64
	FundingRule                   FundingRule // empty is AllOrNothing
	// FirstDay and LastDay are the funding days: from the first one's first second to the last one's last.
	FirstDay, LastDay Day
	// Zone is the platform's, which days belong to; needed with them.
	Zone *time.Location
	// Picture is a file name under /media; empty gives a scene drawn from the slug.
	Picture                            string
	VideoURL                           string
	ContactEmail                       string
	LegalCreator, LegalCreatorType     string
	ExternalLink                       string
	HideFundingAmount, HideMemberCount bool
	Texts                              map[string]Text // by language; the campaign's own is needed
	Goals                              []Goal
}

// Text is what a campaign says in one language.
type Text struct {
	Title, Tagline, ShortDescription string
	// AboutCreator is who is behind the campaign; when empty the creator's profile says it.
	AboutCreator string
	Story        richtext.Doc
}

// Goal is what a number of monthly supporters makes possible.
type Goal struct {
	Target int // subscriptions, more than 0
	Texts  map[string]GoalText
}

// GoalText is a goal in one language.
type GoalText struct{ Title, Description string }

func (n New) validate() error {
	var faults []error
	if n.Slug == "" {
		faults = append(faults, errors.New("no slug"))
	}
	if len(n.TeamUserIDs) == 0 {
		faults = append(faults, errors.New("no creator"))
	}
	if n.Texts[n.Language].Title == "" {
		faults = append(faults, fmt.Errorf("no title in its own language %q", n.Language))
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
	return scenes.Spec{Seed: n.Slug[:min(len(n.Slug), maxSceneSeed)]}.FileName()
}

// Create makes a campaign in stage 0 with its texts, totals and previews, in the caller's transaction, and returns its
// id. Errors: what is missing, all at once; a category, tag or person that does not exist.
func Create(ctx context.Context, tx *gorm.DB, n New, now time.Time) (int64, error) {
	if err := n.validate(); err != nil {
		return 0, fmt.Errorf("create campaign %s: %w", n.Slug, err)
	}
	id, err := n.insert(ctx, tx, now)
	if err == nil {
		err = n.insertRelations(ctx, tx, id)
	}
	if err == nil {
		err = n.insertTexts(ctx, tx, id)
	}
	if err == nil {
		err = n.insertGoals(ctx, tx, id)
	}
	if err == nil {
		err = RefreshPreviews(ctx, tx, id)
	}
	if err != nil {
		return 0, fmt.Errorf("create campaign %s: %w", n.Slug, err)
	}
	return id, nil
}

func (n New) insert(ctx context.Context, tx *gorm.DB, now time.Time) (id int64, err error) {
	rule := n.FundingRule
	if rule == "" {
		rule = AllOrNothing
	}
	start, deadline, err := Days{n.FirstDay, n.LastDay}.moments(n.Zone)
	if err != nil {
		return 0, err
	}
	err = tx.WithContext(ctx).Raw(`
		WITH made AS (
			INSERT INTO campaigns (slug, language, category_id, place, min_goal_minor, target_goal_minor, funding_rule, first_day,
			    last_day, funding_start, funding_deadline, picture, video_url, contact_email, legal_creator, legal_creator_type,
			    external_link_1, hide_funding_amount, hide_member_count, created_at, updated_at)
			VALUES (@slug, @language, @category, @place, @min_goal, @target_goal, @rule, @first, @last, @start, @deadline,
			    @picture, @video, @email, @legal_creator, @legal_type, @link, @hide_amount, @hide_members, @now, @now)
			RETURNING id),
		totals AS (INSERT INTO campaign_totals (campaign_id) SELECT id FROM made)
		SELECT id FROM made`, map[string]any{
		"slug": n.Slug, "language": n.Language, "category": n.CategoryID, "place": n.Place, "min_goal": n.MinGoalMinor,
		"target_goal": n.TargetGoalMinor, "rule": string(rule), "first": n.FirstDay, "last": n.LastDay, "start": start,
		"deadline": deadline, "picture": n.picture(), "video": n.VideoURL, "email": n.ContactEmail, "legal_creator": n.LegalCreator,
		"legal_type": n.LegalCreatorType, "link": n.ExternalLink, "hide_amount": n.HideFundingAmount,
		"hide_members": n.HideMemberCount, "now": now}).Scan(&id).Error
	return id, err
}

func (n New) insertRelations(ctx context.Context, tx *gorm.DB, id int64) error {
	for _, category := range append([]int64{n.CategoryID}, n.CategoryIDs...) {
		if err := tx.WithContext(ctx).Exec(`INSERT INTO campaign_categories (campaign_id, category_id) VALUES (?, ?)
			ON CONFLICT DO NOTHING`, id, category).Error; err != nil {
			return fmt.Errorf("category %d: %w", category, err)
		}
	}
	for _, tag := range n.TagIDs {
		if err := tx.WithContext(ctx).Exec(`INSERT INTO campaign_tags (campaign_id, tag_id) VALUES (?, ?)
			ON CONFLICT DO NOTHING`, id, tag).Error; err != nil {
			return fmt.Errorf("tag %d: %w", tag, err)
		}
	}
	for position, user := range n.TeamUserIDs {
		if err := tx.WithContext(ctx).Exec(`INSERT INTO campaign_team (campaign_id, user_id, position) VALUES (?, ?, ?)`,
			id, user, position).Error; err != nil {
			return fmt.Errorf("team member %d: %w", user, err)
		}
	}
	return nil
}

func (n New) insertTexts(ctx context.Context, tx *gorm.DB, id int64) error {
	for language, t := range n.Texts {
		markup, plain, err := richtext.Render(t.Story, language)
		if err != nil {
			return fmt.Errorf("story in %s: %w", language, err)
		}
		story, err := json.Marshal(t.Story)
		if err != nil {
			return fmt.Errorf("story in %s: %w", language, err)
		}
		err = tx.WithContext(ctx).Exec(`
			INSERT INTO campaign_texts (campaign_id, language, title, tagline, short_description, about_creator, story, story_html, story_text)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			id, language, t.Title, t.Tagline, t.ShortDescription, t.AboutCreator, string(story), markup, plain).Error
		if err != nil {
			return fmt.Errorf("texts in %s: %w", language, err)
		}
	}
	return nil
}

func (n New) insertGoals(ctx context.Context, tx *gorm.DB, id int64) error {
	for _, g := range n.Goals {
		var goal int64
		if err := tx.WithContext(ctx).Raw(`INSERT INTO subscription_goals (campaign_id, target) VALUES (?, ?) RETURNING id`,
			id, g.Target).Scan(&goal).Error; err != nil {
			return fmt.Errorf("goal of %d: %w", g.Target, err)
		}
		for language, t := range g.Texts {
			if err := tx.WithContext(ctx).Exec(`INSERT INTO subscription_goal_texts (goal_id, language, title, description)
				VALUES (?, ?, ?, ?)`, goal, language, t.Title, t.Description).Error; err != nil {
				return fmt.Errorf("goal of %d in %s: %w", g.Target, language, err)
			}
		}
	}
	return nil
}
