package ledger_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/migrations"
)

// A day of the book is sealed an hour after it is over in Finland, also one on which nothing was booked, and never twice. Its hash is that of the text
// which auditors are given, and begins with the hash of the day before. Whatever is changed of a sealed day is seen: each column of a
// transaction and of its entries, an entry that is moved, a movement that is added or taken away, a seal itself, the beginning or the end of it all.
func TestDays_AreSealedOnce_AndShowEachLaterChange(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	late := time.Date(2026, 5, 3, 20, 59, 59, 999999000, time.UTC) // in Finland a moment before midnight
	seal := func(now time.Time) (sealed int) {
		t.Helper()
		for {
			n, err := ledger.SealNext(t.Context(), db, now)
			if err != nil {
				t.Fatal(err)
			}
			if n == 0 {
				return sealed
			}
			sealed += n
		}
	}
	differ := func(db *gorm.DB) (found []string) {
		t.Helper()
		_, err := ledger.VerifyDays(t.Context(), db, late.AddDate(0, 0, 2), func(day time.Time, what string) {
			found = append(found, day.Format("02.01. ")+what)
		})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if n := seal(at); n != 0 {
		t.Errorf("%d days of an empty book are sealed", n)
	}
	mustPost(t, db, move(ledger.Charge, "ch_1", 10000))
	second := move(ledger.Charge, "ch_2", 500)
	second.Of = &ledger.Money{CampaignID: 7, Charge: "ch_2"}
	second.Booked = late
	mustPost(t, db, second)
	if n := seal(late.Add(time.Hour)); n != 2 {
		t.Errorf("%d days are sealed an hour after the last", n)
	}
	if n := seal(late.Add(time.Hour + time.Microsecond)); n != 1 {
		t.Errorf("%d more days are sealed then", n)
	}
	days, err := ledger.Days(t.Context(), db, time.Time{}, 10)
	if err != nil || len(days) != 3 || days[0].Transactions != 1 || days[1].Transactions != 0 || days[2].Transactions != 1 || days[2].PreviousHash != "" {
		t.Fatalf("%+v, %v", days, err)
	}
	var text bytes.Buffer
	if _, err := ledger.WriteDay(t.Context(), db, days[0].Day, days[1].Hash, &text); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text.Bytes())
	if lines := strings.Split(text.String(), "\n"); len(lines) != 4 || lines[0] != "2026-05-03" || lines[1] != days[1].Hash || !strings.Contains(lines[2], `"ch_2"`) ||
		hex.EncodeToString(sum[:]) != days[0].Hash {
		t.Errorf("%s is not the text of %+v", &text, days[0])
	}
	if found := differ(db); len(found) != 0 {
		t.Fatal(found)
	}
	for hash, want := range map[string]bool{days[1].Hash: true, strings.Repeat("a", 64): false} {
		if is, err := ledger.IsSeal(t.Context(), db, hash); err != nil || is != want {
			t.Errorf("%s is a seal: %t, %v", hash, is, err)
		}
	}
	for _, change := range append(eachColumn(t, db),
		`UPDATE ledger_entries SET account_id = CASE account_id WHEN 1 THEN 2 ELSE 1 END`,
		`DELETE FROM ledger_entries; DELETE FROM ledger_transactions`,
		`UPDATE ledger_transactions SET booked_at = booked_at + interval '1 day'`,
		`UPDATE ledger_days SET hash = repeat('a', 64)`,
		`DELETE FROM ledger_days WHERE transactions = 0`,
		`DELETE FROM ledger_entries WHERE transaction_id = 1; DELETE FROM ledger_transactions WHERE id = 1; DELETE FROM ledger_days WHERE day = '2026-05-01'`,
		`INSERT INTO ledger_transactions (provider, kind, reference, amount_minor, currency, legs, happened_at, booked_at)
			VALUES ('stripe', 'topup', 'x', 1, 'EUR', 2, '2026-04-01', '2026-04-01')`,
		`DELETE FROM ledger_days`,
		`DELETE FROM ledger_days WHERE day = '2026-05-03'`,
	) {
		tx := db.Begin()
		// As its owner, past all rules of the database.
		if err := tx.Exec(`SET LOCAL session_replication_role = replica`).Error; err != nil {
			t.Fatal(err)
		}
		if result := tx.Exec(change); result.Error != nil || result.RowsAffected == 0 {
			t.Errorf("%s: %v", change, result.Error)
		} else if found := differ(tx); len(found) == 0 {
			t.Errorf("nothing is seen of %s", change)
		}
		tx.Rollback()
	}
	if err := db.Exec(`UPDATE ledger_days SET hash = repeat('a', 64)`).Error; err == nil {
		t.Error("a seal can be changed")
	}
}

// eachColumn are changes of every column of transactions, entries and accounts whose meaning is in the text.
func eachColumn(t *testing.T, db *gorm.DB) (changes []string) {
	t.Helper()
	var columns []struct{ Table, Name, Type string }
	err := db.Raw(`SELECT table_name AS table, column_name AS name, data_type AS type FROM information_schema.columns
		WHERE table_name IN ('ledger_transactions', 'ledger_entries', 'ledger_accounts') AND is_identity = 'NO' AND (table_name, column_name) NOT IN
			(('ledger_accounts', 'class'), ('ledger_accounts', 'guarded'), ('ledger_entries', 'transaction_id'), ('ledger_entries', 'account_id'))`).Scan(&columns).Error
	if err != nil || len(columns) < 18 {
		t.Fatalf("%d columns, %v", len(columns), err)
	}
	for _, c := range columns {
		value := map[string]string{"bigint": "coalesce(%s, 0) + 1000", "integer": "%s + 1", "text": "%s || 'x'", "timestamp with time zone": "%s + interval '1 second'",
			"character": "'SEK'"}[c.Type]
		if special := map[string]string{"vat_country": "'SE'", "type": "'expense'"}[c.Name]; special != "" {
			value = special
		}
		if strings.Contains(value, "%s") {
			value = fmt.Sprintf(value, c.Name)
		}
		changes = append(changes, fmt.Sprintf("UPDATE %s SET %s = %s", c.Table, c.Name, value))
	}
	return changes
}
