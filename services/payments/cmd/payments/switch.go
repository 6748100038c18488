package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/charging/routing"
)

func listSwitches(flags) (act, error) {
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		list, err := routing.Switches(ctx, a.DB)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(table, "AT\tPROVIDER\tIS\tBY\tWHY")
		for _, one := range list {
			_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", one.At.Format(time.RFC3339), one.Provider, onOrOff(one.IsOn), one.Actor, one.Reason)
		}
		return table.Flush()
	}, nil
}

func switchProvider(f flags) (act, error) {
	if f.from == "" || f.on == f.off {
		return nil, errors.New("switch: name the provider (-provider) and one of -off, -on")
	}
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		err := a.Routes.Switch(ctx, a.DB, routing.Switch{Provider: f.from, IsOn: f.on, Reason: f.Note, Actor: f.Actor})
		return done(out, err, "%s is %s", f.from, onOrOff(f.on))
	}, nil
}

func onOrOff(isOn bool) string {
	if isOn {
		return "on"
	}
	return "off"
}
