package subscriptions

import (
	"context"
	"fmt"
	"time"

	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/charging/holds"
)

// HoldCampaign keeps the content service's word that a campaign is on hold, or not any more. When it returns, no charge begins for it any
// more; months that are being tried are left out by the engine at once, the others when their day comes. Afterwards the next month
// is charged on its day, without anything to be done here.
func (s *Service) HoldCampaign(ctx context.Context, campaignID int64, w holds.Word) error {
	if err := holds.Set(ctx, s.db, campaignID, w, s.now); err != nil || !w.IsOnHold {
		return err
	}
	err := s.db.WithContext(ctx).Exec(`UPDATE subscriptions SET step_at = ? WHERE campaign_id = ? AND status IN ('active', 'past_due', 'paused')
		AND id IN (SELECT subscription_id FROM subscription_periods WHERE status = 'open')`, s.now(), campaignID).Error
	if err != nil {
		return fmt.Errorf("have the months of campaign %d left out: %w", campaignID, err)
	}
	s.wakeSteps()
	return nil
}

// passedOnHold reports whether the day of the next month came before its campaign went on: it is left out, also when no worker has
// seen its day.
func (s Subscription) passedOnHold() bool {
	return s.LiftedAt != nil && !s.LiftedAt.Before(chargeAt(s.day(s.NextPeriod)))
}

// planOnHold is plan while the campaign is on hold, or for a month whose day has passed meanwhile. Nothing ends: support that is
// past_due has its month left out as well.
func (s Subscription) planOnHold(m months) (action, time.Time) {
	if m.due != nil || !s.OnHold {
		return leaveOut, time.Time{}
	}
	day := s.day(s.NextPeriod)
	if s.NoticedPeriod < s.NextPeriod { // looked at on the day before, for it may go on until tomorrow
		return notice, chargeAt(calendar.Add(day, -1))
	}
	return leaveOut, chargeAt(day)
}

// leaveOutOnHold leaves a month out because its campaign is on hold; money of a charge that is on its way goes back. A kept card that is
// of no use is refused in the next month.
func (c *change) leaveOutOnHold(ctx context.Context) error {
	const cause = "campaign on hold"
	due, period := c.months.due, c.sub.NextPeriod
	if due != nil {
		period = due.Period
	}
	c.sub.NextPeriod = c.sub.after(period, c.now)
	if c.sub.Status == StatusPastDue {
		if err := c.move(ctx, StatusActive, cause, period); err != nil {
			return err
		}
	} else if err := c.note(ctx, cause, period, ""); err != nil {
		return err
	}
	if due != nil {
		if err := c.settle(ctx, monthSkipped); err != nil {
			return err
		}
	}
	return c.emit(ctx, causeCampaignOnHold, ofMonth(period))
}
