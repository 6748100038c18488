//go:build unix

// Command restore tries the way back of deploy/backup (make restore): the real platform on a PostgreSQL that pgBackRest archives, whose
// content database is brought back to an earlier moment while the payments database stays, and then both. Backers who paid after that
// moment must be known as paid again, and the audit finds nothing. It needs Debian's packages postgresql-15 and pgbackrest.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"talkoot.fi/kit/localpg"
	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/dataset"
	"talkoot.fi/scripts/harness"
)

const (
	people = 20 // who pledge before the moment that is gone back to
	// limit is the most that work takes to end on a busy machine. The provider is asked about an open payment within a minute or two.
	limit = 3 * time.Minute
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "restore:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	root, err := localpg.RepoRoot()
	if err != nil {
		return err
	}
	s, err := newServer(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.remove()) }()
	r, err := harness.Start(ctx, harness.Options{Env: map[string]string{"DATABASE_URL": s.address(s.port)}, Out: os.Stdout})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Stop()) }()

	t := trial{Harness: r, server: s, sql: filepath.Join(root, "deploy", "backup")}
	if err := t.contentAlone(ctx); err != nil {
		return fmt.Errorf("content alone: %w", err)
	}
	if err := t.both(ctx); err != nil {
		return fmt.Errorf("both: %w", err)
	}
	return nil
}

// trial is a running platform whose databases go back.
type trial struct {
	*harness.Harness
	server *server
	sql    string // the folder of what is run afterwards
}

// contentAlone brings the content database back to before half of its backers paid. The payment service tells it again.
func (t trial) contentAlone(ctx context.Context) error {
	backers, err := t.pledge(ctx, "content")
	if err != nil {
		return err
	}
	half := people / 2
	if err := pay(ctx, backers[:half]); err != nil {
		return err
	}
	moment, err := t.backUp(ctx)
	if err != nil {
		return err
	}
	if err := pay(ctx, backers[half:]); err != nil {
		return err
	}
	if _, err := t.AwaitAudit(ctx, limit); err != nil {
		return fmt.Errorf("before the damage: %w", err)
	}
	err = timed("content database back at the moment before", func() error { return t.server.bringBack(ctx, moment, "talkoot_content") })
	if err != nil {
		return err
	}
	if err := t.paid(ctx, half); err != nil {
		return err
	}
	if err := t.server.psql(ctx, "talkoot_content", "-1", "-f", filepath.Join(t.sql, "after-content.sql")); err != nil {
		return err
	}
	since := "since='" + moment.Format(time.RFC3339Nano) + "'"
	if err := t.server.psql(ctx, "talkoot_payments", "-v", since, "-f", filepath.Join(t.sql, "redeliver.sql")); err != nil {
		return err
	}
	return timed("what was paid is told again, audit finds nothing", func() error { return t.settle(ctx, backers) })
}

// both brings the two databases back to when backers had the form open. They have paid since: the payment service asks the provider.
func (t trial) both(ctx context.Context) error {
	backers, err := t.pledge(ctx, "both")
	if err != nil {
		return err
	}
	var intents []browser.Intent
	for _, b := range backers {
		intent, err := b.Setup(ctx, b.pledge)
		if err != nil {
			return err
		}
		intents = append(intents, intent)
	}
	moment, err := t.backUp(ctx)
	if err != nil {
		return err
	}
	for i, b := range backers {
		if _, err := b.Confirm(ctx, intents[i], browser.GoodCard); err != nil {
			return err
		}
	}
	if err := t.settle(ctx, backers); err != nil {
		return fmt.Errorf("before the damage: %w", err)
	}
	err = timed("both databases back at the moment before", func() error {
		return t.server.bringBack(ctx, moment, "talkoot_payments", "talkoot_content")
	})
	if err != nil {
		return err
	}
	if err := t.paid(ctx, people); err != nil { // those of the first trial
		return err
	}
	if err := t.server.psql(ctx, "talkoot_content", "-1", "-f", filepath.Join(t.sql, "after-content.sql")); err != nil {
		return err
	}
	return timed("what was paid is found at the provider, audit finds nothing", func() error { return t.settle(ctx, backers) })
}

// backUp makes a backup and chooses a moment after it, at which all is at rest.
func (t trial) backUp(ctx context.Context) (moment time.Time, err error) {
	if _, err := t.AwaitAudit(ctx, limit); err != nil {
		return moment, fmt.Errorf("before the backup: %w", err)
	}
	if err := timed("full backup", func() error { return t.server.backrest(ctx, "backup", "--type=full") }); err != nil {
		return moment, err
	}
	time.Sleep(2 * time.Second) // pgBackRest counts a backup's end in whole seconds, and goes back to moments after it only
	if err := t.Content.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&moment); err != nil {
		return moment, fmt.Errorf("ask for the time: %w", err)
	}
	return moment, nil
}

// paid fails unless so many pledges are paid in what came back: else nothing would be tried.
func (t trial) paid(ctx context.Context, want int) error {
	got, err := harness.Number(ctx, t.Content, "SELECT count(*) FROM pledges WHERE status = 'paid'")
	if err != nil {
		return err
	}
	if got != int64(want) {
		return fmt.Errorf("%d pledges are paid in what came back, and should be %d", got, want)
	}
	return nil
}

// settle waits until all are known as paid, and an audit finds nothing.
func (t trial) settle(ctx context.Context, backers []backer) error {
	for _, b := range backers {
		if _, err := b.AwaitStatus(ctx, b.pledge, limit, "paid"); err != nil {
			return err
		}
	}
	_, err := t.AwaitAudit(ctx, limit)
	return err
}

// backer is a visitor with a pledge.
type backer struct {
	*browser.Visitor
	pledge string
}

func (t trial) pledge(ctx context.Context, name string) ([]backer, error) {
	campaign, err := t.AddCampaign(ctx, dataset.Campaign{Title: name})
	if err != nil {
		return nil, err
	}
	var all []backer
	for n := range people {
		v := &browser.Visitor{Site: t.Site, Language: "fi", Address: fmt.Sprintf("10.0.0.%d", n+1)}
		made, err := v.Pledge(ctx, campaign.ID, fmt.Sprintf("%s-key-%d", name, n), browser.NewPledge{Amount: "25",
			Meta: browser.PledgeMeta{Email: fmt.Sprintf("%s%d@posti.example", name, n), FirstName: "Aino", LastName: "Korhonen"}})
		if err != nil {
			return nil, err
		}
		all = append(all, backer{v, made.ID})
	}
	return all, nil
}

func pay(ctx context.Context, backers []backer) error {
	for _, b := range backers {
		intent, err := b.Setup(ctx, b.pledge)
		if err != nil {
			return err
		}
		if _, err := b.Confirm(ctx, intent, browser.GoodCard); err != nil {
			return err
		}
		if _, err := b.AwaitStatus(ctx, b.pledge, limit, "paid"); err != nil {
			return err
		}
	}
	return nil
}

// timed says how long a step took.
func timed(what string, do func() error) error {
	began := time.Now()
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	fmt.Fprintf(os.Stdout, "%6.1f s  %s\n", time.Since(began).Seconds(), what)
	return nil
}
