package posts

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/idem"

	"talkoot.fi/content/internal/mail/letters"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/richtext"
)

// Edit is who changes which post, and when.
type Edit struct {
	CampaignID, PostID int64
	// Known is the version that the person has seen, 0 for any.
	Known int64
	By    changes.Actor
	Now   time.Time
}

// Wanted is a change of a post. Nil leaves a field as it is.
type Wanted struct {
	// Language is that of Title and Story; nil is the post's own.
	Language *string
	Title    *string
	Story    *richtext.Doc
	Status   *Status
	Level    *int
}

// Begin makes a post of what the person wants: a draft of level 0 unless they say otherwise, in the campaign's language
// unless they name one. It returns the post's id. Edit.PostID and Edit.Known are not used. With an idempotency key (its
// Key is empty without) a repeat gives the post that the first call made; those of one person come one after the other.
// Errors: those of Change; idempotency_mismatch.
func Begin(ctx context.Context, db *gorm.DB, e Edit, key idem.Key, wanted Wanted) (id int64, err error) {
	if key.Key == "" {
		err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
			id, err = begin(ctx, tx, e, wanted)
			return err
		})
		return id, err
	}
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		err := tx.WithContext(ctx).Exec(`SELECT FROM users WHERE id = ? FOR NO KEY UPDATE`, e.By.UserID).Error
		if err != nil {
			return fmt.Errorf("lock the author: %w", err)
		}
		before, repeated, err := idem.Find(ctx, tx, key)
		if err != nil {
			return err
		}
		if repeated {
			id, err = strconv.ParseInt(before, 10, 64)
			return err
		}
		if id, err = begin(ctx, tx, e, wanted); err != nil {
			return err
		}
		_, _, err = idem.Claim(ctx, tx, key, strconv.FormatInt(id, 10))
		return err
	})
	return id, err
}

func begin(ctx context.Context, tx *gorm.DB, e Edit, wanted Wanted) (id int64, err error) {
	n := New{CampaignID: e.CampaignID, AuthorID: *e.By.UserID}
	if wanted.Language != nil {
		n.Language = *wanted.Language
	} else {
		read := tx.WithContext(ctx).Raw(`SELECT language FROM campaigns WHERE id = ?`, e.CampaignID)
		if err := read.Scan(&n.Language).Error; err != nil {
			return 0, fmt.Errorf("read the language of campaign %d: %w", e.CampaignID, err)
		}
	}
	if id, err = Create(ctx, tx, n, e.Now); err != nil {
		return 0, err
	}
	before, after := map[string]any{"status": nil}, map[string]any{"status": Draft}
	if err := changes.Record(ctx, tx, "create_post", "post", id, e.By, before, after, e.Now); err != nil {
		return 0, err
	}
	e.PostID, e.Known = id, 0
	return id, change(ctx, tx, e, wanted)
}

// Change changes a post, publishes it or takes it back, in one transaction. The caller has checked who may do it
// (campaigns.RequireEdit). The first publication queues the post's letters. Without a change nothing is written.
// Errors: ErrUnknown; ChangedMeanwhile; ErrTooMany; InvalidFields for a text that cannot be rendered, and for a
// published post without title or text in its own language.
func Change(ctx context.Context, db *gorm.DB, e Edit, wanted Wanted) error {
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error { return change(ctx, tx, e, wanted) })
}

func change(ctx context.Context, tx *gorm.DB, e Edit, wanted Wanted) error {
	post, c, err := e.begin(ctx, tx)
	if err != nil {
		return err
	}
	changes.Set(c, "meta.level", "level", &post.Level, wanted.Level)
	changes.Set(c, "status", "status", &post.Status, wanted.Status)
	if err := changeText(ctx, tx, c, post, e.Now, wanted); err != nil {
		return err
	}
	if c.Any() && post.Status == Published {
		if err := requireText(ctx, tx, post); err != nil {
			return err
		}
	}
	action := "change_post"
	if c.Has("status") {
		action = map[Status]string{Published: "publish_post", Draft: "unpublish_post"}[post.Status]
	}
	if c.Has("status") && post.Status == Published && post.PublishedAt == nil {
		if err := checkPublished(ctx, tx, e); err != nil {
			return err
		}
		c.Column("published_at", e.Now)
	}
	if err := c.Save(ctx, tx, action, e.By, e.Now); err != nil {
		return err
	}
	if c.Has("status") && post.Status == Published {
		return letters.Begin(ctx, tx, post.ID)
	}
	return nil
}

