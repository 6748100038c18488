//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"talkoot.fi/kit/localpg"
	"talkoot.fi/scripts/harness"
)

const (
	readsOf = 3000
	paidOf  = 400 // pledges through each provider
	mailsOf = 500
	hooksOf = 2000
	restFor = 10 * time.Minute
	warmOf  = 20
	lookFor = 100 * time.Millisecond
)

// warmUp has everything done once, so that caches, plans and connections are there.
func (z *sizing) warmUp(ctx context.Context) error {
	if err := z.addCampaigns(ctx); err != nil {
		return err
	}
	for _, pay := range []payer{z.payingA(z.campaignA), z.payingB(z.campaignB)} {
		if err := z.payAll(ctx, pay, warmOf); err != nil {
			return err
		}
	}
	for _, ask := range []next{popular, z.filtered, z.keyword, z.found, pagePart(z.visited)} {
		if err := z.ask(ctx, z.content(), readsOf/10, compressed(ask)); err != nil {
			return err
		}
	}
	return nil
}

func (z *sizing) reads(ctx context.Context) error {
	list := []struct {
		name string
		n    int
		each int // requests
		ask  next
	}{
		{"list page that many ask for", readsOf, 1, popular},
		{"list page of random filters", readsOf, 1, z.filtered},
		{"campaign page's data, visitors by Zipf", readsOf / 4, 4, pagePart(z.visited)},
		{"campaign page's data, any campaign alike", readsOf / 4, 4, pagePart(z.public)},
		{"keyword search", readsOf, 1, z.keyword},
		{"search over everything", readsOf / 4, 1, z.found},
	}
	root, err := localpg.RepoRoot()
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(root, "frontend", "dist", "index.html")); err == nil {
		shell := func(choose func(*rand.Rand) int) next {
			return func(random *rand.Rand) []byte {
				id := choose(random)
				return get(fmt.Sprintf("/%d/kampanja-%d/", id, id))
			}
		}
		list = append(list, struct {
			name string
			n    int
			each int
			ask  next
		}{"campaign page as first visited (HTML), any campaign alike", readsOf / 4, 1, shell(z.public)})
	} else {
		fmt.Fprintln(os.Stderr, "The web app is not built (scripts/run/start.sh web): first visits are left out")
	}
	for _, r := range list {
		err := z.measure(ctx, r.name, r.n, false, func(ctx context.Context) error { return z.ask(ctx, z.content(), r.n*r.each, compressed(r.ask)) })
		if err != nil {
			return err
		}
	}
	return nil
}

func (z *sizing) pledges(ctx context.Context) error {
	for _, one := range []struct {
		name string
		pay  payer
	}{{"pledge paid through A", z.payingA(z.campaignA)}, {"pledge paid through B", z.payingB(z.campaignB)}} {
		if err := z.measure(ctx, one.name, paidOf, true, func(ctx context.Context) error { return z.payAll(ctx, one.pay, paidOf) }); err != nil {
			return err
		}
	}
	return z.measure(ctx, "pledge that nobody pays", readsOf, true, func(ctx context.Context) error {
		if err := z.ask(ctx, z.content(), readsOf, pledging(openCampaigns(hundred), 0)); err != nil {
			return err
		}
		return errors.Join(z.ExpireHolds(ctx), z.AwaitIdle(ctx, restFor, func(context.Context) error { return nil }))
	})
}

// mails sends one of the mails again and again.
func (z *sizing) mails(ctx context.Context) error {
	return z.measure(ctx, "mail", mailsOf, true, func(ctx context.Context) error {
		made, err := z.Content.Exec(ctx, `INSERT INTO outbox (kind, payload) SELECT kind, payload FROM (SELECT kind, payload FROM outbox
			WHERE kind LIKE 'mail.%' AND done_at IS NOT NULL AND last_error IS NULL AND payload ? 'pledge_id'
			ORDER BY id DESC LIMIT 1) m, generate_series(1, $1)`, mailsOf)
		if err != nil || made.RowsAffected() != mailsOf {
			return fmt.Errorf("%s mails are made: %w", made, err)
		}
		return z.await(ctx, z.Content, `SELECT count(*) FROM outbox WHERE done_at IS NULL`)
	})
}

func (z *sizing) webhooks(ctx context.Context) error {
	return z.measure(ctx, "webhook of which nothing comes", hooksOf, true, func(ctx context.Context) error {
		if err := z.ask(ctx, hostOf(z.PaymentsURL), hooksOf, z.otherWebhook); err != nil {
			return err
		}
		return z.await(ctx, z.Payments, `SELECT count(*) FROM webhook_events WHERE status = 'received'`)
	})
}

