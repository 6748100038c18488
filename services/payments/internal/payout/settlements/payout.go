package settlements

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/oapi-codegen/runtime/types"
	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
)

// payOut has the provider pay a run out from the creator's own account to their bank, once what they owe us was taken back from there.
func (s *Service) payOut(ctx context.Context, r Run) error {
	if isNew, err := s.more(ctx, r); err != nil || isNew {
		return errors.Join(err, s.later(ctx, r.ID)) // it is counted anew
	}
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
		if owed, err := s.reversible(ctx, tx, *now, reversalBefore); err != nil || owed.Minor > 0 { // since a moment ago
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
	back, err := s.news(ctx, r)
	if err != nil {
		return errors.Join(err, s.later(ctx, r.ID))
	}
	return s.locked(ctx, r.ID, func(tx *gorm.DB, now *Run) error {
		if now.State != Paid || now.PaidAt == nil {
			return nil
		}
		if isNew, err := s.cameBack(ctx, tx, now, back); err != nil || isNew {
			return err
		}
		next := s.in(watchEvery)
		if next.After(now.PaidAt.Add(watchFor)) || now.PaidOutMinor == 0 {
			next = nil
		}
		return s.do(ctx, tx, now, Act{Event: waits, Reason: now.Reason, Detail: now.Detail, Next: next})
	})
}

// backOf is what a bank has sent back of a payout.
type backOf struct {
	Move
	provider.Returned
}

// news asks the provider what has come back of a run's payouts, the last first, and gives what is not booked yet.
func (s *Service) news(ctx context.Context, r Run) (list []backOf, err error) {
	p := s.Providers[r.Provider]
	moves, err := movesOf(ctx, s.DB, `WHERE run_id = ? AND kind = ? AND state IN (?, ?) ORDER BY try DESC`, r.ID, movePayout, moveDone, moveReturned)
	if err != nil || p == nil {
		return nil, err
	}
	for _, m := range moves {
		out, err := p.PaidOut(ctx, m.PayeeRef, m.Ref)
		if err != nil && !errors.Is(err, provider.ErrNotFound) {
			return nil, err //nolint:wrapcheck // the provider's say all
		}
		for _, back := range out.Returned {
			var isBooked bool
			err := s.DB.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM settlement_returns WHERE provider = ? AND ref = ?)`, m.Provider, back.Ref).Scan(&isBooked).Error
			if err != nil {
				return nil, fmt.Errorf("look for what came back of payout %s: %w", m.Ref, err)
			}
			if !isBooked {
				list = append(list, backOf{m, back})
			}
		}
	}
	return list, nil
}

// keptAtMost is more than banks ask for sending a payout back.
const keptAtMost = 50_00

// cameBack books what banks have sent back of a run's payouts, each part once, and reports whether there was news. The run waits for its creator's other
// bank account, or, when what is missing is no bank's fee, for a person of ours.
func (s *Service) cameBack(ctx context.Context, tx *gorm.DB, r *Run, list []backOf) (isNew bool, err error) {
	reason, detail := Reason(""), ""
	for _, back := range list {
		kept, isFirst, err := s.bookBack(ctx, tx, *r, back)
		if err != nil {
			return false, err
		}
		if kept == nil {
			continue // another worker has booked it
		}
		isNew, reason, detail = true, PayoutReturned, back.Returned.Code
		if *kept > keptAtMost || *kept < 0 {
			reason, detail = AmountDiffers, fmt.Sprintf("%s: %s of %s came back, %s", back.Returned.Ref, money.New(back.AmountMinor-*kept, r.Currency), back.amount(), back.Returned.Code)
		}
		if isFirst {
			if err := s.tell(ctx, tx, *r, back.Move, contentclient.PayoutReturned); err != nil {
				return false, err
			}
		}
	}
	if !isNew {
		return false, nil
	}
	now, err := read(ctx, tx, `WHERE id = ?`, r.ID)
	if err != nil {
		return false, err
	}
	*r = now[0]
	event, next := CameBack, (*time.Time)(nil)
	if r.State == Sent { // it waits already, or is just to be paid out again
		event, next = waits, r.NextAt
	}
	return true, s.do(ctx, tx, r, Act{Event: event, Reason: reason, Detail: detail, Next: next})
}

// bookBack books a part that came back, and gives what is missing of its payout then, less than nothing when more has come than was sent; nil when it is
// booked already. What is missing after the first part counts as kept by the bank until more comes.
func (s *Service) bookBack(ctx context.Context, tx *gorm.DB, r Run, back backOf) (kept *int64, isFirst bool, err error) {
	m, now := back.Move, s.Now()
	made := tx.WithContext(ctx).Exec(`INSERT INTO settlement_returns (provider, ref, run_id, kind, try, amount_minor, code, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO NOTHING`, m.Provider, back.Returned.Ref, m.RunID, m.Kind, m.Try, back.Amount.Minor, back.Returned.Code, now)
	if made.Error != nil || made.RowsAffected == 0 {
		return nil, false, made.Error
	}
	var sum struct{ Before int64 }
	err = tx.WithContext(ctx).Raw(`UPDATE settlement_moves SET state = @returned, returned_ref = CASE WHEN state = @done THEN @ref ELSE returned_ref END,
			returned_minor = returned_minor + @minor, code = @code
		WHERE run_id = @run AND kind = @kind AND try = @try AND state IN (@done, @returned) RETURNING returned_minor - @minor AS before`,
		map[string]any{"returned": moveReturned, "done": moveDone, "ref": back.Returned.Ref, "minor": back.Amount.Minor, "code": back.Returned.Code,
			"run": m.RunID, "kind": m.Kind, "try": m.Try}).Scan(&sum).Error
	if err != nil {
		return nil, false, fmt.Errorf("note what came back of payout %s: %w", m.Ref, err)
	}
	isFirst = sum.Before == 0
	missing := m.AmountMinor - sum.Before - back.Amount.Minor
	movement := ledger.Movement{Kind: ledger.CreatorPayoutReturned, Provider: r.Provider, Reference: back.Returned.Ref, Amount: back.Amount,
		Payee: r.PayeeID, Happened: back.Happened, Booked: now}
	if isFirst { // a payout that came back is undone whole
		movement.Amount.Minor += max(missing, 0)
	}
	_, err = ledger.Post(ctx, tx, movement)
	if err == nil && isFirst && missing > 0 {
		movement.Kind, movement.Amount = ledger.CreatorPayoutKept, money.New(missing, r.Currency)
		_, err = ledger.Post(ctx, tx, movement)
	}
	return &missing, isFirst, err
}

// more books what else has come back of a run's payouts, before what is left is paid out again, and reports whether there was some.
func (s *Service) more(ctx context.Context, r Run) (isNew bool, err error) {
	back, err := s.news(ctx, r)
	if err != nil || len(back) == 0 {
		return false, err
	}
	err = s.locked(ctx, r.ID, func(tx *gorm.DB, now *Run) (err error) {
		isNew = false
		if now.State == Sent {
			isNew, err = s.cameBack(ctx, tx, now, back)
		}
		return err
	})
	return isNew, err
}
