package subscriptions

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/request"
)

// ApplyPayment gives an event of a month's payment its effect, once. Error: ErrUnknown.
func (s *Service) ApplyPayment(ctx context.Context, e internalapi.PaymentEvent) (Outcome, error) {
	in := received{eventID: e.EventID, subscriptionID: e.SubjectID, paymentID: e.PaymentID, sequence: e.Sequence, kind: string(e.Type), body: e}
	return s.once(ctx, in, func(tx *gorm.DB, r *row) (Outcome, *mail, error) {
		switch e.Type {
		case internalapi.PaymentSucceeded:
			return s.receive(ctx, tx, r, e)
		case internalapi.PaymentRefunded:
			return s.refund(ctx, tx, r, e)
		case internalapi.PaymentDisputed, internalapi.PaymentReinstated:
			outcome, err := dispute(ctx, tx, e)
			return outcome, nil, err
		case internalapi.PaymentProcessing, internalapi.PaymentFailed:
			return s.process(ctx, tx, r, e)
		case internalapi.PaymentStarted, internalapi.PaymentCanceled, internalapi.PaymentStranded: // of pledges alone
			return ignored, nil, nil
		}
		return "", nil, fmt.Errorf("payment event %s of unknown type %q", e.EventID, e.Type)
	})
}

// process notes whether a bank has the money of the first month, and tells its supporter when that has refused it. Support that has begun or
// ended has nothing to wait for; what becomes of a later month the subscription's own events tell.
func (s *Service) process(ctx context.Context, tx *gorm.DB, r *row, e internalapi.PaymentEvent) (Outcome, *mail, error) {
	isAtBank := e.Type == internalapi.PaymentProcessing
	if r.Status != Created || request.Value(e.Period) != 1 || isAtBank == r.IsProcessing {
		return ignored, nil, nil
	}
	err := tx.WithContext(ctx).Exec(`UPDATE subscriptions SET is_processing = ?, updated_at = ? WHERE id = ?`, isAtBank, s.now(), r.ID).Error
	if err != nil {
		return "", nil, fmt.Errorf("note whose turn a first month is: %w", err)
	}
	r.IsProcessing = isAtBank
	if isAtBank {
		return applied, nil, nil
	}
	return applied, &mail{kind: mails.KindSubscription, SubscriptionMail: mails.SubscriptionMail{SubscriptionID: r.ID, Cause: mails.FirstMonthRefused,
		AmountMinor: r.Amount.Minor}}, nil
}

// receive accepts a month's money, or says why it cannot be had any more. Locks: see move.
func (s *Service) receive(ctx context.Context, tx *gorm.DB, r *row, e internalapi.PaymentEvent) (Outcome, *mail, error) {
	period := request.Value(e.Period)
	if period < 1 || e.PeriodDay == nil {
		return "", nil, fmt.Errorf("payment event %s of no month", e.EventID)
	}
	var before string
	err := tx.WithContext(ctx).Raw(`SELECT payment_id FROM subscription_charges WHERE subscription_id = ? AND period = ?`, r.ID, period).Scan(&before).Error
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("look for a paid month: %w", err)
	case before == e.PaymentID:
		return ignored, nil, nil
	case before != "":
		s.logForeign(ctx, "a second payment of a month", r, e)
		return closed, nil, nil
	}
	accepted, err := s.accept(ctx, tx, r, e, period)
	if err != nil || !accepted {
		return closed, nil, err
	}
	if err := s.insertCharge(ctx, tx, r, e, period); err != nil {
		return "", nil, err
	}
	// The first month's money is its beginning, unless the payment service has told later things already.
	if period == 1 && r.EventSequence == 0 && r.Status.CanMove(Active) {
		if err := s.move(ctx, tx, r, r.stepTo(Active, string(e.Type), e.EventID)); err != nil {
			return "", nil, err
		}
	}
	if err := s.catchUp(ctx, tx, r, e.PaymentID); err != nil {
		return "", nil, err
	}
	m, err := receiptPaid(ctx, tx, r, e)
	return applied, m, err
}

