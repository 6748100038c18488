package settlements

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/kit/typed"
	"talkoot.fi/payments/internal/book/ledger"
)

// A creator's debt that nothing will pay is given up by two people. What was kept back pays it first.

// Errors of writing a debt off; test with errors.Is.
var (
	ErrNoWriteOff   = errors.New("there is no such write-off, or it is over")
	ErrOpenWriteOff = errors.New("another write-off of this creator is proposed: approve or cancel it first")
	ErrNotOwed      = errors.New("the creator owes less than that")
)

// Debt is what a creator owes us at a provider, with the write-off that is proposed of it.
type Debt struct {
	Provider  string
	PayeeID   int64
	Currency  money.Currency
	Minor     int64
	KeptMinor int64 // what is kept back from them there
	Unsent    int64 // what is payable to them
	Coming    int64 // what is being taken back from their account, and is nobody's to give up
	WriteOff  string
	Amount    int64
	Proposed  string
	Note      string
}

// Debts lists what creators owe us, the largest first.
func (s *Service) Debts(ctx context.Context) (list []Debt, err error) {
	err = s.DB.WithContext(ctx).Raw(`SELECT split_part(d.name, ':', 2) AS provider, CAST(split_part(d.name, ':', 3) AS bigint) AS payee_id, d.currency, d.minor,
			coalesce((SELECT -` + ledger.BalanceSQL + ` FROM ledger_accounts a WHERE a.name = 'reserve' || d.whose AND a.currency = d.currency), 0)::bigint AS kept_minor,
			coalesce((SELECT -` + ledger.BalanceSQL + ` FROM ledger_accounts a WHERE a.name = 'creator_payable' || d.whose AND a.currency = d.currency), 0)::bigint AS unsent,
			coalesce((SELECT sum(v.amount_minor) FROM transfer_reversals v WHERE v.state = 'open' AND v.currency = d.currency
				AND d.whose = ':' || v.provider || ':' || v.payee_id), 0)::bigint AS coming,
			coalesce(w.id, '') AS write_off, coalesce(w.amount_minor, 0) AS amount, coalesce(w.proposed_by, '') AS proposed, coalesce(w.note, '') AS note
		FROM (SELECT a.name, substr(a.name, length(a.class) + 1) AS whose, a.currency, ` + ledger.BalanceSQL + ` AS minor FROM ledger_accounts a
			WHERE a.class = 'creator_debt') d
		LEFT JOIN debt_write_offs w ON w.state = 'proposed' AND w.currency = d.currency AND d.whose = ':' || w.provider || ':' || w.payee_id
		WHERE d.minor > 0 ORDER BY d.minor DESC, d.name`).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read what creators owe: %w", err)
	}
	return list, nil
}

// WriteOff is a row of debt_write_offs.
type WriteOff struct {
	ID          string
	Provider    string
	PayeeID     int64
	Currency    money.Currency
	AmountMinor int64
	ProposedBy  string
	Note        string
	State       string
	EndedAt     *time.Time
}

// ProposeWriteOff has a person propose to give up a sum of what a creator owes us at a provider, and gives its id. Errors: ErrNotOwed,
// ErrOpenWriteOff, ErrNoPerson.
func (s *Service) ProposeWriteOff(ctx context.Context, provider string, payee int64, amount money.Amount, actor, note string) (id string, err error) {
	if strings.TrimSpace(actor) == "" || strings.TrimSpace(note) == "" {
		return "", ErrNoPerson
	}
	err = dbx.InTx(ctx, s.DB, func(tx *gorm.DB) error {
		w := WriteOff{ID: ids.New(), Provider: provider, PayeeID: payee, Currency: amount.Currency, AmountMinor: amount.Minor}
		if _, err := s.owed(ctx, tx, w); err != nil {
			return err
		}
		id = w.ID
		made := tx.WithContext(ctx).Exec(`INSERT INTO debt_write_offs (id, provider, payee_id, currency, amount_minor, proposed_by, note, proposed_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (provider, payee_id, currency) WHERE state = 'proposed' DO NOTHING`,
			w.ID, w.Provider, w.PayeeID, w.Currency, w.AmountMinor, actor, note, s.Now())
		if made.Error == nil && made.RowsAffected == 0 {
			return ErrOpenWriteOff
		}
		return made.Error
	})
	if err != nil {
		return "", fmt.Errorf("propose to give up %s of user %d at %s: %w", amount, payee, provider, err)
	}
	return id, nil
}

