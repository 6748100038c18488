package app

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/payments/internal/provider"
)

// warmConns is how many connections to PostgreSQL stand ready for calls however long none comes.
const warmConns = 2

// accountTimeout bounds how long a start waits for the providers to say whose their keys are.
const accountTimeout = 5 * time.Second

// Serve runs the API until ctx ends.
func (a *App) Serve(ctx context.Context) error {
	if err := a.CheckAccounts(ctx); err != nil {
		return err
	}
	a.noteUnopened(ctx)
	handler, err := a.Handler()
	if err != nil {
		return err
	}
	// Requests that are still answered after ctx has ended wake too.
	waking, stop := context.WithCancel(context.WithoutCancel(ctx))
	var group errgroup.Group
	group.Go(func() error { return a.waker.Run(waking) })
	group.Go(func() error { return dbx.KeepWarm(waking, a.DB, warmConns) })
	group.Go(func() error {
		defer stop()
		return httpx.Run(ctx, handler, a.config.Addr, a.config.Leave)
	})
	return group.Wait()
}

// CheckAccounts makes sure that every provider's key is of the account that our money is in. A provider that does not answer is
// no error: it is asked again before its first call. Error: provider.ErrOtherAccount.
func (a *App) CheckAccounts(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, accountTimeout)
	defer cancel()
	for name, p := range a.Providers {
		pinned, can := p.(interface {
			CheckAccount(ctx context.Context) error
		})
		if !can {
			continue
		}
		if err := pinned.CheckAccount(ctx); errors.Is(err, provider.ErrOtherAccount) {
			return err //nolint:wrapcheck // it says all
		} else if err != nil {
			a.log.WarnContext(ctx, "the account at a provider is not known yet", "provider", name, "error", err)
		}
	}
	return nil
}

// noteUnopened says at a start that a key is missing: it is needed until `payments reseal` has run.
func (a *App) noteUnopened(ctx context.Context) {
	n, err := a.TaxData.Unopened(ctx)
	if err != nil || n > 0 {
		a.log.ErrorContext(ctx, "tax data are sealed by a key that is not here: give SEALING_KEY (or SERVICE_SECRET) the one of before, too", "records", n, "error", err)
	}
}
