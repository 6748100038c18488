package main

import (
	"flag"
	"fmt"
	"os/user"
	"slices"
	"strings"

	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/providers/stripe"
)

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

func login() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}

// parseFlags reads what a command was given of the flags that it takes. A command that takes a note changes something:
// it says who does it and why.
func parseFlags(command string, takes, args []string) (flags, error) {
	f, whose := flags{Operator: payments.Operator{Actor: login()}}, stripe.Name
	if slices.Contains([]string{"switch", "invoice", "write-off"}, command) { // never one that was not named
		whose = ""
	}
	set := flag.NewFlagSet(command, flag.ContinueOnError)
	for name, define := range f.definitions(set, whose) {
		if slices.Contains(takes, name) {
			define()
		}
	}
	if err := set.Parse(args); err != nil {
		return f, err
	}
	if set.NArg() > 0 {
		return f, fmt.Errorf("%s: what is %q?", command, set.Arg(0))
	}
	var empty []string
	set.Visit(func(given *flag.Flag) {
		if strings.TrimSpace(given.Value.String()) == "" {
			empty = append(empty, "-"+given.Name)
		}
	})
	if len(empty) > 0 {
		return f, fmt.Errorf("%s: %s is empty", command, strings.Join(empty, ", "))
	}
	if slices.Contains(takes, "note") && f.show == "" && (f.Actor == "" || f.Note == "") {
		return f, fmt.Errorf("%s: say who does it (-actor) and why (-note)", command)
	}
	return f, nil
}

// definitions define each flag of set, by its name; whose is the provider where none is named.
func (f *flags) definitions(set *flag.FlagSet, whose string) map[string]func() {
	return map[string]func(){
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
	}
}
