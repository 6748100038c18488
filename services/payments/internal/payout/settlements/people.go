package settlements

import (
	"context"
	"fmt"
	"strings"

	"gorm.io/gorm"
)

// Cancel ends a run of which nothing was booked. Errors: ErrNoRun, ErrNotThen, ErrNoPerson.
func (s *Service) Cancel(ctx context.Context, id, actor, note string) error {
	if strings.TrimSpace(actor) == "" || note == "" {
		return ErrNoPerson
	}
	return s.locked(ctx, id, func(tx *gorm.DB, r *Run) error {
		hasBooked, err := hasBooked(ctx, tx, *r)
		if err == nil && hasBooked {
			err = fmt.Errorf("end run %s, of which something is booked: %w", id, ErrNotThen)
		}
		if err != nil {
			return err
		}
		return s.do(ctx, tx, r, Act{Event: Voided, Actor: actor, Note: note})
	})
}

// Resume has the worker look at a run at once, also at one that waits for a person. Errors: ErrNoRun, ErrNotThen, ErrNoPerson, ErrOwnMoney; ErrChanged when
// it waits for a look at its bank account, which is another one again.
func (s *Service) Resume(ctx context.Context, id, actor, note string) error {
	if strings.TrimSpace(actor) == "" || note == "" {
		return ErrNoPerson
	}
	hasChanged := false
	err := s.locked(ctx, id, func(tx *gorm.DB, r *Run) error {
		hasChanged = false
		if r.State == Proposed || r.State == Paid || r.State == Void {
			return fmt.Errorf("run %s is %s: %w", id, r.State, ErrNotThen)
		}
		err := notTheirs(ctx, tx, r.Provider, r.PayeeID, actor) // who has their account may have changed where the money goes, too
		if err != nil {
			return fmt.Errorf("resume run %s: %w", id, err)
		}
		to := ""
		if r.Reason == BankChanged {
			to, err = s.unseen(ctx, tx, *r)
		}
		if err != nil {
			return err
		}
		if hasChanged = to != ""; hasChanged {
			return s.do(ctx, tx, r, Act{Event: waits, Reason: BankChanged, Detail: to})
		}
		now := s.Now()
		return s.do(ctx, tx, r, Act{Event: resumed, Next: &now, Actor: actor, Note: note})
	})
	if err == nil && hasChanged {
		err = fmt.Errorf("resume run %s: %w", id, ErrChanged)
	}
	return err
}
