package experiments

import (
	"context"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/campaigns"
	"talkoot.fi/content/internal/changes"
	"talkoot.fi/content/internal/richtext"
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
}

// Begun is an experiment that somebody has begun.
type Begun struct {
	ID   int64
	Slug string
}

// Begin makes an idea in a transaction, with its audit row. No list for visitors shows it before its team says so.
// Error: InvalidFields.
func Begin(ctx context.Context, db *gorm.DB, d Draft, now time.Time) (b Begun, err error) {
	title := richtext.Line(d.Title)
	b.Slug = campaigns.SlugOf(title, d.Language)
	if err := d.Location.check(apperr.New(apperr.InvalidFields)).OrNil(); err != nil {
		return b, err
	}
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		b.ID, err = Create(ctx, tx, New{Slug: b.Slug, Language: d.Language, Place: richtext.Line(d.Location.Place),
			Latitude: d.Location.Latitude, Longitude: d.Location.Longitude, TeamUserIDs: []int64{d.UserID},
			Texts: map[string]Text{d.Language: {Title: title, ShortDescription: richtext.Line(d.ShortDescription)}}}, now)
		if err != nil {
			return err
		}
		return changes.Record(ctx, tx, "create_experiment", entity, b.ID, changes.User(d.UserID), nil,
			map[string]any{d.Language + ".title": title}, now)
	})
	return b, err
}
