package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os/user"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/charging/routing"
	"talkoot.fi/payments/internal/desk"
	"talkoot.fi/payments/internal/providers/stripe"
	"talkoot.fi/payments/internal/watching/anomalies"
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

// flags are all that an operator's command can be given.
type flags struct {
	all, accept, giveBack, off, on, deducted, released, verify bool
	anomaly                                                    int64
	payment, amount, key, repeat, byHand, charge, line, from   string
	period, day, vat, currency, number, corrects               string
	campaign, creator, user                                    int64
	name                                                       string
	month, show, approve, hash, resume, cancel                 string
	payments.Operator
}

// commands by their names: what they do and which flags they take.
func commands() map[string]struct {
	takes []string
	act   func(f flags) (act, error)
} {
	type command = struct {
		takes []string
		act   func(f flags) (act, error)
	}
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
	f, whose := flags{Operator: payments.Operator{Actor: login()}}, stripe.Name
	if slices.Contains([]string{"switch", "invoice", "write-off"}, args[0]) { // never one that was not named
		whose = ""
	}
	set := flag.NewFlagSet(args[0], flag.ContinueOnError)
	for name, define := range map[string]func(){
		"all": func() {
			set.BoolVar(&f.all, "all", false, "of anomalies the closed ones too; of a refund all that is left")
		},
		"accept": func() { set.BoolVar(&f.accept, "accept", false, "it is the payment's") },
		"off": func() {
			set.BoolVar(&f.off, "off", false, "of a provider: nothing new begins there, what has begun goes on; of an account: it acts no more")
		},
		"on": func() {
			set.BoolVar(&f.on, "on", false, "of a provider: it takes payments again; of an account: it acts at the desk")
		},
		"user": func() { set.Int64Var(&f.user, "user", 0, "`id` of the account") },
		"name": func() {
			set.StringVar(&f.name, "name", "", "`whose` account it is: one name for all accounts of a person, and their -actor here")
		},
		"return":  func() { set.BoolVar(&f.giveBack, "return", false, "it goes back to the backer") },
		"anomaly": func() { set.Int64Var(&f.anomaly, "anomaly", 0, "`id` of the anomaly") },
		"payment": func() { set.StringVar(&f.payment, "payment", "", "`id` of the payment") },
		"amount":  func() { set.StringVar(&f.amount, "amount", "", "in the `major unit`, such as 12.50") },
		"key": func() {
			set.StringVar(&f.key, "key", "", "of this `request`: the same key is the same refund or invoice")
		},
		"repeat": func() { set.StringVar(&f.repeat, "repeat", "", "`id` of the failed refund to send once more") },
		"by-hand": func() {
			set.StringVar(&f.byHand, "by-hand", "", "`id` of the failed refund that was sent from our bank account")
		},
		"verify": func() { set.BoolVar(&f.verify, "verify", false, "compare all sealed days with the book") },
		"day":    func() { set.StringVar(&f.day, "day", "", "`date` of the sealed day to write, such as 2026-11-27") },
		"period": func() { set.StringVar(&f.period, "period", "", "`month` that was billed, such as 2026-11") },
		"vat": func() {
			set.StringVar(&f.vat, "vat", "", "the tax in the `major unit`, which -amount is without; 0 for none")
		},
		"currency": func() { set.StringVar(&f.currency, "currency", "", "`code` of the currency") },
		"number": func() {
			set.StringVar(&f.number, "number", "", "the provider's `number` of the invoice or credit note")
		},
		"corrects": func() {
			set.StringVar(&f.corrects, "corrects", "", "`number` of the invoice that is taken back, wholly or in part")
		},
		"deducted": func() { set.BoolVar(&f.deducted, "deducted", false, "the provider took it from our balance there") },
		"creator":  func() { set.Int64Var(&f.creator, "creator", 0, "user `id` of the creator") },
		"campaign": func() { set.Int64Var(&f.campaign, "campaign", 0, "`id` of the campaign") },
		"month":    func() { set.StringVar(&f.month, "month", "", "`month` of support that is over, such as 2026-11") },
		"released": func() {
			set.BoolVar(&f.released, "released", false, "what was kept back, is released and is in no run")
		},
		"show":    func() { set.StringVar(&f.show, "show", "", "`id` of the run to show") },
		"approve": func() { set.StringVar(&f.approve, "approve", "", "`id` of what is approved") },
		"hash": func() {
			set.StringVar(&f.hash, "hash", "", "of the run that is approved, or its first 12 `signs`; of a sealed day, as it was noted")
		},
		"resume":   func() { set.StringVar(&f.resume, "resume", "", "`id` of the run to look at now") },
		"cancel":   func() { set.StringVar(&f.cancel, "cancel", "", "`id` of what is ended") },
		"charge":   func() { set.StringVar(&f.charge, "charge", "", "the provider's `id` of the charge") },
		"line":     func() { set.StringVar(&f.line, "line", "", "the provider's `id` of the line") },
		"provider": func() { set.StringVar(&f.from, "provider", whose, "`name` of the provider") },
		"actor":    func() { set.StringVar(&f.Actor, "actor", f.Actor, "`who` does it: an operator's name, see operators") },
		"note":     func() { set.StringVar(&f.Note, "note", "", "`why`, for the accountants") },
	} {
		if slices.Contains(c.takes, name) {
			define()
		}
	}
	if err := set.Parse(args[1:]); err != nil {
		return nil, err
	}
	if set.NArg() > 0 {
		return nil, fmt.Errorf("%s: what is %q?", args[0], set.Arg(0))
	}
	var empty []string
	set.Visit(func(given *flag.Flag) {
		if strings.TrimSpace(given.Value.String()) == "" {
			empty = append(empty, "-"+given.Name)
		}
	})
	if len(empty) > 0 {
		return nil, fmt.Errorf("%s: %s is empty", args[0], strings.Join(empty, ", "))
	}
	if slices.Contains(c.takes, "note") && f.show == "" && (f.Actor == "" || f.Note == "") {
		return nil, fmt.Errorf("%s: say who does it (-actor) and why (-note)", args[0])
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

func login() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}

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

func refund(f flags) (act, error) {
	named := slices.DeleteFunc([]string{f.payment, f.repeat, f.byHand}, func(s string) bool { return s == "" })
	if len(named) != 1 {
		return nil, errors.New("refund: name one of -payment, -repeat, -by-hand")
	}
	if f.payment == "" && (f.amount != "" || f.all || f.key != "") {
		return nil, errors.New("refund: -amount, -all and -key are of a -payment only")
	}
	amount := int64(0) // all that is left
	if f.amount != "" {
		parsed, err := money.ParseMajor(f.amount, "")
		if err != nil || parsed.Minor == 0 {
			return nil, fmt.Errorf("refund: -amount %q is no amount", f.amount)
		}
		amount = parsed.Minor
	}
	switch {
	case f.payment == "":
	case (f.amount != "") == f.all:
		return nil, errors.New("refund: say how much, one of -amount, -all")
	case f.key == "":
		return nil, errors.New("refund: name the request (-key), so that asking twice is asking once")
	}
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		switch {
		case f.repeat != "":
			r, err := a.Payments.RepeatRefund(ctx, f.repeat, f.Operator)
			return done(out, err, "refund %s takes the place of %s; the worker sends it", r.ID, f.repeat)
		case f.byHand != "":
			return done(out, a.Payments.RefundPaidByHand(ctx, f.byHand, f.Operator), "refund %s is paid by hand", f.byHand)
		}
		r, err := a.Payments.RefundByOperator(ctx, f.payment, amount, f.key, f.Operator)
		return done(out, err, "refund %s of %s is %s; the worker sends it", r.ID, r.Amount, r.Status)
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

func reseal(flags) (act, error) {
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		n, err := a.TaxData.Reseal(ctx)
		_, _ = fmt.Fprintf(out, "%d tax records are sealed by the key in use now.\n", n)
		return err
	}, nil
}

func onOrOff(isOn bool) string {
	if isOn {
		return "on"
	}
	return "off"
}

// done says what has become so, unless it has not.
func done(out io.Writer, err error, format string, args ...any) error {
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(out, format+"\n", args...)
	return nil
}