// accept decides whether money is taken, and holds what that depends on. Refused money of the first month ends the
// subscription, so that it does not begin without it.
func (s *Service) accept(ctx context.Context, tx *gorm.DB, r *row, e internalapi.PaymentEvent, period int) (bool, error) {
	if r.ClosedAt != nil {
		return false, nil
	}
	standing, err := campaigns.LockStage(ctx, tx, r.CampaignID)
	if err != nil {
		return false, err
	}
	paid := money.New(e.AmountMinor, money.Currency(e.Currency))
	var how ending
	switch {
	case standing.Stage != campaigns.StageRecurring:
		how = campaignClosed
	case standing.Hold != campaigns.NotHeld: // a charge that the payment service began before it heard
		how = campaignOnHold
	case paid.Currency != r.Amount.Currency, period == 1 && r.EventSequence == 0 && paid != r.Amount:
		s.logForeign(ctx, "payment of another amount than the subscription's", r, e)
		how = refused
	default:
		return true, nil
	}
	if how == campaignClosed || period == 1 {
		err = s.endLocked(ctx, tx, r, how)
	}
	return false, err
}

// insertCharge writes a paid month with its receipt's number. It was paid when the provider says so, on that day in Finland; the
// number has that day's year, and grows in the order in which we hear of payments, from year to year.
func (s *Service) insertCharge(ctx context.Context, tx *gorm.DB, r *row, e internalapi.PaymentEvent, period int) error {
	bought := r.Bought
	if r.NextAmountMinor != nil && *r.NextAmountMinor == e.AmountMinor && e.AmountMinor != r.Amount.Minor {
		bought = r.NextBought // its event is still to come
	}
	vat, tenths, err := vatOf(bought, money.New(e.AmountMinor, money.Currency(e.Currency)))
	if err != nil {
		return err
	}
	title, language := "", ""
	if bought != nil {
		title, language = bought.Title, bought.Language
	}
	paidAt := e.OccurredAt.UTC()
	err = tx.WithContext(ctx).Exec(`
		INSERT INTO subscription_charges (subscription_id, campaign_id, period, period_day, payment_id, amount_minor, vat_minor, vat_tenths, title, title_language,
		    payment_method, paid_at, receipt_number)
		VALUES (@id, @campaign, @period, @day, @payment, @amount, @vat, @tenths, @title, @language, @method, @at,
		    'TM-' || @year || '-' || to_char(nextval('subscription_receipt_numbers'), 'FM999999000000'))`,
		map[string]any{"id": r.ID, "campaign": r.CampaignID, "period": period, "day": dayText(e.PeriodDay), "payment": e.PaymentID, "amount": e.AmountMinor, "vat": vat,
			"tenths": tenths, "title": title, "language": language, "method": request.Value(e.Method), "at": paidAt, "year": strconv.Itoa(paidAt.In(s.zone).Year())}).Error
	if err != nil {
		return fmt.Errorf("write a paid month: %w", err)
	}
	err = tx.WithContext(ctx).Exec(`
		UPDATE subscriptions SET payment_method = coalesce(nullif(payment_method, ''), @method), updated_at = @now,
		    begun_on = CASE WHEN @period = 1 THEN CAST(@day AS date) ELSE begun_on END
		WHERE id = @id`, // the card that is kept is what the support's own events tell, and this one may come after them
		map[string]any{"id": r.ID, "method": request.Value(e.Method), "now": s.now(), "period": period, "day": dayText(e.PeriodDay)}).Error
	if err != nil {
		return fmt.Errorf("note a paid month: %w", err)
	}
	return s.keepLonger(ctx, tx, r.ID)
}