// ends has a campaign's last day be over; with a goal of so many cents.
func (z *sizing) ends(ctx context.Context, campaign, goal int64) error {
	_, err := z.Content.Exec(ctx, `UPDATE campaigns SET first_day = today - 9, last_day = today - 2,
			min_goal_minor = $2::bigint, target_goal_minor = 2 * $2::bigint, funding_start = CAST(today - 9 AS timestamp) AT TIME ZONE zone,
			funding_deadline = CAST(today - 1 AS timestamp) AT TIME ZONE zone - interval '1 microsecond'
		FROM (SELECT zone, CAST(now() AT TIME ZONE zone AS date) AS today FROM (VALUES ('Europe/Helsinki')) v (zone)) days WHERE id = $1`, campaign, goal)
	if err != nil {
		return fmt.Errorf("end a campaign: %w", err)
	}
	return nil
}

// refunds has a campaign miss its goal; all of its backers are given their money back, and are told.
func (z *sizing) refunds(ctx context.Context) error {
	return z.measure(ctx, "refund when a campaign misses its goal (A)", paidOf+warmOf, true, func(ctx context.Context) error {
		if err := z.ends(ctx, z.campaignA.ID, 1_000_000_000); err != nil {
			return err
		}
		return z.AwaitIdle(ctx, restFor, func(ctx context.Context) error {
			left, err := harness.Number(ctx, z.Content, `SELECT count(*) FROM pledges WHERE campaign_id = $1 AND status = 'paid'`, z.campaignA.ID)
			if err == nil && left > 0 {
				err = fmt.Errorf("%d pledges are not refunded", left)
			}
			return err
		})
	})
}

// settlement has a campaign reach its goal, and people have its money settled: until it is booked.
func (z *sizing) settlement(ctx context.Context) error {
	if err := z.ends(ctx, z.campaignB.ID, 100); err != nil {
		return err
	}
	if err := z.await(ctx, z.Payments, `SELECT count(*) - 1 FROM campaign_endings WHERE campaign_id = `+fmt.Sprint(z.campaignB.ID)); err != nil {
		return err
	}
	return z.measure(ctx, "line of a settlement (B)", paidOf+warmOf, true, func(ctx context.Context) error {
		if _, err := z.Operate(ctx, "settle", "-campaign", fmt.Sprint(z.campaignB.ID), "-actor", "maija", "-note", "it reached its goal"); err != nil {
			return err
		}
		of := fmt.Sprintf(` FROM settlement_runs WHERE campaign_id = %d`, z.campaignB.ID)
		if err := z.await(ctx, z.Payments, `SELECT count(*) - 1`+of+` AND state = 'proposed'`); err != nil {
			return err
		}
		var run, hash string
		if err := z.Payments.QueryRow(ctx, `SELECT id, hash`+of).Scan(&run, &hash); err != nil {
			return fmt.Errorf("read the run: %w", err)
		}
		for _, who := range []string{"aino", "eino"} { // above 5,000 € two people
			if _, err := z.Operate(ctx, "settle", "-approve", run, "-hash", hash, "-actor", who, "-note", "checked"); err != nil {
				return err
			}
		}
		return z.await(ctx, z.Payments, `SELECT count(*) - 1`+of+` AND state = 'booked'`)
	})
}

func (z *sizing) renewals(ctx context.Context) error {
	campaign, err := z.supporters(ctx)
	if err != nil {
		return err
	}
	return z.measure(ctx, "renewal", z.months, true, func(ctx context.Context) error {
		if _, err := z.MonthsFallDue(ctx, campaign, 0); err != nil {
			return err
		}
		due := fmt.Sprintf(`SELECT count(*) FROM subscriptions WHERE campaign_id = %d AND step_at <= now() + interval '1 minute'`, campaign)
		if err := z.await(ctx, z.Payments, due); err != nil {
			return err
		}
		return z.AwaitIdle(ctx, restFor, z.told)
	})
}

// await waits until nothing is left of what a query counts.
func (z *sizing) await(ctx context.Context, db *pgxpool.Pool, sql string) error {
	ctx, cancel := context.WithTimeout(ctx, restFor)
	defer cancel()
	for {
		left, err := harness.Number(ctx, db, sql)
		if err != nil || left == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d are left of %s", left, sql)
		case <-time.After(lookFor):
		}
	}
}
