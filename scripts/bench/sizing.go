//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"talkoot.fi/scripts/dataset"
	"talkoot.fi/scripts/harness"
)

const (
	// idleFor is how long it is watched what nobody uses.
	idleFor = time.Minute
	// askersAtOnce are the connections of reads whose cost is measured.
	askersAtOnce = 4
	// fewRows are so few that their size says nothing: a table has a page and its indexes at least.
	fewRows = 100
)

// sizing measures what one of each thing costs: processor time, not how long it takes, so that other load of the machine is not in it.
type sizing struct {
	*bench
	*meter
	idle  usage // of a second
	units []unit
	// pledges are made for A's campaign, which will miss its goal, and for B's, which will reach it.
	campaignA, campaignB dataset.Added
}

// size measures all unit costs with so many campaigns, and prints them.
func size(ctx context.Context, o options) (err error) {
	b, err := startWith(ctx, o, o.sizes[len(o.sizes)-1], "", map[string]string{"shared_preload_libraries": "pg_stat_statements"},
		map[string]string{"SWEEP_EVERY": "5s", "CHARGES_PER_SECOND": "50"}) // as installations have it; months are charged sooner than there
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.harness.Stop()) }()
	z := &sizing{bench: b}
	if z.meter, err = newMeter(ctx, b.harness); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "Warming up")
	if err := z.warmUp(ctx); err != nil {
		return err
	}
	if err := z.measureIdle(ctx); err != nil {
		return err
	}
	if err := z.do(ctx, []step{{"reads", z.reads}, {"pledges", z.pledges}, {"mails", z.mails}, {"webhooks", z.webhooks}, {"refunds", z.refunds},
		{"settlement", z.settlement}, {"renewals", z.renewals}}); err != nil {
		return err
	}
	sizes, indexes, err := z.bytesOfRows(ctx)
	if err != nil {
		return err
	}
	if err := z.describeMachine(ctx); err != nil {
		return err
	}
	if err := writeUnits(os.Stdout, z.units, sizes); err != nil {
		return err
	}
	if err := z.writeRows(sizes, indexes); err != nil {
		return err
	}
	return z.do(ctx, []step{{"edge", z.edge}, {"hot campaign", z.hotCampaign}, {"ledger balance", z.ledgerBalance}})
}

// step is a part of what is measured; refunds and settlement are of what the step of pledges has made.
type step struct {
	name string
	do   func(context.Context) error
}

