//go:build unix

package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	payments "talkoot.fi/payments/inproc"
)

const (
	bookEntries  = 10_000_000
	closeEvery   = 1000 // entries behind the last closing with which there is another
	behindClosed = closeEvery - 1
	fullSums     = 3
	balances     = 500
	ourBalance   = "provider_clearing:stripe:main"
)

// balanceRow measures the balance of one account that has millions of entries, as it is read before money leaves us, beside their
// sum. The book is of no use afterwards.
func (b *bench) balanceRow(ctx context.Context) error {
	if err := b.growAccount(ctx, bookEntries); err != nil {
		return err
	}
	var ours, sums latencies
	for i := range balances + fullSums {
		read, list := balanceSQL, &ours
		if i >= balances {
			read, list = sumSQL, &sums
		}
		began := time.Now()
		if _, err := b.readBalance(ctx, read); err != nil {
			return err
		}
		*list = append(*list, time.Since(began))
	}
	balance, err := b.readBalance(ctx, balanceSQL)
	if err != nil {
		return err
	}
	sum, err := b.readBalance(ctx, sumSQL)
	if err != nil {
		return err
	}
	if sum != balance {
		return fmt.Errorf("the balance is %d, the entries add up to %d", balance, sum)
	}
	slices.Sort(ours)
	slices.Sort(sums)
	b.table.below(fmt.Sprintf("account balance of %d ledger entries, p95 (their sum takes %s)", bookEntries, ms(sums.at(0.5))),
		float64(ours.at(0.95).Microseconds())/1000, 5, "ms")
	return nil
}

const (
	balanceSQL = `SELECT ` + payments.BalanceSQL + ` FROM ledger_accounts a WHERE a.name = $1 AND a.currency = 'EUR'`
	sumSQL     = `SELECT coalesce(sum(e.amount_minor), 0)::bigint FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id
		WHERE a.name = $1 AND a.currency = 'EUR'`
)

func (b *bench) readBalance(ctx context.Context, query string) (minor int64, err error) {
	if err := b.harness.Payments.QueryRow(ctx, query, ourBalance).Scan(&minor); err != nil {
		return 0, fmt.Errorf("read our balance: %w", err)
	}
	return minor, nil
}

// growAccount adds entries to our balance, waits until the worker has closed it, and adds what it has at most behind that.
func (b *bench) growAccount(ctx context.Context, entries int) error {
	if err := b.addEntries(ctx, entries-behindClosed); err != nil {
		return err
	}
	// Others write to the book meanwhile, and a closing may have come before the last of them: then there is no other soon.
	for isClosed := false; !isClosed; {
		err := b.harness.Payments.QueryRow(ctx, `SELECT count(*) < $2 FROM (SELECT FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id
			WHERE a.name = $1 AND a.currency = 'EUR' AND e.id > (SELECT coalesce(max(up_to), 0) FROM ledger_closings c WHERE c.account_id = a.id) LIMIT $2) behind`,
			ourBalance, closeEvery).Scan(&isClosed)
		if err != nil {
			return fmt.Errorf("wait for a closing: %w", err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for a closing: %w", ctx.Err())
		case <-time.After(time.Second):
		}
	}
	return b.addEntries(ctx, behindClosed)
}

// addEntries writes entries without transactions, since neither triggers nor foreign keys are looked at.
func (b *bench) addEntries(ctx context.Context, entries int) error {
	conn, err := b.harness.Payments.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("reach the book: %w", err)
	}
	defer conn.Release()
	for _, statement := range []string{
		`INSERT INTO ledger_accounts (name, class, type, currency, guarded) VALUES ('` + ourBalance + `', 'provider_clearing', 'asset', 'EUR', false)
			ON CONFLICT DO NOTHING`,
		`SET session_replication_role = replica`,
		fmt.Sprintf(`INSERT INTO ledger_entries (transaction_id, account_id, currency, amount_minor)
			SELECT n, a.id, a.currency, 1500 FROM ledger_accounts a, generate_series(1, %d) n WHERE a.name = '%s' AND a.currency = 'EUR'`, entries, ourBalance),
		`RESET session_replication_role`,
		`VACUUM (ANALYZE) ledger_entries`,
		`CHECKPOINT`, // else the end of the server is what writes it all
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("fill the book: %w", err)
		}
	}
	return nil
}
