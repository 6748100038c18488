package settlements

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/charging/holds"
)

// What was kept back: it pays what its creator owes us, or is released when its day has come.

// Kept is what a run has kept back until a day.
type Kept struct {
	RunID                               string
	DueOn                               time.Time
	KeptMinor, UsedMinor, ReleasedMinor int64
	WaitsFor                            string  // why it was not released on its day: debt, dispute, campaign_on_hold
	SentBy                              *string // the run that sends what was released

	// Of the run.
	CampaignID                int64
	Provider, PayeeRef, Place string
	PayeeID                   int64
	Currency                  money.Currency
}

// rest is what is still kept back.
func (k Kept) rest() int64 { return k.KeptMinor - k.UsedMinor - k.ReleasedMinor }

// reference names a movement of it in the ledger.
func (k Kept) reference() string { return k.RunID + ":" + k.DueOn.Format(time.DateOnly) }

// keptOf reads what was kept back, with its runs.
func keptOf(ctx context.Context, db *gorm.DB, where string, args ...any) (list []Kept, err error) {
	err = db.WithContext(ctx).Raw(`SELECT k.run_id, k.due_on, k.kept_minor, k.used_minor, k.released_minor, k.waits_for, k.sent_by, r.campaign_id, r.provider, r.payee_ref,
		r.place, r.payee_id, r.currency FROM settlement_reserves k JOIN settlement_runs r ON r.id = k.run_id `+where, args...).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read what was kept back: %w", err)
	}
	return list, nil
}

// keep writes until when a run keeps back what it does: cards for days, direct debits for months.
func (s *Service) keep(ctx context.Context, tx *gorm.DB, r Run) error {
	rates, err := RatesOn(ctx, tx, *r.RatesFrom)
	if err != nil {
		return err
	}
	today := calendar.DayOf(s.Now())
	cards, debits := calendar.Add(today, rates.ReserveDays), calendar.Month(today, rates.ReserveDebitMonths)
	err = tx.WithContext(ctx).Exec(`INSERT INTO settlement_reserves (run_id, due_on, kept_minor, next_at)
		SELECT @run, due_on, sum(reserve_minor), max(next_at) FROM (
			SELECT l.reserve_minor, CAST(CASE WHEN a.method = 'debit' THEN @debits ELSE @cards END AS date) AS due_on,
				CASE WHEN a.method = 'debit' THEN CAST(@debits_at AS timestamptz) ELSE CAST(@cards_at AS timestamptz) END AS next_at
			FROM settlement_lines l JOIN payments p ON p.id = l.payment_id JOIN attempts a ON a.id = p.paid_attempt_id
			WHERE l.run_id = @run AND l.version = @version AND l.booked_at IS NOT NULL) l
		GROUP BY due_on HAVING sum(reserve_minor) > 0`, map[string]any{"run": r.ID, "version": r.Version, "cards": cards.Format(time.DateOnly),
		"debits": debits.Format(time.DateOnly), "cards_at": calendar.At(cards, releaseHour), "debits_at": calendar.At(debits, releaseHour)}).Error
	if err != nil {
		return fmt.Errorf("write what run %s keeps back: %w", r.ID, err)
	}
	return nil
}

const (
	// releaseHour is when on its day it is released, by a clock in Finland.
	releaseHour = 9
	// contestedAgain is when what something stands against is looked at again.
	contestedAgain = 24 * time.Hour
)

// SweepReserves pays creators' debts by what is still on their accounts at providers, then by what was kept back, else it releases the next of what
// is due, and returns how much it did; 0 when nothing is to be done. That a provider does not answer is told last, so that it keeps nothing else waiting.
func (s *Service) SweepReserves(ctx context.Context) (int, error) {
	reversed, unanswered := s.sweepReversals(ctx)
	if reversed > 0 && unanswered == nil {
		return reversed, nil
	}
	used, fault := s.useReserves(ctx)
	if used > 0 {
		return used, fault
	}
	now := s.Now()
	var due []Kept
	err := s.DB.WithContext(ctx).Raw(`UPDATE settlement_reserves SET next_at = CAST(@now AS timestamptz) + @lease * interval '1 second'
		WHERE (run_id, due_on) = (SELECT run_id, due_on FROM settlement_reserves WHERE next_at <= @now ORDER BY next_at, run_id LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING run_id, due_on`, map[string]any{"now": now, "lease": lease.Seconds()}).Scan(&due).Error
	if err != nil {
		return 0, errors.Join(fault, fmt.Errorf("claim what was kept back: %w", err))
	}
	if len(due) == 0 {
		return 0, errors.Join(unanswered, fault)
	}
	return 1, errors.Join(fault, s.release(ctx, due[0]))
}

