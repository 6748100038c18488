package pledges

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
)

// errForbidden is a step that the table does not allow; events that cause it came late and are ignored.
var errForbidden = errors.New("transition not allowed")

// step is one wanted change of a pledge.
type step struct {
	to      Status
	cause   string // what made it: a payment event's type, or our own reason
	eventID string
	// What the step brings along; zero values leave the column as it is.
	paymentID, method, refundReason string
	refundedMinor                   int64
	changeRefundedMinor             int64
	uncontestedMinor                int64 // of a step to Disputed
	released                        bool
}

// row is a pledge as move needs it, locked.
type row struct {
	ID                  string
	CampaignID          int64
	RewardID            *int64
	Status              Status
	Amount              money.Amount `gorm:"embedded;embeddedPrefix:amount_"`
	AmountRefundedMinor int64        // in Amount's currency
	ChargedMinor        int64        // what was, or is to be, paid: more than Amount after a change
	ChangeRefundedMinor int64        // what has gone back of the difference; not in AmountRefundedMinor
	UncontestedMinor    int64        // of Disputed: what of Amount no bank has
	PaymentID           string       // of its first charge
	Quantity            int
	StockHeld           bool
	ReservedUntil       time.Time
	CreatedAt           time.Time
	ReleasedAt          *time.Time // when its backer gave it up
	Person              string     // whose it is (campaigns.PersonOf)
	uncounted           uncounted
}

// uncounted is what steps of a pledge have changed that count has not counted yet.
type uncounted struct {
	totals   campaigns.TotalsChange
	isNewest bool // it was just paid, and has no number of a backer
}

