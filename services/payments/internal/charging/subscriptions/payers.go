package subscriptions

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/payments/internal/charging/limits"
	"talkoot.fi/payments/internal/charging/vault"
)

// MergePayers makes pledges and subscriptions of one account another one's of the same person, with all their payments, and
// with the lower of two spending limits that were set by the time of the merge. What the first account has begun since stays its
// own: the message may come late, and again. Held months that fit now go on. Customers at the provider stay as they are, and the
// cards with them. A repeat changes nothing.
func (s *Service) MergePayers(ctx context.Context, from, into int64, ids []string, at time.Time) error {
	if from == into {
		return nil
	}
	// First, so that a call that is cut hides nothing from the limit that stays: payments are locked before subscriptions.
	if err := s.payments.MoveToBacker(ctx, from, into, ids); err != nil {
		return err
	}
	var changes []*change
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		err := tx.WithContext(ctx).Exec(`UPDATE subscriptions SET backer_user_id = @into
			WHERE id IN (SELECT id FROM subscriptions WHERE backer_user_id = @from AND id = ANY(@ids) ORDER BY id FOR UPDATE)`,
			map[string]any{"from": from, "into": into, "ids": dbx.TextArray(ids)}).Error
		if err != nil {
			return err
		}
		list, err := read(ctx, tx, `WHERE backer_user_id = ? AND status IN ('active', 'past_due', 'paused') ORDER BY id FOR UPDATE`, into)
		if err != nil {
			return err
		}
		if err := limits.Merge(ctx, tx, from, into, at); err != nil {
			return err
		}
		if err := vault.Merge(ctx, tx, from, into); err != nil {
			return err
		}
		changes, err = s.letFittingGo(ctx, tx, list)
		return err
	})
	for _, c := range changes {
		s.wakeFor(c)
	}
	if err == nil { // and those of months that began before their subscription was moved
		err = s.payments.MoveToBacker(ctx, from, into, ids)
	}
	if err != nil {
		return fmt.Errorf("merge two payers: %w", err)
	}
	return nil
}

// ErasePayer forgets who a person was: their number and spending limits here at once, their customers at the provider, with
// all cards, from the outbox.
// Each of their subscriptions ends by a closing of its own, which the content service sends as well. A repeat changes nothing.
func (s *Service) ErasePayer(ctx context.Context, user int64) error {
	var left []vault.Leftover
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		if err := s.payments.EraseBacker(ctx, tx, user); err != nil {
			return err
		}
		// At once, because their number alone leads to their customers.
		err := tx.WithContext(ctx).Raw(`WITH theirs AS (
				UPDATE subscriptions SET backer_user_id = NULL
				WHERE id IN (SELECT id FROM subscriptions WHERE backer_user_id = ? ORDER BY id FOR UPDATE)
				RETURNING provider, customer_ref)
			SELECT DISTINCT provider, 'customer' AS kind, customer_ref AS ref FROM theirs WHERE customer_ref <> '' ORDER BY ref`,
			user).Scan(&left).Error
		if err != nil {
			return err
		}
		payers, err := vault.Erase(ctx, tx, user)
		if err != nil {
			return err
		}
		for _, p := range payers {
			if l := (vault.Leftover{Provider: p.Provider, Kind: vault.LeftCustomer, Ref: p.Ref}); p.Ref != "" && !slices.Contains(left, l) {
				left = append(left, l)
			}
		}
		for _, l := range left {
			if err := vault.ForgetLater(ctx, tx, l); err != nil {
				return err
			}
		}
		return limits.Erase(ctx, tx, user)
	})
	if err == nil {
		err = s.payments.ForgetBacker(ctx, user)
	}
	if err != nil {
		return fmt.Errorf("erase a payer: %w", err)
	}
	if len(left) > 0 {
		s.wakeEvents()
	}
	return nil
}
