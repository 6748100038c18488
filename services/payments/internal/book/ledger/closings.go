package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// A closing is what the entries of an account up to an id add up to. So a balance is the last closing and the entries behind it
// (BalanceSQL), and takes as long however long the book is. Closings say nothing of their own: any of them may be missing.
//
// Ids are drawn when entries are written and seen when they are committed, so an entry may come to light behind a greater one. A
// closing up to an id is right for ever only when none up to it can come any more, which CloseAccounts makes sure of without keeping
// anybody waiting, by the order of its steps:
//
//  1. It reads the greatest id that is committed. Ids are drawn one by one in their order (the sequence has no cache), so all
//     smaller ones are drawn by now, and whoever writes later draws greater ones.
//  2. Then it notes which transactions hold the lock on the table that each INSERT takes before it draws an id, and that only the
//     end of the transaction gives back (or of a savepoint, with what was written since). Who has drawn a smaller id either is
//     among them or has ended.
//  3. It waits until these have ended. PostgreSQL shows what a transaction has done before it gives its locks back, so a statement
//     that begins now sees all entries up to the id that there will ever be, and adds them up.
//
// CREATE INDEX CONCURRENTLY waits in the same way. A time alone would prove nothing (a machine may stand still in the middle of a
// transaction); a lock on the table would keep bookings waiting, and the service's role has no right to one; transactions' ids on
// entries would not survive a dump.

// CloseEvery is how many entries an account has behind its last closing before there is a new one.
const CloseEvery = 1000

// ErrWriters means that transactions that write to the book did not end for a while: nothing was closed.
var ErrWriters = errors.New("transactions that write to the book stay open")

const (
	closeAtOnce = 1_000_000             // entries that one statement looks at
	mostWait    = 5 * time.Second       // for transactions to end: theirs is milliseconds
	lookAgain   = 20 * time.Millisecond // whether they have
)

// BalanceSQL is the balance in minor units of account a of ledger_accounts, for queries about several. Account and id are
// compared as pairs because that is what ledger_entries_of_account_by_id alone serves: by the id alone, which the planner likes
// where accounts are few, others' entries would be read as well.
const BalanceSQL = `(SELECT (coalesce(closing.balance_minor, 0) + coalesce((SELECT sum(behind.amount_minor) FROM ledger_entries behind
	WHERE (behind.account_id, behind.id) > (a.id, coalesce(closing.up_to, 0)) AND (behind.account_id, behind.id) <= (a.id, 9223372036854775807)), 0))::bigint
	FROM (VALUES (1)) one LEFT JOIN LATERAL (SELECT up_to, balance_minor FROM ledger_closings
		WHERE account_id = a.id ORDER BY up_to DESC LIMIT 1) closing ON true)`

// CloseAccounts makes a closing for each account that has as many entries behind its last one, and returns for how many. Accounts
// that nothing was booked on since the last closing of all are not looked at: they had fewer then. Any number of processes may
// call it, none within a transaction, whose end it might wait for. Error: ErrWriters.
func CloseAccounts(ctx context.Context, db *gorm.DB, every int64, now time.Time) (closed int64, err error) {
	var at struct{ UpTo, Last int64 }
	err = db.WithContext(ctx).Raw(`SELECT (SELECT coalesce(max(id), 0) FROM ledger_entries) AS up_to,
		(SELECT coalesce(max(up_to), 0) FROM ledger_closings) AS last`).Scan(&at).Error
	if err != nil {
		return 0, fmt.Errorf("look how far accounts are closed: %w", err)
	}
	if at.UpTo-at.Last < every {
		return 0, nil
	}
	if err := awaitWriters(ctx, db); err != nil {
		return 0, fmt.Errorf("close accounts up to entry %d: %w", at.UpTo, err)
	}
	// Each statement is a whole of its own: where one is broken off, the next call goes on from the last that made a closing.
	for from := at.Last; from < at.UpTo; {
		to := min(from+closeAtOnce, at.UpTo)
		result := db.WithContext(ctx).Exec(`INSERT INTO ledger_closings (account_id, up_to, balance_minor, made_at)
			SELECT a.account_id, CAST(@to AS bigint), coalesce(c.balance_minor, 0) + s.minor, @now
			FROM (SELECT DISTINCT account_id FROM ledger_entries WHERE id > @from AND id <= @to) a
			LEFT JOIN LATERAL (SELECT up_to, balance_minor FROM ledger_closings
				WHERE account_id = a.account_id ORDER BY up_to DESC LIMIT 1) c ON true
			CROSS JOIN LATERAL (SELECT count(*) AS entries, sum(e.amount_minor)::bigint AS minor FROM ledger_entries e
				WHERE (e.account_id, e.id) > (a.account_id, coalesce(c.up_to, 0)) AND (e.account_id, e.id) <= (a.account_id, CAST(@to AS bigint))) s
			WHERE s.entries >= @every ON CONFLICT (account_id, up_to) DO NOTHING`,
			map[string]any{"from": from, "to": to, "every": every, "now": now})
		if result.Error != nil {
			return closed, fmt.Errorf("close accounts up to entry %d: %w", to, result.Error)
		}
		closed += result.RowsAffected
		from = to
	}
	return closed, nil
}

