package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
)

// Errors of posting; test with errors.Is.
var (
	// ErrMovement means that a movement lacks a part, its amount is not positive, or it would take money that is kept by
	// charge without naming the charge.
	ErrMovement = errors.New("a movement needs a known kind, a reference, its times, a positive amount, and whose money it is")
	// ErrDiffers means that the movement was posted before with another sum or charge.
	ErrDiffers = errors.New("movement was posted differently before")
	// ErrOverdrawn means that an account holds less than the movement would take from it.
	ErrOverdrawn = errors.New("account would be overdrawn")
)

// Movement is one movement of money.
type Movement struct {
	Kind     Kind
	Provider string // "" for none
	// Reference is the provider's id of the movement, else ours; unique with provider and kind.
	Reference string
	// Of names the charge whose money it is; nil for payouts and the like.
	Of     *Money
	Amount money.Amount // positive
	// Place is the part of the provider's balance that it moved; "" is the charge's, else MainPlace. From is the one that a
	// PlaceMove leaves.
	Place, From string
	// Payee is the creator, by their user id. A charge that is settled has one, which what follows need not name.
	Payee int64
	// Shares of a settlement, or the tax of an invoice; Country is whose tax VAT of a settlement is, as ISO 3166-1 has it.
	Shares  Shares
	Country string
	// Happened is the provider's time, Booked ours.
	Happened, Booked time.Time
	To               Class  // as Given.To
	Opening          *int64 // id of the transaction that it reverses; of a dispute, its first withdrawal
	Reason           string // of a loss
	Actor, Note      string // the person, "" for the service itself
}

// Money is the money of one charge.
type Money struct {
	PaymentID  string
	CampaignID int64
	Charge     string // the provider's id
}

// Post writes a movement in the caller's transaction and reports whether it is new: one that was posted before changes
// nothing. Accounts that may not be overdrawn are locked, by their rows in ledger_guards and in the order of their
// names, unless the movement is forced. Errors: ErrMovement, ErrDiffers, ErrOverdrawn.
func Post(ctx context.Context, tx *gorm.DB, m Movement) (bool, error) {
	act := fmt.Sprintf("post %s %s %s", m.Provider, m.Kind, m.Reference)
	rule, known := byKind[m.Kind]
	if !known || !m.isWhole(rule) {
		return false, fmt.Errorf("%s: %w", act, ErrMovement)
	}
	given := Given{Amount: m.Amount.Minor, To: m.To, Shares: m.Shares}
	if rule.positioned {
		if posted, err := find(ctx, tx, m); err != nil || posted != nil {
			return false, errors.Join(err, m.sameAs(posted, act))
		}
		stands, err := m.Of.standing(ctx, tx, m.Provider, m.Amount.Currency)
		if err != nil {
			return false, fmt.Errorf("%s: %w", act, err)
		}
		if stands.Payee != 0 && m.Payee != 0 && m.Payee != stands.Payee {
			return false, fmt.Errorf("%s: for %d of a charge that is %d's: %w", act, m.Payee, stands.Payee, ErrMovement)
		}
		given.Position = stands.Position
		m.Payee, m.Country = cmp.Or(m.Payee, stands.Payee), cmp.Or(m.Country, stands.Country)
	}
	if m.Opening != nil {
		var err error
		if given.Opening, err = legsOf(ctx, tx, *m.Opening, rule.ofDispute); err != nil {
			return false, fmt.Errorf("%s: %w", act, err)
		}
	}
	legs := rule.Legs(given)
	if err := m.stayInPlace(ctx, tx, legs); err != nil {
		return false, fmt.Errorf("%s: %w", act, err)
	}
	posting, err := m.entries(legs)
	if err != nil {
		return false, fmt.Errorf("%s: %w", act, err)
	}
	if !rule.Forced {
		if err := lockGuards(ctx, tx, m, posting); err != nil {
			return false, fmt.Errorf("%s: %w", act, err)
		}
	}
	isNew, err := m.insert(ctx, tx, posting)
	if err != nil || !isNew {
		return false, err
	}
	for _, e := range posting {
		if e.class.takes(e.minor) {
			if err := m.checkGuard(ctx, tx, e); err != nil {
				return false, fmt.Errorf("%s: %w", act, err)
			}
		}
	}
	return true, nil
}

// stayInPlace has what follows a charge move the part of the balance that the charge is in.
func (m *Movement) stayInPlace(ctx context.Context, tx *gorm.DB, legs []Leg) error {
	moves := slices.ContainsFunc(legs, func(l Leg) bool { return l.Class == Clearing })
	if m.Place != "" || m.Kind == Charge || m.charge() == "" || !moves {
		return nil
	}
	var err error
	m.Place, err = PlaceOf(ctx, tx, m.Provider, m.charge())
	return err
}

