package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/desk"
)

func appoint(f flags) (act, error) {
	if f.user <= 0 || f.name == "" || f.on == f.off {
		return nil, errors.New("operator: name the account (-user), the person (-name) and one of -on, -off")
	}
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		err := desk.Appoint(ctx, a.DB, desk.Operator{UserID: f.user, Name: f.name, IsOperator: f.on, Actor: f.Actor, Note: f.Note, At: a.Now()})
		return done(out, err, "account %d is %s, whose acts at the desk are %s", f.user, f.name, onOrOff(f.on))
	}, nil
}

func listOperators(flags) (act, error) {
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		list, err := desk.Operators(ctx, a.DB)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(table, "AT\tACCOUNT\tPERSON\tACTS\tBY\tWHY")
		for _, one := range list {
			_, _ = fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%s\t%s\n", one.At.Format(time.RFC3339), one.UserID, one.Name, onOrOff(one.IsOperator), one.Actor, one.Note)
		}
		return table.Flush()
	}, nil
}
