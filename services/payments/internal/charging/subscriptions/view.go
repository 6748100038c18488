package subscriptions

import (
	"context"
	"fmt"
	"slices"
	"time"

	openapi "github.com/oapi-codegen/runtime/types"
	"gorm.io/gorm"

	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/provider"
)

const (
	mostCharges = 120
	mostMonths  = 12
	monthsPast  = 4 // of mostMonths, before the next one
)

// line is a month with its payment, for who reads.
type line struct {
	Period        int
	Day           *time.Time
	PaymentID     string
	Status        monthStatus
	PaymentStatus payments.Status
	AmountMinor   int64
	RefundedMinor int64
	Method        string
	FailureCode   string
	SettledAt     *time.Time
	Tries         int
	IsCharging    bool // see Subscription.isCharging
}

// Show is a subscription in the contract's words. Error: NotFound.
func (s *Service) Show(ctx context.Context, id string) (api.Subscription, error) {
	return show(ctx, s.db, id, s.now())
}

func show(ctx context.Context, db *gorm.DB, id string, now time.Time) (api.Subscription, error) {
	sub, err := byID(ctx, db, id)
	if err != nil {
		return api.Subscription{}, err
	}
	var lines []line
	err = db.WithContext(ctx).Raw(`SELECT m.period, m.day, m.payment_id, m.status, p.status AS payment_status, p.amount_minor,
			p.amount_refunded_minor AS refunded_minor, p.method, m.failure_code, m.settled_at,
			(SELECT count(*) FROM subscription_tries t WHERE t.subscription_id = m.subscription_id AND t.period = m.period AND t.outcome NOT IN ('void', 'unknown')) AS tries
		FROM subscription_periods m JOIN payments p ON p.id = m.payment_id WHERE m.subscription_id = ? ORDER BY m.period DESC LIMIT ?`,
		id, mostCharges).Scan(&lines).Error
	if err != nil {
		return api.Subscription{}, fmt.Errorf("read the months of a subscription: %w", err)
	}
	open, err := readOpen(ctx, db, id)
	if err != nil {
		return api.Subscription{}, err
	}
	isCharging := sub.isCharging(open.due)
	for i := range lines {
		lines[i].IsCharging = isCharging && lines[i].Period == open.due.Period
	}
	out := api.Subscription{
		ID: sub.ID, ProjectID: sub.CampaignID, Status: api.SubscriptionStatus(sub.Status), Level: sub.Level.wire(),
		Reward: sub.Level.reward(), Currency: sub.Level.Currency, NotifyBefore: sub.NotifyBefore,
		AnchorDay: date(sub.AnchorDay), PaidUntil: date(sub.paidUntil()), EndsOn: date(sub.EndsOn),
		Charges: sub.charges(lines, now), Months: sub.calendar(lines, open.due, now),
	}
	out.Meta.Language = sub.Language
	if sub.EndedBecause != "" {
		why := api.SubscriptionMetaEndedBecause(sub.EndedBecause)
		out.Meta.EndedBecause = &why
	}
	goesOn := sub.AnchorDay != nil && !sub.Status.IsOver()
	if goesOn && sub.NextLevel != nil {
		level, from := sub.NextLevel.wire(), sub.coming(open.due, now)
		level.FromPeriod = &from
		out.NextLevel = &level
	}
	out.OnHold = &sub.OnHold
	if day := sub.nextChargeOn(open.due); day != nil && !sub.OnHold {
		out.NextCharge = &api.NextCharge{Period: sub.NextPeriod, Day: *date(day), AmountMinor: sub.nextLevel().AmountMinor}
	}
	if sub.Status == StatusPaused && sub.EndsOn == nil {
		day := sub.day(sub.NextPeriod)
		out.PausedUntil = date(&day)
	}
	isHeld := sub.heldPeriod(open.due) > 0
	if isHeld {
		if out.Held, err = showHeld(ctx, db, sub, open.due, now); err != nil {
			return api.Subscription{}, err
		}
	}
	// A first month has no calendar yet that could tell that its bank has it.
	isTold := open.due != nil && (open.due.Period == 1 || !open.due.Processing)
	if isTold && !isCharging && !isHeld {
		if out.Due, err = showDue(ctx, db, sub, *open.due, now); err != nil {
			return api.Subscription{}, err
		}
	}
	if goesOn && sub.Card.Ref != "" {
		if out.Card, err = showCard(ctx, db, sub); err != nil {
			return api.Subscription{}, err
		}
	}
	return out, nil
}

