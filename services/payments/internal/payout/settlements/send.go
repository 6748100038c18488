package settlements

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/charging/holds"
	"talkoot.fi/payments/internal/payout/endings"
	"talkoot.fi/payments/internal/payout/payees"
	"talkoot.fi/payments/internal/provider"
)

// payable stops a run whose creator cannot be paid now, and gives the bank account to which they can.
func (s *Service) payable(ctx context.Context, r Run) (bank string, err error) {
	p := s.Providers[r.Provider]
	if p == nil {
		return "", stop{NotOffered, "", again}
	}
	if isOff, err := s.off(ctx, r.Provider); err != nil || isOff {
		if err == nil {
			err = stop{ProviderOff, "", again}
		}
		return "", err
	}
	if isOnHold, err := holds.StopPayouts(ctx, s.DB, r.CampaignID); err != nil || isOnHold {
		if err == nil {
			err = stop{CampaignOnHold, "", again}
		}
		return "", err
	}
	if isBusy, err := s.isBusy(ctx, s.DB, r); err != nil || isBusy {
		if err == nil {
			err = stop{AnotherIsSent, "", again}
		}
		return "", err
	}
	if isHeld, err := s.Held(ctx, s.DB, r.Provider, r.PayeeRef); err != nil || isHeld {
		if err == nil {
			err = stop{TaxData, "", again}
		}
		return "", err
	}
	if err := s.Fresh(ctx, r.CampaignID); err != nil {
		return "", err
	}
	c, err := s.creatorOf(ctx, s.DB, r)
	if err != nil {
		return "", err
	}
	if c.Ref != r.PayeeRef || c.Place != r.Place || c.Wallet != r.ToPlace { // whose it is may have another number: they joined two accounts of theirs here
		return "", stop{AccountChanged, "", again}
	}
	to, err := s.Bank(ctx, s.DB, r.Provider, r.PayeeRef)
	if err != nil {
		return "", err
	}
	err = p.CanPayOut(ctx, r.PayeeRef, to.Ref)
	var missing provider.NotReadyError
	switch {
	case errors.As(err, &missing):
		return "", stop{Need, missing.Need, again}
	case errors.Is(err, provider.ErrNotFound):
		return "", stop{AccountNotReady, "missing", again}
	case err != nil:
		return "", err
	}
	return to.Ref, s.settled(ctx, r, to)
}

// settled stops a run whose creator has put another bank account in the place of one: until somebody has looked at the run since, and until
// its owner has had time to hear of it. The first one that they give takes nothing from anybody.
func (s *Service) settled(ctx context.Context, r Run, to payees.Bank) error {
	if to.IsFirst() {
		return nil
	}
	var looked time.Time
	err := s.DB.WithContext(ctx).Raw(`SELECT max(at) FROM settlement_steps WHERE run_id = ? AND event IN (?, ?)`, r.ID, Agreed, resumed).Scan(&looked).Error
	switch {
	case err != nil:
		return fmt.Errorf("ask who has looked at run %s: %w", r.ID, err)
	case to.ActiveAt.After(looked):
		return stop{BankChanged, to.Label(), 0}
	case s.Now().Before(*to.PaysFrom):
		return stop{Need, needBankNew, to.PaysFrom.Sub(s.Now())}
	}
	return nil
}

// needBankNew is what a run waits for whose creator has another bank account since a few days.
const needBankNew = "bank_new"

// send has the provider transfer a booked run to the creator's own account there.
func (s *Service) send(ctx context.Context, r Run) error {
	_, err := s.payable(ctx, r)
	var held provider.Held
	if err == nil {
		held, err = s.balance(ctx, r, r.Place, 0)
	}
	if err == nil {
		err = s.mature(ctx, r, held)
	}
	if err == nil {
		_, err = s.balance(ctx, r, r.ToPlace, 0)
	}
	var m Move
	why := err
	err = s.locked(ctx, r.ID, func(tx *gorm.DB, now *Run) error {
		m = Move{}
		if now.State != Booked {
			return nil
		}
		if isOther := (stop{}); errors.As(why, &isOther) && isOther.reason == AccountChanged {
			return s.readdressed(ctx, tx, now)
		}
		if why != nil {
			return s.stopped(ctx, tx, now, why)
		}
		// In a transaction of their own: what stops the move leaves the offsets out, too.
		next := *now
		err := tx.Transaction(func(inner *gorm.DB) (err error) {
			m, err = s.begunSending(ctx, inner, &next, held.Available)
			return err
		})
		return s.stopped(ctx, tx, now, err)
	})
	if err != nil || m.RunID == "" {
		return err
	}
	return s.sending(ctx, r, m, true)
}