// catchUp gives a month that has just been written what came of its money before we knew of it.
func (s *Service) catchUp(ctx context.Context, tx *gorm.DB, r *row, paymentID string) error {
	var bodies [][]byte
	err := tx.WithContext(ctx).Raw(`
		SELECT body FROM subscription_events WHERE subscription_id = ? AND payment_id = ? AND type IN ? ORDER BY sequence`, r.ID, paymentID,
		[]string{string(internalapi.PaymentRefunded), string(internalapi.PaymentDisputed), string(internalapi.PaymentReinstated)}).Scan(&bodies).Error
	if err != nil {
		return fmt.Errorf("read earlier events of a payment: %w", err)
	}
	for _, body := range bodies {
		var e internalapi.PaymentEvent
		if err := json.Unmarshal(body, &e); err != nil {
			return fmt.Errorf("decode an earlier event: %w", err)
		}
		if e.Type == internalapi.PaymentRefunded {
			_, _, err = s.refund(ctx, tx, r, e)
		} else {
			_, err = dispute(ctx, tx, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// refund records what of a month went back. That of a second payment of the month is ignored, because that money was never its;
// so is a sum that is not above the last one, which came late. Money that was not accepted has no month; its payer is told.
func (s *Service) refund(ctx context.Context, tx *gorm.DB, r *row, e internalapi.PaymentEvent) (Outcome, *mail, error) {
	all := request.Value(e.AmountRefundedMinor)
	reason := string(request.Value(e.RefundReason))
	if reason == string(internalapi.PaymentEventRefundReasonDuplicate) {
		return ignored, nil, nil
	}
	var before []struct{ Period, AmountMinor, AmountRefundedMinor int64 }
	err := tx.WithContext(ctx).Raw(`SELECT period, amount_minor, amount_refunded_minor FROM subscription_charges WHERE payment_id = ?`,
		e.PaymentID).Scan(&before).Error
	if err != nil {
		return "", nil, fmt.Errorf("look for a refunded month: %w", err)
	}
	back := request.Value(e.RefundMinor)
	if len(before) == 1 {
		if min(all, before[0].AmountMinor) <= before[0].AmountRefundedMinor {
			return ignored, nil, nil
		}
		if back == 0 { // not said: what went back since the last refund that we know of
			back = all - before[0].AmountRefundedMinor
		}
		err = tx.WithContext(ctx).Exec(`
			UPDATE subscription_charges SET amount_refunded_minor = least(@all, amount_minor), refund_reason = @reason WHERE payment_id = @payment`,
			map[string]any{"all": all, "reason": reason, "payment": e.PaymentID}).Error
		if err == nil {
			err = s.keepLonger(ctx, tx, r.ID)
		}
		if err != nil {
			return "", nil, fmt.Errorf("record a refund: %w", err)
		}
	}
	if back == 0 {
		back = all
	}
	return applied, &mail{kind: mails.KindMonthlyRefund, SubscriptionMail: mails.SubscriptionMail{SubscriptionID: r.ID,
		Period: request.Value(e.Period), Refund: &mails.Refund{Minor: back, AllMinor: all, LeftMinor: e.AmountMinor - all, Reason: reason}}}, nil
}

// dispute records that the bank took a month's money, or that it is back; of these two the event with the highest sequence counts.
func dispute(ctx context.Context, tx *gorm.DB, e internalapi.PaymentEvent) (Outcome, error) {
	changed := tx.WithContext(ctx).Exec(`
		UPDATE subscription_charges SET is_disputed = @is, dispute_sequence = @sequence WHERE payment_id = @payment AND dispute_sequence < @sequence`,
		map[string]any{"is": e.Type == internalapi.PaymentDisputed, "sequence": e.Sequence, "payment": e.PaymentID})
	if changed.Error != nil {
		return "", fmt.Errorf("record a dispute: %w", changed.Error)
	}
	if changed.RowsAffected == 0 {
		return ignored, nil
	}
	return applied, nil
}

// logForeign logs an error for an operator. Logs hold no ids of what people pay for; the payment's id leads to
// it.
func (s *Service) logForeign(ctx context.Context, what string, r *row, e internalapi.PaymentEvent) {
	s.log.ErrorContext(ctx, "event does not fit its subscription", "what", what, "payment_id", e.PaymentID,
		"subscription_minor", r.Amount.Minor, "payment_minor", e.AmountMinor, "payment_currency", e.Currency)
}
