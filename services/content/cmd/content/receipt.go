package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/pledging/subscriptions"
)

var errNoReceipt = errors.New("no name is kept for this receipt: its backer has not erased their account, or the time is over")

// receipt says who is on the receipt of an erased person. No screen does.
func receipt(ctx context.Context, number string, environ []string, log *slog.Logger, at console) (err error) {
	var c OperatorConfig
	if err := conf.Load(&c, environ); err != nil {
		return err
	}
	db, err := c.open(ctx, "operator", log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dbx.Close(db)) }()
	kept, err := pledges.ReadKeptReceipt(ctx, db, number)
	if errors.Is(err, apperr.New(apperr.NotFound)) {
		kept, err = subscriptions.ReadKeptReceipt(ctx, db, number)
	}
	if errors.Is(err, apperr.New(apperr.NotFound)) {
		return errNoReceipt
	}
	if err != nil {
		return err
	}
	log.InfoContext(ctx, "a kept receipt was read", "number", number)
	return at.say("%s %s\n%s\nkept until %s", kept.FirstName, kept.LastName, kept.Address, kept.KeepUntil.Format(time.DateOnly))
}
