package payments

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
)

// ErrNotAsFrozen means that the campaign's uncontested money of a payment is another sum than its line of the settlement
// says: it was refunded, disputed or settled since the line was frozen.
var ErrNotAsFrozen = errors.New("payment is not as its settlement has it")

// SettlementLine is the part of a settlement that one payment has, as people have approved it.
type SettlementLine struct {
	Run       string // names the settlement; a payment has one line in it
	PaymentID string
	Amount    money.Amount // all that is the campaign's of its charge
	Shares    ledger.Shares
	Payee     int64  // the creator, by their user id
	Country   string // whose tax the fee has, as ISO 3166-1 has it
}

// Settle divides what is the campaign's of a payment's charge between its creator and us, and reports whether that is new.
// It holds the payment's lock, so that no refund or dispute comes between. Errors: NotFound, ErrNotAsFrozen,
// ledger.ErrMovement.
func (s *Service) Settle(ctx context.Context, line SettlementLine) (isNew bool, err error) {
	_, err = s.change(ctx, line.PaymentID, SignalSettlement, func(c *change) error {
		if c.payment.PaidAttemptID == nil {
			return ErrNotAsFrozen
		}
		a := c.attempt(*c.payment.PaidAttemptID)
		src := c.source(a)
		reference := line.Run + ":" + line.PaymentID
		posted, err := ledger.TransactionOf(ctx, c.tx, a.Provider, ledger.Settlement, reference)
		if err != nil {
			return err
		}
		if posted == nil {
			p, err := src.Position(ctx, c.tx, a.Provider, line.Amount.Currency)
			if err != nil {
				return err
			}
			if p.Funds != line.Amount.Minor {
				return fmt.Errorf("%d of payment %s: %w", p.Funds, line.PaymentID, ErrNotAsFrozen)
			}
		}
		isNew, err = ledger.Post(ctx, c.tx, ledger.Movement{
			Kind: ledger.Settlement, Provider: a.Provider, Reference: reference, Of: &src.Money, Amount: line.Amount,
			Shares: line.Shares, Payee: line.Payee, Country: line.Country, Happened: c.now, Booked: c.now,
		})
		return err
	})
	if err != nil {
		return false, fmt.Errorf("settle payment %s: %w", line.PaymentID, err)
	}
	return isNew, nil
}

// PayDebt pays what a creator owes us of a payment's charge by what is payable to them, as far as there is something that no run of package
// settlements has promised; what was kept back is that package's. It answers what they still owe, in minor units. Errors: NotFound;
// ledger.ErrOverdrawn when another act has just taken that money, and then nothing is done.
func (s *Service) PayDebt(ctx context.Context, paymentID string) (left int64, err error) {
	_, err = s.change(ctx, paymentID, SignalSettlement, func(c *change) error {
		if c.payment.PaidAttemptID == nil {
			return nil
		}
		a := c.attempt(*c.payment.PaidAttemptID)
		src := c.source(a)
		p, err := src.Position(ctx, c.tx, a.Provider, a.Received.Currency)
		if err != nil || p.Debt == 0 {
			return err
		}
		left = p.Debt
		payee, err := src.Payee(ctx, c.tx, a.Provider)
		if err != nil {
			return err
		}
		has, err := ledger.Balance(ctx, c.tx, ledger.CreatorAccount(ledger.Payable, a.Provider, payee), a.Received.Currency)
		if err != nil {
			return err
		}
		promised, err := promisedToCreator(ctx, c.tx, a.Provider, payee) // read after the balance: what is booked meanwhile is promised, too
		if err != nil {
			return err
		}
		n := min(left, -has.Minor-promised)
		if n <= 0 {
			return nil
		}
		if _, err := ledger.Post(ctx, c.tx, ledger.Movement{
			Kind: ledger.DebtOffset, Provider: a.Provider, Reference: ids.New(), Of: &src.Money,
			Amount: money.New(n, a.Received.Currency), Happened: c.now, Booked: c.now,
		}); err != nil {
			return err
		}
		left -= n
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("pay the debt of payment %s: %w", paymentID, err)
	}
	return left, nil
}

// promisedToCreator is what is payable to a creator and belongs to runs of package settlements, which pay debts themselves before they send
// it: a transfer that has been asked for finds its money. So are what was kept back and is released, and what was restored.
func promisedToCreator(ctx context.Context, tx *gorm.DB, provider string, payee int64) (minor int64, err error) {
	err = tx.WithContext(ctx).Raw(`SELECT coalesce(sum(l.net_minor), 0)::bigint - coalesce((SELECT sum(offset_minor) FROM settlement_runs
			WHERE provider = @provider AND payee_id = @payee AND state IN ('approved', 'booked', 'sending')), 0)::bigint
			+ coalesce((SELECT sum(k.released_minor) FROM settlement_reserves k JOIN settlement_runs f ON f.id = k.run_id
				LEFT JOIN settlement_runs b ON b.id = k.sent_by
				WHERE f.provider = @provider AND f.payee_id = @payee AND coalesce(b.state, 'counting') IN ('counting', 'proposed', 'approved', 'booked', 'sending')), 0)::bigint
			+ coalesce((SELECT -sum(e.amount_minor) FROM ledger_accounts a JOIN ledger_entries e ON e.account_id = a.id AND e.amount_minor < 0
				JOIN ledger_transactions t ON t.id = e.transaction_id AND t.kind IN ('refund_withdrawn', 'dispute_lost_reversed')
				LEFT JOIN settlement_restored o ON o.transaction_id = t.id LEFT JOIN settlement_runs b ON b.id = o.run_id
				WHERE a.name = @account
				AND coalesce(b.state, 'counting') IN ('counting', 'proposed', 'approved', 'booked', 'sending')), 0)::bigint
		FROM settlement_runs r JOIN settlement_lines l ON l.run_id = r.id AND l.version = r.version AND l.booked_at IS NOT NULL
		WHERE r.provider = @provider AND r.payee_id = @payee AND r.state IN ('approved', 'booked', 'sending')`,
		map[string]any{"provider": provider, "payee": payee, "account": ledger.CreatorAccount(ledger.Payable, provider, payee)}).Scan(&minor).Error
	if err != nil {
		return 0, fmt.Errorf("add up what is to be sent to user %d: %w", payee, err)
	}
	return minor, nil
}
