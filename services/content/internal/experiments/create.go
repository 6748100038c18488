// Package experiments is what people try out in stages: idea, planned, running, evaluated, adopted, ended, archived.
//
// It owns the tables experiments and experiment_*. Invariants: a disabled experiment is in no list and visible to those
// who may edit it only; what they may do is decided by package access. The money of an experiment is stated by its team; none moves here.
package experiments

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

// Create makes an experiment in the caller's transaction and returns its id. Errors: no owner or title; what the tables
// refuse.
func Create(ctx context.Context, tx *gorm.DB, n New, now time.Time) (id int64, err error) {
	if len(n.TeamUserIDs) == 0 || n.Slug == "" || n.Texts[n.Language].Title == "" {
		return 0, fmt.Errorf("create experiment %q: %w", n.Slug, errors.New("it needs a slug, an owner and a title in its own language"))
	}
	if n.Image == "" {
		n.Image = scenes.Spec{Seed: n.Slug[:min(len(n.Slug), maxSceneSeed)]}.FileName()
	}
	if n.ShowIn == nil {
		n.ShowIn = map[string]bool{}
	}
	if n.Links == nil {
		n.Links = []Link{}
	}
	showIn, err := json.Marshal(n.ShowIn)
	if err != nil {
		return 0, fmt.Errorf("create experiment %s: %w", n.Slug, err)
	}
	links, err := json.Marshal(n.Links)
	if err != nil {
		return 0, fmt.Errorf("create experiment %s: %w", n.Slug, err)
	}
	err = tx.WithContext(ctx).Raw(`
		INSERT INTO experiments (slug, stage, language, place, image, disabled, show_in, links, goal_minor, raised_minor, like_count, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		n.Slug, n.Stage, n.Language, n.Place, n.Image, n.Disabled, string(showIn), string(links), n.GoalMinor, n.RaisedMinor,
		n.LikeCount, now).Scan(&id).Error
	if err == nil {
		err = n.insertRelations(ctx, tx, id)
	}
	if err != nil {
		return 0, fmt.Errorf("create experiment %s: %w", n.Slug, err)
	}
	return id, nil
}

func (n New) insertRelations(ctx context.Context, tx *gorm.DB, id int64) error {
	for language, t := range n.Texts {
		markup, _, err := richtext.Render(t.Story, language)
		if err != nil {
			return fmt.Errorf("story in %s: %w", language, err)
		}
		story, err := json.Marshal(t.Story)
		if err != nil {
			return fmt.Errorf("story in %s: %w", language, err)
		}
		if err := tx.WithContext(ctx).Exec(`
			INSERT INTO experiment_texts (experiment_id, language, title, short_description, story, story_html) VALUES (?, ?, ?, ?, ?, ?)`,
			id, language, t.Title, t.ShortDescription, string(story), markup).Error; err != nil {
			return fmt.Errorf("texts in %s: %w", language, err)
		}
	}
	for position, user := range n.TeamUserIDs {
		if err := tx.WithContext(ctx).Exec(`INSERT INTO experiment_team (experiment_id, user_id, position) VALUES (?, ?, ?)`,
			id, user, position).Error; err != nil {
			return fmt.Errorf("team member %d: %w", user, err)
		}
	}
	for _, tag := range n.TagIDs {
		if err := tx.WithContext(ctx).Exec(`INSERT INTO experiment_tags (experiment_id, tag_id) VALUES (?, ?)
			ON CONFLICT DO NOTHING`, id, tag).Error; err != nil {
			return fmt.Errorf("tag %d: %w", tag, err)
		}
	}
	return nil
}
