package pledges

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
)

// lapseBatch is how many lapsed pledges one pass looks up; each is moved in a transaction of its own.
const lapseBatch = 200

// ErrAlreadyPaid refuses to give up a pledge whose money is here or on its way.
var ErrAlreadyPaid = apperr.New(apperr.PledgeAlreadyPaid)

// Lapse ends pledges that were not paid while their reward was held, and lets the rewards go: one batch, oldest first.
// It returns how many it ended.
// Any number of workers may run it at once. A payment that still arrives is dealt with by Apply.
func (s *Service) Lapse(ctx context.Context) (int, error) {
	var due []string
	err := s.db.WithContext(ctx).Raw(`
		SELECT id FROM pledges WHERE status IN ('created', 'awaiting_payment') AND reserved_until < ?
		ORDER BY reserved_until LIMIT ?`, s.now(), lapseBatch).Scan(&due).Error
	if err != nil {
		return 0, fmt.Errorf("look for lapsed pledges: %w", err)
	}
	ended := 0
	var faults []error
	for _, id := range due {
		moved, err := s.end(ctx, id, "reservation_lapsed", true)
		if err != nil { // one that cannot be ended must not keep the others
			faults = append(faults, fmt.Errorf("end lapsed pledge: %w", err))
		} else if moved {
			ended++
		}
	}
	return ended, errors.Join(faults...)
}

// Release gives up an unpaid pledge at its backer's wish. A second call changes nothing.
// Errors: ErrUnknown, ErrAlreadyPaid.
func (s *Service) Release(ctx context.Context, id string) error {
	id, err := ids.Parse(id)
	if err != nil {
		return ErrUnknown
	}
	_, err = s.end(ctx, id, "released", false)
	return err
}

// end moves a waiting pledge to expired; onlyLapsed leaves one alone whose time is not up.
func (s *Service) end(ctx context.Context, id, cause string, onlyLapsed bool) (moved bool, err error) {
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		moved = false
		p, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		if onlyLapsed && !p.ReservedUntil.Before(s.now()) {
			return nil
		}
		switch p.Status {
		case Created, AwaitingPayment:
			err = s.move(ctx, tx, p, step{to: Expired, cause: cause})
			moved = err == nil
			return err
		case Failed, Expired, Refunded:
			return nil
		case Processing, Paid, PartlyRefunded, Disputed:
			if onlyLapsed {
				return nil // paid between the look and the lock
			}
			return ErrAlreadyPaid
		}
		return nil
	})
	if errors.Is(err, errForbidden) {
		return false, nil
	}
	return moved, err
}
