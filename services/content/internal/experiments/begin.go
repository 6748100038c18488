package experiments

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/richtext"
)

// BeginRules limit beginning experiments, by person, together with campaigns.
func BeginRules(limit ratelimit.Limit) ratelimit.Rules {
	return ratelimit.Rules{"POST /experiments": {{Name: "draft", Limit: limit}}}
}

// Draft is what a person begins an experiment with. Everything but the owner and the language may be empty.
type Draft struct {
	UserID   int64  // its owner
	Language string // its own: fi, en, sv
	Location Location
	Text
	// Key is the client's idempotency key, empty for none; Hash is that of everything else.
	Key  string
	Hash []byte
}

// Begun is an experiment that somebody has begun.
type Begun struct {
	ID, Version int64
	Slug        string
}

// Begin makes an idea in a transaction, with its audit row. No list for visitors shows it before its team says so. With
// an idempotency key a repeat gives the experiment that the first call made, as it is now: the person is locked, so that
// calls at the same time come one after the other. Errors: InvalidFields; idempotency_mismatch.
func Begin(ctx context.Context, db *gorm.DB, d Draft, now time.Time) (made Begun, err error) {
	key := idem.Key{Scope: idem.Scope("experiments", strconv.FormatInt(d.UserID, 10)), Key: d.Key, Hash: d.Hash}
	if d.Key != "" {
		if err := key.Check(); err != nil {
			return made, err
		}
	}
	if err := d.Location.check(apperr.New(apperr.InvalidFields)).OrNil(); err != nil {
		return made, err
	}
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		if err := tx.WithContext(ctx).Exec(`SELECT FROM users WHERE id = ? FOR NO KEY UPDATE`, d.UserID).Error; err != nil {
			return fmt.Errorf("lock user %d: %w", d.UserID, err)
		}
		if before, repeated, err := idem.Find(ctx, tx, key); err != nil || repeated {
			if err == nil {
				made, err = readBegun(ctx, tx, before)
			}
			return err
		}
		if made, err = begin(ctx, tx, d, now); err != nil || d.Key == "" {
			return err
		}
		_, _, err = idem.Claim(ctx, tx, key, strconv.FormatInt(made.ID, 10))
		return err
	})
	return made, err
}

func begin(ctx context.Context, tx *gorm.DB, d Draft, now time.Time) (made Begun, err error) {
	title := richtext.Line(d.Title)
	made.Slug, made.Version = campaigns.SlugOf(title, d.Language), 1
	made.ID, err = Create(ctx, tx, New{Slug: made.Slug, Language: d.Language, Place: richtext.Line(d.Location.Place),
		Latitude: d.Location.Latitude, Longitude: d.Location.Longitude, TeamUserIDs: []int64{d.UserID},
		Texts: map[string]Text{d.Language: {Title: title, ShortDescription: richtext.Line(d.ShortDescription)}}}, now)
	if err != nil {
		return made, err
	}
	return made, changes.Record(ctx, tx, "create_experiment", entity, made.ID, changes.User(d.UserID), nil,
		map[string]any{d.Language + ".title": title}, now)
}

// readBegun finds the experiment that an earlier call made. Error: ErrUnknown.
func readBegun(ctx context.Context, tx *gorm.DB, id string) (made Begun, err error) {
	found := tx.WithContext(ctx).Raw(`SELECT id, version, slug FROM experiments WHERE id = CAST(? AS bigint)`, id).Scan(&made)
	if found.Error != nil {
		return made, fmt.Errorf("read experiment %s: %w", id, found.Error)
	}
	if found.RowsAffected == 0 {
		return made, ErrUnknown
	}
	return made, nil
}
