package main

import (
	"context"
	"errors"
	"log/slog"

	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/person/secondstep"
	"talkoot.fi/content/internal/person/sessions"
)

// reseal seals the secrets of code apps by the key in use, so that those of before can be taken away.
func reseal(ctx context.Context, environ []string, log *slog.Logger, at console) (err error) {
	var c ResealConfig
	if err := conf.Load(&c, environ); err != nil {
		return err
	}
	key, older, err := session.ParseKeys(c.SessionKey.List())
	if err != nil {
		return err
	}
	db, err := c.open(ctx, "reseal", log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dbx.Close(db)) }()
	n, err := secondstep.Reseal(ctx, db, sessions.SealsOf(session.NewSigner(key, clock, older...), c.SealingKey.All()...))
	return errors.Join(err, at.say("%d code apps are sealed by the key in use now.", n))
}
