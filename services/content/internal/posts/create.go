// Package posts is what creators write to those who follow a campaign.
//
// It owns the tables posts and post_texts. Invariants: a post begins as a draft, which only those who may edit the
// campaign see; a published one has the time it was published. Who may edit is decided by package campaigns.
package posts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/richtext"
)

// maxIntro is the longest intro in characters.
const maxIntro = 240

// ErrUnknown is a post that is not there, or not for this reader.
var ErrUnknown = apperr.New(apperr.NotFound)

// New is a post to be made.
type New struct {
	CampaignID, AuthorID int64
	Language             string // the post's own: fi, en, sv
	Level                int
	Texts                map[string]Text // by language; the post's own is needed
}

// Text is a post in one language.
type Text struct {
	Title string
	// Intro is plain text; what is longer than 240 characters is cut between words. Empty takes the story's beginning.
	Intro string
	Story richtext.Doc
}

// Create makes a draft in the caller's transaction and returns its id.
func Create(ctx context.Context, tx *gorm.DB, n New, now time.Time) (id int64, err error) {
	if n.Texts[n.Language].Title == "" {
		return 0, fmt.Errorf("create post of campaign %d: %w", n.CampaignID, errors.New("no title in its own language"))
	}
	err = tx.WithContext(ctx).Raw(`
		INSERT INTO posts (campaign_id, author_id, level, language, created_at) VALUES (?, ?, ?, ?, ?) RETURNING id`,
		n.CampaignID, n.AuthorID, n.Level, n.Language, now).Scan(&id).Error
	if err != nil {
		return 0, fmt.Errorf("create post of campaign %d: %w", n.CampaignID, err)
	}
	for language, t := range n.Texts {
		if err := insertText(ctx, tx, id, language, t); err != nil {
			return 0, fmt.Errorf("create text of post %d in %s: %w", id, language, err)
		}
	}
	return id, nil
}

func insertText(ctx context.Context, tx *gorm.DB, id int64, language string, t Text) error {
	markup, plain, err := richtext.Render(t.Story, language)
	if err != nil {
		return err
	}
	story, err := json.Marshal(t.Story)
	if err != nil {
		return err
	}
	intro := t.Intro
	if intro == "" {
		intro = plain
	}
	return tx.WithContext(ctx).Exec(`INSERT INTO post_texts (post_id, language, title, intro, story, html) VALUES (?, ?, ?, ?, ?, ?)`,
		id, language, t.Title, richtext.Excerpt(intro, maxIntro), string(story), markup).Error
}

// Publish makes a draft public as of a time, in the caller's transaction. Publishing again changes nothing.
// Error: ErrUnknown.
func Publish(ctx context.Context, tx *gorm.DB, id int64, at time.Time) error {
	done := tx.WithContext(ctx).Exec(`
		UPDATE posts SET published_at = CASE WHEN status = 'draft' THEN CAST(@at AS timestamptz) ELSE published_at END, status = 'published'
		WHERE id = @id`, map[string]any{"id": id, "at": at})
	if done.Error != nil {
		return fmt.Errorf("publish post %d: %w", id, done.Error)
	}
	if done.RowsAffected == 0 {
		return ErrUnknown
	}
	return nil
}
