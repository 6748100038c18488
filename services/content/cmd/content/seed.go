package main

import (
	"context"
	"errors"
	"log/slog"

	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/media/files"
	"talkoot.fi/content/internal/person/secondstep"
	"talkoot.fi/content/internal/person/sessions"
	"talkoot.fi/content/internal/seed"
	"talkoot.fi/content/internal/zone"
)

// fillIn makes the demo content, or with finish closes the campaigns that the demo shows as closed. Both may be
// repeated.
func fillIn(ctx context.Context, environ []string, log *slog.Logger, finish bool) (err error) {
	var c SeedConfig
	if err := conf.Load(&c, environ); err != nil {
		return err
	}
	location, err := zone.Load()
	if err != nil {
		return err
	}
	key, olderKeys, err := session.ParseKeys(c.SessionKey.List())
	if err != nil {
		return err
	}
	db, err := c.open(ctx, "seed", log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dbx.Close(db)) }()
	pictures, err := files.Open(ctx, files.Options{BlobURL: c.BlobURL, Cloud: objectStorage, Log: log, Now: clock})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pictures.Close()) }()
	steps, err := secondstep.New(secondstep.Options{DB: db, Now: clock, Keys: sessions.SealsOf(session.NewSigner(key, clock, olderKeys...), c.SealingKey.All()...),
		PublicURL: c.PublicURL})
	if err != nil {
		return err
	}
	options := seed.Options{DB: db, Files: pictures, Steps: steps, Log: log, Now: clock, Zone: location, Dir: c.DemoDir}
	if finish {
		return seed.Finish(ctx, options)
	}
	return seed.Fill(ctx, options)
}
