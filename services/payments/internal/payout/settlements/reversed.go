package settlements

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"gorm.io/gorm"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/provider"
)

// SeeReversals books what was taken back of a transfer and is not booked: what we have not had the answer of, and what somebody has taken back in the
// provider's own pages. A transfer that no run has sent is nobody's here.
func (s *Service) SeeReversals(ctx context.Context, name, transfer string) error {
	p, can := s.Providers[name].(provider.Reversing)
	if !can || transfer == "" {
		return nil
	}
	sent, err := movesOf(ctx, s.DB, `WHERE provider = ? AND kind = ? AND ref = ? AND state = ?`, name, moveTransfer, transfer, moveDone)
	if err != nil || len(sent) == 0 {
		return err
	}
	list, err := p.Reversals(ctx, transfer)
	if err != nil && !errors.Is(err, provider.ErrNotFound) {
		return err //nolint:wrapcheck // the provider's say all
	}
	for _, one := range list {
		err := s.locked(ctx, sent[0].RunID, func(tx *gorm.DB, r *Run) error { return s.see(ctx, tx, r, sent[0], one) })
		if err != nil {
			return err
		}
	}
	return nil
}

// see books one reversal of a run's transfer, unless it is.
func (s *Service) see(ctx context.Context, tx *gorm.DB, r *Run, sent Move, one provider.Reversal) error {
	tag, _ := url.ParseQuery(one.Tag)
	var known []Reversal
	err := tx.WithContext(ctx).Raw(`SELECT `+reversalColumns+` FROM transfer_reversals WHERE provider = ? AND (ref = ? OR id = ? AND transfer_ref = ? AND state <> 'done')`,
		r.Provider, one.Ref, tag.Get(tagOfReversal), sent.Ref).Scan(&known).Error
	if err != nil {
		return fmt.Errorf("look for reversal %s: %w", one.Ref, err)
	}
	if len(known) > 0 {
		return s.reversed(ctx, tx, r, known[0], one.Outgoing)
	}
	now := s.Now()
	v := Reversal{ID: ids.New(), RunID: r.ID, Provider: r.Provider, PayeeID: r.PayeeID, PayeeRef: sent.PayeeRef, TransferRef: sent.Ref, AmountMinor: one.Amount.Minor,
		Currency: r.Currency, State: ReversalDone, Ref: one.Ref, At: now, EndedAt: &now}
	if err := insertReversal(ctx, tx, v, nil); err != nil {
		return err
	}
	return s.bookReversal(ctx, tx, r, v, one.Outgoing)
}

// reversed writes that one of ours was made, and books it, unless it is.
func (s *Service) reversed(ctx context.Context, tx *gorm.DB, r *Run, v Reversal, out provider.Outgoing) error {
	done := tx.WithContext(ctx).Exec(`UPDATE transfer_reversals SET state = ?, ref = ?, amount_minor = ?, code = '', ended_at = ?, next_at = NULL WHERE id = ? AND state <> ?`,
		ReversalDone, out.Ref, out.Amount.Minor, s.Now(), v.ID, ReversalDone)
	if done.Error != nil {
		return fmt.Errorf("write reversal %s: %w", out.Ref, done.Error)
	}
	if done.RowsAffected == 0 {
		return nil
	}
	return s.bookReversal(ctx, tx, r, v, out)
}

// bookReversal books what was taken back, which is payable again, and pays what the creator owes us by it, the oldest first. What nobody owes any more
// is in a later run of the campaign.
func (s *Service) bookReversal(ctx context.Context, tx *gorm.DB, r *Run, v Reversal, out provider.Outgoing) error {
	if out.Amount.Currency != r.Currency {
		return fmt.Errorf("reversal %s of run %s is of %s, the run in %s: %w", out.Ref, r.ID, out.Amount, r.Currency, ErrNotThen)
	}
	now := s.Now()
	_, err := ledger.Post(ctx, tx, ledger.Movement{Kind: ledger.TransferReversed, Provider: r.Provider, Reference: out.Ref, Amount: out.Amount, Place: r.Place,
		Payee: r.PayeeID, Happened: out.Happened, Booked: now})
	if err != nil {
		return fmt.Errorf("book reversal %s of run %s: %w", out.Ref, r.ID, err)
	}
	debts, err := debtsOf(ctx, tx, r.Provider, r.PayeeID, r.Currency)
	if err != nil {
		return err
	}
	paid := int64(0)
	for _, d := range debts {
		part := min(d.Minor, out.Amount.Minor-paid)
		if part <= 0 {
			break
		}
		_, err := ledger.Post(ctx, tx, ledger.Movement{Kind: ledger.DebtOffset, Provider: r.Provider, Reference: v.ID + ":" + d.ChargeRef, Of: d.money(),
			Amount: money.New(part, r.Currency), Payee: r.PayeeID, Happened: now, Booked: now})
		if err != nil {
			return fmt.Errorf("pay a debt by reversal %s: %w", out.Ref, err)
		}
		paid += part
	}
	if err := tx.WithContext(ctx).Exec(`UPDATE transfer_reversals SET paid_minor = ? WHERE id = ?`, paid, v.ID).Error; err != nil {
		return fmt.Errorf("write what reversal %s has paid: %w", out.Ref, err)
	}
	r.ReversedMinor += out.Amount.Minor
	switch {
	case r.State == Sent && r.ToPayOut() <= 0:
		return s.noneLeft(ctx, tx, r)
	case r.State == Sent && r.NextAt != nil: // it may have waited for this
		return s.do(ctx, tx, r, Act{Event: waits, Reason: r.Reason, Detail: r.Detail, Next: &now})
	}
	return nil
}

// noneLeft ends a run of which nothing is on the creator's account any more.
func (s *Service) noneLeft(ctx context.Context, tx *gorm.DB, r *Run) error {
	var unpaid int64
	err := tx.WithContext(ctx).Raw(`SELECT coalesce(sum(amount_minor - paid_minor), 0)::bigint FROM transfer_reversals WHERE run_id = ? AND state = ?`, r.ID, ReversalDone).
		Scan(&unpaid).Error
	if err != nil {
		return fmt.Errorf("ask what was taken back of run %s: %w", r.ID, err)
	}
	reason := PaidDebts
	if unpaid > 0 {
		reason = TakenBack
	}
	return s.do(ctx, tx, r, Act{Event: NoneLeft, Reason: reason})
}
