package pledges

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/mail/mails"
)

// raiseFacts is all that decides whether the money of a further charge is taken.
type raiseFacts struct {
	Raise       Status
	IsReleased  bool // nobody wants it paid any more
	Pledge      Status
	IsSameSum   bool // as it was to be charged
	IsUnchanged bool // the pledge is what it was when the change was asked for
	IsFunding   bool // its campaign takes money
	TakesLate   bool // its campaign has ended and takes what a bank confirms only now
}

// takes decides what becomes of the money of a further charge: Applied changes the pledge, PledgeClosed sends the money back, Ignored is for what
// was decided before.
func (f raiseFacts) takes() Outcome {
	switch {
	case f.Raise == Paid, f.Raise == Refunded:
		return Ignored
	case f.IsReleased, f.Raise == Withdrawn, !f.IsSameSum, f.Pledge != Paid, !f.IsUnchanged:
		return PledgeClosed
	case f.IsFunding, f.Raise == Processing && f.TakesLate:
		return Applied
	}
	return PledgeClosed
}

// takeRaise gives an event of a further charge its effect, with its mail. Until its money is taken, the pledge does not change by it.
func (s *Service) takeRaise(ctx context.Context, tx *gorm.DB, p *row, r *raise, e Event) (outcome Outcome, isMailed bool, err error) {
	if r.Status == Paid {
		return s.takeFurther(ctx, tx, p, r, e)
	}
	st := raiseStep{paymentID: e.PaymentID, method: e.Method}
	switch e.Type {
	case PaymentStarted:
		st.to = AwaitingPayment
	case PaymentProcessing:
		standing, err := campaigns.LockStage(ctx, tx, p.CampaignID)
		if err != nil || !standing.Takes(campaigns.StageFunding) || p.Status != Paid || r.ReleasedAt != nil {
			return Ignored, false, err
		}
		st.to = Processing
	case PaymentSucceeded:
		return s.succeedRaise(ctx, tx, p, r, e)
	case PaymentFailed, PaymentCanceled:
		switch {
		case r.Status == Processing, r.Status == Withdrawn:
			st.to = Failed
		case e.Type == PaymentFailed: // another try may be made on the same payment
			return Ignored, false, nil
		default:
			st.to = Expired
		}
	case PaymentRefunded:
		if e.RefundReason == reasonDuplicate {
			return Ignored, false, nil
		}
		st.to = Refunded
	case PaymentDisputed:
		if r.Status != Processing && r.Status != Withdrawn {
			return Ignored, false, nil
		}
		st.to = Failed // its money was not taken, and no refund will tell of it
	case PaymentReinstated, PaymentStranded:
		return Ignored, false, nil
	default:
		return "", false, fmt.Errorf("payment event %s of unknown type %q", e.ID, e.Type)
	}
	wasProcessing := r.Status == Processing
	switch err := s.moveRaise(ctx, tx, p, r, st); {
	case errors.Is(err, errForbidden):
		return Ignored, false, nil
	case err != nil:
		return "", false, err
	}
	about := mails.PledgeMail{PledgeID: p.ID}
	switch {
	case st.to == Refunded:
		about.Refund = &mails.Refund{Minor: e.RefundMinor, AllMinor: e.RefundedMinor, Reason: e.RefundReason, IsRaise: true, IsReleased: !p.Status.HasMoney()}
		return Applied, true, addMail(ctx, tx, mails.KindRefund, about, e.ID)
	case st.to == Failed && wasProcessing && e.Type != PaymentDisputed && p.Status.HasMoney():
		about.Raise = &mails.Raise{Minor: r.AmountMinor, KeepsMinor: p.Amount.Minor}
		return Applied, true, addMail(ctx, tx, mails.KindRaiseFailed, about, e.ID)
	}
	return Applied, false, nil
}

