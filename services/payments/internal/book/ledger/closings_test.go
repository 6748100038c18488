package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/migrations"
)

// charge posts a charge of its own towards a campaign.
func charge(t *testing.T, db *gorm.DB, n int, campaign, minor int64) {
	t.Helper()
	m := move(ledger.Charge, fmt.Sprintf("ch_%d", n), minor)
	m.Of = &ledger.Money{CampaignID: campaign, Charge: m.Reference}
	if _, err := ledger.Post(t.Context(), db, m); err != nil {
		t.Fatal(err)
	}
}

func closeAccounts(t *testing.T, db *gorm.DB, every int64) int64 {
	t.Helper()
	n, err := ledger.CloseAccounts(t.Context(), db, every, at)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// asTheEntries compares the balance of every account, and every closing, with the entries.
func asTheEntries(t *testing.T, db *gorm.DB) {
	t.Helper()
	var sums []struct {
		Name  string
		Minor int64
	}
	err := db.Raw(`SELECT a.name, coalesce(sum(e.amount_minor), 0)::bigint AS minor FROM ledger_accounts a
		LEFT JOIN ledger_entries e ON e.account_id = a.id GROUP BY a.id`).Scan(&sums).Error
	if err != nil || len(sums) == 0 {
		t.Fatalf("%d accounts, %v", len(sums), err)
	}
	for _, want := range sums {
		if got, err := ledger.Balance(t.Context(), db, want.Name, money.EUR); err != nil || got.Minor != want.Minor {
			t.Errorf("%s has %d, %v; its entries add up to %d", want.Name, got.Minor, err, want.Minor)
		}
	}
	for _, what := range misclosed(t, db) {
		t.Error(what)
	}
}

func misclosed(t *testing.T, db *gorm.DB) (list []string) {
	t.Helper()
	if _, err := ledger.VerifyClosings(t.Context(), db, func(what string) { list = append(list, what) }); err != nil {
		t.Fatal(err)
	}
	return list
}

// asService is a pool with the rights of the service, which calls before each of its statements.
func asService(t *testing.T, owner *dbtest.DB, before func(*gorm.DB)) *gorm.DB {
	t.Helper()
	db, err := dbx.Open(t.Context(), dbx.Config{URL: owner.As("talkoot_payments")}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dbx.Close(db) })
	for name, err := range map[string]error{
		"reads":  db.Callback().Query().Before("gorm:query").Register("test:before", before),
		"writes": db.Callback().Raw().Before("gorm:raw").Register("test:before", before),
		"rows":   db.Callback().Row().Before("gorm:row").Register("test:before", before),
	} {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return db
}

// An account is closed once there is enough behind its last closing, also when that has come little by little; what is booked
// later is added.
func TestBalance_IsTheSumOfAllEntries_WithAndWithoutClosings(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	if n := closeAccounts(t, db, 1); n != 0 {
		t.Errorf("%d closings of an empty book", n)
	}
	if none, err := ledger.Balance(t.Context(), db, "bank", money.EUR); err != nil || none != money.New(0, money.EUR) {
		t.Errorf("an account that there is not has %v, %v", none, err)
	}
	for n := range 3 {
		charge(t, db, n, 7, int64(100+n))
	}
	asTheEntries(t, db)
	if n := closeAccounts(t, db, 4); n != 0 {
		t.Errorf("%d accounts with three entries are closed after four", n)
	}
	charge(t, db, 3, 8, 50)
	if n := closeAccounts(t, db, 4); n != 1 { // the provider's has four, the campaigns' three and one
		t.Errorf("%d accounts are closed, of which one has four entries", n)
	}
	asTheEntries(t, db)
	for n := range 9 {
		charge(t, db, 10+n, 7+int64(n%3), int64(1000+n))
		closeAccounts(t, db, 4)
		asTheEntries(t, db)
	}
	var closed []struct {
		Name  string
		Count int
	}
	if err := db.Raw(`SELECT a.name, count(*) FROM ledger_closings c
		JOIN ledger_accounts a ON a.id = c.account_id GROUP BY 1 ORDER BY 1`).Scan(&closed).Error; err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(closed); got != "[{backer_funds:stripe:7 1} {backer_funds:stripe:8 1} {provider_clearing:stripe:main 3}]" {
		t.Errorf("closed are %s", got)
	}
	if n := closeAccounts(t, db, 1); n == 0 || closeAccounts(t, db, 1) != 0 {
		t.Errorf("%d closings, and more of what was closed", n)
	}
	asTheEntries(t, db)
}

// The trap of ids: what was written first is committed last. The closing waits for it, and nobody waits for the closing.
func TestCloseAccounts_LosesNoEntryThatIsCommittedAfterAGreaterOne(t *testing.T) {
	t.Parallel()
	owner := dbtest.New(t, migrations.FS)
	charge(t, owner.Gorm, 1, 7, 100)
	late := owner.Gorm.Begin()
	defer late.Rollback()
	charge(t, late, 2, 7, 20)
	charge(t, owner.Gorm, 3, 7, 3)

	looks, looked := atomic.Int32{}, make(chan struct{})
	service := asService(t, owner, func(db *gorm.DB) {
		if strings.Contains(db.Statement.SQL.String(), "pg_locks") && looks.Add(1) == 3 {
			close(looked)
		}
	})
	var closed int64
	failed := make(chan error)
	go func() {
		var err error
		closed, err = ledger.CloseAccounts(t.Context(), service, 1, at)
		failed <- err
	}()
	select {
	case <-looked: // it waits
	case err := <-failed:
		t.Fatalf("%d accounts are closed beside an open transaction, %v", closed, err)
	}
	charge(t, owner.Gorm, 4, 8, 4000)
	if err := late.Commit().Error; err != nil {
		t.Fatal(err)
	}
	if err := <-failed; err != nil || closed != 2 {
		t.Errorf("%d accounts are closed, %v", closed, err)
	}
	var upTo, first int64
	if err := owner.Gorm.Raw(`SELECT max(up_to) FROM ledger_closings`).Scan(&upTo).Error; err != nil {
		t.Fatal(err)
	}
	if err := owner.Gorm.Raw(`SELECT min(e.id) FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id
		WHERE a.name = 'backer_funds:stripe:8'`).Scan(&first).Error; err != nil {
		t.Fatal(err)
	}
	if upTo != first-1 && upTo != first-2 {
		t.Errorf("accounts are closed up to entry %d, what was booked meanwhile begins at %d", upTo, first)
	}
	asTheEntries(t, owner.Gorm)
}

// Ids must be drawn in their order by all sessions: CloseAccounts relies on it.
func TestEntries_HaveASequenceWithoutACache(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	var cache, step int64
	if err := db.Raw(`SELECT seqcache, seqincrement FROM pg_sequence
		WHERE seqrelid = pg_get_serial_sequence('ledger_entries', 'id')::regclass`).Row().Scan(&cache, &step); err != nil ||
		cache != 1 || step != 1 {
		t.Errorf("sessions draw %d at once, %d apart, %v", cache, step, err)
	}
}

// Wherever the process ends, balances are right, and the next call makes up for it. A transaction that stays open keeps accounts
// from being closed, nothing else.
func TestCloseAccounts_BrokenOff_LeavesBalancesRight(t *testing.T) {
	t.Parallel()
	owner := dbtest.New(t, migrations.FS)
	charge(t, owner.Gorm, 1, 7, 100)
	open := owner.Gorm.Begin()
	defer open.Rollback()
	charge(t, open, 2, 7, 20)
	charge(t, owner.Gorm, 3, 8, 3)
	for _, statement := range []string{"max(id)", "pg_locks", "virtualtransaction IN"} {
		ctx, end := context.WithCancel(t.Context())
		service := asService(t, owner, func(db *gorm.DB) {
			if strings.Contains(db.Statement.SQL.String(), statement) {
				end()
			}
		})
		if n, err := ledger.CloseAccounts(ctx, service, 1, at); n != 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("broken off at %s: %d, %v", statement, n, err)
		}
		asTheEntries(t, owner.Gorm)
	}
	if err := open.Commit().Error; err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	service := asService(t, owner, func(db *gorm.DB) {
		if strings.Contains(db.Statement.SQL.String(), "INSERT") {
			end()
		}
	})
	if n, err := ledger.CloseAccounts(ctx, service, 1, at); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("broken off while it writes: %d, %v", n, err)
	}
	asTheEntries(t, owner.Gorm)
	if n := closeAccounts(t, owner.Gorm, 1); n != 3 {
		t.Errorf("%d accounts are closed in the end", n)
	}
	asTheEntries(t, owner.Gorm)
}

