package settlements

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/provider"
)

// The kinds of moves; constraint settlement_moves_kind has the same.
const (
	moveTransfer = "transfer"
	movePayout   = "payout"
)

// States of a move; constraint settlement_moves_state has the same.
const (
	moveOpen     = "open"
	moveDone     = "done"
	moveRefused  = "refused"
	moveBurned   = "burned" // the key is of no use, and nothing was made by it
	moveReturned = "returned"
)

func movesOf(ctx context.Context, db *gorm.DB, where string, args ...any) (list []Move, err error) {
	err = db.WithContext(ctx).Raw(`SELECT run_id, kind, try, provider, payee_ref, from_place, destination, amount_minor, fee_minor, currency, state, ref, code, at,
		burned_at, ended_at, returned_ref, returned_minor FROM settlement_moves `+where, args...).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read what was sent: %w", err)
	}
	return list, nil
}

// openMove reads what of a run is on its way; none without one.
func openMove(ctx context.Context, db *gorm.DB, id string) (m Move, err error) {
	list, err := movesOf(ctx, db, `WHERE run_id = ? AND state = ?`, id, moveOpen)
	if len(list) > 0 {
		m = list[0]
	}
	return m, err
}

// key of a move's call, from its row.
func (m Move) key() string { return "settle:" + m.RunID + ":" + m.Kind + ":" + strconv.Itoa(m.Try) }

// tag is what is written on it at the provider.
func (m Move) tag() string {
	return url.Values{"settlement": {m.RunID}, "try": {strconv.Itoa(m.Try)}}.Encode()
}

func (m Move) amount() money.Amount { return money.New(m.AmountMinor, money.Currency(m.Currency)) }

func (m Move) transfer() provider.TransferOrder {
	return provider.TransferOrder{Key: m.key(), Run: m.RunID, Tag: m.tag(), Payee: m.PayeeRef, From: m.FromPlace, To: m.Destination, Amount: m.amount(),
		Fee: money.New(m.FeeMinor, money.Currency(m.Currency)), Since: m.At}
}

func (m Move) payOut() provider.PayOutOrder {
	return provider.PayOutOrder{Key: m.key(), Tag: m.tag(), Payee: m.PayeeRef, From: m.FromPlace, Destination: m.Destination, Amount: m.amount(), Since: m.At}
}

// isBusy reports whether something is on its way to the creator of a run, or back from them.
func (s *Service) isBusy(ctx context.Context, db *gorm.DB, r Run) (is bool, err error) {
	err = db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM settlement_moves WHERE provider = @provider AND payee_ref = @ref AND state = 'open')
		OR EXISTS (SELECT FROM transfer_reversals WHERE provider = @provider AND payee_ref = @ref AND state = 'open')`,
		map[string]any{"provider": r.Provider, "ref": r.PayeeRef}).Scan(&is).Error
	if err != nil {
		return false, fmt.Errorf("ask what is on its way to the creator of run %s: %w", r.ID, err)
	}
	return is, nil
}

// alone stops when something is on its way to the creator of a run, or back from them, and keeps all else waiting until the transaction ends.
func (s *Service) alone(ctx context.Context, tx *gorm.DB, r Run) error {
	err := tx.WithContext(ctx).Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, "settle to:"+r.Provider+":"+r.PayeeRef).Error
	if err != nil {
		return fmt.Errorf("wait for what is on its way to the creator of run %s: %w", r.ID, err)
	}
	isBusy, err := s.isBusy(ctx, tx, r)
	if err == nil && isBusy {
		err = stop{AnotherIsSent, "", again}
	}
	return err
}

// open writes what is asked of the provider next. It stops when something else is on its way to the creator, and when who approved the run answers
// for money no more.
func (s *Service) open(ctx context.Context, tx *gorm.DB, r Run, m Move) (Move, error) {
	err := s.alone(ctx, tx, r)
	if err == nil {
		err = stillApproved(ctx, tx, r)
	}
	if why := (stop{}); errors.As(err, &why) {
		return m, err
	}
	if err == nil {
		err = tx.WithContext(ctx).Raw(`SELECT coalesce(max(try), 0) + 1 FROM settlement_moves WHERE run_id = ? AND kind = ?`, r.ID, m.Kind).Scan(&m.Try).Error
	}
	m.RunID, m.Provider, m.PayeeRef, m.Currency, m.State, m.At = r.ID, r.Provider, r.PayeeRef, string(r.Currency), moveOpen, s.Now()
	if err == nil {
		err = tx.WithContext(ctx).Exec(`INSERT INTO settlement_moves (run_id, kind, try, provider, payee_ref, from_place, destination, amount_minor, fee_minor, currency,
			state, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, m.RunID, m.Kind, m.Try, m.Provider, m.PayeeRef, m.FromPlace, m.Destination, m.AmountMinor,
			m.FeeMinor, m.Currency, m.State, m.At).Error
	}
	if err != nil {
		return m, fmt.Errorf("write what is asked for run %s: %w", r.ID, err)
	}
	return m, nil
}

