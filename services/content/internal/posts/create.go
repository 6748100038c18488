// Package posts is the updates that creators publish on their campaign's page.
//
// It owns the tables posts and post_texts. Invariants: a post begins as a draft, which only those who may edit the
// campaign can see; a published one has a time of publication. Who may edit is decided by package campaigns.
package posts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"

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
	// Intro is plain text, cut between words after 240 characters; when empty it is the beginning of the story.
	Intro string
	Story richtext.Doc
}

// record is a row of posts, as far as it is given when a post is made.
type record struct {
	ID, CampaignID, AuthorID int64
	Level                    int
	Language                 string
	CreatedAt                time.Time
}

// TableName is GORM's.
func (record) TableName() string { return "posts" }

// textRecord is a row of post_texts.
type textRecord struct {
	PostID                 int64
	Language, Title, Intro string
	Story                  richtext.Doc `gorm:"serializer:json"`
	HTML                   string
}

// TableName is GORM's.
func (textRecord) TableName() string { return "post_texts" }

// Create makes a draft in the caller's transaction and returns its id.
func Create(ctx context.Context, tx *gorm.DB, n New, now time.Time) (id int64, err error) {
	if n.Texts[n.Language].Title == "" {
		return 0, fmt.Errorf("create post of campaign %d: %w", n.CampaignID, errors.New("no title in its own language"))
	}
	tx = tx.WithContext(ctx)
	post := record{CampaignID: n.CampaignID, AuthorID: n.AuthorID, Level: n.Level, Language: n.Language, CreatedAt: now}
	if err := tx.Create(&post).Error; err != nil {
		return 0, fmt.Errorf("create post of campaign %d: %w", n.CampaignID, err)
	}
	var texts []textRecord
	for language, t := range n.Texts {
		text, err := t.record(post.ID, language)
		if err != nil {
			return 0, fmt.Errorf("render post %d in %s: %w", post.ID, language, err)
		}
		texts = append(texts, text)
	}
	if err := dbx.CreateAll(tx, texts); err != nil {
		return 0, fmt.Errorf("create texts of post %d: %w", post.ID, err)
	}
	return post.ID, nil
}

func (t Text) record(postID int64, language string) (textRecord, error) {
	markup, plain, err := richtext.Render(t.Story, language)
	intro := t.Intro
	if intro == "" {
		intro = plain
	}
	return textRecord{postID, language, t.Title, richtext.Excerpt(intro, maxIntro), t.Story, markup}, err
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
