package ledger

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
)

// Position reads where a charge's money stands. Index ledger_transactions_charge serves it. Decide by it only with the
// payment locked.
func (m Money) Position(ctx context.Context, db *gorm.DB, provider string, currency money.Currency) (Position, error) {
	s, err := m.standing(ctx, db, provider, currency)
	if err != nil {
		return s.Position, fmt.Errorf("position of charge %s: %w", m.Charge, err)
	}
	return s.Position, nil
}

// Payee is the creator whom a charge was settled to, by their user id; 0 before.
func (m Money) Payee(ctx context.Context, db *gorm.DB, provider string) (payee int64, err error) {
	err = db.WithContext(ctx).Raw(`SELECT coalesce(max(payee_id), 0) FROM ledger_transactions
		WHERE provider = ? AND charge_ref = ? AND charge_ref <> ''`, provider, m.Charge).Scan(&payee).Error
	if err != nil {
		return 0, fmt.Errorf("payee of charge %s: %w", m.Charge, err)
	}
	return payee, nil
}

// standing is a charge's position, and whose it became when it was settled: zero before.
type standing struct {
	Position `gorm:"embedded"`
	Payee    int64
	Country  string // whose tax our fee has
}

func (m Money) standing(ctx context.Context, db *gorm.DB, provider string, currency money.Currency) (standing, error) {
	var s standing
	err := db.WithContext(ctx).Raw(`SELECT
			coalesce(-sum(e.amount_minor) FILTER (WHERE a.class = 'backer_funds'), 0)::bigint AS funds,
			coalesce(-sum(e.amount_minor) FILTER (WHERE a.class = 'disputed_funds'), 0)::bigint AS disputed,
			coalesce(-sum(e.amount_minor) FILTER (WHERE a.class = 'owed_to_backers'), 0)::bigint AS owed,
			coalesce(-sum(e.amount_minor) FILTER (WHERE a.class = 'held_funds'), 0)::bigint AS held,
			coalesce(sum(e.amount_minor) FILTER (WHERE a.class = 'dispute_hold'), 0)::bigint AS hold,
			coalesce(-sum(e.amount_minor) FILTER (WHERE a.class IN ('creator_payable', 'reserve', 'creator_debt') OR a.name = @given_up), 0)::bigint AS creator,
			coalesce(-sum(e.amount_minor) FILTER (WHERE a.class = 'platform_revenue'), 0)::bigint AS revenue,
			coalesce(-sum(e.amount_minor) FILTER (WHERE a.class = 'vat'), 0)::bigint AS vat,
			coalesce(sum(e.amount_minor) FILTER (WHERE a.class = 'creator_debt'), 0)::bigint AS debt,
			coalesce(sum(e.amount_minor) FILTER (WHERE a.name = @given_up), 0)::bigint AS given_up,
			coalesce(max(t.payee_id), 0) AS payee, coalesce(max(t.vat_country), '') AS country
		FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id
		WHERE t.provider = @provider AND t.charge_ref = @charge AND t.charge_ref <> '' AND t.currency = @currency`,
		map[string]any{"provider": provider, "charge": m.Charge, "currency": currency, "given_up": Loss.account(parties{reason: string(WriteOff)})}).Scan(&s).Error
	return s, err
}

// legsOf reads a transaction's legs; of a dispute's first withdrawal, the sums of all that the dispute has moved so
// far, in the order in which a withdrawal takes. Losses are left out: none stands when they are asked for. Index
// ledger_transactions_charge serves it.
func legsOf(ctx context.Context, db *gorm.DB, transaction int64, ofDispute bool) ([]Leg, error) {
	var rows []struct {
		Class       Class
		AmountMinor int64
	}
	query := `SELECT a.class, e.amount_minor FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id
		WHERE e.transaction_id = @id ORDER BY e.id`
	if ofDispute {
		query = `SELECT a.class, sum(e.amount_minor)::bigint AS amount_minor
			FROM ledger_transactions first JOIN ledger_transactions t ON t.provider = first.provider AND t.charge_ref = first.charge_ref AND t.charge_ref <> ''
			JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id
			WHERE first.id = @id AND first.id IN (t.id, t.reverses) AND t.kind IN ('dispute_opened', 'dispute_contested', 'dispute_won')
			GROUP BY a.class ORDER BY array_position(ARRAY['backer_funds', 'owed_to_backers', 'held_funds'], a.class)`
	}
	err := db.WithContext(ctx).Raw(query, map[string]any{"id": transaction}).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the legs of transaction %d: %w", transaction, err)
	}
	out := make([]Leg, len(rows))
	for i, r := range rows {
		out[i] = Leg{Class: r.Class, Minor: r.AmountMinor}
	}
	return out, nil
}