// lock reads a pledge and keeps it from others until the transaction ends.
func lock(ctx context.Context, tx *gorm.DB, id string) (*row, error) {
	var p row
	found := tx.WithContext(ctx).Raw(`
		SELECT id, campaign_id, reward_id, status, amount_minor, currency AS amount_currency, amount_refunded_minor,
		       coalesce(charged_minor, amount_minor) AS charged_minor, change_refunded_minor, uncontested_minor,
		       payment_id, quantity, stock_held, reserved_until, created_at, released_at, `+campaigns.PersonOf("pledges")+` AS person
		FROM pledges WHERE id = ? FOR UPDATE`, id).Scan(&p)
	if found.Error != nil {
		return nil, fmt.Errorf("lock pledge: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return nil, ErrUnknown
	}
	return &p, nil
}

// move takes a locked pledge one step and counts it.
func (s *Service) move(ctx context.Context, tx *gorm.DB, p *row, st step) error {
	if err := s.advance(ctx, tx, p, st); err != nil {
		return err
	}
	return s.count(ctx, tx, p)
}

// count counts what a pledge's steps have changed, as the last of its transaction: all who pay the same campaign or reward wait for each other from
// here on.
func (s *Service) count(ctx context.Context, tx *gorm.DB, p *row) error {
	u, of := p.uncounted, campaigns.Backing{ID: p.ID, Person: p.Person}
	p.uncounted = uncounted{}
	if u.totals.Backers != 0 && p.RewardID != nil {
		if err := rewards.AddBacker(ctx, tx, *p.RewardID, of, u.totals.Backers); err != nil {
			return err
		}
	}
	number, err := campaigns.AddToTotals(ctx, tx, p.CampaignID, of, u.totals)
	if err != nil || number == 0 || !u.isNewest {
		return err
	}
	err = tx.WithContext(ctx).Exec(`UPDATE pledges SET backer_number = ? WHERE id = ? AND backer_number IS NULL`, number, p.ID).Error
	if err != nil {
		return fmt.Errorf("number the backer of a pledge: %w", err)
	}
	return nil
}

// advance takes a locked pledge one step, with everything that belongs to it but the counting: stock, receipt, history. It is the
// only place that changes a status; count follows in the same transaction. Locks are taken in the order pledge, campaign, reward, totals, here and wherever else
// two of them are: in any other, the events of two pledges for one reward, or an event and campaigns.MoveStage (campaign,
// totals), could wait for each other. Callers that decide by the campaign's stage lock it (LockStage) before the step.
// Errors: errForbidden; rewards.ErrGone and rewards.ErrClosed when a late payment finds no stock (nothing has changed
// then, and the caller may go on with the same transaction).
func (s *Service) advance(ctx context.Context, tx *gorm.DB, p *row, st step) error {
	if !p.Status.CanMove(st.to) {
		return fmt.Errorf("pledge from %s to %s: %w", p.Status, st.to, errForbidden)
	}
	now := s.now()
	held, err := moveStock(ctx, tx, p, st.to)
	if err != nil {
		return err
	}
	refunded := max(p.AmountRefundedMinor, st.refundedMinor)
	changeRefunded := max(p.ChangeRefundedMinor, st.changeRefundedMinor)
	uncontested := int64(0)
	if st.to == Disputed {
		uncontested = st.uncontestedMinor
	}
	change := contribution(st.to, p.Amount.Minor, refunded, uncontested).Minus(contribution(p.Status, p.Amount.Minor, p.AmountRefundedMinor, p.UncontestedMinor))
	if st.to == AwaitingPayment {
		p.ReservedUntil = p.CreatedAt.Add(s.hold)
	}
	// The receipt's number and day are given once, when the money is first there.
	err = tx.WithContext(ctx).Exec(`WITH moved AS (
		UPDATE pledges SET status = @to, stock_held = @held, updated_at = @now, reserved_until = @until, amount_refunded_minor = @refunded,
		    change_refunded_minor = @change_refunded, uncontested_minor = @uncontested,
		    held_from      = CASE WHEN @waits THEN held_from ELSE '' END,
		    payment_id     = coalesce(nullif(@payment, ''), payment_id),
		    payment_method = coalesce(nullif(@method, ''), payment_method),
		    refund_reason  = coalesce(nullif(@reason, ''), refund_reason),
		    released_at    = CASE WHEN @released THEN coalesce(released_at, @now) ELSE released_at END,
		    paid_at        = CASE WHEN @to = 'paid' THEN coalesce(paid_at, @now) ELSE paid_at END,
		    receipt_number = CASE WHEN @to = 'paid' AND receipt_number IS NULL
		        THEN 'TK-' || @year || '-' || to_char(nextval('receipt_numbers'), 'FM999999000000') ELSE receipt_number END
		WHERE id = @id RETURNING id)
		INSERT INTO pledge_transitions (pledge_id, from_status, to_status, cause, event_id, at) SELECT id, @from, @to, @cause, @event, @now FROM moved`,
		map[string]any{"id": p.ID, "from": string(p.Status), "to": string(st.to), "cause": st.cause, "event": st.eventID, "now": now,
			"held": held, "until": p.ReservedUntil, "waits": st.to.Waiting(), "refunded": refunded, "change_refunded": changeRefunded, "uncontested": uncontested, "payment": st.paymentID,
			"method": st.method, "reason": st.refundReason, "released": st.released,
			"year": fmt.Sprint(now.In(s.zone).Year())}).Error
	if err != nil {
		return fmt.Errorf("move pledge to %s: %w", st.to, err)
	}
	p.uncounted.totals, p.uncounted.isNewest = p.uncounted.totals.Plus(change), st.to == Paid
	p.Status, p.StockHeld, p.AmountRefundedMinor, p.ChangeRefundedMinor, p.UncontestedMinor = st.to, held, refunded, changeRefunded, uncontested
	if st.to == PartlyRefunded || st.to == Refunded {
		return s.keepLonger(ctx, tx, p.ID)
	}
	return nil
}

// moveStock takes or gives back stock so that it is held exactly by the statuses that hold it.
func moveStock(ctx context.Context, tx *gorm.DB, p *row, to Status) (held bool, err error) {
	if p.RewardID == nil {
		return false, nil
	}
	switch {
	case to.HoldsStock() && !p.Status.HoldsStock(): // money that came after we let the reward go
		return rewards.Reserve(ctx, tx, *p.RewardID, p.Quantity)
	case !to.HoldsStock() && p.StockHeld:
		return false, rewards.Release(ctx, tx, *p.RewardID, p.Quantity)
	default:
		return p.StockHeld, nil
	}
}

// ErrUnknown is a pledge id that nobody was given.
var ErrUnknown = apperr.New(apperr.NotFound)