// do takes those steps that are wanted.
func (z *sizing) do(ctx context.Context, steps []step) error {
	for _, s := range steps {
		if !z.wants(s.name) {
			continue
		}
		if err := s.do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// measure counts what n of something use, without what is used when nobody does anything. What is written is counted once PostgreSQL's
// sessions have told of it.
func (z *sizing) measure(ctx context.Context, name string, n int, writes bool, do func(context.Context) error) error {
	fmt.Fprintf(os.Stderr, "Measuring %s\n", name)
	var before, after map[string]rowChange
	if writes {
		time.Sleep(statsDelay)
		var err error
		if before, err = z.tableRows(ctx); err != nil {
			return err
		}
	}
	began, err := z.read(ctx)
	if err == nil {
		err = do(ctx)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	ended, err := z.read(ctx)
	if err != nil {
		return err
	}
	u := unit{name: name, n: n, usage: ended.since(began), rows: map[string]rowChange{}}
	u.usage = u.plus(z.idle.times(-u.took.Seconds()))
	if writes {
		time.Sleep(statsDelay)
		if after, err = z.tableRows(ctx); err != nil {
			return err
		}
		for table, r := range after {
			if r.written > before[table].written {
				u.rows[table] = rowChange{r.stays - before[table].stays, r.written - before[table].written}
			}
		}
	}
	z.units = append(z.units, u)
	fmt.Fprintf(os.Stderr, "  %d in %.1f s, %.1f WAL kB, %.2f multixacts each\n", n, ended.at.Sub(began.at).Seconds(), u.wal/1000/float64(n),
		u.multixacts/float64(n))
	return nil
}

// measureIdle measures what is used when nobody does anything; the unit is an hour.
func (z *sizing) measureIdle(ctx context.Context) error {
	if _, err := z.Content.Exec(ctx, `SELECT pg_stat_statements_reset()`); err != nil {
		return fmt.Errorf("count statements anew: %w", err)
	}
	err := z.measure(ctx, "hour with nobody", 1, true, func(context.Context) error {
		time.Sleep(idleFor)
		return nil
	})
	if err != nil {
		return err
	}
	if err := z.tellWriters(ctx); err != nil {
		return err
	}
	u := &z.units[0]
	z.idle = u.times(1 / u.took.Seconds())
	hours := time.Hour.Seconds() / u.took.Seconds()
	u.usage = u.times(hours)
	for table, r := range u.rows {
		u.rows[table] = rowChange{r.stays * hours, r.written * hours}
	}
	return nil
}

// tellWriters says what has written most of the WAL since statements are counted.
func (z *sizing) tellWriters(ctx context.Context) error {
	rows, err := z.Content.Query(ctx, `SELECT left(regexp_replace(query, '\s+', ' ', 'g'), 100), calls, wal_bytes::float8 FROM pg_stat_statements
		WHERE wal_bytes > 0 ORDER BY wal_bytes DESC LIMIT 5`)
	if err != nil {
		return fmt.Errorf("ask who writes: %w", err)
	}
	var query string
	var calls int64
	var wal float64
	_, err = pgx.ForEachRow(rows, []any{&query, &calls, &wal}, func() error {
		fmt.Fprintf(os.Stderr, "  %.1f WAL kB by %d times %s\n", wal/1000, calls, query)
		return nil
	})
	return err
}

func (z *sizing) eachDatabase(do func(service string, db *pgxpool.Pool) error) error {
	return errors.Join(do("content", z.Content), do("payments", z.Payments))
}

// tableRows is what has been written so far, by table.
func (z *sizing) tableRows(ctx context.Context) (map[string]rowChange, error) {
	all := map[string]rowChange{}
	err := z.eachDatabase(func(service string, db *pgxpool.Pool) error {
		rows, err := db.Query(ctx, `SELECT relname, (n_tup_ins - n_tup_del)::float8, (n_tup_ins + n_tup_upd)::float8 FROM pg_stat_user_tables`)
		if err != nil {
			return fmt.Errorf("count rows: %w", err)
		}
		var name string
		var r rowChange
		_, err = pgx.ForEachRow(rows, []any{&name, &r.stays, &r.written}, func() error {
			all[service+"."+name] = r
			return nil
		})
		return err
	})
	return all, err
}

// bytesOfRows is how much a row of each table that was written takes, its indexes included, after a vacuum that leaves no gaps; and how much
// of it the indexes take.
func (z *sizing) bytesOfRows(ctx context.Context) (all map[string]float64, indexes map[string]float64, err error) {
	written := map[string]bool{"content.users": true, "content.campaigns": true}
	for _, u := range z.units {
		for table, r := range u.rows {
			written[table] = written[table] || r.stays > 0
		}
	}
	all, indexes = map[string]float64{}, map[string]float64{}
	for _, table := range slices.Sorted(maps.Keys(written)) {
		service, name, _ := strings.Cut(table, ".")
		db := map[string]*pgxpool.Pool{"content": z.Content, "payments": z.Payments}[service]
		rows, err := harness.Number(ctx, db, `SELECT count(*) FROM `+name)
		if err != nil {
			return nil, nil, err
		}
		if !written[table] || rows < fewRows {
			continue
		}
		way := "VACUUM (FULL) " // a table of hundreds of thousands of rows has hardly any gaps
		if rows > 500_000 {
			way = "VACUUM "
		}
		if _, err := db.Exec(ctx, way+name); err != nil {
			return nil, nil, fmt.Errorf("vacuum %s: %w", table, err)
		}
		for into, of := range map[*map[string]float64]string{&all: "pg_total_relation_size", &indexes: "pg_indexes_size"} {
			bytes, err := harness.Number(ctx, db, `SELECT `+of+`($1::text::regclass)`, name)
			if err != nil {
				return nil, nil, err
			}
			(*into)[table] = float64(bytes) / float64(rows)
		}
	}
	return all, indexes, nil
}

// writeRows prints which rows each unit leaves behind, and how much a row of each table takes.
func (z *sizing) writeRows(sizes, indexes map[string]float64) error {
	fmt.Println("\n| one of | rows that stay | versions of rows written |\n| --- | --- | --- |")
	for _, u := range z.units {
		var stay, written []string
		for _, table := range slices.Sorted(maps.Keys(u.rows)) {
			r := u.rows[table]
			if one := r.stays / float64(u.n); one >= 0.05 {
				stay = append(stay, fmt.Sprintf("%s %s", table, figure(one)))
			}
			if one := r.written / float64(u.n); one >= 0.05 && r.written-r.stays >= 0.05*float64(u.n) {
				written = append(written, fmt.Sprintf("%s %s", table, figure(one)))
			}
		}
		if len(stay)+len(written) > 0 {
			fmt.Printf("| %s | %s | %s |\n", u.name, strings.Join(stay, ", "), strings.Join(written, ", "))
		}
	}
	fmt.Println("\n| table | bytes a row | of it indexes |\n| --- | ---: | ---: |")
	for _, table := range slices.Sorted(maps.Keys(sizes)) {
		fmt.Printf("| %s | %.0f | %.0f |\n", table, sizes[table], indexes[table])
	}
	fmt.Println()
	return nil
}

// describeMachine says what the figures were measured on.
func (z *sizing) describeMachine(ctx context.Context) error {
	var version string
	var content, payments int64
	err := z.Content.QueryRow(ctx, `SELECT current_setting('server_version'), pg_database_size('talkoot_content'),
		pg_database_size('talkoot_payments')`).Scan(&version, &content, &payments)
	if err != nil {
		return fmt.Errorf("ask PostgreSQL: %w", err)
	}
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return fmt.Errorf("read the processors: %w", err)
	}
	cores, clock := 0, ""
	for l := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(l, ":")
		switch strings.TrimSpace(name) {
		case "processor":
			cores++
		case "cpu MHz":
			clock = strings.TrimSpace(value) + " MHz"
		}
	}
	_, err = fmt.Printf("%d cores of %s, PostgreSQL %s, %d campaigns; content's database %d MB, payments' %d MB\n\n", cores, clock, version, z.size,
		content/1e6, payments/1e6)
	return err
}

// ask sends n requests on a few connections, as browsers send them, and counts their bytes.
func (z *sizing) ask(ctx context.Context, address string, n int, request next) error {
	var left atomic.Int64
	left.Store(int64(n))
	_, err := parallel(ctx, address, askersAtOnce, func(w *wire, random *rand.Rand, done func(time.Duration)) error {
		counted := &countedConn{w.conn, &z.visitors}
		w.conn, w.in = counted, bufio.NewReaderSize(net.Conn(counted), 64<<10)
		for left.Add(-1) >= 0 && ctx.Err() == nil {
			began := time.Now()
			if _, err := w.do(request(random), false); err != nil {
				return err
			}
			done(time.Since(began))
		}
		return nil
	})
	return err
}

// compressed has the answer compressed, as browsers ask for it.
func compressed(ask next) next {
	return func(random *rand.Rand) []byte {
		return bytes.Replace(ask(random), []byte("Host: bench\r\n"), []byte("Host: bench\r\nAccept-Encoding: gzip\r\n"), 1)
	}
}

// addCampaigns adds the two campaigns that are paid for.
func (z *sizing) addCampaigns(ctx context.Context) (err error) {
	rewards := []dataset.Reward{{Title: "Tavallinen", Euros: 15}}
	if z.campaignA, err = z.AddCampaign(ctx, dataset.Campaign{Title: "Palkkio A", Rewards: rewards}); err != nil {
		return err
	}
	if z.campaignB, err = z.AddCampaign(ctx, dataset.Campaign{Title: "Palkkio B", Rewards: rewards}); err == nil {
		_, err = z.PaidThroughB(ctx, "tekija@posti.example", z.campaignB.ID)
	}
	return err
}
