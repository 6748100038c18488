package subscriptions

import (
	"context"
	"fmt"
	"time"

	"github.com/oapi-codegen/runtime/types"
	"gorm.io/gorm"

	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/request"
)

// ApplyChange takes over what the payment service tells of a subscription, once. The event with the highest sequence counts; one
// that it has overtaken is ignored. Error: ErrUnknown.
func (s *Service) ApplyChange(ctx context.Context, e internalapi.SubscriptionEvent) (Outcome, error) {
	in := received{eventID: e.EventID, subscriptionID: e.SubscriptionID, sequence: e.Sequence,
		kind: "subscription." + string(e.Cause), body: e}
	return s.once(ctx, in, func(tx *gorm.DB, r *row) (Outcome, *mail, error) {
		if e.Sequence <= r.EventSequence {
			m, err := receiptTold(ctx, tx, r, e)
			return ignored, m, err
		}
		if e.Currency != string(r.Amount.Currency) {
			s.log.ErrorContext(ctx, "event does not fit its subscription", "event_id", e.EventID, "currency", e.Currency)
			return ignored, nil, nil
		}
		outcome, err := s.takeOver(ctx, tx, r, e)
		if err != nil || outcome != applied {
			return outcome, nil, err
		}
		m, err := s.mailAbout(ctx, tx, r, e)
		return outcome, m, err
	})
}

// takeOver copies what an event says. Of one that we have ended ourselves the status, the level and the reason stay.
func (s *Service) takeOver(ctx context.Context, tx *gorm.DB, r *row, e internalapi.SubscriptionEvent) (outcome Outcome, err error) {
	outcome = applied
	if r.ClosedAt == nil {
		st := step{to: Status(e.Status), amountMinor: e.AmountMinor, rewardID: e.RewardID, cause: string(e.Cause), eventID: e.EventID}
		if st.bought, err = s.boughtNow(ctx, tx, r, e); err != nil {
			return "", err
		}
		if outcome, err = s.applied(ctx, tx, r, st); err != nil {
			return "", err
		}
	}
	next, err := s.boughtNext(ctx, tx, r, e)
	if err != nil {
		return "", err
	}
	because := ""
	if e.EndedBecause != nil {
		because = string(*e.EndedBecause)
	}
	err = tx.WithContext(ctx).Exec(`
		UPDATE subscriptions SET event_sequence = @sequence, updated_at = @now, next_amount_minor = @next, next_reward_id = @next_reward,
		    next_bought = CAST(@next_bought AS jsonb), paid_until = CASE WHEN closed_at IS NULL THEN CAST(@paid AS date) ELSE paid_until END, ends_on = @ends,
		    next_charge_on = CASE WHEN closed_at IS NULL THEN CAST(@charge AS date) END,
		    held_on = CASE WHEN closed_at IS NULL THEN CAST(@held AS date) END,
		    due_on = CASE WHEN @status IN ('active', 'past_due') AND CAST(@charge AS date) IS NULL AND CAST(@held AS date) IS NULL
		        THEN coalesce(CAST(@due AS date), due_on) END,
		    next_try_on = CASE WHEN @status IN ('active', 'past_due') AND CAST(@charge AS date) IS NULL AND CAST(@held AS date) IS NULL
		        THEN CASE WHEN CAST(@due AS date) IS NULL THEN next_try_on ELSE CAST(@try AS date) END END,
		    begun_on = coalesce(begun_on, CASE WHEN @status = 'active' THEN CAST(@today AS date) END),
		    payment_method = coalesce(nullif(@method, ''), payment_method), card_expires = @expires,
		    ended_because = coalesce(nullif(ended_because, ''), @because)
		WHERE id = @id`,
		map[string]any{"id": r.ID, "sequence": e.Sequence, "now": s.now(), "next": e.NextAmountMinor, "next_reward": e.NextRewardID,
			"next_bought": next, "paid": dateOf(e.PaidUntil), "ends": dateOf(e.EndsOn), "charge": dateOf(e.NextChargeOn),
			"held": dateOf(e.HeldOn), "due": dateOf(dueOf(e)), "try": dateOf(e.NextTryOn), "status": string(r.Status),
			"today": e.OccurredAt.In(s.zone).Format(time.DateOnly), "method": request.Value(e.Method),
			"expires": request.Value(e.CardExpires), "because": because}).Error
	if err != nil {
		return "", fmt.Errorf("take over an event of a subscription: %w", err)
	}
	r.EventSequence = e.Sequence
	return outcome, nil
}

