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

// ledgerSum measures how long the balance of one account takes by its number of entries: before anything is paid out at a provider where
// campaigns share our balance, the whole of it is added up (ledger.Balance). The book is of no use afterwards.
func (z *sizing) ledgerSum(ctx context.Context) error {
	fmt.Println("| entries of one account | its sum, CPU ms |\n| ---: | ---: |")
	for range 2 {
		conn, err := z.Payments.Acquire(ctx)
		if err != nil {
			return fmt.Errorf("reach the book: %w", err)
		}
		_, err = conn.Exec(ctx, `SET session_replication_role = replica`) // neither triggers nor foreign keys
		if err == nil {
			_, err = conn.Exec(ctx, `WITH a AS (SELECT id, currency FROM ledger_accounts WHERE name = 'provider_clearing:stripe:main')
				INSERT INTO ledger_entries (transaction_id, account_id, currency, amount_minor)
				SELECT n, a.id, a.currency, 1500 FROM a, generate_series(1, $1) n`, entriesMore)
		}
		if err == nil {
			_, err = conn.Exec(ctx, `RESET session_replication_role`)
		}
		conn.Release()
		if err == nil {
			_, err = z.Payments.Exec(ctx, `VACUUM (ANALYZE) ledger_entries`)
		}
		if err != nil {
			return fmt.Errorf("fill the book: %w", err)
		}
		if err := z.sumOnce(ctx); err != nil { // warm-up
			return err
		}
		const times = 5
		before, err := z.sessionsOf(meterRole)
		if err != nil {
			return err
		}
		for range times {
			if err := z.sumOnce(ctx); err != nil {
				return err
			}
		}
		after, err := z.sessionsOf(meterRole)
		if err != nil {
			return err
		}
		var number int64
		err = z.Payments.QueryRow(ctx, `SELECT count(*) FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id
			WHERE a.name = 'provider_clearing:stripe:main'`).Scan(&number)
		if err != nil {
			return fmt.Errorf("count the book: %w", err)
		}
		fmt.Printf("| %d | %.0f |\n", number, (after-before).Seconds()*1000/times)
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

func (z *sizing) sumOnce(ctx context.Context) error {
	var minor int64
	err := z.Payments.QueryRow(ctx, `SELECT coalesce(sum(e.amount_minor), 0)::bigint FROM ledger_entries e
		JOIN ledger_accounts a ON a.id = e.account_id WHERE a.name = $1 AND a.currency = 'EUR'`, "provider_clearing:stripe:main").Scan(&minor)
	if err != nil {
		return fmt.Errorf("add up the book: %w", err)
	}
	return nil
}
