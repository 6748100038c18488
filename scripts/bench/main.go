//go:build unix

// Command bench measures the platform against references of the same run on the same machine (make bench): a bare Echo
// handler that answers the same bytes, pgbench running the very statements that the service sent, and between them Echo
// with pgx, which runs these statements and answers these bytes. Pgbench has no HTTP and is no Go: with small statements
// the reference between them reaches half to two thirds of it. It prints one Markdown table; nothing is kept. A ratio of 1
// is as fast as the reference.
//
//	-sizes LIST   campaigns in the content database, smallest first; the last one serves the rows without growth
//	              [10000,100000]
//	-seconds N    of each measurement [5]
//	-only TEXT    only the rows whose name contains the text
//	-keep         leave the data folders with the logs behind
//	-months N     months of subscriptions that are due at once in the rows of renewals [1000]
//	-latency MS   how long each call to the provider takes in them, as those of real ones do [300]; 0 has the stand-in
//	              answer as fast as it can, and whatever shares its machine waits
//	-unit-costs   what one of each thing costs (make sizing), at the last size, instead of all else
//	-against DIR  measure pledge creation and webhook intake beside the services of another checkout, at the last size,
//	              instead of all else; the ratio is ours to theirs
//
// All load stays on this machine. Each size takes a platform of its own with a fresh database; a million campaigns take
// some 10 GB and many minutes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"talkoot.fi/scripts/dataset"
	"talkoot.fi/scripts/harness"
)

// poolSize is each service's connections, and pgbench's clients.
const poolSize = 20

type options struct {
	sizes   []int
	seconds time.Duration
	only    string
	keep    bool
	against string
	months  int
	latency int64 // ms
	units   bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:gocritic // stop only unregisters signals
	}
}

func run(ctx context.Context) error {
	if file := os.Getenv(echoEnv); file != "" {
		return serveEcho(ctx, file, os.Getenv("ADDR"))
	}
	if file := os.Getenv(echoPgxEnv); file != "" {
		return serveEchoPgx(ctx, file, os.Getenv("ADDR"))
	}
	var o options
	sizes := flag.String("sizes", "10000,100000", "numbers of campaigns, smallest first")
	seconds := flag.Int("seconds", 5, "of each measurement")
	flag.StringVar(&o.only, "only", "", "only rows whose name contains this")
	flag.BoolVar(&o.keep, "keep", false, "leave the data folders behind")
	flag.StringVar(&o.against, "against", "", "folder of another checkout")
	flag.IntVar(&o.months, "months", 1000, "months of subscriptions that are due at once")
	flag.Int64Var(&o.latency, "latency", 300, "milliseconds that each call to the provider takes beside renewals")
	flag.BoolVar(&o.units, "unit-costs", false, "what one of each thing costs")
	flag.Parse()
	for text := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 5000 {
			return fmt.Errorf("-sizes: %q is not a number of at least 5000", text)
		}
		o.sizes = append(o.sizes, n)
	}
	o.seconds = time.Duration(max(1, *seconds)) * time.Second
	fmt.Fprintf(os.Stderr, "%d processors, %s a measurement, sizes %v\n", runtime.NumCPU(), o.seconds, o.sizes)

	if o.units {
		return size(ctx, o)
	}
	all := &table{}
	if o.against != "" {
		if err := compare(ctx, o, all); err != nil {
			return err
		}
		return all.write(os.Stdout)
	}
	reads := map[int]map[string]latencies{}
	for i, size := range o.sizes {
		if err := atSize(ctx, o, size, i == len(o.sizes)-1, all, reads); err != nil {
			return fmt.Errorf("with %d campaigns: %w", size, err)
		}
	}
	all.growth(o, reads)
	return all.write(os.Stdout)
}

// atSize measures one platform: the reads of every size, and at the last size the rest.
func atSize(ctx context.Context, o options, size int, last bool, all *table, reads map[int]map[string]latencies) (
	err error) {
	b, err := start(ctx, o, size, "")
	if err != nil {
		return err
	}
	b.table = all
	defer func() { err = errors.Join(err, b.harness.Stop()) }()
	if o.wants("growth") || o.wants("keyword") {
		if reads[size], err = b.readLatencies(ctx); err != nil {
			return err
		}
	}
	if !last {
		return nil
	}
	for _, row := range b.rows() {
		if !o.wants(row.name) {
			continue
		}
		fmt.Fprintf(os.Stderr, "Measuring %s\n", row.name)
		if err := row.measure(ctx); err != nil {
			return fmt.Errorf("%s: %w", row.name, err)
		}
	}
	return nil
}

// start starts a platform with size campaigns from a checkout; empty is this one.
func start(ctx context.Context, o options, size int, checkout string) (*bench, error) {
	return startWith(ctx, o, size, checkout, nil, nil)
}

// startWith does so with more settings of PostgreSQL and of the services.
func startWith(ctx context.Context, o options, size int, checkout string, postgres, env map[string]string) (*bench, error) {
	fmt.Fprintf(os.Stderr, "Starting a platform for %d campaigns\n", size)
	pool := strconv.Itoa(poolSize)
	environment := map[string]string{"DB_MAX_CONNS": pool, "DATABASE_CONNS": pool} // the first is the name in earlier checkouts
	settings := map[string]string{"shared_buffers": quarterOfMemory()}
	maps.Copy(environment, env)
	maps.Copy(settings, postgres)
	r, err := harness.Start(ctx, harness.Options{Keep: o.keep, Checkout: checkout, Env: environment, Postgres: settings})
	if err != nil {
		return nil, err
	}
	began := time.Now()
	statements := dataset.Own()
	if checkout != "" {
		statements, err = dataset.Of(checkout)
	}
	// Its jobs would read tables that have no indexes meanwhile.
	worker := r.Proc("content-work")
	if err == nil {
		err = worker.Stop(ctx)
	}
	if err == nil {
		err = statements.Fill(ctx, r.Env["CONTENT_DATABASE_URL"], size)
	}
	if err == nil {
		err = worker.Start(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, r.Stop())
	}
	fmt.Fprintf(os.Stderr, "Filled in %.0f s\n", time.Since(began).Seconds())
	return &bench{harness: r, options: o, size: size}, nil
}

// quarterOfMemory is what PostgreSQL's manual recommends for shared_buffers on a machine of its own, and so what a
// platform with a million campaigns has.
func quarterOfMemory() string {
	kib, err := fieldOf("/proc/meminfo", "MemTotal")
	if err != nil {
		return "1GB" // only Linux tells
	}
	return strconv.Itoa(kib/4) + "kB"
}

func (o options) wants(name string) bool { return strings.Contains(name, o.only) }