// isCharging reports whether the month that is to be paid waits for the first answer to a charge of ours: nothing has been refused
// yet, so that nobody is asked to pay.
func (s Subscription) isCharging(due *month) bool {
	return due != nil && due.Period > 1 && s.Status == StatusActive && due.FailureCode == "" && due.WaitsFor == provider.RemedyNone
}

// nextLevel is the level of the next month whose payment begins.
func (s Subscription) nextLevel() Level {
	if s.NextLevel != nil {
		return *s.NextLevel
	}
	return s.Level
}

func (l Level) wire() api.SubscriptionLevel {
	return api.SubscriptionLevel{AmountMinor: l.AmountMinor, Reward: l.reward()}
}

func (l Level) reward() *api.SubscriptionReward {
	if l.RewardID == nil {
		return nil
	}
	out := &api.SubscriptionReward{RewardID: *l.RewardID, Title: l.Title, Description: l.Description}
	if out.Title == nil {
		out.Title = map[string]string{}
	}
	if out.Description == nil {
		out.Description = map[string]string{}
	}
	return out
}

// showDue is the month that is to be paid now.
func showDue(ctx context.Context, db *gorm.DB, sub Subscription, due month, now time.Time) (*api.DueMonth, error) {
	p, err := payments.Read(ctx, db, due.PaymentID)
	if err != nil {
		return nil, err
	}
	tries, err := readTries(ctx, db, sub.ID, due.Period)
	if err != nil {
		return nil, err
	}
	wire := payments.Wire(p)
	out := &api.DueMonth{Period: due.Period, Day: openapi.Date{Time: calendar.DayOf(now)}, AmountMinor: due.AmountMinor,
		Tries: []openapi.Date{}, ComingTries: []openapi.Date{}, Payment: &wire}
	for _, t := range tries {
		if t.Outcome != void && t.Outcome != unknown {
			out.Tries = append(out.Tries, openapi.Date{Time: calendar.DayOf(t.BegunAt)})
		}
	}
	if due.Day == nil {
		return out, nil
	}
	out.Day = openapi.Date{Time: sub.day(due.Period)}
	waits := due.WaitsFor == provider.RemedyCard || due.WaitsFor == provider.RemedyPayer || sub.Status == StatusPastDue
	out.NeedsBacker = &waits
	if sub.Status == StatusActive {
		day := calendar.DayOf(pastDueAt(*due.Day))
		out.GivesUpOn = &openapi.Date{Time: day}
		if !waits {
			out.ComingTries = days(comingTries(*due.Day, now))
		}
	}
	return out, nil
}

// days of moments, in their order.
func days(at []time.Time) []openapi.Date {
	out := make([]openapi.Date, len(at))
	for i, one := range at {
		out[i] = openapi.Date{Time: calendar.DayOf(one)}
	}
	return out
}

