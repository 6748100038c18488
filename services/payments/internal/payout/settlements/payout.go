package settlements

import (
	"context"
	"errors"
	"fmt"

	"github.com/oapi-codegen/runtime/types"
	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
)

// payOut has the provider pay a run out from the creator's own account to their bank, once what they owe us was taken back from there.
func (s *Service) payOut(ctx context.Context, r Run) error {
	switch began, err := s.reverse(ctx, r, reversalBefore); {
	case err != nil:
		return errors.Join(err, s.later(ctx, r.ID))
	case began: // and is due again when that is known
		return nil
	}
	bank, err := s.payable(ctx, r)
	if err == nil {
		_, err = s.balance(ctx, r, r.ToPlace, r.ToPayOut())
	}
	var m Move
	why := err
	err = s.locked(ctx, r.ID, func(tx *gorm.DB, now *Run) (err error) {
		m = Move{}
		if now.State != Sent {
			return nil
		}
		if now.ToPayOut() <= 0 {
			return s.noneLeft(ctx, tx, now)
		}
		if why != nil {
			return s.stopped(ctx, tx, now, why)
		}
		if owed, err := s.reversible(ctx, tx, *now, reversalBefore); err != nil || owed > 0 { // since a moment ago
			return errors.Join(err, s.do(ctx, tx, now, Act{Event: waits, Reason: now.Reason, Detail: now.Detail, Next: s.in(afterFault)}))
		}
		if to, err := s.Bank(ctx, tx, now.Provider, now.PayeeRef); err != nil || to.Ref != bank {
			return errors.Join(err, s.do(ctx, tx, now, Act{Event: waits, Reason: now.Reason, Detail: now.Detail, Next: s.in(afterFault)})) // it has just changed
		}
		m, err = s.open(ctx, tx, *now, Move{Kind: movePayout, FromPlace: now.ToPlace, Destination: bank, AmountMinor: now.ToPayOut()})
		if err != nil {
			m = Move{}
			return s.stopped(ctx, tx, now, err)
		}
		return s.do(ctx, tx, now, Act{Event: AskedOut, Next: s.in(lease)})
	})
	if err != nil || m.RunID == "" {
		return err
	}
	return s.paying(ctx, r, m, true)
}

// paying asks the provider for a run's payout, or what has become of it.
func (s *Service) paying(ctx context.Context, r Run, m Move, isFirst bool) error {
	var out *provider.Outgoing
	isOver := false
	var err error
	if m.Ref == "" {
		out, isOver, err = s.ask(ctx, m, isFirst)
	} else {
		var now provider.Outgoing
		now, err = s.Providers[m.Provider].PaidOut(ctx, m.PayeeRef, m.Ref)
		out = &now
	}
	var why stop
	var no unsent
	if err != nil && !errors.As(err, &why) && !errors.As(err, &no) {
		return errors.Join(err, s.later(ctx, r.ID))
	}
	return s.locked(ctx, r.ID, func(tx *gorm.DB, now *Run) error {
		switch {
		case now.State != Paying:
			return nil
		case no.reason != "": // nothing has left, so nobody is told of a payout that failed
			if isNew, err := s.end(ctx, tx, m, moveBurned, "", string(no.reason)); err != nil || !isNew {
				return err
			}
			return s.do(ctx, tx, now, Act{Event: OutFailed, Reason: no.reason, Detail: no.detail, Next: s.in(no.after)})
		case err != nil:
			return s.stopped(ctx, tx, now, err)
		case isOver:
			if isNew, err := s.end(ctx, tx, m, moveBurned, "", ""); err != nil || !isNew {
				return err
			}
			return s.do(ctx, tx, now, Act{Event: OutFailed, Next: s.in(lease / 2)})
		case out == nil:
			return s.do(ctx, tx, now, Act{Event: waits, Reason: now.Reason, Detail: now.Detail, Next: s.in(afterFault)})
		case out.State == provider.OutgoingPending:
			if err := s.keepRef(ctx, tx, m, out.Ref); err != nil {
				return err
			}
			return s.do(ctx, tx, now, Act{Event: waits, Next: s.in(payoutEvery)})
		case out.State == provider.OutgoingRefused:
			if isNew, err := s.end(ctx, tx, m, moveRefused, out.Ref, out.Code); err != nil || !isNew {
				return err
			}
			if err := s.tell(ctx, tx, *now, m, contentclient.PayoutFailed); err != nil {
				return err
			}
			return s.do(ctx, tx, now, Act{Event: OutFailed, Reason: PayoutFailed, Detail: out.Code}) // a person says when it is tried again
		}
		if err := m.isAsAsked(*out); err != nil {
			return s.stopped(ctx, tx, now, err)
		}
		if isNew, err := s.end(ctx, tx, m, moveDone, out.Ref, ""); err != nil || !isNew {
			return err
		}
		_, err := ledger.Post(ctx, tx, ledger.Movement{Kind: ledger.CreatorPayout, Provider: r.Provider, Reference: out.Ref, Amount: out.Amount, Payee: now.PayeeID,
			Happened: out.Happened, Booked: s.Now()})
		if err != nil {
			return err //nolint:wrapcheck // it says all
		}
		if err := s.tell(ctx, tx, *now, m, contentclient.PayoutArrived); err != nil {
			return err
		}
		return s.do(ctx, tx, now, Act{Event: PaidOut, Next: s.in(watchEvery)})
	})
}

