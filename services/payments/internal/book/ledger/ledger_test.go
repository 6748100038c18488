package ledger_test

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/migrations"
)

var at = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func post(t *testing.T, db *gorm.DB, m ledger.Movement) (isNew bool, err error) {
	t.Helper()
	err = dbx.InTx(t.Context(), db, func(tx *gorm.DB) error {
		isNew, err = ledger.Post(t.Context(), tx, m)
		return err
	})
	return isNew, err
}

func mustPost(t *testing.T, db *gorm.DB, m ledger.Movement) {
	t.Helper()
	if isNew, err := post(t, db, m); err != nil || !isNew {
		t.Fatalf("%s %s: new %t, %v", m.Kind, m.Reference, isNew, err)
	}
}

func move(kind ledger.Kind, reference string, minor int64) ledger.Movement {
	return ledger.Movement{
		Kind: kind, Provider: "stripe", Reference: reference, To: ledger.Funds, Amount: money.New(minor, money.EUR),
		Happened: at, Booked: at.Add(time.Hour),
		Of: &ledger.Money{CampaignID: 7, Charge: "ch_1"},
	}
}

func positionOf(t *testing.T, db *gorm.DB, charge string) ledger.Position {
	t.Helper()
	p, err := ledger.Money{CampaignID: 7, Charge: charge}.Position(t.Context(), db, "stripe", money.EUR)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPost_SameMovementTwice_CountsOnce(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	for i, want := range []bool{true, false, false} {
		if isNew, err := post(t, db, move(ledger.Charge, "ch_1", 5000)); err != nil || isNew != want {
			t.Fatalf("post %d: new %t, error %v; want %t", i, isNew, err, want)
		}
	}
	balance, err := ledger.Balance(t.Context(), db, "backer_funds:stripe:7", money.EUR)
	if err != nil || balance.Minor != -5000 {
		t.Fatalf("balance %d, error %v; want -5000", balance.Minor, err)
	}
}

// A movement that is told again with another sum, currency or charge is an error, never silence.
func TestPost_RepeatThatDiffers_IsAnError(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	mustPost(t, db, move(ledger.Charge, "ch_1", 5000))
	mustPost(t, db, move(ledger.RefundBegun, "r1:1", 1000))
	for name, c := range map[string]struct {
		kind   ledger.Kind
		ref    string
		change func(*ledger.Movement)
	}{
		"another sum":      {ledger.Charge, "ch_1", func(m *ledger.Movement) { m.Amount.Minor = 500 }},
		"another currency": {ledger.Charge, "ch_1", func(m *ledger.Movement) { m.Amount.Currency = money.SEK }},
		"another charge": {ledger.Charge, "ch_1",
			func(m *ledger.Movement) { m.Of = &ledger.Money{CampaignID: 7, Charge: "ch_2"} }},
		"another refund": {ledger.RefundBegun, "r1:1", func(m *ledger.Movement) { m.Amount.Minor = 900 }},
	} {
		m := move(c.kind, c.ref, 5000)
		if c.kind == ledger.RefundBegun {
			m.Amount.Minor = 1000
		}
		c.change(&m)
		if _, err := post(t, db, m); !errors.Is(err, ledger.ErrDiffers) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Another provider may have the same id.
	other := move(ledger.Charge, "ch_1", 700)
	other.Provider = "mangopay"
	mustPost(t, db, other)
}

func TestPost_RefusesWhatIsNoMovement(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	for name, spoil := range map[string]func(*ledger.Movement){
		"nothing":      func(m *ledger.Movement) { m.Amount.Minor = 0 },
		"negative":     func(m *ledger.Movement) { m.Amount.Minor = -1 },
		"no currency":  func(m *ledger.Movement) { m.Amount.Currency = "" },
		"unknown kind": func(m *ledger.Movement) { m.Kind = "gift" },
		"nameless":     func(m *ledger.Movement) { m.Reference = "" },
		"timeless":     func(m *ledger.Movement) { m.Happened = time.Time{} },
	} {
		m := move(ledger.Charge, "ch_1", 5000)
		spoil(&m)
		if _, err := post(t, db, m); !errors.Is(err, ledger.ErrMovement) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What we decide ourselves takes no more than the charge has, also when the account has more of other charges.
func TestPost_OwnDecisionBeyondWhatIsThere_IsRefused(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	mustPost(t, db, move(ledger.Charge, "ch_1", 5000))
	other := move(ledger.Charge, "ch_2", 9000)
	other.Of = &ledger.Money{CampaignID: 7, Charge: "ch_2"}
	mustPost(t, db, other)
	for kind, want := range map[ledger.Kind]error{
		ledger.RefundByHand: ledger.ErrOverdrawn, ledger.HeldAccepted: ledger.ErrOverdrawn,
		ledger.HeldReturned: ledger.ErrOverdrawn, ledger.RefundWithdrawn: ledger.ErrOverdrawn,
	} {
		if _, err := post(t, db, move(kind, "x", 100)); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", kind, err, want)
		}
	}
	if p := positionOf(t, db, "ch_1"); p != (ledger.Position{Funds: 5000}) {
		t.Errorf("the charge stands at %+v", p)
	}
}

// Two that take from the same account at once: one finds nothing left.
func TestPost_TwoTakeTheSameMoney_OneIsRefused(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	for n := range 20 {
		charge := fmt.Sprint("ch_", n)
		of := &ledger.Money{CampaignID: 7, Charge: charge}
		held := move(ledger.Charge, charge, 100)
		held.Of, held.To = of, ledger.Held
		mustPost(t, db, held)
		results := make([]error, 2)
		var wait sync.WaitGroup
		start := make(chan struct{})
		for i, kind := range []ledger.Kind{ledger.HeldAccepted, ledger.HeldReturned} {
			wait.Go(func() {
				m := move(kind, charge, 100)
				m.Of = of
				<-start
				_, results[i] = post(t, db, m)
			})
		}
		close(start)
		wait.Wait()
		refused := 0
		for _, err := range results {
			if errors.Is(err, ledger.ErrOverdrawn) {
				refused++
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if p := positionOf(t, db, charge); refused != 1 || p.Held != 0 || p.Funds+p.Owed != 100 {
			t.Fatalf("%d were refused, the charge stands at %+v", refused, p)
		}
	}
}

// The database itself refuses a book that does not balance or that is changed, whatever code writes it.
func TestSchema_HoldsTheBook(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	mustPost(t, db, move(ledger.Charge, "ch_1", 5000))
	usd := move(ledger.Charge, "ch_2", 10)
	usd.Amount.Currency = money.USD
	mustPost(t, db, usd)
	const pair = `INSERT INTO ledger_entries (transaction_id, account_id, currency, amount_minor)
		SELECT transaction_id, account_id, currency, amount_minor FROM ledger_entries WHERE currency = 'EUR'`
	for name, c := range map[string]struct{ statement, constraint string }{
		"one-sided":           {`INSERT INTO ledger_entries (transaction_id, account_id, currency, amount_minor) SELECT transaction_id, account_id, currency, 1 FROM ledger_entries WHERE currency = 'EUR' LIMIT 1`, "ledger_balanced"},
		"balanced, but late":  {pair, "ledger_balanced"},
		"without entries":     {`INSERT INTO ledger_transactions (provider, kind, reference, amount_minor, currency, legs, happened_at, booked_at) VALUES ('stripe', 'charge', 'ch_9', 1, 'EUR', 2, now(), now())`, "ledger_balanced"},
		"mixed currencies":    {`INSERT INTO ledger_entries (transaction_id, account_id, currency, amount_minor) SELECT t.id, a.id, 'USD', 1 FROM ledger_transactions t, ledger_accounts a WHERE t.currency = 'EUR' AND a.currency = 'USD' LIMIT 1`, "ledger_entries_transaction"},
		"changed":             {`UPDATE ledger_entries SET amount_minor = amount_minor * 2`, "append_only"},
		"removed":             {`DELETE FROM ledger_entries`, "append_only"},
		"history rewritten":   {`UPDATE ledger_transactions SET reference = 'x'`, "append_only"},
		"an account renamed":  {`UPDATE ledger_accounts SET name = 'loss:oops' WHERE class = 'backer_funds'`, "append_only"},
		"transitions removed": {`DELETE FROM payment_transitions`, "append_only"},
	} {
		err := db.Exec(c.statement).Error
		var refused *pgconn.PgError
		errors.As(err, &refused)
		if got := cmp.Or(refused, &pgconn.PgError{}).ConstraintName; got != c.constraint {
			t.Errorf("%s: constraint %q (%v), want %q", name, got, err, c.constraint)
		}
	}
}

// The service's role can neither switch the triggers off nor take anything away.
func TestRole_CannotTouchHistory(t *testing.T) {
	t.Parallel()
	owner := dbtest.New(t, migrations.FS)
	mustPost(t, owner.Gorm, move(ledger.Charge, "ch_1", 5000))
	service, err := dbx.Open(t.Context(), dbx.Config{URL: owner.As("talkoot_payments")}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dbx.Close(service) }()
	mustPost(t, service, move(ledger.RefundBegun, "r:1", 1000)) // what it is for, it can
	for _, statement := range []string{
		`ALTER TABLE ledger_entries DISABLE TRIGGER ALL`, `SET session_replication_role = replica`, `DELETE FROM ledger_entries`, `TRUNCATE ledger_entries`,
		`UPDATE ledger_transactions SET amount_minor = 1`, `UPDATE ledger_accounts SET name = 'x'`, `DELETE FROM payment_transitions`, `DELETE FROM payments`,
		`DELETE FROM refunds`, `DROP TABLE ledger_entries`, `UPDATE operator_actions SET actor = 'nobody'`, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, true)`,
	} {
		if err := service.Exec(statement).Error; err == nil {
			t.Errorf("the service could %s", statement)
		}
	}
}

// Whatever is posted in whatever order and however often, the book adds up to nothing and no guarded account is
// overdrawn.
func TestPost_RandomMovements_BookBalances(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t, migrations.FS).Gorm
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)
	rules := ledger.Rules()
	refused := 0
	for range 300 {
		r := rules[random.IntN(len(rules))]
		m := move(r.Kind, fmt.Sprint(random.IntN(40)), 1+random.Int64N(900))
		m.Of.Charge = fmt.Sprint("ch_", random.IntN(3))
		m.To = []ledger.Class{ledger.Funds, ledger.Owed, ledger.Held}[random.IntN(3)]
		m.Payee, m.Country, m.From = creator, "FI", "elsewhere"
		if r.Kind == ledger.Settlement {
			m.Shares = ledger.Shares{Revenue: m.Amount.Minor / 20, VAT: m.Amount.Minor / 90, Reserve: m.Amount.Minor / 20}
		}
		if r.Kind == ledger.DisputeLostReversed || r.Kind == ledger.DisputeLost || r.Kind == ledger.DisputeWon ||
			r.Kind == ledger.DisputeContested {
			continue // they answer an opening
		}
		switch r.Kind {
		case ledger.Transfer, ledger.TransferReversed, ledger.ReserveReleased, ledger.CreatorPayout, ledger.CreatorPayoutReturned, ledger.CreatorPayoutKept:
			m.Of = nil // they are of many charges
		default:
		}
		_, err := post(t, db, m)
		switch {
		case err == nil, errors.Is(err, ledger.ErrDiffers):
		case errors.Is(err, ledger.ErrOverdrawn) && !r.Forced:
			refused++
		default:
			t.Fatalf("%s: %v", r.Kind, err)
		}
		for n := range 3 {
			if p := positionOf(t, db, fmt.Sprint("ch_", n)); min(p.Funds, p.Owed, p.Held, p.Disputed, p.Hold, p.Creator, p.Revenue, p.VAT, p.Debt) < 0 {
				t.Fatalf("after %s a charge stands at %+v", r.Kind, p)
			}
		}
	}
	var total int64
	if err := db.Raw(`SELECT coalesce(sum(amount_minor), 0)::bigint FROM ledger_entries`).Scan(&total).Error; err != nil || total != 0 {
		t.Errorf("the book adds up to %d (%v)", total, err)
	}
	for name, minor := range balances(t, db) {
		if isOverdrawn := map[string]bool{"creator_payable:stripe:31": minor > 0, "reserve:stripe:31": minor > 0}[name]; isOverdrawn {
			t.Errorf("%s at %d", name, minor)
		}
	}
	if refused == 0 {
		t.Error("nothing was refused: the guards were not tried")
	}
}