// readdressed has a run of which nothing was sent be approved anew for the account that has taken the place of the approved one, which may be gone for
// good: of the same creator, where the money lies in a place that belongs to no account of theirs. Of any other it waits for the account that was approved.
func (s *Service) readdressed(ctx context.Context, tx *gorm.DB, r *Run) error {
	c, err := s.creatorOf(ctx, tx, *r)
	payee := int64(0)
	if err == nil {
		payee, err = bookedAs(ctx, tx, r.Provider, c)
	}
	if err == nil && (c.Place != r.Place || payee != r.PayeeID) {
		err = stop{AccountChanged, "", again}
	}
	if err != nil {
		return s.stopped(ctx, tx, r, err)
	}
	was, now := r.PayeeRef, s.Now()
	r.PayeeRef, r.ToPlace = c.Ref, c.Wallet
	sum := sha256.Sum256([]byte(r.Hash + "\n" + c.Ref + "\n" + c.Wallet))
	r.Hash = hex.EncodeToString(sum[:])
	return s.do(ctx, tx, r, Act{Event: waits, Reason: AccountChanged, Detail: was + ", now " + c.Ref, Next: &now})
}

// begunSending pays what the creator owes us from the run, and writes that the rest is to be sent. A run of which nothing is left is over.
func (s *Service) begunSending(ctx context.Context, tx *gorm.DB, r *Run, available money.Amount) (m Move, err error) {
	left := r.NetMinor - r.OffsetMinor
	used, err := s.offset(ctx, tx, *r, left)
	if err != nil {
		return m, err
	}
	r.OffsetMinor += used
	if left -= used; left == 0 {
		return m, s.do(ctx, tx, r, Act{Event: NoneLeft, Reason: PaidDebts})
	}
	fee, others := int64(0), int64(0)
	if s.isPooled(r.Provider) { // in a balance of ours the fee stays where it is
		others, err = s.othersOf(ctx, tx, *r)
	} else {
		fee, err = feeLeft(ctx, tx, *r)
	}
	if err != nil {
		return m, err
	}
	there, err := ledger.Balance(ctx, tx, clearing(*r), r.Currency)
	if err != nil {
		return m, err //nolint:wrapcheck // it says all
	}
	there.Minor -= others
	if there = money.New(min(there.Minor, available.Minor), r.Currency); there.Minor < left+fee {
		return m, stop{BalanceShort, fmt.Sprintf("%s has %s of %s", r.Place, there, money.New(left+fee, r.Currency)), again}
	}
	m, err = s.open(ctx, tx, *r, Move{Kind: moveTransfer, FromPlace: r.Place, Destination: r.ToPlace, AmountMinor: left, FeeMinor: fee})
	if err != nil {
		return Move{}, err
	}
	return m, s.do(ctx, tx, r, Act{Event: Asked, Next: s.in(lease)})
}

// othersOf is what of the balance that all campaigns share is not for a run: what backers were promised from there, what campaigns that were found
// covered have still to promise, and what is just being sent to other creators, which the book still has there. Until the transaction ends nobody
// else begins to send from it.
func (s *Service) othersOf(ctx context.Context, tx *gorm.DB, r Run) (minor int64, err error) {
	err = tx.WithContext(ctx).Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, "send from:"+r.Provider).Error
	if err != nil {
		return 0, fmt.Errorf("wait for who sends from %s: %w", r.Provider, err)
	}
	err = tx.WithContext(ctx).Raw(`SELECT coalesce(sum(amount_minor), 0)::bigint FROM settlement_moves WHERE (provider, kind, state, currency) = (?, ?, ?, ?)`,
		r.Provider, moveTransfer, moveOpen, r.Currency).Scan(&minor).Error
	if err != nil {
		return 0, fmt.Errorf("add up what is being sent from %s: %w", r.Provider, err)
	}
	unbegun, err := endings.Unbegun(ctx, tx, r.Provider, r.Place, r.Currency)
	if err != nil {
		return 0, err //nolint:wrapcheck // it says all
	}
	owed, err := ledger.Balance(ctx, tx, string(ledger.Owed)+":"+r.Provider, r.Currency)
	return minor + unbegun - owed.Minor, err //nolint:wrapcheck // it says all
}

// offset pays what the creator owes us of charges at this provider, the oldest first, by what is payable to them of this run.
func (s *Service) offset(ctx context.Context, tx *gorm.DB, r Run, left int64) (used int64, err error) {
	debts, err := debtsOf(ctx, tx, r.Provider, r.PayeeID, r.Currency)
	if err != nil {
		return 0, err
	}
	for _, d := range debts {
		part := min(d.Minor, left-used)
		if part <= 0 {
			break
		}
		// A run that was refused may come here again.
		var before int
		reference := r.ID + ":" + d.ChargeRef
		err := tx.WithContext(ctx).Raw(`SELECT count(*) FROM ledger_transactions WHERE provider = ? AND kind = ? AND reference LIKE ? || '%'`, r.Provider, ledger.DebtOffset,
			reference).Scan(&before).Error
		if err != nil {
			return 0, fmt.Errorf("count what run %s has paid: %w", r.ID, err)
		}
		now := s.Now()
		_, err = ledger.Post(ctx, tx, ledger.Movement{Kind: ledger.DebtOffset, Provider: r.Provider, Reference: fmt.Sprintf("%s:%d", reference, before+1),
			Of: d.money(), Amount: money.New(part, r.Currency), Payee: r.PayeeID, Happened: now, Booked: now})
		if err != nil {
			return 0, fmt.Errorf("pay a debt from run %s: %w", r.ID, err)
		}
		used += part
	}
	return used, nil
}

