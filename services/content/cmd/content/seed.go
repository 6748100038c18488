package main

import (
	"context"
	"errors"
	"log/slog"

	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/files"
	"talkoot.fi/content/internal/seed"
)

// fillIn makes the demo content, or with finish closes the campaigns that the demo shows as closed. Both may be
// repeated.
func fillIn(ctx context.Context, environ []string, log *slog.Logger, finish bool) (err error) {
	var c SeedConfig
	if err := conf.Load(&c, environ); err != nil {
		return err
	}
	zone, err := c.zone()
	if err != nil {
		return err
	}
	db, err := c.open(ctx, "seed", log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dbx.Close(db)) }()
	pictures, err := files.Open(ctx, files.Options{BlobURL: c.BlobURL, Log: log, Now: clock})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pictures.Close()) }()
	options := seed.Options{DB: db, Files: pictures, Log: log, Now: clock, Zone: zone, Dir: c.DemoDir}
	if finish {
		return seed.Finish(ctx, options)
	}
	return seed.Fill(ctx, options)
}
