package subscriptions

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/request"
)

// A month's receipt is mailed once two events have come: that of its money, and that of the subscription which has taken it.
// Money that comes when its month was left out, or its subscription ended, meanwhile has the first alone, and goes straight
// back: its payer is told of the refund, and thanked for nothing. Whichever event is the later one causes the mail; both wait
// for each other on the subscription's row.

// receiptPaid is the receipt of a month whose money has just come, nil while the subscription has not taken it.
func receiptPaid(ctx context.Context, tx *gorm.DB, r *row, e internalapi.PaymentEvent) (*mail, error) {
	var isTaken bool
	err := tx.WithContext(ctx).Raw(`
		SELECT EXISTS (SELECT FROM subscription_events WHERE subscription_id = @id AND payment_id = ''
		    AND type IN ('subscription.activated', 'subscription.renewed') AND CAST(body ->> 'period' AS int) = @period)`,
		map[string]any{"id": r.ID, "period": request.Value(e.Period)}).Scan(&isTaken).Error
	if err != nil {
		return nil, fmt.Errorf("look whether a month is taken: %w", err)
	}
	if !isTaken {
		return nil, nil
	}
	return receiptOf(r, request.Value(e.Period), dayText(e.PeriodDay), e.EventID), nil
}

// receiptTold is the receipt of a month that an event tells to be paid, nil for other events and while its money has not come.
func receiptTold(ctx context.Context, tx *gorm.DB, r *row, e internalapi.SubscriptionEvent) (*mail, error) {
	if e.Cause != internalapi.SubscriptionEventCauseActivated && e.Cause != internalapi.SubscriptionEventCauseRenewed {
		return nil, nil
	}
	var paid []struct {
		PeriodDay time.Time
		EventID   string
	}
	err := tx.WithContext(ctx).Raw(`
		SELECT c.period_day, e.event_id FROM subscription_charges c
		JOIN subscription_events e ON (e.subscription_id, e.payment_id) = (c.subscription_id, c.payment_id)
		    AND e.type = 'payment.succeeded' AND e.outcome = 'applied'
		WHERE c.subscription_id = ? AND c.period = ?`, r.ID, request.Value(e.Period)).Scan(&paid).Error
	if err != nil {
		return nil, fmt.Errorf("look for the money of a month: %w", err)
	}
	if len(paid) == 0 {
		return nil, nil
	}
	return receiptOf(r, request.Value(e.Period), paid[0].PeriodDay.Format(time.DateOnly), paid[0].EventID), nil
}

func receiptOf(r *row, period int, day, eventID string) *mail {
	return &mail{kind: mails.KindMonthlyReceipt, eventID: eventID,
		SubscriptionMail: mails.SubscriptionMail{SubscriptionID: r.ID, Period: period, PeriodDay: day}}
}
