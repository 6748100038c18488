package subscriptions

import (
	"slices"
	"time"

	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/provider"
)

const (
	// chargeHour is when charges and notices begin, in Finland.
	chargeHour = 9
	// pastDueAfter is how many days after its own a month that is not paid makes the subscription past_due.
	pastDueAfter = 8
	// unpaidAfter is how many days a past_due subscription waits for its backer.
	unpaidAfter = 30
	// monthLife is when a month's payment closes by itself, should nobody have decided about it.
	monthLife = 60 * 24 * time.Hour
)

// retryDays are the days after a month's own on which a refused charge is tried again.
func retryDays() []int { return []int{1, 3, 5, 7} }

// chargeAt is when the charge of a day begins.
func chargeAt(day time.Time) time.Time { return calendar.At(day, chargeHour) }

// comingTries are the retries of a month that lie after now.
func comingTries(day, now time.Time) []time.Time {
	var out []time.Time
	for _, days := range retryDays() {
		if at := chargeAt(calendar.Add(day, days)); at.After(now) {
			out = append(out, at)
		}
	}
	return out
}

// pastDueAt is when a month that is not paid makes the subscription past_due.
func pastDueAt(day time.Time) time.Time { return chargeAt(calendar.Add(day, pastDueAfter)) }

// day of a month of an active subscription.
func (s Subscription) day(period int) time.Time { return calendar.Period(*s.AnchorDay, period) }

// paidUntil is the last day of what is paid; nil before the first success.
func (s Subscription) paidUntil() *time.Time {
	if s.PaidPeriod == 0 {
		return nil
	}
	day := calendar.Add(s.day(s.PaidPeriod+1), -1)
	return &day
}

// after is the month to be charged next once one is settled: the first whose day has not come. Those between are left
// out, so that nothing piles up.
func (s Subscription) after(period int, now time.Time) int {
	today := calendar.DayOf(now)
	for period++; !s.day(period).After(today); period++ { //nolint:revive // counts
	}
	return period
}

// coming is the month whose payment begins next.
func (s Subscription) coming(due *month, now time.Time) int {
	if due == nil {
		return s.NextPeriod
	}
	return s.after(due.Period, now)
}

// action is what the engine does to a subscription.
type action string

const (
	nothing    action = ""
	endPayment action = "end a month's payment"
	forgetCard action = "forget the card"
	endAsked   action = "end what was to end"
	giveUp     action = "give the month up"
	becomeLate action = "cease to try"
	settleTry  action = "learn what came of a try"
	tryCard    action = "try the card"
	notice     action = "see to the day before"
	leaveOut   action = "leave a month out"
	beginMonth action = "begin a month"
)

// plan is what happens to a subscription next, and when; the zero time is at once, and nothing is never. It follows from
// the rows alone.
func (s Subscription) plan(m months) (action, time.Time) {
	if len(m.ending) > 0 {
		return endPayment, time.Time{}
	}
	switch s.Status {
	case StatusCreated:
		return nothing, time.Time{} // its payment's time decides
	case StatusCanceled, StatusExpired:
		if s.Card.Ref != "" {
			return forgetCard, time.Time{}
		}
		return nothing, time.Time{}
	case StatusActive, StatusPastDue, StatusPaused:
	}
	if s.EndsOn != nil {
		return endAsked, calendar.Start(calendar.Add(*s.EndsOn, 1))
	}
	if s.OnHold || m.due == nil && s.passedOnHold() {
		return s.planOnHold(m)
	}
	if m.due != nil {
		return s.planDue(*m.due)
	}
	if s.isHeld() && s.Status == StatusActive {
		return leaveOut, chargeAt(calendar.Add(s.day(s.NextPeriod+1), -1)) // so that there is notice of the next one
	}
	day := s.day(s.NextPeriod)
	if s.NoticedPeriod < s.NextPeriod {
		return notice, chargeAt(calendar.Add(day, -1))
	}
	return beginMonth, chargeAt(day)
}

func (s Subscription) planDue(due month) (action, time.Time) {
	if due.Processing {
		return nothing, time.Time{} // the payment's own sweeper asks
	}
	if due.Unknown {
		return settleTry, time.Time{}
	}
	if due.IsHeld && due.NextTryAt == nil && (s.Status == StatusActive || s.Card.Ref != "" && !s.Card.Refused) {
		return leaveOut, chargeAt(calendar.Add(s.day(s.after(due.Period, *due.WeighedOn)), -1))
	}
	do, at := s.afterTries(due)
	// A try that was due before comes first, however late it is; when it comes to nothing then, there is no other.
	if due.NextTryAt != nil && !due.NextTryAt.After(at) {
		return tryCard, *due.NextTryAt
	}
	return do, at
}

// afterTries is what becomes of a month that is not paid when the time of its tries is over, and when that is.
func (s Subscription) afterTries(due month) (action, time.Time) {
	if s.Status == StatusPastDue {
		return giveUp, s.PastDueAt.AddDate(0, 0, unpaidAfter)
	}
	return becomeLate, pastDueAt(*due.Day)
}

// remedyOf is what may help a declined month: without a better word another day.
func remedyOf(r provider.Remedy) provider.Remedy {
	if slices.Contains([]provider.Remedy{provider.RemedyCard, provider.RemedyPayer}, r) {
		return r
	}
	return provider.RemedyLater
}
