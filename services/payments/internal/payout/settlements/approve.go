package settlements

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"talkoot.fi/kit/typed"
)

// Approve has a person approve what a run is now: hash is how they saw it, or its beginning of at least 12 signs. Errors: ErrNoRun,
// ErrNotThen, ErrChanged, ErrOwnProposal, ErrOwnMoney, ErrNoPerson, ErrNoOperator. One that waits because who approved it answers for money no
// more (ApprovalMissing) is approved as it was. One of which nothing is left is void then.
func (s *Service) Approve(ctx context.Context, id, hash, actor, note string) (r Run, err error) {
	if strings.TrimSpace(actor) == "" || note == "" {
		return r, ErrNoPerson
	}
	list, err := read(ctx, s.DB, `WHERE id = ?`, id)
	if err != nil {
		return r, err
	}
	if len(list) == 0 {
		return r, fmt.Errorf("%s: %w", id, ErrNoRun)
	}
	name, unknown := operator(ctx, s.DB, actor)
	if unknown == nil {
		actor = name
	}
	certain := s.ready(ctx, list[0])
	hasChanged := false
	err = s.locked(ctx, id, func(tx *gorm.DB, now *Run) error {
		defer func() { r = *now }()
		hasChanged = false
		isAgain := now.Reason == ApprovalMissing
		switch {
		case now.State != Proposed && !isAgain:
			return fmt.Errorf("approve run %s, which is %s: %w", id, now.State, ErrNotThen)
		case len(hash) < 12 || !strings.HasPrefix(now.Hash, hash):
			return fmt.Errorf("approve run %s: %w", id, ErrChanged)
		case typed.Same(actor, now.ProposedBy):
			return fmt.Errorf("approve run %s: %w", id, ErrOwnProposal)
		case unknown != nil:
			return fmt.Errorf("approve run %s: %w", id, unknown)
		case certain != nil && !isAgain:
			return certain
		}
		var err error
		if hasChanged, err = s.changedSince(ctx, tx, now, isAgain); err != nil || hasChanged {
			return err // what it is now is kept
		}
		if err := notTheirs(ctx, tx, now.Provider, now.PayeeID, actor); err != nil {
			return fmt.Errorf("approve run %s: %w", id, err)
		}
		list, err := s.addApproval(ctx, tx, *now, actor, note)
		if err != nil || len(list) < now.Needed() {
			return err
		}
		event, at := Agreed, s.Now()
		if isAgain {
			event = resumed
		}
		return s.do(ctx, tx, now, Act{Event: event, Next: &at, Actor: actor, Note: note})
	})
	var why stop
	if errors.As(err, &why) {
		return r, fmt.Errorf("approve run %s: it waits, %w", id, err)
	}
	if err == nil && hasChanged {
		err = fmt.Errorf("approve run %s: %w", id, ErrChanged)
	}
	return r, err
}

// addApproval writes that a person approves what a run is now, once, and gives all who do and answer for money.
func (s *Service) addApproval(ctx context.Context, tx *gorm.DB, r Run, actor, note string) ([]string, error) {
	list, err := approvers(ctx, tx, r)
	if err != nil || slices.ContainsFunc(list, func(other string) bool { return typed.Same(actor, other) }) {
		return list, err
	}
	err = tx.WithContext(ctx).Exec(`INSERT INTO settlement_approvals (run_id, hash, proposed_by, actor, note, at) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT DO NOTHING`, r.ID, r.Hash, r.ProposedBy, actor, note, s.Now()).Error
	if err != nil {
		return nil, fmt.Errorf("approve run %s: %w", r.ID, err)
	}
	return approvers(ctx, tx, r)
}

// changedSince reports whether a run is not what people saw who approve it, and writes what it is now. One of which nothing is left is over; one that is
// approved once more is only looked at for another bank account.
func (s *Service) changedSince(ctx context.Context, tx *gorm.DB, r *Run, isAgain bool) (bool, error) {
	if isAgain {
		to, err := s.unseen(ctx, tx, *r)
		if err != nil || to == "" {
			return false, err
		}
		return true, s.do(ctx, tx, r, Act{Event: waits, Reason: BankChanged, Detail: to})
	}
	was := r.Hash
	err := s.freeze(ctx, tx, r)
	if why := (stop{}); errors.As(err, &why) && why.reason == NothingToSettle { // all of it has gone back, or banks have it
		return true, s.do(ctx, tx, r, Act{Event: Voided, Reason: NothingToSettle})
	}
	return r.Hash != was, err
}

// unseen names the bank account of a run that waits for people, when it has come after they were last told what it waits for; "" for none.
func (s *Service) unseen(ctx context.Context, tx *gorm.DB, r Run) (label string, err error) {
	to, err := s.Bank(ctx, tx, r.Provider, r.PayeeRef)
	if err != nil || to.IsFirst() || to.ActiveAt == nil || !to.ActiveAt.After(r.UpdatedAt) {
		return "", err
	}
	return to.Label(), nil
}

// approvers are who has approved what a run is now.
func approvers(ctx context.Context, db *gorm.DB, r Run) (list []string, err error) {
	err = db.WithContext(ctx).Raw(`SELECT a.actor FROM settlement_approvals a WHERE a.run_id = ? AND a.hash = ? AND `+Counts+` ORDER BY a.at`, r.ID, r.Hash).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read who has approved run %s: %w", r.ID, err)
	}
	return list, nil
}

// stillApproved stops a run that fewer people have approved than it needs, of those who answer for money now.
func stillApproved(ctx context.Context, db *gorm.DB, r Run) error {
	list, err := approvers(ctx, db, r)
	if err == nil && len(list) < r.Needed() {
		err = stop{ApprovalMissing, fmt.Sprintf("%d of %d", len(list), r.Needed()), again}
	}
	return err
}