// release has what a run kept back be payable to its creator, unless something stands against it.
func (s *Service) release(ctx context.Context, due Kept) error {
	return dbx.InTx(ctx, s.DB, func(tx *gorm.DB) error {
		list, err := keptOf(ctx, tx, `WHERE k.run_id = ? AND k.due_on = ? AND k.next_at IS NOT NULL FOR UPDATE OF k`, due.RunID, due.DueOn.Format(time.DateOnly))
		if err != nil || len(list) == 0 {
			return err // another worker was quicker
		}
		k := list[0]
		waits, again, err := s.standsAgainst(ctx, tx, k)
		if err != nil {
			return err
		}
		now := s.Now()
		next, released, at := (*time.Time)(nil), k.rest(), &now
		if waits != "" {
			later := now.Add(again)
			next, released, at = &later, 0, nil
		} else {
			_, err = ledger.Post(ctx, tx, ledger.Movement{Kind: ledger.ReserveReleased, Provider: k.Provider, Reference: k.reference(),
				Amount: money.New(released, k.Currency), Payee: k.PayeeID, Happened: now, Booked: now})
		}
		if err == nil {
			err = tx.WithContext(ctx).Exec(`UPDATE settlement_reserves SET released_minor = ?, released_at = ?, next_at = ?, waits_for = ? WHERE run_id = ? AND due_on = ?`,
				released, at, next, waits, k.RunID, k.DueOn.Format(time.DateOnly)).Error
		}
		if err != nil {
			return fmt.Errorf("release what run %s kept back: %w", k.RunID, err)
		}
		return nil
	})
}