// PlaceOf is the part of a provider's balance that a charge is in; "" when it is not booked.
func PlaceOf(ctx context.Context, tx *gorm.DB, provider, charge string) (place string, err error) {
	err = tx.WithContext(ctx).Raw(`SELECT coalesce((SELECT split_part(a.name, ':', 3)
		FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id
		WHERE t.provider = ? AND t.charge_ref = ? AND t.charge_ref <> '' AND t.kind = ? AND a.class = ? LIMIT 1), '')`,
		provider, charge, Charge, Clearing).Scan(&place).Error
	if err != nil {
		return "", fmt.Errorf("look where charge %s is: %w", charge, err)
	}
	return place, nil
}

// isWhole reports whether a movement has what its rule needs.
func (m Movement) isWhole(rule Rule) bool {
	s := m.Shares
	return (!rule.positioned || m.Of != nil) && (!rule.pooled || m.Of == nil) && m.Reference != "" && m.Amount.Minor > 0 && m.Amount.Currency != "" &&
		!m.Happened.IsZero() && !m.Booked.IsZero() &&
		min(s.Revenue, s.VAT, s.Reserve) >= 0 && s.sum() <= m.Amount.Minor
}

// entries are the legs with their accounts, in the order of their names. Error: ErrMovement when a leg is nobody's, or takes
// what is kept by charge without naming one.
func (m Movement) entries(legs []Leg) ([]entry, error) {
	of := parties{provider: m.Provider, reason: cmp.Or(m.Reason, string(m.Kind)), country: m.Country, payee: m.Payee}
	if m.Of != nil {
		of.campaign = m.Of.CampaignID
	}
	posting, kind := make([]entry, len(legs)), of.reason
	for i, l := range legs {
		if l.Class.trait().guard == byCharge && l.Class.takes(l.Minor) && m.charge() == "" {
			return nil, fmt.Errorf("%s of no charge: %w", l.Class, ErrMovement)
		}
		if l.Class.isCreators() && m.Payee == 0 {
			return nil, fmt.Errorf("%s of no creator: %w", l.Class, ErrMovement)
		}
		if l.Class == VAT && m.Country == "" {
			return nil, fmt.Errorf("%s of no country: %w", l.Class, ErrMovement)
		}
		of.place = cmp.Or(m.Place, MainPlace)
		if l.Left {
			of.place = m.From
		}
		if of.reason = kind; l.GivenUp {
			of.reason = string(WriteOff)
		}
		posting[i] = entry{l.Class, l.Class.account(of), l.Minor}
	}
	slices.SortFunc(posting, func(a, b entry) int { return strings.Compare(a.account, b.account) })
	return posting, nil
}

// entry is a leg with its account.
type entry struct {
	class   Class
	account string
	minor   int64
}

// posted is a movement as the book has it.
type posted struct {
	Amount    money.Amount `gorm:"embedded"`
	ChargeRef string
}

func find(ctx context.Context, tx *gorm.DB, m Movement) (*posted, error) {
	var rows []posted
	err := tx.WithContext(ctx).Raw(`SELECT amount_minor AS minor, currency, charge_ref FROM ledger_transactions
		WHERE provider = ? AND kind = ? AND reference = ?`, m.Provider, m.Kind, m.Reference).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("look for %s %s: %w", m.Kind, m.Reference, err)
	}
	if len(rows) == 0 {
		return nil, nil
	}
	return &rows[0], nil
}

func (m Movement) charge() string {
	if m.Of == nil {
		return ""
	}
	return m.Of.Charge
}

func (m Movement) sameAs(p *posted, act string) error {
	if p == nil || *p == (posted{m.Amount, m.charge()}) {
		return nil
	}
	return fmt.Errorf("%s of %s (charge %q), posted as %s (charge %q): %w", act, m.Amount, m.charge(),
		p.Amount, p.ChargeRef, ErrDiffers)
}