// dueOf is the day of the month that is to be paid, of an event that says it. It stays until a charge is coming again, and with it the
// day of the next try, which the same event has.
func dueOf(e internalapi.SubscriptionEvent) *types.Date {
	if e.Cause == internalapi.SubscriptionEventCauseChargeFailed || e.Cause == internalapi.SubscriptionEventCauseActionRequired ||
		e.Cause == internalapi.SubscriptionEventCausePastDue {
		return e.PeriodDay
	}
	return nil
}

// boughtNow is what the level of an event was when it was chosen.
func (s *Service) boughtNow(ctx context.Context, tx *gorm.DB, r *row, e internalapi.SubscriptionEvent) (*rewards.Bought, error) {
	switch {
	case r.NextAmountMinor != nil && *r.NextAmountMinor == e.AmountMinor && same(r.NextRewardID, e.RewardID):
		return r.NextBought, nil
	case same(r.RewardID, e.RewardID):
		return r.Bought, nil
	}
	return readBought(ctx, tx, e.RewardID, r.Language)
}

// boughtNext is what the coming level was when it was chosen.
func (s *Service) boughtNext(ctx context.Context, tx *gorm.DB, r *row, e internalapi.SubscriptionEvent) (*rewards.Bought, error) {
	if e.NextAmountMinor == nil {
		return nil, nil
	}
	if r.NextAmountMinor != nil && *r.NextAmountMinor == *e.NextAmountMinor && same(r.NextRewardID, e.NextRewardID) {
		return r.NextBought, nil
	}
	return readBought(ctx, tx, e.NextRewardID, r.Language)
}

// readBought is a reward as it is now, for a reader of a language; nil without one.
func readBought(ctx context.Context, tx *gorm.DB, rewardID *int64, language string) (*rewards.Bought, error) {
	if rewardID == nil {
		return nil, nil
	}
	var p priced
	found := tx.WithContext(ctx).Raw(`
		SELECT r.amount_minor, r.vat_tenths, r.delivery, coalesce(t.language, '') AS language, coalesce(t.title, '') AS title,
		       coalesce(t.description, '') AS description
		FROM rewards r JOIN campaigns c ON c.id = r.campaign_id LEFT JOIN LATERAL (`+rewards.TextsSQL+`) t ON true
		WHERE r.id = @reward`, map[string]any{"reward": *rewardID, "language": language}).Scan(&p)
	if found.Error != nil {
		return nil, fmt.Errorf("read reward %d: %w", *rewardID, found.Error)
	}
	return p.bought(), nil
}

// unpaidDays is how long the payment service waits for the backer of a past_due subscription. One that ends as unpaid before had
// too many cards refused in the form of its month.
const unpaidDays = 30

// mailed are the causes that their supporter is told of. What a month costs is told by its receipt (receipt.go).
var mailed = map[internalapi.SubscriptionEventCause]bool{
	internalapi.SubscriptionEventCauseChargeComing: true, internalapi.SubscriptionEventCauseChargeFailed: true,
	internalapi.SubscriptionEventCauseActionRequired: true, internalapi.SubscriptionEventCausePastDue: true,
	internalapi.SubscriptionEventCauseLimitReached: true,
	internalapi.SubscriptionEventCauseLevelChosen:  true, internalapi.SubscriptionEventCausePaused: true,
	internalapi.SubscriptionEventCauseResumed: true, internalapi.SubscriptionEventCauseSkipped: true,
	internalapi.SubscriptionEventCauseEnding: true, internalapi.SubscriptionEventCauseCanceled: true,
	internalapi.SubscriptionEventCauseCardExpiring: true}

