package posts

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/writing/richtext"
)

// maxIntro is the longest intro in characters.
const maxIntro = 240

// ErrUnknown is a post that is not there, or not for this reader.
var ErrUnknown = apperr.New(apperr.NotFound)

// maxPublished is how many posts of a campaign may be published for the first time within 24 hours.
const maxPublished = 10

// ErrTooMany refuses to publish more than maxPublished: each is mailed to all backers.
var ErrTooMany = apperr.New(apperr.TooManyPosts)

// Status says whether readers see a post.
type Status string

// The statuses of a post.
const (
	Draft     Status = "draft"
	Published Status = "published"
)

// New is a post to be made.
type New struct {
	CampaignID, AuthorID int64
	Language             string // the post's own: fi, en, sv
	Level                int
	Texts                map[string]Text // by language
}

// Text is a post in one language.
type Text struct {
	Title string
	// Intro is plain text for lists, which everybody may read, whatever the post's level. When empty it is made from the
	// beginning of the story's first paragraph, or, for readers below the post's level, of its preview. It is cut between
	// words after 240 characters.
	Intro string
	Story richtext.Doc
}

// record is a row of posts.
type record struct {
	ID, CampaignID, AuthorID, Version int64
	Status                            Status
	Level                             int
	Language                          string
	PublishedAt, DeletedAt            *time.Time
	CreatedAt, UpdatedAt              time.Time
}

// TableName is GORM's.
func (record) TableName() string { return "posts" }

// textRecord is a row of post_texts.
type textRecord struct {
	PostID                 int64
	Language, Title, Intro string
	Story                  richtext.Doc `gorm:"serializer:json"`
	HTML                   string
	Teaser, TeaserIntro    string    // instead of HTML and Intro, for readers below the post's level
	UpdatedAt              time.Time `gorm:"autoUpdateTime:false"` // by the caller's clock
}

// TableName is GORM's.
func (textRecord) TableName() string { return "post_texts" }

// Create makes a draft in the caller's transaction and returns its id.
func Create(ctx context.Context, tx *gorm.DB, n New, now time.Time) (id int64, err error) {
	tx = tx.WithContext(ctx)
	post := record{CampaignID: n.CampaignID, AuthorID: n.AuthorID, Version: 1, Status: Draft, Level: n.Level,
		Language: n.Language, CreatedAt: now, UpdatedAt: now}
	if err := tx.Create(&post).Error; err != nil {
		return 0, fmt.Errorf("create post of campaign %d: %w", n.CampaignID, err)
	}
	var texts []textRecord
	for language, t := range n.Texts {
		text, err := t.record(post.ID, language, now)
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

// record renders a text. Errors: those of richtext.Render.
func (t Text) record(postID int64, language string, now time.Time) (textRecord, error) {
	r := textRecord{PostID: postID, Language: language, Title: t.Title, Story: t.Story, UpdatedAt: now}
	var whole, first, teaser string
	var err error
	if r.HTML, whole, err = richtext.Render(t.Story, language); err != nil {
		return r, err
	}
	if _, first, err = richtext.Render(t.Story.FirstParagraph(), language); err != nil {
		return r, err
	}
	if r.Teaser, teaser, err = t.preview(whole, language); err != nil {
		return r, err
	}
	if t.Intro != "" {
		first, teaser = t.Intro, t.Intro
	}
	r.Intro, r.TeaserIntro = richtext.Excerpt(first, maxIntro), richtext.Excerpt(teaser, maxIntro)
	return r, nil
}

// Publish makes a draft public as of a time, in the caller's transaction, without letters: it is for posts that come
// from elsewhere, such as the demo content. People publish with Change. Publishing again changes nothing. Error:
// ErrUnknown.
func Publish(ctx context.Context, tx *gorm.DB, id int64, at time.Time) error {
	done := tx.WithContext(ctx).Exec(`
		UPDATE posts SET published_at = coalesce(published_at, CAST(@at AS timestamptz)), status = 'published'
		WHERE id = @id AND deleted_at IS NULL`, map[string]any{"id": id, "at": at})
	if done.Error != nil {
		return fmt.Errorf("publish post %d: %w", id, done.Error)
	}
	if done.RowsAffected == 0 {
		return ErrUnknown
	}
	return nil
}