// feeLeft is what we still have of the fees of a run's charges: what has gone back to backers since is not taken to our own money.
func feeLeft(ctx context.Context, tx *gorm.DB, r Run) (minor int64, err error) {
	err = tx.WithContext(ctx).Raw(`SELECT coalesce(sum(least(l.fee_minor, greatest((
			SELECT coalesce(-sum(e.amount_minor), 0) FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
			JOIN ledger_accounts a ON a.id = e.account_id AND a.class IN ('platform_revenue', 'vat')
			WHERE t.provider = @provider AND t.charge_ref = l.charge_ref), 0))), 0)::bigint
		FROM settlement_lines l WHERE l.run_id = @run AND l.version = @version AND l.booked_at IS NOT NULL`,
		map[string]any{"provider": r.Provider, "run": r.ID, "version": r.Version}).Scan(&minor).Error
	if err != nil {
		return 0, fmt.Errorf("add the fees of run %s up: %w", r.ID, err)
	}
	return minor, nil
}

// sending asks the provider for a run's transfer, or what has become of it, and books that.
func (s *Service) sending(ctx context.Context, r Run, m Move, isFirst bool) error {
	out, isOver, err := s.ask(ctx, m, isFirst)
	var why stop
	var no unsent
	if err != nil && !errors.As(err, &why) && !errors.As(err, &no) {
		return errors.Join(err, s.later(ctx, r.ID))
	}
	return s.locked(ctx, r.ID, func(tx *gorm.DB, now *Run) error {
		switch {
		case now.State != Sending:
			return nil
		case no.reason != "":
			if isNew, err := s.end(ctx, tx, m, moveBurned, "", string(no.reason)); err != nil || !isNew {
				return err
			}
			return s.do(ctx, tx, now, Act{Event: Refused, Reason: no.reason, Detail: no.detail, Next: s.in(no.after)})
		case err != nil:
			return s.stopped(ctx, tx, now, err)
		case isOver:
			if isNew, err := s.end(ctx, tx, m, moveBurned, "", ""); err != nil || !isNew {
				return err
			}
			return s.do(ctx, tx, now, Act{Event: Refused, Next: s.in(lease / 2)})
		case out == nil || out.State == provider.OutgoingPending:
			return s.do(ctx, tx, now, Act{Event: waits, Reason: now.Reason, Detail: now.Detail, Next: s.in(afterFault)})
		case out.State == provider.OutgoingRefused:
			if isNew, err := s.end(ctx, tx, m, moveRefused, out.Ref, out.Code); err != nil || !isNew {
				return err
			}
			return s.do(ctx, tx, now, Act{Event: Refused, Reason: TransferRefused, Detail: out.Code, Next: s.in(afterRefusal)})
		}
		if err := m.isAsAsked(*out); err != nil {
			return s.stopped(ctx, tx, now, err)
		}
		if isNew, err := s.end(ctx, tx, m, moveDone, out.Ref, ""); err != nil || !isNew {
			return err
		}
		if err := s.bookTransfer(ctx, tx, *now, m, *out); err != nil {
			return err
		}
		at := s.Now()
		return s.do(ctx, tx, now, Act{Event: Arrived, Next: &at})
	})
}

// bookTransfer books what was sent, and what of it is ours and went to our own money.
func (s *Service) bookTransfer(ctx context.Context, tx *gorm.DB, r Run, m Move, out provider.Outgoing) error {
	_, err := ledger.Post(ctx, tx, ledger.Movement{Kind: ledger.Transfer, Provider: r.Provider, Reference: out.Ref, Amount: out.Amount, Place: m.FromPlace,
		Payee: r.PayeeID, Happened: out.Happened, Booked: s.Now()})
	if err == nil && out.Fee.Minor > 0 {
		_, err = ledger.Post(ctx, tx, ledger.Movement{Kind: ledger.PlaceMove, Provider: r.Provider, Reference: provider.TransferFeeRef(out.Ref), Amount: out.Fee,
			Place: out.FeePlace, From: m.FromPlace, Happened: out.Happened, Booked: s.Now()})
	}
	if err != nil {
		return fmt.Errorf("book transfer %s of run %s: %w", out.Ref, r.ID, err)
	}
	return nil
}

// later has a run taken up again soon after a fault.
func (s *Service) later(ctx context.Context, id string) error {
	err := s.DB.WithContext(ctx).Exec(`UPDATE settlement_runs SET next_at = ? WHERE id = ? AND next_at IS NOT NULL`, s.Now().Add(afterFault), id).Error
	if err != nil {
		return fmt.Errorf("plan run %s: %w", id, err)
	}
	return nil
}