// end writes what became of a move, unless another worker has.
func (s *Service) end(ctx context.Context, tx *gorm.DB, m Move, state, ref, code string) (isNew bool, err error) {
	done := tx.WithContext(ctx).Exec(`UPDATE settlement_moves SET state = ?, ref = ?, code = ?, ended_at = ? WHERE run_id = ? AND kind = ? AND try = ? AND state = ?`,
		state, ref, code, s.Now(), m.RunID, m.Kind, m.Try, moveOpen)
	if done.Error != nil {
		return false, fmt.Errorf("end what was asked for run %s: %w", m.RunID, done.Error)
	}
	return done.RowsAffected > 0, nil
}

// call is one call that has a provider make something: how it is made and looked for, and what is written when its key is of no use any more.
type call struct {
	make     func() (provider.Outgoing, error)
	find     func() (*provider.Outgoing, error)
	burn     func() error
	burnedAt *time.Time
}

// ask makes a move's call.
func (s *Service) ask(ctx context.Context, m Move, isFirst bool) (out *provider.Outgoing, isOver bool, err error) {
	p := s.Providers[m.Provider]
	if p == nil {
		return nil, false, stop{NotOffered, "", again}
	}
	c := call{burnedAt: m.BurnedAt, burn: func() error {
		return s.DB.WithContext(ctx).Exec(`UPDATE settlement_moves SET burned_at = coalesce(burned_at, ?) WHERE run_id = ? AND kind = ? AND try = ? AND state = ?`,
			s.Now(), m.RunID, m.Kind, m.Try, moveOpen).Error
	}}
	if m.Kind == movePayout {
		c.make = func() (provider.Outgoing, error) { return p.PayOut(ctx, m.payOut()) }
		c.find = func() (*provider.Outgoing, error) { return p.FindPayOut(ctx, m.payOut()) }
	} else {
		c.make = func() (provider.Outgoing, error) { return p.Transfer(ctx, m.transfer()) }
		c.find = func() (*provider.Outgoing, error) { return p.FindTransfer(ctx, m.transfer()) }
	}
	return s.called(c, isFirst)
}

// called makes a call, after it has looked for what an earlier call has made when there may have been one. nil is for an answer that is
// not known: then it is asked again. isOver says that nothing was made, and nothing will be by this key.
func (s *Service) called(c call, isFirst bool) (out *provider.Outgoing, isOver bool, err error) {
	if !isFirst {
		if out, err = c.find(); err != nil || out != nil {
			return out, false, err
		}
		if c.burnedAt != nil {
			return nil, !s.Now().Before(c.burnedAt.Add(burnedFor)), nil
		}
	}
	made, err := c.make()
	switch {
	case err == nil:
		return &made, false, nil
	case errors.Is(err, provider.ErrBurned):
		return nil, false, errors.Join(err, c.burn())
	case errors.Is(err, provider.ErrRefused), errors.Is(err, provider.ErrNotFound), errors.Is(err, provider.ErrState):
		// An earlier try of the same call may have made it all the same.
		if out, missing := c.find(); missing != nil || out != nil {
			return out, false, missing
		}
		var need provider.NotReadyError
		switch {
		case errors.As(err, &need):
			return nil, false, unsent{stop{Need, need.Need, again}}
		case errors.Is(err, provider.ErrShort):
			return nil, false, unsent{stop{BalanceShort, err.Error(), again}}
		}
		return &provider.Outgoing{State: provider.OutgoingRefused, Code: err.Error()}, false, nil
	}
	return nil, false, err
}

// unsent says that nothing was made by a move's key, because of something that passes or that its creator mends: what the run waits for.
type unsent struct{ stop }

// isAsAsked stops a run of which the provider has made something else than was asked: a person looks.
func (m Move) isAsAsked(out provider.Outgoing) error {
	if out.Amount != m.amount() || out.Fee.Minor != m.FeeMinor {
		return stop{AmountDiffers, fmt.Sprintf("%s: %s and %s, asked %s and %d", out.Ref, out.Amount, out.Fee, m.amount(), m.FeeMinor), 0}
	}
	return nil
}

// balance compares what is in a place at the provider with the book, before something leaves it. It stops when they differ or it is short. In
// a balance that all campaigns share something comes in at any moment, which the provider has before the book: there only less stops it.
func (s *Service) balance(ctx context.Context, r Run, place string, wanted int64) (held provider.Held, err error) {
	isShared := place == ledger.MainPlace
	at := place
	if isShared {
		at = ""
	}
	held, err = s.Providers[r.Provider].Balance(ctx, at)
	if errors.Is(err, provider.ErrRefused) {
		return held, stop{Need, provider.NeedConsents, again}
	}
	if err != nil {
		return held, err //nolint:wrapcheck // the provider's say all
	}
	theirs := held.All
	ours, err := s.booked(ctx, r, place)
	switch {
	case err != nil:
		return held, err
	case theirs.Minor < 0 && !isShared:
		return held, stop{BelowZero, fmt.Sprintf("%s has %s", place, theirs), again}
	case theirs != ours && (!isShared || theirs.Minor < ours.Minor):
		return held, stop{BalanceDiffers, fmt.Sprintf("%s has %s, the book %s", place, theirs, ours), again}
	case held.Available.Minor < wanted:
		return held, stop{BalanceShort, fmt.Sprintf("%s has %s of %s", place, held.Available, money.New(wanted, r.Currency)), again}
	}
	return held, nil
}

