package people

import (
	"context"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/kit/dbx"
)

// Empty takes away what somebody without a confirmed address has written of themselves, all but the name, in the caller's transaction,
// which holds no person yet. Whoever has confirmed their address keeps it. Error: ErrUnknown.
func Empty(ctx context.Context, tx *gorm.DB, userID int64, now time.Time) error {
	e := Edit{UserID: userID, By: changes.User(userID), Now: now}
	_, err := e.makeIn(ctx, tx, change{"empty_profile", true, false,
		func(ctx context.Context, tx *gorm.DB, r *record, c *changes.Change) error {
			if r.Verified {
				return nil
			}
			none := ""
			changes.Set(c, "short_description", "short_description", &r.ShortDescription, &none)
			changes.Set(c, "long_description", "long_description", &r.LongDescription, &none)
			changes.Set(c, "image_collection", "image", &r.Image, &none)
			if len(r.Skills) > 0 {
				changes.Set(c, "skills", "skills", &r.Skills, &dbx.TextArray{})
			}
			if len(r.Links) > 0 {
				c.Note("links", r.Links, []profiles.Link{})
				c.Column("links", "[]")
			}
			if r.Phone != "" {
				c.Column("phone", "")
				c.Note("meta.phone", nil, nil)
			}
			return writeTags(ctx, tx, r.ID, c, []int64{})
		}})
	return err
}