// Uncontested is what a dispute has on hold beyond what it contests, by its first withdrawal: it had gone back before.
func Uncontested(ctx context.Context, db *gorm.DB, opening int64) (minor int64, err error) {
	legs, err := legsOf(ctx, db, opening, true)
	return sum(legs, Hold) + sum(legs, Disputed), err
}

// LossOf is how much of a transaction was a loss of ours, in minor units.
func LossOf(ctx context.Context, db *gorm.DB, transaction int64) (minor int64, err error) {
	legs, err := legsOf(ctx, db, transaction, false)
	return sum(legs, Loss), err
}

// BackersPart is how much of a transaction went from backers' money that nothing was settled of, in minor units: what is still where its
// charge is.
func BackersPart(ctx context.Context, db *gorm.DB, transaction int64) (minor int64, err error) {
	legs, err := legsOf(ctx, db, transaction, false)
	for _, class := range []Class{Funds, Disputed, Owed, Held} {
		minor += max(sum(legs, class), 0)
	}
	return minor, err
}

// TransactionOf finds a movement's transaction; nil when it is not posted.
func TransactionOf(ctx context.Context, db *gorm.DB, provider string, kind Kind, reference string) (*int64, error) {
	var ids []int64
	err := db.WithContext(ctx).Raw(`SELECT id FROM ledger_transactions WHERE provider = ? AND kind = ? AND reference = ?`,
		provider, kind, reference).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("find %s %s: %w", kind, reference, err)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return &ids[0], nil
}

// AmountOf reads what a transaction's rule was given.
func AmountOf(ctx context.Context, db *gorm.DB, transaction int64) (money.Amount, error) {
	var rows []money.Amount
	err := db.WithContext(ctx).Raw(`SELECT amount_minor AS minor, currency FROM ledger_transactions WHERE id = ?`, transaction).Scan(&rows).Error
	if err == nil && len(rows) == 0 {
		err = gorm.ErrRecordNotFound
	}
	if err != nil {
		return money.Amount{}, fmt.Errorf("read the amount of transaction %d: %w", transaction, err)
	}
	return rows[0], nil
}

// Posted is a movement of a provider's balance as the book has it.
type Posted struct {
	Kind       Kind
	Reference  string
	Place      string // of the balance
	PaymentID  string
	Amount     money.Amount `gorm:"embedded"` // on the clearing account: what was added, negative for what was taken
	HappenedAt time.Time
}

const postedSQL = `SELECT t.kind, t.reference, split_part(a.name, ':', 3) AS place, coalesce(t.payment_id, '') AS payment_id, e.amount_minor AS minor, t.currency, t.happened_at
	FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id
	WHERE a.class = 'provider_clearing' AND t.provider = @provider AND `

// Movements lists what moved a provider's balance in [from, to) of its own time, oldest first. Index
// ledger_transactions_happened serves it.
func Movements(ctx context.Context, db *gorm.DB, provider string, from, to time.Time) ([]Posted, error) {
	var list []Posted
	err := db.WithContext(ctx).Raw(postedSQL+`t.happened_at >= @from AND t.happened_at < @to ORDER BY t.happened_at, t.id`,
		map[string]any{"provider": provider, "from": from, "to": to}).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list the movements at %s: %w", provider, err)
	}
	return list, nil
}

// Find lists the movements of the given references on a provider's balance, whenever they were.
func Find(ctx context.Context, db *gorm.DB, provider string, references []string) ([]Posted, error) {
	var list []Posted
	if len(references) == 0 {
		return list, nil
	}
	err := db.WithContext(ctx).Raw(postedSQL+`t.kind IN @kinds AND t.reference IN @references`,
		map[string]any{"provider": provider, "kinds": kinds(), "references": references}).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("find movements at %s: %w", provider, err)
	}
	return list, nil
}

func kinds() []Kind {
	list := Rules()
	out := make([]Kind, len(list))
	for i, r := range list {
		out[i] = r.Kind
	}
	return out
}

// Balance is the sum of an account's entries in one currency: positive when debits prevail. It reads the last closing and what is
// behind it, so it may be asked for within a lock.
func Balance(ctx context.Context, db *gorm.DB, account string, currency money.Currency) (money.Amount, error) {
	var minor int64
	err := db.WithContext(ctx).Raw(`SELECT coalesce((SELECT `+BalanceSQL+` FROM ledger_accounts a WHERE a.name = ? AND a.currency = ?), 0)`,
		account, currency).Scan(&minor).Error
	if err != nil {
		return money.Amount{}, fmt.Errorf("balance of %s: %w", account, err)
	}
	return money.New(minor, currency), nil
}
