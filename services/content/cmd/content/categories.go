package main

import (
	"context"
	"errors"
	"log/slog"

	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/taxonomy"
)

// addCategories adds the usual categories that are missing. It may be repeated.
func addCategories(ctx context.Context, environ []string, log *slog.Logger, at console) (err error) {
	var c OperatorConfig
	if err := conf.Load(&c, environ); err != nil {
		return err
	}
	db, err := c.open(ctx, "operator", log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dbx.Close(db)) }()
	added, err := taxonomy.AddUsual(ctx, db)
	if err != nil {
		return err
	}
	return at.say("Done: %d categories are added.", added)
}
