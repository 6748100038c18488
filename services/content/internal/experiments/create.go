// Package experiments is experiments that teams publish, in the stages idea, planned, running, evaluated, adopted,
// ended and archived.
//
// It owns the tables experiments and experiment_*. Invariants: a disabled experiment is in no list, and only those who
// may edit it (package access) can see it. Sums of money are the team's own statements; no payments happen here.
package experiments

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/richtext"
	"talkoot.fi/content/internal/scenes"
)

// maxSceneSeed is the longest seed that a drawing's file name takes, in characters.
const maxSceneSeed = 64

// New is an experiment to be made.
type New struct {
	Slug     string
	Stage    int    // 0 to 6
	Language string // the experiment's own: fi, en, sv
	Place    string
	// Image is a file name under /media; empty gives a scene drawn from the slug.
	Image    string
	Disabled bool
	ShowIn   map[string]bool
	Links    []Link
	// GoalMinor and RaisedMinor are in cents, as the team states them.
	GoalMinor, RaisedMinor int64
	LikeCount              int
	// TeamUserIDs begins with the owner.
	TeamUserIDs, TagIDs []int64
	Texts               map[string]Text // by language; the experiment's own is needed
}

// Link is an address that the team names.
type Link struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

// Text is an experiment in one language.
type Text struct {
	Title, ShortDescription string
	Story                   richtext.Doc
}

// record is a row of experiments, as far as it is given when an experiment is made.
type record struct {
	ID                     int64
	Slug                   string
	Stage                  int
	Language, Place, Image string
	Disabled               bool
	ShowIn                 map[string]bool `gorm:"serializer:json"`
	Links                  []Link          `gorm:"serializer:json"`
	GoalMinor, RaisedMinor int64
	LikeCount              int
	CreatedAt              time.Time
}

// TableName is GORM's.
func (record) TableName() string { return "experiments" }

// textRecord is a row of experiment_texts.
type textRecord struct {
	ExperimentID                      int64
	Language, Title, ShortDescription string
	Story                             richtext.Doc `gorm:"serializer:json"`
	StoryHTML                         string
}

// TableName is GORM's.
func (textRecord) TableName() string { return "experiment_texts" }

// memberRecord is a row of experiment_team.
type memberRecord struct {
	ExperimentID, UserID int64
	Position             int // 0 is the owner
}

// TableName is GORM's.
func (memberRecord) TableName() string { return "experiment_team" }

// tagRecord is a row of experiment_tags.
type tagRecord struct{ ExperimentID, TagID int64 }

// TableName is GORM's.
func (tagRecord) TableName() string { return "experiment_tags" }

// Create makes an experiment in the caller's transaction and returns its id. Errors: no owner or title; what the tables
// refuse.
func Create(ctx context.Context, tx *gorm.DB, n New, now time.Time) (id int64, err error) {
	if len(n.TeamUserIDs) == 0 || n.Slug == "" || n.Texts[n.Language].Title == "" {
		return 0, fmt.Errorf("create experiment %q: %w", n.Slug, errors.New("it needs a slug, an owner and a title in its own language"))
	}
	r := record{Slug: n.Slug, Stage: n.Stage, Language: n.Language, Place: n.Place, Image: n.Image, Disabled: n.Disabled,
		ShowIn: n.ShowIn, Links: n.Links, GoalMinor: n.GoalMinor, RaisedMinor: n.RaisedMinor, LikeCount: n.LikeCount, CreatedAt: now}
	if r.Image == "" {
		r.Image = scenes.Spec{Seed: n.Slug[:min(len(n.Slug), maxSceneSeed)]}.FileName()
	}
	if r.ShowIn == nil {
		r.ShowIn = map[string]bool{}
	}
	if r.Links == nil {
		r.Links = []Link{}
	}
	tx = tx.WithContext(ctx)
	err = tx.Create(&r).Error
	if err == nil {
		err = n.createRelations(tx, r.ID)
	}
	if err != nil {
		return 0, fmt.Errorf("create experiment %s: %w", n.Slug, err)
	}
	return r.ID, nil
}

func (n New) createRelations(tx *gorm.DB, id int64) error {
	var texts []textRecord
	for language, t := range n.Texts {
		markup, _, err := richtext.Render(t.Story, language)
		if err != nil {
			return fmt.Errorf("story in %s: %w", language, err)
		}
		texts = append(texts, textRecord{id, language, t.Title, t.ShortDescription, t.Story, markup})
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
	return nil
}
