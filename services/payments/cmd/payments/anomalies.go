package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/watching/anomalies"
)

func listAnomalies(f flags) (act, error) {
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		list, err := anomalies.List(ctx, a.DB, f.all)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(table, "ID\tFOUND\tKIND\tREFERENCE\tPAYMENT\tDETAIL\tCLOSED")
		for _, one := range list {
			payment, closed := "-", "-"
			if one.PaymentID != nil {
				payment = *one.PaymentID
			}
			if one.ResolvedAt != nil {
				closed = one.ResolvedBy + ": " + one.Note
			}
			var detail []string
			for _, key := range slices.Sorted(maps.Keys(one.Detail)) {
				detail = append(detail, key+"="+one.Detail[key])
			}
			_, _ = fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", one.ID, one.FoundAt.Format(time.RFC3339), one.Kind,
				one.Reference, payment, strings.Join(detail, " "), closed)
		}
		return table.Flush()
	}, nil
}

func resolve(f flags) (act, error) {
	if f.anomaly == 0 {
		return nil, errors.New("resolve: name the anomaly (-anomaly)")
	}
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		return done(out, a.Payments.Resolve(ctx, f.anomaly, f.Operator), "anomaly %d is closed", f.anomaly)
	}, nil
}

func releaseHeld(f flags) (act, error) {
	if f.charge == "" || f.accept == f.giveBack {
		return nil, errors.New("release-held: name the charge (-charge) and one of -accept, -return")
	}
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		what := "goes back"
		if f.accept {
			what = "is the payment's"
		}
		return done(out, a.Payments.ReleaseHeld(ctx, f.from, f.charge, f.accept, f.Operator), "the money of %s %s", f.charge,
			what)
	}, nil
}

func attach(f flags) (act, error) {
	if f.charge == "" || f.payment == "" {
		return nil, errors.New("attach: name the charge (-charge) and the payment (-payment)")
	}
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		return done(out, a.Payments.Attach(ctx, f.from, f.charge, f.payment, f.Operator), "charge %s belongs to payment %s",
			f.charge, f.payment)
	}, nil
}

func explain(f flags) (act, error) {
	if f.line == "" {
		return nil, errors.New("explain: name the provider's line (-line)")
	}
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		return done(out, a.Payments.Explain(ctx, f.from, f.line, f.Operator), "line %s is the provider's fee", f.line)
	}, nil
}