// checkPublished counts the campaign's posts that were first published in the last 24 hours, deleted ones too, because
// their letters have been sent. It locks the campaign, so that concurrent publications cannot exceed the limit. Error:
// ErrTooMany.
func checkPublished(ctx context.Context, tx *gorm.DB, e Edit) error {
	tx = tx.WithContext(ctx)
	if err := tx.Exec(`SELECT FROM campaigns WHERE id = ? FOR NO KEY UPDATE`, e.CampaignID).Error; err != nil {
		return fmt.Errorf("lock campaign %d: %w", e.CampaignID, err)
	}
	var published int
	err := tx.Raw(`SELECT count(*) FROM posts WHERE campaign_id = ? AND published_at > ?`, e.CampaignID,
		e.Now.Add(-24*time.Hour)).Scan(&published).Error
	if err != nil {
		return fmt.Errorf("count posts of campaign %d: %w", e.CampaignID, err)
	}
	if published >= maxPublished {
		return ErrTooMany
	}
	return nil
}

// Delete hides a post from everybody for good, in one transaction; links to it answer 404. Its row stays in the
// database, because its letters have been sent and people may ask about them. Errors: ErrUnknown; ChangedMeanwhile.
func Delete(ctx context.Context, db *gorm.DB, e Edit) error {
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		post, c, err := e.begin(ctx, tx)
		if err != nil {
			return err
		}
		c.Note("status", post.Status, "deleted")
		c.Column("status", Draft)
		c.Column("deleted_at", e.Now)
		return c.Save(ctx, tx, "delete_post", e.By, e.Now)
	})
}

// Sendable refuses a post that has no title or no text in its own language. Errors: ErrUnknown; InvalidFields.
func Sendable(ctx context.Context, db *gorm.DB, e Edit) error {
	var found []record
	err := db.WithContext(ctx).Where("id = ? AND campaign_id = ? AND deleted_at IS NULL", e.PostID,
		e.CampaignID).Find(&found).Error
	if err != nil {
		return fmt.Errorf("read post %d: %w", e.PostID, err)
	}
	if len(found) == 0 {
		return ErrUnknown
	}
	return requireText(ctx, db, found[0])
}

// Versioned is changes.Row.
func (p record) Versioned() (changes.Entity, int64) {
	return changes.Entity{Name: "post", Table: "posts", ID: p.ID}, p.Version
}

// begin begins a change of a post. Errors: ErrUnknown; ChangedMeanwhile.
func (e Edit) begin(ctx context.Context, tx *gorm.DB) (record, *changes.Change, error) {
	return changes.LockKnown[record](ctx, tx.Where("campaign_id = ? AND deleted_at IS NULL", e.CampaignID), e.PostID, e.Known,
		changes.ForNoKeyUpdate)
}

// changeText writes the wanted text of one language. The audit row has it under content.<language>.
func changeText(ctx context.Context, tx *gorm.DB, c *changes.Change, post record, now time.Time, wanted Wanted) error {
	if wanted.Title == nil && wanted.Story == nil {
		return nil
	}
	language := post.Language
	if wanted.Language != nil {
		language = *wanted.Language
	}
	var found []textRecord
	err := tx.WithContext(ctx).Where("post_id = ? AND language = ?", post.ID, language).Find(&found).Error
	if err != nil {
		return fmt.Errorf("read the text of post %d in %s: %w", post.ID, language, err)
	}
	var was Text
	if len(found) > 0 {
		was = Text{Title: found[0].Title, Story: found[0].Story}
	}
	text := was
	if wanted.Title != nil {
		text.Title = richtext.Line(*wanted.Title)
	}
	if wanted.Story != nil {
		text.Story = *wanted.Story
	}
	next, err := text.record(post.ID, language, now)
	if err != nil {
		return apperr.New(apperr.InvalidFields).WithField("content.json", apperr.RuleFormat).Wrap(err)
	}
	if !noteText(c, language, was, text) {
		return nil
	}
	key := clause.OnConflict{Columns: []clause.Column{{Name: "post_id"}, {Name: "language"}}, UpdateAll: true}
	if err := tx.WithContext(ctx).Clauses(key).Create(&next).Error; err != nil {
		return fmt.Errorf("write the text of post %d in %s: %w", post.ID, language, err)
	}
	return nil
}

// noteText notes what differs between two texts, and reports whether anything does.
func noteText(c *changes.Change, language string, was, is Text) bool {
	differs := changes.Set(c, "content."+language+".title", "", &was.Title, &is.Title)
	if !was.Story.Equal(is.Story) {
		c.Note("content."+language+".json", was.Story, is.Story)
		differs = true
	}
	return differs
}

// requireText refuses to publish a post without title or text in its own language. Error: InvalidFields.
func requireText(ctx context.Context, tx *gorm.DB, post record) error {
	var found []textRecord
	err := tx.WithContext(ctx).Where("post_id = ? AND language = ?", post.ID, post.Language).Find(&found).Error
	if err != nil {
		return fmt.Errorf("read the text of post %d: %w", post.ID, err)
	}
	faults := apperr.New(apperr.InvalidFields)
	if len(found) == 0 || found[0].Title == "" {
		faults = faults.WithField("content.title", apperr.RuleRequired)
	}
	if len(found) == 0 || !found[0].Story.HasText() {
		faults = faults.WithField("content.json", apperr.RuleRequired)
	}
	return faults.OrNil()
}