// awaitWriters waits until all transactions have ended that may have written an entry by now. Error: ErrWriters.
func awaitWriters(ctx context.Context, db *gorm.DB) error {
	const writing = `SELECT DISTINCT virtualtransaction FROM pg_locks WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND relation = CAST('ledger_entries' AS regclass)`
	var writers []string
	if err := db.WithContext(ctx).Raw(writing).Scan(&writers).Error; err != nil {
		return fmt.Errorf("look who writes to the book: %w", err)
	}
	patience, end := context.WithTimeout(ctx, mostWait)
	defer end()
	for len(writers) > 0 {
		select {
		case <-patience.Done():
			return cmp.Or(ctx.Err(), ErrWriters) //nolint:wrapcheck // the caller says which
		case <-time.After(lookAgain):
		}
		var left []string
		if err := db.WithContext(ctx).Raw(writing+` AND virtualtransaction IN ?`, writers).Scan(&left).Error; err != nil {
			return fmt.Errorf("look who writes to the book still: %w", err)
		}
		writers = left
	}
	return nil
}

// VerifyClosings adds up the entries of each account from its first one on and calls found for each closing that says otherwise,
// or that is of entries which there are not. It returns how many closings there are.
func VerifyClosings(ctx context.Context, db *gorm.DB, found func(what string)) (closings int, err error) {
	var list []struct {
		AccountID          int64
		Name, Currency     string
		UpTo, BalanceMinor int64
		IsBeyond           bool
	}
	err = db.WithContext(ctx).Raw(`SELECT c.account_id, a.name, a.currency, c.up_to, c.balance_minor,
			c.up_to > (SELECT coalesce(max(id), 0) FROM ledger_entries) AS is_beyond
		FROM ledger_closings c JOIN ledger_accounts a ON a.id = c.account_id ORDER BY c.account_id, c.up_to`).Scan(&list).Error
	if err != nil {
		return 0, fmt.Errorf("list closings: %w", err)
	}
	var account, from, minor int64
	for i, c := range list {
		if c.AccountID != account {
			account, from, minor = c.AccountID, 0, 0
		}
		// By the closing, so that no statement of an account with millions takes long.
		var part int64
		err := db.WithContext(ctx).Raw(`SELECT coalesce(sum(amount_minor), 0)::bigint FROM ledger_entries 
			WHERE (account_id, id) > (?, ?) AND (account_id, id) <= (?, ?)`, account, from, account, c.UpTo).Scan(&part).Error
		if err != nil {
			return i, fmt.Errorf("add up %s: %w", c.Name, err)
		}
		from, minor = c.UpTo, minor+part
		switch {
		case c.IsBeyond:
			found(fmt.Sprintf("%s (%s) is closed up to entry %d, which is not booked", c.Name, c.Currency, c.UpTo))
		case minor != c.BalanceMinor:
			found(fmt.Sprintf("%s (%s) was closed up to entry %d at %d, and its entries add up to %d", c.Name, c.Currency, c.UpTo, c.BalanceMinor, minor))
		}
	}
	return len(list), nil
}
