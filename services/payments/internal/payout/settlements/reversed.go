package settlements

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"gorm.io/gorm"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/provider"
)

// SeeReversals books what was taken back of a transfer, or of all that were sent to a place of a creator's, and is not booked: what we have not had the
// answer of, and what somebody has taken back in the provider's own pages. A transfer that no run has sent is nobody's here, and so is a place of nobody's.
func (s *Service) SeeReversals(ctx context.Context, name, ref string) error {
	p, can := s.Providers[name].(provider.Reversing)
	if !can || ref == "" {
		return nil
	}
	sent, err := movesOf(ctx, s.DB, `WHERE provider = @provider AND kind = @kind AND state = @state AND destination IN (SELECT destination FROM settlement_moves
			WHERE provider = @provider AND kind = @kind AND state = @state AND (ref = @ref OR destination = @ref)) ORDER BY at DESC`,
		map[string]any{"provider": name, "kind": moveTransfer, "state": moveDone, "ref": ref})
	if err != nil || len(sent) == 0 {
		return err
	}
	at := max(slices.IndexFunc(sent, func(m Move) bool { return m.Ref == ref }), 0)
	list, err := p.Reversals(ctx, provider.Sent{Transfer: sent[at].Ref, Payee: sent[at].PayeeRef, At: sent[at].Destination, Since: sent[len(sent)-1].At})
	if err != nil && !errors.Is(err, provider.ErrNotFound) && !errors.Is(err, provider.ErrRefused) { // who does not let us look may again: the daily comparison says it
		return err //nolint:wrapcheck // the provider's say all
	}
	for _, one := range list {
		if one.State != provider.OutgoingDone {
			continue
		}
		known, m, to, err := s.whose(ctx, sent, one)
		if err != nil {
			return err
		}
		if m.RunID == "" {
			continue
		}
		err = s.locked(ctx, m.RunID, func(tx *gorm.DB, r *Run) error {
			if known.ID != "" {
				return s.reversed(ctx, tx, r, known, one.Outgoing)
			}
			return s.see(ctx, tx, r, m, to, one)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// whose finds which of the transfers to a creator's account a reversal is of, with its row when it has one, and in which place of ours it is. Where the
// provider does not say of which it is, it is of the newest that has as much to pay out. None is for what went to no place of ours.
func (s *Service) whose(ctx context.Context, sent []Move, one provider.Reversal) (known Reversal, m Move, to place, err error) {
	tag, _ := url.ParseQuery(one.Tag)
	refs, runs := make([]string, len(sent)), make([]string, len(sent))
	for i, m := range sent {
		refs[i], runs[i] = m.Ref, m.RunID
	}
	var rows []Reversal
	err = s.DB.WithContext(ctx).Raw(`SELECT `+reversalColumns+` FROM transfer_reversals
		WHERE provider = ? AND (ref = ? OR id = ? AND transfer_ref IN ? AND state <> 'done')`, sent[0].Provider, one.Ref, tag.Get(tagOfReversal), refs).Scan(&rows).Error
	if err != nil {
		return known, m, to, fmt.Errorf("look for reversal %s: %w", one.Ref, err)
	}
	if len(rows) > 0 {
		known, m.RunID = rows[0], rows[0].RunID
		return known, m, to, nil
	}
	list, err := read(ctx, s.DB, `WHERE id IN ? ORDER BY created_at DESC`, runs)
	if err != nil {
		return known, m, to, err
	}
	at := slices.IndexFunc(sent, func(m Move) bool { return m.Ref == one.Transfer })
	for _, enough := range []func(r Run) bool{
		func(r Run) bool { return r.State == Sent && r.ToPayOut() >= one.Amount.Minor },
		func(r Run) bool { return r.ForCreator() >= one.Amount.Minor },
		func(Run) bool { return true },
	} {
		if of := slices.IndexFunc(list, enough); at < 0 && of >= 0 {
			at = slices.IndexFunc(sent, func(m Move) bool { return m.RunID == list[of].ID })
		}
	}
	m = sent[at]
	of := list[slices.IndexFunc(list, func(r Run) bool { return r.ID == m.RunID })]
	if to.Place = cmp.Or(one.Place, of.Place); to.Place == of.Place {
		return known, m, to, nil
	}
	at = slices.IndexFunc(list, func(r Run) bool { return r.Place == to.Place })
	if at < 0 {
		return known, Move{}, to, nil
	}
	to.CampaignID = &list[at].CampaignID
	return known, m, to, nil
}

// see books one reversal of a run's transfer that nobody here has asked for, unless it is.
func (s *Service) see(ctx context.Context, tx *gorm.DB, r *Run, sent Move, to place, one provider.Reversal) error {
	var isKnown bool
	err := tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM transfer_reversals WHERE provider = ? AND ref = ?)`, r.Provider, one.Ref).Scan(&isKnown).Error
	if err != nil {
		return fmt.Errorf("look for reversal %s: %w", one.Ref, err)
	}
	if isKnown {
		return nil
	}
	now := s.Now()
	v := Reversal{ID: ids.New(), RunID: r.ID, Provider: r.Provider, PayeeID: r.PayeeID, PayeeRef: sent.PayeeRef, TransferRef: sent.Ref, Place: to.Place,
		CampaignID: to.CampaignID, AmountMinor: one.Amount.Minor, Currency: r.Currency, State: ReversalDone, Ref: one.Ref, At: now, EndedAt: &now}
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

// bookReversal books what was taken back, which is payable again, and pays what the creator owes us by it: of charges whose money is in the same place
// first, the oldest first. What nobody owes any more is in a later run of the campaign that it lies with.
func (s *Service) bookReversal(ctx context.Context, tx *gorm.DB, r *Run, v Reversal, out provider.Outgoing) error {
	if out.Amount.Currency != r.Currency {
		return fmt.Errorf("reversal %s of run %s is of %s, the run in %s: %w", out.Ref, r.ID, out.Amount, r.Currency, ErrNotThen)
	}
	now := s.Now()
	_, err := ledger.Post(ctx, tx, ledger.Movement{Kind: ledger.TransferReversed, Provider: r.Provider, Reference: out.Ref, Amount: out.Amount, Place: v.Place,
		Payee: r.PayeeID, Happened: out.Happened, Booked: now})
	if fee := out.Fee; err == nil && fee.Minor != 0 { // of what somebody has taken back
		move := ledger.Movement{Kind: ledger.PlaceMove, Provider: r.Provider, Reference: provider.TransferFeeRef(out.Ref), Amount: fee, Place: out.FeePlace, From: v.Place,
			Happened: out.Happened, Booked: now}
		if fee.Minor < 0 {
			move.Amount.Minor, move.Place, move.From = -fee.Minor, v.Place, out.FeePlace
		}
		_, err = ledger.Post(ctx, tx, move)
	}
	if err != nil {
		return fmt.Errorf("book reversal %s of run %s: %w", out.Ref, r.ID, err)
	}
	debts, err := debtsOf(ctx, tx, r.Provider, r.PayeeID, r.Currency)
	if err != nil {
		return err
	}
	paid := int64(0)
	for _, part := range paidFrom(v.Place, debts, out.Amount.Minor) {
		d := debts[part.of]
		_, err := ledger.Post(ctx, tx, ledger.Movement{Kind: ledger.DebtOffset, Provider: r.Provider, Reference: v.ID + ":" + d.ChargeRef, Of: d.money(),
			Amount: money.New(part.minor, r.Currency), Payee: r.PayeeID, Happened: now, Booked: now})
		if err != nil {
			return fmt.Errorf("pay a debt by reversal %s: %w", out.Ref, err)
		}
		paid += part.minor
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
