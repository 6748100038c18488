package claims

import (
	"strings"
	"time"

	"talkoot.fi/content/internal/campaign/campaigns"
)

// Kind is what is wrong; constraint claims_kind has the same.
type Kind string

// The kinds.
const (
	NotDelivered Kind = "not_delivered"
	Broken       Kind = "broken"
	Other        Kind = "other"
)

const (
	// claimsFor is how many days a claim can be made after the month in which the reward was promised, or after the campaign's end where that is
	// later: longer than a card's holder can ask their bank (120 days), so that nobody has to begin there.
	// Its last day is a whole one.
	claimsFor = 180
	// daysOf are how many whole days each side has.
	daysToAnswer = 7
	daysToDecide = 4
	daysToObject = 14
	// daysOfParcel is how long a new parcel is waited for at least once it is agreed.
	daysOfParcel = 3
	// mostDays is how far away the day of a new parcel may be.
	mostDays = 90
)

// Possible is what a claim about a pledge may be made about now, and until when.
type Possible struct {
	Kinds            []Kind
	Until            time.Time // with Kinds
	NotDeliveredFrom time.Time // when the promised month is over; zero when it is, or there is none
}

// possible decides whether a claim may be made: what was paid is the creator's and not all back, no bank has all that is left, and the time for
// claims is not over. That something has not come can be said when the month is over in which it was promised.
func possible(p pledge, now time.Time, zone *time.Location) (m Possible) {
	if p.EndedAt == nil || p.GoesTo != string(campaigns.ToCreator) || !p.Status.HasMoney() || p.isContested() || p.leftMinor() <= 0 {
		return m
	}
	from := *p.EndedAt
	promised := monthAfter(p.Delivery, zone)
	m.Until = endOfDay(later(from, promised).Add(-time.Nanosecond), claimsFor, zone)
	if !now.Before(m.Until) {
		return Possible{}
	}
	m.Kinds = []Kind{Other}
	switch {
	case !p.HasReward: // nothing was to come, so nothing can be missing or broken
	case now.Before(promised):
		m.Kinds, m.NotDeliveredFrom = []Kind{Broken, Other}, promised
	default:
		m.Kinds = []Kind{NotDelivered, Broken, Other}
	}
	return m
}

// monthAfter is the beginning of the month after that of a delivery (2026-10, or 2026-10/2026-11); zero without one.
func monthAfter(delivery string, zone *time.Location) time.Time {
	if _, last, isSpan := strings.Cut(delivery, "/"); isSpan {
		delivery = last
	}
	month, err := time.ParseInLocation("2006-01", delivery, zone)
	if err != nil {
		return time.Time{}
	}
	return month.AddDate(0, 1, 0)
}

// endOfDay is the end of the day that is so many days after a moment's.
func endOfDay(t time.Time, days int, zone *time.Location) time.Time {
	y, m, d := t.In(zone).Date()
	return time.Date(y, m, d+days+1, 0, 0, 0, 0, zone)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// dueIn is until when a claim waits in a state that begins now; nil for ever.
func dueIn(to State, c row, now time.Time, zone *time.Location) *time.Time {
	var due time.Time
	switch to {
	case Open, ResendOffered, PartOffered:
		due = endOfDay(now, daysToAnswer, zone)
	case Promised:
		y, m, d := c.OfferDay.Date()
		due = later(time.Date(y, m, d+1, 0, 0, 0, 0, zone), endOfDay(now, daysOfParcel, zone))
	case WithStaff:
		due = endOfDay(now, daysToDecide, zone)
	case Decided:
		if c.Decisions > 1 { // the second is the last
			return nil
		}
		due = endOfDay(now, daysToObject, zone)
	case Agreed, Closed:
		return nil
	}
	return &due
}
