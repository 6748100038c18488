package experiments

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

// maxSceneSeed is the longest seed that a drawing's file name takes, in characters.
const maxSceneSeed = 64

// New is an experiment to be made.
type New struct {
	Slug     string
	Stage    int    // 0 to 6
	Language string // the experiment's own: fi, en, sv
	Place    string
	// Latitude and Longitude are in degrees; both or none.
	Latitude, Longitude *float64
	// Image is a file name under /media; empty gives a scene drawn from the slug.
	Image    string
	Disabled bool
	ShowIn   map[string]bool
	Links    []Link
	// GoalMinor and RaisedMinor are in cents. RaisedMinor is the crowd's part as the team states it.
	GoalMinor, RaisedMinor int64
	CrowdCampaignID        *int64 // whose money is the crowd's part, in place of RaisedMinor
	Organizations          []Organization
	// TeamUserIDs begins with the owner.
	TeamUserIDs, TagIDs []int64
	Texts               map[string]Text // by language; the experiment's own is needed
	// StagesSince is when it came to each stage from the first on; without it, now is when it came to its own.
	StagesSince []time.Time
}

// Link is an address that the team names: of the web, or mailto.
type Link struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

// Organization is one that gives money.
type Organization struct {
	Name        string        `json:"name"`
	RaisedMinor money.Decimal `json:"raised_minor"`
}

// Text is an experiment in one language.
type Text struct {
	Title, ShortDescription string
	Story                   richtext.Doc
}

// Create makes an experiment in the caller's transaction and returns its id. Errors: no owner or texts in its own
// language; what the tables refuse.
func Create(ctx context.Context, tx *gorm.DB, n New, now time.Time) (id int64, err error) {
	own, hasOwn := n.Texts[n.Language]
	if len(n.TeamUserIDs) == 0 || n.Slug == "" || !hasOwn {
		return 0, fmt.Errorf("create experiment %q: %w", n.Slug,
			errors.New("it needs a slug, an owner and texts in its own language"))
	}
	r := newRecord{CreatedAt: now, UpdatedAt: now, Record: Record{Version: 1, Slug: n.Slug,
		Stage: n.Stage, Language: n.Language, Place: n.Place, Latitude: n.Latitude, Longitude: n.Longitude, Image: n.Image,
		Open: own.Title != "", Disabled: n.Disabled, ShowIn: n.ShowIn, Links: n.Links, Currency: "EUR",
		GoalMinor: money.Decimal(n.GoalMinor), RaisedMinor: money.Decimal(n.RaisedMinor), CrowdCampaignID: n.CrowdCampaignID,
		Organizations: n.Organizations, OrganizationsMinor: sum(n.Organizations)}}
	if r.Image == "" {
		r.Image = sceneOf(n.Slug)
	}
	if r.ShowIn == nil {
		r.ShowIn = map[string]bool{}
	}
	if r.Links == nil {
		r.Links = []Link{}
	}
	if r.Organizations == nil {
		r.Organizations = []Organization{}
	}
	tx = tx.WithContext(ctx)
	err = tx.Create(&r).Error
	if err == nil {
		err = n.createRelations(tx, r.ID, now)
	}
	if err == nil {
		err = refreshListings(ctx, tx, r.ID)
	}
	if err != nil {
		return 0, fmt.Errorf("create experiment %s: %w", n.Slug, err)
	}
	return r.ID, nil
}

func (n New) createRelations(tx *gorm.DB, id int64, now time.Time) error {
	var texts []textRecord
	for language, t := range n.Texts {
		markup, _, err := richtext.Render(t.Story, language)
		if err != nil {
			return fmt.Errorf("story in %s: %w", language, err)
		}
		texts = append(texts, textRecord{ExperimentID: id, Language: language, Title: t.Title,
			ShortDescription: t.ShortDescription, Story: t.Story, StoryHTML: markup})
	}
	if err := dbx.CreateAll(tx, texts); err != nil {
		return fmt.Errorf("texts: %w", err)
	}
	var team []memberRecord
	for position, user := range n.TeamUserIDs {
		team = append(team, memberRecord{id, user, position})
	}
	if err := dbx.CreateAll(tx, team); err != nil {
		return fmt.Errorf("team: %w", err)
	}
	var tags []tagRecord
	for _, tag := range n.TagIDs {
		tags = append(tags, tagRecord{id, tag})
	}
	if err := dbx.CreateAll(tx.Clauses(clause.OnConflict{DoNothing: true}), tags); err != nil {
		return fmt.Errorf("tags: %w", err)
	}
	stages := []stageRecord{{id, n.Stage, now}}
	if len(n.StagesSince) > 0 {
		stages = nil
	}
	for stage, since := range n.StagesSince[:min(len(n.StagesSince), n.Stage+1)] {
		stages = append(stages, stageRecord{id, stage, since})
	}
	if err := dbx.CreateAll(tx, stages); err != nil {
		return fmt.Errorf("stages: %w", err)
	}
	return nil
}

// sceneOf is the picture that is drawn for an experiment to which nobody has given one.
func sceneOf(slug string) string {
	return scenes.Spec{Seed: slug[:min(len(slug), maxSceneSeed)]}.FileName()
}

func sum(list []Organization) (total money.Decimal) {
	for _, o := range list {
		total += o.RaisedMinor
	}
	return total
}
