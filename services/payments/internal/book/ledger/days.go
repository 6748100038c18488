package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/charging/calendar"
)

// A day of the book is sealed after it is over: its text, which WriteDay writes, is hashed with SHA-256. The text begins with the hash of the
// day before, so each hash stands for the whole book until then. Hashes are public, the text is not.

// Day is a sealed day.
type Day struct {
	Day          time.Time // in Finland, as package calendar has it
	Transactions int64     // how many were booked on it
	PreviousHash string    // "" of the first day
	Hash         string
	SealedAt     time.Time
}

// sealAfter is how long after its end a day is sealed: what was begun on it is committed or given up long before.
const sealAfter = time.Hour

// SealNext seals the earliest day that is over and is not sealed yet, from that of the first movement on, and returns how many it has sealed: 0 or 1.
// Days without a movement are sealed, too, so that nothing can be added to them later. Any number of processes may call it.
func SealNext(ctx context.Context, db *gorm.DB, now time.Time) (sealed int, err error) {
	last, err := Days(ctx, db, time.Time{}, 1)
	if err != nil {
		return 0, err
	}
	next := Day{SealedAt: now}
	if len(last) > 0 {
		next.Day, next.PreviousHash = calendar.Add(last[0].Day, 1), last[0].Hash
	} else {
		var first struct{ At *time.Time }
		if err := db.WithContext(ctx).Raw(`SELECT min(booked_at) AS at FROM ledger_transactions`).Scan(&first).Error; err != nil {
			return 0, fmt.Errorf("find the first day of the book: %w", err)
		}
		if first.At == nil {
			return 0, nil
		}
		next.Day = calendar.DayOf(*first.At)
	}
	if now.Before(calendar.Start(calendar.Add(next.Day, 1)).Add(sealAfter)) {
		return 0, nil
	}
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		sum := sha256.New()
		if next.Transactions, err = WriteDay(ctx, tx, next.Day, next.PreviousHash, sum); err != nil {
			return err
		}
		next.Hash = hex.EncodeToString(sum.Sum(nil))
		// Another process may have sealed it meanwhile; of two, one row stands.
		result := tx.Exec(`INSERT INTO ledger_days (day, transactions, previous_hash, hash, sealed_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			next.Day, next.Transactions, next.PreviousHash, next.Hash, next.SealedAt)
		sealed = int(result.RowsAffected)
		return result.Error //nolint:wrapcheck // below
	})
	if err != nil {
		return 0, fmt.Errorf("seal %s: %w", next.Day.Format(time.DateOnly), err)
	}
	return sealed, nil
}

// Days are the sealed days before a day, the latest first; the zero time is after all.
func Days(ctx context.Context, db *gorm.DB, before time.Time, limit int) ([]Day, error) {
	if before.IsZero() {
		before = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	var list []Day
	err := db.WithContext(ctx).Raw(`SELECT * FROM ledger_days WHERE day < CAST(? AS date) ORDER BY day DESC LIMIT ?`, before.Format(time.DateOnly), limit).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read sealed days: %w", err)
	}
	return list, nil
}

// WriteDay writes the text of a day and returns how many transactions are in it: a line for the day, one for the hash of the day before, and one
// for each transaction, hour by hour in the order of their ids: a JSON array of all that was booked with its entries. The text has names of
// accounts, ids of providers and who decided something, so it is for auditors only.
func WriteDay(ctx context.Context, db *gorm.DB, day time.Time, previous string, out io.Writer) (transactions int64, err error) {
	if _, err := fmt.Fprintf(out, "%s\n%s\n", day.Format(time.DateOnly), previous); err != nil {
		return 0, fmt.Errorf("write the head of a day: %w", err)
	}
	// By the hour, so that no statement of a day with millions takes long.
	end := calendar.Start(calendar.Add(day, 1))
	for from := calendar.Start(day); from.Before(end); from = from.Add(time.Hour) {
		written, err := writeHour(ctx, db, from, out)
		transactions += written
		if err != nil {
			return transactions, fmt.Errorf("the book from %s: %w", from.Format(time.RFC3339), err)
		}
	}
	return transactions, nil
}

func writeHour(ctx context.Context, db *gorm.DB, from time.Time, out io.Writer) (transactions int64, err error) {
	rows, err := db.WithContext(ctx).Raw(`SELECT json_build_array(t.id, t.provider, t.kind, t.reference, t.payment_id, t.charge_ref, t.amount_minor, t.currency,
			t.legs, t.reverses, t.payee_id, t.vat_country, t.actor, t.note, to_char(t.happened_at AT TIME ZONE 'UTC', @moment), to_char(t.booked_at AT TIME ZONE 'UTC', @moment),
			(SELECT json_agg(json_build_array(e.id, a.name, a.type, a.currency, e.currency, e.amount_minor) ORDER BY e.id)
				FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE e.transaction_id = t.id))::text
		FROM ledger_transactions t WHERE t.booked_at >= @from AND t.booked_at < @to ORDER BY t.id`,
		map[string]any{"moment": `YYYY-MM-DD"T"HH24:MI:SS.US"Z"`, "from": from, "to": from.Add(time.Hour)}).Rows()
	if err != nil {
		return 0, err //nolint:wrapcheck // the caller says which
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return transactions, err //nolint:wrapcheck // the caller says which
		}
		if _, err := io.WriteString(out, line+"\n"); err != nil {
			return transactions, err //nolint:wrapcheck // the caller says which
		}
		transactions++
	}
	return transactions, rows.Err()
}

// VerifyDays compares all sealed days with the book as it is now, and calls found for each that differs, that does not follow from the day
// before it, or that is missing: the first is the day of the first movement, the last is yesterday or, while that is not sealed yet, the day
// before. It returns how many days it has read.
func VerifyDays(ctx context.Context, db *gorm.DB, now time.Time, found func(day time.Time, what string)) (days int, err error) {
	list, err := Days(ctx, db, time.Time{}, math.MaxInt32)
	if err != nil {
		return 0, err
	}
	var first struct{ At *time.Time }
	if err := db.WithContext(ctx).Raw(`SELECT min(booked_at) AS at FROM ledger_transactions`).Scan(&first).Error; err != nil {
		return 0, fmt.Errorf("find the first day of the book: %w", err)
	}
	slices.Reverse(list)
	var before Day // of the first there is none
	if first.At != nil {
		before.Day = calendar.Add(calendar.DayOf(*first.At), -1)
	} else if len(list) > 0 {
		before.Day = calendar.Add(list[0].Day, -1)
	}
	for i, d := range list {
		if d.PreviousHash != before.Hash || !d.Day.Equal(calendar.Add(before.Day, 1)) {
			found(d.Day, "does not follow from the day before it")
		}
		sum := sha256.New()
		transactions, err := WriteDay(ctx, db, d.Day, d.PreviousHash, sum)
		if err != nil {
			return i, err
		}
		if hash := hex.EncodeToString(sum.Sum(nil)); hash != d.Hash || transactions != d.Transactions {
			found(d.Day, fmt.Sprintf("was sealed with %d transactions as %s, and has %d now: %s", d.Transactions, d.Hash, transactions, hash))
		}
		before = d
	}
	if next, due := calendar.Add(before.Day, 1), calendar.Add(calendar.DayOf(now), -2); first.At != nil && !next.After(due) {
		found(next, "is not sealed")
	}
	return len(list), nil
}

// IsSeal reports whether a sealed day has a hash.
func IsSeal(ctx context.Context, db *gorm.DB, hash string) (is bool, err error) {
	if err := db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM ledger_days WHERE hash = ?)`, hash).Scan(&is).Error; err != nil {
		return false, fmt.Errorf("look for a day's hash: %w", err)
	}
	return is, nil
}