// mailAbout is the mail that an event causes, nil for none. Support that never began needs no mail about its end; an event that
// tells of a paid month causes its receipt.
func (s *Service) mailAbout(ctx context.Context, tx *gorm.DB, r *row, e internalapi.SubscriptionEvent) (*mail, error) {
	if !mailed[e.Cause] {
		return receiptTold(ctx, tx, r, e)
	}
	if e.Cause == internalapi.SubscriptionEventCauseCanceled {
		var isPaid bool
		err := tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM subscription_charges WHERE subscription_id = ?)`, r.ID).Scan(&isPaid).Error
		if err != nil {
			return nil, fmt.Errorf("look for charges: %w", err)
		}
		if !isPaid {
			return nil, nil
		}
	}
	m := mails.SubscriptionMail{SubscriptionID: r.ID, Cause: string(e.Cause), Sequence: e.Sequence, AmountMinor: e.AmountMinor,
		NextMinor: request.Value(e.NextAmountMinor), DueMinor: request.Value(e.DueAmountMinor), NextChargeOn: dayText(e.NextChargeOn),
		NextTryOn: dayText(e.NextTryOn), EndsOn: dayText(e.EndsOn), CardExpires: request.Value(e.CardExpires),
		Method: request.Value(e.Method), Period: request.Value(e.Period), PeriodDay: dayText(e.PeriodDay),
		DayAfter: dayText(e.DayAfter), GivesUpOn: dayText(e.GivesUpOn), LimitMinor: request.Value(e.LimitMinor),
		LimitTotalMinor: request.Value(e.LimitTotalMinor), IsUnanswered: request.Value(e.IsUnanswered)}
	for _, day := range request.Value(e.TriesOn) {
		m.TriesOn = append(m.TriesOn, dayText(&day))
	}
	if e.EndedBecause != nil {
		m.EndedBecause = string(*e.EndedBecause)
	}
	if r.ClosedAt != nil && r.EndedBecause == personBlocked.cause { // their money may have come back first, for another reason
		m.EndedBecause = r.EndedBecause
	}
	if m.EndedBecause == string(internalapi.SubscriptionEventEndedBecauseUnpaid) {
		isLate, err := wasLate(ctx, tx, r, e)
		if err != nil {
			return nil, err
		}
		if !isLate {
			m.EndedBecause = mails.CardsRefused
		}
	}
	return &mail{kind: mails.KindSubscription, SubscriptionMail: m}, nil
}

// wasLate says whether a subscription that has ended as unpaid had waited for its backer in vain. One that we have ended ourselves
// meanwhile takes no step with the event.
func wasLate(ctx context.Context, tx *gorm.DB, r *row, e internalapi.SubscriptionEvent) (was bool, err error) {
	err = tx.WithContext(ctx).Raw(`
		SELECT (@closed OR EXISTS (SELECT FROM subscription_transitions WHERE subscription_id = @id AND event_id = @event AND from_status = 'past_due'))
		   AND EXISTS (SELECT FROM subscription_events WHERE subscription_id = @id AND type = 'subscription.past_due'
		       HAVING max(CAST(body ->> 'occurred_at' AS timestamptz)) <= @since)`,
		map[string]any{"id": r.ID, "event": e.EventID, "closed": r.ClosedAt != nil, "since": e.OccurredAt.AddDate(0, 0, -unpaidDays)}).Scan(&was).Error
	if err != nil {
		return false, fmt.Errorf("look how long a month was not paid: %w", err)
	}
	return was, nil
}

func dateOf(d *types.Date) *string {
	if d == nil {
		return nil
	}
	text := dayText(d)
	return &text
}

func dayText(d *types.Date) string {
	if d == nil {
		return ""
	}
	return d.Format(time.DateOnly)
}