// tell tells a run's creator what has become of its payout.
func (s *Service) tell(ctx context.Context, tx *gorm.DB, r Run, m Move, outcome contentclient.PayeePayoutOutcome) error {
	told := contentclient.PayeePayout{Outcome: outcome, CampaignID: r.CampaignID, AmountMinor: m.AmountMinor, Currency: string(r.Currency)}
	if r.Month != nil {
		told.Month = &types.Date{Time: *r.Month}
	}
	return s.Tell(ctx, tx, r.Provider, m.Destination, told)
}

// keepRef keeps the provider's id of a payout that is on its way.
func (s *Service) keepRef(ctx context.Context, tx *gorm.DB, m Move, ref string) error {
	return tx.WithContext(ctx).Exec(`UPDATE settlement_moves SET ref = ? WHERE run_id = ? AND kind = ? AND try = ? AND state = ?`,
		ref, m.RunID, m.Kind, m.Try, moveOpen).Error
}

// watch looks whether a bank has sent a payout back.
func (s *Service) watch(ctx context.Context, r Run) error {
	list, err := movesOf(ctx, s.DB, `WHERE run_id = ? AND kind = ? AND state = ?`, r.ID, movePayout, moveDone)
	if err != nil {
		return err
	}
	var out provider.Outgoing
	if p := s.Providers[r.Provider]; p != nil && len(list) > 0 {
		if out, err = p.PaidOut(ctx, list[0].PayeeRef, list[0].Ref); err != nil && !errors.Is(err, provider.ErrNotFound) {
			return errors.Join(err, s.later(ctx, r.ID))
		}
	}
	return s.locked(ctx, r.ID, func(tx *gorm.DB, now *Run) error {
		if now.State != Paid || now.PaidAt == nil {
			return nil
		}
		if out.Returned == nil {
			next := s.in(watchEvery)
			if next.After(now.PaidAt.Add(watchFor)) || len(list) == 0 {
				next = nil
			}
			return s.do(ctx, tx, now, Act{Event: waits, Reason: now.Reason, Detail: now.Detail, Next: next})
		}
		return s.cameBack(ctx, tx, now, list[0], *out.Returned)
	})
}

// keptAtMost is more than banks ask for sending a payout back.
const keptAtMost = 50_00

// cameBack books what a bank has sent back of a payout, and what was kept of it. The run waits for its creator's other bank account, or, when that
// is no bank's fee, for a person of ours.
func (s *Service) cameBack(ctx context.Context, tx *gorm.DB, r *Run, m Move, back provider.Returned) error {
	done := tx.WithContext(ctx).Exec(`UPDATE settlement_moves SET state = ?, returned_ref = ?, returned_minor = ?, code = ?
		WHERE run_id = ? AND kind = ? AND try = ? AND state = ?`, moveReturned, back.Ref, back.Amount.Minor, back.Code, m.RunID, m.Kind, m.Try, moveDone)
	if done.Error != nil || done.RowsAffected == 0 {
		return done.Error
	}
	kept := max(m.AmountMinor-back.Amount.Minor, 0)
	movement := ledger.Movement{Kind: ledger.CreatorPayoutReturned, Provider: r.Provider, Reference: back.Ref, Amount: money.New(back.Amount.Minor+kept, r.Currency),
		Payee: r.PayeeID, Happened: back.Happened, Booked: s.Now()}
	_, err := ledger.Post(ctx, tx, movement)
	if err == nil && kept > 0 {
		movement.Kind, movement.Amount = ledger.CreatorPayoutKept, money.New(kept, r.Currency)
		_, err = ledger.Post(ctx, tx, movement)
	}
	if err != nil {
		return err //nolint:wrapcheck // it says all
	}
	r.BankKeptMinor += kept
	if err := s.tell(ctx, tx, *r, m, contentclient.PayoutReturned); err != nil {
		return err
	}
	if kept > keptAtMost || back.Amount.Minor > m.AmountMinor {
		return s.do(ctx, tx, r, Act{Event: CameBack, Reason: AmountDiffers, Detail: fmt.Sprintf("%s: %s of %s came back, %s", back.Ref, back.Amount, m.amount(), back.Code)})
	}
	return s.do(ctx, tx, r, Act{Event: CameBack, Reason: PayoutReturned, Detail: back.Code})
}
