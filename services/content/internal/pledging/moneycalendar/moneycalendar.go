// Package moneycalendar shows people what monthly support has charged them and will charge them, in the app and as a feed for
// calendar programs. It owns the table calendar_feeds.
//
// Invariants: coming days are reckoned from a subscription's first day as the payment service does (its package calendar), from
// the next charge that it has told; a feed's address is a MAC over the person and the feed's number, so that it can be shown at
// any time and is stored nowhere, and another number ends the one before; the feed says campaign and amount, and nothing of
// the person.
package moneycalendar

import (
	"context"
	"encoding/json"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/pledging/subscriptions"
)

const (
	monthsBack  = 11
	monthsAhead = 12
	// mostSupports bounds one person's calendar.
	mostSupports = 300
)

// State of a charge.
type State string

// The states of charges.
const (
	Charged  State = "charged"
	Returned State = "returned" // all of it went back
	Waiting  State = "waiting"  // its charge has failed
	Held     State = "held"     // it would cross the spending limit, and waits for an answer
	Coming   State = "coming"
)

// Charge is one day on which money moves.
type Charge struct {
	Period      int
	Day         time.Time // midnight UTC
	AmountMinor int64     // without what went back
	State       State
}

// Support is one monthly support with its charges, in their order.
type Support struct {
	Status                        subscriptions.Status
	SubscriptionID, PaymentMethod string
	Currency                      money.Currency
	IsInLimit                     bool            // the payment service counts it towards the person's spending limit
	Preview                       json.RawMessage // CampaignPreview of the contract
	Charges                       []Charge
	NextTryOn                     *time.Time // the day on which its month that waits is tried again; nil when it is tried no more
}

// Service reads calendars.
type Service struct {
	db      *gorm.DB
	monthly *subscriptions.Service
	now     func() time.Time
	zone    *time.Location
	feeds   feeds
}

// Options are the parts of a Service; all are needed.
type Options struct {
	DB        *gorm.DB
	Monthly   *subscriptions.Service
	Now       func() time.Time
	Zone      *time.Location
	Secrets   [][]byte // which every process of the service has: the one in use, then those of before
	PublicURL string
}

// New makes the service.
func New(o Options) (*Service, error) {
	f, err := newFeeds(o.Secrets, o.PublicURL)
	return &Service{db: o.DB, monthly: o.Monthly, now: o.Now, zone: o.Zone, feeds: f}, err
}

// today is the day where the platform is.
func (s *Service) today() time.Time {
	now := s.now().In(s.zone)
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
}

// Of reads a person's calendar, for a reader of a language.
func (s *Service) Of(ctx context.Context, userID int64, language string) ([]Support, error) {
	views, _, err := s.monthly.ListOwn(ctx, userID, language, mostSupports, 0)
	if err != nil {
		return nil, err
	}
	today := s.today()
	var out []Support
	for _, v := range views {
		one := Support{Status: v.Status, SubscriptionID: v.ID, PaymentMethod: v.PaymentMethod, Currency: v.Currency,
			IsInLimit: v.HasAccount, Preview: v.Preview, Charges: append(past(v, today), ahead(v, today)...), NextTryOn: nextTry(v, today)}
		if len(one.Charges) > 0 {
			out = append(out, one)
		}
	}
	return out, nil
}

// nextTry is the day on which a failed month is tried again. One that has passed is no try to come: what became of it is not told yet.
func nextTry(v subscriptions.View, today time.Time) *time.Time {
	if v.DueOn == nil || v.EndsOn != nil || v.NextTryOn == nil || v.NextTryOn.Before(today) {
		return nil
	}
	return v.NextTryOn
}

// past are the charges of the months that the calendar shows, the oldest first.
func past(v subscriptions.View, today time.Time) []Charge {
	from := time.Date(today.Year(), today.Month()-monthsBack, 1, 0, 0, 0, 0, time.UTC)
	var out []Charge
	for i := len(v.Charges) - 1; i >= 0; i-- {
		c := v.Charges[i]
		day := time.Date(c.PaidAt.Year(), c.PaidAt.Month(), c.PaidAt.Day(), 0, 0, 0, 0, time.UTC)
		if day.Before(from) {
			continue
		}
		state := Charged
		if c.Status() == subscriptions.ChargeRefunded || c.Status() == subscriptions.ChargeDisputed {
			state = Returned
		}
		left := c.AmountMinor - c.AmountRefundedMinor
		if state == Returned {
			left = 0
		}
		out = append(out, Charge{c.Period, day, left, state})
	}
	return out
}

// ahead are the charges that come as things stand, the next first. A month whose charge has failed waits, one that is held
// too, each on its own day; others follow, unless nothing is tried any more. Those whose day comes before the first is settled
// are left out (the payment service's after). While its campaign is on hold none comes. A first month that a bank has not confirmed yet comes
// today, until it does: only then it is known on which day the others come.
func ahead(v subscriptions.View, today time.Time) []Charge {
	if v.IsProcessing && !v.OnHold {
		return []Charge{{1, today, v.AmountMinor, Coming}}
	}
	if v.OnHold || v.BegunOn == nil || !v.Status.IsLive() || v.Status == subscriptions.Created || v.EndsOn != nil ||
		v.Status == subscriptions.PastDue && v.DueOn == nil {
		return nil
	}
	amount := v.AmountMinor
	first, state := 0, Coming
	switch {
	case v.DueOn != nil:
		first, state = months(*v.BegunOn, *v.DueOn), Waiting
	case v.HeldOn != nil:
		first, state = months(*v.BegunOn, *v.HeldOn), Held
	case v.NextChargeOn != nil:
		first = months(*v.BegunOn, *v.NextChargeOn)
	default: // it is being charged
		for monthDay(*v.BegunOn, first+1).Compare(today) <= 0 {
			first++
		}
	}
	end := time.Date(today.Year(), today.Month()+monthsAhead, 1, 0, 0, 0, 0, time.UTC)
	var out []Charge
	for n := first; ; n++ {
		day := monthDay(*v.BegunOn, n)
		if !day.Before(end) {
			return out
		}
		if n > first && !day.After(today) {
			continue
		}
		if v.NextAmountMinor != nil && state != Waiting {
			amount = *v.NextAmountMinor
		}
		out = append(out, Charge{n + 1, day, amount, state})
		if v.Status == subscriptions.PastDue {
			return out
		}
		state = Coming
	}
}

// months is how many calendar months a day is after another.
func months(from, to time.Time) int {
	return (to.Year()-from.Year())*12 + int(to.Month()) - int(from.Month())
}

// monthDay is the day of the charge n months after the first: its own day, or the month's last when it has none. The payment
// service reckons the same (calendar.Month).
func monthDay(first time.Time, n int) time.Time {
	month := time.Date(first.Year(), first.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	return month.AddDate(0, 0, min(first.Day(), month.AddDate(0, 1, -1).Day())-1)
}
