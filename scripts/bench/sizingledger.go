//go:build unix

package main

import (
	"context"
	"fmt"
)

// entriesMore are added to the account of a provider whose campaigns share one balance, and added again.
const entriesMore = 1_000_000

// webhooksMore are added, to be deleted.
const webhooksMore = 200_000

// ledgerBalance measures what the balance of one account takes by its number of entries (ledger.Balance): before anything is paid out at a provider where
// campaigns share our balance it is asked for. The book is of no use afterwards.
func (z *sizing) ledgerBalance(ctx context.Context) error {
	fmt.Println("| entries of one account | its balance, CPU ms |\n| ---: | ---: |")
	for range 2 {
		if err := z.growAccount(ctx, entriesMore); err != nil {
			return err
		}
		if _, err := z.readBalance(ctx, balanceSQL); err != nil { // warm-up
			return err
		}
		const times = 500
		before, err := z.sessionsOf(meterRole)
		if err != nil {
			return err
		}
		for range times {
			if _, err := z.readBalance(ctx, balanceSQL); err != nil {
				return err
			}
		}
		after, err := z.sessionsOf(meterRole)
		if err != nil {
			return err
		}
		var number int64
		err = z.Payments.QueryRow(ctx, `SELECT count(*) FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE a.name = $1`, ourBalance).Scan(&number)
		if err != nil {
			return fmt.Errorf("count the book: %w", err)
		}
		fmt.Printf("| %d | %.2f |\n", number, (after-before).Seconds()*1000/times)
	}
	fmt.Println()
	return z.pruned(ctx)
}

// pruned measures what it takes to delete old webhooks, as the worker does every hour (webhooks.Prune).
func (z *sizing) pruned(ctx context.Context) error {
	if _, err := z.Payments.Exec(ctx, `INSERT INTO webhook_events SELECT c.* FROM (SELECT w FROM webhook_events w WHERE status <> 'received' LIMIT 1) one,
			generate_series(1, $1) n, jsonb_populate_record(one.w, jsonb_build_object('event_key', 'old-' || n, 'received_at', now() - interval '91 days')) c`,
		webhooksMore); err != nil {
		return fmt.Errorf("fill webhooks: %w", err)
	}
	before, err := z.sessionsOf(meterRole)
	if err != nil {
		return err
	}
	began, err := z.read(ctx)
	if err != nil {
		return err
	}
	gone, err := z.Payments.Exec(ctx, `DELETE FROM webhook_events WHERE received_at < now() - interval '90 days' AND status <> 'received'`)
	if err != nil {
		return fmt.Errorf("delete webhooks: %w", err)
	}
	ended, err := z.read(ctx)
	if err != nil {
		return err
	}
	after, err := z.sessionsOf(meterRole)
	if err != nil {
		return err
	}
	rows := float64(gone.RowsAffected())
	fmt.Printf("%.0f webhooks are deleted by %.1f µs of CPU and %.0f bytes of WAL each\n", rows, (after-before).Seconds()*1e6/rows,
		ended.since(began).wal/rows)
	return nil
}