// insert writes the transaction, its entries, and the accounts that are not there yet, in one statement. When another
// transaction is just posting the same movement, it is waited for (constraint ledger_transactions_once), and what it
// has posted counts. An account that another transaction has just made is not seen by the first statement, which then
// posts nothing; a second one sees it.
func (m Movement) insert(ctx context.Context, tx *gorm.DB, posting []entry) (bool, error) {
	var names, classes, types []string
	var guarded []bool
	var amounts []int64
	for _, e := range posting {
		t := e.class.trait()
		names, classes, types, guarded, amounts = append(names, e.account), append(classes, string(e.class)), append(types,
			string(t.kind)),
			append(guarded, t.guard != unguarded), append(amounts, e.minor)
	}
	var payment *string
	if m.Of != nil && m.Of.PaymentID != "" {
		payment = &m.Of.PaymentID
	}
	var payee *int64
	if m.Payee != 0 {
		payee = &m.Payee
	}
	args := map[string]any{
		"provider": m.Provider, "kind": m.Kind, "reference": m.Reference, "payment": payment, "charge": m.charge(),
		"amount":   m.Amount.Minor,
		"currency": m.Amount.Currency, "legs": len(posting), "reverses": m.Opening, "actor": m.Actor, "note": m.Note, "payee": payee, "country": m.Country,
		"happened": m.Happened,
		"booked":   m.Booked, "names": pgArray(names), "classes": pgArray(classes), "types": pgArray(types),
		"guarded": pgArray(guarded), "amounts": pgArray(amounts),
	}
	for range 2 {
		var did struct{ Ready, Entered int }
		err := tx.WithContext(ctx).Raw(`WITH legs AS (
				SELECT * FROM unnest(CAST(@names AS text[]), CAST(@classes AS text[]), CAST(@types AS text[]), CAST(@guarded AS boolean[]),
					CAST(@amounts AS bigint[])) WITH ORDINALITY AS l (name, class, type, guarded, amount, place)),
			known AS (SELECT a.id, a.name FROM ledger_accounts a JOIN legs USING (name) WHERE a.currency = @currency),
			made AS (
				INSERT INTO ledger_accounts (name, class, type, currency, guarded)
				SELECT name, class, type, @currency, guarded FROM legs WHERE name NOT IN (SELECT name FROM known)
				ON CONFLICT (name, currency) DO NOTHING RETURNING id, name),
			guard AS (
				INSERT INTO ledger_guards (account_id) SELECT made.id FROM made JOIN legs USING (name) WHERE legs.guarded),
			ready AS (SELECT id, name FROM known UNION ALL SELECT id, name FROM made),
			posted AS (
				INSERT INTO ledger_transactions (provider, kind, reference, payment_id, charge_ref, amount_minor, currency, legs, reverses,
					payee_id, vat_country, actor, note, happened_at, booked_at)
				SELECT @provider, @kind, @reference, @payment, @charge, @amount, @currency, @legs, @reverses,
					CAST(@payee AS bigint), NULLIF(@country, ''), @actor, @note, @happened, @booked
				WHERE (SELECT count(*) FROM ready) = @legs
				ON CONFLICT (provider, kind, reference) DO NOTHING RETURNING id),
			entered AS (
				INSERT INTO ledger_entries (transaction_id, account_id, currency, amount_minor)
				SELECT posted.id, ready.id, @currency, legs.amount FROM posted CROSS JOIN legs JOIN ready USING (name) ORDER BY legs.place
				RETURNING id)
			SELECT (SELECT count(*) FROM ready) AS ready, (SELECT count(*) FROM entered) AS entered`, args).Scan(&did).Error
		switch {
		case err != nil:
			return false, fmt.Errorf("post %s %s: %w", m.Kind, m.Reference, err)
		case did.Entered == len(posting):
			return true, nil
		case did.Ready == len(posting): // it was posted before
			other, err := find(ctx, tx, m)
			return false, errors.Join(err, m.sameAs(other, "post "+string(m.Kind)+" "+m.Reference))
		}
	}
	return false, fmt.Errorf("post %s %s: its accounts cannot be found", m.Kind, m.Reference)
}

// pgArray writes a list as PostgreSQL reads one; account names and numbers need no quotes beyond these.
func pgArray[T any](list []T) string {
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = fmt.Sprintf("%q", fmt.Sprint(v))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// lockGuards waits for others who take money from the same accounts.
func lockGuards(ctx context.Context, tx *gorm.DB, m Movement, posting []entry) error {
	var names []string
	for _, e := range posting {
		if e.class.takes(e.minor) {
			names = append(names, e.account)
		}
	}
	if len(names) == 0 {
		return nil
	}
	var ids []int64
	err := tx.WithContext(ctx).Raw(`SELECT g.account_id FROM ledger_guards g JOIN ledger_accounts a ON a.id = g.account_id
		WHERE a.name IN ? AND a.currency = ? ORDER BY a.name FOR UPDATE OF g`, names, m.Amount.Currency).Scan(&ids).Error
	if err != nil {
		return fmt.Errorf("lock the accounts: %w", err)
	}
	return nil
}

// checkGuard refuses an entry that has overdrawn its account. It is a statement of its own, so that it sees what was
// committed while we waited for the lock. Of an account that is kept by charge it adds up the charge's entries only: when no
// charge's part is overdrawn, the account is not either, and there are few rows to add. Error: ErrOverdrawn.
func (m Movement) checkGuard(ctx context.Context, tx *gorm.DB, e entry) error {
	var minor int64
	query, args := `SELECT `+BalanceSQL+` FROM ledger_accounts a WHERE a.name = ? AND a.currency = ?`, []any{e.account, m.Amount.Currency}
	if e.class.trait().guard == byCharge {
		query = `SELECT coalesce(sum(e.amount_minor), 0)::bigint FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
			JOIN ledger_accounts a ON a.id = e.account_id WHERE a.name = ? AND a.currency = ? AND t.provider = ? AND t.charge_ref = ? AND t.charge_ref <> ''`
		args = append(args, m.Provider, m.charge())
	}
	if err := tx.WithContext(ctx).Raw(query, args...).Scan(&minor).Error; err != nil {
		return fmt.Errorf("sum %s: %w", e.account, err)
	}
	if e.class.takes(minor) {
		return fmt.Errorf("%s at %s: %w", e.account, money.New(minor, m.Amount.Currency), ErrOverdrawn)
	}
	return nil
}