// standsAgainst is why what a run kept back is not released yet, and when it is looked at again; "" when nothing is.
func (s *Service) standsAgainst(ctx context.Context, tx *gorm.DB, k Kept) (waits string, after time.Duration, err error) {
	isOnHold, err := holds.StopPayouts(ctx, tx, k.CampaignID)
	if err != nil {
		return "", 0, err //nolint:wrapcheck // it says all
	}
	var isContested bool
	err = tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM settlement_lines l JOIN settlement_runs r ON r.id = l.run_id AND r.version = l.version
			JOIN ledger_transactions t ON t.provider = r.provider AND t.charge_ref = l.charge_ref AND t.charge_ref <> ''
			JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id AND a.class = 'dispute_hold'
			WHERE r.id = @run AND l.booked_at IS NOT NULL GROUP BY l.charge_ref HAVING sum(e.amount_minor) > 0)`,
		map[string]any{"run": k.RunID}).Scan(&isContested).Error
	if err != nil {
		return "", 0, fmt.Errorf("ask what stands against run %s: %w", k.RunID, err)
	}
	debt, err := ledger.Balance(ctx, tx, ledger.CreatorAccount(ledger.Debt, k.Provider, k.PayeeID), k.Currency)
	switch {
	case err != nil:
		return "", 0, err //nolint:wrapcheck // it says all
	case debt.Minor > 0:
		return "debt", again, nil
	case isContested:
		return "dispute", contestedAgain, nil
	case isOnHold:
		return "campaign_on_hold", contestedAgain, nil
	}
	return "", 0, nil
}

// useReserves pays the debts of creators by what was kept back from them at the same provider, and returns of how many; 0 when nobody has both. A
// creator whose debts cannot be paid so stops no other.
func (s *Service) useReserves(ctx context.Context) (n int, err error) {
	var of []Kept
	err = s.DB.WithContext(ctx).Raw(`WITH debts AS (SELECT a.name, a.currency FROM ledger_accounts a WHERE a.class = 'creator_debt'
			AND ` + ledger.BalanceSQL + ` > 0)
		SELECT r.provider, r.payee_id, r.currency FROM debts d JOIN settlement_runs r ON d.name = 'creator_debt:' || r.provider || ':' || r.payee_id AND d.currency = r.currency
		JOIN settlement_reserves k ON k.run_id = r.id AND k.next_at IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`).Scan(&of).Error
	if err != nil {
		return 0, fmt.Errorf("look for debts that what was kept back pays: %w", err)
	}
	for _, one := range of {
		paid := int64(0)
		failed := dbx.InTx(ctx, s.DB, func(tx *gorm.DB) (err error) {
			paid, err = s.payByReserve(ctx, tx, one)
			return err
		})
		switch {
		case failed != nil:
			err = errors.Join(err, fmt.Errorf("debts of user %d at %s: %w", one.PayeeID, one.Provider, failed))
		case paid > 0:
			n++
		}
	}
	return n, err
}

// payByReserve pays the debts of a creator, the oldest first, by what their runs have kept back: those of the same campaign first, then what is
// due first.
func (s *Service) payByReserve(ctx context.Context, tx *gorm.DB, of Kept) (paid int64, err error) {
	list, err := keptOf(ctx, tx, `WHERE r.provider = ? AND r.payee_id = ? AND r.currency = ? AND k.next_at IS NOT NULL ORDER BY k.due_on, k.run_id FOR UPDATE OF k`,
		of.Provider, of.PayeeID, of.Currency)
	if err != nil {
		return 0, err
	}
	debts, err := debtsOf(ctx, tx, of.Provider, of.PayeeID, of.Currency)
	if err != nil {
		return 0, err
	}
	for _, d := range debts {
		slices.SortStableFunc(list, func(a, b Kept) int { return isOf(b, d) - isOf(a, d) })
		for i := range list {
			part := min(d.Minor, list[i].rest())
			if part <= 0 {
				continue
			}
			if err := s.useReserve(ctx, tx, list[i], d, part); err != nil {
				return paid, err
			}
			paid += part
			list[i].UsedMinor += part
			d.Minor -= part
		}
		slices.SortStableFunc(list, func(a, b Kept) int { return a.DueOn.Compare(b.DueOn) })
	}
	return paid, nil
}

func isOf(k Kept, d debt) int {
	if k.CampaignID == d.CampaignID {
		return 1
	}
	return 0
}

// useReserve pays a part of a debt by what a run has kept back.
func (s *Service) useReserve(ctx context.Context, tx *gorm.DB, k Kept, d debt, part int64) error {
	now := s.Now()
	_, err := ledger.Post(ctx, tx, ledger.Movement{Kind: ledger.ReserveUsed, Provider: k.Provider, Reference: fmt.Sprintf("%s:%d", k.reference(), k.UsedMinor),
		Of: d.money(), Amount: money.New(part, k.Currency), Payee: k.PayeeID, Happened: now, Booked: now})
	if err == nil {
		err = tx.WithContext(ctx).Exec(`UPDATE settlement_reserves SET used_minor = used_minor + @part, next_at = CASE WHEN used_minor + @part < kept_minor THEN next_at END
			WHERE run_id = @run AND due_on = @due`, map[string]any{"part": part, "run": k.RunID, "due": k.DueOn.Format(time.DateOnly)}).Error
	}
	if err != nil {
		return fmt.Errorf("pay a debt by what run %s kept back: %w", k.RunID, err)
	}
	return nil
}

// released lists what was released of a campaign's runs and is in no other run than r. What is another owner's, who is the same person by now,
// is sent first and alone: it is payable to them under their earlier number.
func released(ctx context.Context, db *gorm.DB, r Run) ([]Kept, error) {
	return keptOf(ctx, db, `WHERE r.campaign_id = ? AND r.provider = ? AND r.currency = ? AND k.released_minor > 0 AND (k.sent_by IS NULL OR k.sent_by = ?)
		ORDER BY k.due_on, k.run_id`, r.CampaignID, r.Provider, r.Currency, r.ID)
}

// sumReleased adds up what of earlier runs is to be sent: what was kept back and is released, and what was restored.
func sumReleased(kept []Kept, restored []Restored) (minor int64) {
	for _, k := range kept {
		minor += k.ReleasedMinor
	}
	for _, r := range restored {
		minor += r.Minor
	}
	return minor
}

// takeReleased has a run send what was released, and nothing else that it was to send before.
func takeReleased(ctx context.Context, tx *gorm.DB, r Run, list []Kept) error {
	err := leaveReleased(ctx, tx, r)
	for _, k := range list {
		if err == nil {
			err = tx.WithContext(ctx).Exec(`UPDATE settlement_reserves SET sent_by = ? WHERE run_id = ? AND due_on = ?`, r.ID, k.RunID, k.DueOn.Format(time.DateOnly)).Error
		}
	}
	if err != nil {
		return fmt.Errorf("take what was released into run %s: %w", r.ID, err)
	}
	return nil
}

// leaveReleased has a run send nothing of what was released.
func leaveReleased(ctx context.Context, tx *gorm.DB, r Run) error {
	return tx.WithContext(ctx).Exec(`UPDATE settlement_reserves SET sent_by = NULL WHERE sent_by = ? AND released_minor > 0`, r.ID).Error
}