func showCard(ctx context.Context, db *gorm.DB, sub Subscription) (*api.SavedCard, error) {
	shared := false
	err := db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM subscriptions WHERE provider = ? AND card_ref = ? AND id <> ?
		AND status IN ('active', 'past_due', 'paused'))`, sub.Provider, sub.Card.Ref, sub.ID).Scan(&shared).Error
	if err != nil {
		return nil, fmt.Errorf("read who has the card of a subscription: %w", err)
	}
	return &api.SavedCard{Label: sub.Card.Label, Expires: sub.Card.Expires, IsShared: &shared}, nil
}

// state is how a month stands that has begun; "" is to be paid for the first time.
func (l line) state() api.SubscriptionChargeStatus {
	switch {
	case l.Status == monthSkipped:
		return api.SubscriptionChargeStatusSkipped
	case l.Status == monthClosed:
		return api.SubscriptionChargeStatusFailed
	case l.Status == monthOpen && (l.PaymentStatus == payments.StatusProcessing || l.IsCharging):
		return api.SubscriptionChargeStatusProcessing
	case l.Status == monthOpen && l.FailureCode != "":
		return api.SubscriptionChargeStatusFailed
	case l.Status == monthOpen:
		return ""
	}
	if moved := api.SubscriptionChargeStatus(l.PaymentStatus); l.PaymentStatus != payments.StatusSucceeded && moved.Valid() {
		return moved // refunded, partly_refunded, disputed
	}
	return api.SubscriptionChargeStatusPaid
}

// charges are the months until today, the latest first, with those that were left out.
func (s Subscription) charges(lines []line, now time.Time) []api.SubscriptionCharge {
	out := []api.SubscriptionCharge{}
	today := calendar.DayOf(now)
	if s.AnchorDay == nil { // its day is the one on which the bank takes it
		if len(lines) > 0 && lines[0].state() == api.SubscriptionChargeStatusProcessing {
			out = append(out, lines[0].charge(today))
		}
		return out
	}
	begun := map[int]line{}
	for _, l := range lines {
		begun[l.Period] = l
	}
	last := s.NextPeriod - 1
	if len(lines) > 0 {
		last = max(last, lines[0].Period)
	}
	for period := last; period >= 1 && len(out) < mostCharges; period-- {
		day := s.day(period)
		l, has := begun[period]
		switch {
		case !has && day.After(today):
			continue
		case !has:
			out = append(out, api.SubscriptionCharge{Period: period, Day: openapi.Date{Time: day},
				Status: api.SubscriptionChargeStatusSkipped})
			continue
		case l.state() == "":
			continue
		}
		out = append(out, l.charge(day))
	}
	return out
}

// charge is a month that has begun; day is its day in the calendar.
func (l line) charge(day time.Time) api.SubscriptionCharge {
	one := api.SubscriptionCharge{
		Period: l.Period, Day: openapi.Date{Time: day}, Status: l.state(), AmountMinor: l.AmountMinor,
		AmountRefundedMinor: l.RefundedMinor, PaymentID: &l.PaymentID,
	}
	if l.Status == monthPaid && l.SettledAt != nil {
		one.Day = openapi.Date{Time: calendar.DayOf(*l.SettledAt)}
	}
	if l.Method != "" {
		one.Method = &l.Method
	}
	if l.Tries > 0 {
		one.Tries = &l.Tries
	}
	return one
}

// calendar is the months around the next one, in their order.
func (s Subscription) calendar(lines []line, due *month, now time.Time) []api.SubscriptionMonth {
	out := []api.SubscriptionMonth{}
	if s.AnchorDay == nil {
		return out
	}
	next := s.NextPeriod
	ends := s.Status.IsOver() || s.EndsOn != nil
	last := s.PaidPeriod
	for _, l := range lines {
		last = max(last, l.Period)
	}
	if ends {
		next = last + 1
	}
	middle := next
	if due != nil {
		middle, next = due.Period, s.after(due.Period, now)
	}
	first := max(1, middle-monthsPast)
	if ends {
		first = max(1, last-mostMonths+1)
	}
	for period := first; period < first+mostMonths; period++ {
		m := api.SubscriptionMonth{Period: period, Day: openapi.Date{Time: s.day(period)}, State: api.SubscriptionMonthStateComing,
			AmountMinor: s.nextLevel().AmountMinor}
		at := slices.IndexFunc(lines, func(l line) bool { return l.Period == period })
		switch {
		case at >= 0:
			m.AmountMinor, m.State = lines[at].AmountMinor, monthState(lines[at].state())
		case ends && period > last:
			return out
		case period < next:
			m.State, m.AmountMinor = api.SubscriptionMonthStateSkipped, 0
		case period == next && due == nil:
			m.State = api.SubscriptionMonthStateNext
		}
		out = append(out, m)
	}
	return out
}

// monthState is a charge's status as a month of the calendar has it.
func monthState(s api.SubscriptionChargeStatus) api.SubscriptionMonthState {
	if s == "" {
		return api.SubscriptionMonthStateNext
	}
	if same := api.SubscriptionMonthState(s); same.Valid() { // paid, skipped, failed, processing
		return same
	}
	return api.SubscriptionMonthStatePaid
}