// Many book, many close.
func TestCloseAccounts_BesideBookings_StaysRight(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	var bookings, closers sync.WaitGroup
	ended := make(chan struct{})
	for writer := range 4 {
		bookings.Go(func() {
			for n := range 40 {
				err := dbx.InTx(t.Context(), db, func(tx *gorm.DB) error {
					m := move(ledger.Charge, fmt.Sprintf("ch_%d_%d", writer, n), int64(1+n))
					m.Of = &ledger.Money{CampaignID: int64(7 + n%2), Charge: m.Reference}
					_, err := ledger.Post(t.Context(), tx, m)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 2 {
		closers.Go(func() {
			for isLast := false; !isLast; {
				select {
				case <-ended:
					isLast = true
				default:
				}
				if _, err := ledger.CloseAccounts(t.Context(), db, 3, at); err != nil && !errors.Is(err, ledger.ErrWriters) {
					t.Error(err)
				}
			}
		})
	}
	bookings.Wait()
	close(ended)
	closers.Wait()
	var closings int64
	if err := db.Raw(`SELECT count(*) FROM ledger_closings`).Scan(&closings).Error; err != nil || closings < 3 {
		t.Errorf("%d closings, %v", closings, err)
	}
	asTheEntries(t, db)
}

// Whatever is wrong with a closing is named; the database refuses to change one.
func TestVerifyClosings_NamesEachThatItsEntriesDoNotAddUpTo(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	for n := range 6 {
		charge(t, db, n, 7, int64(100+n))
		if n%2 == 1 {
			closeAccounts(t, db, 1)
		}
	}
	asTheEntries(t, db)
	const funds = `account_id = (SELECT id FROM ledger_accounts WHERE name = 'backer_funds:stripe:7')`
	for change, want := range map[string]string{
		`UPDATE ledger_closings SET balance_minor = balance_minor + 1 WHERE up_to = 4 AND ` + funds:                                     `backer_funds:stripe:7 (EUR) was closed up to entry 4 at -200, and its entries add up to -201`,
		`DELETE FROM ledger_entries WHERE id > 8 AND id <= 10 AND ` + funds:                                                             `backer_funds:stripe:7 (EUR) was closed up to entry 12 at -615, and its entries add up to -511`,
		`UPDATE ledger_closings SET up_to = 99 WHERE up_to = 12 AND ` + funds:                                                           `backer_funds:stripe:7 (EUR) is closed up to entry 99, which is not booked`,
		`UPDATE ledger_entries SET amount_minor = amount_minor - 5 WHERE id = (SELECT min(id) FROM ledger_entries WHERE ` + funds + `)`: `backer_funds:stripe:7 (EUR) was closed up to entry 4 at -201, and its entries add up to -206`,
	} {
		tx := db.Begin()
		if err := tx.Exec(`SET LOCAL session_replication_role = replica`).Error; err != nil { // past all rules of the database
			t.Fatal(err)
		}
		if result := tx.Exec(change); result.Error != nil || result.RowsAffected == 0 {
			t.Errorf("%s: %v", change, result.Error)
		} else if found := misclosed(t, tx); len(found) == 0 || found[0] != want {
			t.Errorf("of %s is found %q", change, found)
		}
		tx.Rollback()
	}
	for _, statement := range []string{`UPDATE ledger_closings SET balance_minor = 0`, `DELETE FROM ledger_closings`, `TRUNCATE ledger_closings`} {
		if err := db.Exec(statement).Error; err == nil {
			t.Errorf("the owner could %s", statement)
		}
	}
}

// What a balance reads does not grow with the book: the entries behind the closing, by an index.
func TestBalance_ReadsNoEntryThatIsClosed(t *testing.T) {
	t.Parallel()
	db := dbtest.NewFiles(t, migrations.FS).Gorm
	charge(t, db, 1, 7, 100)
	const entries = 60_000
	fill := db.Begin()
	for _, statement := range []string{`SET LOCAL session_replication_role = replica`,
		fmt.Sprintf(`INSERT INTO ledger_entries (transaction_id, account_id, currency, amount_minor)
			SELECT 1, id, 'EUR', 1 FROM ledger_accounts, generate_series(1, %d) WHERE class = 'provider_clearing'`, entries)} {
		if err := fill.Exec(statement).Error; err != nil {
			t.Fatal(err)
		}
	}
	if err := fill.Commit().Error; err != nil {
		t.Fatal(err)
	}
	if n := closeAccounts(t, db, ledger.CloseEvery); n != 1 {
		t.Fatalf("%d accounts are closed", n)
	}
	for n := range 5 {
		charge(t, db, 10+n, 7, 100)
	}
	if err := db.Exec(`ANALYZE ledger_entries`).Error; err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
		var plan []string
		err := dbx.InTx(t.Context(), db, func(tx *gorm.DB) error {
			if err := tx.Exec(`SET LOCAL plan_cache_mode = ` + mode).Error; err != nil {
				return err
			}
			return tx.Raw(`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT `+ledger.BalanceSQL+` FROM ledger_accounts a WHERE a.name = ? AND a.currency = ?`,
				"provider_clearing:stripe:main", money.EUR).Scan(&plan).Error
		})
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(plan, "\n")
		if !regexp.MustCompile(`Index Only Scan using ledger_entries_of_account_by_id on ledger_entries behind \(actual rows=5(\.00)? loops=1\)`).MatchString(text) ||
			strings.Contains(text, "Seq Scan on ledger_entries") {
			t.Errorf("%s reads more than the five entries behind:\n%s", mode, text)
		}
	}
	asTheEntries(t, db)
}
