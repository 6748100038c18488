package pledges

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/pledging/closing"
)

// raise is a change of a paid pledge to a higher sum, with the further charge that it waits for. Its statuses are those of a pledge, along the same
// table, but that one which is paid stays so: what happens to its money then is the pledge's.
type raise struct {
	ID, PledgeID  string
	Status        Status
	AmountMinor   int64 // what is charged
	FromMinor     int64 // what the pledge came to
	Number        int   // of changes that there were
	Cause         string
	RewardID      *int64
	Quantity      int
	Lines         json.RawMessage
	VATMinor      int64 `gorm:"column:vat_minor"`
	Bought        json.RawMessage
	Details       json.RawMessage
	HeldQuantity  int
	StockHeld     bool
	ReservedUntil time.Time
	ReleasedAt    *time.Time
	PaymentID     string
	RefundedMinor int64
	ChangedMinor  int64
	RequestKey    string
	RequestHash   []byte
	CreatedAt     time.Time
}

const raiseColumns = `id, pledge_id, status, amount_minor, from_minor, number, cause, reward_id, quantity, lines, vat_minor, bought, details, held_quantity,
	stock_held, reserved_until, released_at, payment_id, refunded_minor, changed_minor, request_key, request_hash, created_at`

// isOpen is the condition of a raise that waits for its money, as in the index pledge_raises_one_open.
const isOpen = `status IN ('created', 'awaiting_payment', 'processing')`

// lockRaise locks the pledge of a raise, and reads the raise, which changes under that lock only. Error: ErrUnknown.
func lockRaise(ctx context.Context, tx *gorm.DB, id string) (*row, *raise, error) {
	var pledgeID string
	found := tx.WithContext(ctx).Raw(`SELECT pledge_id FROM pledge_raises WHERE id = ?`, id).Scan(&pledgeID)
	if found.Error != nil {
		return nil, nil, fmt.Errorf("look for a raise: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return nil, nil, ErrUnknown
	}
	p, err := lock(ctx, tx, pledgeID)
	if err != nil {
		return nil, nil, err
	}
	list, err := readRaises(ctx, tx, `id = ?`, id)
	if err != nil || len(list) == 0 {
		return nil, nil, errors.Join(err, ErrUnknown)
	}
	return p, &list[0], nil
}

// lockCharged locks the pledge that a payment is of; the raise is nil when it is of the pledge's first charge. Error: ErrUnknown.
func lockCharged(ctx context.Context, tx *gorm.DB, subjectID string) (*row, *raise, error) {
	p, err := lock(ctx, tx, subjectID)
	if errors.Is(err, ErrUnknown) {
		return lockRaise(ctx, tx, subjectID)
	}
	return p, nil, err
}

func readRaises(ctx context.Context, db *gorm.DB, where string, args ...any) (list []raise, err error) {
	err = db.WithContext(ctx).Raw(`SELECT `+raiseColumns+` FROM pledge_raises WHERE `+where+` ORDER BY created_at, id`, args...).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read raises: %w", err)
	}
	return list, nil
}