// owed lists what a creator owes, of which a write-off is a part, once what was kept back has paid what it can, and without what is being taken back
// from their account. Error: ErrNotOwed.
func (s *Service) owed(ctx context.Context, tx *gorm.DB, w WriteOff) ([]debt, error) {
	if _, err := s.payByReserve(ctx, tx, Kept{Provider: w.Provider, PayeeID: w.PayeeID, Currency: w.Currency}); err != nil {
		return nil, err
	}
	list, err := debtsOf(ctx, tx, w.Provider, w.PayeeID, w.Currency)
	sum := int64(0)
	for _, d := range list {
		sum += d.Minor
	}
	if err == nil && (w.AmountMinor <= 0 || sum < w.AmountMinor) {
		err = fmt.Errorf("%s of %s: %w", money.New(w.AmountMinor, w.Currency), money.New(sum, w.Currency), ErrNotOwed)
	}
	return list, err
}

// ApproveWriteOff has another person approve it: the debts are given up, the oldest first. Errors: ErrNoWriteOff, ErrOwnProposal,
// ErrOwnMoney, ErrNotOwed when something has paid them since, ErrNoPerson, ErrNoOperator.
func (s *Service) ApproveWriteOff(ctx context.Context, id, actor, note string) (w WriteOff, err error) {
	err = s.endWriteOff(ctx, id, "approved", actor, note, func(tx *gorm.DB, found WriteOff) error {
		w = found
		if typed.Same(actor, w.ProposedBy) {
			return ErrOwnProposal
		}
		name, err := operator(ctx, tx, actor)
		if err != nil {
			return err
		}
		if err := notTheirs(ctx, tx, w.Provider, w.PayeeID, name); err != nil {
			return err
		}
		list, err := s.owed(ctx, tx, w)
		left := w.AmountMinor
		for _, d := range list {
			part := min(left, d.Minor)
			if err != nil || part <= 0 {
				break
			}
			now := s.Now()
			_, err = ledger.Post(ctx, tx, ledger.Movement{Kind: ledger.WriteOff, Provider: w.Provider, Reference: w.ID + ":" + d.ChargeRef, Of: d.money(),
				Amount: money.New(part, w.Currency), Payee: w.PayeeID, Happened: now, Booked: now, Actor: actor, Note: note})
			left -= part
		}
		return err
	})
	return w, err
}

// CancelWriteOff ends one that nobody has approved. Errors: ErrNoWriteOff, ErrNoPerson.
func (s *Service) CancelWriteOff(ctx context.Context, id, actor, note string) error {
	return s.endWriteOff(ctx, id, "canceled", actor, note, func(*gorm.DB, WriteOff) error { return nil })
}

func (s *Service) endWriteOff(ctx context.Context, id, state, actor, note string, do func(tx *gorm.DB, w WriteOff) error) error {
	if strings.TrimSpace(actor) == "" || strings.TrimSpace(note) == "" {
		return ErrNoPerson
	}
	err := dbx.InTx(ctx, s.DB, func(tx *gorm.DB) error {
		var list []WriteOff
		err := tx.WithContext(ctx).Raw(`SELECT id, provider, payee_id, currency, amount_minor, proposed_by, note, state, ended_at FROM debt_write_offs
			WHERE id = ? AND state = 'proposed' FOR UPDATE`, id).Scan(&list).Error
		switch {
		case err != nil:
			return err
		case len(list) == 0:
			return ErrNoWriteOff
		}
		if err := do(tx, list[0]); err != nil {
			return err
		}
		return tx.WithContext(ctx).Exec(`UPDATE debt_write_offs SET state = ?, ended_by = ?, end_note = ?, ended_at = ? WHERE id = ?`, state, actor, note, s.Now(), id).Error
	})
	if err != nil {
		return fmt.Errorf("end write-off %s as %s: %w", id, state, err)
	}
	return nil
}