// booked is what the book has in a place of a run: where its money is, or on its creator's own account there. The book has all accounts of theirs
// as one: what went to another one of them, such as one that is gone, is left out.
func (s *Service) booked(ctx context.Context, r Run, place string) (money.Amount, error) {
	if place == r.Place {
		return ledger.Balance(ctx, s.DB, clearing(r), r.Currency) //nolint:wrapcheck // it says all
	}
	var minor int64
	err := s.DB.WithContext(ctx).Raw(`SELECT coalesce(sum(e.amount_minor), 0)::bigint FROM ledger_accounts a JOIN ledger_entries e ON e.account_id = a.id
		JOIN ledger_transactions t ON t.id = e.transaction_id
		WHERE a.name = @account AND a.currency = @currency AND NOT EXISTS (SELECT FROM settlement_moves m LEFT JOIN settlement_returns x ON (x.run_id, x.kind, x.try) = (m.run_id, m.kind, m.try) WHERE m.provider = t.provider AND m.payee_ref <> @ref
			AND (t.kind, t.reference) IN (('transfer', CASE m.kind WHEN 'transfer' THEN m.ref END), ('creator_payout', CASE m.kind WHEN 'payout' THEN m.ref END),
				('creator_payout_returned', x.ref), ('creator_payout_kept', x.ref))
			AND m.payee_ref IN (SELECT payee_ref FROM settlement_runs WHERE provider = @provider AND payee_id = @payee))
		AND NOT EXISTS (SELECT FROM transfer_reversals v WHERE t.kind = 'transfer_reversed' AND v.provider = t.provider AND v.ref = t.reference AND v.payee_ref <> @ref)`,
		map[string]any{"account": ledger.CreatorAccount(ledger.AtCreator, r.Provider, r.PayeeID), "currency": r.Currency, "ref": r.PayeeRef,
			"provider": r.Provider, "payee": r.PayeeID}).Scan(&minor).Error
	if err != nil {
		return money.Amount{}, fmt.Errorf("read what the book has on account %s: %w", r.PayeeRef, err)
	}
	return money.New(minor, r.Currency), nil
}

// clearing is the account of our balance that a run's money is in.
func clearing(r Run) string { return string(ledger.Clearing) + ":" + r.Provider + ":" + r.Place }

// isPooled says that the money of a run is in the balance that all campaigns share at its provider.
func (s *Service) isPooled(name string) bool {
	_, is := s.Providers[name].(provider.Pooled)
	return is
}

// mature stops a run of whose charges one cannot be sent on yet: what is available is other campaigns' then.
func (s *Service) mature(ctx context.Context, r Run, held provider.Held) error {
	p, isPooled := s.Providers[r.Provider].(provider.Pooled)
	if !isPooled || held.Available == held.All {
		return nil
	}
	var lines []struct {
		ChargeRef  string
		HappenedAt time.Time
	}
	err := s.DB.WithContext(ctx).Raw(`SELECT l.charge_ref, t.happened_at FROM settlement_lines l JOIN ledger_transactions t
		ON t.provider = ? AND t.kind = 'charge' AND t.reference = l.charge_ref
		WHERE l.run_id = ? AND l.version = ? AND l.booked_at IS NOT NULL AND l.gross_minor > 0 ORDER BY t.happened_at`, r.Provider, r.ID, r.Version).Scan(&lines).Error
	if err != nil {
		return fmt.Errorf("read when the charges of run %s were made: %w", r.ID, err)
	}
	if len(lines) == 0 {
		return nil
	}
	is := make(map[string]bool, len(lines))
	for _, l := range lines {
		is[l.ChargeRef] = true
	}
	from, to := lines[0].HappenedAt, lines[len(lines)-1].HappenedAt
	if oldest := s.Now().Add(-longestPending); from.Before(oldest) {
		from = oldest
	}
	if to.Before(from) {
		return nil
	}
	last, which := time.Time{}, ""
	err = p.EachPending(ctx, from, to, func(charge string, available time.Time) error {
		if is[charge] && available.After(last) {
			last, which = available, charge
		}
		return nil
	})
	if err != nil || which == "" {
		return err //nolint:wrapcheck // the provider's say all
	}
	return stop{BalanceShort, fmt.Sprintf("%s can be sent from %s", which, last.Format(time.RFC3339)), max(last.Sub(s.Now()), again)}
}

// longestPending is longer than a provider has the money of any charge wait.
const longestPending = 45 * 24 * time.Hour
