package settlements

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
)

// hasBooked reports whether the booking of a run's lines has begun.
func hasBooked(ctx context.Context, db *gorm.DB, r Run) (has bool, err error) {
	err = db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM settlement_lines WHERE run_id = ? AND version = ? AND (booked_at IS NOT NULL OR left_at IS NOT NULL))`,
		r.ID, r.Version).Scan(&has).Error
	if err != nil {
		return false, fmt.Errorf("ask how far run %s is booked: %w", r.ID, err)
	}
	return has, nil
}

// book settles the lines of an approved run. A run that has changed since it was approved is proposed anew instead; once the first line is
// booked, a line whose charge changes leaves the run.
func (s *Service) book(ctx context.Context, r Run) error {
	certain := s.ready(ctx, r)
	for isOver := false; !isOver; {
		err := s.locked(ctx, r.ID, func(tx *gorm.DB, now *Run) error {
			isOver = now.State != Approved
			if isOver {
				return nil
			}
			begun, err := hasBooked(ctx, tx, *now)
			if err == nil && !begun {
				err := certain
				if err == nil {
					err = stillApproved(ctx, tx, *now)
				}
				if err != nil {
					isOver = true
					return s.stopped(ctx, tx, now, err)
				}
				if isOver, err = s.changed(ctx, tx, now); err != nil || isOver {
					return err
				}
			}
			if err == nil {
				isOver, err = s.bookChunk(ctx, tx, now)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// changed proposes a run anew when it is not what was approved.
func (s *Service) changed(ctx context.Context, tx *gorm.DB, r *Run) (bool, error) {
	f, err := s.count(ctx, tx, *r)
	if why := (stop{}); errors.As(err, &why) && why.reason == NothingToSettle { // all of it has gone back, or banks have it
		return true, s.do(ctx, tx, r, Act{Event: Voided, Reason: NothingToSettle})
	}
	if err != nil {
		return true, s.stopped(ctx, tx, r, err)
	}
	if f.run.Hash == r.Hash {
		return false, nil
	}
	return true, s.freeze(ctx, tx, r)
}

// bookChunk books the next lines, and reports whether all are booked. The payments are locked before the accounts, as everybody does it.
func (s *Service) bookChunk(ctx context.Context, tx *gorm.DB, r *Run) (isOver bool, err error) {
	var lines []Line
	err = tx.WithContext(ctx).Raw(`SELECT charge_ref, payment_id, gross_minor, fee_minor, vat_minor, reserve_minor, net_minor FROM settlement_lines
		WHERE run_id = ? AND version = ? AND booked_at IS NULL AND left_at IS NULL ORDER BY charge_ref LIMIT ?`, r.ID, r.Version, s.Chunk).Scan(&lines).Error
	if err != nil {
		return false, fmt.Errorf("read lines of run %s: %w", r.ID, err)
	}
	if len(lines) == 0 {
		return true, s.allBooked(ctx, tx, r)
	}
	ids, charges := make([]string, len(lines)), make([]string, len(lines))
	for i, l := range lines {
		ids[i], charges[i] = l.PaymentID, l.ChargeRef
	}
	err = tx.WithContext(ctx).Raw(`SELECT id FROM payments WHERE id IN ? ORDER BY id FOR UPDATE`, ids).Scan(&ids).Error
	if err != nil {
		return false, fmt.Errorf("lock the payments of run %s: %w", r.ID, err)
	}
	now, err := s.moneyIn(ctx, tx, *r, charges)
	if err != nil {
		return false, err
	}
	there := map[string]stands{}
	for _, one := range now {
		there[one.ChargeRef] = one
	}
	rates, err := RatesOn(ctx, tx, *r.RatesFrom)
	if err != nil {
		return false, err
	}
	ended := map[string][]string{"booked_at": {""}, "left_at": {""}}
	for _, l := range lines {
		one, isThere := there[l.ChargeRef]
		if !isThere || one.Funds != l.GrossMinor || l.GrossMinor > 0 && one.Place != r.Place {
			ended["left_at"] = append(ended["left_at"], l.ChargeRef)
			continue
		}
		ended["booked_at"] = append(ended["booked_at"], l.ChargeRef)
		if l.GrossMinor == 0 {
			continue
		}
		at := s.Now()
		_, err := ledger.Post(ctx, tx, ledger.Movement{Kind: ledger.Settlement, Provider: r.Provider, Reference: r.ID + ":" + l.ChargeRef,
			Of:     &ledger.Money{PaymentID: l.PaymentID, CampaignID: r.CampaignID, Charge: l.ChargeRef},
			Amount: money.New(l.GrossMinor, r.Currency), Payee: r.PayeeID, Country: rates.VATCountry,
			Shares:   ledger.Shares{Revenue: l.FeeMinor - l.VatMinor, VAT: l.VatMinor, Reserve: l.ReserveMinor},
			Happened: at, Booked: at, Actor: r.ProposedBy})
		if err != nil {
			return false, fmt.Errorf("settle charge %s: %w", l.ChargeRef, err)
		}
	}
	for column, refs := range ended {
		err := tx.WithContext(ctx).Exec(`UPDATE settlement_lines SET `+column+` = ? WHERE run_id = ? AND version = ? AND charge_ref IN ?`,
			s.Now(), r.ID, r.Version, refs).Error
		if err != nil {
			return false, fmt.Errorf("note which lines of run %s are booked: %w", r.ID, err)
		}
	}
	err = tx.WithContext(ctx).Exec(`UPDATE settlement_runs SET next_at = ? WHERE id = ?`, s.Now().Add(lease), r.ID).Error
	if err != nil {
		return false, fmt.Errorf("keep run %s: %w", r.ID, err)
	}
	return false, nil
}

// allBooked ends the booking: the run is what was booked of it.
func (s *Service) allBooked(ctx context.Context, tx *gorm.DB, r *Run) error {
	var sums Line
	err := tx.WithContext(ctx).Raw(`SELECT coalesce(sum(gross_minor), 0)::bigint AS gross_minor, coalesce(sum(fee_minor), 0)::bigint AS fee_minor,
			coalesce(sum(vat_minor), 0)::bigint AS vat_minor, coalesce(sum(reserve_minor), 0)::bigint AS reserve_minor, coalesce(sum(net_minor), 0)::bigint AS net_minor
		FROM settlement_lines WHERE run_id = ? AND version = ? AND booked_at IS NOT NULL`, r.ID, r.Version).Scan(&sums).Error
	if err != nil {
		return fmt.Errorf("add run %s up: %w", r.ID, err)
	}
	if sums.GrossMinor+r.ReleasedMinor == 0 {
		return s.do(ctx, tx, r, Act{Event: Voided, Reason: NothingToSettle})
	}
	r.GrossMinor, r.FeeMinor, r.VatMinor, r.ReserveMinor, r.NetMinor = sums.GrossMinor, sums.FeeMinor, sums.VatMinor, sums.ReserveMinor, sums.NetMinor+r.ReleasedMinor
	if err := s.keep(ctx, tx, *r); err != nil {
		return err
	}
	now := s.Now()
	if err := s.do(ctx, tx, r, Act{Event: AllBooked, Next: &now}); err != nil {
		return err
	}
	return s.issue(ctx, tx, *r)
}
