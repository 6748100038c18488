package settlements_test

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/payout/settlements"
)

// paidMany makes paid pledges of 10 euros each, as the service writes them.
func (w *world) paidMany(n int) {
	w.T.Helper()
	for _, query := range []string{
		`ALTER TABLE payments DISABLE TRIGGER ALL`,
		`INSERT INTO payments (id, subject_kind, subject_id, provider, status, amount_minor, currency, campaign_id, language, payable_until, closes_at, next_check_at, created_at, updated_at, paid_attempt_id)
			SELECT lpad(i::text, 26, '0'), 'pledge', 'many' || i, 'mangopay', 'succeeded', 1000, 'EUR', 7, 'fi', now(), now(), now() + interval '1 year', now(), now(), 1000000 + i FROM generate_series(1, @n) i`,
		`INSERT INTO attempts (id, payment_id, provider, method, number, idempotency_key, status, object_ref, money_ref, charge_ref, amount_minor, currency, created_at, updated_at)
			OVERRIDING SYSTEM VALUE SELECT 1000000 + i, lpad(i::text, 26, '0'), 'mangopay', 'unasked', 1, 'many' || i, 'succeeded', 'many' || i, 'many' || i, 'many' || i, 1000, 'EUR', now(), now() FROM generate_series(1, @n) i`,
		`WITH made AS (INSERT INTO ledger_transactions (id, provider, kind, reference, payment_id, charge_ref, amount_minor, currency, legs, happened_at, booked_at)
			OVERRIDING SYSTEM VALUE SELECT 1000000 + i, 'mangopay', 'charge', 'many' || i, lpad(i::text, 26, '0'), 'many' || i, 1000, 'EUR', 2, now(), now() FROM generate_series(1, @n) i)
			INSERT INTO ledger_entries (transaction_id, account_id, currency, amount_minor) SELECT 1000000 + i, a.id, 'EUR', CASE a.class WHEN 'backer_funds' THEN -1000 ELSE 1000 END
			FROM generate_series(1, @n) i CROSS JOIN ledger_accounts a WHERE a.class IN ('backer_funds', 'provider_clearing')`,
		`ALTER TABLE payments ENABLE TRIGGER ALL`, `ANALYZE`,
	} {
		w.Exec(strings.ReplaceAll(query, "@n", strconv.Itoa(n)))
	}
}

// A campaign of many pledges is booked in pieces of 200, each line once. LINES=n measures as many.
func TestBook_ManyLines(t *testing.T) {
	t.Parallel()
	n := 450
	if given, err := strconv.Atoi(os.Getenv("LINES")); err == nil {
		n = given
	}
	w := newWorld(t, 10)
	w.paidMany(n)
	w.end()
	begun := time.Now()
	r := w.propose()
	frozen := time.Now()
	people := []string{approver, second}[:r.Needed()]
	for _, who := range people {
		w.approve(r, who, nil)
	}
	approved := time.Now()
	o := w.App.Settlements.Options
	if err := settlements.New(o).Book(t.Context(), w.run(r.ID).Run); err != nil {
		t.Fatal(err)
	}
	took := time.Since(approved)
	shown := w.want(r.ID, settlements.Booked, "")
	t.Logf("%d lines: frozen in %s, approved in %s, booked in %s: %s a line", n+1, frozen.Sub(begun), approved.Sub(frozen), took, took/time.Duration(n+1))
	if shown.GrossMinor != int64(n+1)*1000 || shown.Lines != n+1 || w.Count("ledger_transactions WHERE kind = 'settlement'") != n+1 {
		t.Errorf("booked %+v, %d in the book", shown.Run, w.Count("ledger_transactions WHERE kind = 'settlement'"))
	}
	if left := w.Count(`(SELECT 1 FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE a.class = 'backer_funds' HAVING sum(e.amount_minor) <> 0) x`); left != 0 {
		t.Error("something is left")
	}
}
