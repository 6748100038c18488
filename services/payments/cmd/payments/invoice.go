package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/payout/invoices"
)

// aMonth is how a month is written.
const aMonth = "2006-01"

func bookInvoice(f flags) (act, error) {
	if f.from == "" || f.number == "" || f.key == "" {
		return nil, errors.New("invoice: name the provider (-provider), its number (-number) and the request (-key)")
	}
	period, err := time.Parse(aMonth, f.period)
	if err != nil {
		return nil, fmt.Errorf("invoice: -period %q is no month such as 2026-11", f.period)
	}
	currency, err := money.ParseCurrency(f.currency)
	if err != nil {
		return nil, fmt.Errorf("invoice: -currency %q is none of ours", f.currency)
	}
	amount, err := money.ParseMajor(f.amount, currency)
	if err != nil || amount.Minor == 0 {
		return nil, fmt.Errorf("invoice: -amount %q is no amount", f.amount)
	}
	vat, err := money.ParseMajor(f.vat, currency)
	if err != nil {
		return nil, fmt.Errorf("invoice: -vat %q is no amount; say 0 when there is none", f.vat)
	}
	if f.corrects != "" && f.deducted {
		return nil, errors.New("invoice: a correction goes to where its invoice was paid from, without -deducted")
	}
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		if a.Providers[f.from] == nil {
			return fmt.Errorf("%q is no provider of ours", f.from)
		}
		in := invoices.Invoice{Provider: f.from, Number: f.number, Corrects: f.corrects, Period: period, Amount: amount, VATMinor: vat.Minor,
			IsDeducted: f.deducted, Key: f.key, Actor: f.Actor, Note: f.Note}
		isNew, err := invoices.Book(ctx, a.DB, in, a.Now())
		if err == nil && !isNew {
			return done(out, nil, "%s of %s was booked before", f.number, f.from)
		}
		return done(out, err, "%s of %s is booked: %s with %s of tax", f.number, f.from, amount, vat)
	}, nil
}

func listInvoices(flags) (act, error) {
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		list, err := invoices.List(ctx, a.DB)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(table, "MONTH\tPROVIDER\tNUMBER\tCORRECTS\tAMOUNT\tTAX\tDEDUCTED\tAT\tBY\tWHY")
		for _, one := range list {
			_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%t\t%s\t%s\t%s\n", one.Period.Format(aMonth), one.Provider, one.Number, one.Corrects,
				one.Amount, money.New(one.VATMinor, one.Amount.Currency), one.IsDeducted, one.At.Format(time.RFC3339), one.Actor, one.Note)
		}
		return table.Flush()
	}, nil
}
