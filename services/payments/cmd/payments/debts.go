package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/app"
)

func listDebts(flags) (act, error) {
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		list, err := a.Settlements.Debts(ctx)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(table, "CREATOR\tPROVIDER\tOWES\tKEPT BACK\tNOT SENT\tBEING TAKEN BACK\tWRITE-OFF\tOF\tBY\tNOTE")
		for _, d := range list {
			sum := func(minor int64) money.Amount { return money.New(minor, d.Currency) }
			_, _ = fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", d.PayeeID, d.Provider, sum(d.Minor), sum(d.KeptMinor), sum(d.Unsent), sum(d.Coming),
				cmp.Or(d.WriteOff, "-"), sum(d.Amount), cmp.Or(d.Proposed, "-"), cmp.Or(d.Note, "-"))
		}
		return table.Flush()
	}, nil
}

func writeOff(f flags) (act, error) {
	named := 0
	for _, is := range []bool{f.creator != 0, f.approve != "", f.cancel != ""} {
		if is {
			named++
		}
	}
	if named != 1 {
		return nil, errors.New("write-off: name one of -creator, -approve, -cancel")
	}
	if f.creator == 0 {
		return func(ctx context.Context, a *app.App, out io.Writer) error {
			if f.cancel != "" {
				return done(out, a.Settlements.CancelWriteOff(ctx, f.cancel, f.Actor, f.Note), "write-off %s is ended; the debt stays", f.cancel)
			}
			w, err := a.Settlements.ApproveWriteOff(ctx, f.approve, f.Actor, f.Note)
			return done(out, err, "%s that user %d owed at %s are given up", money.New(w.AmountMinor, w.Currency), w.PayeeID, w.Provider)
		}, nil
	}
	currency, err := money.ParseCurrency(f.currency)
	if err != nil {
		return nil, fmt.Errorf("write-off: -currency %q is none of ours", f.currency)
	}
	amount, err := money.ParseMajor(f.amount, currency)
	if err != nil || amount.Minor == 0 {
		return nil, fmt.Errorf("write-off: -amount %q is no amount", f.amount)
	}
	if f.from == "" {
		return nil, errors.New("write-off: name the provider (-provider)")
	}
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		id, err := a.Settlements.ProposeWriteOff(ctx, f.from, f.creator, amount, f.Actor, f.Note)
		return done(out, err, "write-off %s is proposed: another person approves it", id)
	}, nil
}
