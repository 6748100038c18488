package subscriptions

import (
	"context"
	"time"

	openapi "github.com/oapi-codegen/runtime/types"

	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/events"
)

// The causes of events, in the contract's words.
const (
	causeActivated      = contentclient.SubscriptionEventCauseActivated
	causeRenewed        = contentclient.SubscriptionEventCauseRenewed
	causeChargeComing   = contentclient.SubscriptionEventCauseChargeComing
	causeChargeFailed   = contentclient.SubscriptionEventCauseChargeFailed
	causeActionRequired = contentclient.SubscriptionEventCauseActionRequired
	causePastDue        = contentclient.SubscriptionEventCausePastDue
	causeLevelChosen    = contentclient.SubscriptionEventCauseLevelChosen
	causeLevelChanged   = contentclient.SubscriptionEventCauseLevelChanged
	causePaused         = contentclient.SubscriptionEventCausePaused
	causeResumed        = contentclient.SubscriptionEventCauseResumed
	causeSkipped        = contentclient.SubscriptionEventCauseSkipped
	causeEnding         = contentclient.SubscriptionEventCauseEnding
	causeCanceled       = contentclient.SubscriptionEventCauseCanceled
	causeExpired        = contentclient.SubscriptionEventCauseExpired
	causeCardChanged    = contentclient.SubscriptionEventCauseCardChanged
	causeCardExpiring   = contentclient.SubscriptionEventCauseCardExpiring
	causeCampaignOnHold = contentclient.SubscriptionEventCauseCampaignOnHold
	causeLimitReached   = contentclient.SubscriptionEventCauseLimitReached
)

// emit writes an event with the subscription as it is now; fill, which may be nil, adds what only some causes have.
func (c *change) emit(ctx context.Context, cause contentclient.SubscriptionEventCause,
	fill func(e *contentclient.SubscriptionEvent)) error {
	c.sub.EventSequence++
	c.told = true
	s := c.sub
	e := contentclient.SubscriptionEvent{
		Sequence: s.EventSequence, Cause: cause, SubscriptionID: s.ID,
		Status: contentclient.SubscriptionEventStatus(s.Status), AmountMinor: s.Level.AmountMinor,
		RewardID: s.Level.RewardID, Currency: s.Level.Currency, OccurredAt: c.now,
	}
	if s.NextLevel != nil {
		e.NextAmountMinor, e.NextRewardID = &s.NextLevel.AmountMinor, s.NextLevel.RewardID
	}
	e.PaidUntil, e.EndsOn = date(s.paidUntil()), date(s.EndsOn)
	if day := s.nextChargeOn(c.months.due); day != nil {
		e.NextChargeOn = date(day)
	}
	if period := s.heldPeriod(c.months.due); period > 0 {
		day := s.day(period)
		e.HeldOn = date(&day)
	}
	if s.Card.Label != "" {
		e.Method = &s.Card.Label
	}
	if s.Card.Expires != "" {
		e.CardExpires = &s.Card.Expires
	}
	if s.EndedBecause != "" {
		why := contentclient.SubscriptionEventEndedBecause(s.EndedBecause)
		e.EndedBecause = &why
	}
	if fill != nil {
		fill(&e)
	}
	if e.Period != nil && s.AnchorDay != nil {
		next := s.after(*e.Period, c.now)
		if s.NextPeriod > *e.Period { // it is today's, after one that was held
			next = min(next, s.NextPeriod)
		}
		day, after := s.day(*e.Period), s.day(next)
		e.PeriodDay, e.DayAfter = date(&day), date(&after)
	}
	return events.AddSubscription(ctx, c.tx, e)
}

// nextChargeOn is the day of the next month whose payment has not begun, while there is one, and none is due or held.
func (s Subscription) nextChargeOn(due *month) *time.Time {
	if s.AnchorDay == nil || s.Status.IsOver() || s.EndsOn != nil || due != nil || s.isHeld() {
		return nil
	}
	day := s.day(s.NextPeriod)
	return &day
}

func date(day *time.Time) *openapi.Date {
	if day == nil {
		return nil
	}
	return &openapi.Date{Time: *day}
}

// ofMonth fills in which month an event is about.
func ofMonth(period int) func(e *contentclient.SubscriptionEvent) {
	return func(e *contentclient.SubscriptionEvent) { e.Period = &period }
}
