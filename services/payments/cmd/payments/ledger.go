package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/book/ledger"
)

// readLedger writes a sealed day's text as it is now, or compares all sealed days, and a hash that was noted of one.
func readLedger(f flags) (act, error) {
	if f.verify == (f.day != "") {
		return nil, errors.New("ledger: name one of -verify, -day")
	}
	if f.hash != "" && !f.verify {
		return nil, errors.New("ledger: -hash is of -verify only")
	}
	day, err := time.Parse(time.DateOnly, f.day)
	if f.day != "" && err != nil {
		return nil, fmt.Errorf("ledger: -day %q is no date such as 2026-11-27", f.day)
	}
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		if f.verify {
			return verifyLedger(ctx, a, f.hash, out)
		}
		sealed, err := ledger.Days(ctx, a.DB, day.AddDate(0, 0, 1), 1)
		if err != nil {
			return err
		}
		if len(sealed) == 0 || !sealed[0].Day.Equal(day) {
			return fmt.Errorf("%s is not sealed", f.day)
		}
		_, err = ledger.WriteDay(ctx, a.DB, day, sealed[0].PreviousHash, out)
		return err
	}, nil
}

// verifyLedger compares the sealed days and the closings of accounts with the book, and with a hash that somebody has noted, "" for none: whoever is past all rights can
// have the whole book sealed anew, but not as it was noted.
func verifyLedger(ctx context.Context, a *app.App, noted string, out io.Writer) error {
	differ := 0
	days, err := ledger.VerifyDays(ctx, a.DB, a.Now(), func(day time.Time, what string) {
		differ++
		_, _ = fmt.Fprintf(out, "%s %s\n", day.Format(time.DateOnly), what)
	})
	if err != nil {
		return err
	}
	closings, err := ledger.VerifyClosings(ctx, a.DB, func(what string) {
		differ++
		_, _ = fmt.Fprintln(out, what)
	})
	if err != nil {
		return err
	}
	if differ > 0 {
		return fmt.Errorf("%d faults in %d sealed days and %d closings of accounts", differ, days, closings)
	}
	if noted != "" {
		if is, err := ledger.IsSeal(ctx, a.DB, noted); err != nil || !is {
			return errors.Join(err, fmt.Errorf("no sealed day has the hash %s", noted))
		}
	}
	_, err = fmt.Fprintf(out, "%d sealed days are as they were, %d closings of accounts are the sums of their entries\n", days, closings)
	return err
}