// openRaise is the raise of a pledge that waits for its money; nil for none.
func openRaise(ctx context.Context, tx *gorm.DB, pledgeID string) (*raise, error) {
	list, err := readRaises(ctx, tx, `pledge_id = ? AND `+isOpen, pledgeID)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// begin writes a raise and holds what it needs of its reward, from now on as long as that of a pledge whose payment has begun: its form is opened
// next. The caller has locked the pledge, its campaign's stage and both rewards. Errors: those of rewards.Reserve; InvalidFields for a charge that is too small.
func (s *Service) begin(ctx context.Context, tx *gorm.DB, p *row, was choosing, n next, cause string, wanted Choice) error {
	moreMinor := n.price.Amount.Minor - p.Amount.Minor
	if moreMinor < minAmountMinor {
		least := money.New(p.Amount.Minor+minAmountMinor, p.Amount.Currency)
		return apperr.New(apperr.InvalidFields).WithField("amount", apperr.RuleAmountTooSmall, apperr.Params{"min": least.FormatMajor()})
	}
	quantity := 0
	if n.rewardID != nil {
		quantity = n.quantity
		if isSame(p.RewardID, n.rewardID) {
			quantity = max(n.quantity-p.Quantity, 0)
		}
	}
	held := false
	if quantity > 0 {
		var err error
		if held, err = rewards.Reserve(ctx, tx, *n.rewardID, quantity); err != nil {
			return err
		}
	}
	if held {
		if err := mayHoldMore(ctx, tx, p, *n.rewardID, quantity); err != nil {
			return err
		}
	}
	if err := s.releaseLapsed(ctx, tx, p); err != nil {
		return err
	}
	lines, err1 := json.Marshal(n.price.Lines)
	details, err2 := json.Marshal(n.meta)
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("encode a raise: %w", err)
	}
	var bought *string
	if n.bought != nil {
		bought = new(string(n.bought))
	}
	now := s.now()
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO pledge_raises (id, pledge_id, status, amount_minor, from_minor, number, cause, reward_id, quantity, lines, vat_minor, bought, details,
		    held_quantity, stock_held, reserved_until, request_key, request_hash, created_at, updated_at)
		VALUES (@id, @pledge, 'created', @amount, @from, @number, @cause, @reward, @quantity, @lines, @vat, CAST(@bought AS jsonb), @details,
		    @held_quantity, @held, @until, @key, @hash, @now, @now)`,
		map[string]any{"id": ids.New(), "pledge": p.ID, "amount": moreMinor, "from": p.Amount.Minor, "number": was.Changes, "cause": cause,
			"reward": n.rewardID, "quantity": n.quantity, "lines": string(lines), "vat": n.price.VATMinor, "bought": bought, "details": string(details),
			"held_quantity": quantity, "held": held, "until": now.Add(s.hold), "key": wanted.Key, "hash": wanted.Hash, "now": now}).Error
	if err != nil {
		return fmt.Errorf("write a raise: %w", err)
	}
	return nil
}

// mayHoldMore keeps changes from holding a limited reward unpaid, as may_hold keeps pledges: of one person as much as of their pledges, and of
// all together as much as of one network, because nothing is known of where a change comes from. The caller has locked the reward. Error:
// rewards.ErrHeld.
func mayHoldMore(ctx context.Context, tx *gorm.DB, p *row, rewardID int64, quantity int) error {
	var held struct{ Stock, Own, All int }
	err := tx.WithContext(ctx).Raw(`
		SELECT w.stock, coalesce(sum(r.held_quantity), 0) AS "all",
		    coalesce(sum(r.held_quantity) FILTER (WHERE lower(q.email) = lower(own.email) OR q.user_id = own.user_id), 0) AS own
		FROM rewards w JOIN pledges own ON own.id = @pledge LEFT JOIN (pledge_raises r JOIN pledges q ON q.id = r.pledge_id)
		    ON r.reward_id = w.id AND r.stock_held AND r.status IN ('created', 'awaiting_payment')
		WHERE w.id = @reward GROUP BY w.stock`, map[string]any{"pledge": p.ID, "reward": rewardID}).Scan(&held).Error
	if err != nil {
		return fmt.Errorf("add up what changes hold of reward %d: %w", rewardID, err)
	}
	if ofPerson, ofAll := rewards.MostUnpaid(held.Stock); held.Own+quantity > ofPerson || held.All+quantity > ofAll {
		return rewards.ErrHeld
	}
	return nil
}

// releaseLapsed gives up the earlier raises of a pledge, for which money could still come: there is one at most that changes it.
func (s *Service) releaseLapsed(ctx context.Context, tx *gorm.DB, p *row) error {
	list, err := readRaises(ctx, tx, `pledge_id = ? AND status IN ('failed', 'expired') AND released_at IS NULL`, p.ID)
	if err != nil {
		return err
	}
	for i := range list {
		if err := s.giveUpRaise(ctx, tx, p, &list[i], released); err != nil {
			return err
		}
	}
	return nil
}

// raiseStep is one wanted change of a raise.
type raiseStep struct {
	to         Status
	paymentID  string
	method     string
	isReleased bool // nobody wants it paid any more
}

// moveRaise takes a raise one step that leaves its pledge as it is, with the stock that it holds and what its campaign waits for; count
// follows in the same transaction. Error: errForbidden.
func (s *Service) moveRaise(ctx context.Context, tx *gorm.DB, p *row, r *raise, st raiseStep) error {
	if r.Status == Paid || st.to == Paid || !r.Status.CanMove(st.to) {
		return fmt.Errorf("raise from %s to %s: %w", r.Status, st.to, errForbidden)
	}
	if r.StockHeld && !st.to.HoldsStock() {
		if err := rewards.Release(ctx, tx, *r.RewardID, r.HeldQuantity); err != nil {
			return err
		}
		r.StockHeld = false
	}
	p.uncounted.totals = p.uncounted.totals.Plus(raiseContribution(st.to, r.AmountMinor).Minus(raiseContribution(r.Status, r.AmountMinor)))
	err := tx.WithContext(ctx).Exec(`UPDATE pledge_raises SET status = @to, stock_held = @held, reserved_until = @until, updated_at = @now,
		    payment_id = coalesce(nullif(@payment, ''), payment_id), payment_method = coalesce(nullif(@method, ''), payment_method),
		    released_at = CASE WHEN @released THEN coalesce(released_at, @now) ELSE released_at END,
		    details = CASE WHEN @over THEN '{}' ELSE details END WHERE id = @id`,
		map[string]any{"id": r.ID, "to": string(st.to), "held": r.StockHeld, "until": r.ReservedUntil, "now": s.now(), "payment": st.paymentID, "method": st.method,
			"released": st.isReleased, "over": st.isReleased || st.to == Refunded || st.to == Withdrawn}).Error
	if err != nil {
		return fmt.Errorf("move a raise to %s: %w", st.to, err)
	}
	r.Status = st.to
	return nil
}

// raiseContribution is what a raise adds to its campaign's totals until it is part of its pledge.
func raiseContribution(s Status, amountMinor int64) campaigns.TotalsChange {
	if s == Processing {
		return campaigns.TotalsChange{SettlingMinor: amountMinor}
	}
	return campaigns.TotalsChange{}
}

// ReleaseRaise gives up a change that is not paid, at its backer's wish: the pledge stays what it is, and money that arrives all the same goes
// back. A second call changes nothing. Errors: ErrUnknown, ErrAlreadyPaid, ErrSettling.
func (s *Service) ReleaseRaise(ctx context.Context, id string) error {
	id, err := ids.Parse(id)
	if err != nil {
		return ErrUnknown
	}
	_, err = s.endRaise(ctx, id, released)
	return err
}

// endRaise is end of a raise.
func (s *Service) endRaise(ctx context.Context, id string, how ending) (moved bool, err error) {
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		moved = false
		p, r, err := lockRaise(ctx, tx, id)
		if err != nil {
			return err
		}
		switch r.Status {
		case Processing:
			if how == released {
				return ErrSettling
			}
			return nil
		case Paid:
			if how == released {
				return ErrAlreadyPaid
			}
			return nil
		case Created, AwaitingPayment:
		case Failed, Expired:
			if how != released || r.ReleasedAt != nil {
				return nil
			}
		case Refunded, Withdrawn, PartlyRefunded, Disputed:
			return nil
		}
		moved = true
		return s.giveUpRaise(ctx, tx, p, r, how)
	})
	if moved && err == nil {
		s.outboxAdded()
	}
	return moved && err == nil, err
}

// giveUpRaise ends a raise that is not paid, and has its payment closed where the payment service does not do so by itself.
func (s *Service) giveUpRaise(ctx context.Context, tx *gorm.DB, p *row, r *raise, how ending) error {
	if r.Status.Waiting() {
		if err := s.moveRaise(ctx, tx, p, r, raiseStep{to: Expired, isReleased: how == released}); err != nil {
			return err
		}
	} else if how == released {
		if err := s.noteRaiseReleased(ctx, tx, r); err != nil {
			return err
		}
	}
	if how.reason != "" {
		if err := closing.Add(ctx, tx, closing.Pledge, r.ID, how.reason); err != nil {
			return err
		}
	}
	return s.count(ctx, tx, p)
}

func (s *Service) noteRaiseReleased(ctx context.Context, tx *gorm.DB, r *raise) error {
	err := tx.WithContext(ctx).Exec(`UPDATE pledge_raises SET released_at = @now, updated_at = @now, details = '{}' WHERE id = @id AND released_at IS NULL`,
		map[string]any{"id": r.ID, "now": s.now()}).Error
	if err != nil {
		return fmt.Errorf("note the release of a raise: %w", err)
	}
	return nil
}

// takeBackRaises has what was charged further of a pledge that is taken back go back with it: what waits ends, and what a bank confirms is
// given back when it has.
func (s *Service) takeBackRaises(ctx context.Context, tx *gorm.DB, p *row) error {
	list, err := readRaises(ctx, tx, `pledge_id = ?`, p.ID)
	if err != nil {
		return err
	}
	for i := range list {
		r := &list[i]
		switch r.Status {
		case Created, AwaitingPayment:
			err = s.moveRaise(ctx, tx, p, r, raiseStep{to: Expired, isReleased: true})
		case Processing:
			err = s.moveRaise(ctx, tx, p, r, raiseStep{to: Withdrawn, isReleased: true})
		case Failed, Expired:
			err = s.noteRaiseReleased(ctx, tx, r)
		case Paid:
		case Refunded, Withdrawn, PartlyRefunded, Disputed:
			continue
		}
		if err == nil {
			err = closing.Add(ctx, tx, closing.Pledge, r.ID, closing.Withdrawn)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