// takeFurther gives an event of a further charge whose money was taken its effect, which is the pledge's.
func (s *Service) takeFurther(ctx context.Context, tx *gorm.DB, p *row, r *raise, e Event) (outcome Outcome, isMailed bool, err error) {
	charges, err := chargesOf(ctx, tx, p)
	if err != nil {
		return "", false, err
	}
	st := step{cause: string(e.Type), eventID: e.ID}
	switch e.Type {
	case PaymentRefunded:
		if e.RefundMinor == 0 {
			e.RefundMinor = e.RefundedMinor - r.RefundedMinor
		}
		outcome, err = s.refund(ctx, tx, p, charges, e, st)
	case PaymentDisputed, PaymentReinstated:
		outcome, err = s.dispute(ctx, tx, p, charges, e, st)
	case PaymentStarted, PaymentProcessing, PaymentSucceeded, PaymentFailed, PaymentCanceled, PaymentStranded:
		return Ignored, false, nil
	default:
		return "", false, fmt.Errorf("payment event %s of unknown type %q", e.ID, e.Type)
	}
	if err != nil || outcome != Applied {
		return outcome, false, err
	}
	if e.Type == PaymentRefunded {
		err = tx.WithContext(ctx).Exec(`UPDATE pledge_raises SET refunded_minor = greatest(refunded_minor, @back), changed_minor = greatest(changed_minor, @changed),
			updated_at = @now WHERE id = @id`, map[string]any{"id": r.ID, "back": e.RefundedMinor, "changed": e.ChangedMinor, "now": s.now()}).Error
		if err != nil {
			return "", false, fmt.Errorf("keep what is back of a further charge: %w", err)
		}
	}
	isMailed, err = s.queueMail(ctx, tx, p, charges, e)
	return outcome, isMailed, err
}

// succeedRaise takes the money of a further charge and changes the pledge with it, or says why it goes back.
func (s *Service) succeedRaise(ctx context.Context, tx *gorm.DB, p *row, r *raise, e Event) (Outcome, bool, error) {
	standing, err := campaigns.LockStage(ctx, tx, p.CampaignID)
	if err != nil {
		return "", false, err
	}
	was, err := readChoosing(ctx, tx, p.ID)
	if err != nil {
		return "", false, err
	}
	f := raiseFacts{Raise: r.Status, IsReleased: r.ReleasedAt != nil, Pledge: p.Status, IsSameSum: e.Amount == money.New(r.AmountMinor, p.Amount.Currency),
		IsUnchanged: was.Changes == r.Number && p.Amount.Minor == r.FromMinor, IsFunding: standing.Takes(campaigns.StageFunding)}
	if !f.IsFunding && r.Status == Processing {
		if f.TakesLate, err = campaigns.TakesLate(ctx, tx, p.CampaignID); err != nil {
			return "", false, err
		}
	}
	outcome := f.takes()
	if outcome == PledgeClosed && !f.IsSameSum {
		s.logForeign(ctx, "payment of another amount than the further charge's", p, e)
	}
	if outcome != Applied {
		return outcome, false, nil
	}
	switch err := s.changeRaised(ctx, tx, p, r, was, e); {
	case errors.Is(err, rewards.ErrGone), errors.Is(err, rewards.ErrAboveStock), errors.Is(err, rewards.ErrClosed):
		return RewardGone, false, nil
	case err != nil:
		return "", false, err
	}
	return Applied, true, nil
}

// changeRaised changes a pledge to what its further charge has paid for. Errors: those of rewards.Reserve when that had lapsed; nothing has changed then.
func (s *Service) changeRaised(ctx context.Context, tx *gorm.DB, p *row, r *raise, was choosing, e Event) error {
	if err := lockRewards(ctx, tx, p.RewardID, r.RewardID); err != nil {
		return err
	}
	n := next{rewardID: r.RewardID, quantity: r.Quantity, bought: r.Bought}
	n.price.Amount, n.price.VATMinor = money.New(p.Amount.Minor+r.AmountMinor, p.Amount.Currency), r.VATMinor
	if err := errors.Join(json.Unmarshal(r.Lines, &n.price.Lines), json.Unmarshal(r.Details, &n.meta)); err != nil {
		return fmt.Errorf("decode a raise: %w", err)
	}
	held, err := takeHeld(ctx, tx, p, r, n)
	if err != nil {
		return err
	}
	p.uncounted.totals = p.uncounted.totals.Plus(campaigns.TotalsChange{ReachedMinor: r.AmountMinor}.Minus(raiseContribution(r.Status, r.AmountMinor)))
	now := s.now()
	err = tx.WithContext(ctx).Exec(`UPDATE pledge_raises SET status = 'paid', stock_held = false, paid_at = @now, updated_at = @now, details = '{}',
		payment_id = @payment, payment_method = @method WHERE id = @id`,
		map[string]any{"id": r.ID, "now": now, "payment": e.PaymentID, "method": e.Method}).Error
	if err != nil {
		return fmt.Errorf("move a raise to paid: %w", err)
	}
	about := mails.Change{FromMinor: p.Amount.Minor, ToMinor: n.price.Amount.Minor, Method: e.Method}
	return s.write(ctx, tx, p, was, n, written{id: r.ID, cause: r.Cause, key: r.RequestKey, hash: r.RequestHash, held: held, at: now,
		chargedMinor: p.ChargedMinor + r.AmountMinor, about: about})
}
