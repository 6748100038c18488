//go:build unix

// Command drill breaks the platform one part at a time while backers pledge, pay, change their minds and ask for
// refunds, mends it, waits until no work is pending, and runs the audit (make drill). A third of the campaigns is paid
// through provider B. A drill passes when what every backer was told agrees with how the pledge ended and with what the
// providers have of their money, and the audit finds nothing.
//
//	-quick        only kill -9 of each process, a few minutes
//	-only NAME    only the drills whose name contains NAME
//
// -pledges N    the least number of pledges accepted during each drill [200]
//
//	-months N     how many months of subscriptions fall due in the drill of renewals [300]
//	-kills N      how many times each kill drill kills [5; 12 without -quick, and 50 in kill-any and kill-renewals]
//	-refunds N    pledges of the campaign whose money goes back in the drill of mass refunds [5000]
//	-closing N    pledges of each of the two large campaigns in the drill of closings [5000]
//	-seed N       of the random choices, to repeat a run [the time]
//	-keep         leave the data folder with the logs behind
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"talkoot.fi/scripts/harness"
)

// options are the command's flags.
type options struct {
	quick   bool
	only    string
	pledges int
	months  int
	kills   int
	refunds int
	closing int
	seed    uint64
	keep    bool
}

func main() {
	var o options
	flag.BoolVar(&o.quick, "quick", false, "only kill -9 of each process")
	flag.StringVar(&o.only, "only", "", "only drills whose name contains this")
	flag.IntVar(&o.pledges, "pledges", 200, "pledges accepted at least during each drill")
	flag.IntVar(&o.months, "months", 300, "months of subscriptions that fall due in the drill of renewals")
	flag.IntVar(&o.kills, "kills", 0, "kills of each kill drill")
	flag.IntVar(&o.refunds, "refunds", 5000, "pledges of the campaign whose money goes back in the drill of mass refunds")
	flag.IntVar(&o.closing, "closing", 5000, "pledges of each of the two large campaigns in the drill of closings")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()), "of the random choices")
	flag.BoolVar(&o.keep, "keep", false, "leave the data folder behind")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:gocritic // stop only unregisters signals
	}
}

func run(ctx context.Context, o options) (err error) {
	chosen := o.choose(drills(o))
	if len(chosen) == 0 {
		return fmt.Errorf("no drill is called %q", o.only)
	}
	fmt.Printf("%d drills, seed %d\n", len(chosen), o.seed)
	r, err := harness.Start(ctx, harness.Options{Out: os.Stdout, People: backersAtOnce, Keep: o.keep})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Stop()) }()
	if o.keep {
		fmt.Println("Data and logs stay in", r.DataDir)
	}
	var results []result
	for _, d := range chosen {
		fmt.Printf("%-22s %s ... ", d.name, d.what)
		got := perform(ctx, r, o, d)
		fmt.Println(got.verdict())
		if got.renewals != nil && got.err == nil {
			fmt.Println("   ", got.renewals)
		}
		if got.said != "" {
			fmt.Println("   ", got.said)
		}
		results = append(results, got)
		if ctx.Err() != nil {
			break
		}
	}
	return report(results)
}

func (o options) choose(all []drill) []drill {
	var chosen []drill
	for _, d := range all {
		if strings.Contains(d.name, o.only) && (d.quick || !o.quick) {
			chosen = append(chosen, d)
		}
	}
	return chosen
}

// result is the outcome of a drill; err is nil when it passed.
type result struct {
	drill
	tally
	renewals *renewals // nil without
	said     string    // what a drill of its own has to say
	breaks   int
	checks   int // of the audit
	seconds  float64
	err      error
}

func (r result) verdict() string {
	if r.err != nil {
		return "FAILED: " + r.err.Error()
	}
	return "passed"
}

// report prints the table; its error says that some drill failed.
func report(results []result) error {
	fmt.Println()
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "drill\tbreaks\taccepted\tcharged by B\tpaid\texpired\tgiven back\tdisputed\tsold out\tgave up\tseconds\taudit")
	failed := 0
	for _, r := range results {
		verdict := fmt.Sprintf("%d checks, no finding", r.checks)
		if r.err != nil {
			failed++
			verdict = "FAILED"
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.0f\t%s\n", r.name, r.breaks, r.accepted, r.chargedB, r.paid, r.expired,
			r.returned, r.disputed, r.soldOut, r.gaveUp, r.seconds, verdict)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d drills failed", failed, len(results))
	}
	return nil
}
