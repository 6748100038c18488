package posts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/mail/letters"
)

// Admin is all that writing a post needs.
type Admin struct {
	record
	Author string
	Number int // its place among the campaign's posts, from 1
	Texts  []textRecord
	// Letters says whom its letters reach.
	Letters letters.Counts
}

// ReadAdmin reads a post for those who may edit it. Error: ErrUnknown.
func ReadAdmin(ctx context.Context, db *gorm.DB, campaignID, postID int64, now time.Time) (a Admin, err error) {
	err = db.WithContext(ctx).Session(&gorm.Session{QueryFields: true}).
		Where("campaign_id = ? AND deleted_at IS NULL", campaignID).Take(&a.record, postID).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return a, ErrUnknown
	}
	if err == nil {
		err = db.WithContext(ctx).Where("post_id = ?", postID).Order("language").Find(&a.Texts).Error
	}
	if err == nil {
		err = db.WithContext(ctx).Raw(`
			SELECT concat_ws(' ', u.first_name, u.last_name) AS author, (
				SELECT count(*) FROM posts x WHERE x.campaign_id = ? AND x.id <= ? AND x.deleted_at IS NULL) AS number
			FROM users u WHERE u.id = ?`, campaignID, postID, a.AuthorID).Row().Scan(&a.Author, &a.Number)
	}
	if err != nil {
		return a, fmt.Errorf("read post %d for its writers: %w", postID, err)
	}
	a.Letters, err = letters.Count(ctx, db, campaignID, postID, a.Level, now)
	return a, err
}
