package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/ledger"
	"talkoot.fi/payments/migrations"
)

var at = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func post(t *testing.T, db *gorm.DB, m ledger.Movement) (posted bool, err error) {
	t.Helper()
	err = dbx.InTx(t.Context(), db, func(tx *gorm.DB) error {
		posted, err = ledger.Post(t.Context(), tx, m)
		return err
	})
	return posted, err
}

func charge(payment, reference string, minor int64) ledger.Movement {
	return ledger.Movement{
		Kind: ledger.Charge, Reference: reference, PaymentID: payment, At: at, Amount: money.New(minor, money.EUR),
		Debit: ledger.ProviderClearing("stripe"), Credit: ledger.BackerFunds(7),
	}
}

func newPayment(t *testing.T, db *gorm.DB) string {
	t.Helper()
	id, pledge := ids.New(), ids.New()
	for _, statement := range []string{
		`INSERT INTO orders (pledge_id, amount_minor, currency, description, language, campaign_id, campaign_slug, campaign_title, reserved_until, fetched_at)
			VALUES (@pledge, 5000, 'EUR', '', 'fi', 7, '', '', now(), now())`,
		`INSERT INTO payments (id, pledge_id, provider, status, amount_minor, currency, closes_at, next_check_at, created_at, updated_at)
			VALUES (@id, @pledge, 'stripe', 'created', 5000, 'EUR', now(), now(), now(), now())`,
	} {
		if err := db.Exec(statement, map[string]any{"id": id, "pledge": pledge}).Error; err != nil {
			t.Fatal(err)
		}
	}
	return id
}

func TestPost_SameMovementTwice_CountsOnce(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	payment := newPayment(t, db)
	for i, want := range []bool{true, false, false} {
		if posted, err := post(t, db, charge(payment, "ch_1", 5000)); err != nil || posted != want {
			t.Fatalf("post %d: posted %t, error %v; want %t", i, posted, err, want)
		}
	}
	balance, err := ledger.Balance(t.Context(), db, ledger.BackerFunds(7), money.EUR)
	if err != nil || balance.Minor != -5000 {
		t.Fatalf("balance %d, error %v; want -5000", balance.Minor, err)
	}
}

func TestPost_RefusesWhatIsNoMovement(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	payment := newPayment(t, db)
	for name, spoil := range map[string]func(*ledger.Movement){
		"nothing":     func(m *ledger.Movement) { m.Amount.Minor = 0 },
		"negative":    func(m *ledger.Movement) { m.Amount.Minor = -1 },
		"no currency": func(m *ledger.Movement) { m.Amount.Currency = "" },
		"one account": func(m *ledger.Movement) { m.Credit = m.Debit },
		"nameless":    func(m *ledger.Movement) { m.Reference = "" },
	} {
		m := charge(payment, "ch_1", 5000)
		spoil(&m)
		if _, err := post(t, db, m); err == nil {
			t.Errorf("%s: posted", name)
		}
	}
}

// The database itself refuses a book that does not balance, whatever code writes it.
func TestSchema_HoldsTheBook(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	payment := newPayment(t, db)
	if _, err := post(t, db, charge(payment, "ch_1", 5000)); err != nil {
		t.Fatal(err)
	}
	usd := charge(payment, "ch_2", 10)
	usd.Amount.Currency = money.USD
	if _, err := post(t, db, usd); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ statement, constraint string }{
		"one-sided":         {`INSERT INTO ledger_entries (transaction_id, account_id, currency, amount_minor) SELECT transaction_id, account_id, currency, 1 FROM ledger_entries WHERE currency = 'EUR' LIMIT 1`, "ledger_balanced"},
		"without entries":   {fmt.Sprintf(`INSERT INTO ledger_transactions (kind, reference, payment_id, currency, occurred_at) VALUES ('charge', 'ch_9', '%s', 'EUR', now())`, payment), "ledger_balanced"},
		"mixed currencies":  {`INSERT INTO ledger_entries (transaction_id, account_id, currency, amount_minor) SELECT t.id, a.id, 'USD', 1 FROM ledger_transactions t, ledger_accounts a WHERE t.currency = 'EUR' AND a.currency = 'USD' LIMIT 1`, "ledger_entries_transaction"},
		"changed":           {`UPDATE ledger_entries SET amount_minor = amount_minor * 2`, "ledger_append_only"},
		"removed":           {`DELETE FROM ledger_entries`, "ledger_append_only"},
		"history rewritten": {`UPDATE ledger_transactions SET reference = 'x'`, "ledger_append_only"},
	} {
		err := db.Exec(c.statement).Error
		if got := dbx.Constraint(err); got != c.constraint {
			t.Errorf("%s: constraint %q (%v), want %q", name, got, err, c.constraint)
		}
	}
}

// Whatever is posted in whatever order and however often, the book as a whole adds up to nothing.
func TestPost_RandomMovements_BookBalances(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	payment := newPayment(t, db)
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)
	accounts := []ledger.Account{ledger.ProviderClearing("stripe"), ledger.ProviderFees("stripe"), ledger.BackerFunds(1), ledger.BackerFunds(2), ledger.UnallocatedFunds()}
	kinds := ledger.Kinds()
	want := map[string]int64{}
	seen := map[string]bool{}
	for range 150 {
		i, j := random.IntN(len(accounts)), random.IntN(len(accounts)-1)
		if j >= i {
			j++
		}
		m := ledger.Movement{
			Kind: kinds[random.IntN(len(kinds))], Reference: fmt.Sprint(random.IntN(60)), PaymentID: payment, At: at,
			Debit: accounts[i], Credit: accounts[j], Amount: money.New(1+random.Int64N(100_000), money.EUR),
		}
		if _, err := post(t, db, m); err != nil {
			t.Fatal(err)
		}
		if key := string(m.Kind) + m.Reference; !seen[key] {
			seen[key] = true
			want[m.Debit.Name] += m.Amount.Minor
			want[m.Credit.Name] -= m.Amount.Minor
		}
	}
	total := int64(0)
	for _, a := range accounts {
		balance, err := ledger.Balance(t.Context(), db, a, money.EUR)
		if err != nil || balance.Minor != want[a.Name] {
			t.Errorf("%s: %d, error %v; want %d", a.Name, balance.Minor, err, want[a.Name])
		}
		total += balance.Minor
	}
	if total != 0 {
		t.Errorf("the book adds up to %d", total)
	}
}
