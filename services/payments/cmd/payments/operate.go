package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/desk"
)

// The operators' commands. Each that changes something names an operator who does it and why, is written down with what was before
// and after, and done twice is done once:
//
//	payments anomalies [-all]
//	payments resolve -anomaly 12 -note "…"
//	payments refund -payment ID (-amount 12.50|-all) -key K -note "…" money of a paid payment back, or all that is left of it
//	payments refund -repeat REFUND -note "…"                          a failed refund, once more
//	payments refund -by-hand REFUND -note "bank reference"            it was sent from our bank account
//	payments release-held -charge ch_… (-accept|-return) -note "…"    money that did not fit
//	payments attach -charge ch_… -payment ID -note "…"                money that nothing explained
//	payments explain -line txn_… -note "…"                            a line in suspense that was the provider's fee
//	payments invoices                                                 what providers have billed, the newest first
//	payments invoice -provider mangopay -period 2026-11 -amount 100.00 -vat 25.50 -currency EUR -number MG-11 -key K -note "…" (-deducted)
//	payments invoice … -corrects MG-11 -number MG-11-K …               what is taken back of one, wholly or in part
//	payments switches                                                 what was switched off and on, the newest first
//	payments switch -provider mangopay (-off|-on) -note "…"           nothing begins at a provider, or it does again
//	payments operators                                                who answers for money at the desk, the newest word first
//	payments operator -user 12 -name maija (-on|-off) -note "…"       an account's acts at the desk and here are that person's, or it acts no more; the first by anybody
//	payments settlements [-campaign 7]                                what is on its way to creators, and why it waits
//	payments settle -campaign 7 -note "…"                             propose a run for the money of a campaign that ended well
//	payments settle -month 2026-11 [-campaign 7] -note "…"            propose the runs of all support until the end of a month
//	payments settle -released -note "…"                               propose the runs of what was kept back and is released
//	payments settle -show RUN                                         one with its lines, its history and its hash
//	payments settle -approve RUN -hash … -note "…"                    what -show shows, by its hash; never by who proposed it
//	payments settle -resume RUN -note "…"                             what stood in its way is mended
//	payments settle -cancel RUN -note "…"                             one of which nothing is booked
//	payments ledger -verify [-hash h]                                 compares each sealed day of the book with its hash, and with one that was noted, and closings of accounts with their entries
//	payments ledger -day 2026-11-27                                   the text of a sealed day: its SHA-256 is the day's hash
//	payments reseal                                                   seal tax data by the key in use, so that those of before can be taken away
//	payments debts                                                    what creators owe us, and what is proposed of it
//	payments write-off -creator 3 -provider mangopay -amount 12.50 -currency EUR -note "…"
//	payments write-off (-approve|-cancel) ID -note "…"                another person gives the debt up, or it stays
//
// What each kind of anomaly asks for is in proto-docs/runbooks.

// act is an operator's command, parsed.
type act func(ctx context.Context, a *app.App, out io.Writer) error

// command is what an operator can have done: which flags it takes, and what it does by them.
type command struct {
	takes []string
	act   func(f flags) (act, error)
}

// commands by their names.
func commands() map[string]command {
	return map[string]command{
		"anomalies":    {[]string{"all"}, listAnomalies},
		"resolve":      {[]string{"anomaly", "actor", "note"}, resolve},
		"refund":       {[]string{"payment", "amount", "all", "key", "repeat", "by-hand", "actor", "note"}, refund},
		"release-held": {[]string{"charge", "provider", "accept", "return", "actor", "note"}, releaseHeld},
		"attach":       {[]string{"charge", "provider", "payment", "actor", "note"}, attach},
		"explain":      {[]string{"line", "provider", "actor", "note"}, explain},
		"invoices":     {nil, listInvoices},
		"invoice":      {[]string{"provider", "period", "amount", "vat", "currency", "number", "corrects", "deducted", "key", "actor", "note"}, bookInvoice},
		"switches":     {nil, listSwitches},
		"operators":    {nil, listOperators},
		"operator":     {[]string{"user", "name", "on", "off", "actor", "note"}, appoint},
		"settlements":  {[]string{"campaign"}, listSettlements},
		"settle":       {[]string{"campaign", "month", "released", "show", "approve", "hash", "resume", "cancel", "actor", "note"}, settle},
		"reseal":       {nil, reseal},
		"debts":        {nil, listDebts},
		"write-off":    {[]string{"creator", "provider", "amount", "currency", "approve", "cancel", "actor", "note"}, writeOff},
		"ledger":       {[]string{"verify", "hash", "day"}, readLedger},
		"switch":       {[]string{"provider", "off", "on", "actor", "note"}, switchProvider},
	}
}

func operatorUsage() string { return strings.Join(slices.Sorted(maps.Keys(commands())), ", ") }

// parseAct reads an operator's command; nil for one that is none.
func parseAct(args []string) (act, error) {
	if slices.Contains([]string{"migrate", "serve", "work", "healthcheck"}, args[0]) {
		if len(args) > 1 {
			return nil, fmt.Errorf("%s takes no arguments", args[0])
		}
		return nil, nil
	}
	c, known := commands()[args[0]]
	if !known {
		return nil, fmt.Errorf("unknown command %q: want migrate, serve, work, healthcheck, %s", args[0], operatorUsage())
	}
	f, err := parseFlags(args[0], c.takes, args[1:])
	if err != nil {
		return nil, err
	}
	do, err := c.act(f)
	if err != nil || f.Note == "" {
		return do, err // what only looks leaves no trace
	}
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		err := f.doneBy(ctx, a, args[0])
		if err == nil {
			if do, err = c.act(f); err == nil { // under the operator's own name
				err = do(ctx, a, out)
			}
		}
		a.NoteOperator(ctx, args[0], f.Actor, err)
		return err
	}, nil
}

// doneBy makes sure that who does it answers for money, and has it be done under their name.
func (f *flags) doneBy(ctx context.Context, a *app.App, command string) (err error) {
	var name string
	if command == "operator" {
		name, err = desk.Appointing(ctx, a.DB, desk.Operator{UserID: f.user, Name: f.name, IsOperator: f.on, Actor: f.Actor})
	} else {
		name, err = desk.Acting(ctx, a.DB, f.Actor)
	}
	if err == nil {
		f.Actor = name
	}
	return err
}

func reseal(flags) (act, error) {
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		n, err := a.TaxData.Reseal(ctx)
		_, _ = fmt.Fprintf(out, "%d tax records are sealed by the key in use now.\n", n)
		return err
	}, nil
}

// done says what has become so, unless it has not.
func done(out io.Writer, err error, format string, args ...any) error {
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(out, format+"\n", args...)
	return nil
}
